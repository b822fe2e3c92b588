// SPDX-License-Identifier: MIT
#include "jobs/self_play.h"

#include <limits>

#include "jobs/answers.h"
#include "jobs/lent.h"
#include "threads/thread_pool.h"

namespace regretless {
namespace {

template <Game G>
class SelfPlayOf final : public SelfPlay {
 public:
  SelfPlayOf(std::shared_ptr<const G> game, const SelfPlayOptions& options)
      : game_(std::move(game)),
        options_(options),
        end_(options.episodes.value_or(std::numeric_limits<std::int64_t>::max() - options.first_episode)),
        writer_(game_, options.questions, options.seed),
        pool_(options.threads) {
    options_.tables = static_cast<int>(std::min<std::int64_t>(options_.tables, std::max<std::int64_t>(end_, 1)));
    tables_.resize(static_cast<std::size_t>(options_.tables));
    if (options_.record_ends) {
      ended_.resize(tables_.size());
      end_payoffs_.resize(tables_.size() * static_cast<std::size_t>(num_players()));
    }
    shares_.resize(static_cast<std::size_t>(pool_.size()));
    pool_.run([&](int thread) {
      Share& share = shares_[thread];
      const std::int64_t tables = options_.tables;
      share.first = static_cast<int>(tables * thread / pool_.size());
      share.last = static_cast<int>(tables * (thread + 1) / pool_.size());
      for (int t = share.first; t < share.last; ++t) {
        tables_[t].next = t;
        sit_down(tables_[t]);
        play_on(tables_[t], share);
      }
    });
    std::ranges::fill(ended_, std::uint8_t{0});
    write_questions();
  }

  int num_players() const override { return game_->num_players(); }
  int num_actions() const override { return game_->num_actions(); }
  const std::vector<std::uint8_t>& ended() const override { return ended_; }
  const std::vector<std::int32_t>& end_payoffs() const override { return end_payoffs_; }
  std::int64_t num_decisions() const override {
    std::int64_t sum = 0;
    for (const Share& share : shares_) sum += share.num_decisions;
    return sum;
  }
  std::int64_t num_finished() const override {
    std::int64_t sum = 0;
    for (const Share& share : shares_) sum += share.num_finished;
    return sum;
  }

  std::shared_ptr<const Questions> ask() const override { return questions_->batch > 0 ? questions_.share() : nullptr; }

  void answer(const float* probabilities, const float* recorded) override {
    if (recorded == nullptr) recorded = probabilities;
    const int actions = num_actions();
    sums_.resize(static_cast<std::size_t>(questions_->batch));
    check(
        [&](std::int64_t row) {
          const ActionMask legal = legal_mask(asked_->legal.data() + row * actions, static_cast<std::size_t>(actions));
          return (sums_[static_cast<std::size_t>(row)] = legal_sum(legal, probabilities + row * actions)) > 0;
        },
        kNoDistribution);
    advance([&](std::int64_t row, Table& table) {
      if (options_.record_answers) record_answer(table, row, recorded + row * actions);
      return sample_slot(table.choices.legal(), probabilities + row * actions, sums_[static_cast<std::size_t>(row)], table.random);
    });
  }

  void answer(const std::int32_t* slots) override {
    const int actions = num_actions();
    check(
        [&](std::int64_t row) {
          if (slots[row] == kWait) return true;
          return slots[row] >= 0 && slots[row] < actions && questions_->legal[row * actions + slots[row]] != 0;
        },
        "the slot is not legal");
    advance([&](std::int64_t row, Table& table) {
      if (options_.record_answers && slots[row] != kWait) {
        table.answers.resize(table.answers.size() + static_cast<std::size_t>(actions));
        table.answers[table.answers.size() - static_cast<std::size_t>(actions - slots[row])] = 1;
      }
      return slots[row];
    });
  }

