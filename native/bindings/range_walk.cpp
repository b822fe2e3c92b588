// SPDX-License-Identifier: MIT
// Local best response, in batches of questions.
#include "jobs/range_walk.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include <stdexcept>

#include "arrays.h"
#include "bindings.h"
#include "questions.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace regretless {
namespace {

ResponseMenu parse_menu(const std::string& name) {
  if (name == "fold-call") return ResponseMenu::kFoldCall;
  if (name == "all-in") return ResponseMenu::kAllIn;
  if (name == "bets") return ResponseMenu::kBets;
  throw std::invalid_argument("menu: must be fold-call, all-in or bets, not '" + name + "'");
}

template <class T, int kDimensions>
auto copy(const std::vector<T>& values, const std::size_t (&shape)[kDimensions]) {
  auto array = new_array<T>(shape);
  std::copy(values.begin(), values.end(), array.data());
  return array;
}

}  // namespace

void bind_range_walk(nb::module_& m) {
  nb::class_<RangeWalk>(m, "RangeWalk",
                        "Local best response in bulk: asks what a strategy would do with every hand, and plays against it.")
      .def(nb::new_([](std::shared_ptr<Poker> game, std::int64_t episodes, const std::string& menu, int tables, int threads,
                       std::uint64_t seed, int rollouts, bool features, bool chips, bool history, bool seeds) {
             const RangeWalkOptions options{
                 episodes, parse_menu(menu), tables, threads, seed, rollouts, question_options(features, chips, history, seeds)};
             nb::gil_scoped_release release;
             return std::make_shared<RangeWalk>(std::move(game), options);
           }),
           "game"_a, "episodes"_a, nb::kw_only(), "menu"_a = "bets", "tables"_a = RangeWalkOptions{}.tables, "threads"_a = 1,
           "seed"_a = 0, "rollouts"_a = RangeWalkOptions{}.rollouts, "features"_a = true, "chips"_a = false, "history"_a = false,
           "seeds"_a = false)
      .def_prop_ro("num_actions", &RangeWalk::num_actions)
      .def_prop_ro("num_features", &RangeWalk::num_features)
      .def_prop_ro("num_finished", &RangeWalk::num_finished, "Episodes that are over.")
      .def_prop_ro("num_questions", &RangeWalk::num_questions, "Rows answered so far.")
      .def("ask", &ask<RangeWalk>, nb::sig("def ask(self) -> Questions | None"),
           "One row for each hand that the other may hold, None when every episode is over.")
      .def(
          "answer",
          [](RangeWalk& self, ArrayIn<float, 2> probabilities) {
            require_shape(self, probabilities);
            nb::gil_scoped_release release;
            self.answer(probabilities.data());
          },
          "probabilities"_a, "float32 [batch, actions]: of the legal slots; need not be normalised.")
      .def(
          "ranges",
          [](const RangeWalk& self) {
            const OpenRanges open = self.ranges();
            return std::pair{copy(open.episodes, {open.episodes.size()}),
                             copy(open.ranges, {open.episodes.size(), static_cast<std::size_t>(self.num_hands())})};
          },
          "Of the tables that wait: episodes [open] and the range of the other [open, hands], each of sum 1.")
      .def(
          "payoffs", [](const RangeWalk& self) { return copy(self.payoffs(), {self.payoffs().size()}); },
          "Chips that the responder won, [episodes]; he sits in seat 0 in even episodes, in seat 1 in odd ones.")
      .def(
          "values", [](const RangeWalk& self) { return copy(self.values(), {self.values().size()}); },
          "What the payoffs are expected to be, given the responder's hand and the betting, [episodes]: the same mean, less noise.")
      .def(
          "hands", [](const RangeWalk& self) { return copy(self.hands(), {self.hands().size() / 2, 2}); },
          "Dense indices of the hands, [episodes, players].");
}

}  // namespace regretless
