// SPDX-License-Identifier: MIT
#include "games/pot_share.h"
#include "observe/encoder.h"
#include "poker_tables.h"
#include "test.h"

using namespace regretless;
using namespace regretless::test;

namespace {

// Every row of some episodes is written within its bytes, and expanded within its features.
template <class G>
void check_rows(std::shared_ptr<const G> game, const char* name) {
  const auto encoder = make_encoder(name, game);
  const auto bytes = static_cast<std::size_t>(encoder->layout().row_bytes());
  const auto width = static_cast<std::size_t>(encoder->layout().num_features());
  for (std::uint64_t e = 0; e < 200; ++e) {
    Random random{e};
    const typename G::Deal deal = game->deal(random);
    typename G::State state = game->root();
    std::vector<Step> history;
    while (game->actor(state) != kTerminal) {
      if (game->actor(state) == kChance) {
        game->reveal(state, deal);
        continue;
      }
      std::vector<std::uint8_t> row(bytes);  // exactly as many: the sanitizer sees a byte beyond
      encoder->write(state, deal, game->actor(state), history, row.data());
      std::vector<float> features(width);
      encoder->layout().expand(row.data(), features.data());
      CHECK_EQUAL(features[static_cast<std::size_t>(game->actor(state))], 1);
      int slot;
      do slot = static_cast<int>(random.below(static_cast<std::uint32_t>(game->num_actions())));
      while ((game->legal(state) >> slot & 1) == 0);
      history.push_back(game->take(state, slot));
    }
  }
}

}  // namespace

TEST(encoders_keep_within_rows_and_features) {
  for (const char* name : {"slots12", "canonical24", "composition"}) {
    check_rows(game_of(kuhn()), name);
    check_rows(game_of(leduc()), name);
    check_rows(game_of(limit_holdem(6)), name);
    check_rows(game_of(no_limit_holdem(2, 1, 2, 100), {"min", "50%", "a"}), name);
    check_rows(game_of(no_limit_holdem(10, 1, 2, 100'000'000), {"min", "a"}), name);
    check_rows(game_of(omaha(6, 5)), name);
    check_rows(game_of(omaha(2, 4)), name);
    check_rows(game_of(short_deck(3)), name);
    check_rows(game_of(spot(5)), name);
    check_rows(std::make_shared<const LiarsDice>(2, 3, 3), name);
    check_rows(std::make_shared<const LiarsDice>(1, 20, 3), name);
  }
  CHECK_THROWS(make_encoder("slots13", game_of(kuhn())));
}

TEST(pot_shares_are_32_steps_a_pot_and_then_a_doubling) {
  CHECK_EQUAL(pot_share(0, 100), 0);
  CHECK_EQUAL(pot_share(50, 100), 16);
  CHECK_EQUAL(pot_share(100, 100), 32);
  CHECK_EQUAL(pot_share(200, 100), 64);
  CHECK_EQUAL(pot_share(400, 100), 96);
  CHECK_EQUAL(pot_share(12'600, 100), 255);
  CHECK_EQUAL(pot_share(kMaxStack, 1), 255);
  CHECK_EQUAL(pot_share(5, 0), 96 + 8);  // nothing in the pot counts as one chip
  for (Chips chips = 1; chips < 20'000; ++chips) CHECK(pot_share(chips, 100) >= pot_share(chips - 1, 100));
}