  Steps take_steps() override {
    if (!options_.record_steps) throw std::logic_error("this job was told not to record its steps");
    Steps steps = room_for_steps();
    pool_.run([&](int thread) {
      for (int t = shares_[thread].first; t < shares_[thread].last; ++t) move_steps(tables_[t], t, steps);
    });
    next_taken_ += static_cast<std::int64_t>(steps.offsets.size()) - 1;
    return steps;
  }

 private:
  // A step with what was asked before it.
  struct Decision {
    Step step;
    ActionMask legal;
    std::uint64_t infoset;
    float stake;
  };

  // An episode that is over.
  struct Finished {
    std::size_t num_steps;
    std::array<std::int32_t, kMaxPlayers> payoffs, hands;
    std::array<std::uint8_t, kMaxBoardCards> board;
  };

  // Table t plays episodes t, t + tables, t + 2 tables, ...
  struct Table {
    typename G::State state;
    typename G::Deal deal;
    Random random{0};
    std::int64_t episode = 0;  // from 0
    std::int64_t next = 0;
    std::vector<Step> history;         // of this episode
    Choices<G> choices;                // where it waits
    bool is_waiting = false;           // for an answer
    // Steps that were not yet taken, those of this episode included.
    std::vector<Finished> finished;
    std::vector<Decision> decisions;
    std::vector<std::uint8_t> rows;    // [decisions, row bytes of all encoders]
    std::vector<float> answers;        // [decisions, actions]
  };

  static constexpr int kAhead = 2;  // tables that are fetched before their turn

  // The tables of one thread.
  struct alignas(64) Share {
    int first = 0, last = 0;
    std::int64_t first_row = 0, num_rows = 0, num_steps = 0, num_past = 0, num_finished = 0, num_decisions = 0;
  };

  void sit_down(Table& table) const {
    table.is_waiting = false;
    table.history.clear();
    if (table.next >= end_) return;
    table.is_waiting = true;
    table.episode = table.next;
    table.next += options_.tables;
    const std::int64_t episode = options_.first_episode + table.episode;
    Random deck{options_.seed, static_cast<std::uint64_t>(episode / options_.copies)};
    table.deal = game_->deal(deck);
    table.random = Random{options_.seed, static_cast<std::uint64_t>(episode), 1};
    table.state = game_->root();
  }

  // Plays until somebody has to decide, through the end of this episode and into the next ones if need be.
  void play_on(Table& table, Share& share) {
    while (table.is_waiting) {
      const Player actor = game_->actor(table.state);
      if (actor >= 0) return table.choices.find(*game_, table.state);
      if (actor == kChance) {
        game_->reveal(table.state, table.deal);
        continue;
      }
      finish(table);
      if (options_.record_ends) note_end(table);
      ++share.num_finished;
      sit_down(table);
    }
  }

  void finish(Table& table) const {
    if (!options_.record_steps) return;
    Finished& end = table.finished.emplace_back();
    end.num_steps = table.history.size();
    game_->payoffs(table.state, table.deal, {end.payoffs.data(), static_cast<std::size_t>(num_players())});
    for (Player p = 0; p < num_players(); ++p) end.hands[p] = game_->hand(table.deal, p);
    if constexpr (std::is_same_v<G, Poker>) end.board = table.deal.board;
  }

  void note_end(const Table& table) {
    const auto t = static_cast<std::size_t>(&table - tables_.data()), players = static_cast<std::size_t>(num_players());
    if (ended_[t] != 0) return;  // another one has ended in the same answers
    ended_[t] = 1;
    game_->payoffs(table.state, table.deal, {end_payoffs_.data() + t * players, players});
  }

  void record(Table& table, std::size_t row, const Step& step, float stake) const {
    table.decisions.push_back({step, table.choices.legal(), asked_->infosets[row], stake});
    if (!options_.record_rows) return;
    for (const EncodedRows& rows : asked_->encoded) {
      const std::uint8_t* bytes = rows.bytes.data() + row * rows.row_bytes;
      table.rows.insert(table.rows.end(), bytes, bytes + rows.row_bytes);
    }
  }

