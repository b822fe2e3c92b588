// SPDX-License-Identifier: MIT
// Questions: decisions that wait for a policy, as columns with one row each. Whoever asks (a job, or a list of spots) fills
// them through QuestionWriter and nothing else, so a policy sees the same row wherever it is asked.
#pragma once
#include <algorithm>

#include "games/card_buckets.h"
#include "games/hand_strengths.h"
#include "observe/encoder.h"

namespace regretless {

// The columns that are made only on request.
struct QuestionOptions {
  std::vector<std::string> encoders;  // names, for rows
  bool with_chips = false;
  bool with_history = false;
  bool with_seeds = false;
  bool with_past = false;
  bool with_table = false;
  BucketTables buckets;  // for infosets of those who play by them, and for the encoder that sees them
};

// The rows of one encoder, one for every question.
struct EncodedRows {
  std::string name;
  std::size_t row_bytes = 0;
  std::vector<std::uint8_t> bytes;  // [batch, row_bytes]
  bool operator==(const EncodedRows&) const = default;
};

// The infoset keys of a player who plays by buckets, one for every question.
struct BucketInfosets {
  std::string name;                // of the buckets
  std::size_t row_bytes = sizeof(std::uint64_t);
  std::vector<std::uint64_t> keys;  // [batch]
};

inline constexpr std::uint8_t kNotDealt = 255;  // among board cards
inline constexpr std::int32_t kNoOffer = -2;    // of a slot that is not legal

struct Questions {
  std::int64_t batch = 0;
  std::size_t num_actions = 0;
  std::vector<std::uint8_t> legal;      // [batch, actions], 0 or 1
  std::vector<std::int32_t> actors;     // [batch]
  std::vector<std::int32_t> hands;      // [batch]
  std::vector<std::int64_t> episodes;   // [batch]
  std::vector<std::uint64_t> infosets;  // [batch], a key of what the actor knows
  std::vector<std::uint64_t> publics;   // [batch], a key of the public state; of the infoset in games without public states
  std::vector<EncodedRows> encoded;     // one for each encoder
  std::vector<BucketInfosets> bucketed;  // one for each abstraction
  // Chips, [batch], with_chips or with_table; Liar's Dice has none, and one street.
  std::vector<std::int32_t> pots;       // all that was put in
  std::vector<std::int32_t> to_calls;   // at most the actor's stack
  std::vector<std::int32_t> stacks;     // the actor's, behind
  std::vector<std::int32_t> streets;
  std::vector<float> hand_strengths;    // as games/hand_strengths.h says; with_chips
  // The table as the actor sees it; without `with_table` the widths are 0. Dice are cards of no suit, and have no chips.
  std::size_t hand_size = 0, board_size = 0, num_players = 0;
  std::vector<std::uint8_t> hole_cards;  // [batch, hand_size], the actor's, as the game lists the parts of a hand
  std::vector<std::uint8_t> boards;      // [batch, board_size], kNotDealt where no card lies
  std::vector<std::int32_t> seat_stacks, seat_bets;  // [batch, players]: behind, and put in on this street
  std::vector<std::uint8_t> live;        // [batch, players], 0 or 1: has not folded
  std::vector<std::int32_t> offers;      // [batch, actions]: kFold, kCall or the amount to raise to, kNoOffer if not legal
  std::vector<std::int32_t> least_raises, most_raises;  // [batch]: by the rules, 0 if there is no raise
  // [batch]: the same at every decision of a seat in an episode, and of no other.
  std::vector<std::uint64_t> seeds;
  // The steps so far of every row, one row after the other.
  std::vector<std::int64_t> step_offsets;  // [batch + 1]
  std::vector<std::uint8_t> step_actors, step_slots, step_streets;  // [steps]
  std::vector<std::int32_t> step_actions;  // [steps]: what the slots meant, as in offers; with_table
  // The actor's own earlier decisions of every row, one row after the other, and what he chose: questions of the same columns,
  // but without histories and a past of their own.
  std::vector<std::int64_t> past_offsets;  // [batch + 1]
  std::vector<std::uint8_t> past_slots;    // [past]
  std::shared_ptr<Questions> past;         // none unless asked for

  // Calls visit(member, numbers a row) with each column that has equally many in every row, those of the table apart.
  template <class Visit>
  void each_column(Visit visit) const {
    const auto visit_all = [&](auto... columns) { (visit(columns, std::size_t{1}), ...); };
    visit(&Questions::legal, num_actions);
    visit_all(&Questions::actors, &Questions::hands, &Questions::episodes, &Questions::infosets, &Questions::publics,
              &Questions::pots, &Questions::to_calls, &Questions::stacks, &Questions::streets, &Questions::hand_strengths,
              &Questions::seeds);
  }

