// SPDX-License-Identifier: MIT
#include "games/bet_menu.h"

#include <cmath>

#include "poker_tables.h"
#include "test.h"

using namespace regretless;
using namespace regretless::test;

namespace {

// A flop with 600 in the pot and 9,700 behind, seat 0 to act.
PokerState flop(const Betting& betting) {
  constexpr Card kCards[] = {0, 5, 10};
  PokerState state = betting.root();
  betting.act(state, 300);
  betting.act(state, kCall);
  betting.reveal(state, kCards);
  return state;
}

Betting table(Chips stack = 10'000) { return Betting(no_limit_holdem(2, 50, 100, stack)); }

void check_offer(const BetMenu& menu, const Betting& betting, const PokerState& state, std::initializer_list<Chips> raises) {
  const Offer offer = make_offer(menu, betting, state);
  int slot = kFirstRaiseSlot;
  for (const Chips to : raises) {  // 0: not offered
    CHECK_EQUAL(offer.legal >> slot & 1, to > 0 ? 1u : 0u);
    if (to > 0) CHECK_EQUAL(offer.actions[slot], to);
    if (to > 0) CHECK(betting.is_legal(state, to));
    ++slot;
  }
}

}  // namespace

TEST(bet_size_reads_what_it_writes) {
  for (const char* text : {"33%", "0.5%", "2.5x", "100c", "3u", "e", "2e", "3e200%", "e75%", "min", "a", "-"}) {
    CHECK(BetSize::parse(text).text() == text);
    CHECK(BetSize::parse(BetSize::parse(text).text()) == BetSize::parse(text));
  }
}

TEST(bet_size_refuses_what_is_none) {
  for (const char* text : {"", "33", "%", "0%", "-5%", "33%%", "1x", "5e", "0e", "1.5e", "e200", "inf%", "nan%", "nane", "1e9c"})
    CHECK_THROWS(BetSize::parse(text));
}

TEST(menu_offers_sizes_clamped_and_once) {
  const Betting betting = table();
  const PokerState state = flop(betting);
  check_offer(menu_of({"50%", "100%", "250c", "7u", "min", "a"}), betting, state, {300, 600, 250, 700, 100, 9'700});
  check_offer(menu_of({"1%", "2%", "2000%", "a"}), betting, state, {100, 0, 0, 9'700});
  check_offer(menu_of({"2000%", "3000%"}), betting, state, {9'700, 0});
  check_offer(menu_of({"-", "1e"}), betting, state, {0, 9'700});
  const double share = (std::sqrt((600 + 2 * 9'700) / 600.) - 1) / 2;
  check_offer(menu_of({"2e", "2e50%"}), betting, state, {static_cast<Chips>(std::round(600 * share)), 300});
}

TEST(menu_counts_raises) {
  const Betting betting = table();
  PokerState state = flop(betting);
  BetMenu menu = menu_of({"50%"});
  menu.max_raises = 1;
  menu.rows[0][1][kRaise] = {BetSize::parse("3x")};
  check_offer(menu, betting, state, {300});
  betting.act(state, 300);
  check_offer(menu, betting, state, {0});
  menu.max_raises = 2;
  check_offer(menu, betting, state, {900});
}

TEST(menu_is_checked_against_the_rules) {
  const PokerRules rules = no_limit_holdem(3, 50, 100, 10'000);
  CHECK_THROWS(Poker(rules, menu_of({"2x"})));  // nothing to multiply on a flop
  BetMenu menu = menu_of({"50%"});
  menu.rows.resize(2);
  CHECK_THROWS(Poker(rules, menu));
  menu = menu_of({"50%"});
  menu.slots.emplace_back("more");
  CHECK_THROWS(Poker(rules, menu));
  menu = menu_of({"50%"});
  menu.slots[1] = "check";
  CHECK_THROWS(Poker(rules, menu));
}

TEST(translation_is_pseudo_harmonic) {
  const Betting betting = table();
  const PokerState state = flop(betting);
  const BetMenu menu = menu_of({"50%", "100%"});
  const double marks[] = {0, 0.5, 1};
  double last = 1;
  for (Chips bet = 100; bet <= 700; ++bet) {
    const Translation t = translate(menu, betting, state, bet);
    if (bet == 300 || bet >= 600) {
      CHECK_EQUAL(t.low, t.high);
      CHECK_EQUAL(t.low, bet == 300 ? 2 : 3);
      CHECK_EQUAL(t.low_probability, 1);
      last = 1;
      continue;
    }
    const double a = marks[t.low - 1], b = marks[t.high - 1], x = bet / 600.;
    CHECK(a < x && x < b);
    CHECK(std::abs(t.low_probability - (b - x) * (1 + a) / ((b - a) * (1 + x))) < 1e-12);
    CHECK(t.low_probability < last && t.low_probability > 0);
    last = t.low_probability;
  }
}
