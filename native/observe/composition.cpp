// SPDX-License-Identifier: MIT
#include "observe/composition.h"

#include <bit>

#include "observe/row_writer.h"

namespace regretless {
namespace {

using Kind = Field::Kind;
constexpr int kNumPatterns = 6, kNumNutOrders = 4, kNumPairings = 4, kStraightFacts = 6;
constexpr float kMostShare = 65535;

std::vector<std::uint32_t> straight_windows(const PokerRules& rules) {
  if (rules.showdown == Showdown::kPair) return {};
  const int ranks = rules.deck.num_ranks;
  std::vector<std::uint32_t> windows{std::uint32_t{1} << (ranks - 1) | 0xf};  // the ace below the lowest rank
  for (int low = 0; low + 5 <= ranks; ++low) windows.push_back(std::uint32_t{0x1f} << low);
  return windows;
}

// Straights of which a set has at least so many ranks, from what window_ranks says of it.
constexpr std::uint32_t at_least(std::uint64_t windows, int ranks) {
  return static_cast<std::uint32_t>(windows >> (10 * (ranks - 1)) & 0x3ff);
}

std::vector<std::uint64_t> window_ranks(const std::vector<std::uint32_t>& windows, int num_ranks) {
  std::vector<std::uint64_t> table(windows.empty() ? 0 : std::size_t{1} << num_ranks);
  for (std::size_t set = 0; set < table.size(); ++set)
    for (std::size_t w = 0; w < windows.size(); ++w)
      for (int ranks = std::popcount(set & windows[w]); ranks > 0; --ranks)
        table[set] |= std::uint64_t{1} << (10 * (ranks - 1) + w);
  return table;
}

// No two alike, a pair, two pairs, three alike, three and a pair, four alike.
template <class Ranks>
int pattern(const Ranks& ranks) {
  const bool has_more = (ranks.twice & (ranks.twice - 1)) != 0;
  if (ranks.all_four != 0) return 5;
  if (ranks.thrice != 0) return has_more ? 4 : 3;
  return has_more ? 2 : ranks.twice != 0 ? 1 : 0;
}

}  // namespace

Composition<Poker>::Composition(std::shared_ptr<const Poker> game)
    : EncoderOf(std::move(game)),
      cards_(game_->rules()),
      betting_(*game_),
      strengths_(*game_),
      windows_(straight_windows(game_->rules())),
      window_ranks_(window_ranks(windows_, game_->rules().deck.num_ranks)),
      is_omaha_(game_->rules().showdown == Showdown::kOmaha),
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

void Composition<Poker>::add_fields() {
  const int holes = num_hole_ + 1, boards = num_board_ + 1, windows = static_cast<int>(windows_.size());
  const auto add_both = [&](int count, const char* first, int first_width, const char* second, int second_width) {  // in one byte
    const int at = layout_.next_feature(), stride = first_width + second_width;
    layout_.add({.name = first, .count = count, .width = first_width, .stride = stride, .divisor = second_width});
    layout_.add_again({.name = second, .width = second_width}, at + first_width);
  };
  add_both(num_suits_, "hole cards of each suit", holes, "board cards of each suit", boards);
  add_both(1, "hole cards of the longest suit", holes, "of the second longest", holes);
  add_both(1, "hole cards alike", kNumPatterns, "board cards alike", kNumPatterns);
  add_both(1, "hole ranks one apart", num_hole_, "hole ranks two apart", num_hole_);
  if (windows > 0) {
    layout_.add({.name = "straights: two, three, four of their ranks held; made; one card away; open to two cards",
                 .kind = Kind::kBits,
                 .count = kStraightFacts * windows,
                 .stride = 1});
    layout_.add({.name = "ranks that make a straight", .kind = Kind::kBits, .count = num_ranks_, .stride = 1});
    layout_.add({.name = "cards that make a straight", .kind = Kind::kNumbers, .scale = 1.f / 32});
    layout_.add({.name = "flushes to come and made, by suit and higher cards that are missing",
                 .count = num_suits_,
                 .width = 2 * kNumNutOrders,
                 .stride = 2 * kNumNutOrders});
  }
  layout_.add({.name = "hole cards that pair each board card", .count = num_board_, .width = kNumPairings, .stride = kNumPairings});
  layout_.add({.name = "hole cards above the board", .width = holes});
  layout_.add({.name = "made hand", .width = kNumCategories});
  layout_.add({.name = "strength", .kind = Kind::kNumbers, .width = 2, .scale = 1.f / kMostShare});
}

Composition<Poker>::Ranks Composition<Poker>::ranks_of(std::span<const Card> cards, const CanonicalCards::Suits& suits) const {
  Ranks ranks;
  for (const Card card : cards) ranks.by_suit[suits[cards_.suit(card)]] |= std::uint32_t{1} << cards_.rank(card);
  for (const std::uint32_t suit : ranks.by_suit) {
    ranks.all_four |= ranks.thrice & suit;
    ranks.thrice |= ranks.twice & suit;
    ranks.twice |= ranks.once & suit;
    ranks.once |= suit;
  }
  return ranks;
}

void Composition<Poker>::write(const PokerState& state, const PokerDeal& deal, Player actor, std::span<const Step> history,
                               std::uint8_t* row) const {
  const std::span<const Card> hole = game_->hole(deal, actor), board{state.board.data(), state.num_board};
  const CanonicalCards::Suits suits = cards_.suits(state, hole);
  const Seen seen{ranks_of(hole, suits), ranks_of(board, suits), num_board_ - state.num_board};
  RowWriter out(row);
  out.mark(actor);
  out.mark(state.street);
  cards_.write(out, state, hole, suits);
  write_shape(out, seen);
  if (!windows_.empty()) {
    write_straights(out, seen);
    for (int s = 0; s < num_suits_; ++s) out.mark(flush(seen.hole.by_suit[s], seen.board.by_suit[s], seen.to_come));
  }
  write_pairing(out, seen);
  write_worth(out, state, deal, actor);
  betting_.write(out, state, actor, history);
}

void Composition<Poker>::write_shape(RowWriter& out, const Seen& seen) const {
  int longest = 0, second = 0;
  for (int s = 0; s < num_suits_; ++s) {
    const int held = std::popcount(seen.hole.by_suit[s]);
    second = std::max(second, std::min(longest, held));
    longest = std::max(longest, held);
    out.mark(held * (num_board_ + 1) + std::popcount(seen.board.by_suit[s]));
  }
  out.mark(longest * (num_hole_ + 1) + second);
  out.mark(pattern(seen.hole) * kNumPatterns + pattern(seen.board));
  out.mark(neighbours(seen.hole.once));
}

// How many ranks have another one above them, and how many one that is two above; the ace is below the lowest, too.
int Composition<Poker>::neighbours(std::uint32_t ranks) const {
  const std::uint32_t low_ace = windows_.empty() ? 0 : ranks >> (num_ranks_ - 1);
  const std::uint32_t line = ranks << 1 | low_ace;
  return std::popcount(line & line >> 1) * num_hole_ + std::popcount(line & line >> 2);
}

void Composition<Poker>::write_straights(RowWriter& out, const Seen& seen) const {
  const std::uint32_t hole = seen.hole.once, board = seen.board.once, either = hole | board;
  const std::uint64_t held = window_ranks_[hole], shown = window_ranks_[board], both = window_ranks_[either];
  const std::uint32_t has_hole = is_omaha_ ? at_least(held, 2) : at_least(window_ranks_[hole & ~board], 1);
  const std::uint32_t made = has_hole & at_least(both, 5) & (is_omaha_ ? at_least(shown, 3) : ~0u);
  const std::uint32_t may_come = seen.to_come > 0 ? (is_omaha_ ? at_least(shown, 2) : ~0u) : 0;
  const std::uint32_t away = has_hole & ~made & at_least(both, 4) & may_come;
  std::uint32_t next = 0;  // ranks that the next card may have
  for (std::uint32_t left = away; left != 0; left &= left - 1) {
    const std::uint32_t window = windows_[static_cast<std::size_t>(std::countr_zero(left))], missing = window & ~either;
    next |= missing != 0 ? missing : window & ~board;
  }
  int cards = 0;
  for (int s = 0; s < num_suits_; ++s) cards += std::popcount(next & ~(seen.hole.by_suit[s] | seen.board.by_suit[s]));
  const int windows = static_cast<int>(windows_.size());
  std::uint64_t facts = 0;
  for (const std::uint32_t fact : {at_least(shown, 3), away, made, at_least(held, 4), at_least(held, 3), at_least(held, 2)})
    facts = facts << windows | fact;
  out.bits(facts, kStraightFacts * windows);
  out.bits(next, num_ranks_);
  out.mark(cards);
}

// Of one suit: no mark, or how many cards higher than the best hole card nobody has shown (3 and more are one), after those of a
// draw the same of a made flush.
int Composition<Poker>::flush(std::uint32_t hole, std::uint32_t board, int to_come) const {
  const int held = std::popcount(hole), shown = std::popcount(board);
  const bool has_hole = held >= (is_omaha_ ? 2 : 1);
  const int cards = is_omaha_ ? 2 + shown : held + shown;
  if (!has_hole || cards < 4 || (cards == 4 && to_come == 0)) return kNoMark;
  const std::uint32_t unseen = ((std::uint32_t{1} << num_ranks_) - 1) & ~(hole | board);
  const int higher = std::popcount(unseen >> std::bit_width(hole));
  return (cards > 4 ? kNumNutOrders : 0) + std::min(higher, kNumNutOrders - 1);
}

void Composition<Poker>::write_pairing(RowWriter& out, const Seen& seen) const {
  const Ranks &hole = seen.hole, &board = seen.board;
  int written = 0;
  for (std::uint32_t left = board.once; left != 0;) {
    const int rank = std::bit_width(left) - 1;
    left ^= std::uint32_t{1} << rank;
    const int times = board.num_of(rank) + static_cast<int>(board.all_four >> rank & 1);
    for (int i = 0; i < times; ++i, ++written) out.mark(hole.num_of(rank));
  }
  out.no_marks(static_cast<std::size_t>(num_board_ - written));
  const int top = std::bit_width(board.once);
  int above = 0;
  for (const std::uint32_t suit : hole.by_suit) above += std::popcount(suit >> top);
  out.mark(written > 0 ? above : kNoMark);
}

void Composition<Poker>::write_worth(RowWriter& out, const PokerState& state, const PokerDeal& deal, Player actor) const {
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

}  // namespace regretless
