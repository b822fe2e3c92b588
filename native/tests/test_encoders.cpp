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
      const Field& first = encoder->layout().fields()[0];
      CHECK_EQUAL(features[static_cast<std::size_t>(first.feature + row[0])], 1);
      if (!std::string_view(name).starts_with("table30")) CHECK_EQUAL(row[0], game->actor(state));
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

TEST(table30_keeps_within_rows_and_features) {
  for (const char* name : {"table30", "table30/seats"}) {
    check_rows(game_of(limit_holdem(6)), name);
    for (const int players : {2, 3, 6, 9}) {
      check_rows(game_of(no_limit_holdem(players, 1, 2, 100), {"min", "50%", "a"}), name);
      check_rows(game_of(no_limit_holdem(players, 1, 2, kMaxStack), {"min", "a"}), name);
    }
    PokerRules shallow = no_limit_holdem(9, 1, 2, 3);
    shallow.antes.fill(1);
    shallow.stacks = {1, 2, 3, 4, 5, 100, 7, 200, 9};
    check_rows(game_of(shallow), name);
    for (const PokerRules& rules : {no_limit_holdem(10, 1, 2, 100), omaha(2, 4), short_deck(3), leduc(), spot(5)})
      CHECK_THROWS(make_encoder(name, game_of(rules)));
    CHECK_THROWS(make_encoder(name, std::make_shared<const LiarsDice>(2, 3, 3)));
  }
}

TEST(bits_of_a_layout_are_numbers_of_their_width) {
  RowLayout layout;
  layout.add({.name = "first", .width = 2});
  layout.add({.name = "nibbles", .kind = Field::Kind::kBits, .count = 3, .width = 4, .stride = 1, .scale = 0.5f});
  layout.add({.name = "pairs", .kind = Field::Kind::kBits, .count = 5, .width = 2, .stride = 1});
  layout.add({.name = "bits", .kind = Field::Kind::kBits, .count = 2, .stride = 1, .scale = -1});
  layout.finish();
  CHECK_EQUAL(layout.row_bytes(), 6);
  const std::vector<std::uint8_t> row{1, 0xf2, 0x07, 0b11100100, 0b10, 0b10};
  std::vector<float> features(static_cast<std::size_t>(layout.num_features()));
  layout.expand(row.data(), features.data());
  CHECK(features == (std::vector<float>{0, 1, 1, 7.5f, 3.5f, 0, 1, 2, 3, 2, 0, -1}));
}

TEST(pot_shares_are_32_steps_a_pot_and_then_a_doubling) {
  CHECK_EQUAL(pot_share(0, 100), 0);
  CHECK_EQUAL(pot_share(50, 100), 16);
  CHECK_EQUAL(pot_share(100, 100), 32);
  CHECK_EQUAL(pot_share(200, 100), 64);
  CHECK_EQUAL(pot_share(400, 100), 96);
  CHECK_EQUAL(pot_share(12'600, 100), 255);
  CHECK_EQUAL(pot_share(kMaxStack, 1), 255);
  CHECK_EQUAL(pot_share(4'000'000'000, 8'000'000'000), 16);
  CHECK_EQUAL(pot_share(5, 0), 96 + 8);  // nothing in the pot counts as one chip
  for (Chips chips = 1; chips < 20'000; ++chips) CHECK(pot_share(chips, 100) >= pot_share(chips - 1, 100));
}
