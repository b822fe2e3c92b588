// SPDX-License-Identifier: MIT
// Episodes in bulk: many tables are played until each needs a decision; the decisions are handed out as one batch of
// questions; the answers are sampled and play goes on. Episode e depends on the seed, e and the answers to its own questions
// alone, so neither the number of tables nor of threads changes it. Every `copies` episodes in a row are dealt alike.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "jobs/questions.h"

namespace regretless {

struct SelfPlayOptions {
  std::int64_t episodes = 0;
  std::int64_t first_episode = 0;
  int tables = 2048;
  int threads = 1;
  std::uint64_t seed = 0;
  bool record_steps = true;
  std::int64_t copies = 1;   // episodes e of equal e / copies share their deal
  QuestionOptions questions;
};

// Every episode, in order.
struct EpisodeLog {
  std::vector<std::int32_t> payoffs;   // [episodes, players], chips
  std::vector<std::int32_t> hands;     // [episodes, players]
  std::vector<std::uint8_t> boards;    // [episodes, board cards], as dealt, those not reached too
  std::vector<std::int64_t> offsets;   // [episodes + 1] into the steps
  std::vector<std::uint8_t> actors, slots, streets;  // [steps]
  std::vector<std::uint8_t> could_fold;  // [steps]: whether slot 0 was legal; in poker, a bet was faced
};

class SelfPlay {
 public:
  virtual ~SelfPlay() = default;
  virtual int num_players() const = 0;
  virtual int num_actions() const = 0;
  virtual int num_features() const = 0;
  virtual int num_board_cards() const = 0;

  // The open questions, one for each table that waits, or nullptr when every episode is over. Asking again before answering
  // gives the same questions. Nothing changes them any more while somebody holds them.
  virtual std::shared_ptr<const Questions> ask() const = 0;
  // Probabilities [batch, actions]: illegal slots are ignored, the legal ones need not sum to 1. A row without legal
  // probability, or with a negative or not finite one, throws std::invalid_argument and changes nothing.
  virtual void answer(const float* probabilities) = 0;
  // Slots [batch], chosen by the one who answers.
  virtual void answer(const std::int32_t* slots) = 0;

  virtual std::int64_t num_decisions() const = 0;  // so far
  virtual std::int64_t num_finished() const = 0;   // episodes
  virtual EpisodeLog log() const = 0;              // once all episodes are over
};

std::unique_ptr<SelfPlay> make_self_play(std::shared_ptr<const Poker> game, const SelfPlayOptions& options);
std::unique_ptr<SelfPlay> make_self_play(std::shared_ptr<const LiarsDice> game, const SelfPlayOptions& options);

}  // namespace regretless
