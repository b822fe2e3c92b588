// SPDX-License-Identifier: MIT
// Questions about any spots, with every hand.
#include "jobs/spot_questions.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>

#include "arrays.h"
#include "bindings.h"
#include "games/liars_dice_episode.h"
#include "games/poker_episode.h"
#include "questions.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace regretless {
namespace {

using Hands = std::optional<ArrayIn<Hand, 1>>;
using Numbers = std::optional<std::vector<std::int64_t>>;

// The public states of some episodes; `numbers` are their numbers, 0 without.
template <class G, class E>
std::vector<AskedState<G>> asked_states(const G& game, const std::vector<const E*>& episodes, const Numbers& numbers) {
  if (numbers && numbers->size() != episodes.size()) throw std::invalid_argument("numbers: must be as many as there are episodes");
  std::vector<AskedState<G>> states;
  for (std::size_t i = 0; i < episodes.size(); ++i) {
    if (episodes[i] == nullptr || &episodes[i]->game() != &game)
      throw std::invalid_argument("episode " + std::to_string(i) + ": is not of this game");
    states.push_back({episodes[i]->state(), episodes[i]->steps(), numbers ? (*numbers)[i] : 0});
  }
  return states;
}

template <class G, class E>
std::unique_ptr<SpotQuestions> at(std::shared_ptr<G> game, const std::vector<const E*>& episodes, const Hands& hands,
                                  const Numbers& numbers, std::uint64_t seed, const std::vector<std::string>& encoders, bool chips,
                                  bool history, bool seeds, bool past, bool table, const BucketsList& buckets) {
  std::vector<AskedState<G>> states = asked_states(*game, episodes, numbers);
  std::optional<std::vector<Hand>> given;
  if (hands) given.emplace(hands->data(), hands->data() + hands->size());
  nb::gil_scoped_release release;
  return ask_spots(std::move(game), std::move(states), std::move(given),
                   {seed, question_options(encoders, chips, history, seeds, past, table, buckets)});
}

template <class G>
std::unique_ptr<SpotQuestions> everywhere(std::shared_ptr<G> game, std::uint64_t seed, const std::vector<std::string>& encoders,
                                          bool chips, bool history, bool seeds, bool past, bool table, const BucketsList& buckets) {
  nb::gil_scoped_release release;
  return ask_everywhere(std::move(game), {seed, question_options(encoders, chips, history, seeds, past, table, buckets)});
}

template <class G, class E>
void def_asking(nb::module_& m) {
  m.def(
      "ask_at", &at<G, E>, "game"_a, "episodes"_a, "hands"_a = nb::none(), nb::kw_only(), "numbers"_a = nb::none(), "seed"_a = 0,
      "encoders"_a = std::vector<std::string>{}, "chips"_a = false, "history"_a = false, "seeds"_a = false, "past"_a = false,
      "table"_a = false, "buckets"_a = BucketsList{},
      "Ask at the public state of each episode about these hands, int32, of whoever is to act, or about all that the public cards "
      "leave. Seeds are those of a job with this seed in episodes of these numbers (0 without). ValueError where nobody is to "
      "act, and after a bet that is not on the menu.");
  m.def("ask_everywhere", &everywhere<G>, "game"_a, nb::kw_only(), "seed"_a = 0, "encoders"_a = std::vector<std::string>{},
        "chips"_a = false, "history"_a = false, "seeds"_a = false, "past"_a = false, "table"_a = false, "buckets"_a = BucketsList{},
        "Ask at every decision of the game, in the order of the public tree, about all hands; ValueError if they are too many.");
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
  def_asking<Poker, PokerEpisode>(m);
  def_asking<LiarsDice, LiarsDiceEpisode>(m);
  def_asking<ExplicitGame, ExplicitEpisode>(m);
}

}  // namespace regretless
