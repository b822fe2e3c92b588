// SPDX-License-Identifier: MIT
#include "jobs/self_play.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "threads/thread_pool.h"

namespace regretless {
namespace {

template <Game G>
class SelfPlayOf final : public SelfPlay {
 public:
  SelfPlayOf(std::shared_ptr<const G> game, const SelfPlayOptions& options)
      : game_(std::move(game)), options_(options), writer_(game_, options.questions, options.seed), pool_(options.threads) {
    options_.tables = static_cast<int>(std::min<std::int64_t>(options_.tables, std::max<std::int64_t>(options_.episodes, 1)));
    const auto players = static_cast<std::size_t>(num_players());
    tables_.resize(static_cast<std::size_t>(options_.tables));
    shares_.resize(static_cast<std::size_t>(pool_.size()));
    payoffs_.resize(static_cast<std::size_t>(options_.episodes) * players);
    hands_.resize(static_cast<std::size_t>(options_.episodes) * players);
    boards_.resize(static_cast<std::size_t>(options_.episodes) * static_cast<std::size_t>(num_board_cards()));
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
    write_questions();
  }

  int num_players() const override { return game_->num_players(); }
  int num_actions() const override { return game_->num_actions(); }
  int num_features() const override { return game_->num_features(); }
  int num_board_cards() const override {
    if constexpr (std::is_same_v<G, Poker>) return game_->rules().num_board_cards();
    return 0;
  }
  std::int64_t num_decisions() const override { return num_decisions_; }
  std::int64_t num_finished() const override {
    std::int64_t sum = 0;
    for (const Share& share : shares_) sum += share.num_finished;
    return sum;
  }

  std::shared_ptr<const Questions> ask() const override { return questions_->batch > 0 ? questions_ : nullptr; }

  void answer(const float* probabilities) override {
    const int actions = num_actions();
    check([&](std::int64_t row) { return is_distribution(row, probabilities + row * actions); },
          "the probabilities of the legal slots must be finite, not negative and not all zero");
    advance([&](std::int64_t row, Table& table) { return sample(row, probabilities + row * actions, table.random); });
  }

  void answer(const std::int32_t* slots) override {
    const int actions = num_actions();
    check(
        [&](std::int64_t row) {
          return slots[row] >= 0 && slots[row] < actions && questions_->legal[row * actions + slots[row]] != 0;
        },
        "the slot is not legal");
    advance([&](std::int64_t row, Table&) { return slots[row]; });
  }

  EpisodeLog log() const override {
    if (questions_->batch > 0) throw std::logic_error("episodes are still being played: answer the open questions first");
    if (!options_.record_steps) throw std::logic_error("this job was told not to record its steps");
    EpisodeLog log{payoffs_, hands_, boards_, {0}, {}, {}, {}, {}};
    std::vector<std::size_t> read_steps(tables_.size()), read_lengths(tables_.size());
    for (std::int64_t e = 0; e < options_.episodes; ++e) {
      const std::size_t t = static_cast<std::size_t>(e % options_.tables);
      const Table& table = tables_[t];
      for (std::int32_t left = table.lengths[read_lengths[t]++]; left > 0; --left) {
        log.could_fold.push_back(table.could_fold[read_steps[t]]);
        const Step& step = table.steps[read_steps[t]++];
        log.actors.push_back(step.actor);
        log.slots.push_back(step.slot);
        log.streets.push_back(step.street);
      }
      log.offsets.push_back(static_cast<std::int64_t>(log.actors.size()));
    }
    return log;
  }

 private:
  // Table t plays episodes t, t + tables, t + 2 tables, ...
  struct Table {
    typename G::State state;
    typename G::Deal deal;
    Random random{0};
    std::int64_t episode = 0;  // from 0
    std::int64_t next = 0;
    std::vector<Step> history;         // of this episode
    std::vector<Step> steps;           // of the episodes that are over
    std::vector<std::uint8_t> could_fold;  // [steps], and of this episode
    std::vector<std::int32_t> lengths;
    bool is_waiting = false;           // for an answer
  };

  // The tables of one thread.
  struct alignas(64) Share {
    int first = 0, last = 0;
    std::int64_t first_row = 0, num_rows = 0, num_steps = 0, num_finished = 0;
  };

  void sit_down(Table& table) const {
    table.is_waiting = false;
    table.history.clear();
    if (table.next >= options_.episodes) return;
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
      if (actor >= 0) return;
      if (actor == kChance) {
        game_->reveal(table.state, table.deal);
        continue;
      }
      finish(table);
      ++share.num_finished;
      sit_down(table);
    }
  }

  void finish(Table& table) {
    const auto players = static_cast<std::size_t>(num_players());
    const std::size_t row = static_cast<std::size_t>(table.episode) * players;
    game_->payoffs(table.state, table.deal, {payoffs_.data() + row, players});
    for (std::size_t p = 0; p < players; ++p) hands_[row + p] = game_->hand(table.deal, static_cast<Player>(p));
    if constexpr (std::is_same_v<G, Poker>)
      std::copy_n(table.deal.board.begin(), num_board_cards(), boards_.begin() + table.episode * num_board_cards());
    if (!options_.record_steps) return;
    table.lengths.push_back(static_cast<std::int32_t>(table.history.size()));
    table.steps.insert(table.steps.end(), table.history.begin(), table.history.end());
  }

