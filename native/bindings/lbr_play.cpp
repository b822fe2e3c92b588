// SPDX-License-Identifier: MIT
// Local best response, in batches of questions.
#include "bindings.h"

#include "jobs/lbr_play.h"
#include "questions.h"

namespace regretless {
namespace {

ResponseMenu parse_menu(const std::string& name) {
  if (name == "fold-call") return ResponseMenu::kFoldCall;
  if (name == "all-in") return ResponseMenu::kAllIn;
  if (name == "bets") return ResponseMenu::kBets;
  throw std::invalid_argument("menu: must be fold-call, all-in or bets, not '" + name + "'");
}

}  // namespace

void bind_lbr_play(nb::module_& m) {
  nb::class_<LbrPlay>(m, "LbrPlay",
                      "Local best response in bulk: asks what a strategy would do with every hand, and plays against it.")
      .def(nb::new_([](std::shared_ptr<Poker> game, std::int64_t episodes, std::int64_t first_episode, const std::string& menu,
                       int tables, int threads, std::uint64_t seed, int rollouts, std::vector<std::string> encoders, bool chips,
                       bool history, bool seeds, bool past, bool table, const BucketsList& buckets) {
             const LbrPlayOptions options{episodes,
                                          parse_menu(menu),
                                          tables,
                                          threads,
                                          seed,
                                          rollouts,
                                          question_options(std::move(encoders), chips, history, seeds, past, table, buckets),
                                          first_episode};
             nb::gil_scoped_release release;
             return std::make_shared<LbrPlay>(std::move(game), options);
           }),
           "game"_a, "episodes"_a, nb::kw_only(), "first_episode"_a = 0, "menu"_a = "bets", "tables"_a = LbrPlayOptions{}.tables,
           "threads"_a = 1, "seed"_a = 0, "rollouts"_a = LbrPlayOptions{}.rollouts, "encoders"_a = std::vector<std::string>{},
           "chips"_a = false, "history"_a = false, "seeds"_a = false, "past"_a = false, "table"_a = false,
           "buckets"_a = BucketsList{})
      .def_prop_ro("num_actions", &LbrPlay::num_actions)
      .def_prop_ro("num_finished", exclusive(&LbrPlay::num_finished), "Episodes that are over.")
      .def_prop_ro("num_questions", exclusive(&LbrPlay::num_questions), "Rows answered so far.")
      .def("ask", exclusive(&ask<LbrPlay>), nb::sig("def ask(self) -> Questions | None"),
           "One row for each hand that the other may hold, None when every episode is over.")
      .def("answer", exclusive([](LbrPlay& self, ArrayIn<float, 2> probabilities) {
             require_shape(self, probabilities);
             nb::gil_scoped_release release;
             self.answer(probabilities.data());
           }),
           "probabilities"_a, "float32 [batch, actions]: of the legal slots; need not be normalised.")
      .def("ranges", exclusive([](const LbrPlay& self) {
             OpenRanges open = self.ranges();
             return std::pair{to_array(std::move(open.episodes)), to_rows(std::move(open.ranges), self.num_hands())};
           }),
           "Episodes [open] of the tables that wait, and the opponent's ranges [open, hands], each of sum 1.")
      .def("payoffs", exclusive([](const LbrPlay& self) { return to_array(self.payoffs()); }),
           "Chips that the responder won, [episodes]; he sits in seat 0 in even episodes, in seat 1 in odd ones.")
      .def("values", exclusive([](const LbrPlay& self) { return to_array(self.values()); }),
           "Expected payoffs, given the responder's hand and the betting, [episodes]: the same mean, less noise.")
      .def("hands", exclusive([](const LbrPlay& self) { return to_rows(self.hands(), 2); }),
           "Dense indices of the hands, [episodes, players].");
}

}  // namespace regretless
