// SPDX-License-Identifier: MIT
// Encoders, the eyes of a network: an encoder writes what the actor knows, and nothing else, as a compact row of bytes, whose
// layout says how to expand it to features. Encoders are chosen by name. The version of one changes whenever its rows or features
// do, so that a network is never shown what it was not trained on.
#pragma once
#include "cards/hand_buckets.h"
#include "games/any_game.h"
#include "observe/row_layout.h"

namespace regretless {

class Encoder {
 public:
  explicit Encoder(std::string name, int version = 1) : name_(std::move(name)), version_(version) {}
  virtual ~Encoder() = default;
  const std::string& name() const { return name_; }
  int version() const { return version_; }
  const std::shared_ptr<const HandBuckets>& buckets() const { return buckets_; }  // that it reads, if any
  const RowLayout& layout() const { return layout_; }

  // Bytes of a row that hold the actor's cards and the board's as marks by their index in the deck, 255 for none. Empty where suits
  // are renamed, or no card is shown.
  const std::vector<int>& hole_bytes() const { return hole_bytes_; }
  const std::vector<int>& board_bytes() const { return board_bytes_; }

 protected:
  std::string name_;
  int version_;
  std::shared_ptr<const HandBuckets> buckets_;
  RowLayout layout_;
  std::vector<int> hole_bytes_, board_bytes_;
};

template <Game G>
class EncoderOf : public Encoder {
 public:
  EncoderOf(std::shared_ptr<const G> game, std::string name, int version = 1)
      : Encoder(std::move(name), version), game_(std::move(game)) {}
  const G& game() const { return *game_; }

  // Row [layout().row_bytes()]: what the actor, who holds his cards or dice of this deal, knows after these steps.
  virtual void write(const typename G::State& state, const typename G::Deal& deal, Player actor, std::span<const Step> history,
                     std::uint8_t* row) const = 0;

 protected:
  std::shared_ptr<const G> game_;
};

using BucketTables = std::vector<std::shared_ptr<const HandBuckets>>;

// "NAME/seats" is what all seats know. Throws std::invalid_argument if there is no encoder of that name. The
// one that sees buckets needs those of one abstraction.
std::shared_ptr<const Encoder> make_encoder(std::string_view name, const AnyGame& game, const BucketTables& buckets = {});
template <EpisodeGame G>
std::shared_ptr<const EncoderOf<G>> make_encoder(std::string_view name, std::shared_ptr<const G> game,
                                                 const BucketTables& buckets = {}) {
  return std::static_pointer_cast<const EncoderOf<G>>(make_encoder(name, AnyGame(std::move(game)), buckets));
}

// Each in the file of its name.
std::shared_ptr<const Encoder> make_slots12(std::shared_ptr<const Poker> game);
std::shared_ptr<const Encoder> make_slots12(std::shared_ptr<const LiarsDice> game);
std::shared_ptr<const Encoder> make_canonical24(std::shared_ptr<const Poker> game);
std::shared_ptr<const Encoder> make_canonical24(std::shared_ptr<const LiarsDice> game, std::string name);
std::shared_ptr<const Encoder> make_composition(std::shared_ptr<const Poker> game);
std::shared_ptr<const Encoder> make_buckets(std::shared_ptr<const Poker> game, std::shared_ptr<const HandBuckets> tables);
std::shared_ptr<const Encoder> make_table30(std::shared_ptr<const Poker> game);

}  // namespace regretless
