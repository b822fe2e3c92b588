// SPDX-License-Identifier: MIT
#include "observe/encoder.h"

#include "observe/row_writer.h"

namespace regretless {
namespace {

constexpr std::string_view kAllSeats = "/seats";  // behind the name of another encoder

// An encoder of what all seats know at a decision: the rows of another encoder one after the other in the order of seats. It is for
// networks that value whole histories while others learn to play; no player may see it.
template <Game G>
class AllSeats final : public EncoderOf<G> {
 public:
  AllSeats(std::shared_ptr<const G> game, std::shared_ptr<const EncoderOf<G>> encoder)
      : EncoderOf<G>(std::move(game), encoder->name() + std::string(kAllSeats), encoder->version()), encoder_(std::move(encoder)) {
    this->buckets_ = encoder_->buckets();
    for (Player p = 0; p < this->game_->num_players(); ++p) {
      const int first = this->layout_.row_bytes();
      for (const int byte : encoder_->hole_bytes()) this->hole_bytes_.push_back(first + byte);
      for (const int byte : encoder_->board_bytes()) this->board_bytes_.push_back(first + byte);
      this->layout_.add_row(encoder_->layout());
    }
    this->layout_.finish();
  }

  void write(const typename G::State& state, const typename G::Deal& deal, Player, std::span<const Step> history,
             std::uint8_t* row) const override {
    for (Player p = 0; p < this->game_->num_players(); ++p, row += encoder_->layout().row_bytes())
      encoder_->write(state, deal, p, history, row);
  }

 private:
  std::shared_ptr<const EncoderOf<G>> encoder_;
};

// Which infoset it is, and nothing else: for games that say no more of what their players know. A network over it learns every
// infoset by itself.
class Infoset final : public EncoderOf<ExplicitGame> {
 public:
  explicit Infoset(std::shared_ptr<const ExplicitGame> game) : EncoderOf(std::move(game), "infoset") {
    if (game_->num_infosets() >= kNoWideMark)
      throw std::invalid_argument("encoder 'infoset': at most 65,534 infosets, not " + std::to_string(game_->num_infosets()));
    layout_.add({.name = "seat", .width = game_->num_players()});
    layout_.add({.name = "infoset", .kind = Field::Kind::kWideMarks, .width = game_->num_infosets()});
    layout_.finish();
  }

  void write(const ExplicitState& state, const ExplicitDeal&, Player actor, std::span<const Step>,
             std::uint8_t* row) const override {
    row[0] = static_cast<std::uint8_t>(actor);
    const int infoset = game_->infoset(state.node);
    row[1] = static_cast<std::uint8_t>(infoset);
    row[2] = static_cast<std::uint8_t>(infoset >> 8);
  }
};

[[noreturn]] void refuse(std::string_view name) { throw std::invalid_argument("no encoder is called '" + std::string(name) + "'"); }

std::shared_ptr<const Encoder> make(std::string_view name, std::shared_ptr<const ExplicitGame> game, const BucketTables&) {
  if (name != "infoset")
    throw std::invalid_argument("encoder '" + std::string(name) + "': a game written out in full has only 'infoset'");
  return std::make_shared<Infoset>(std::move(game));
}

std::shared_ptr<const Encoder> make(std::string_view name, std::shared_ptr<const LiarsDice> game, const BucketTables&) {
  if (name == "slots12") return make_slots12(std::move(game));
  if (name == "canonical24" || name == "composition") return make_canonical24(std::move(game), std::string(name));
  if (name == "buckets" || name == "table30")
    throw std::invalid_argument("encoder '" + std::string(name) + "': only poker has cards");
  refuse(name);
}

std::shared_ptr<const Encoder> make(std::string_view name, std::shared_ptr<const Poker> game, const BucketTables& buckets) {
  if (name == "slots12") return make_slots12(std::move(game));
  if (name == "canonical24") return make_canonical24(std::move(game));
  if (name == "composition") return make_composition(std::move(game));
  if (name == "table30") return make_table30(std::move(game));
  if (name != "buckets") refuse(name);
  if (buckets.size() != 1)
    throw std::invalid_argument("encoder 'buckets': needs the buckets of one abstraction, not of " +
                                std::to_string(buckets.size()));
  return make_buckets(std::move(game), buckets[0]);
}

}  // namespace

std::shared_ptr<const Encoder> make_encoder(std::string_view name, const AnyGame& any, const BucketTables& buckets) {
  return with_game(any, "encoders need episodes",
                   [&]<EpisodeGame G>(std::shared_ptr<const G> game) -> std::shared_ptr<const Encoder> {
                     if (std::is_same_v<G, ExplicitGame> || !name.ends_with(kAllSeats)) return make(name, std::move(game), buckets);
                     const auto of_one = make_encoder(name.substr(0, name.size() - kAllSeats.size()), game, buckets);
                     return std::make_shared<AllSeats<G>>(std::move(game), of_one);
                   });
}

}  // namespace regretless