  template <class Visit>
  void each_table_column(Visit visit) const {
    visit(&Questions::hole_cards, hand_size);
    visit(&Questions::boards, board_size);
    for (const auto column : {&Questions::seat_stacks, &Questions::seat_bets}) visit(column, num_players);
    visit(&Questions::live, num_players);
    visit(&Questions::offers, num_actions);
    for (const auto column : {&Questions::least_raises, &Questions::most_raises}) visit(column, std::size_t{1});
  }

  // Some of the rows, in that order.
  Questions part(std::span<const std::int64_t> rows) const;
  // All rows of several, one after the other, with the columns that all of them have.
  static Questions joined(std::span<const Questions* const> parts);
};

// The places of the next row, the next step of its history, and its actor's next earlier decision.
struct QuestionCursor {
  std::size_t row = 0, step = 0, past = 0;
};

// The number of steps that are the actor's own.
inline std::size_t count_own(std::span<const Step> history, Player actor) {
  return static_cast<std::size_t>(std::ranges::count(history, actor, &Step::actor));
}

// A decision that was made on the way to a spot, after so many steps.
template <Game G>
struct PastDecision {
  typename G::State state;
  ActionMask legal;
  std::size_t num_steps;
};

// The decision of one player at one public state, whatever he holds.
template <Game G>
struct Spot {
  const typename G::State& state;
  Player actor;
  std::span<const Step> history;
  std::int64_t episode;
  ActionMask legal;
  std::uint64_t seed;
  std::vector<PastDecision<G>> past = {};  // the actor's own, if they are asked for
};

template <Game G>
class QuestionWriter {
 public:
  // Seeds are those of a job with this seed.
  QuestionWriter(std::shared_ptr<const G> game, const QuestionOptions& options, std::uint64_t seed)
      : game_(std::move(game)), options_(options), seed_(seed) {
    if (options_.with_chips) hand_strengths_.emplace(*game_);
    for (const std::string& name : options_.encoders) encoders_.push_back(make_encoder(name, game_, options_.buckets));
    for (const auto& tables : options_.buckets) add_buckets(tables);
  }

  // Room for so many rows, whose histories have so many steps together, so many of them the actors' own.
  void resize(Questions& q, std::size_t rows, std::size_t steps, std::size_t past = 0) const {
    const auto fit = [](std::size_t size, auto&... columns) { (columns.resize(size), ...); };
    fit_rows(q, rows);
    fit(options_.with_history ? rows + 1 : 0, q.step_offsets);
    fit(options_.with_history ? steps : 0, q.step_actors, q.step_slots, q.step_streets);
    fit(options_.with_history && options_.with_table ? steps : 0, q.step_actions);
    fit(options_.with_past ? rows + 1 : 0, q.past_offsets);
    fit(options_.with_past ? past : 0, q.past_slots);
    if (!options_.with_past) return;
    q.past = std::make_shared<Questions>();  // whoever reads the one before may keep it
    fit_rows(*q.past, past);
  }

  Spot<G> spot(const typename G::State& state, std::span<const Step> history, std::int64_t episode) const {
    return spot(state, history, episode, game_->legal(state));
  }

  // For a caller that knows the legal slots.
  Spot<G> spot(const typename G::State& state, std::span<const Step> history, std::int64_t episode, ActionMask legal) const {
    const Player actor = game_->actor(state);
    Spot<G> spot{state, actor, history, episode, legal, options_.with_seeds ? seat_seed(episode, actor) : 0};
    if (options_.with_past) replay_past(spot);
    return spot;
  }

  // The row at the cursor: the spot, with the hand that the deal gives its actor. Rows may be written by several threads.
  void write(Questions& q, QuestionCursor& cursor, const Spot<G>& spot, const typename G::Deal& deal) const {
    write_row(q, cursor.row, spot, deal);
    if (options_.with_history && options_.with_table) write_actions(q, cursor.step, spot);
    if (options_.with_history) write_history(q, cursor, spot.history);
    if (options_.with_past) write_past(q, cursor, spot, deal);
    ++cursor.row;
  }

 private:
  std::uint64_t seat_seed(std::int64_t episode, Player actor) const {
    return Random{seed_, static_cast<std::uint64_t>(episode), kSeatStream, static_cast<std::uint64_t>(actor)}.bits();
  }

