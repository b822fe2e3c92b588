// SPDX-License-Identifier: MIT
#include "solve/mccfr.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <stdexcept>

#include "solve/sampling_tree.h"
#include "solve/updates.h"
#include "threads/thread_pool.h"

namespace regretless {
namespace {

template <Game G, class Ground>
class MccfrOf final : public Mccfr {
 public:
  template <class Source>
  MccfrOf(std::shared_ptr<const G> game, const MccfrOptions& options, Source source)
      : game_(std::move(game)),
        options_(options),
        pool_(options.threads),
        ground_(*game_, std::move(source), options.estimates != Estimates::kNone),
        logs_(static_cast<std::size_t>(options.threads)),
        log_nodes_(static_cast<std::size_t>(options.threads)) {
    if (options.replay_capacity > 0) replay_.emplace(options.replay_capacity, num_actions());
  }

  int num_actions() const override { return game_->num_actions(); }
  Storage storage() const override { return Ground::kHasPlaces ? Storage::kTree : Storage::kStates; }
  std::optional<std::int64_t> most_bytes() const override { return ground_.most_bytes(); }
  std::int64_t iteration() const override { return iteration_; }
  std::int64_t nodes() const override { return nodes_; }

  void run(std::int64_t batches) override {
    for (; batches > 0; --batches) {
      for (Player traverser = 0; traverser < game_->num_players(); ++traverser) traverse(traverser);
      iteration_ += options_.batch;
      if (replay_) replay();
    }
  }

  StrategyTable average_strategy() const override {
    struct Met {
      std::uint64_t key, legal;
      std::int64_t offset;
      double sum;
    };
    std::vector<Met> met;
    const std::vector<double>& sums = ground_.rows().sums;
    ground_.each_row([&](std::uint64_t key, std::uint64_t legal, std::int64_t offset) {
      const double sum = std::accumulate(sums.begin() + offset, sums.begin() + offset + std::popcount(legal), 0.0);
      if (sum > 0) met.push_back({key, legal, offset, sum});
    });
    std::sort(met.begin(), met.end(), [](const Met& a, const Met& b) { return a.key < b.key; });
    StrategyTable table{num_actions(), {}, {}};
    table.probabilities.resize(met.size() * static_cast<std::size_t>(num_actions()));
    double* out = table.probabilities.data();
    for (const Met& row : met) {
      table.keys.push_back(row.key);
      const double* sum = sums.data() + row.offset;
      for (ActionMask rest = row.legal; rest != 0; rest &= rest - 1) out[std::countr_zero(rest)] = *sum++ / row.sum;
      out += num_actions();
    }
    return table;
  }

  MccfrState state() const override {
    MccfrState state{iteration_, nodes_, {}, {}, ground_.rows(), {}};
    ground_.save(state.keys, state.legals);
    if (replay_) state.replay = replay_->contents();
    return state;
  }

  void restore(MccfrState state) override {
    if (state.iteration < 0 || state.iteration % options_.batch != 0)
      throw std::invalid_argument("iteration: must be a multiple of the batch");
    if (state.nodes < 0) throw std::invalid_argument("nodes: must not be negative");
    if (!replay_ && !state.replay.ids.empty()) throw std::invalid_argument("the state has a replay buffer, the options have none");
    Ground ground = ground_;
    ground.restore(state.keys, state.legals, std::move(state.rows));
    std::optional<ReplayBuffer> replay = replay_;
    if (replay) {
      replay->restore(std::move(state.replay));
      const ReplayBuffer::Contents& contents = replay->contents();
      for (std::size_t i = 0; i < contents.ids.size(); ++i)
        if (!ground.has_row(contents.ids[i], contents.legals[i], contents.sizes[i]))
          throw std::invalid_argument("the replay buffer of the state names an unknown infoset");
    }
    ground_ = std::move(ground);
    replay_ = std::move(replay);
    iteration_ = state.iteration;
    nodes_ = state.nodes;
  }

 private:
  // All traversals of a batch for one player.
  void traverse(Player traverser) {
    if constexpr (Ground::kHasPlaces) {
      if (options_.batch == 1 && !replay_) {
        DirectUpdates updates(ground_.rows());
        typename Ground::Descent descent = ground_.descent();
        nodes_ += walk(traverser, 0, descent, updates);
        return;
      }
    }
    pool_.run([&](int thread) {
      UpdateLog& log = logs_[thread];
      log.clear();
      typename Ground::Descent descent = ground_.descent();
      std::int64_t& nodes = log_nodes_[thread] = 0;
      for (std::int64_t i = options_.batch * thread / pool_.size(); i < options_.batch * (thread + 1) / pool_.size(); ++i)
        nodes += walk(traverser, i, descent, log);
    });
    nodes_ = std::accumulate(log_nodes_.begin(), log_nodes_.end(), nodes_);
    for (const UpdateLog& log : logs_)
      for (const UpdateLog::Record& record : log.records()) {
        apply(log, record, ground_.offset(record.id, record.legal), options_.value_rate, ground_.rows());
        if (replay_ && record.kind == UpdateLog::Kind::kRegrets) replay_->add(record, log.numbers(record));
      }
  }

