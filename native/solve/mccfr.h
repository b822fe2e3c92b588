// SPDX-License-Identifier: MIT
// Monte Carlo counterfactual regret minimisation for any game and number of players. One iteration is one traversal for each
// player in turn.
//
// Iterations are done in batches: the traversals of one player in a batch all read the same strategy, and what they found is
// added afterwards in the order of the iterations. So the number of threads never changes a result; the size of the batch
// does, and a batch of one is the classical algorithm.
#pragma once
#include "games/any_game.h"
#include "solve/replay_buffer.h"
#include "solve/sampled_walk.h"
#include "solve/sampling_states.h"
#include "threads/busy.h"

namespace regretless {

enum class Sampling : std::uint8_t { kExternal, kOutcome };
enum class Storage : std::uint8_t { kAuto, kTree, kStates };  // kAuto: the tree if it fits

struct MccfrOptions {
  Sampling sampling = Sampling::kExternal;
  // Outcome sampling: exploration at iteration t is final + (first - final) decay / (decay + t).
  double epsilon = 0.6, final_epsilon = 0.6, epsilon_decay = 1;
  Estimates estimates = Estimates::kNone;
  double value_rate = 0.1;     // step of value estimates
  double weight_power = 0;     // iteration t counts t^power in the regrets and in the average strategy
  double pruning = 0;          // external sampling: which actions are left out in most walks (sampled_walk.h); 0 leaves out none
  std::int64_t replay_capacity = 0;  // regret samples kept; 0 keeps none
  int replay_draws = 0;              // samples added again after each iteration
  std::int64_t batch = 1;
  int threads = 1;
  std::uint64_t seed = 0;
  Storage storage = Storage::kAuto;
  std::int64_t max_nodes = 1'000'000;     // of a tree
  std::int64_t max_entries = 50'000'000;  // of its infosets
};

// Infosets that were met, ordered by key, and the probability of each slot.
struct StrategyTable {
  int num_actions = 0;
  std::vector<std::uint64_t> keys;    // [infosets]
  std::vector<double> probabilities;  // [infosets, actions]
};

struct MccfrState {
  std::int64_t iteration = 0;
  std::int64_t nodes = 0;
  std::vector<std::uint64_t> keys, legals;  // [infosets] in the order found, empty with a tree
  InfosetRows<double> rows;           // with buckets in a tree: empty,
  InfosetRows<float> compact_rows;    // and these hold the numbers
  ReplayBuffer::Contents replay;

  template <class Number>
  auto& rows_of() {
    if constexpr (std::is_same_v<Number, float>)
      return compact_rows;
    else
      return rows;
  }
};

class Mccfr {
 public:
  virtual ~Mccfr() = default;
  virtual int num_actions() const = 0;
  virtual Storage storage() const = 0;
  virtual bool is_compact() const = 0;  // whether numbers are kept in single precision
  virtual std::optional<std::int64_t> most_bytes() const = 0;  // that the rows may take; none: they grow, to what is unknown
  virtual std::int64_t iteration() const = 0;
  virtual std::int64_t nodes() const = 0;  // decisions and endings that all traversals so far visited
  virtual std::int64_t decisions() const = 0;  // visited since this object was made
  virtual void run(std::int64_t batches) = 0;
  virtual StrategyTable average_strategy() const = 0;
  virtual MccfrState state() const = 0;
  virtual void restore(MccfrState state) = 0;  // throws std::invalid_argument, and changes nothing, if it does not fit

  Busy& busy() const { return busy_; }

 private:
  mutable Busy busy_{"Mccfr"};
};

// Throws std::invalid_argument for options that make no sense, std::length_error for a tree that was asked for and is too
// large. With buckets, which are for poker, the tree is the one of the betting alone. Games without public states are always
// walked over states.
std::unique_ptr<Mccfr> make_mccfr(const AnyGame& game, const MccfrOptions& options,
                                  std::shared_ptr<const CardBuckets> buckets = nullptr);

}  // namespace regretless
