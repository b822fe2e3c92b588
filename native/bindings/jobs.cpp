// SPDX-License-Identifier: MIT
// Episodes in bulk, and the luck in them.
#include <nanobind/ndarray.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>

#include "arrays.h"
#include "bindings.h"
#include "games/hand_strengths.h"
#include "jobs/board_luck.h"
#include "jobs/random_play.h"
#include "jobs/self_play.h"
#include "questions.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace regretless {
namespace {

using Record = nb::typed<nb::dict, nb::str, nb::any>;

template <class T>
auto array(std::vector<T> values, std::vector<std::size_t> shape) {
  auto* kept = new std::vector<T>(std::move(values));
  const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nb::ndarray<nb::numpy, T>(kept->data(), shape.size(), shape.data(), owner);
}

using Slots = ArrayIn<std::int32_t, 1>;

template <class G>
std::shared_ptr<SelfPlay> new_self_play(std::shared_ptr<G> game, std::int64_t episodes, int tables, int threads, std::uint64_t seed,
                                        std::int64_t first_episode, bool record, std::int64_t copies, bool features, bool chips,
                                        bool history, bool seeds) {
  nb::gil_scoped_release release;
  return make_self_play(std::move(game), {episodes, first_episode, tables, threads, seed, record, copies,
                                          question_options(features, chips, history, seeds)});
}

template <class G>
void def_new(nb::class_<SelfPlay>& job) {
  job.def(nb::new_(&new_self_play<G>), "game"_a, "episodes"_a, nb::kw_only(), "tables"_a = 2048, "threads"_a = 1, "seed"_a = 0,
          "first_episode"_a = 0, "record"_a = true, "copies"_a = 1, "features"_a = true, "chips"_a = false, "history"_a = false,
          "seeds"_a = false);
}

template <class G>
Record random_play(std::shared_ptr<G> game, std::int64_t episodes, std::uint64_t seed, int threads) {
  if (episodes < 0) throw std::invalid_argument("episodes: must not be negative");
  if (threads < 1 || threads > 1024) throw std::invalid_argument("threads: must be 1 to 1,024");
  const RandomPlay totals = [&] {
    nb::gil_scoped_release release;
    return play_random(*game, episodes, seed, threads);
  }();
  Record result;
  result["episodes"] = totals.episodes;
  result["decisions"] = totals.decisions;
  result["payoffs"] = std::vector<std::int64_t>(totals.payoffs.begin(), totals.payoffs.begin() + game->num_players());
  return result;
}

template <class Array>
auto span_of(const Array& array) {
  return std::span{array.data(), array.size()};
}

using IntArray = ArrayIn<std::int32_t, 1>;
using Hands = ArrayIn<std::int32_t, 2>;
using Boards = ArrayIn<std::uint8_t, 2>;
using Offsets = ArrayIn<std::int64_t, 1>;
using StepSlots = ArrayIn<std::uint8_t, 1>;
using ValueTables = ArrayIn<float, 4>;

Record runouts(const Poker& game, Hands hands, Boards boards, Offsets offsets, StepSlots slots, std::int64_t copies,
               std::int64_t first_deal, int samples, std::uint64_t seed, int threads) {
  const PlayedEpisodes played{span_of(hands), span_of(boards), span_of(offsets), span_of(slots), copies, first_deal};
  BoardRecord found = [&] {
    nb::gil_scoped_release release;
    return follow_runouts(game, played, {samples, seed, threads});
  }();
  const std::size_t episodes = offsets.size() - 1, steps = slots.size(), deals = episodes / static_cast<std::size_t>(copies);
  const auto streets = static_cast<std::size_t>(game.rules().num_streets);
  Record result;
  result["equities"] = array(std::move(found.equities), {deals, streets + 1});
  result["cells"] = array(std::move(found.cells), {deals, streets + 1});
  result["pots"] = array(std::move(found.pots), {episodes, streets});
  result["is_all_in"] = array(std::move(found.is_all_in), {episodes, streets});
  result["step_pots"] = array(std::move(found.step_pots), {steps});
  return result;
}

auto luck(const Poker& game, Hands hands, Boards boards, Offsets offsets, StepSlots slots, IntArray pot_limits, ValueTables bases,
          ValueTables slopes, std::int64_t copies, std::int64_t first_deal, int samples, std::uint64_t seed, int threads) {
  const PlayedEpisodes played{span_of(hands), span_of(boards), span_of(offsets), span_of(slots), copies, first_deal};
  const RunoutValues values{{pot_limits.data(), pot_limits.data() + pot_limits.size()},
                            {bases.data(), bases.data() + bases.size()},
                            {slopes.data(), slopes.data() + slopes.size()}};
  std::vector<double> found = [&] {
    nb::gil_scoped_release release;
    return follow_luck(game, played, values, {samples, seed, threads});
  }();
  return array(std::move(found), {offsets.size() - 1, static_cast<std::size_t>(game.rules().num_streets)});
}

auto starting_strengths(const Poker& game) {
  const HandStrengths<Poker> strengths(game);
  const PokerState root = game.betting().root();
  std::vector<float> found;
  for (Hand hand = 0; hand < game.num_hands(); ++hand) {
    PokerDeal deal;
    CardSet set = subset_at(static_cast<std::uint32_t>(hand), game.rules().num_hole_cards);
    for (Card& card : deal.hole[0]) {
      if (set == 0) break;
      card = static_cast<Card>(std::countr_zero(set));
      set &= set - 1;
    }
    found.push_back(strengths(root, deal, 0));
  }
  const std::size_t size = found.size();
  return array(std::move(found), {size});
}

}  // namespace

