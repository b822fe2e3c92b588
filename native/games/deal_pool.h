// SPDX-License-Identifier: MIT
// Whole deals, drawn once and played many times. Deal i is dealt for seat i % players; of the deals of a seat at least so many are
// of every class of hands, where that many draws may be thrown away. A deal that was kept is as likely as any other of its class,
// so expectations over the pool, deals weighed by how likely their class is in the game and how often it is here, are those of the
// game.
#pragma once
#include <cstddef>

#include "games/any_game.h"
#include "games/hand_classes.h"

namespace regretless {

struct DealPoolOptions {
  std::int64_t count = 0;           // of deals
  std::int64_t min_per_class = 0;   // for each seat; 0: deals as they come
  std::int64_t max_rejections = 0;  // draws in all that may be thrown away; then deals are kept as they come
  std::uint64_t seed = 0;
};

// The part of a pool that does not depend on its game.
class DealPool {
 public:
  virtual ~DealPool() = default;
  std::size_t size() const { return weights_.size(); }
  int num_players() const { return num_players_; }
  std::int32_t num_classes() const { return static_cast<std::int32_t>(counts_.size() / static_cast<std::size_t>(num_players_)); }
  Player seat(std::size_t i) const { return static_cast<Player>(i % static_cast<std::size_t>(num_players_)); }
  float weight(std::size_t i) const { return weights_[i]; }  // 1 in the mean over the deals of a seat
  const std::vector<float>& weights() const { return weights_; }
  const std::vector<std::int64_t>& counts() const { return counts_; }  // [players, classes]: deals for a seat by class of its hand
  std::int64_t num_lacking() const { return num_lacking_; }  // seats and classes that have fewer than they should
  std::int64_t num_rejections() const { return num_rejections_; }
  virtual std::vector<Hand> hands() const = 0;  // [size, players]

 protected:
  int num_players_ = 1;
  std::vector<float> weights_;  // [size]
  std::vector<std::int64_t> counts_;
  std::int64_t num_lacking_ = 0, num_rejections_ = 0;
};

// For games whose hands are dealt. Throws std::invalid_argument if the options make no sense, or so many deals cannot hold so many
// of every class.
std::shared_ptr<DealPool> make_deal_pool(const AnyGame& game, const DealPoolOptions& options);

template <Game G>
class DealPoolOf final : public DealPool {
 public:
  using Deal = typename G::Deal;

  DealPoolOf(std::shared_ptr<const G> game, const DealPoolOptions& options);

  const G& game() const { return *game_; }
  const Deal& deal(std::size_t i) const { return deals_[i]; }

  // The number of a deal: any of them, or of those for a seat.
  std::size_t draw(Random& random) const { return random.below(static_cast<std::uint32_t>(size())); }
  std::size_t draw(Random& random, Player seat) const {
    const std::size_t n = static_cast<std::size_t>(num_players_), first = static_cast<std::size_t>(seat);
    return first + n * random.below(static_cast<std::uint32_t>((size() + n - 1 - first) / n));
  }

  std::vector<Hand> hands() const override {
    std::vector<Hand> hands;
    for (const Deal& deal : deals_)
      for (Player p = 0; p < num_players_; ++p) hands.push_back(game_->hand(deal, p));
    return hands;
  }

 private:
  struct Seat {
    std::vector<double> probabilities;  // [classes]
    std::int64_t slots = 0;  // deals that are still to be drawn for it
    std::int64_t needs = 0;  // of these, deals of classes that lack some
  };
  void fill(const DealPoolOptions& options, const HandClasses& classes, std::vector<Seat>& seats);
  void weigh(const DealPoolOptions& options, const std::vector<Seat>& seats);

  std::shared_ptr<const G> game_;
  std::vector<Deal> deals_;
  std::vector<std::int32_t> classes_;  // [size]: of the hand of the deal's seat
};

}  // namespace regretless
