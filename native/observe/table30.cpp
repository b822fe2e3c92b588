// SPDX-License-Identifier: MIT
// Hold'em tables of 2 to 9 players as features whose number and meaning do not depend on how many play: cards as they are,
// what a table and a hand are like in numbers, and the last 30 steps as records of who acted,
// counted from the actor, the slot that he chose and its share of the pot. There is no seat: the first hole card is always there.
#include "games/hand_strengths.h"
#include "games/pot_share.h"
#include "observe/draws.h"
#include "observe/encoder.h"
#include "observe/row_writer.h"

namespace regretless {
namespace {

using Kind = Field::Kind;
constexpr int kMaxSeats = 9, kMaxSteps = 30;
constexpr std::array<int, kMaxStreets> kBoardCards{0, 3, 1, 1};
static_assert(kMaxSlots < kNoMark);

std::shared_ptr<const Poker> require_holdem(std::shared_ptr<const Poker> game) {
  const PokerRules& rules = game->rules();
  if (rules.showdown != Showdown::kHoldem || rules.num_hole_cards != 2 || rules.num_streets != kMaxStreets ||
      rules.board_cards != kBoardCards)
    throw std::invalid_argument("encoder 'table30': needs hold'em with two hole cards and a board of 3, 1 and 1 of 52 cards");
  if (rules.num_players > kMaxSeats)
    throw std::invalid_argument("encoder 'table30': needs 2 to 9 players, not " + std::to_string(rules.num_players));
  return game;
}

constexpr int kStepsOfUnit = 64;        // of chips
constexpr float kUnitsAsOne = 100, kRaisesAsOne = 4;
constexpr Player kNobody = -1;

constexpr unsigned seat_bit(Player p) { return 1u << p; }

// In 1/64 units, rounded, at most what two bytes hold; the same for the same number of units whatever the unit.
std::uint32_t units(Chips chips, Chips unit) {
  const std::int64_t steps = (std::int64_t{chips} * 2 * kStepsOfUnit + unit) / (2 * std::int64_t{unit});
  return static_cast<std::uint32_t>(std::clamp<std::int64_t>(steps, 0, 65535));
}

// The chips of live opponents in all, and the most that one of them has in stack and bet together.
struct Opponents {
  Chips largest_stack = 0, smallest_stack = kMaxStack, largest_bet = 0, deepest = 0;
  std::int64_t stacks = 0, bets = 0, count = 0;

  Opponents(const PokerState& state, Player actor) {
    for (unsigned left = state.live & ~seat_bit(actor); left != 0; left &= left - 1) {
      const int p = std::countr_zero(left);
      const Chips stack = state.stacks[p], bet = state.bets[p];
      largest_stack = std::max(largest_stack, stack);
      smallest_stack = std::min(smallest_stack, stack);
      largest_bet = std::max(largest_bet, bet);
      deepest = std::max(deepest, stack + bet);
      stacks += stack;
      bets += bet;
      ++count;
    }
  }
};

// The cost of raises for the actor, who need not be the one to act.
RaiseRange raise_costs(const Betting& betting, const PokerState& state, Player actor) {
  std::optional<RaiseRange> range;
  if (state.actor == actor) {
    range = betting.raise_range(state);
  } else {
    PokerState own = state;
    own.actor = static_cast<std::int8_t>(actor);
    range = betting.raise_range(own);
  }

  return range ? RaiseRange{range->min - state.bets[actor], range->max - state.bets[actor]} : RaiseRange{0, 0};
}

// A hold'em table as 46 numbers that mean the same whatever the number of players and the level of the blinds: chips in units or as
// shares of the pot, seats counted from the actor or from the button, opponents as the largest, smallest and mean of them.
class TableState {
 public:
  explicit TableState(const Poker& game) : game_(game) {}
  void add_fields(RowLayout& layout) const {
    layout.add({.name = "street", .width = kMaxStreets});
    layout.add({.name = "pot, call, stack, effective stack, least and largest raise, chips put in: units",
                .kind = Kind::kNumbers,
                .count = 7,
                .width = 2,
                .stride = 1,
                .scale = 1.f / (kStepsOfUnit * kUnitsAsOne)});
    layout.add({.name = "pot odds", .kind = Kind::kNumbers, .scale = 1.f / 255});
    layout.add(
        {.name = "effective stack, then largest, smallest and mean stack, largest and mean bet of opponents: shares of the pot",
         .kind = Kind::kNumbers,
         .count = 6,
         .stride = 1,
         .scale = kPotShareScale});
    layout.add({.name = "players dealt, live, all-in and yet to act, seats to the button, seat of the last raise from the actor on",
                .kind = Kind::kBits,
                .count = 6,
                .width = 4,
                .stride = 1,
                .scale = 1.f / kMaxSeats});
    layout.add({.name = "raises on this street, then own raises, own calls, others' raises, others' calls by street",
                .kind = Kind::kBits,
                .count = 1 + 4 * kMaxStreets,
                .width = 4,
                .stride = 1,
                .scale = 1.f / kRaisesAsOne});
    layout.add({.name = "button, small blind, big blind, the last raise was the actor's, another's",
                .kind = Kind::kBits,
                .count = 5,
                .stride = 1});
  }