  void record_answer(Table& table, std::int64_t row, const float* probabilities) const {
    const std::uint8_t* legal = asked_->legal.data() + row * num_actions();
    for (int a = 0; a < num_actions(); ++a) table.answers.push_back(legal[a] != 0 ? probabilities[a] : 0.f);
  }

  // Arrays for the episodes from the next one to take up to the first that is not over, with their offsets.
  Steps room_for_steps() const {
    Steps steps;
    std::int64_t end = end_;
    for (std::int64_t t = 0; t < options_.tables; ++t)
      end = std::min(end, first_kept(t) + static_cast<std::int64_t>(tables_[t].finished.size()) * options_.tables);
    const auto episodes = static_cast<std::size_t>(end - next_taken_);
    steps.first_episode = options_.first_episode + next_taken_;
    steps.num_players = static_cast<std::size_t>(num_players());
    steps.num_actions = static_cast<std::size_t>(num_actions());
    if constexpr (std::is_same_v<G, Poker>) steps.num_board_cards = static_cast<std::size_t>(game_->rules().num_board_cards());
    steps.offsets.push_back(0);
    for (std::int64_t e = next_taken_; e < end; ++e) {
      const std::int64_t t = e % options_.tables;
      const auto at = static_cast<std::size_t>((e - first_kept(t)) / options_.tables);
      steps.offsets.push_back(steps.offsets.back() + static_cast<std::int64_t>(tables_[t].finished[at].num_steps));
    }
    const auto fit = [](std::size_t size, auto&... columns) { (columns.resize(size), ...); };
    const auto size = static_cast<std::size_t>(steps.offsets.back());
    fit(episodes * steps.num_players, steps.payoffs, steps.hands);
    fit(episodes * steps.num_board_cards, steps.boards);
    fit(size, steps.episodes, steps.actors, steps.slots, steps.streets, steps.infosets, steps.stakes, steps.next);
    fit(size * steps.num_actions, steps.legal);
    if (options_.record_answers) fit(size * steps.num_actions, steps.answers);
    for (const EncodedRows& rows : questions_->encoded)
      if (options_.record_rows)
        steps.encoded.push_back({rows.name, rows.row_bytes, std::vector<std::uint8_t>(size * rows.row_bytes)});
    return steps;
  }

  // The first episode that table t has not handed out.
  std::int64_t first_kept(std::int64_t t) const {
    const std::int64_t rounds = next_taken_ / options_.tables, rest = next_taken_ % options_.tables;
    return (rounds + (t < rest)) * options_.tables + t;
  }

  // The episodes of a table that there is room for.
  void move_steps(Table& table, std::int64_t t, Steps& steps) const {
    const auto end = next_taken_ + static_cast<std::int64_t>(steps.offsets.size()) - 1;
    std::size_t episodes = 0, decisions = 0;
    for (std::int64_t e = first_kept(t); e < end; e += options_.tables) {
      const Finished& finished = table.finished[episodes++];
      const auto number = static_cast<std::size_t>(e - next_taken_);
      std::copy_n(finished.payoffs.begin(), steps.num_players, steps.payoffs.begin() + number * steps.num_players);
      std::copy_n(finished.hands.begin(), steps.num_players, steps.hands.begin() + number * steps.num_players);
      std::copy_n(finished.board.begin(), steps.num_board_cards, steps.boards.begin() + number * steps.num_board_cards);
      const auto first = static_cast<std::size_t>(steps.offsets[number]);
      for (std::size_t i = 0; i < finished.num_steps; ++i)
        write_step(steps, first + i, table.decisions[decisions + i], options_.first_episode + e);
      copy_rows(table, decisions, finished.num_steps, first, steps);
      link_steps(steps, first, finished.num_steps);
      decisions += finished.num_steps;
    }
    const auto drop = [](auto& values, std::size_t count) { values.erase(values.begin(), values.begin() + count); };
    drop(table.finished, episodes);
    if (options_.record_rows) drop(table.rows, decisions * row_bytes());
    if (options_.record_answers) drop(table.answers, decisions * steps.num_actions);
    drop(table.decisions, decisions);
  }

