// SPDX-License-Identifier: MIT
// The features of canonical24, and besides what the cards are made of and make together: suits and pairs, straights and flushes
// that are there or may come, which board cards are paired, and what the hand is worth by now. For hands of four and five cards, of
// which a network finds this out slowly by itself; for others it works alike. In Omaha exactly two hole cards count. Of Liar's Dice
// the same as canonical24.
#include "games/hand_strengths.h"
#include "observe/betting_shares.h"
#include "observe/canonical_cards.h"
#include "observe/draws.h"
#include "observe/encoder.h"

namespace regretless {
namespace {

using Kind = Field::Kind;
constexpr int kNumPairings = 4, kStraightFacts = 6;
constexpr float kMostShare = 65535;

class Composition final : public EncoderOf<Poker> {
 public:
  explicit Composition(std::shared_ptr<const Poker> game)
      : EncoderOf(std::move(game), "composition"),
        cards_(game_->rules()),
        betting_(*game_),
        strengths_(*game_),
        draws_(game_->rules()),
        num_suits_(game_->rules().deck.num_suits),
        num_ranks_(game_->rules().deck.num_ranks),
        num_hole_(game_->hand_size()),
        num_board_(game_->num_board_cards()) {
    layout_.add({.name = "seat", .width = game_->num_players()});
    layout_.add({.name = "street", .width = game_->num_streets()});
    cards_.add_cards_and_ranks(layout_);
    add_fields();
    betting_.add_fields(layout_);
    layout_.finish();
  }

  void write(const PokerState& state, const PokerDeal& deal, Player actor, std::span<const Step> history,
             std::uint8_t* row) const override {
    const std::span<const Card> hole = game_->hole(deal, actor), board{state.board.data(), state.num_board};
    const CanonicalCards::Suits suits = cards_.suits(state, hole);
    const SeenRanks seen{ranks_of(hole, suits), ranks_of(board, suits), num_board_ - state.num_board};
    RowWriter out(row);
    out.mark(actor);
    out.mark(state.street);
    cards_.write(out, state, hole, suits);
    write_shape(out, seen);
    if (draws_.num_straights() > 0) {
      write_straights(out, seen);
      for (int s = 0; s < num_suits_; ++s) out.mark(draws_.flush(seen.hole.by_suit[s], seen.board.by_suit[s], seen.to_come));
    }
    write_pairing(out, seen);
    write_worth(out, state, deal, actor);
    betting_.write(out, state, actor, history);
  }

 private:
  void add_fields() {
    const int holes = num_hole_ + 1, boards = num_board_ + 1, straights = draws_.num_straights();
    const auto add_both = [&](int count, const char* first, int first_width, const char* second,
                              int second_width) {  // in one byte
      const int at = layout_.next_feature(), stride = first_width + second_width;
      layout_.add({.name = first, .count = count, .width = first_width, .stride = stride, .divisor = second_width});
      layout_.add_again({.name = second, .width = second_width}, at + first_width);
    };
    add_both(num_suits_, "hole cards of each suit", holes, "board cards of each suit", boards);
    add_both(1, "hole cards of the longest suit", holes, "of the second longest", holes);
    add_both(1, "hole cards alike", kNumPatterns, "board cards alike", kNumPatterns);
    add_both(1, "hole ranks one apart", num_hole_, "hole ranks two apart", num_hole_);
    if (straights > 0) {
      layout_.add({.name = "straights: two, three, four of their ranks held; made; one card away; open to two cards",
                   .kind = Kind::kBits,
                   .count = kStraightFacts * straights,
                   .stride = 1});
      layout_.add({.name = "ranks that make a straight", .kind = Kind::kBits, .count = num_ranks_, .stride = 1});
      layout_.add({.name = "cards that make a straight", .kind = Kind::kNumbers, .scale = 1.f / 32});
      layout_.add({.name = "flushes to come and made, by suit and higher cards that are missing",
                   .count = num_suits_,
                   .width = 2 * kNumNutOrders,
                   .stride = 2 * kNumNutOrders});
    }
    layout_.add(
        {.name = "hole cards that pair each board card", .count = num_board_, .width = kNumPairings, .stride = kNumPairings});
    layout_.add({.name = "hole cards above the board", .width = holes});
    layout_.add({.name = "made hand", .width = kNumCategories});
    layout_.add({.name = "strength", .kind = Kind::kNumbers, .width = 2, .scale = 1.f / kMostShare});
  }

