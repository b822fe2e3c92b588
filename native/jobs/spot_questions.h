// SPDX-License-Identifier: MIT
// Questions about spots that nobody need play: public states at which somebody is to act, with a row for every hand that he may
// hold. So a policy of any kind can be asked what it does with each of them. The rows of a list of spots may be many, so they
// are written some at a time.
#pragma once
#include "jobs/questions.h"

namespace regretless {

struct SpotOptions {
  std::uint64_t seed = 0;  // seeds are those of a job with this seed
  QuestionOptions questions;
};

class SpotQuestions {
 public:
  static constexpr std::int64_t kMaxRows = 1 << 20;  // at a time

  virtual ~SpotQuestions() = default;
  // [spots + 1]: where the rows of each spot begin. They are in the order of the hands.
  const std::vector<std::int64_t>& offsets() const { return offsets_; }
  std::int64_t num_rows() const { return offsets_.back(); }
  // The rows from begin to before end, in memory of their own. May be called by several threads. Throws std::invalid_argument
  // if there are no such rows or more than kMaxRows.
  virtual std::shared_ptr<Questions> ask(std::int64_t begin, std::int64_t end) const = 0;

 protected:
  std::vector<std::int64_t> offsets_{0};
};

// Asks at the public state of each episode: one row for each of these hands, or for each that the public cards leave. `numbers` are
// those of the episodes that seeds go by, 0 without. Throws std::invalid_argument where nobody is to act, for an episode of another
// game or after a bet that is not on the menu, and for a hand that there is not or that holds a public card.
std::unique_ptr<SpotQuestions> ask_spots(const AnyGame& game, const std::vector<AnyEpisode>& episodes,
                                         const std::optional<std::vector<std::int64_t>>& numbers,
                                         std::optional<std::vector<Hand>> hands, const SpotOptions& options);

// Every decision of a game: the decision nodes of its public tree in order, with all hands; of a game without public states the
// first history of every infoset. Throws std::length_error if they are too many.
std::unique_ptr<SpotQuestions> ask_everywhere(const AnyGame& game, const SpotOptions& options);

}  // namespace regretless