  static void write_step(Steps& steps, std::size_t at, const Decision& decision, std::int64_t episode) {
    steps.episodes[at] = episode;
    steps.actors[at] = decision.step.actor;
    steps.slots[at] = decision.step.slot;
    steps.streets[at] = decision.step.street;
    steps.infosets[at] = decision.infoset;
    steps.stakes[at] = decision.stake;
    for (std::size_t a = 0; a < steps.num_actions; ++a) steps.legal[at * steps.num_actions + a] = decision.legal >> a & 1;
  }

  std::size_t row_bytes() const {
    std::size_t bytes = 0;
    for (const EncodedRows& rows : questions_->encoded) bytes += rows.row_bytes;
    return bytes;
  }

  void copy_rows(const Table& table, std::size_t from, std::size_t count, std::size_t to, Steps& steps) const {
    const std::uint8_t* bytes = table.rows.data() + from * row_bytes();
    for (std::size_t i = 0; i < count; ++i)
      for (EncodedRows& rows : steps.encoded) {
        std::copy_n(bytes, rows.row_bytes, rows.bytes.data() + (to + i) * rows.row_bytes);
        bytes += rows.row_bytes;
      }
    if (options_.record_answers)
      std::copy_n(table.answers.begin() + from * steps.num_actions, count * steps.num_actions,
                  steps.answers.begin() + to * steps.num_actions);
  }

  static void link_steps(Steps& steps, std::size_t first, std::size_t count) {
    std::array<std::int64_t, kMaxPlayers> later;
    later.fill(-1);
    for (std::size_t i = first + count; i-- > first;) {
      steps.next[i] = later[steps.actors[i]];
      later[steps.actors[i]] = static_cast<std::int64_t>(i);
    }
  }

  template <class IsGood>
  void check(IsGood is_good, const char* problem) {
    if (questions_->batch == 0) throw std::logic_error("there is no open question to answer");
    const std::int64_t bad = first_bad_row(questions_->batch, pool_, is_good);
    if (bad < questions_->batch) throw std::invalid_argument("answer, row " + std::to_string(bad) + ": " + problem);
  }

  // Tables do not fit into the nearest caches: the next ones are brought there in time.
  void fetch(int t, int last) const {
    if (t >= last) return;
    const char* table = reinterpret_cast<const char*>(&tables_[t]);
    for (std::size_t at = 0; at < sizeof(Table); at += 64) __builtin_prefetch(table + at, 1);
  }

  template <class Choose>
  void advance(Choose choose) {
    if (options_.record_ends) {
      std::ranges::fill(ended_, std::uint8_t{0});
      std::ranges::fill(end_payoffs_, 0);
    }
    // Without an end every table waits again, so its row is known beforehand and written while the table is at hand.
    const bool writes_at_once = !options_.episodes && !options_.questions.with_history && !options_.questions.with_past;
    Questions* next = nullptr;
    if (writes_at_once) {
      next = &questions_.renew();
      writer_.resize(*next, tables_.size(), 0);
    }
    pool_.run([&](int thread) {
      Share& share = shares_[thread];
      std::int64_t row = share.first_row;
      for (int t = share.first; t < share.last; ++t) {
        fetch(t + kAhead, share.last);
        Table& table = tables_[t];
        if (!table.is_waiting) continue;
        const int slot = choose(row, table);
        if (slot != kWait) {
          const float stake = options_.record_steps ? static_cast<float>(game_->stake(table.state) / game_->unit()) : 0;
          table.history.push_back(table.choices.take(*game_, table.state, slot));
          if (options_.record_steps) record(table, static_cast<std::size_t>(row), table.history.back(), stake);
          ++share.num_decisions;
          play_on(table, share);
        }
        QuestionCursor cursor{static_cast<std::size_t>(row++)};
        if (writes_at_once) write_question(*next, cursor, table);
      }
    });
    if (writes_at_once)
      asked_ = next;
    else
      write_questions();
  }