void bind_jobs(nb::module_& m) {
  nb::class_<SelfPlay> job(m, "SelfPlay", "Episodes in bulk: ask for the open questions, answer them, until there are none.");
  def_new<Poker>(job);
  def_new<LiarsDice>(job);
  job.def_prop_ro("num_players", &SelfPlay::num_players)
      .def_prop_ro("num_actions", &SelfPlay::num_actions)
      .def_prop_ro("num_features", &SelfPlay::num_features)
      .def_prop_ro("num_decisions", &SelfPlay::num_decisions)
      .def_prop_ro("num_finished", &SelfPlay::num_finished)
      .def("ask", &ask<SelfPlay>, nb::sig("def ask(self) -> Questions | None"),
           "The open questions, None when every episode is over.")
      .def(
          "answer",
          [](SelfPlay& self, ArrayIn<float, 2> probabilities) {
            require_shape(self, probabilities);
            nb::gil_scoped_release release;
            self.answer(probabilities.data());
          },
          "probabilities"_a, "float32 [batch, actions]: sampled over the legal slots; need not be normalised.")
      .def(
          "answer_slots",
          [](SelfPlay& self, Slots slots) {
            const auto questions = self.ask();
            const std::size_t rows = questions ? static_cast<std::size_t>(questions->batch) : 0;
            if (slots.size() != rows) throw std::invalid_argument("answer: expected shape [" + std::to_string(rows) + "]");
            nb::gil_scoped_release release;
            self.answer(slots.data());
          },
          "slots"_a, "int32 [batch]: the slots to play.")
      .def(
          "log",
          [](const SelfPlay& self) {
            EpisodeLog log = self.log();
            const auto players = static_cast<std::size_t>(self.num_players());
            const std::size_t episodes = log.offsets.size() - 1, steps = log.actors.size();
            Record result;
            result["payoffs"] = array(std::move(log.payoffs), {episodes, players});
            result["hands"] = array(std::move(log.hands), {episodes, players});
            result["boards"] = array(std::move(log.boards), {episodes, static_cast<std::size_t>(self.num_board_cards())});
            result["offsets"] = array(std::move(log.offsets), {episodes + 1});
            result["actors"] = array(std::move(log.actors), {steps});
            result["slots"] = array(std::move(log.slots), {steps});
            result["streets"] = array(std::move(log.streets), {steps});
            result["could_fold"] = array(std::move(log.could_fold), {steps});
            return result;
          },
          "Every episode in order: payoffs [episodes, players] in chips, hands [episodes, players], boards [episodes, board "
          "cards], offsets [episodes + 1] into actors, slots, streets and could_fold (slot 0 was legal) [steps].");

  m.attr("NUM_CELLS") = kNumCells;
  m.def("follow_runouts", &runouts, "game"_a, "hands"_a, "boards"_a, "offsets"_a, "slots"_a, nb::kw_only(), "copies"_a = 1,
        "first_deal"_a = 0, "samples"_a = 256, "seed"_a = 0, "threads"_a = 1,
        "Of two-player poker, from a log: equities of seat 0 and cells [deals, streets + 1] as the cards came (hole cards "
        "first), pots [episodes, streets] as they came (0: they did not), is_all_in [episodes, streets], step_pots [steps].");
  m.def("follow_luck", &luck, "game"_a, "hands"_a, "boards"_a, "offsets"_a, "slots"_a, "pot_limits"_a, "bases"_a, "slopes"_a,
        nb::kw_only(), "copies"_a = 1, "first_deal"_a = 0, "samples"_a = 256, "seed"_a = 0, "threads"_a = 1,
        "How lucky seat 0 was with the cards of each street, float64 [episodes, streets] in chips, by values that are shares of "
        "the pot: bases + slopes (2 equity - 1), each [copies, streets, pot classes, cells].");
  m.def("starting_strengths", &starting_strengths, "game"_a, "float32 [hands]: hand strengths before the board.");
  m.def("play_random", &random_play<Poker>, "game"_a, "episodes"_a, "seed"_a = 0, "threads"_a = 1,
        "Play episodes of random legal actions, raises to any legal amount.");
  m.def("play_random", &random_play<LiarsDice>, "game"_a, "episodes"_a, "seed"_a = 0, "threads"_a = 1);
}

}  // namespace regretless
