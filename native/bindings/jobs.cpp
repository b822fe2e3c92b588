// SPDX-License-Identifier: MIT
// Episodes in bulk, the luck in them, local best response, and questions about any spots.
#include "bindings.h"

#include "jobs/board_luck.h"
#include "jobs/bot_match.h"
#include "jobs/lbr_play.h"
#include "jobs/random_play.h"
#include "jobs/self_play.h"
#include "jobs/spot_questions.h"
#include "jobs/style_counts.h"
#include "questions.h"

namespace regretless {
namespace {

using Record = nb::typed<nb::dict, nb::str, nb::any>;
using IntArray = ArrayIn<std::int32_t, 1>;

std::shared_ptr<SelfPlay> new_self_play(const AnyGame& game, std::optional<std::int64_t> episodes, int tables, int threads,
                                        std::uint64_t seed, std::int64_t first_episode, std::int64_t copies, bool record,
                                        bool record_rows, bool record_answers, bool record_ends, std::vector<std::string> encoders,
                                        bool chips, bool history, bool seeds, bool past, bool table, const BucketsList& buckets) {
  SelfPlayOptions options{episodes,
                          first_episode,
                          tables,
                          threads,
                          seed,
                          copies,
                          record,
                          record_rows,
                          record_answers,
                          record_ends,
                          question_options(std::move(encoders), chips, history, seeds, past, table, buckets)};
  nb::gil_scoped_release release;
  return make_self_play(game, options);
}

void def_new(nb::class_<SelfPlay>& job) {
  job.def(nb::new_(&new_self_play), "game"_a, "episodes"_a = nb::none(), nb::kw_only(), "tables"_a = 2048, "threads"_a = 1,
          "seed"_a = 0, "first_episode"_a = 0, "copies"_a = 1, "record"_a = true, "record_rows"_a = false,
          "record_answers"_a = false, "record_ends"_a = false, "encoders"_a = std::vector<std::string>{}, "chips"_a = false,
          "history"_a = false, "seeds"_a = false, "past"_a = false, "table"_a = false, "buckets"_a = BucketsList{});
}

using Bytes = ArrayIn<std::uint8_t, 1>;

Record by_name(const std::vector<std::int64_t>& counts) {
  const std::size_t players = counts.size() / kStyleCounts.size();
  Record found;
  for (std::size_t i = 0; i < kStyleCounts.size() && players > 0; ++i)
    found[kStyleCounts[i]] = to_array(std::vector(counts.begin() + i * players, counts.begin() + (i + 1) * players));
  return found;
}

Record styles(ArrayIn<std::int32_t, 2> payoffs, ArrayIn<std::int64_t, 1> offsets, Bytes actors, Bytes slots, Bytes streets,
              Bytes can_fold, int num_streets) {
  const StyleSteps steps{payoffs.shape(1), num_streets,    span_of(payoffs), span_of(offsets),
                         span_of(actors),  span_of(slots), span_of(streets), span_of(can_fold)};
  return by_name(without_gil([&] { return count_styles(steps).counts(); }));
}

Record bot_match(const AnyGame& game, std::vector<BotRule> rules, std::int64_t first_deal, std::int64_t deals, std::uint64_t seed,
                 int threads) {
  BotMatch match = without_gil([&] { return play_bots(game, {std::move(rules), first_deal, deals, seed, threads}); });
  Record found = by_name(match.styles);
  found["payoffs"] = to_rows(std::move(match.payoffs), match.num_players);
  return found;
}

void bind_bots(nb::module_& m) {
  nb::class_<BotRule>(m, "BotRule", "A bot whose rule is one sentence, as data: see matches/bots.py.")
      .def(nb::new_([](bool at_random, double bets_from, double raises_from, double calls_from, bool calls_by_odds,
                       double raise_size, bool bids) {
             if (!(raise_size >= 0 && raise_size <= 1)) throw std::invalid_argument("raise_size: must be 0 to 1");
             return BotRule{at_random, bets_from, raises_from, calls_from, calls_by_odds, raise_size, bids};
           }),
           nb::kw_only(), "at_random"_a = false, "bets_from"_a = BotRule::kNever, "raises_from"_a = BotRule::kNever,
           "calls_from"_a = 0.0, "calls_by_odds"_a = false, "raise_size"_a = 1.0, "bids"_a = false)
      .def_prop_ro("looks", &BotRule::looks, "Whether it reads the strength of its hand, and chips.")
      .def(
          "answers",
          [](const BotRule& self, const Questions& questions) {
            return to_rows(bot_answers(self, questions), questions.num_actions);
          },
          "questions"_a, "float32 [batch, actions]: the slot of each row, chosen for sure.");
  m.def("play_bots", &bot_match, "game"_a, "rules"_a, "first_deal"_a, "deals"_a, "seed"_a = 0, "threads"_a = 1,
        "Plays deals in all their copies: payoffs int32 [episodes, players] and, in poker, the counts behind styles by name.");
  m.def("count_styles", &styles, "payoffs"_a, "offsets"_a, "actors"_a, "slots"_a, "streets"_a, "can_fold"_a, "num_streets"_a,
        "The counts behind figures of style by name, int64 [players], from the columns of steps; can_fold is 0 or 1.");
}

void require_ends(const SelfPlay& job) {
  if (job.ended().empty()) throw std::logic_error("ends were not recorded: make the job with record_ends=True");
}

// A column of steps, or of episodes, with as many numbers as `kWidth` says.
template <auto kColumn, auto kWidth>
auto steps_table(nb::handle self) {
  const Steps& steps = nb::cast<const Steps&>(self);
  const auto& values = steps.*kColumn;
  const std::size_t width = steps.*kWidth;
  const std::size_t rows = width > 0 ? values.size() / width : steps.offsets.size() - 1;
  return view(values, self, rows, width);
}

void bind_steps(nb::module_& m) {
  nb::class_<Steps>(m, "Steps", "Whole episodes in the order of their numbers, and their steps in the order of play.")
      .def("__len__", [](const Steps& s) { return s.actors.size(); })
      .def_ro("first_episode", &Steps::first_episode, "The number of the first episode here.")
      .def_prop_ro("num_episodes", [](const Steps& s) { return s.offsets.size() - 1; })
      .def_prop_ro("payoffs", &steps_table<&Steps::payoffs, &Steps::num_players>, "int32 [episodes, players]: chips won")
      .def_prop_ro("hands", &steps_table<&Steps::hands, &Steps::num_players>, "int32 [episodes, players]")
      .def_prop_ro("boards", &steps_table<&Steps::boards, &Steps::num_board_cards>, "uint8 [episodes, board cards], as dealt")
      .def_prop_ro("offsets", &column<&Steps::offsets>, "int64 [episodes + 1]: where the steps of each episode begin")
      .def_prop_ro("episodes", &column<&Steps::episodes>, "int64 [steps]: less first_episode, rows of payoffs and hands")
      .def_prop_ro("actors", &column<&Steps::actors>, "uint8 [steps]")
      .def_prop_ro("slots", &column<&Steps::slots>, "uint8 [steps]: chosen")
      .def_prop_ro("streets", &column<&Steps::streets>, "uint8 [steps]")
      .def_prop_ro("infosets", &column<&Steps::infosets>, "uint64 [steps]")
      .def_prop_ro("stakes", &column<&Steps::stakes>, "float32 [steps]: what lay in the pot, in units")
      .def_prop_ro("next", &column<&Steps::next>, "int64 [steps]: the same seat's next step, -1 if it has none")
      .def_prop_ro(
          "legal",
          [](nb::handle self) {
            const Steps& s = nb::cast<const Steps&>(self);
            return view_bools(s.legal, self, s.actors.size(), s.num_actions);
          },
          "bool [steps, actions]")
      .def_prop_ro(
          "answers",
          [](nb::handle self) {
            const Steps& s = nb::cast<const Steps&>(self);
            if (s.answers.empty() && !s.actors.empty())
              throw std::logic_error("answers were not recorded: make the job with record_answers=True");
            return view(s.answers, self, s.actors.size(), s.num_actions);
          },
          "float32 [steps, actions]: what was answered, 0 where not legal; with record_answers=True")
      .def(
          "rows",
          [](nb::handle self, const std::string& encoder) {
            const Steps& s = nb::cast<const Steps&>(self);
            if (s.encoded.empty()) throw std::invalid_argument("rows were not recorded: make the job with record_rows=True");
            return rows_of(s.encoded, encoder, self, static_cast<std::int64_t>(s.actors.size()));
          },
          "encoder"_a, "uint8 [steps, row_bytes]: what the encoder of that name said; with record_rows=True")
      .def(
          "columns",
          [](nb::handle self) {
            const Steps& s = nb::cast<const Steps&>(self);
            Record found = attributes(self, {"payoffs", "hands", "boards", "offsets", "episodes", "actors", "slots", "streets",
                                             "infosets", "stakes", "next", "legal"});
            if (!s.answers.empty()) found["answers"] = self.attr("answers");
            for (const EncodedRows& rows : s.encoded) found[("rows/" + rows.name).c_str()] = self.attr("rows")(rows.name);
            return found;
          },
          "All arrays by name; the rows of an encoder as `rows/NAME`.");
}

Record random_play(const AnyGame& game, std::int64_t episodes, std::uint64_t seed, int threads) {
  if (episodes < 0) throw std::invalid_argument("episodes: must not be negative");
  if (threads < 1 || threads > 1024) throw std::invalid_argument("threads: must be 1 to 1,024");
  RandomPlay totals = without_gil([&] { return play_random(game, episodes, seed, threads); });
  Record result;
  result["episodes"] = totals.episodes;
  result["decisions"] = totals.decisions;
  result["payoffs"] = std::move(totals.payoffs);
  return result;
}

using Hands = ArrayIn<std::int32_t, 2>;
using Boards = ArrayIn<std::uint8_t, 2>;
using Offsets = ArrayIn<std::int64_t, 1>;
using StepSlots = ArrayIn<std::uint8_t, 1>;
using ValueTables = ArrayIn<float, 4>;

Record runouts(const Poker& game, Hands hands, Boards boards, Offsets offsets, StepSlots slots, std::int64_t copies,
               std::int64_t first_deal, int samples, std::uint64_t seed, int threads) {
  const PlayedEpisodes played{span_of(hands), span_of(boards), span_of(offsets), span_of(slots), copies, first_deal};
  BoardRecord found = without_gil([&] { return follow_runouts(game, played, {samples, seed, threads}); });
  const std::size_t episodes = offsets.size() - 1, steps = slots.size(), deals = episodes / static_cast<std::size_t>(copies);
  const auto streets = static_cast<std::size_t>(game.rules().num_streets);
  Record result;
  result["equities"] = to_array(std::move(found.equities), {deals, streets + 1});
  result["cells"] = to_array(std::move(found.cells), {deals, streets + 1});
  result["pots"] = to_array(std::move(found.pots), {episodes, streets});
  result["is_all_in"] = to_array(std::move(found.is_all_in), {episodes, streets});
  result["step_pots"] = to_array(std::move(found.step_pots), {steps});
  return result;
}

auto luck(const Poker& game, Hands hands, Boards boards, Offsets offsets, StepSlots slots, IntArray pot_limits, ValueTables bases,
          ValueTables slopes, std::int64_t copies, std::int64_t first_deal, int samples, std::uint64_t seed, int threads) {
  const PlayedEpisodes played{span_of(hands), span_of(boards), span_of(offsets), span_of(slots), copies, first_deal};
  const RunoutValues values{copied(pot_limits), copied(bases), copied(slopes)};
  std::vector<double> found = without_gil([&] { return follow_luck(game, played, values, {samples, seed, threads}); });
  return to_array(std::move(found), {offsets.size() - 1, static_cast<std::size_t>(game.rules().num_streets)});
}

auto starting_strengths(const Poker& game) {
  const HandStrengths<Poker> strengths(game);
  const PokerState root = game.betting().root();
  std::vector<float> found;
  for (Hand hand = 0; hand < game.num_hands(); ++hand) {
    PokerDeal deal;
    game.set_hand(deal, 0, hand);
    found.push_back(strengths(root, deal, 0));
  }
  return to_array(std::move(found));
}

// Local best response.

ResponseMenu parse_menu(const std::string& name) {
  if (name == "fold-call") return ResponseMenu::kFoldCall;
  if (name == "all-in") return ResponseMenu::kAllIn;
  if (name == "bets") return ResponseMenu::kBets;
  throw std::invalid_argument("menu: must be fold-call, all-in or bets, not '" + name + "'");
}

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
             require_shape(self.ask(), self.num_actions(), probabilities);
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

// Questions about any spots, with every hand.

std::unique_ptr<SpotQuestions> ask_at(const AnyGame& game, const std::vector<AnyEpisode>& episodes,
                                      const std::optional<ArrayIn<Hand, 1>>& hands,
                                      const std::optional<std::vector<std::int64_t>>& numbers, std::uint64_t seed,
                                      const std::vector<std::string>& encoders, bool chips, bool history, bool seeds, bool past,
                                      bool table, const BucketsList& buckets) {
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

void bind_spot_questions(nb::module_& m) {
  nb::class_<SpotQuestions>(m, "SpotQuestions", "Questions about a list of spots, with a row for each hand at each of them.")
      .def("__len__", &SpotQuestions::num_rows)
      .def_prop_ro(
          "offsets",
          [](nb::handle self) {
            const auto& offsets = nb::cast<const SpotQuestions&>(self).offsets();
            return view(offsets, self, offsets.size());
          },
          "int64 [spots + 1]: where the rows of each spot begin; its rows are in the order of hands, or of those given.")
      .def("ask", &SpotQuestions::ask, "begin"_a, "end"_a, nb::call_guard<nb::gil_scoped_release>(),
           "The rows from begin to before end, at most 2^20.");
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

}  // namespace

void bind_jobs(nb::module_& m) {
  bind_steps(m);
  bind_lbr_play(m);
  bind_spot_questions(m);
  bind_bots(m);
  nb::class_<SelfPlay> job(
      m, "SelfPlay",
      "Episodes in bulk: ask for the open questions and answer them, until there are none, or without an end if "
      "episodes is None.");
  def_new(job);
  job.def_prop_ro("num_players", &SelfPlay::num_players)
      .def_prop_ro("num_actions", &SelfPlay::num_actions)
      .def_prop_ro("num_decisions", exclusive(&SelfPlay::num_decisions))
      .def_prop_ro("num_finished", exclusive(&SelfPlay::num_finished))
      .def("ask", exclusive(&ask<SelfPlay>), nb::sig("def ask(self) -> Questions | None"),
           "The open questions, None when every episode is over.")
      .def(
          "answer", exclusive([](SelfPlay& self, ArrayIn<float, 2> probabilities, std::optional<ArrayIn<float, 2>> recorded) {
            require_shape(self.ask(), self.num_actions(), probabilities);
            if (recorded) require_shape(self.ask(), self.num_actions(), *recorded);
            const float* kept = recorded ? recorded->data() : nullptr;
            nb::gil_scoped_release release;
            self.answer(probabilities.data(), kept);
          }),
          "probabilities"_a, "recorded"_a = nb::none(),
          "float32 [batch, actions]: sampled over the legal slots; need not be normalised. With record_answers=True the steps keep "
          "`recorded` in the place of the probabilities, if it is given.")
      .def("answer_slots", exclusive([](SelfPlay& self, IntArray slots) {
             const auto questions = self.ask();
             const std::size_t rows = questions ? static_cast<std::size_t>(questions->batch) : 0;
             if (slots.size() != rows) throw std::invalid_argument("answer: expected shape [" + std::to_string(rows) + "]");
             nb::gil_scoped_release release;
             self.answer(slots.data());
           }),
           "slots"_a, "int32 [batch]: the slots to play; where it is WAIT the table waits, and asks the same again.")
      .def("ended", exclusive([](SelfPlay& self) {
             require_ends(self);
             auto ended = new_array<bool, 1>({self.ended().size()});
             std::ranges::copy(self.ended(), ended.data());
             return ended;
           }),
           "bool [tables]: whether the last answers ended the table's episode; with record_ends=True.")
      .def("end_payoffs", exclusive([](SelfPlay& self) {
             require_ends(self);
             const auto players = static_cast<std::size_t>(self.num_players());
             return to_array(std::vector<std::int32_t>(self.end_payoffs()), {self.ended().size(), players});
           }),
           "int32 [tables, players]: chips won in the episodes that the last answers ended, 0 where none has; with "
           "record_ends=True. "
           "An episode right after in which nobody is asked is left out.")
      .def("take_steps", exclusive([](SelfPlay& self) {
             nb::gil_scoped_release release;
             return std::make_shared<Steps>(self.take_steps());
           }),
           "The episodes that are over and were not yet taken, up to the first that is still played. Put together, what many calls "
           "return is the same whatever the tables and threads. What is not taken is kept, so take it now and then.");

  m.attr("WAIT") = kWait;
  m.attr("NUM_CELLS") = kNumCells;
  m.def("follow_runouts", &runouts, "game"_a, "hands"_a, "boards"_a, "offsets"_a, "slots"_a, nb::kw_only(), "copies"_a = 1,
        "first_deal"_a = 0, "samples"_a = 256, "seed"_a = 0, "threads"_a = 1,
        "Two-player poker, from a log: equities of seat 0 and cells [deals, streets + 1] as the cards came (hole cards "
        "first), pots [episodes, streets] as they came (0: they did not), is_all_in [episodes, streets], step_pots [steps].");
  m.def("follow_luck", &luck, "game"_a, "hands"_a, "boards"_a, "offsets"_a, "slots"_a, "pot_limits"_a, "bases"_a, "slopes"_a,
        nb::kw_only(), "copies"_a = 1, "first_deal"_a = 0, "samples"_a = 256, "seed"_a = 0, "threads"_a = 1,
        "The luck of seat 0 with the cards of each street, float64 [episodes, streets] in chips, by values that are shares of "
        "the pot: bases + slopes (2 equity - 1), each [copies, streets, pot classes, cells].");
  m.def("starting_strengths", &starting_strengths, "game"_a, "float32 [hands]: hand strengths before the board.");
  m.def("play_random", &random_play, "game"_a, "episodes"_a, "seed"_a = 0, "threads"_a = 1,
        "Play episodes of random legal actions, raises to any legal amount.");
}

}  // namespace regretless
