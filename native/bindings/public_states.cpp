// SPDX-License-Identifier: MIT
// The catalogue of public states.
#include "bindings.h"

#include "jobs/public_states.h"

namespace regretless {
namespace {

using Numbers = std::optional<ArrayIn<std::int32_t, 1>>;

// The rows of some states, or of all.
template <class T>
std::vector<T> rows_at(const PublicStates& self, const std::vector<T>& column, std::size_t width, const Numbers& states) {
  if (!states) return column;
  std::vector<T> rows(states->size() * width);
  for (std::size_t i = 0; i < states->size(); ++i) {
    self.check(states->data()[i]);
    std::copy_n(column.data() + static_cast<std::size_t>(states->data()[i]) * width, width, rows.data() + i * width);
  }
  return rows;
}

std::vector<std::int32_t> twin_hands(const PublicStates& self) {
  std::vector<std::int32_t> all;
  for (std::int32_t state = 0; state < self.size(); ++state) {
    const Hand* names = self.twin_hands_at(state);
    for (std::size_t h = 0; h < self.num_hands(); ++h)
      all.push_back(names ? static_cast<std::int32_t>(names[h]) : static_cast<std::int32_t>(h));
  }
  return all;
}

}  // namespace

void bind_public_states(nb::module_& m) {
  nb::class_<PublicStates>(m, "PublicStates",
                           "The catalogue of public states: numbers them on demand, 0 is the root. States of equal features share "
                           "a number.")
      .def(nb::new_([](const AnyGame& game, const std::vector<int>& board) {
             nb::gil_scoped_release release;
             return make_public_states(game, board);
           }),
           "game"_a, nb::kw_only(), "board"_a = std::vector<int>{})
      .def_prop_ro(
          "game",
          [](const PublicStates& self) {
            return std::visit(
                []<class G>(const std::shared_ptr<const G>& game) { return nb::cast(std::const_pointer_cast<G>(game)); },
                self.game());
          },
          nb::sig("def game(self) -> object"))
      .def("__len__", exclusive([](const PublicStates& self) { return self.size(); }))
      .def_prop_ro("num_hands", &PublicStates::num_hands)
      .def_prop_ro("num_features", &PublicStates::num_features)
      .def_prop_ro("num_slots", &PublicStates::num_slots)
      .def("number", exclusive([](PublicStates& self, const AnyEpisode& episode) { return self.number(episode); }), "episode"_a,
           "The number of an episode's public state.")
      .def("follow", exclusive([](PublicStates& self, const std::vector<int>& slots, const std::vector<int>& board) {
             return to_array(self.follow(slots, board));
           }),
           "slots"_a, "board"_a = std::vector<int>{},
           "The states of a line of play, [slots + 1]: before each slot and after the last. Public cards come from `board`, in "
           "its order, where they are due.")
      .def("act", exclusive([](PublicStates& self, std::int32_t state, int slot) { return self.act(state, slot); }), "state"_a,
           "slot"_a, "The state after one slot.")
      .def("deal",
           exclusive([](PublicStates& self, std::int32_t state, const std::vector<int>& cards) { return self.deal(state, cards); }),
           "state"_a, "cards"_a, "The state after public cards.")
      .def("board", exclusive([](const PublicStates& self, std::int32_t state) { return self.board(state); }), "state"_a,
           "The public cards of a state.")
      .def("actor", exclusive([](const PublicStates& self, std::int32_t state) { return self.actor(state); }), "state"_a,
           "The player to act at a state, CHANCE or TERMINAL.")
      .def("find", exclusive([](const PublicStates& self, ArrayIn<float, 2> features) {
             if (features.shape(1) != self.num_features())
               throw std::invalid_argument("features: must be [rows, " + std::to_string(self.num_features()) + "]");
             return to_array(self.find({features.data(), features.size()}));
           }),
           "features"_a, "The numbers of the decisions with these features [rows, features]; ValueError for features never met.")
      .def("root_ranges", exclusive([](const PublicStates& self) { return to_rows(self.root_ranges(), self.num_hands()); }),
           "Weights of the hands by the rules: [2, hands].")
      .def("features", exclusive([](const PublicStates& self, const Numbers& states) {
             return to_rows(rows_at(self, self.features(), self.num_features(), states), self.num_features());
           }),
           "states"_a = nb::none(), "Network inputs of some states or of all: [states, features].")
      .def("stakes", exclusive([](const PublicStates& self, const Numbers& states) {
             return to_array(rows_at(self, self.stakes(), 1, states));
           }),
           "states"_a = nb::none(), "Chips that are played for: [states].")
      .def("legal", exclusive([](const PublicStates& self, const Numbers& states) {
             return to_rows(rows_at(self, self.legal(), self.num_slots(), states), self.num_slots());
           }),
           "states"_a = nb::none(), "1 for legal slots: [states, slots].")
      .def("possible", exclusive([](const PublicStates& self, const Numbers& states) {
             return to_rows(rows_at(self, self.possible(), self.num_hands(), states), self.num_hands());
           }),
           "states"_a = nb::none(), "1 for hands that hold no public card: [states, hands].")
      .def("twins", exclusive([](const PublicStates& self) {
             std::vector<std::int32_t> all;
             for (std::int32_t state = 0; state < self.size(); ++state) all.push_back(self.twin(state));
             return to_array(std::move(all));
           }),
           "The first state that each one becomes by renaming suits, which questions are asked about: [states].")
      .def("twin_hands", exclusive([](const PublicStates& self) { return to_rows(twin_hands(self), self.num_hands()); }),
           "The name of each hand at the twin: [states, hands].");
}

}  // namespace regretless
