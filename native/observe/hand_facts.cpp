// SPDX-License-Identifier: MIT
#include "observe/hand_facts.h"

namespace regretless {
namespace {

using Kind = Field::Kind;
constexpr int kNumPowers = 8, kNumFacts = 20;  // powers: one for each number of opponents
constexpr float kMostShare = 65535;
constexpr int kAce = 12, kNumRanks = 13;
constexpr std::uint32_t kAllRanks = (1u << kNumRanks) - 1;
constexpr std::array<Category, kNumPatterns> kPatternNames{Category::kHighCard, Category::kPair,      Category::kTwoPair,
                                                           Category::kTrips,    Category::kFullHouse, Category::kQuads};

Ranks ranks_of(std::span<const Card> cards) {
  return {cards, [](Card card) { return kDeck52.rank(card); }, [](Card card) { return kDeck52.suit(card); }};
}

// From 0, a pair, on; the ace is below the deuce, too.
int ranks_apart(std::uint32_t hole) {
  const int high = std::bit_width(hole) - 1, low = std::countr_zero(hole);
  return high == kAce ? std::min(high - low, low + 1) : high - low;
}

std::uint64_t in_order(std::initializer_list<bool> facts) {
  std::uint64_t bits = 0;
  int at = 0;
  for (const bool fact : facts) bits |= std::uint64_t{fact} << at++;
  return bits;
}

int longest_suit(const Ranks& ranks) {
  int longest = 0;
  for (const std::uint32_t suit : ranks.by_suit) longest = std::max(longest, std::popcount(suit));
  return longest;
}

}  // namespace

HandFacts::HandFacts(const Poker& game) : game_(game), strengths_(game), draws_(game.rules()) {}

void HandFacts::add_fields(RowLayout& layout) const {
  const auto add_numbers = [&](const char* name, int count, float scale) {
    layout.add({.name = name, .kind = Kind::kBits, .count = count, .width = 4, .stride = 1, .scale = scale});
  };
  layout.add({.name = "hand strength", .kind = Kind::kNumbers, .width = 2, .scale = 1.f / kMostShare});
  layout.add({.name = "hand strength to the power of 2 to 8 opponents",
              .kind = Kind::kNumbers,
              .count = kNumPowers - 1,
              .stride = 1,
              .scale = 1.f / 255});
  layout.add({.name = "made hand", .width = kNumCategories});
  layout.add({.name = "hand strength before the board", .kind = Kind::kNumbers, .scale = 1.f / 255});
  add_numbers("ranks: higher and lower hole card, kicker, highest and lowest board card", 5, 1.f / kNumRanks);
  add_numbers("cards that make a flush, a straight, either", 3, 1.f / 16);
  add_numbers(
      "hole cards above the board, order of the flush, longest suit and most ranks of a straight on the board, straights that "
      "others "
      "can hold, board ranks above the hole cards",
      6, 1.f / 5);
  layout.add({.name = "hole cards: pair, suited, one, two, three or four apart; pair the highest, second, a lower board card; pair "
                      "above, below the highest; three with a pair, with one; better than the board, the board; three to a flush, "
                      "to a straight; board: three of a suit, pair, two pairs, three alike",
              .kind = Kind::kBits,
              .count = kNumFacts,
              .stride = 1});
}

void HandFacts::write(RowWriter& out, const PokerState& state, const PokerDeal& deal, Player actor) const {
  const std::span<const Card> hole = game_.hole(deal, actor), board{state.board.data(), state.num_board};
  const SeenRanks seen{ranks_of(hole), ranks_of(board), kMaxBoardCards - state.num_board};
  const bool is_judged = strengths_.judges(state.num_board);
  const Worth found = is_judged ? worth(hole, board, seen.board) : Worth{};
  const float before = strengths_.before_board(hole), share = is_judged ? strengths_.share(state.num_board, found.hand) : before;
  out.number(static_cast<std::uint32_t>(share * kMostShare + 0.5f), 2);
  float power = share;
  for (int opponents = 2; opponents <= kNumPowers; ++opponents) out.mark(static_cast<int>((power *= share) * 255 + 0.5f));
  out.mark(is_judged ? found.made : kNoMark);
  out.mark(static_cast<int>(before * 255 + 0.5f));
  write_numbers(out, seen);
  out.bits(bits(seen, found), kNumFacts);
}

HandFacts::Worth HandFacts::worth(std::span<const Card> hole, std::span<const Card> board, const Ranks& shown) const {
  const auto name = [](Strength strength) { return static_cast<int>(category(Showdown::kHoldem, strength)); };
  Worth found;
  found.hand = strength(Showdown::kHoldem, kDeck52, hole, board);
  found.made = name(found.hand);
  found.shown = static_cast<int>(kPatternNames[static_cast<std::size_t>(shown.pattern())]);
  if (board.size() < kMaxBoardCards) return found;
  found.board = strength(Showdown::kHoldem, kDeck52, {}, board);
  found.shown = name(found.board);
  return found;
}

void HandFacts::write_numbers(RowWriter& out, const SeenRanks& seen) const {
  const std::uint32_t hole = seen.hole.once, board = seen.board.once;
  const int high = std::bit_width(hole), top = std::bit_width(board);  // ranks counted from 1
  const int kicker = seen.hole.twice != 0 ? 0 : std::bit_width(hole & ~board);
  const int bottom = board != 0 ? std::countr_zero(board) + 1 : 0;
  out.nibbles(std::array{high, std::countr_zero(hole) + 1, kicker, top, bottom});

  const std::uint32_t next = draws_.straights(seen).next_ranks;
  int flush_cards = 0, straight_cards = 0, cards = 0, order = 0, above = 0;
  for (std::size_t s = 0; s < 4; ++s) {
    const std::uint32_t held = seen.hole.by_suit[s], shown = seen.board.by_suit[s], unseen = kAllRanks & ~(held | shown);
    const int flush = draws_.flush(held, shown, seen.to_come);
    const std::uint32_t flush_ranks = flush < kNumNutOrders ? unseen : 0;
    if (flush != kNoMark) order = kNumNutOrders - flush % kNumNutOrders;  // of one suit at most
    flush_cards += std::popcount(flush_ranks);
    straight_cards += std::popcount(next & unseen);
    cards += std::popcount((next & unseen) | flush_ranks);
    above += board != 0 ? std::popcount(held >> top) : 0;
  }
  out.nibbles(std::array{flush_cards, straight_cards, cards});

  int most_ranks = 5;
  while (most_ranks > 0 && draws_.straights_with(board, most_ranks) == 0) --most_ranks;
  const int open = std::popcount(draws_.straights_with(board, 3));
  out.nibbles(std::array{above, order, longest_suit(seen.board), most_ranks, open, std::popcount(board >> high)});
}

std::uint64_t HandFacts::bits(const SeenRanks& seen, const Worth& worth) const {
  const std::uint32_t hole = seen.hole.once, board = seen.board.once, shared = hole & board, all = hole | board;
  const bool has_board = board != 0, is_pair = seen.hole.twice != 0, is_flop = seen.to_come == 2;
  const int apart = ranks_apart(hole), pattern = seen.board.pattern();
  const std::uint32_t top = std::bit_floor(board), second = std::bit_floor(board ^ top);
  bool is_suited = false, has_three_suited = false;
  for (std::size_t s = 0; s < 4; ++s) {
    const int held = std::popcount(seen.hole.by_suit[s]);
    is_suited |= held == 2;
    has_three_suited |= held > 0 && held + std::popcount(seen.board.by_suit[s]) == 3;
  }
  const std::uint32_t with_three = draws_.straights_with(all, 3) & ~draws_.straights_with(all, 4) & draws_.straights_of_hole(seen);
  return in_order({is_pair,
                   is_suited,
                   apart == 1,
                   apart == 2,
                   apart == 3 || apart == 4,
                   (shared & top) != 0,
                   (shared & second) != 0,
                   (shared & ~(top | second)) != 0,
                   has_board && is_pair && hole > top,
                   is_pair && hole < top,
                   (seen.hole.twice & board) != 0,
                   !is_pair && (hole & seen.board.twice) != 0,
                   worth.made > worth.shown,
                   worth.board != 0 && worth.hand == worth.board,
                   is_flop && has_three_suited,
                   is_flop && with_three != 0,
                   longest_suit(seen.board) >= 3,
                   pattern == 1,
                   pattern == 2,
                   pattern >= 3});
}

}  // namespace regretless