  // All that is public of a spot was public, in the same order, when its history is played again.
  void replay_past(Spot<G>& spot) const {
    if constexpr (std::is_same_v<G, ExplicitGame>) {  // chance is not public: the state itself knows its past
      std::size_t steps = 0;
      for (const auto& [before, step] : game_->path(spot.state)) {
        if (step.actor == spot.actor) spot.past.push_back({before, game_->legal(before), steps});
        ++steps;
      }
      return;
    }
    typename G::State state = game_->root();
    typename G::Deal deal{};
    if constexpr (std::is_same_v<G, Poker>) deal.board = spot.state.board;
    for (std::size_t i = 0; i < spot.history.size(); ++i) {
      while (game_->actor(state) == kChance) game_->reveal(state, deal);
      if (game_->actor(state) == spot.actor) spot.past.push_back({state, game_->legal(state), i});
      game_->act(state, spot.history[i].slot);
    }
  }

  void fit_rows(Questions& q, std::size_t rows) const {
    q.batch = static_cast<std::int64_t>(rows);
    q.num_actions = static_cast<std::size_t>(game_->num_actions());
    const auto fit = [](std::size_t size, auto&... columns) { (columns.resize(size), ...); };
    fit(rows * q.num_actions, q.legal);
    fit(rows, q.actors, q.hands, q.episodes, q.infosets, q.publics);
    q.encoded.resize(encoders_.size());
    for (std::size_t i = 0; i < encoders_.size(); ++i) {
      q.encoded[i].name = encoders_[i]->name();
      q.encoded[i].row_bytes = static_cast<std::size_t>(encoders_[i]->layout().row_bytes());
      fit(rows * q.encoded[i].row_bytes, q.encoded[i].bytes);
    }
    q.bucketed.resize(buckets_.size());
    for (std::size_t i = 0; i < buckets_.size(); ++i) {
      q.bucketed[i].name = buckets_[i]->tables().name();
      fit(rows, q.bucketed[i].keys);
    }
    fit(options_.with_chips || options_.with_table ? rows : 0, q.pots, q.to_calls, q.stacks, q.streets);
    fit(options_.with_chips ? rows : 0, q.hand_strengths);
    fit(options_.with_seeds ? rows : 0, q.seeds);
    if (!options_.with_table) return;
    q.hand_size = static_cast<std::size_t>(game_->hand_size());
    q.board_size = static_cast<std::size_t>(game_->num_board_cards());
    q.num_players = static_cast<std::size_t>(game_->num_players());
    fit(rows * q.hand_size, q.hole_cards);
    fit(rows * q.board_size, q.boards);
    fit(rows * q.num_players, q.seat_stacks, q.seat_bets, q.live);
    fit(rows * q.num_actions, q.offers);
    fit(rows, q.least_raises, q.most_raises);
  }

  void write_row(Questions& q, std::size_t row, const Spot<G>& spot, const typename G::Deal& deal) const {
    std::uint8_t* legal = q.legal.data() + row * q.num_actions;
    for (std::size_t a = 0; a < q.num_actions; ++a) legal[a] = spot.legal >> a & 1;
    q.actors[row] = spot.actor;
    const Hand hand = game_->hand(deal, spot.actor);
    q.hands[row] = hand;
    q.episodes[row] = spot.episode;
    q.infosets[row] = infoset_key(spot.state.key, static_cast<std::uint64_t>(hand), spot.actor);
    q.publics[row] = spot.state.key;
    for (std::size_t i = 0; i < encoders_.size(); ++i)
      encoders_[i]->write(spot.state, deal, spot.actor, spot.history, q.encoded[i].bytes.data() + row * q.encoded[i].row_bytes);
    if (!buckets_.empty()) write_buckets(q, row, spot, deal);
    if (options_.with_chips) q.hand_strengths[row] = (*hand_strengths_)(spot.state, deal, spot.actor);
    if (options_.with_chips || options_.with_table) write_chips(q, row, spot);
    if (options_.with_table) write_table(q, row, spot, hand);
    if (options_.with_seeds) q.seeds[row] = spot.seed;
  }

  void write_past(Questions& q, QuestionCursor& cursor, const Spot<G>& spot, const typename G::Deal& deal) const {
    for (const PastDecision<G>& past : spot.past) {
      q.past_slots[cursor.past] = spot.history[past.num_steps].slot;
      const auto steps = spot.history.first(past.num_steps);
      write_row(*q.past, cursor.past++, {past.state, spot.actor, steps, spot.episode, past.legal, spot.seed}, deal);
    }
    q.past_offsets[cursor.row + 1] = static_cast<std::int64_t>(cursor.past);
  }