  void write_question(Questions& questions, QuestionCursor& cursor, const Table& table) const {
    const auto spot = writer_.spot(table.state, table.history, options_.first_episode + table.episode, table.choices.legal());
    writer_.write(questions, cursor, spot, table.deal);
  }

  void write_questions() {
    pool_.run([&](int thread) {
      Share& share = shares_[thread];
      share.num_rows = share.num_steps = share.num_past = 0;
      for (int t = share.first; t < share.last; ++t) {
        if (!tables_[t].is_waiting) continue;
        ++share.num_rows;
        share.num_steps += static_cast<std::int64_t>(tables_[t].history.size());
        if (options_.questions.with_past)
          share.num_past += static_cast<std::int64_t>(count_own(tables_[t].history, game_->actor(tables_[t].state)));
      }
    });
    std::vector<QuestionCursor> cursors(shares_.size() + 1);
    for (std::size_t i = 0; i < shares_.size(); ++i) {
      shares_[i].first_row = static_cast<std::int64_t>(cursors[i].row);
      cursors[i + 1] = {cursors[i].row + static_cast<std::size_t>(shares_[i].num_rows),
                        cursors[i].step + static_cast<std::size_t>(shares_[i].num_steps),
                        cursors[i].past + static_cast<std::size_t>(shares_[i].num_past)};
    }
    writer_.resize(questions_.renew(), cursors.back().row, cursors.back().step, cursors.back().past);
    pool_.run([&](int thread) {
      QuestionCursor cursor = cursors[static_cast<std::size_t>(thread)];
      for (int t = shares_[thread].first; t < shares_[thread].last; ++t) {
        fetch(t + kAhead, shares_[thread].last);
        const Table& table = tables_[t];
        if (!table.is_waiting) continue;
        write_question(*questions_, cursor, table);
      }
    });
    asked_ = &*questions_;
  }

  std::shared_ptr<const G> game_;
  SelfPlayOptions options_;
  std::int64_t end_;  // of the episodes, from 0
  QuestionWriter<G> writer_;
  ThreadPool pool_;
  std::vector<Table> tables_;
  std::vector<Share> shares_;
  Lent<Questions> questions_;
  const Questions* asked_ = nullptr;  // the questions that are open
  std::vector<std::uint8_t> ended_;  // [tables], of the last answers
  std::vector<std::int32_t> end_payoffs_;  // [tables, players]
  std::vector<float> sums_;  // [batch]: of the probabilities that were answered
  std::int64_t next_taken_ = 0;  // the first episode that was not handed out, from 0
};

void validate(const SelfPlayOptions& options) {
  if (options.episodes.value_or(0) < 0) throw std::invalid_argument("episodes: must not be negative");
  if (options.tables < 1 || options.tables > 1 << 22) throw std::invalid_argument("tables: must be 1 to 4,194,304");
  if (options.threads < 1 || options.threads > 1024) throw std::invalid_argument("threads: must be 1 to 1,024");
  if (!options.record_steps && (options.record_rows || options.record_answers))
    throw std::invalid_argument("record: rows and answers are recorded with the steps only");
  if (options.copies < 1) throw std::invalid_argument("copies: must be 1 or more");
  if (options.first_episode < 0) throw std::invalid_argument("first_episode: must not be negative");
  if (options.first_episode > std::numeric_limits<std::int64_t>::max() - options.episodes.value_or(1))
    throw std::invalid_argument("first_episode: too large");
}

}  // namespace

std::unique_ptr<SelfPlay> make_self_play(const AnyGame& any, const SelfPlayOptions& options) {
  validate(options);
  return with_game(any, "self-play needs episodes", [&]<EpisodeGame G>(std::shared_ptr<const G> game) -> std::unique_ptr<SelfPlay> {
    return std::make_unique<SelfPlayOf<G>>(std::move(game), options);
  });
}

}  // namespace regretless
