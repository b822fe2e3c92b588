// SPDX-License-Identifier: MIT
// Buckets of cards: a player who plays by buckets knows the slots that were chosen so far and the bucket that his hand and the
// board are in now, and nothing else of the cards.
#pragma once
#include "cards/hand_buckets.h"
#include "games/poker.h"

namespace regretless {

class CardBuckets {
 public:
  virtual ~CardBuckets() = default;
  virtual int num_buckets(int street) const = 0;
  virtual int bucket(int street, const PokerDeal& deal, Player player) const = 0;  // below num_buckets
};

// By tables, for games whose streets have 0, 3, 4 or 5 board cards. Throws std::invalid_argument if the game has other cards.
class TableBuckets final : public CardBuckets {
 public:
  TableBuckets(std::shared_ptr<const Poker> game, std::shared_ptr<const HandBuckets> tables);

  int num_buckets(int street) const override { return tables_->num_buckets(table_streets_[street]); }
  int bucket(int street, const PokerDeal& deal, Player player) const override {
    const int num_board = HandBuckets::kNumBoard[table_streets_[street]];
    return tables_->bucket(game_->hole(deal, player), {deal.board.data(), static_cast<std::size_t>(num_board)});
  }
  float equity(int street, int bucket) const {
    return tables_->equity(table_streets_[street], static_cast<HandBuckets::Bucket>(bucket));
  }
  const HandBuckets& tables() const { return *tables_; }

 private:
  std::shared_ptr<const Poker> game_;
  std::shared_ptr<const HandBuckets> tables_;
  std::array<int, kMaxStreets> table_streets_{};  // by street of the game
};

// The infoset of a player who plays by buckets: the slots chosen so far, one after the other, and his bucket.
inline std::uint64_t extend_slots_key(std::uint64_t key, int slot) { return extend_key(key, static_cast<std::uint64_t>(slot)); }
inline std::uint64_t slots_key(std::span<const Step> history) {
  std::uint64_t key = 0;
  for (const Step& step : history) key = extend_slots_key(key, step.slot);
  return key;
}
inline std::uint64_t bucket_infoset(std::uint64_t slots, int bucket, Player player) {
  return infoset_key(slots, static_cast<std::uint64_t>(bucket), player);
}

}  // namespace regretless