  bool is_distribution(std::int64_t row, const float* probabilities) const {
    const std::uint8_t* legal = questions_->legal.data() + row * num_actions();
    float sum = 0, least = 0;
    for (int a = 0; a < num_actions(); ++a) {
      if (legal[a] == 0) continue;
      sum += probabilities[a];
      least = std::min(least, probabilities[a]);
    }
    return least >= 0 && sum > 0 && std::isfinite(sum);
  }

  int sample(std::int64_t row, const float* probabilities, Random& random) const {
    const std::uint8_t* legal = questions_->legal.data() + row * num_actions();
    float sum = 0;
    for (int a = 0; a < num_actions(); ++a) sum += legal[a] != 0 ? probabilities[a] : 0.f;
    float left = random.uniform() * sum;
    int chosen = -1;
    for (int a = 0; a < num_actions(); ++a) {
      if (legal[a] == 0 || probabilities[a] <= 0) continue;
      chosen = a;  // rounding may leave a crumb of `left` after the last one
      left -= probabilities[a];
      if (left < 0) break;
    }
    return chosen;
  }

  template <class IsGood>
  void check(IsGood is_good, const char* problem) {
    if (questions_->batch == 0) throw std::logic_error("there is no open question to answer");
    std::atomic<std::int64_t> bad = questions_->batch;
    pool_.run([&](int thread) {
      const Share& share = shares_[thread];
      for (std::int64_t row = share.first_row; row < share.first_row + share.num_rows; ++row) {
        if (is_good(row)) continue;
        for (std::int64_t seen = bad; row < seen && !bad.compare_exchange_weak(seen, row);) {
        }
        break;
      }
    });
    if (bad < questions_->batch) throw std::invalid_argument("answer, row " + std::to_string(bad) + ": " + problem);
  }

  template <class Choose>
  void advance(Choose choose) {
    num_decisions_ += questions_->batch;
    pool_.run([&](int thread) {
      Share& share = shares_[thread];
      std::int64_t row = share.first_row;
      for (int t = share.first; t < share.last; ++t) {
        Table& table = tables_[t];
        if (!table.is_waiting) continue;
        if (options_.record_steps) table.could_fold.push_back(questions_->legal[row * num_actions()]);
        const int slot = choose(row++, table);
        table.history.push_back(
            {static_cast<std::uint8_t>(game_->actor(table.state)), static_cast<std::uint8_t>(slot), street(table.state)});
        game_->act(table.state, slot);
        play_on(table, share);
      }
    });
    write_questions();
  }

  static std::uint8_t street(const typename G::State& state) {
    if constexpr (requires { state.street; }) return state.street;
    return 0;
  }

  void write_questions() {
    pool_.run([&](int thread) {
      Share& share = shares_[thread];
      share.num_rows = share.num_steps = 0;
      for (int t = share.first; t < share.last; ++t) {
        if (!tables_[t].is_waiting) continue;
        ++share.num_rows;
        share.num_steps += static_cast<std::int64_t>(tables_[t].history.size());
      }
    });
    std::vector<QuestionCursor> cursors(shares_.size() + 1);
    for (std::size_t i = 0; i < shares_.size(); ++i) {
      shares_[i].first_row = static_cast<std::int64_t>(cursors[i].row);
      cursors[i + 1] = {cursors[i].row + static_cast<std::size_t>(shares_[i].num_rows),
                        cursors[i].step + static_cast<std::size_t>(shares_[i].num_steps)};
    }
    questions_ = buffers_.next();
    writer_.resize(*questions_, cursors.back().row, cursors.back().step);
    pool_.run([&](int thread) {
      QuestionCursor cursor = cursors[static_cast<std::size_t>(thread)];
      for (int t = shares_[thread].first; t < shares_[thread].last; ++t) {
        const Table& table = tables_[t];
        if (!table.is_waiting) continue;
        writer_.write(*questions_, cursor, writer_.spot(table.state, table.history, options_.first_episode + table.episode),
                      table.deal);
      }
    });
  }

  std::shared_ptr<const G> game_;
  SelfPlayOptions options_;
  QuestionWriter<G> writer_;
  ThreadPool pool_;
  std::vector<Table> tables_;
  std::vector<Share> shares_;
  std::vector<std::int32_t> payoffs_, hands_;  // [episodes, players]
  std::vector<std::uint8_t> boards_;           // [episodes, board cards]
  QuestionBuffers buffers_;
  std::shared_ptr<Questions> questions_;
  std::int64_t num_decisions_ = 0;
};

void validate(const SelfPlayOptions& options) {
  if (options.episodes < 0) throw std::invalid_argument("episodes: must not be negative");
  if (options.tables < 1 || options.tables > 1 << 22) throw std::invalid_argument("tables: must be 1 to 4,194,304");
  if (options.threads < 1 || options.threads > 1024) throw std::invalid_argument("threads: must be 1 to 1,024");
  if (options.copies < 1) throw std::invalid_argument("copies: must be 1 or more");
  if (options.first_episode < 0) throw std::invalid_argument("first_episode: must not be negative");
  if (options.first_episode > std::numeric_limits<std::int64_t>::max() - options.episodes)
    throw std::invalid_argument("first_episode: too large");
}

}  // namespace

std::unique_ptr<SelfPlay> make_self_play(std::shared_ptr<const Poker> game, const SelfPlayOptions& options) {
  validate(options);
  return std::make_unique<SelfPlayOf<Poker>>(std::move(game), options);
}

std::unique_ptr<SelfPlay> make_self_play(std::shared_ptr<const LiarsDice> game, const SelfPlayOptions& options) {
  validate(options);
  return std::make_unique<SelfPlayOf<LiarsDice>>(std::move(game), options);
}

}  // namespace regretless
