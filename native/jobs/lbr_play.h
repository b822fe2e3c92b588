// SPDX-License-Identifier: MIT
// Local best response in bulk: heads-up episodes of a responder, who knows the strategy of the other and tracks his range,
// against that strategy. The job asks what the strategy would do with every hand: where the other is to act, and after each
// bet that the responder thinks about. Episodes 2d and 2d + 1 play deal d, the responder in seat 0 and then in seat 1. An
// episode depends on the seed, its number and the answers to its own questions alone.
//
// The mean winnings of the responder are an unbiased estimate for this responder, and so of a lower bound on what a best response
// would win. It is given twice: as chips won, and with less noise as the value of the showdown against the whole range (and, if
// a player was all-in before the last street, over run-outs other than those the responder looked at).
#pragma once
#include "jobs/lent.h"
#include "jobs/local_best_response.h"
#include "jobs/questions.h"
#include "threads/busy.h"
#include "threads/thread_pool.h"

namespace regretless {

struct LbrPlayOptions {
  std::int64_t episodes = 0;
  ResponseMenu menu = ResponseMenu::kBets;
  int tables = 16;
  int threads = 1;
  std::uint64_t seed = 0;
  int rollouts = 100;  // run-outs of the board that a chance to win is estimated from, where they are too many to enumerate
  QuestionOptions questions;
  std::int64_t first_episode = 0;
};

// The range of the other, at the tables that wait for an answer.
struct OpenRanges {
  std::vector<std::int64_t> episodes;  // [open]
  std::vector<double> ranges;          // [open, hands], each of sum 1
};

class LbrPlay {
 public:
  LbrPlay(std::shared_ptr<const Poker> game, const LbrPlayOptions& options);  // two players, one or two hole cards

  int num_actions() const { return game_->num_actions(); }
  std::int64_t num_hands() const { return game_->num_hands(); }

  // The open questions, one row for each hand that the other may hold at each state asked about, or nullptr when every episode
  // is over. Asking again before answering gives the same questions. Nothing changes them any more while somebody holds them.
  std::shared_ptr<const Questions> ask() const { return questions_->batch > 0 ? questions_.share() : nullptr; }
  // Probabilities [batch, actions]: illegal slots are ignored, the legal ones need not sum to 1. A row without legal
  // probability, or with a negative or not finite one, throws std::invalid_argument and changes nothing.
  void answer(const float* probabilities);

  OpenRanges ranges() const;
  std::int64_t num_finished() const;  // episodes
  std::int64_t num_questions() const { return num_questions_; }  // rows answered so far
  // Once all episodes are over.
  const std::vector<Chips>& payoffs() const;       // [episodes]: chips that the responder won
  const std::vector<double>& values() const;       // [episodes]: what they are expected to be, given his hand and the betting
  const std::vector<std::int32_t>& hands() const;  // [episodes, players]

  Busy& busy() const { return busy_; }

 private:
  // Table t plays episodes t, t + tables, t + 2 tables, ...
  struct Table {
    PokerState state;
    PokerDeal deal;
    Random random{0};                  // what the other does
    std::int64_t episode = 0;
    std::int64_t next = 0;
    bool is_open = false;              // in an episode, and waiting for an answer
    std::vector<Step> history;
    std::vector<Hand> hands;           // [held]: what the other may hold, ascending
    std::vector<double> weights;       // [held]: his range
    std::vector<ResponseBet> bets;     // asked about; empty where the other is to act
    std::vector<Chances> chances;      // [hands], on a board of chances_board cards
    int chances_board = -1;
    double value = 0;                  // of this episode, once it is known
    bool is_valued = false;
    QuestionCursor first;              // of its rows

    Player responder() const { return static_cast<Player>(episode % 2); }
    Player other() const { return 1 - responder(); }
    std::size_t num_states() const { return std::max<std::size_t>(bets.size(), 1); }
    std::int64_t num_rows() const { return is_open ? static_cast<std::int64_t>(num_states() * hands.size()) : 0; }
    std::size_t num_steps() const { return history.size() + (bets.empty() ? 0 : 1); }  // before each state asked about
  };

  // The tables of one thread, and its workspace.
  struct alignas(64) Share {
    int first = 0, last = 0;
    std::int64_t num_finished = 0;
    std::unique_ptr<Runouts> runouts;
    std::vector<double> fold_probabilities;  // [bets, held]
    std::vector<Chances> chances;            // [hands]
  };

  // The course of an episode.
  void sit_down(Table& table) const;
  void play_on(Table& table, Share& share);
  void remove_blocked_hands(Table& table) const;
  void find_chances(const Table& table, std::uint64_t stream, Share& share, std::vector<Chances>& chances) const;
  void value_showdown(Table& table, Share& share) const;
  void finish(Table& table, Share& share);

  // Decisions, given the rows of the answer that belong to a table.
  void respond(Table& table, Share& share, const float* rows) const;
  void let_other_act(Table& table, const float* rows) const;
  void act(Table& table, int slot) const;

  ResponseBelief belief(const Table& table, const std::vector<Chances>& chances) const;
  void check(const float* probabilities);
  void write_questions();
  void write_state(const Table& table, const PokerState& state, std::span<const Step> history, QuestionCursor& cursor);
  void require_over() const;

  std::shared_ptr<const Poker> game_;
  LbrPlayOptions options_;
  HandTable hand_table_;
  QuestionWriter<Poker> writer_;
  ThreadPool pool_;
  std::vector<Table> tables_;
  std::vector<Share> shares_;
  std::vector<Chips> payoffs_;            // [episodes]
  std::vector<double> values_;            // [episodes]
  std::vector<std::int32_t> hands_;       // [episodes, players]
  Lent<Questions> questions_;
  std::int64_t num_questions_ = 0;
  mutable Busy busy_{"LbrPlay"};
};

}  // namespace regretless