  void write(RowWriter& out, const PokerState& state, Player actor, std::span<const Step> history) const {
    enum : std::size_t { kOwnRaises = 1, kOwnCalls = 5, kRaises = 9, kCalls = 13 };
    std::array<int, 1 + 4 * kMaxStreets> deeds{state.num_raises};
    Player aggressor = kNobody;
    for (const Step& step : history) {
      const bool is_own = step.actor == actor;
      if (step.slot >= kFirstRaiseSlot) {
        ++deeds[(is_own ? kOwnRaises : kRaises) + step.street];
        aggressor = step.actor;
      } else if (step.slot == kCallSlot && step.share > 0) {  // a check costs nothing
        ++deeds[(is_own ? kOwnCalls : kCalls) + step.street];
      }
    }
    out.mark(state.street);
    write_chips(out, state, actor);
    write_seats(out, state, actor, aggressor);
    out.nibbles(deeds);
    const Player last = game_.num_players() - 1, small = last == 1 ? 1 : 0, big = 1 - small;
    const bool has_raised = aggressor == actor, was_raised = aggressor != kNobody && !has_raised;
    out.mark((actor == last) | (actor == small) << 1 | (actor == big) << 2 | has_raised << 3 | was_raised << 4);
  }

 private:
  void write_chips(RowWriter& out, const PokerState& state, Player actor) const {
    const Opponents others(state, actor);
    const Chips unit = game_.rules().unit, pot = game_.betting().pot(state), stack = state.stacks[actor];
    const Chips call = std::min(stack, state.high_bet - state.bets[actor]);
    const Chips effective = std::clamp(others.deepest - state.bets[actor], 0, stack);  // as much as another can match
    const RaiseRange raise = raise_costs(game_.betting(), state, actor);
    for (const Chips chips : {pot, call, stack, effective, raise.min, raise.max, state.paid[actor]})
      out.number(units(chips, unit), 2);
    const std::int64_t whole = std::max<std::int64_t>(std::int64_t{pot} + call, 1);
    out.mark(static_cast<int>((std::int64_t{call} * 510 + whole) / (2 * whole)));
    out.mark(pot_share(effective, pot));
    out.mark(pot_share(others.largest_stack, pot));
    out.mark(pot_share(others.smallest_stack, pot));
    out.mark(pot_share(others.stacks, pot * others.count));
    out.mark(pot_share(others.largest_bet, pot));
    out.mark(pot_share(others.bets, pot * others.count));
  }

  void write_seats(RowWriter& out, const PokerState& state, Player actor, Player aggressor) const {
    const int n = game_.num_players();
    int all_in = 0;
    for (unsigned left = state.live; left != 0; left &= left - 1) all_in += state.stacks[std::countr_zero(left)] == 0;
    const int live = std::popcount(state.live), to_act = std::popcount(state.to_act & ~seat_bit(actor));
    const int from_actor = aggressor == kNobody ? 0 : (aggressor - actor + n) % n;
    out.nibbles(std::array{n, live, all_in, to_act, n - 1 - actor, from_actor});
  }

