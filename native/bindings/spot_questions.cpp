// SPDX-License-Identifier: MIT
// Questions about any spots, with every hand.
#include "bindings.h"

#include "jobs/spot_questions.h"
#include "questions.h"

namespace regretless {
namespace {

using Hands = std::optional<ArrayIn<Hand, 1>>;
using Numbers = std::optional<std::vector<std::int64_t>>;

std::unique_ptr<SpotQuestions> ask_at(const AnyGame& game, const std::vector<AnyEpisode>& episodes, const Hands& hands,
                                      const Numbers& numbers, std::uint64_t seed, const std::vector<std::string>& encoders,
                                      bool chips, bool history, bool seeds, bool past, bool table, const BucketsList& buckets) {
  std::optional<std::vector<Hand>> given;
  if (hands) given.emplace(hands->data(), hands->data() + hands->size());
  nb::gil_scoped_release release;
  return ask_spots(game, episodes, numbers, std::move(given),
                   {seed, question_options(encoders, chips, history, seeds, past, table, buckets)});
}

std::unique_ptr<SpotQuestions> everywhere(const AnyGame& game, std::uint64_t seed, const std::vector<std::string>& encoders,
                                          bool chips, bool history, bool seeds, bool past, bool table, const BucketsList& buckets) {
  nb::gil_scoped_release release;
  return ask_everywhere(game, {seed, question_options(encoders, chips, history, seeds, past, table, buckets)});
}

}  // namespace

void bind_spot_questions(nb::module_& m) {
  nb::class_<SpotQuestions>(m, "SpotQuestions", "Questions about a list of spots, with a row for each hand at each of them.")
      .def("__len__", &SpotQuestions::num_rows)
      .def_prop_ro(
          "offsets",
          [](nb::handle self) {
            const auto& offsets = nb::cast<const SpotQuestions&>(self).offsets();
            return nb::ndarray<nb::numpy, const std::int64_t, nb::ndim<1>>(offsets.data(), {offsets.size()}, self);
          },
          "int64 [spots + 1]: where the rows of each spot begin; its rows are in the order of hands, or of those given.")
      .def("ask", &SpotQuestions::ask, "begin"_a, "end"_a, nb::call_guard<nb::gil_scoped_release>(),
           "The rows from begin to before end, at most `MAX_ROWS`.")
      .def_ro_static("MAX_ROWS", &SpotQuestions::kMaxRows);
  m.def(
      "ask_at", &ask_at, "game"_a, "episodes"_a, "hands"_a = nb::none(), nb::kw_only(), "numbers"_a = nb::none(), "seed"_a = 0,
      "encoders"_a = std::vector<std::string>{}, "chips"_a = false, "history"_a = false, "seeds"_a = false, "past"_a = false,
      "table"_a = false, "buckets"_a = BucketsList{},
      "Ask at the public state of each episode about these hands, int32, of whoever is to act, or about all that the public cards "
      "leave. Seeds are those of a job with this seed in episodes of these numbers (0 without). ValueError where nobody is to "
      "act, and after a bet that is not on the menu.");
  m.def("ask_everywhere", &everywhere, "game"_a, nb::kw_only(), "seed"_a = 0, "encoders"_a = std::vector<std::string>{},
        "chips"_a = false, "history"_a = false, "seeds"_a = false, "past"_a = false, "table"_a = false, "buckets"_a = BucketsList{},
        "Ask at every decision of the game, in the order of the public tree, about all hands; ValueError if they are too many.");
}

}  // namespace regretless
