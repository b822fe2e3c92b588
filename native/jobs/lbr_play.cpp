// SPDX-License-Identifier: MIT
#include "jobs/lbr_play.h"

#include <limits>
#include <numeric>

#include "jobs/answers.h"

namespace regretless {
namespace {

// Streams of random numbers of one seed: deals are those of SelfPlay.
constexpr std::uint64_t kOtherStream = 1, kDecisionStream = 2, kValueStream = 3;
constexpr std::int64_t kMostEpisodes = 1'000'000'000'000;  // whose results are kept at once

const std::shared_ptr<const Poker>& checked(const std::shared_ptr<const Poker>& game, const LbrPlayOptions& options) {
  if (game->num_players() != 2 || game->rules().num_hole_cards > 2)
    throw std::invalid_argument("local best response needs a game of two players with one or two hole cards");
  if (options.episodes < 0 || options.episodes > kMostEpisodes)
    throw std::invalid_argument("episodes: must be 0 to " + std::to_string(kMostEpisodes));
  if (options.first_episode < 0 || options.first_episode > std::numeric_limits<std::int64_t>::max() - options.episodes)
    throw std::invalid_argument("first_episode: must not be negative, nor too large");
  if (options.tables < 1 || options.tables > 1 << 16) throw std::invalid_argument("tables: must be 1 to 65,536");
  if (options.threads < 1 || options.threads > 1024) throw std::invalid_argument("threads: must be 1 to 1,024");
  if (options.rollouts < 1 || options.rollouts > 100'000'000) throw std::invalid_argument("rollouts: must be 1 to 100,000,000");
  return game;
}

}  // namespace

LbrPlay::LbrPlay(std::shared_ptr<const Poker> game, const LbrPlayOptions& options)
    : game_(checked(game, options)),
      options_(options),
      hand_table_(game->rules().deck, game->rules().num_hole_cards),
      writer_(game, options.questions, options.seed),
      pool_(options.threads) {
  options_.tables = static_cast<int>(std::min<std::int64_t>(options_.tables, std::max<std::int64_t>(options_.episodes, 1)));
  tables_.resize(static_cast<std::size_t>(options_.tables));
  shares_.resize(static_cast<std::size_t>(pool_.size()));
  payoffs_.resize(static_cast<std::size_t>(options_.episodes));
  values_.resize(static_cast<std::size_t>(options_.episodes));
  hands_.resize(static_cast<std::size_t>(options_.episodes) * 2);
  const PokerRules& rules = game_->rules();
  for (std::size_t i = 0; i < shares_.size(); ++i) {
    shares_[i].first = static_cast<int>(tables_.size() * i / shares_.size());
    shares_[i].last = static_cast<int>(tables_.size() * (i + 1) / shares_.size());
    shares_[i].runouts =
        std::make_unique<Runouts>(rules.showdown, rules.deck, rules.num_hole_cards, rules.num_board_cards(), options_.rollouts);
  }
  pool_.run([&](int thread) {
    Share& share = shares_[thread];
    for (int t = share.first; t < share.last; ++t) {
      tables_[t].next = t;
      sit_down(tables_[t]);
      play_on(tables_[t], share);
    }
  });
  write_questions();
}

void LbrPlay::sit_down(Table& table) const {
  table.is_open = table.next < options_.episodes;
  if (!table.is_open) return;
  table.episode = options_.first_episode + table.next;
  table.next += options_.tables;
  const auto episode = static_cast<std::uint64_t>(table.episode);
  Random deal_random{options_.seed, episode / 2};
  table.deal = game_->deal(deal_random);
  table.random = Random{options_.seed, episode, kOtherStream};
  table.state = game_->root();
  table.history.clear();
  table.bets.clear();
  table.chances_board = -1;
  table.is_valued = false;
  table.hands.resize(static_cast<std::size_t>(num_hands()));
  std::iota(table.hands.begin(), table.hands.end(), 0);
  table.weights.resize(table.hands.size());
  for (std::size_t h = 0; h < table.hands.size(); ++h) table.weights[h] = game_->weight(table.other(), static_cast<Hand>(h));
  remove_blocked_hands(table);
}

// Plays until an answer is needed, through the end of this episode and into the next ones if need be.
void LbrPlay::play_on(Table& table, Share& share) {
  while (table.is_open) {
    if (table.state.actor == kTerminal) {
      finish(table, share);
      sit_down(table);
    } else if (table.state.actor == kChance) {
      if (table.state.stacks[0] == 0 || table.state.stacks[1] == 0) value_showdown(table, share);  // nobody decides any more
      game_->reveal(table.state, table.deal);
      remove_blocked_hands(table);
    } else if (table.state.actor == table.other()) {
      return;
    } else {
      if (table.chances_board != table.state.num_board) {  // they hold until the next board card
        find_chances(table, kDecisionStream, share, table.chances);
        table.chances_board = table.state.num_board;
      }
      table.bets = response_bets(*game_, table.state, options_.menu);
      if (!table.bets.empty()) return;
      respond(table, share, nullptr);
    }
  }
}

// The other holds neither a card of the responder nor one of the board; nor a hand that he would not have played so.
void LbrPlay::remove_blocked_hands(Table& table) const {
  const CardSet known = game_->board_set(table.state) | card_set(game_->hole(table.deal, table.responder()));
  std::size_t kept = 0;
  for (std::size_t i = 0; i < table.hands.size(); ++i) {
    if (table.weights[i] <= 0 || !hand_table_.possible(static_cast<std::uint32_t>(table.hands[i]), known)) continue;
    table.hands[kept] = table.hands[i];
    table.weights[kept++] = table.weights[i];
  }
  table.hands.resize(kept);
  table.weights.resize(kept);
}

void LbrPlay::find_chances(const Table& table, std::uint64_t stream, Share& share, std::vector<Chances>& chances) const {
  const Random random{options_.seed, static_cast<std::uint64_t>(table.episode), stream, table.state.num_board};
  share.runouts->chances(card_set(game_->hole(table.deal, table.responder())), {table.state.board.data(), table.state.num_board},
                         random, chances);
}

// Not with the run-outs that a decision was made on: it was made because they looked good.
void LbrPlay::value_showdown(Table& table, Share& share) const {
  if (table.is_valued) return;
  find_chances(table, kValueStream, share, share.chances);
  table.value = call_value(*game_, table.state, belief(table, share.chances));
  table.is_valued = true;
}

void LbrPlay::finish(Table& table, Share& share) {
  const auto e = static_cast<std::size_t>(table.episode - options_.first_episode);
  if (std::has_single_bit(table.state.live))
    table.value = game_->ending(table.state).payoffs[table.responder()][0];
  else
    value_showdown(table, share);
  values_[e] = table.value;
  ++share.num_finished;
  std::array<Chips, kMaxPlayers> chips{};
  game_->payoffs(table.state, table.deal, {chips.data(), 2});
  payoffs_[e] = chips[table.responder()];
  for (std::size_t p = 0; p < 2; ++p) hands_[e * 2 + p] = game_->hand(table.deal, static_cast<Player>(p));
}

// The answer holds how the opponent would meet each of the bets, and so what he does if one is chosen.
void LbrPlay::respond(Table& table, Share& share, const float* rows) const {
  const std::size_t actions = static_cast<std::size_t>(num_actions()), held = table.hands.size();
  std::vector<double>& folds = share.fold_probabilities;
  folds.resize(table.bets.size() * held);
  for (std::size_t b = 0, row = 0; b < table.bets.size(); ++b) {
    const ActionMask legal = game_->legal(table.bets[b].after);
    for (std::size_t i = 0; i < held; ++i, ++row)
      folds[row] = rows[row * actions + kFoldSlot] / legal_sum<double>(legal, rows + row * actions);
  }
  const int choice = choose_response(*game_, table.state, belief(table, table.chances), table.bets, folds);
  if (choice < 0) return act(table, choice == kChooseFold ? kFoldSlot : kCallSlot);
  act(table, table.bets[static_cast<std::size_t>(choice)].slot);
  let_other_act(table, rows + static_cast<std::size_t>(choice) * held * actions);
}

// Samples what he does with the hand that he holds, and multiplies his range by the probability of it.
void LbrPlay::let_other_act(Table& table, const float* rows) const {
  const ActionMask legal = game_->legal(table.state);
  const std::size_t actions = static_cast<std::size_t>(num_actions());
  const Hand held = game_->hand(table.deal, table.other());
  const auto place = std::lower_bound(table.hands.begin(), table.hands.end(), held) - table.hands.begin();
  const float* row = rows + static_cast<std::size_t>(place) * actions;
  const int slot = sample_slot(legal, row, legal_sum<double>(legal, row), table.random);
  double largest = 0;
  for (std::size_t i = 0; i < table.hands.size(); ++i, rows += actions) {
    table.weights[i] *= rows[slot] / legal_sum<double>(legal, rows);
    largest = std::max(largest, table.weights[i]);
  }
  // The hand that the opponent holds must not be lost to underflow.
  table.weights[static_cast<std::size_t>(place)] =
      std::max(table.weights[static_cast<std::size_t>(place)], std::numeric_limits<double>::min());
  largest = std::max(largest, std::numeric_limits<double>::min());
  for (double& weight : table.weights) weight /= largest;
  act(table, slot);
  remove_blocked_hands(table);
}

void LbrPlay::act(Table& table, int slot) const {
  table.history.push_back(game_->take(table.state, slot));
  table.bets.clear();
}

ResponseBelief LbrPlay::belief(const Table& table, const std::vector<Chances>& chances) const {
  return {table.responder(), table.hands, table.weights, chances};
}

void LbrPlay::check(const float* probabilities) {
  if (questions_->batch == 0) throw std::logic_error("there is no open question to answer");
  const auto actions = static_cast<std::size_t>(num_actions());
  const std::int64_t bad = first_bad_row(questions_->batch, pool_, [&](std::int64_t row) {
    const std::size_t first = static_cast<std::size_t>(row) * actions;
    return legal_sum<double>(legal_mask(questions_->legal.data() + first, actions), probabilities + first) > 0;
  });
  if (bad < questions_->batch) throw std::invalid_argument("answer, row " + std::to_string(bad) + ": " + kNoDistribution);
}

void LbrPlay::answer(const float* probabilities) {
  check(probabilities);
  num_questions_ += questions_->batch;
  pool_.run([&](int thread) {
    Share& share = shares_[thread];
    for (int t = share.first; t < share.last; ++t) {
      Table& table = tables_[t];
      if (!table.is_open) continue;
      const float* rows = probabilities + table.first.row * static_cast<std::size_t>(num_actions());
      if (table.bets.empty())
        let_other_act(table, rows);
      else
        respond(table, share, rows);
      play_on(table, share);
    }
  });
  write_questions();
}

void LbrPlay::write_questions() {
  QuestionCursor end;
  for (Table& table : tables_) {
    const auto rows = static_cast<std::size_t>(table.num_rows());
    table.first = end;
    end = {end.row + rows, end.step + rows * table.num_steps(), end.past + rows * count_own(table.history, table.other())};
  }
  writer_.resize(questions_.renew(), end.row, end.step, end.past);
  pool_.run([&](int thread) {
    std::vector<Step> history;
    for (int t = shares_[thread].first; t < shares_[thread].last; ++t) {
      const Table& table = tables_[t];
      if (!table.is_open) continue;
      QuestionCursor cursor = table.first;
      if (table.bets.empty()) write_state(table, table.state, table.history, cursor);
      for (const ResponseBet& bet : table.bets) {
        history = table.history;
        PokerState before = table.state;
        history.push_back(game_->take(before, bet.slot));
        write_state(table, bet.after, history, cursor);
      }
    }
  });
}

// One row for each hand that the other may hold.
void LbrPlay::write_state(const Table& table, const PokerState& state, std::span<const Step> history, QuestionCursor& cursor) {
  const Spot<Poker> spot = writer_.spot(state, history, table.episode);
  PokerDeal deal;
  for (const Hand hand : table.hands) {
    std::ranges::copy(hand_table_.cards(static_cast<std::uint32_t>(hand)), deal.hole[spot.actor].begin());
    writer_.write(*questions_, cursor, spot, deal);
  }
}

OpenRanges LbrPlay::ranges() const {
  OpenRanges open;
  const auto width = static_cast<std::size_t>(num_hands());
  for (const Table& table : tables_) {
    if (!table.is_open) continue;
    const double sum = std::accumulate(table.weights.begin(), table.weights.end(), 0.0);
    open.episodes.push_back(table.episode);
    open.ranges.resize(open.ranges.size() + width);
    double* range = open.ranges.data() + open.ranges.size() - width;
    for (std::size_t i = 0; i < table.hands.size(); ++i) range[table.hands[i]] = table.weights[i] / sum;
  }
  return open;
}

std::int64_t LbrPlay::num_finished() const {
  std::int64_t sum = 0;
  for (const Share& share : shares_) sum += share.num_finished;
  return sum;
}

void LbrPlay::require_over() const {
  if (questions_->batch > 0) throw std::logic_error("episodes are still being played: answer the open questions first");
}

const std::vector<Chips>& LbrPlay::payoffs() const {
  require_over();
  return payoffs_;
}

const std::vector<double>& LbrPlay::values() const {
  require_over();
  return values_;
}

const std::vector<std::int32_t>& LbrPlay::hands() const {
  require_over();
  return hands_;
}

}  // namespace regretless