  const Poker& game_;
};

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

// A hand of hold'em and the board as 52 numbers that do not change where suits are renamed or hole cards change places: what the
// hand beats, what it is called, ranks, what may come, and what the board is like.
class HandFacts {
 public:
  explicit HandFacts(const Poker& game) : game_(game), strengths_(game), draws_(game.rules()) {}
  void add_fields(RowLayout& layout) const {
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
    layout.add({.name =
                    "hole cards: pair, suited, one, two, three or four apart; pair the highest, second, a lower board card; pair "
                    "above, below the highest; three with a pair, with one; better than the board, the board; three to a flush, "
                    "to a straight; board: three of a suit, pair, two pairs, three alike",
                .kind = Kind::kBits,
                .count = kNumFacts,
                .stride = 1});
  }

  void write(RowWriter& out, const PokerState& state, const PokerDeal& deal, Player actor) const {
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

 private:
  struct Worth {
    Strength hand = 0, board = 0;  // of five cards at least
    int made = 0, shown = 0;       // categories of both; of fewer board cards by those that are alike
  };
  Worth worth(std::span<const Card> hole, std::span<const Card> board, const Ranks& shown) const {
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

  void write_numbers(RowWriter& out, const SeenRanks& seen) const {
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

  std::uint64_t bits(const SeenRanks& seen, const Worth& worth) const {
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
    const std::uint32_t with_three =
        draws_.straights_with(all, 3) & ~draws_.straights_with(all, 4) & draws_.straights_of_hole(seen);
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

  const Poker& game_;
  HandStrengths<Poker> strengths_;
  Draws draws_;
};

class Table30 final : public EncoderOf<Poker> {
 public:
  // Throws std::invalid_argument unless the game is hold'em with two hole cards, a board of 3, 1 and 1 and at most 9 players.
  explicit Table30(std::shared_ptr<const Poker> game)
      : EncoderOf(require_holdem(std::move(game)), "table30"), table_(*game_), hand_(*game_) {
    const int cards = kDeck52.num_cards(), slots = game_->num_actions();
    layout_.add({.name = "lower hole card", .width = cards});
    layout_.add({.name = "higher hole card", .width = cards});
    layout_.add({.name = "board", .count = kMaxBoardCards, .width = cards, .stride = cards});
    hole_bytes_ = {0, 1};
    board_bytes_ = {2, 3, 4, 5, 6};
    table_.add_fields(layout_);
    hand_.add_fields(layout_);
    const int first = layout_.next_feature(), width = 2 + slots;
    layout_.add({.name = "seat of the step, from the actor on",
                 .kind = Kind::kBits,
                 .count = kMaxSteps,
                 .width = 4,
                 .stride = width,
                 .scale = 1.f / kMaxSeats});
    layout_.add({.name = "slot of the step", .count = kMaxSteps, .width = slots, .stride = width}, first + 1);
    layout_.add({.name = "share of the pot of the step",
                 .kind = Kind::kNumbers,
                 .count = kMaxSteps,
                 .stride = width,
                 .scale = kPotShareScale},
                first + 1 + slots);
    layout_.finish();
  }

  void write(const PokerState& state, const PokerDeal& deal, Player actor, std::span<const Step> history,
             std::uint8_t* row) const override {
    RowWriter out(row);
    out.sorted_marks(game_->hole(deal, actor));
    for_each_street(game_->rules(), state, [&](std::span<const Card> cards) { out.sorted_marks(cards); });
    out.no_marks(static_cast<std::size_t>(kMaxBoardCards - state.num_board));
    table_.write(out, state, actor, history);
    hand_.write(out, state, deal, actor);
    write_history(out, actor, history);
  }

 private:
  void write_history(RowWriter& out, Player actor, std::span<const Step> history) const {
    if (history.size() > kMaxSteps) history = history.last(kMaxSteps);
    std::array<int, kMaxSteps> seats{};
    std::array<std::uint8_t, kMaxSteps> slots, shares{};
    slots.fill(kNoMark);
    for (std::size_t i = 0; i < history.size(); ++i) {
      const int seat = history[i].actor - actor;
      seats[i] = seat < 0 ? seat + game_->num_players() : seat;
      slots[i] = history[i].slot;
      shares[i] = history[i].share;
    }
    out.nibbles(seats);
    out.marks(slots);
    out.marks(shares);
  }

  TableState table_;
  HandFacts hand_;
};

}  // namespace

std::shared_ptr<const Encoder> make_table30(std::shared_ptr<const Poker> game) {
  return std::make_shared<Table30>(std::move(game));
}

}  // namespace regretless
