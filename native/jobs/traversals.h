// SPDX-License-Identifier: MIT
// Sampled traversals of one player in bulk, for learners of advantages (Deep CFR). A traversal deals once. It follows every slot
// of the traverser (external sampling) or a sampled one (outcome sampling), and a sampled slot of each other player. It goes level
// by level: the decisions of a level wait together for their strategies, and the questions of all traversals in flight are one
// batch. From the last level values are propagated up: the advantage of a slot is its value less the mean under the strategy.
//
// Traversal k of an iteration depends on the seed, the iteration, the traverser, k and the answers alone, so the samples do not
// depend on the number in flight or of threads. Decisions are numbered level by level, which is their order in the samples.
//
// A baseline estimates, from all hands, the values of a decision's slots to the traverser. Baselines are control variates, which
// keep the means and reduce variance (VR-MCCFR, DREAM), or the targets of advantages (ESCHER). Outcomes of the followed slots are
// recorded to learn baselines from.
//
// Work is divided into one half or two, so that the questions of one can be answered while the other goes on.
#pragma once
#include "games/deal_pool.h"
#include "jobs/questions.h"
#include "threads/busy.h"

namespace regretless {

enum class TraversalSampling : std::uint8_t { kExternal, kOutcome };
enum class TraversalBaselines : std::uint8_t { kNone, kControl, kTargets };

struct TraversalOptions {
  std::string encoder;
  BucketTables buckets;  // for the encoder that sees them
  TraversalSampling sampling = TraversalSampling::kExternal;
  float epsilon = 0.6f;  // outcome sampling: so much of the traverser's strategy is uniform
  TraversalBaselines baselines = TraversalBaselines::kNone;  // questions then have rows of "ENCODER/seats", too
  int in_flight = 1024;
  int halves = 1;
  int threads = 1;
  std::int64_t kept_answers = 1 << 20;  // infosets whose answer is kept for the iteration, so that none is asked for twice
  bool record_strategies = true;        // of the others, beside the advantages of the traverser
  int runouts = 0;  // boards over which two players who are all-in share the pot; 0: the one that was dealt
  std::uint64_t seed = 0;
};

// Samples of traversals, in the order of their numbers: advantages at decisions of the traverser, strategies at those of others,
// and with baselines what came of slots at all decisions.
struct TraversalSamples {
  struct Part {
    std::size_t row_bytes = 0;
    std::vector<std::uint8_t> rows;       // [samples, row_bytes]
    std::vector<std::uint8_t> legal;      // [samples, actions], 0 or 1: which numbers are there
    std::vector<float> numbers;           // [samples, actions], 0 where there is none
    std::vector<float> weights;           // [samples]: of their deals
    std::vector<std::uint64_t> infosets;  // [samples]
    std::size_t size() const { return infosets.size(); }
  };
  std::size_t num_actions = 0;
  Part advantages;  // in units
  Part strategies;  // probabilities
  Part outcomes;    // of the slots that were followed, in units: the payoff, or what the next decision's baselines are worth
  std::vector<float> values;         // [advantages]: what the strategy is worth to the traverser there, in units
  std::vector<float> stakes;         // [advantages]: what lies in the pot there, in units
  std::vector<std::uint8_t> actors;  // [strategies]
};

class Traversals {
 public:
  virtual ~Traversals() = default;
  virtual int num_players() const = 0;
  virtual int num_actions() const = 0;
  virtual int num_halves() const = 0;

  // Begins `count` traversals, numbered from `first` on; throws std::logic_error while others are under way.
  virtual void begin(std::uint64_t iteration, Player traverser, std::int64_t first, std::int64_t count) = 0;

  // The open questions of a half, those of seat 0 first, or nullptr when it has nothing left to do. Asking again before answering
  // gives the same questions. Nothing changes them any more while somebody holds them.
  virtual std::shared_ptr<const Questions> ask(int half) const = 0;
  // Probabilities [batch, actions], as SelfPlay takes them, and baselines [batch, actions], in units, if there are to be any.
  virtual void answer(int half, const float* probabilities, const float* baselines = nullptr) = 0;

  // Samples of the traversals that are over and were not yet handed out, up to the first that is not over.
  virtual TraversalSamples take_samples() = 0;

  virtual std::int64_t num_nodes() const = 0;      // decisions and endings that were visited so far, of all iterations
  virtual std::int64_t num_questions() const = 0;  // that were answered
  virtual std::int64_t num_finished() const = 0;   // since `begin`

  Busy& busy() const { return busy_; }

 private:
  mutable Busy busy_{"Traversals"};
};

// With a pool every traversal plays one of the deals for its traverser; the pool must be of this very game.
std::unique_ptr<Traversals> make_traversals(const AnyGame& game, const TraversalOptions& options,
                                            std::shared_ptr<const DealPool> deals = nullptr);

}  // namespace regretless
