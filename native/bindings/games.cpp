// SPDX-License-Identifier: MIT
// Rules, menus, games, their episodes and pools of deals.
#include "bindings.h"

#include "games/deal_pool.h"
#include "games/tree_counts.h"
#include "tree/explicit_tree.h"

namespace regretless {
namespace {

template <class T, std::size_t N>
std::vector<T> head(const std::array<T, N>& values, int count) {
  return {values.begin(), values.begin() + std::clamp(count, 0, static_cast<int>(N))};
}

template <class T, std::size_t N>
void fill(std::array<T, N>& out, const std::vector<T>& values, const char* field) {
  if (values.size() > N) throw std::invalid_argument(std::string(field) + ": at most " + std::to_string(N) + " values");
  out = {};
  std::copy(values.begin(), values.end(), out.begin());
}

template <auto Member>
void def_list(nb::class_<PokerRules>& rules, const char* name, int PokerRules::* count) {
  rules.def_prop_rw(
      name, [count](const PokerRules& r) { return head(r.*Member, r.*count); },
      [name](PokerRules& r, const std::vector<int>& values) { fill(r.*Member, values, name); });
}

// A field that is added to these must be bound below, and written and read by games/rules_record.py: until then this does not
// compile.
[[maybe_unused]] void list_all_fields(const PokerRules& rules, const Rake& rake, const BetMenu& menu, const PokerStart& start,
                                      const BetSize& size) {
  [[maybe_unused]] const auto& [name, players, deck, hole, streets, board, limit, bets, raises, first, antes, blinds, stacks, house,
                                showdown, unit] = rules;
  [[maybe_unused]] const auto& [fraction, cap, no_flop_no_drop] = rake;
  [[maybe_unused]] const auto& [menu_name, slots, rows, max_raises, add_all_in, force_all_in, merge, limp] = menu;
  [[maybe_unused]] const auto& [cards, weights, aggressor] = start;
  [[maybe_unused]] const auto& [kind, amount, geometric_streets, geometric_cap] = size;
}

void bind_rules(nb::module_& m) {
  nb::enum_<Limit>(m, "Limit", "The limit on bets.")
      .value("FIXED", Limit::kFixed)
      .value("POT", Limit::kPot)
      .value("NONE", Limit::kNone);
  nb::class_<Rake>(m, "Rake", "The share of a pot that the house takes.")
      .def(nb::init<>())
      .def_rw("fraction", &Rake::fraction)
      .def_rw("cap", &Rake::cap)
      .def_rw("no_flop_no_drop", &Rake::no_flop_no_drop);
  nb::class_<PokerRules> rules(m, "PokerRules", "A poker variant as plain data.");
  rules.def(nb::init<>())
      .def("copy", [](const PokerRules& r) { return r; })
      .def_rw("name", &PokerRules::name)
      .def_rw("num_players", &PokerRules::num_players)
      .def_rw("deck", &PokerRules::deck)
      .def_rw("num_hole_cards", &PokerRules::num_hole_cards)
      .def_rw("num_streets", &PokerRules::num_streets)
      .def_rw("limit", &PokerRules::limit)
      .def_rw("rake", &PokerRules::rake)
      .def_rw("showdown", &PokerRules::showdown)
      .def_rw("unit", &PokerRules::unit)
      .def_prop_ro("num_board_cards", &PokerRules::num_board_cards)
      .def("validate", &PokerRules::validate, "Raise ValueError, naming the field, if the rules make no sense.");
  def_list<&PokerRules::board_cards>(rules, "board_cards", &PokerRules::num_streets);
  def_list<&PokerRules::bets>(rules, "bets", &PokerRules::num_streets);
  def_list<&PokerRules::max_raises>(rules, "max_raises", &PokerRules::num_streets);
  def_list<&PokerRules::first_actors>(rules, "first_actors", &PokerRules::num_streets);
  def_list<&PokerRules::antes>(rules, "antes", &PokerRules::num_players);
  def_list<&PokerRules::blinds>(rules, "blinds", &PokerRules::num_players);
  def_list<&PokerRules::stacks>(rules, "stacks", &PokerRules::num_players);
}

template <class G>
std::vector<bool> legal_list(const G& game, const typename G::State& state) {
  std::vector<bool> legal(static_cast<std::size_t>(game.num_actions()));
  if (game.actor(state) < 0) return legal;
  const ActionMask mask = game.legal(state);
  for (std::size_t a = 0; a < legal.size(); ++a) legal[a] = (mask >> a & 1) != 0;
  return legal;
}

nb::typed<nb::dict, nb::str, nb::int_> counts(const TreeCounts& counts) {
  nb::typed<nb::dict, nb::str, nb::int_> result;
  result["histories"] = static_cast<std::int64_t>(counts.histories);
  result["terminals"] = static_cast<std::int64_t>(counts.terminals);
  result["infosets"] = static_cast<std::int64_t>(counts.infosets);
  result["public_nodes"] = static_cast<std::int64_t>(counts.public_nodes);
  return result;
}

template <class G>
void check_slot(const G& game, const typename G::State& state, int slot) {
  if (game.actor(state) < 0 || slot < 0 || slot >= game.num_actions() || (game.legal(state) >> slot & 1) == 0)
    throw std::invalid_argument("slot " + std::to_string(slot) + " is not legal here");
}

template <class G>
void check_hand(const G& game, Hand hand) {
  if (hand < 0 || hand >= game.num_hands()) throw std::invalid_argument("no hand " + std::to_string(hand));
}

template <class G>
CardSet card_set(const G& game, const std::vector<int>& cards) {
  CardSet set = 0;
  for (const int card : cards) {
    if (card < 0 || card >= game.num_cards()) throw std::invalid_argument("card " + std::to_string(card) + " is not in the deck");
    set |= CardSet{1} << card;
  }
  return set;
}

// Members that every game has.
template <class G, class E, class Class>
void bind_game(Class& game) {
  game.def_prop_ro("name", &G::name)
      .def_prop_ro("num_players", &G::num_players)
      .def_prop_ro("num_streets", &G::num_streets)
      .def_prop_ro("num_board_cards", &G::num_board_cards, "Public cards in all; 0 where there are none.")
      .def_prop_ro("hand_size", &G::hand_size, "Cards or dice of a private hand.")
      .def(
          "hand_parts", [](const G& g, Hand hand) { return check_hand(g, hand), g.hand_parts(hand); }, "hand"_a,
          "The cards of a hand, ascending, or its faces, from 1.")
      .def(
          "episode", [](std::shared_ptr<G> g, std::uint64_t seed, std::uint64_t index) { return E(std::move(g), seed, index); },
          "seed"_a = 0, "index"_a = 0, "The cards or dice of episode `index` of a job with this seed.")
      .def(
          "episode_of",
          [](std::shared_ptr<G> g, const std::vector<std::vector<int>>& hands, const std::vector<int>& board) {
            return E(std::move(g), hands, board);
          },
          "hands"_a = std::vector<std::vector<int>>{}, "board"_a = std::vector<int>{},
          "Given cards, or faces from 1; an empty list, or none, is a hand that is unknown.")
      .def_prop_ro("num_actions", &G::num_actions, "Slots, the same at every decision.")
      .def_prop_ro("num_hands", &G::num_hands, "Private hands of one player.")
      .def_prop_ro("unit", &G::unit, "Chips in the unit that values are counted in.")
      .def(
          "hand_weights",
          [](const G& g, int player) {
            if (player < 0 || player >= g.num_players()) throw std::invalid_argument("no player " + std::to_string(player));
            auto weights = new_array<double, 1>({static_cast<std::size_t>(g.num_hands())});
            for (Hand hand = 0; hand < g.num_hands(); ++hand) weights.data()[hand] = g.weight(player, hand);
            return weights;
          },
          "player"_a, "Weight of each hand at the root, relative to the others: float64 [hands].")
      .def(
          "hands_possible",
          [](const G& g, const std::vector<int>& dead) {
            const CardSet set = card_set(g, dead);
            auto possible = new_array<bool, 1>({static_cast<std::size_t>(g.num_hands())});
            for (Hand hand = 0; hand < g.num_hands(); ++hand) possible.data()[hand] = g.hand_clear_of(hand, set);
            return possible;
          },
          "dead"_a, "bool [hands]: whether each hand holds none of these cards.")
      .def(
          "count_tree",
          [](const G& g) {
            const TreeCounts c = without_gil([&] { return count_tree(g); });
            return counts(c);
          },
          "Histories, terminals, infosets and public nodes; walks every public state, so for small games only.");
}

template <class E>
int check_seat(const E& e, int seat) {
  if (seat < 0 || seat >= e.game().num_players()) throw std::invalid_argument("no seat " + std::to_string(seat));
  return seat;
}

template <class E>
void check_known(const E& e, Player seat) {
  if (!e.is_known(seat)) throw std::invalid_argument("the hand of seat " + std::to_string(seat) + " is unknown");
}

// Members that every episode has.
template <class E, class Class>
void bind_episode(Class& episode) {
  using G = std::remove_cvref_t<decltype(std::declval<E>().game())>;
  episode
      .def(
          "__init__",
          [](E* self, std::shared_ptr<G> game, std::uint64_t seed, std::uint64_t index) {
            new (self) E(std::move(game), seed, index);
          },
          "game"_a, "seed"_a = 0, "index"_a = 0, "The cards or dice of episode `index` of a job with this seed.")
      .def_prop_ro("game", &E::game, nb::rv_policy::reference_internal)
      .def_prop_ro("actor", &E::actor, "The seat to act, -1 where board cards are due, -2 at the end.")
      .def_prop_ro("is_terminal", [](const E& e) { return e.actor() == kTerminal; })
      .def_prop_ro(
          "legal", [](const E& e) { return legal_list(e.game(), e.state()); }, "For each slot, whether it may be chosen.")
      .def("choose", &E::choose, "slot"_a, "Choose a slot; ValueError, and no change, if it is not legal.")
      .def(
          "slot_text",
          [](const E& e, int slot) {
            check_slot(e.game(), e.state(), slot);
            return e.game().slot_text(e.state(), slot);
          },
          "slot"_a, "The meaning of a legal slot here.")
      .def_prop_ro("payoffs", &E::payoffs, "Chips won by each seat, at the end.")
      .def_prop_ro("board", &E::board, "Public cards.")
      .def("deal_board", &E::deal_board, "cards"_a, "The next public cards; ValueError, and no change, if they cannot come.")
      .def_prop_ro("street", &E::street)
      .def_prop_ro("live", &E::live, "For each seat, whether it may still win: has not folded.")
      .def(
          "hand_parts",
          [](const E& e, int seat) {
            check_seat(e, seat);
            return e.is_known(seat) ? e.game().hand_parts(e.game().hand(e.deal(), seat)) : std::vector<int>{};
          },
          "seat"_a, "Cards, ascending, or faces from 1, of a seat; empty if unknown.")
      .def(
          "hand",
          [](const E& e, int seat) {
            check_known(e, check_seat(e, seat));
            return e.game().hand(e.deal(), seat);
          },
          "seat"_a, "Dense index of the hand of a seat.")
      .def_prop_ro(
          "infoset",
          [](const E& e) {
            if (e.actor() < 0) throw std::invalid_argument("nobody is to act");
            check_known(e, e.actor());
            return e.game().infoset(e.state(), e.deal(), e.actor());
          },
          "A key of what the actor knows.")
      .def_prop_ro(
          "infoset_name",
          [](const E& e) {
            if (e.actor() < 0) throw std::invalid_argument("nobody is to act");
            check_known(e, e.actor());
            return e.infoset_text();
          },
          "The infoset in words, such as 'Qd:cc/Kd:r'.")
      .def_prop_ro(
          "steps",
          [](const E& e) {
            std::vector<std::pair<int, int>> steps;
            for (const Step& step : e.steps()) steps.emplace_back(step.actor, step.slot);
            return steps;
          },
          "(seat, slot) of every decision so far; ValueError after a bet that is not on the menu.")
      .def("copy", [](const E& e) { return e; });
}

void bind_poker(nb::module_& m) {
  nb::class_<BetMenu>(m, "BetMenu", "The bets that a player may choose from, as canonical slots.")
      .def(
          "__init__",
          [](BetMenu* self, const std::string& name, const std::vector<std::string>& slots, const BetMenu::Texts& rows,
             int max_raises, double add_all_in, double force_all_in, double merge, bool limp) {
            BetMenu menu{name, slots, {}, max_raises, add_all_in, force_all_in, merge, limp};
            menu.set_rows(rows);
            new (self) BetMenu(std::move(menu));
          },
          "name"_a, "slots"_a, "rows"_a, "max_raises"_a = kNoRaiseCap, nb::kw_only(), "add_all_in"_a = 0.0, "force_all_in"_a = 0.0,
          "merge"_a = 0.0, "limp"_a = true,
          "Rows are [seats or 1][streets][open, raise, reraise and perhaps donk][raise slots] of sizes such as '33%'.")
      .def_ro("name", &BetMenu::name)
      .def_ro("slots", &BetMenu::slots)
      .def_ro("max_raises", &BetMenu::max_raises)
      .def_ro("add_all_in", &BetMenu::add_all_in, "All-in is offered where it is at most so many pots; 0: nowhere.")
      .def_ro("force_all_in", &BetMenu::force_all_in, "A raise that would leave at most so many pots behind is all-in.")
      .def_ro("merge", &BetMenu::merge, "The smaller of two raises closer than this share of the pot is dropped.")
      .def_ro("limp", &BetMenu::limp, "Whether the big blind may be called before anybody has raised.")
      .def_prop_ro("has_donks", &BetMenu::has_donks, "Whether it has sizes for bets into the last aggressor.")
      .def("rows", &BetMenu::texts, "num_streets"_a);
  m.def(
      "normalize_bet_size", [](const std::string& text) { return BetSize::parse(text).text(); }, "text"_a,
      "The size in its canonical spelling; ValueError if it is none.");

  nb::class_<Poker> poker(m, "Poker", "A poker variant with a bet menu.");
  poker
      .def(
          "__init__",
          [](Poker* self, const PokerRules& rules, const BetMenu& menu, const std::vector<int>& board,
             const std::vector<std::vector<double>>& weights,
             int aggressor) { new (self) Poker(rules, menu, {board, weights, aggressor}); },
          "rules"_a, "menu"_a, nb::kw_only(), "board"_a = std::vector<int>{}, "weights"_a = std::vector<std::vector<double>>{},
          "aggressor"_a = -1,
          "`board`: cards that are out before the first decision; `weights` [players][hands]: how likely each hand is there; "
          "`aggressor`: the seat that made the last bet or raise before it, -1 if nobody did.")
      .def_prop_ro(
          "board", [](const Poker& g) { return g.start().board; }, "Cards that are out before the first decision.")
      .def_prop_ro(
          "weights", [](const Poker& g) { return g.start().weights; },
          "Weight of each hand at the start, [players][hands]; empty: all alike.")
      .def_prop_ro(
          "aggressor", [](const Poker& g) { return g.start().aggressor; },
          "The seat that made the last bet or raise before the start; -1: nobody.")
      .def_prop_ro(
          "rules", [](const Poker& g) { return g.rules(); }, "A copy of the rules.")
      .def_prop_ro(
          "deck", [](const Poker& g) { return g.rules().deck; }, "The cards that it is played with.")
      .def_prop_ro("menu", &Poker::menu)
      .def_prop_ro("action_names", [](const Poker& g) { return g.menu().slots; });
  bind_game<Poker, PokerEpisode>(poker);

  nb::class_<PokerEpisode> episode(m, "PokerEpisode", "One poker episode, stepped.");
  episode
      .def(
          "__init__",
          [](PokerEpisode* self, std::shared_ptr<Poker> game, const std::vector<std::vector<int>>& hole,
             const std::vector<int>& board) { new (self) PokerEpisode(std::move(game), hole, board); },
          "game"_a, "hole"_a, "board"_a = std::vector<int>{}, "Given cards; an empty list of hole cards is unknown.")
      .def(
          "hole",
          [](const PokerEpisode& e, int seat) {
            const auto cards = e.game().hole(e.deal(), check_seat(e, seat));
            return e.is_known(seat) ? std::vector<int>(cards.begin(), cards.end()) : std::vector<int>{};
          },
          "seat"_a, "Hole cards, empty if unknown.")
      .def_prop_ro(
          "stacks", [](const PokerEpisode& e) { return head(e.state().stacks, e.game().num_players()); }, "Chips behind.")
      .def_prop_ro(
          "bets", [](const PokerEpisode& e) { return head(e.state().bets, e.game().num_players()); }, "Chips bet on this street.")
      .def_prop_ro(
          "paid", [](const PokerEpisode& e) { return head(e.state().paid, e.game().num_players()); }, "Chips put in so far.")
      .def_prop_ro(
          "pot", [](const PokerEpisode& e) { return e.game().betting().pot(e.state()); }, "All chips put in, bets included.")
      .def_prop_ro("to_call", [](const PokerEpisode& e) { return e.actor() < 0 ? 0 : e.game().betting().to_call(e.state()); })
      .def_prop_ro("can_fold", [](const PokerEpisode& e) { return e.actor() >= 0 && e.game().betting().can_fold(e.state()); })
      .def_prop_ro(
          "raise_range",
          [](const PokerEpisode& e) -> std::optional<std::pair<int, int>> {
            if (e.actor() < 0) return {};
            const auto range = e.game().betting().raise_range(e.state());
            if (!range) return {};
            return std::pair{range->min, range->max};
          },
          "Least and most to raise to, or None.")
      .def_prop_ro(
          "offer",
          [](const PokerEpisode& e) {
            std::vector<std::optional<int>> amounts(static_cast<std::size_t>(e.game().num_actions()));
            if (e.actor() < 0) return amounts;
            const Offer offer = e.game().offer(e.state());
            for (std::size_t a = 0; a < amounts.size(); ++a)
              if ((offer.legal >> a & 1) != 0) amounts[a] = offer.actions[a];
            return amounts;
          },
          "For each slot the action it means here (-1 fold, 0 call, else raise to), None if not legal.")
      .def("act", &PokerEpisode::act, "action"_a, "-1 folds, 0 checks or calls, a positive amount bets or raises to it.")
      .def("fold", [](PokerEpisode& e) { e.act(kFold); })
      .def(
          "call", [](PokerEpisode& e) { e.act(kCall); }, "Check or call.")
      .def(
          "raise_to",
          [](PokerEpisode& e, int amount) {
            if (amount <= 0) throw std::invalid_argument("raise to " + std::to_string(amount) + ": must be positive");
            e.act(amount);
          },
          "amount"_a)
      .def("deal_hole", &PokerEpisode::deal_hole, "seat"_a, "cards"_a)
      .def(
          "translate",
          [](const PokerEpisode& e, int action) {
            if (e.actor() < 0 || !e.game().betting().is_legal(e.state(), action))
              throw std::invalid_argument("action " + std::to_string(action) + " is not legal here");
            const Translation t = translate(e.game().menu(), e.game().betting(), e.state(), action);
            return std::tuple{t.low, t.high, t.low_probability};
          },
          "action"_a, "Slots low and high that a bet off the menu lies between, and the probability of low.")
      .def("strength", &PokerEpisode::strength, "seat"_a, "At showdown; the larger wins.")
      .def_prop_ro(
          "events",
          [](const PokerEpisode& e) {
            std::vector<std::tuple<int, int, int, int>> events;
            for (const auto& event : e.events())
              events.emplace_back(event.step.actor, event.step.street, event.action, event.added);
            return events;
          },
          "(seat, street, action, chips added) of every decision so far.");
  bind_episode<PokerEpisode>(episode);
}

void bind_liars_dice(nb::module_& m) {
  nb::class_<LiarsDice> game(m, "LiarsDice", "Liar's Dice; the highest face is wild.");
  game.def(nb::init<int, int, int>(), "num_dice"_a, "num_faces"_a, "num_players"_a = 2)
      .def_prop_ro("num_dice", &LiarsDice::num_dice)
      .def_prop_ro("num_faces", &LiarsDice::num_faces)
      .def_prop_ro(
          "deck", [](const LiarsDice&) { return nb::none(); }, nb::sig("def deck(self) -> None"), "None: there are no cards.")
      .def_prop_ro("action_names", [](const LiarsDice& g) {
        std::vector<std::string> names;
        for (int slot = 0; slot < g.num_actions(); ++slot) names.push_back(g.slot_text({}, slot));
        return names;
      });
  bind_game<LiarsDice, LiarsDiceEpisode>(game);

  nb::class_<LiarsDiceEpisode> episode(m, "LiarsDiceEpisode", "One episode of Liar's Dice, stepped.");
  episode.def(
      "__init__",
      [](LiarsDiceEpisode* self, std::shared_ptr<LiarsDice> g, const std::vector<std::vector<int>>& dice) {
        new (self) LiarsDiceEpisode(std::move(g), dice);
      },
      "game"_a, "dice"_a, "Given faces, from 1; an empty list is unknown.");
  bind_episode<LiarsDiceEpisode>(episode);
}

constexpr double kMostChips = 1 << 30;

void bind_explicit_game(nb::module_& m) {
  nb::class_<ExplicitGame> game(m, "ExplicitGame", "A game written out in full, to be played; arrays as in ExplicitTree.");
  game.def(
          "__init__",
          [](ExplicitGame* self, const std::string& name, double unit, double stake, ArrayIn<std::int8_t, 1> actors,
             ArrayIn<std::int32_t, 1> parents, ArrayIn<std::int32_t, 1> first_children, ArrayIn<std::int32_t, 1> num_children,
             ArrayIn<double, 1> chance_probabilities, ArrayIn<std::int32_t, 1> infosets, ArrayIn<std::int32_t, 1> terminals,
             ArrayIn<double, 2> payoffs, ArrayIn<std::int8_t, 1> infoset_actors, ArrayIn<std::int32_t, 1> infoset_num_actions,
             ArrayIn<std::uint64_t, 1> keys, std::vector<std::string> infoset_names, std::vector<std::vector<int>> slots,
             std::vector<std::vector<std::string>> texts, std::vector<std::string> action_names) {
            if (!(unit > 0 && std::isfinite(unit))) throw std::invalid_argument("unit: must be positive");
            check({static_cast<int>(payoffs.shape(1)), span_of(actors), span_of(parents), span_of(first_children),
                   span_of(num_children), span_of(chance_probabilities), span_of(infosets), span_of(terminals), span_of(payoffs),
                   span_of(infoset_actors), span_of(infoset_num_actions)});
            std::vector<std::int32_t> chips;
            for (const double payoff : span_of(payoffs)) {
              if (std::abs(payoff * unit) > kMostChips) throw std::invalid_argument("unit: payoffs are too many chips");
              chips.push_back(static_cast<std::int32_t>(std::lround(payoff * unit)));
            }
            new (self) ExplicitGame(ExplicitParts{
                name, static_cast<int>(payoffs.shape(1)), unit, stake, copied(actors), copied(parents), copied(first_children),
                copied(num_children), copied(chance_probabilities), copied(infosets), copied(terminals), std::move(chips),
                copied(keys), std::move(infoset_names), std::move(slots), std::move(texts), std::move(action_names)});
          },
          nb::kw_only(), "name"_a, "unit"_a, "stake"_a, "actors"_a, "parents"_a, "first_children"_a, "num_children"_a,
          "chance_probabilities"_a, "infosets"_a, "terminals"_a, "payoffs"_a, "infoset_actors"_a, "infoset_num_actions"_a, "keys"_a,
          "infoset_names"_a, "slots"_a, "texts"_a, "action_names"_a,
          "Checks the tree. It has a key and the slots of the actions for each infoset, and chips for 1 of the payoffs.")
      .def_prop_ro(
          "deck", [](const ExplicitGame&) { return nb::none(); }, nb::sig("def deck(self) -> None"), "None: there are no cards.")
      .def_prop_ro("action_names", &ExplicitGame::action_names)
      .def_prop_ro(
          "infoset_keys", [](const ExplicitGame& g) { return to_array(g.infoset_keys()); }, nb::rv_policy::move,
          "uint64 [infosets]: the keys that questions have.");
  bind_game<ExplicitGame, ExplicitEpisode>(game);

  nb::class_<ExplicitEpisode> episode(m, "ExplicitEpisode", "One episode of a game written out in full, stepped.");
  bind_episode<ExplicitEpisode>(episode);
}

void bind_tabular_game(nb::module_& m) {
  nb::class_<TabularGame>(m, "TabularGame", "The public view of a game written out in full: hands dealt once, then public play.")
      .def(
          "__init__",
          [](TabularGame* self, const std::string& name, double unit, std::vector<std::string> action_names,
             ArrayIn<std::int8_t, 1> actors, ArrayIn<std::int32_t, 1> first_children, ArrayIn<std::int32_t, 1> num_children,
             ArrayIn<std::int32_t, 1> slots, ArrayIn<double, 1> stakes, ArrayIn<float, 2> features, ArrayIn<double, 2> pair_weights,
             ArrayIn<std::int32_t, 1> tables, ArrayIn<double, 1> scales, ArrayIn<double, 3> payoffs,
             std::optional<ArrayIn<double, 1>> offsets) {
            const std::size_t hands = pair_weights.shape(0);
            if (pair_weights.shape(1) != hands || payoffs.shape(1) != hands || payoffs.shape(2) != hands)
              throw std::invalid_argument("the tables do not fit together");
            new (self)
                TabularGame(TabularParts{name, unit, std::move(action_names), copied(actors), copied(first_children),
                                         copied(num_children), copied(slots), copied(stakes), static_cast<int>(features.shape(1)),
                                         copied(features), static_cast<std::int64_t>(hands), copied(pair_weights), copied(tables),
                                         copied(scales), offsets ? copied(*offsets) : std::vector<double>{}, copied(payoffs)});
          },
          nb::kw_only(), "name"_a, "unit"_a, "action_names"_a, "actors"_a, "first_children"_a, "num_children"_a, "slots"_a,
          "stakes"_a, "features"_a, "pair_weights"_a, "tables"_a, "scales"_a, "payoffs"_a, "offsets"_a = nb::none(),
          "Tables as `TabularParts` in native/games/tabular_game.h has them; ValueError where they do not fit together.")
      .def_prop_ro("name", &TabularGame::name)
      .def_prop_ro("num_players", &TabularGame::num_players)
      .def_prop_ro("num_actions", &TabularGame::num_actions)
      .def_prop_ro("num_hands", &TabularGame::num_hands)
      .def_prop_ro("unit", &TabularGame::unit)
      .def_prop_ro("action_names", &TabularGame::action_names)
      .def(
          "infoset_keys",
          [](const TabularGame& g) {
            const auto nodes = static_cast<std::size_t>(g.num_nodes()), hands = static_cast<std::size_t>(g.num_hands());
            auto keys = new_array<std::uint64_t, 2>({nodes, hands});
            for (std::size_t n = 0; n < nodes; ++n)
              for (std::size_t h = 0; h < hands; ++h) {
                const TabularState state = g.at(static_cast<std::int32_t>(n));
                keys.data()[n * hands + h] = infoset_key(state.key, h, std::max(g.actor(state), 0));
              }
            return keys;
          },
          "uint64 [nodes, hands]: of a decision's actor with each hand.");
}

std::shared_ptr<DealPool> new_pool(const AnyGame& game, std::int64_t count, std::int64_t min_per_class, std::int64_t max_rejections,
                                   std::uint64_t seed) {
  nb::gil_scoped_release release;
  return make_deal_pool(game, {count, min_per_class, max_rejections, seed});
}

void bind_deal_pool(nb::module_& m) {
  nb::class_<DealPool>(m, "DealPool", "Whole deals that are drawn once: see docs/deal_pool.md.")
      .def(nb::new_(&new_pool), "game"_a, nb::kw_only(), "count"_a, "min_per_class"_a = 0, "max_rejections"_a = 500'000,
           "seed"_a = 0)
      .def("__len__", &DealPool::size)
      .def_prop_ro("num_classes", &DealPool::num_classes, "Classes of hands that a seat can be dealt.")
      .def_prop_ro("num_lacking", &DealPool::num_lacking, "Seats and classes that have fewer deals than they should.")
      .def_prop_ro("num_rejections", &DealPool::num_rejections, "Draws that were thrown away.")
      .def_prop_ro(
          "counts", [](const DealPool& p) { return to_rows(p.counts(), p.num_classes()); }, nb::rv_policy::move,
          "int64 [players, classes]: deals for a seat by the class of its hand. Deal i is for seat i % players.")
      .def_prop_ro(
          "weights", [](const DealPool& p) { return to_array(p.weights()); }, nb::rv_policy::move,
          "float32 [deals]: what each counts, so that expectations are those of the game.")
      .def_prop_ro(
          "hands", [](const DealPool& p) { return to_rows(p.hands(), p.num_players()); }, nb::rv_policy::move,
          "int32 [deals, players]");
}

}  // namespace

void bind_games(nb::module_& m) {
  m.attr("CHANCE") = kChance;
  m.attr("TERMINAL") = kTerminal;
  m.attr("NO_RAISE_CAP") = kNoRaiseCap;
  bind_rules(m);
  bind_poker(m);
  bind_liars_dice(m);
  bind_explicit_game(m);
  bind_tabular_game(m);
  bind_deal_pool(m);
}

}  // namespace regretless
