// SPDX-License-Identifier: MIT
// Decisions that wait for an answer, as read-only views of columns.
#include "bindings.h"

#include "questions.h"

namespace regretless {
namespace {

void require_column(bool is_there, const char* option) {
  if (!is_there) throw std::logic_error("these questions came without that column: make the job with " + std::string(option));
}

constexpr char kChips[] = "chips=True", kSeeds[] = "seeds=True", kTable[] = "table=True", kHistory[] = "history=True",
               kPast[] = "past=True";

// A column with one number a row, which is empty without its option.
template <auto kColumn, const char* kOption>
auto filled_column(nb::handle self) {
  const Questions& questions = nb::cast<const Questions&>(self);
  require_column(questions.batch == 0 || !(questions.*kColumn).empty(), kOption);
  return column<kColumn>(self);
}

// A column of the table, with as many numbers a row as `kWidth` says.
template <auto kColumn, auto kWidth>
auto table_column(nb::handle self) {
  const Questions& questions = nb::cast<const Questions&>(self);
  require_column(questions.num_players > 0, kTable);
  return view(questions.*kColumn, self, questions.batch, questions.*kWidth);
}

template <auto kColumn>
auto raise_column(nb::handle self) {
  require_column(nb::cast<const Questions&>(self).num_players > 0, kTable);
  return column<kColumn>(self);
}

auto step_actions(nb::handle self) {
  const Questions& questions = nb::cast<const Questions&>(self);
  require_column(!questions.step_offsets.empty() && questions.num_players > 0, "history=True and table=True");
  return column<&Questions::step_actions>(self);
}

template <auto kColumn>
auto history_column(nb::handle self) {
  require_column(!nb::cast<const Questions&>(self).step_offsets.empty(), kHistory);
  return column<kColumn>(self);
}

template <auto kColumn>
auto past_column(nb::handle self) {
  require_column(nb::cast<const Questions&>(self).past != nullptr, kPast);
  return column<kColumn>(self);
}

}  // namespace

void bind_questions(nb::module_& m) {
  nb::class_<Questions>(m, "Questions", "Decisions that wait for an answer: read-only columns, good as long as they are held.")
      .def("__len__", [](const Questions& q) { return q.batch; })
      .def(
          "rows",
          [](nb::handle self, const std::string& encoder) {
            const Questions& q = nb::cast<const Questions&>(self);
            return rows_of(q.encoded, encoder, self, q.batch);
          },
          "encoder"_a, "uint8 [batch, row_bytes]: what the encoder of that name says, if the job was made with it.")
      .def_prop_ro(
          "legal",
          [](nb::handle self) {
            const Questions& q = nb::cast<const Questions&>(self);
            return view_bools(q.legal, self, q.batch, q.num_actions);
          },
          "bool [batch, actions]")
      .def_prop_ro("actors", &column<&Questions::actors>, "int32 [batch]")
      .def_prop_ro("hands", &column<&Questions::hands>, "int32 [batch]: dense index of the actor's hand")
      .def_prop_ro("episodes", &column<&Questions::episodes>, "int64 [batch]")
      .def_prop_ro("infosets", &column<&Questions::infosets>, "uint64 [batch]: a key of what the actor knows")
      .def_prop_ro("publics", &column<&Questions::publics>,
                   "uint64 [batch]: a key of the public state, so that rows of one public state can be grouped; the key of the "
                   "infoset in a game without public states")
      .def(
          "bucket_infosets",
          [](nb::handle self, const std::string& name) {
            const Questions& q = nb::cast<const Questions&>(self);
            for (const BucketInfosets& infosets : q.bucketed)
              if (infosets.name == name) return view(infosets.keys, self, q.batch);
            throw std::invalid_argument("there are no infosets of these buckets: make the job with buckets=[...]");
          },
          "name"_a, "uint64 [batch]: a key of what one who plays by the buckets of that name knows, if the job was made with them.")
      .def_prop_ro("pots", &filled_column<&Questions::pots, kChips>,
                   "int32 [batch]: chips in the middle; with chips=True or table=True")
      .def_prop_ro("to_calls", &filled_column<&Questions::to_calls, kChips>,
                   "int32 [batch]: chips that a call costs; with chips=True or table=True")
      .def_prop_ro("stacks", &filled_column<&Questions::stacks, kChips>,
                   "int32 [batch]: chips the actor has behind; with chips=True or table=True")
      .def_prop_ro("streets", &filled_column<&Questions::streets, kChips>, "int32 [batch]; with chips=True or table=True")
      .def_prop_ro("hand_strengths", &filled_column<&Questions::hand_strengths, kChips>,
                   "float32 [batch]: the share of hands that the actor's beats, by what he sees; with chips=True")
      .def_prop_ro("seeds", &filled_column<&Questions::seeds, kSeeds>,
                   "uint64 [batch]: a random number of the seat in the episode, the same at all its decisions; with seeds=True")
      .def_prop_ro("step_offsets", &history_column<&Questions::step_offsets>,
                   "int64 [batch + 1]: where the steps so far of each row begin; with history=True")
      .def_prop_ro("step_actors", &history_column<&Questions::step_actors>, "uint8 [steps]; with history=True")
      .def_prop_ro("step_slots", &history_column<&Questions::step_slots>, "uint8 [steps]; with history=True")
      .def_prop_ro("step_streets", &history_column<&Questions::step_streets>, "uint8 [steps]; with history=True")
      .def_prop_ro("step_actions", &step_actions,
                   "int32 [steps]: -1 a fold, 0 a check or call, else what was raised to; with history=True and table=True")
      .def_prop_ro("hole_cards", &table_column<&Questions::hole_cards, &Questions::hand_size>,
                   "uint8 [batch, hole cards]: the actor's, ascending, or his dice; with table=True")
      .def_prop_ro("boards", &table_column<&Questions::boards, &Questions::board_size>,
                   "uint8 [batch, board cards], 255 where none is dealt yet; with table=True")
      .def_prop_ro("seat_stacks", &table_column<&Questions::seat_stacks, &Questions::num_players>,
                   "int32 [batch, players]: chips behind; with table=True")
      .def_prop_ro("seat_bets", &table_column<&Questions::seat_bets, &Questions::num_players>,
                   "int32 [batch, players]: chips bet on this street; with table=True")
      .def_prop_ro(
          "live",
          [](nb::handle self) {
            const Questions& q = nb::cast<const Questions&>(self);
            require_column(q.num_players > 0, kTable);
            return view_bools(q.live, self, q.batch, q.num_players);
          },
          "bool [batch, players]: who has not folded; with table=True")
      .def_prop_ro(
          "offers", &table_column<&Questions::offers, &Questions::num_actions>,
          "int32 [batch, actions]: what each slot means, -1 a fold, 0 a check or call, else what it raises to, -2 if it is "
          "not legal; with table=True")
      .def_prop_ro("least_raises", &raise_column<&Questions::least_raises>,
                   "int32 [batch]: the least to raise to by the rules, 0 if there is no raise; with table=True")
      .def_prop_ro("most_raises", &raise_column<&Questions::most_raises>,
                   "int32 [batch]: the most to raise to by the rules, 0 if there is no raise; with table=True")
      .def_prop_ro("past_offsets", &past_column<&Questions::past_offsets>,
                   "int64 [batch + 1]: where the actor's own earlier decisions of each row begin; with past=True")
      .def_prop_ro("past_slots", &past_column<&Questions::past_slots>, "uint8 [past]: what he chose at each; with past=True")
      .def_prop_ro(
          "past",
          [](const Questions& self) {
            require_column(self.past != nullptr, kPast);
            return self.past;
          },
          "The decisions themselves, as questions of the same columns but without histories; with past=True")
      .def(
          "part",
          [](const Questions& self, ArrayIn<std::int64_t, 1> rows) {
            return std::make_shared<Questions>(self.part(span_of(rows)));
          },
          "rows"_a, "A copy of some of the rows, int64.")
      .def_static(
          "joined",
          [](const std::vector<std::shared_ptr<Questions>>& parts) {
            std::vector<const Questions*> all;
            for (const auto& part : parts) {
              if (!part) throw std::invalid_argument("joined: None is no questions");
              all.push_back(part.get());
            }
            return std::make_shared<Questions>(Questions::joined(all));
          },
          "parts"_a, "A copy of the rows of several, one after the other, with the columns that all of them have.");
}

}  // namespace regretless
