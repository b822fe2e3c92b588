// SPDX-License-Identifier: MIT
// Episodes in bulk: many tables are played until each needs a decision; the decisions are handed out as one batch of
// questions; the answers are sampled and play goes on, without an end if none is set. Episode e depends on the seed, e and the
// answers to its own questions alone, so neither the number of tables nor of threads changes it. Every `copies` episodes in a row
// are dealt alike.
#pragma once
#include "jobs/questions.h"
#include "threads/busy.h"

namespace regretless {

inline constexpr std::int32_t kWait = -2;  // no slot: the table is not answered

struct SelfPlayOptions {
  std::optional<std::int64_t> episodes;  // none: without an end
  std::int64_t first_episode = 0;
  int tables = 2048;
  int threads = 1;
  std::uint64_t seed = 0;
  std::int64_t copies = 1;     // episodes e of equal e / copies share their deal
  bool record_steps = true;
  bool record_rows = false;    // with the steps: what the encoders said
  bool record_answers = false;  // with the steps: the probabilities that slots were drawn from, or what came with them
  bool record_ends = false;    // what came of the episodes that the last answers ended
  QuestionOptions questions;
};

// Whole episodes in the order of their numbers, and their steps in the order of play.
struct Steps {
  std::int64_t first_episode = 0;
  std::size_t num_players = 0, num_actions = 0, num_board_cards = 0;
  std::vector<std::int32_t> payoffs;   // [episodes, players], chips
  std::vector<std::int32_t> hands;     // [episodes, players]
  std::vector<std::uint8_t> boards;    // [episodes, board cards], as dealt, those not reached too
  std::vector<std::int64_t> offsets;   // [episodes + 1] into the steps
  std::vector<std::int64_t> episodes;  // [steps], their numbers
  std::vector<std::uint8_t> actors, slots, streets;  // [steps]
  std::vector<std::uint8_t> legal;     // [steps, actions], 0 or 1
  std::vector<std::uint64_t> infosets;  // [steps]
  std::vector<float> stakes;           // [steps]: what lay in the pot, in units
  std::vector<std::int64_t> next;      // [steps]: the same seat's next step in these arrays, -1 if it has none
  std::vector<EncodedRows> encoded;    // [steps, row_bytes] for each encoder, if recorded
  std::vector<float> answers;          // [steps, actions] as given, 0 where not legal, if recorded
};

class SelfPlay {
 public:
  virtual ~SelfPlay() = default;
  virtual int num_players() const = 0;
  virtual int num_actions() const = 0;

  // The open questions, one for each table that waits, or nullptr when every episode is over. Asking again before answering
  // gives the same questions. Nothing changes them any more while somebody holds them.
  virtual std::shared_ptr<const Questions> ask() const = 0;
  // Probabilities [batch, actions]: illegal slots are ignored, the legal ones need not sum to 1. A row without legal
  // probability, or with a negative or not finite one, throws std::invalid_argument and changes nothing.
  // With record_answers the steps keep `recorded` [batch, actions] in their place if it is given: a strategy without exploration.
  virtual void answer(const float* probabilities, const float* recorded = nullptr) = 0;
  // Slots [batch], chosen by the one who answers; where it is kWait the table waits, and asks the same again.
  virtual void answer(const std::int32_t* slots) = 0;

  // The episodes that are over and were not yet handed out, up to the first that is still played: put together, what many
  // calls hand out is the same whatever the tables and threads. They are kept until they are taken.
  virtual Steps take_steps() = 0;

  // Whether the last answers ended the episode of each table, and what each seat won in it: [tables], [tables, players]. An
  // episode after it in which nobody was asked is not counted.
  virtual const std::vector<std::uint8_t>& ended() const = 0;
  virtual const std::vector<std::int32_t>& end_payoffs() const = 0;

  virtual std::int64_t num_decisions() const = 0;  // so far
  virtual std::int64_t num_finished() const = 0;   // episodes

  Busy& busy() const { return busy_; }

 private:
  mutable Busy busy_{"SelfPlay"};
};

std::unique_ptr<SelfPlay> make_self_play(const AnyGame& game, const SelfPlayOptions& options);

}  // namespace regretless