  // The nodes visited.
  template <class Updates>
  std::int64_t walk(Player traverser, std::int64_t i, typename Ground::Descent& descent, Updates& updates) {
    const std::int64_t t = iteration_ + i;
    updates.begin({power(t + 1, options_.weight_power), options_.value_rate});
    const Random random{options_.seed, static_cast<std::uint64_t>(t), static_cast<std::uint64_t>(traverser)};
    SampledWalk<typename Ground::Descent, Updates> walk(descent, updates, traverser, random);
    if (options_.sampling == Sampling::kExternal)
      walk.external();
    else
      walk.outcome(epsilon(t), options_.estimates);
    return walk.nodes();
  }

  static double power(std::int64_t t, double exponent) {
    if (exponent == 0) return 1;
    return exponent == 1 ? static_cast<double>(t) : std::pow(static_cast<double>(t), exponent);
  }

  double epsilon(std::int64_t t) const {
    const double& decay = options_.epsilon_decay;
    return options_.final_epsilon + (options_.epsilon - options_.final_epsilon) * decay / (decay + static_cast<double>(t));
  }

  // Adds samples of the buffer once more.
  void replay() {
    Random random{options_.seed, static_cast<std::uint64_t>(iteration_), kReplayStream};
    for (std::int64_t left = options_.replay_draws * options_.batch; left > 0; --left) {
      const ReplayBuffer::Sample sample = replay_->draw(random);
      double* regrets = ground_.rows().regrets.data() + ground_.offset(sample.id, sample.legal);
      for (int a = 0; a < sample.num_actions; ++a) regrets[a] += sample.weight * sample.regrets[a];
    }
  }

  static constexpr std::uint64_t kReplayStream = 1 << 16;  // no player

  std::shared_ptr<const G> game_;
  MccfrOptions options_;
  ThreadPool pool_;
  Ground ground_;
  std::vector<UpdateLog> logs_;           // [threads]
  std::vector<std::int64_t> log_nodes_;   // [threads]: visited for the log
  std::optional<ReplayBuffer> replay_;
  std::int64_t iteration_ = 0;
  std::int64_t nodes_ = 0;
};

void require(bool ok, const char* message) {
  if (!ok) throw std::invalid_argument(message);
}

void validate(const MccfrOptions& options) {
  const auto is_probability = [](double x) { return x >= 0 && x <= 1; };
  require(is_probability(options.epsilon), "epsilon: must be 0 to 1");
  require(is_probability(options.final_epsilon), "final_epsilon: must be 0 to 1");
  require(options.epsilon_decay > 0, "epsilon_decay: must be positive");
  require(is_probability(options.value_rate), "value_rate: must be 0 to 1");
  require(options.weight_power >= 0 && options.weight_power <= 10, "weight_power: must be 0 to 10");
  require(options.replay_capacity >= 0, "replay_capacity: must not be negative");
  require(options.replay_draws >= 0, "replay_draws: must not be negative");
  require(options.replay_capacity > 0 || options.replay_draws == 0, "replay_draws: needs a replay_capacity");
  require(options.batch >= 1, "batch: must be positive");
  require(options.threads >= 1 && options.threads <= 1024, "threads: must be 1 to 1,024");
  require(options.sampling == Sampling::kOutcome || options.estimates == Estimates::kNone,
          "estimates: only outcome sampling uses them");
}

template <Game G>
std::unique_ptr<Mccfr> make(std::shared_ptr<const G> game, const MccfrOptions& options,
                            std::shared_ptr<const CardBuckets<G>> buckets) {
  validate(options);
  require(!buckets || options.storage != Storage::kTree, "storage: buckets need states");
  if (!buckets && options.storage != Storage::kStates) try {
      return std::make_unique<MccfrOf<G, TreeGround<G>>>(
          game, options, std::make_shared<const SamplingTree<G>>(*game, options.max_nodes, options.max_entries));
    } catch (const std::length_error&) {
      if (options.storage == Storage::kTree) throw;
    }
  return std::make_unique<MccfrOf<G, StateGround<G>>>(game, options, std::move(buckets));
}

}  // namespace

std::unique_ptr<Mccfr> make_mccfr(std::shared_ptr<const Poker> game, const MccfrOptions& options,
                                  std::shared_ptr<const CardBuckets<Poker>> buckets) {
  return make(std::move(game), options, std::move(buckets));
}

std::unique_ptr<Mccfr> make_mccfr(std::shared_ptr<const LiarsDice> game, const MccfrOptions& options,
                                  std::shared_ptr<const CardBuckets<LiarsDice>> buckets) {
  return make(std::move(game), options, std::move(buckets));
}

}  // namespace regretless