  // suits by their new names
  Ranks ranks_of(std::span<const Card> cards, const CanonicalCards::Suits& suits) const {
    return {cards, [&](Card card) { return cards_.rank(card); }, [&](Card card) { return suits[cards_.suit(card)]; }};
  }

  // The number of ranks with another rank one above them, and with one two above; the ace is below the lowest, too.
  int neighbours(std::uint32_t ranks) const {
    const std::uint32_t low_ace = draws_.num_straights() == 0 ? 0 : ranks >> (num_ranks_ - 1);
    const std::uint32_t line = ranks << 1 | low_ace;
    return std::popcount(line & line >> 1) * num_hole_ + std::popcount(line & line >> 2);
  }

  void write_shape(RowWriter& out, const SeenRanks& seen) const {
    int longest = 0, second = 0;
    for (int s = 0; s < num_suits_; ++s) {
      const int held = std::popcount(seen.hole.by_suit[s]);
      second = std::max(second, std::min(longest, held));
      longest = std::max(longest, held);
      out.mark(held * (num_board_ + 1) + std::popcount(seen.board.by_suit[s]));
    }
    out.mark(longest * (num_hole_ + 1) + second);
    out.mark(seen.hole.pattern() * kNumPatterns + seen.board.pattern());
    out.mark(neighbours(seen.hole.once));
  }

  void write_straights(RowWriter& out, const SeenRanks& seen) const {
    const Draws::Straights found = draws_.straights(seen);
    int cards = 0;
    for (int s = 0; s < num_suits_; ++s) cards += std::popcount(found.next_ranks & ~(seen.hole.by_suit[s] | seen.board.by_suit[s]));
    const int straights = draws_.num_straights();
    const auto held = [&](int least) { return draws_.straights_with(seen.hole.once, least); };
    std::uint64_t facts = 0;
    for (const std::uint32_t fact : {draws_.straights_with(seen.board.once, 3), found.away, found.made, held(4), held(3), held(2)})
      facts = facts << straights | fact;
    out.bits(facts, kStraightFacts * straights);
    out.bits(found.next_ranks, num_ranks_);
    out.mark(cards);
  }

  void write_pairing(RowWriter& out, const SeenRanks& seen) const {
    const Ranks &hole = seen.hole, &board = seen.board;
    int written = 0;
    for (std::uint32_t left = board.once; left != 0;) {
      const int rank = std::bit_width(left) - 1;
      left ^= std::uint32_t{1} << rank;
      for (int i = 0; i < board.num_of(rank); ++i, ++written) out.mark(hole.num_of(rank));
    }
    out.no_marks(static_cast<std::size_t>(num_board_ - written));
    const int top = std::bit_width(board.once);
    int above = 0;
    for (const std::uint32_t suit : hole.by_suit) above += std::popcount(suit >> top);
    out.mark(written > 0 ? above : kNoMark);
  }

  void write_worth(RowWriter& out, const PokerState& state, const PokerDeal& deal, Player actor) const {
    const PokerRules& rules = game_->rules();
    const std::span<const Card> hole = game_->hole(deal, actor), board{state.board.data(), state.num_board};
    float share;
    if (strengths_.judges(state.num_board)) {
      const Strength worth = strength(rules.showdown, rules.deck, hole, board);
      out.mark(static_cast<int>(category(rules.showdown, worth)));
      share = strengths_.share(state.num_board, worth);
    } else {
      const bool is_pair =
          rules.showdown == Showdown::kPair && (ranks_of(hole, {0, 1, 2, 3}).once & ranks_of(board, {0, 1, 2, 3}).once) != 0;
      out.mark(is_pair ? static_cast<int>(Category::kPair) : kNoMark);
      share = strengths_(state, deal, actor);
    }
    out.number(static_cast<std::uint32_t>(share * kMostShare + 0.5f), 2);
  }

  CanonicalCards cards_;
  BettingShares betting_;
  HandStrengths<Poker> strengths_;
  Draws draws_;
  int num_suits_, num_ranks_, num_hole_, num_board_;
};

}  // namespace

std::shared_ptr<const Encoder> make_composition(std::shared_ptr<const Poker> game) {
  return std::make_shared<Composition>(std::move(game));
}

}  // namespace regretless