  void add_buckets(const std::shared_ptr<const HandBuckets>& tables) {
    if constexpr (std::is_same_v<G, Poker>)
      buckets_.push_back(std::make_unique<TableBuckets>(game_, tables));
    else
      throw std::invalid_argument("buckets: only poker has cards");
  }

  void write_buckets(Questions& q, std::size_t row, const Spot<G>& spot, const typename G::Deal& deal) const {
    if constexpr (std::is_same_v<G, Poker>) {
      const std::uint64_t slots = slots_key(spot.history);
      for (std::size_t i = 0; i < buckets_.size(); ++i)
        q.bucketed[i].keys[row] = bucket_infoset(slots, buckets_[i]->bucket(spot.state.street, deal, spot.actor), spot.actor);
    }
  }

  void write_chips(Questions& q, std::size_t row, const Spot<G>& spot) const {
    if constexpr (std::is_same_v<G, Poker>) {
      q.pots[row] = game_->betting().pot(spot.state);
      q.to_calls[row] = game_->betting().to_call(spot.state);
      q.stacks[row] = spot.state.stacks[spot.actor];
      q.streets[row] = spot.state.street;
    } else {
      q.pots[row] = q.to_calls[row] = q.stacks[row] = q.streets[row] = 0;
    }
  }

  void write_table(Questions& q, std::size_t row, const Spot<G>& spot, Hand hand) const {
    const auto at = [row](auto& column, std::size_t width) { return column.data() + row * width; };
    std::ranges::copy(game_->hand_parts(hand), at(q.hole_cards, q.hand_size));
    if constexpr (std::is_same_v<G, Poker>) {
      const PokerState& state = spot.state;
      for (std::size_t i = 0; i < q.board_size; ++i)
        at(q.boards, q.board_size)[i] = i < state.num_board ? state.board[i] : kNotDealt;
      std::copy_n(state.stacks.data(), q.num_players, at(q.seat_stacks, q.num_players));
      std::copy_n(state.bets.data(), q.num_players, at(q.seat_bets, q.num_players));
      for (std::size_t p = 0; p < q.num_players; ++p) at(q.live, q.num_players)[p] = state.live >> p & 1;
      const Offer offer = game_->offer(state);
      for (std::size_t a = 0; a < q.num_actions; ++a)
        at(q.offers, q.num_actions)[a] = (offer.legal >> a & 1) != 0 ? offer.actions[a] : kNoOffer;
      const auto range = game_->betting().raise_range(state);
      q.least_raises[row] = range ? range->min : 0;
      q.most_raises[row] = range ? range->max : 0;
    } else {
      std::fill_n(at(q.seat_stacks, q.num_players), q.num_players, 0);
      std::fill_n(at(q.seat_bets, q.num_players), q.num_players, 0);
      std::fill_n(at(q.live, q.num_players), q.num_players, std::uint8_t{1});
      for (std::size_t a = 0; a < q.num_actions; ++a) at(q.offers, q.num_actions)[a] = (spot.legal >> a & 1) != 0 ? 0 : kNoOffer;
      q.least_raises[row] = q.most_raises[row] = 0;
    }
  }

  // The actions that the slots of a history meant when they were chosen; the history is replayed.
  void write_actions(Questions& q, std::size_t first, const Spot<G>& spot) const {
    if constexpr (std::is_same_v<G, Poker>) {
      PokerState state = game_->root();
      PokerDeal deal{};
      deal.board = spot.state.board;
      for (const Step& step : spot.history) {
        while (game_->actor(state) == kChance) game_->reveal(state, deal);
        q.step_actions[first++] = game_->offer(state).actions[step.slot];
        game_->act(state, step.slot);
      }
    } else {
      std::fill_n(q.step_actions.data() + first, spot.history.size(), 0);
    }
  }

  void write_history(Questions& q, QuestionCursor& cursor, std::span<const Step> history) const {
    for (const Step& step : history) {
      q.step_actors[cursor.step] = step.actor;
      q.step_slots[cursor.step] = step.slot;
      q.step_streets[cursor.step++] = step.street;
    }
    q.step_offsets[cursor.row + 1] = static_cast<std::int64_t>(cursor.step);
  }

  static constexpr std::uint64_t kSeatStream = 4;  // jobs draw deals, actions and run-outs from others

  std::shared_ptr<const G> game_;
  QuestionOptions options_;
  std::uint64_t seed_;
  std::vector<std::shared_ptr<const EncoderOf<G>>> encoders_;
  std::vector<std::shared_ptr<const TableBuckets>> buckets_;
  std::optional<HandStrengths<G>> hand_strengths_;  // with chips
};

}  // namespace regretless
