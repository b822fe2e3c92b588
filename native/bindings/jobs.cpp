// SPDX-License-Identifier: MIT
// Jobs that ask in batches. Arrays are views of the job's own memory.
#include <nanobind/ndarray.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>

#include "bindings.h"
#include "jobs/random_play.h"
#include "jobs/self_play.h"
#include "questions.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace regretless {
namespace {

using Record = nb::typed<nb::dict, nb::str, nb::any>;

template <class T, class... Sizes>
auto view(const std::vector<T>& values, nb::handle owner, Sizes... sizes) {
  return nb::ndarray<nb::numpy, const T>(values.data(), {static_cast<std::size_t>(sizes)...}, owner);
}

template <class T>
auto array(std::vector<T> values, std::vector<std::size_t> shape) {
  auto* kept = new std::vector<T>(std::move(values));
  const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nb::ndarray<nb::numpy, T>(kept->data(), shape.size(), shape.data(), owner);
}

using Probabilities = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Slots = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

std::int64_t open_batch(SelfPlay& job) {
  const Questions* questions = job.ask();
  return questions ? questions->batch : 0;
}

void require_shape(bool ok, std::int64_t rows, int columns) {
  if (ok) return;
  throw std::invalid_argument("answer: expected shape [" + std::to_string(rows) +
                              (columns > 0 ? ", " + std::to_string(columns) : "") + "]");
}

template <class G>
std::shared_ptr<SelfPlay> new_self_play(std::shared_ptr<G> game, std::int64_t episodes, int tables, int threads,
                                        std::uint64_t seed, std::int64_t first_episode, bool features, bool record) {
  nb::gil_scoped_release release;
  return make_self_play(std::move(game), {episodes, first_episode, tables, threads, seed, features, record});
}

template <class G>
void def_new(nb::class_<SelfPlay>& job) {
  job.def(nb::new_(&new_self_play<G>), "game"_a, "episodes"_a, nb::kw_only(), "tables"_a = 2048, "threads"_a = 1, "seed"_a = 0,
          "first_episode"_a = 0, "features"_a = true, "record"_a = true);
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

}  // namespace

void bind_jobs(nb::module_& m) {
  nb::class_<QuestionsView>(m, "Questions", "Decisions that wait for an answer; views, good until the next answer.")
      .def("__len__", [](const QuestionsView& q) { return q.questions->batch; })
      .def_prop_ro("features", [](nb::handle self) {
        const auto& q = nb::cast<const QuestionsView&>(self);
        const std::size_t width = q.questions->features.empty() ? 0 : static_cast<std::size_t>(q.num_features);
        return view(q.questions->features, self, q.questions->batch, width);
      }, "float32 [batch, features]")
      .def_prop_ro("legal", [](nb::handle self) {
        const auto& q = nb::cast<const QuestionsView&>(self);
        return nb::ndarray<nb::numpy, const bool>(q.questions->legal.data(),
                                                  {static_cast<std::size_t>(q.questions->batch), static_cast<std::size_t>(q.num_actions)}, self);
      }, "bool [batch, actions]")
      .def_prop_ro("actors", [](nb::handle self) {
        const auto& q = nb::cast<const QuestionsView&>(self);
        return view(q.questions->actors, self, q.questions->batch);
      }, "int32 [batch]")
      .def_prop_ro("hands", [](nb::handle self) {
        const auto& q = nb::cast<const QuestionsView&>(self);
        return view(q.questions->hands, self, q.questions->batch);
      }, "int32 [batch]: dense index of the actor's hand")
      .def_prop_ro("episodes", [](nb::handle self) {
        const auto& q = nb::cast<const QuestionsView&>(self);
        return view(q.questions->episodes, self, q.questions->batch);
      }, "int64 [batch]")
      .def_prop_ro("infosets", [](nb::handle self) {
        const auto& q = nb::cast<const QuestionsView&>(self);
        return view(q.questions->infosets, self, q.questions->batch);
      }, "uint64 [batch]: a key of what the actor knows");

  nb::class_<SelfPlay> job(m, "SelfPlay", "Episodes in bulk: ask for the open questions, answer them, until there are none.");
  def_new<Poker>(job);
  def_new<LiarsDice>(job);
  job.def_prop_ro("num_players", &SelfPlay::num_players)
      .def_prop_ro("num_actions", &SelfPlay::num_actions)
      .def_prop_ro("num_features", &SelfPlay::num_features)
      .def_prop_ro("num_decisions", &SelfPlay::num_decisions)
      .def_prop_ro("num_finished", &SelfPlay::num_finished)
      .def("ask", [](std::shared_ptr<SelfPlay> self) -> nb::object {
        const Questions* questions = self->ask();
        if (!questions) return nb::none();
        return nb::cast(QuestionsView{self, questions, self->num_features(), self->num_actions()});
      }, nb::sig("def ask(self) -> Questions | None"), "The open questions, None when every episode is over.")
      .def("answer", [](SelfPlay& self, Probabilities probabilities) {
        const std::int64_t batch = open_batch(self);
        require_shape(static_cast<std::int64_t>(probabilities.shape(0)) == batch && static_cast<int>(probabilities.shape(1)) == self.num_actions(), batch, self.num_actions());
        nb::gil_scoped_release release;
        self.answer(probabilities.data());
      }, "probabilities"_a, "float32 [batch, actions]: sampled over the legal slots; need not be normalised.")
      .def("answer_slots", [](SelfPlay& self, Slots slots) {
        const std::int64_t batch = open_batch(self);
        require_shape(static_cast<std::int64_t>(slots.shape(0)) == batch, batch, 0);
        nb::gil_scoped_release release;
        self.answer(slots.data());
      }, "slots"_a, "int32 [batch]: the slots to play.")
      .def("log", [](const SelfPlay& self) {
        EpisodeLog log = self.log();
        const auto players = static_cast<std::size_t>(self.num_players());
        const std::size_t episodes = log.offsets.size() - 1, steps = log.actors.size();
        Record result;
        result["payoffs"] = array(std::move(log.payoffs), {episodes, players});
        result["hands"] = array(std::move(log.hands), {episodes, players});
        result["offsets"] = array(std::move(log.offsets), {episodes + 1});
        result["actors"] = array(std::move(log.actors), {steps});
        result["slots"] = array(std::move(log.slots), {steps});
        result["streets"] = array(std::move(log.streets), {steps});
        return result;
      }, "Every episode in order: payoffs [episodes, players] in chips, hands [episodes, players], offsets [episodes + 1] into actors, slots and streets [steps].");

  m.def("play_random", &random_play<Poker>, "game"_a, "episodes"_a, "seed"_a = 0, "threads"_a = 1,
        "Play episodes of random legal actions, raises to any legal amount.");
  m.def("play_random", &random_play<LiarsDice>, "game"_a, "episodes"_a, "seed"_a = 0, "threads"_a = 1);
}

}  // namespace regretless
