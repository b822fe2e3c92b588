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

TEST(menu_offers_donks_before_the_last_aggressor) {
  const Betting betting = table();
  BetMenu menu = menu_of({"50%", "-"});
  menu.rows[0][1][kDonk] = {BetSize::parse("100%"), BetSize{}};
  menu.rows[0][2][kDonk] = {BetSize{}, BetSize{}};
  menu.add_all_in = 100;
  CHECK(menu.has_donks());
  CHECK(menu.texts(4)[0][1].size() == 4 && menu.texts(4)[0][3].size() == 3);
  PokerState state = flop(betting);
  CHECK_EQUAL(int{state.aggressor}, 1);
  check_offer(menu, betting, state, {600, 9'700});
  betting.act(state, kCall);
  check_offer(menu, betting, state, {300, 9'700});  // the aggressor himself
  betting.act(state, 300);
  betting.act(state, kCall);
  constexpr Card kTurn = 20, kRiver = 30;
  betting.reveal(state, &kTurn);
  check_offer(menu, betting, state, {0, 0});  // nothing is added where there are no donks
  betting.act(state, kCall);
  betting.act(state, kCall);
  betting.reveal(state, &kRiver);
  CHECK_EQUAL(int{state.aggressor}, int{kNoAggressor});  // nobody bet on the turn
}

TEST(public_features_tell_the_aggressor_where_a_menu_asks) {
  const PokerRules rules = no_limit_holdem(2, 50, 100, 10'000);
  BetMenu menu = menu_of({"50%"});
  const Poker plain(rules, menu);
  menu.rows[0][1][kDonk] = {BetSize{}};
  const Poker donks(rules, menu);
  CHECK_EQUAL(donks.num_public_features(), plain.num_public_features() + 2);
  const auto features = [](const Poker& game, bool big_blind_raises) {
    PokerState state = game.root();
    for (const Action action : big_blind_raises ? std::vector<Action>{kCall, 300, kCall} : std::vector<Action>{300, kCall})
      game.betting().act(state, action);
    game.reveal(state, std::uint32_t{0});
    std::vector<float> out(static_cast<std::size_t>(game.num_public_features()));
    game.encode_public(state, out);
    return out;
  };
  CHECK(features(plain, true) == features(plain, false));
  CHECK(features(donks, true) != features(donks, false));
}

TEST(menu_adds_all_in_where_it_is_small) {
  for (const double ratio : {16.1, 16.2}) {
    const Betting betting = table();
    BetMenu menu = menu_of({"50%", "-"});
    menu.add_all_in = ratio;  // 9,700 are 16.17 times the pot of 600
    check_offer(menu, betting, flop(betting), {300, ratio > 16.15 ? 9'700 : 0});
  }
  const Betting betting = table(700);
  PokerState state = flop(betting);  // 600 in the pot, 400 behind
  BetMenu menu = menu_of({"50%", "-"});
  menu.add_all_in = 0.6;
  check_offer(menu, betting, state, {300, 0});
  betting.act(state, 100);  // 300 more into 800
  check_offer(menu, betting, state, {0, 400});
  menu.rows[0][1][kRaise] = {BetSize::parse("min"), BetSize::parse("-")};
  check_offer(menu, betting, state, {200, 400});
}

TEST(menu_forces_all_in_what_leaves_little) {
  const Betting betting = table(1'000);
  const PokerState state = flop(betting);  // 600 in the pot, 700 behind
  BetMenu menu = menu_of({"50%", "80%", "-"});
  menu.force_all_in = 0.2;  // 300 leave 400 behind a pot of 1,200; 480 leave 220 behind 1,560
  check_offer(menu, betting, state, {300, 700, 0});
  menu.force_all_in = 0.34;
  check_offer(menu, betting, state, {700, 0, 0});
  menu.add_all_in = 2;
  check_offer(menu, betting, state, {0, 0, 700});
}

TEST(menu_merges_what_is_close) {
  const Betting betting = table();
  const PokerState state = flop(betting);
  BetMenu menu = menu_of({"40%", "45%", "50%", "100%", "1600%", "a"});
  menu.merge = 0.06;  // 36 chips: 270 goes, 240 stays; 9,600 is more than 36 from 9,700
  check_offer(menu, betting, state, {240, 0, 300, 600, 9'600, 9'700});
  menu.merge = 0.2;
  check_offer(menu, betting, state, {0, 0, 300, 600, 0, 9'700});
  menu.merge = 1e6;
  check_offer(menu, betting, state, {0, 0, 0, 0, 0, 9'700});
}

TEST(menu_in_pot_limit_is_never_forced_beyond_the_pot) {
  const Betting betting(omaha(2, 4));
  BetMenu menu = menu_of({"50%", "-"});
  menu.force_all_in = 1e6;
  menu.add_all_in = 1;
  const auto range = betting.raise_range(betting.root());
  check_offer(menu, betting, betting.root(), {0, range->max});
}

TEST(menu_may_leave_out_limping) {
  const auto may_call = [](const BetMenu& menu, const Betting& betting, const PokerState& state) {
    return (make_offer(menu, betting, state).legal >> kCallSlot & 1) != 0;
  };
  const Betting betting = table();
  BetMenu menu = menu_of({"2.5x", "a"});
  for (auto& street : menu.rows[0]) street.fill({BetSize::parse("50%"), BetSize::parse("a")});
  PokerState state = betting.root();
  CHECK(may_call(menu, betting, state));
  menu.limp = false;
  CHECK(!may_call(menu, betting, state));
  CHECK(make_offer(menu, betting, state).legal == 0b1101);
  CHECK(translate(menu, betting, state, kCall).low == kFirstRaiseSlot);     // the least raise
  CHECK(translate(menu, betting, state, 110 + 90).low == kFirstRaiseSlot);  // below 50%: no call to mix with
  betting.act(state, 300);
  CHECK(may_call(menu, betting, state));  // of a raise
  state = betting.root();
  betting.act(state, kCall);  // off the menu: then the big blind may check
  CHECK(may_call(menu, betting, state));
  CHECK(may_call(menu, betting, flop(betting)));
  menu.max_raises = 0;  // where nobody may raise, one may still call
  CHECK(may_call(menu, betting, betting.root()));
  menu.max_raises = kNoRaiseCap;
  CHECK(may_call(menu, table(100), table(100).root()));  // all-in
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
  menu.add_all_in = 1;  // there is no slot for it
  CHECK_THROWS(Poker(rules, menu));
  menu = menu_of({});
  menu.add_all_in = 1;
  CHECK_THROWS(Poker(rules, menu));
  for (double BetMenu::* ratio : {&BetMenu::add_all_in, &BetMenu::force_all_in, &BetMenu::merge})
    for (const double wrong : {-1., std::nan(""), 1e9}) {
      menu = menu_of({"50%", "a"});
      menu.*ratio = wrong;
      CHECK_THROWS(Poker(rules, menu));
    }
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
