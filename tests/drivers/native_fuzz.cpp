// SPDX-License-Identifier: MIT
// Strange input for all of the core that takes text, numbers or arrays from outside, without Python; libFuzzer changes the bytes
// (make fuzz-native). The first byte names the reader, the others are what it reads: choices among sound values, with wild ones
// now and then, so that most inputs come far. A reader either takes its input, and then what it says must fit together, or it
// throws what Python shows as one line. Anything else ends the process: a failed promise, a sanitizer, another exception.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <limits>
#include <numeric>

#include "../../native/tests/poker_tables.h"
#include "buffers/row_buffer.h"
#include "cards/canonical.h"
#include "cards/equity.h"
#include "cards/kmeans.h"
#include "games/deal_pool.h"
#include "jobs/self_play.h"
#include "jobs/subgames.h"
#include "jobs/traversals.h"
#include "solve/explicit_cfr.h"
#include "solve/fictitious_play.h"
#include "solve/mccfr.h"
#include "solve/vector_solver.h"

namespace regretless {
namespace {

#define PROMISE(condition)                                                                 \
  do {                                                                                     \
    if (!(condition)) {                                                                    \
      std::fprintf(stderr, "%s:%d: broken promise: %s\n", __FILE__, __LINE__, #condition); \
      std::abort();                                                                        \
    }                                                                                      \
  } while (false)

constexpr int kMostValues = 4000;  // of a list

// What is left of an input; zeros after its end.
class Input {
 public:
  Input(const std::uint8_t* data, std::size_t size) : at_(data), end_(data + size) {}

  bool is_over() const { return at_ == end_; }
  std::uint8_t byte() { return at_ == end_ ? 0 : *at_++; }
  int below(int bound) { return byte() % bound; }
  bool one_in(int count) { return byte() % count == 1; }

  template <class T>
  T raw() {
    std::array<std::uint8_t, sizeof(T)> bytes;
    for (std::uint8_t& each : bytes) each = byte();
    T value;
    std::memcpy(&value, bytes.data(), sizeof value);
    return value;
  }

  template <class T, std::size_t N>
  T pick(const std::array<T, N>& values) {
    return values[byte() % N];
  }

  // A small number, seldom any.
  int number(int least, int most) { return one_in(32) ? raw<std::int32_t>() : least + below(most - least + 1); }

  double real() {
    const int kind = byte();
    if (kind < 200) return kind / 100.0;
    if (kind < 230) return 200 - kind;
    return kind < 240 ? raw<double>()
                      : pick<double, 8>({0, -0.0, 1e300, -1e300, 1e-310, std::numeric_limits<double>::quiet_NaN(),
                                         std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()});
  }
  // A number from 0 to 1, seldom any.
  double share() { return one_in(64) ? real() : byte() / 255.0; }

  template <class Make>
  auto list(int size, Make make) {
    std::vector<decltype(make())> values;
    for (int i = 0; i < std::min(size, kMostValues); ++i) values.push_back(make());
    return values;
  }
  std::vector<int> cards(int most) {
    return list(below(most + 1), [&] { return one_in(16) ? number(-1, 60) : below(52); });
  }

 private:
  const std::uint8_t *at_, *end_;
};

// Calls act; whether it was not refused.
template <class Act>
bool is_taken(Act act) {
  try {
    act();
  } catch (const std::invalid_argument&) {
    return false;
  } catch (const std::length_error&) {
    return false;
  }
  return true;
}

// Games.

std::string size_text(Input& input) {
  if (input.one_in(6)) {
    std::string text;
    for (int left = input.below(12); left > 0; --left)
      text += static_cast<char>(input.one_in(8) ? input.byte() : "0123456789.%xcuemina-+"[input.below(22)]);
    return text;
  }
  return input.pick<const char*, 12>({"33%", "75%", "150%", "2.5x", "min", "a", "-", "e", "2e", "3e200%", "100c", "2.5u"});
}

BetMenu read_menu(Input& input, const PokerRules& rules) {
  BetMenu menu;
  menu.name = "fuzz";
  menu.slots = {"fold", "call"};
  const int raises = input.one_in(16) ? input.below(40) : 1 + input.below(3);
  for (int i = 0; i < raises; ++i) menu.slots.push_back(std::to_string(i));
  const auto row = [&] { return input.list(input.one_in(32) ? input.below(4) : raises, [&] { return size_text(input); }); };
  const auto street = [&] { return input.list(input.one_in(8) ? 4 : 3, row); };
  const auto seat = [&] { return input.list(input.one_in(32) ? input.below(6) : rules.num_streets, street); };
  const int seats = input.one_in(8) ? rules.num_players : input.one_in(32) ? input.below(12) : 1;
  menu.set_rows(input.list(std::clamp(seats, 0, 12), seat));
  if (input.one_in(4)) menu.max_raises = input.number(0, 5);
  if (input.one_in(4)) menu.add_all_in = input.real();
  if (input.one_in(4)) menu.force_all_in = input.real();
  if (input.one_in(4)) menu.merge = input.real();
  menu.limp = !input.one_in(8);
  return menu;
}

void change_rules(Input& input, PokerRules& rules) {
  const auto any = [&](auto& values, int least, int most) {
    values[static_cast<std::size_t>(input.below(static_cast<int>(values.size())))] = input.number(least, most);
  };
  switch (input.below(16)) {
    case 0: any(rules.stacks, 1, 250); break;
    case 1: any(rules.blinds, 0, 10); break;
    case 2: any(rules.antes, 0, 10); break;
    case 3: any(rules.bets, 0, 20); break;
    case 4: any(rules.max_raises, 0, 5); break;
    case 5: any(rules.first_actors, 0, 9); break;
    case 6: any(rules.board_cards, 0, 5); break;
    case 7: rules.num_players = input.number(1, 11); break;
    case 8: rules.num_streets = input.number(0, 5); break;
    case 9: rules.num_hole_cards = input.number(0, 6); break;
    case 10: rules.limit = static_cast<Limit>(input.below(3)); break;
    case 11: rules.rake = {input.real(), input.number(0, 20), input.one_in(2)}; break;
    case 12: rules.showdown = static_cast<Showdown>(input.below(4)); break;
    case 13: rules.unit = input.number(0, 10); break;
    case 14: rules.deck = {static_cast<std::uint8_t>(1 + input.below(13)), static_cast<std::uint8_t>(1 + input.below(4)), 0}; break;
    default: std::ranges::fill(rules.stacks, input.number(1, 1000)); break;
  }
}

PokerRules read_rules(Input& input) {
  const int players = 2 + input.below(8);
  PokerRules rules;
  switch (input.below(8)) {
    case 0: rules = test::limit_holdem(players); break;
    case 1: rules = test::omaha(players, 4 + input.below(2)); break;
    case 2: rules = test::short_deck(players); break;
    case 3: rules = test::kuhn(); break;
    case 4: rules = test::leduc(); break;
    case 5: rules = test::spot(3 + input.below(3)); break;
    default: rules = test::no_limit_holdem(players, 1, 2, 20 + input.byte());
  }
  for (int changes = input.below(8); changes > 0; --changes) change_rules(input, rules);
  return rules;
}

PokerStart read_start(Input& input, const PokerRules& rules) {
  PokerStart start;
  if (!input.one_in(8)) return start;
  start.board = input.cards(6);
  start.aggressor = input.number(-1, 3);
  if (input.one_in(3) && rules.num_players == 2 && rules.num_hole_cards >= 0 && rules.num_hole_cards <= 2) {
    const int hands = static_cast<int>(choose(rules.deck.num_cards(), rules.num_hole_cards));
    start.weights = input.list(2, [&] { return input.list(hands, [&] { return input.is_over() ? 1.0 : input.share(); }); });
  }
  return start;
}

// A game of the few that jobs are given: small ones, so that an input takes no time.
AnyGame small_game(Input& input) {
  static const std::array<AnyGame, 6> games{
      test::game_of(test::kuhn()),
      test::game_of(test::leduc()),
      test::game_of(test::no_limit_holdem(3, 1, 2, 12), {"50%", "a"}),
      test::game_of(test::spot(5), {"50%", "a"}),
      std::make_shared<const LiarsDice>(1, 3, 2),
      std::make_shared<const LiarsDice>(1, 2, 3),
  };
  return input.pick(games);
}

// Poker: rules, menus, episodes and encoders.

bool same(const PokerState& a, const PokerState& b) {
  return a.stacks == b.stacks && a.bets == b.bets && a.paid == b.paid && a.actor == b.actor && a.street == b.street &&
         a.num_board == b.num_board && a.key == b.key && a.live == b.live && a.to_act == b.to_act && a.high_bet == b.high_bet;
}

void check_chips(const Poker& game, const PokerState& state) {
  std::int64_t behind = 0, paid = 0, begun = 0;
  for (int p = 0; p < game.num_players(); ++p) {
    const auto seat = static_cast<std::size_t>(p);
    PROMISE(state.stacks[seat] >= 0 && state.bets[seat] >= 0 && state.bets[seat] <= state.paid[seat]);
    behind += state.stacks[seat];
    paid += state.paid[seat];
    begun += game.rules().stacks[seat];
  }
  PROMISE(behind + paid == begun);
  PROMISE(game.betting().pot(state) == paid);
}

void check_decision(const Poker& game, const PokerState& state) {
  const Betting& betting = game.betting();
  PROMISE(state.actor < game.num_players() && (state.live >> state.actor & 1) != 0 &&
          state.stacks[static_cast<std::size_t>(state.actor)] > 0);
  PROMISE(betting.is_legal(state, kCall) && betting.is_legal(state, kFold) == betting.can_fold(state));
  const Offer offer = game.offer(state);
  PROMISE(offer.legal != 0 && offer.legal >> game.num_actions() == 0);
  for (int slot = 0; slot < game.num_actions(); ++slot) {
    if ((offer.legal >> slot & 1) == 0) continue;
    const Action action = offer.actions[static_cast<std::size_t>(slot)];
    PROMISE(betting.is_legal(state, action));
    PROMISE(!game.slot_text(state, slot).empty());
    const Translation found = translate(game.menu(), betting, state, action);
    PROMISE(found.low_probability >= 0 && found.low_probability <= 1);
    PROMISE((offer.legal >> found.low & 1) != 0 && (offer.legal >> found.high & 1) != 0);
  }
  if (const auto range = betting.raise_range(state)) PROMISE(0 < range->min && range->min <= range->max);
}

void check_end(const PokerEpisode& episode) {
  const Poker& game = episode.game();
  std::vector<Chips> payoffs;
  if (!is_taken([&] { payoffs = episode.payoffs(); })) return;  // cards are not known
  std::int64_t sum = 0;
  for (int p = 0; p < game.num_players(); ++p) {
    sum += payoffs[static_cast<std::size_t>(p)];
    PROMISE(payoffs[static_cast<std::size_t>(p)] >= -episode.state().paid[static_cast<std::size_t>(p)]);
  }
  const double most = game.rules().rake.fraction * game.betting().pot(episode.state());
  PROMISE(sum <= 0 && static_cast<double>(-sum) <= most + 1);
}

void step(Input& input, PokerEpisode& episode) {
  const PokerState before = episode.state();
  const auto range = before.actor >= 0 ? episode.game().betting().raise_range(before) : std::nullopt;
  const bool done = is_taken([&] {
    switch (input.below(10)) {
      case 0: episode.act(input.number(-2, 40)); break;
      case 1: episode.act(kFold); break;
      case 2:
      case 3: episode.act(range ? range->min + input.byte() % std::max(1, range->max - range->min + 1) : kCall); break;
      case 4: episode.choose(input.number(-1, 6)); break;
      case 5: episode.choose(kFirstRaiseSlot); break;
      case 6: episode.deal_board(input.cards(5)); break;
      case 7: episode.deal_hole(input.one_in(8) ? input.number(-1, 11) : 0, input.cards(5)); break;
      default: episode.act(kCall);
    }
  });
  if (!done) PROMISE(same(before, episode.state()));
}

void check_row(const EncoderOf<Poker>& encoder, const PokerEpisode& episode) {
  if (!episode.is_known(episode.actor())) return;
  PROMISE(!episode.infoset_text().empty());
  std::vector<Step> history;
  if (!is_taken([&] { history = episode.history(); })) return;
  std::vector<std::uint8_t> row(static_cast<std::size_t>(encoder.layout().row_bytes()));
  std::vector<float> features(static_cast<std::size_t>(encoder.layout().num_features()));
  encoder.write(episode.state(), episode.deal(), episode.actor(), history, row.data());
  encoder.layout().expand(row.data(), features.data());
  for (const float each : features) PROMISE(std::isfinite(each));
  for (std::uint8_t& each : row) each = static_cast<std::uint8_t>(each * 167 + 13);  // any row is expanded that has a first mark
  if (row[static_cast<std::size_t>(encoder.layout().fields()[0].byte)] != kNoMark)
    encoder.layout().expand(row.data(), features.data());
}

void play_poker(Input& input) {
  std::shared_ptr<const Poker> game;
  const PokerRules rules = read_rules(input);
  if (!is_taken([&] { game = std::make_shared<Poker>(rules, read_menu(input, rules), read_start(input, rules)); })) return;
  std::shared_ptr<const EncoderOf<Poker>> encoder;
  const char* name = input.pick<const char*, 4>({"slots12", "canonical24", "composition", "table30"});
  (void)is_taken([&] { encoder = make_encoder<Poker>(name, game); });
  std::optional<PokerEpisode> episode;
  const bool is_given = input.one_in(4);
  const bool is_begun = is_taken([&] {
    if (is_given)
      episode.emplace(game, input.list(input.below(10), [&] { return input.cards(5); }), input.cards(5));
    else
      episode.emplace(game, input.byte(), 0);
  });
  if (!is_begun) return;
  for (int steps = 0; steps < 60 && !input.is_over() && episode->actor() != kTerminal; ++steps) {
    check_chips(*game, episode->state());
    if (episode->actor() >= 0) {
      check_decision(*game, episode->state());
      if (encoder) check_row(*encoder, *episode);
    }
    step(input, *episode);
  }
  check_chips(*game, episode->state());
  if (episode->actor() == kTerminal) check_end(*episode);
}

void read_bet_size(Input& input) {
  std::string text;
  while (!input.is_over()) text += static_cast<char>(input.byte());
  BetSize size;
  if (is_taken([&] { size = BetSize::parse(text); })) PROMISE(BetSize::parse(size.text()) == size);
}

// Games written out in full.

struct Tree {
  int players = 2;
  std::vector<std::int8_t> actors, infoset_actors;
  std::vector<std::int32_t> parents, first_children, num_children, infosets, terminals, infoset_num_actions;
  std::vector<double> chance_probabilities, payoffs;

  ExplicitTree view() const {
    return {players,  actors,    parents, first_children, num_children,       chance_probabilities,
            infosets, terminals, payoffs, infoset_actors, infoset_num_actions};
  }
};

// A tree of up to some 40 nodes; nodes of one depth, actor and width may share an infoset.
Tree read_tree(Input& input) {
  Tree tree;
  tree.players = 1 + input.below(3);
  std::vector<int> depths{0};
  std::deque<std::pair<std::int32_t, double>> open{{-1, 1.0}};
  std::int32_t terminals = 0;
  for (std::int32_t n = 0, next = 1; !open.empty(); ++n) {
    tree.parents.push_back(open.front().first);
    tree.chance_probabilities.push_back(open.front().second);
    open.pop_front();
    const int depth = depths[static_cast<std::size_t>(n)];
    const int width = next < 40 && depth < 5 ? input.below(4) : 0;
    const int actor = width == 0 ? kTerminal : input.below(tree.players + 1) - 1;
    tree.actors.push_back(static_cast<std::int8_t>(actor));
    tree.first_children.push_back(next);
    tree.num_children.push_back(width);
    tree.terminals.push_back(width == 0 ? terminals++ : -1);
    std::int32_t infoset = -1;
    if (actor >= 0) {
      for (std::int32_t m = n - 1; m >= 0 && infoset < 0 && input.one_in(2); --m)
        if (tree.actors[static_cast<std::size_t>(m)] == actor && tree.num_children[static_cast<std::size_t>(m)] == width &&
            depths[static_cast<std::size_t>(m)] == depth)
          infoset = tree.infosets[static_cast<std::size_t>(m)];
      if (infoset < 0) {
        infoset = static_cast<std::int32_t>(tree.infoset_actors.size());
        tree.infoset_actors.push_back(static_cast<std::int8_t>(actor));
        tree.infoset_num_actions.push_back(width);
      }
    }
    tree.infosets.push_back(infoset);
    for (int c = 0; c < width; ++c, ++next) {
      open.emplace_back(n, actor == kChance ? 1.0 / width : 1.0);
      depths.push_back(depth + 1);
    }
  }
  for (int i = 0; i < terminals * tree.players; ++i) tree.payoffs.push_back(input.below(21) - 10);
  return tree;
}

void change_tree(Input& input, Tree& tree) {
  const auto change = [&](auto& values, auto value) {
    if (values.empty()) return;
    if (input.one_in(16))
      values.pop_back();
    else
      values[input.byte() % values.size()] = static_cast<typename std::remove_cvref_t<decltype(values)>::value_type>(value);
  };
  switch (input.below(10)) {
    case 0: return change(tree.actors, static_cast<std::int8_t>(input.byte()));
    case 1: return change(tree.parents, input.number(-1, 12));
    case 2: return change(tree.first_children, input.number(0, 12));
    case 3: return change(tree.num_children, input.number(0, 4));
    case 4: return change(tree.chance_probabilities, input.real());
    case 5: return change(tree.infosets, input.number(-1, 5));
    case 6: return change(tree.terminals, input.number(-1, 8));
    case 7: return change(tree.payoffs, input.real());
    case 8: return change(tree.infoset_actors, static_cast<std::int8_t>(input.byte()));
    default: return change(tree.infoset_num_actions, input.number(0, 4));
  }
}

void check_behaviours(const SequenceForm& form, const std::vector<double>& behaviours) {
  for (Player p = 0; p < form.num_players(); ++p)
    for (const auto& infoset : form.infosets(p)) {
      const double* first = behaviours.data() + infoset.first;
      const double sum = std::accumulate(first, first + infoset.num_actions, 0.0);
      PROMISE(std::abs(sum - 1) < 1e-6);
    }
}

void solve_explicit(Input& input, const ExplicitTree& tree) {
  std::shared_ptr<const SequenceForm> form;
  if (!is_taken([&] { form = std::make_shared<const SequenceForm>(tree); })) return;
  for (const double payoff : tree.payoffs)
    if (std::abs(payoff) > 1e6) return;
  ExplicitCfr cfr(form, kDiscounts[static_cast<std::size_t>(input.below(6))].discounts);
  for (int i = input.below(4); i > 0; --i) cfr.step();
  const std::vector<double> average = cfr.average_behaviours();
  check_behaviours(*form, average);
  const auto values = explicit_values(*form, average);
  const auto best = explicit_best_response(*form, average);
  check_behaviours(*form, best.behaviours);
  for (std::size_t p = 0; p < values.size(); ++p) PROMISE(best.values[p] >= values[p] - 1e-6);
  FictitiousPlay play(form, input.one_in(2), input.one_in(2));
  play.step();
  check_behaviours(*form, play.average_behaviours());
}

void play_explicit(Input& input, const Tree& tree) {
  ExplicitParts parts{"fuzz",
                      tree.players,
                      1,
                      input.one_in(8) ? input.real() : 1,
                      tree.actors,
                      tree.parents,
                      tree.first_children,
                      tree.num_children,
                      tree.chance_probabilities,
                      tree.infosets,
                      tree.terminals,
                      {},
                      {},
                      {},
                      {},
                      {},
                      {"a", "b", "c", "d"}};
  for (const double payoff : tree.payoffs) {
    if (std::abs(payoff) > 1e6) return;  // the binding refuses these
    parts.payoffs.push_back(static_cast<std::int32_t>(std::lround(payoff)));
  }
  for (std::size_t i = 0; i < tree.infoset_actors.size(); ++i) {
    parts.keys.push_back(input.one_in(16) ? input.byte() : i + 1);
    parts.infoset_names.push_back(std::to_string(i));
    std::vector<int> slots(static_cast<std::size_t>(tree.infoset_num_actions[i]));
    std::iota(slots.begin(), slots.end(), input.one_in(8) ? input.number(-1, 5) : 0);
    parts.slots.push_back(slots);
    parts.texts.emplace_back(slots.size(), "x");
  }
  std::shared_ptr<const ExplicitGame> game;
  if (!is_taken([&] { game = std::make_shared<const ExplicitGame>(std::move(parts)); })) return;
  for (std::uint64_t index = 0; index < 2; ++index) {
    ExplicitEpisode episode(game, input.byte(), index);
    for (int steps = 0; episode.actor() != kTerminal; ++steps) {
      PROMISE(steps < 50 && game->legal(episode.state()) != 0 && !episode.infoset_text().empty());
      if (!is_taken([&] { episode.choose(input.below(4)); })) episode.choose(std::countr_zero(game->legal(episode.state())));
    }
    PROMISE(episode.payoffs().size() == static_cast<std::size_t>(tree.players));
  }
  const auto mccfr = make_mccfr(game, {.batch = 1 + input.below(2)});
  mccfr->run(3);
}

void read_explicit(Input& input) {
  Tree tree = read_tree(input);
  for (int changes = input.below(6) - 2; changes > 0; --changes) change_tree(input, tree);
  solve_explicit(input, tree.view());
  if (is_taken([&] { check(tree.view()); })) play_explicit(input, tree);
}

void read_tabular(Input& input) {
  TabularParts parts;
  parts.name = "fuzz";
  parts.action_names = {"a", "b", "c"};
  parts.num_hands = 1 + input.below(3);
  parts.num_features = 1;
  std::int32_t nodes = 1, endings = 0;
  for (std::int32_t n = 0; n < nodes; ++n) {
    const int width = nodes < 20 ? input.below(4) : 0;
    parts.actors.push_back(static_cast<std::int8_t>(width == 0 ? kTerminal : input.below(2)));
    parts.first_children.push_back(nodes);
    parts.num_children.push_back(width);
    if (n == 0) parts.slots.push_back(-1);
    for (int c = 0; c < width; ++c) parts.slots.push_back(c);
    parts.tables.push_back(width == 0 ? endings++ : -1);
    nodes += width;
  }
  const std::size_t pairs = static_cast<std::size_t>(parts.num_hands * parts.num_hands), count = parts.actors.size();
  const auto many = [&](std::size_t size) { return input.list(static_cast<int>(size), [&] { return input.share(); }); };
  parts.stakes.assign(count, 2);
  parts.features.assign(count, 0.5f);
  parts.scales.assign(count, 1);
  parts.pair_weights = many(pairs);
  parts.payoffs = many(pairs * static_cast<std::size_t>(endings));
  if (input.one_in(3)) parts.offsets = many(count);
  for (int changes = input.below(5) - 2; changes > 0; --changes) {
    const std::size_t n = input.byte() % count;
    switch (input.below(8)) {
      case 0: parts.actors[n] = static_cast<std::int8_t>(input.byte()); break;
      case 1: parts.first_children[n] = input.number(0, 8); break;
      case 2: parts.num_children[n] = input.number(0, 4); break;
      case 3: parts.slots[n] = input.number(-1, 4); break;
      case 4: parts.stakes[n] = input.real(); break;
      case 5: parts.tables[n] = input.number(-1, 5); break;
      case 6: parts.scales[n] = input.real(); break;
      default: parts.unit = input.real();
    }
  }
  std::shared_ptr<const TabularGame> game;
  if (!is_taken([&] { game = std::make_shared<const TabularGame>(std::move(parts)); })) return;
  Random random{input.byte()};
  const TabularDeal deal = game->deal(random);
  PROMISE(game->hands_compatible(deal.hands[0], deal.hands[1]));
  TabularState state = game->root();
  while (game->actor(state) != kTerminal) {
    const ActionMask legal = game->legal(state);
    const int slot = input.below(3);
    game->act(state, (legal >> slot & 1) != 0 ? slot : std::countr_zero(legal));
  }
  std::array<std::int32_t, 2> won{};
  game->payoffs(state, deal, won);
  PROMISE(won[0] == -won[1]);
  std::unique_ptr<VectorSolver> solver;
  SolveOptions options;
  options.discounts = kDiscounts[static_cast<std::size_t>(input.below(6))].discounts;
  if (is_taken([&] { solver = make_vector_solver(game, options); })) solver->step(2);
}

// Cards.

void read_cards(Input& input) {
  const Deck deck = input.one_in(3) ? kDeck36 : kDeck52;
  std::vector<Card> cards;
  for (CardSet seen = 0; cards.size() < 10;) {
    auto card = static_cast<Card>(input.byte() % deck.num_cards());
    while ((seen & bit(card)) != 0) card = static_cast<Card>((card + 1) % deck.num_cards());
    seen |= bit(card);
    cards.push_back(card);
  }
  const auto rule = static_cast<Showdown>(input.below(4));
  const int num_hole = input.below(6), num_board = input.below(6);
  const std::span<Card> hole(cards.data(), static_cast<std::size_t>(num_hole)),
      board(cards.data() + num_hole, static_cast<std::size_t>(num_board));
  if (is_taken([&] { check_showdown(rule, deck, num_hole, num_board); })) {
    const Strength one = strength(rule, deck, hole, board);
    Strength many = 0;
    strengths(rule, deck, cards.data(), 1, num_hole, num_board, &many);
    PROMISE(one > 0 && one == many);
    std::ranges::reverse(hole);
    std::ranges::reverse(board);
    PROMISE(strength(rule, deck, hole, board) == one);
  }
  const auto streets = input.list(input.below(7), [&] { return input.number(0, 4); });
  if (std::accumulate(streets.begin(), streets.end(), 0LL) > 5) return;  // large tables
  std::optional<CanonicalIndex> canonical;
  if (!is_taken([&] { canonical.emplace(streets, deck); })) return;
  const int street = input.below(canonical->num_streets());
  std::vector<Card> found(static_cast<std::size_t>(canonical->num_cards(street)));
  const std::uint64_t index = input.raw<std::uint64_t>() % canonical->size(street);
  canonical->cards(street, index, found.data());
  PROMISE(canonical->index(found) == index);
}

void read_matchup(Input& input) {
  const auto rule = input.pick<Showdown, 3>({Showdown::kHoldem, Showdown::kShortDeck, Showdown::kOmaha});
  const Deck deck = rule == Showdown::kShortDeck ? kDeck36 : kDeck52;
  const int num_hole = rule == Showdown::kOmaha ? 4 : 2;
  const auto hand = [&] {
    CardSet set = 0;
    for (int i = 0; i < (input.one_in(32) ? input.below(6) : num_hole); ++i)
      set |= bit(static_cast<Card>(input.byte() % (input.one_in(64) ? 64 : deck.num_cards())));
    return set;
  };
  std::vector<WeightedHands> players;
  for (int p = input.one_in(16) ? input.below(11) : 2 + input.below(2); p > 0; --p) {
    const int hands = 1 + input.below(4);
    players.push_back({input.list(hands, hand), input.list(hands, [&] { return input.share(); })});
  }
  const auto open = [&](int most) {
    return input.list(input.one_in(8) ? input.below(7) : most, [&] { return static_cast<Card>(input.byte() % deck.num_cards()); });
  };
  std::optional<Matchup> matchup;
  if (!is_taken([&] { matchup.emplace(rule, deck, num_hole, players, open(4), open(0)); })) return;
  const auto check = [](const Equity& equity) {
    PROMISE(std::abs(std::accumulate(equity.equities.begin(), equity.equities.end(), 0.0) - 1) < 1e-6);
  };
  SampledEquity sampled(*matchup, 16, input.byte());
  sampled.run(sampled.num_chunks(), 1);
  check(sampled.result());
  ExactEquity exact(*matchup);
  if (exact.num_evaluations() > 2000) return;
  exact.run(exact.num_chunks(), 1);
  check(exact.result());
}

void read_points(Input& input) {
  const int width = input.number(0, 3), points = 1 + input.below(8);
  if (width < 0 || width > 1000) return;  // arrays have no such shapes
  Points all{width, input.list(width * points, [&] { return static_cast<float>(input.real()); })};
  if (width == 0) return;
  std::optional<KMeans> means;
  if (!is_taken(
          [&] { means.emplace(all, input.list(points, [&] { return input.share(); }), input.number(0, 5), input.byte(), 1); }))
    return;
  for (int i = 0; i < 3; ++i) means->step();
  PROMISE(means->centroids().size() >= 1);
}

// Rows.

void change_buffer(Input& input) {
  const auto columns = input.list(input.below(4), [&] { return std::int64_t{input.number(0, 9)}; });
  std::unique_ptr<RowBuffer> buffer;
  const RowBufferOptions options{columns, input.number(0, 20), "", 1 << 16, input.one_in(64) ? input.number(0, 3) : 1};
  const bool is_ring = input.one_in(2);
  const bool is_made = is_taken([&] {
    if (is_ring)
      buffer = std::make_unique<Ring>(options);
    else
      buffer = std::make_unique<Reservoir>(options, input.byte());
  });
  if (!is_made) return;
  const auto bytes = static_cast<std::size_t>(buffer->row_bytes());
  for (int steps = 0; steps < 20 && !input.is_over(); ++steps) {
    const auto count = static_cast<std::int64_t>(input.below(12));
    std::vector<std::vector<std::uint8_t>> rows;
    for (const std::int64_t width : columns) rows.emplace_back(static_cast<std::size_t>(width * count), input.byte());
    std::vector<const std::uint8_t*> from;
    std::vector<std::uint8_t*> to;
    for (auto& each : rows) from.push_back(each.data()), to.push_back(each.data());
    const std::int64_t before = buffer->num_added();
    const auto indices =
        input.list(input.below(5), [&] { return input.one_in(16) ? input.raw<std::int64_t>() : std::int64_t{input.below(20)}; });
    std::vector<std::uint8_t> flat(indices.size() * bytes, input.byte());
    switch (input.below(6)) {
      case 0: {
        if (is_taken([&] { buffer->add(from, count); })) PROMISE(buffer->num_added() == before + count);
        break;
      }
      case 1: (void)is_taken([&] { buffer->sample(1, 2, count, to); }); break;
      case 2: (void)is_taken([&] { buffer->get(indices.data(), static_cast<std::int64_t>(indices.size()), flat.data()); }); break;
      case 3: {
        std::vector<std::uint8_t> again(flat.size());
        if (is_taken([&] { buffer->put(indices.data(), static_cast<std::int64_t>(indices.size()), flat.data()); })) {
          buffer->get(indices.data(), static_cast<std::int64_t>(indices.size()), again.data());
          PROMISE(again == flat);
        }
        break;
      }
      case 4: (void)is_taken([&] { buffer->resume(input.one_in(4) ? input.raw<std::int32_t>() : input.below(60)); }); break;
      default:
        (void)is_taken([&] {
          if (before < 100'000) PROMISE(buffer->changed(input.number(0, 40)).size() <= static_cast<std::size_t>(buffer->size()));
        });
    }
    PROMISE(buffer->size() <= buffer->capacity());
  }
}

// Jobs and solvers.

std::vector<float> answers(Input& input, std::size_t rows, std::size_t width) {
  const bool is_fair = !input.one_in(8);
  std::vector<float> values(rows * width, 1);
  for (std::size_t i = 0; i < values.size() && !input.is_over(); ++i)
    values[i] = is_fair ? static_cast<float>(1 + input.byte()) : static_cast<float>(input.real());
  return values;
}

void answer_self_play(Input& input) {
  SelfPlayOptions options;
  options.episodes = input.number(0, 8);
  options.tables = input.number(0, 4);
  options.copies = input.number(0, 2);
  options.record_ends = input.one_in(2);
  options.record_answers = input.one_in(2);
  options.seed = input.byte();
  options.questions.with_table = input.one_in(2);
  options.questions.with_history = input.one_in(2);
  options.questions.with_past = input.one_in(2);
  if (options.tables > 4 || *options.episodes > 8) return;
  std::unique_ptr<SelfPlay> job;
  const AnyGame game = small_game(input);
  if (!is_taken([&] { job = make_self_play(game, options); })) return;
  for (int batches = 0; batches < 200; ++batches) {
    const auto questions = job->ask();
    if (!questions) break;
    const auto given = answers(input, static_cast<std::size_t>(questions->batch), questions->num_actions);
    const auto slots = input.list(static_cast<int>(questions->batch), [&] { return input.number(-2, 5); });
    const std::int64_t before = job->num_decisions();
    const bool done = is_taken([&] {
      if (input.one_in(4))
        job->answer(slots.data());
      else
        job->answer(given.data());
    });
    if (!done) PROMISE(job->num_decisions() == before);
  }
  const Steps steps = job->take_steps();
  PROMISE(steps.offsets.size() * steps.num_players == steps.payoffs.size() + steps.num_players);
}

void answer_traversals(Input& input) {
  TraversalOptions options;
  options.encoder = "slots12";
  options.sampling = static_cast<TraversalSampling>(input.below(2));
  options.baselines = static_cast<TraversalBaselines>(input.below(3));
  options.epsilon = static_cast<float>(input.share());
  options.in_flight = 1 + input.below(4);
  options.halves = 1 + input.below(2);
  options.kept_answers = input.number(0, 8);
  options.seed = input.byte();
  const AnyGame game = small_game(input);
  std::shared_ptr<const DealPool> deals;
  if (input.one_in(4) &&
      !is_taken([&] { deals = make_deal_pool(game, {input.number(0, 20), input.number(0, 3), 50, input.byte()}); }))
    return;
  std::unique_ptr<Traversals> job;
  if (!is_taken([&] { job = make_traversals(game, options, deals); })) return;
  if (!is_taken([&] { job->begin(input.byte(), input.number(0, 2), input.number(0, 9), input.below(6)); })) return;
  for (int batches = 0; batches < 200; ++batches) {
    const int half = batches % options.halves;
    const auto questions = job->ask(half);
    if (!questions && (options.halves == 1 || !job->ask(1 - half))) break;
    if (!questions) continue;
    const auto given = answers(input, static_cast<std::size_t>(questions->batch), questions->num_actions);
    const auto baselines = answers(input, static_cast<std::size_t>(questions->batch), questions->num_actions);
    (void)is_taken(
        [&] { job->answer(half, given.data(), options.baselines == TraversalBaselines::kNone ? nullptr : baselines.data()); });
  }
  const TraversalSamples samples = job->take_samples();
  PROMISE(samples.values.size() == samples.advantages.size());
}

void answer_subgames(Input& input) {
  static const std::array<AnyGame, 3> games{test::game_of(test::kuhn()), test::game_of(test::leduc()),
                                            std::make_shared<const LiarsDice>(1, 3, 2)};
  const auto states = make_public_states(input.pick(games), {});
  SubgameOptions options;
  options.discounts = kDiscounts[static_cast<std::size_t>(input.below(6))].discounts;
  options.iterations = input.number(1, 4);
  options.max_decisions = input.number(0, 2);
  options.warm_start = input.one_in(4) ? input.number(0, 3) : 0;
  if (options.iterations > 4 || options.max_decisions < 0) return;
  std::unique_ptr<Subgames> job;
  if (!is_taken([&] { job = make_subgames(states, options); })) return;
  SubgameBatch batch;
  const int count = 1 + input.below(2), hands = static_cast<int>(states->num_hands());
  batch.states = input.list(count, [&] { return input.one_in(8) ? input.number(-1, 20) : 0; });
  batch.ranges = input.list(count * 2 * hands, [&] { return input.is_over() ? 1.0 : input.share(); });
  if (input.one_in(4)) {
    batch.opponents = input.list(count, [&] { return input.number(-1, 1); });
    batch.opponent_values = input.list(count * hands, [&] { return input.real(); });
    batch.least_follow = input.share();
  }
  if (input.one_in(2)) batch.stops = {{input.number(0, 1), input.number(1, 3), input.byte()}};
  batch.exploration = input.share();
  batch.keeps_values = input.one_in(2);
  batch.keeps_strategies = input.one_in(2);
  if (!is_taken([&] { job->begin(batch); })) return;
  const auto width = static_cast<std::size_t>(hands);
  for (int rounds = 0; rounds < 50; ++rounds) {
    if (const RangeQuestions* questions = job->ask_strategies()) {
      const auto given =
          answers(input, static_cast<std::size_t>(questions->rows), static_cast<std::size_t>(job->num_slots()) * width);
      (void)is_taken([&] { job->answer_strategies(given.data()); });
    } else if (const RangeQuestions* leaves = job->ask()) {
      const auto given = answers(input, static_cast<std::size_t>(leaves->rows), 2 * width);
      (void)is_taken([&] { job->answer(given.data()); });
    } else {
      PROMISE(job->root_values().size() == static_cast<std::size_t>(count) * 2 * width);
      return;
    }
  }
}

void restore_mccfr(Input& input) {
  MccfrOptions options;
  options.sampling = static_cast<Sampling>(input.below(2));
  options.estimates = static_cast<Estimates>(input.below(3));
  options.batch = input.number(1, 3);
  options.replay_capacity = input.one_in(2) ? input.number(0, 9) : 0;
  options.replay_draws = input.one_in(2) ? input.number(0, 3) : 0;
  options.pruning = input.one_in(4) ? input.real() : 0;
  options.storage = static_cast<Storage>(input.below(3));
  options.epsilon = input.share();
  if (options.batch > 3 || options.replay_capacity > 100 || options.replay_draws > 100) return;
  const AnyGame game = input.one_in(2) ? AnyGame(std::make_shared<const LiarsDice>(1, 2, 2)) : AnyGame(test::game_of(test::kuhn()));
  std::unique_ptr<Mccfr> solver;
  if (!is_taken([&] { solver = make_mccfr(game, options); })) return;
  solver->run(1 + input.below(3));
  MccfrState state = solver->state();
  const auto change = [&](auto& values, auto value) {
    using Value = typename std::remove_cvref_t<decltype(values)>::value_type;
    if (values.empty() || input.one_in(8))
      values.push_back(static_cast<Value>(value));
    else if (input.one_in(8))
      values.pop_back();
    else
      values[input.byte() % values.size()] = static_cast<Value>(value);
  };
  for (int changes = input.below(4); changes > 0; --changes) switch (input.below(11)) {
      case 0: state.iteration = input.number(0, 12); break;
      case 1: state.nodes = input.number(0, 12); break;
      case 2: change(state.keys, input.raw<std::uint64_t>()); break;
      case 3: change(state.legals, input.byte()); break;
      case 4: change(state.rows.regrets, input.real()); break;
      case 5: change(state.rows.sums, input.real()); break;
      case 6: change(state.replay.ids, input.raw<std::uint64_t>()); break;
      case 7: change(state.replay.legals, input.byte()); break;
      case 8: change(state.replay.sizes, input.byte()); break;
      case 9: change(state.replay.priorities, input.byte()); break;
      default: state.replay.next = input.number(0, 12);
    }
  (void)is_taken([&] { solver->restore(std::move(state)); });
  solver->run(2);
  const StrategyTable table = solver->average_strategy();
  PROMISE(table.probabilities.size() == table.keys.size() * static_cast<std::size_t>(table.num_actions));
}

void solve_spot(Input& input) {
  static const auto spot = test::game_of(
      [] {
        PokerRules rules = test::leduc();
        rules.stacks = {9, 9};
        return rules;
      }(),
      {"50%", "a"});
  SolveOptions options;
  options.discounts = kDiscounts[static_cast<std::size_t>(input.below(6))].discounts;
  options.precision = input.one_in(8) ? input.number(0, 64) : 0;
  for (auto& weights : options.problem.weights)
    if (input.one_in(2)) weights = input.list(input.one_in(16) ? input.below(9) : 6, [&] { return input.share(); });
  if (input.one_in(4)) options.problem.board = input.cards(2);
  if (input.one_in(4)) options.problem.actions = input.list(input.below(4), [&] { return input.number(-1, 4); });
  if (input.one_in(4))
    options.problem.gadget = {input.number(-1, 1), input.list(input.one_in(8) ? input.below(9) : 6, [&] { return input.real(); }),
                              input.share()};
  options.problem.merge_suits = !input.one_in(4);
  std::unique_ptr<VectorSolver> solver;
  if (!is_taken([&] { solver = make_vector_solver(spot, options); })) return;
  const auto problem = solver->problem();
  const auto nodes = static_cast<int>(problem->nodes().size());
  for (int steps = 0; steps < 6 && !input.is_over(); ++steps) {
    const int node = input.one_in(16) ? input.number(-1, 300) : input.byte() % nodes;
    switch (input.below(6)) {
      case 0: solver->step(1); break;
      case 1: {
        std::vector<double> given;
        if (is_taken([&] { given = solver->strategy(node); })) {
          for (double& each : given)
            if (input.one_in(16)) each = input.real();
          (void)is_taken([&] { solver->lock(node, given); });
        }
        break;
      }
      case 2: {
        std::vector<double> state;
        if (!is_taken([&] { state = solver->state(); })) break;  // of a gadget
        if (!state.empty() && input.one_in(2)) state[input.byte() % state.size()] = input.real();
        if (input.one_in(16)) state.push_back(0);
        (void)is_taken([&] { solver->restore(input.number(0, 9), state); });
        break;
      }
      case 3: (void)is_taken([&] { (void)solver->beliefs({node}, {}); }); break;
      case 4: (void)is_taken([&] { (void)solver->packed(); }); break;
      default: (void)is_taken([&] { (void)problem->values_of(input.list(input.below(9), [&] { return input.share(); })); });
    }
  }
}

constexpr std::array kReaders{&play_poker,        &play_poker,      &read_bet_size, &read_explicit, &read_tabular,
                              &read_cards,        &read_matchup,    &read_points,   &change_buffer, &answer_self_play,
                              &answer_traversals, &answer_subgames, &restore_mccfr, &solve_spot};

}  // namespace
}  // namespace regretless

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  regretless::Input input(data + 1, size - 1);
  regretless::kReaders[data[0] % regretless::kReaders.size()](input);
  return 0;
}
