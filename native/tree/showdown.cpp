// SPDX-License-Identifier: MIT
#include "tree/showdown.h"

#include <numeric>

#include "threads/lookout.h"

namespace regretless {

RankedShowdown::RankedShowdown(const Poker& game, const std::array<RootRange, 2>& ranges, std::array<int, 2> strides)
    : strides_(strides) {
  for (Player p = 0; p < 2; ++p) {
    std::map<Hand, std::int32_t> places;
    for (std::size_t i = 0; i < ranges[1 - p].hands.size(); ++i) places[ranges[1 - p].hands[i]] = static_cast<std::int32_t>(i);
    for (const Hand hand : ranges[p].hands) {
      const CardSet set = subset_at(static_cast<std::uint32_t>(hand), game.rules().num_hole_cards);
      cards_[p].push_back({static_cast<Card>(63 - std::countl_zero(set)), static_cast<Card>(std::countr_zero(set))});
      const auto twin = places.find(hand);
      twins_[p].push_back(twin == places.end() ? -1 : twin->second);
    }
  }
  const auto equal = [&](Player p) { return RankedTable::Hands{std::vector<Strength>(cards_[p].size(), 1), &cards_[p]}; };
  add_table({equal(0), equal(1)});
}

void RankedShowdown::add_table(const std::array<RankedTable::Hands, 2>& hands) {
  Lookout::look_now();
  tables_.push_back({RankedTable(hands[0], hands[1], twins_[0], strides_[0], strides_[1]),
                     RankedTable(hands[1], hands[0], twins_[1], strides_[1], strides_[0])});
  for (const RankedTable& table : tables_.back()) most_runs_ = std::max(most_runs_, table.runs.size());
}

std::int32_t RankedShowdown::table(const Poker& game, const PokerState& state, const Ending& ending,
                                   const std::array<RootRange, 2>& ranges) {
  if (!ending.is_showdown) return 0;
  const auto found = tables_by_key_.find(ending.key);
  if (found != tables_by_key_.end()) return found->second;
  const auto index = static_cast<std::int32_t>(tables_.size());
  tables_by_key_[ending.key] = index;
  std::vector<Strength> strengths(static_cast<std::size_t>(game.num_hands()));  // 0 where the board blocks the hand
  board_strengths(game.rules().showdown, game.rules().deck, {state.board.data(), state.num_board}, game.rules().num_hole_cards,
                  strengths.data());
  std::array<RankedTable::Hands, 2> hands;
  for (Player p = 0; p < 2; ++p) {
    hands[p].cards = &cards_[p];
    for (const Hand hand : ranges[p].hands) hands[p].strengths.push_back(strengths[hand]);
  }
  add_table(hands);
  return index;
}

namespace {

// Payoffs of hands at a showdown, in terms of sign and presence: a win of w, a loss of l and a tie of t are
// w [s = 1] + l [s = -1] + t [s = 0] = s (w - l) / 2 + (w + l) / 2 + (t - (w + l) / 2) [s = 0]
struct SignedPayoff {
  double sign, meets, tied;
  explicit SignedPayoff(const std::array<double, 3>& payoff)
      : sign((payoff[2] - payoff[0]) / 2), meets((payoff[2] + payoff[0]) / 2), tied(payoff[1] - meets) {}
};

}  // namespace

std::vector<std::int8_t> RankedShowdown::matchups(std::int32_t table) const {
  std::vector<std::int8_t> all(cards_[0].size() * cards_[1].size(), kCannotMeet);
  for (std::size_t h = 0; h < cards_[0].size(); ++h) {
    const CardSet own = bit(cards_[0][h][0]) | bit(cards_[0][h][1]);
    std::int8_t* row = all.data() + h * cards_[1].size();
    const auto meet = [&](std::size_t other, std::int8_t sign) {
      if (((bit(cards_[1][other][0]) | bit(cards_[1][other][1])) & own) == 0) row[other] = sign;
    };
    if (table == kNoShowdown) {
      for (std::size_t o = 0; o < cards_[1].size(); ++o) meet(o, 0);
      continue;
    }
    // The first list holds everybody, weakest first, and the hand's run says where it stands among them.
    const RankedTable& ranked = tables_[table][0];
    const std::size_t run = RankedTable::index(ranked.own[h].run);
    if (run == 0) continue;
    const std::size_t below = RankedTable::index(ranked.runs[run - 1].below), tied = RankedTable::index(ranked.runs[run - 1].tied);
    for (std::size_t o = 0; o < ranked.lists[0].num_others; ++o)
      meet(RankedTable::index(ranked.others[o]), static_cast<std::int8_t>((o < below) - (o >= tied)));
  }
  return all;
}

namespace {

// The ranks of both players' hands [hands] on one board, from the runs of either against the other.
std::array<std::vector<std::int16_t>, 2> ranks_of(const std::array<RankedTable, 2>& table, std::array<std::size_t, 2> num_hands) {
  const auto run_of = [&](Player p, std::size_t hand) { return table[p].own[hand].run; };
  const RankedTable& first = table[0];
  std::vector<std::int16_t> of_runs{-1};  // of player 0; run 0 is of blocked hands
  std::array<std::vector<std::int16_t>, 2> ranks;
  for (Player p = 0; p < 2; ++p) ranks[p].assign(num_hands[p], -1);
  std::int16_t rank = -1;
  std::size_t next = 0;
  int last = 0;  // run of player 1 that has the rank
  const auto rank_others = [&](std::size_t end) {
    for (; next < end; ++next) {
      const std::size_t other = RankedTable::index(first.others[next]);
      if (run_of(1, other) != last) ++rank;
      last = run_of(1, other);
      ranks[1][other] = rank;
    }
  };
  for (int r = 0; r < first.lists[0].num_runs; ++r) {
    rank_others(RankedTable::index(first.runs[r].below));
    of_runs.push_back(++rank);
    const std::size_t tied = RankedTable::index(first.runs[r].tied);
    if (tied > next) last = run_of(1, RankedTable::index(first.others[next]));
    rank_others(tied);
  }
  rank_others(first.lists[0].num_others);
  for (std::size_t h = 0; h < num_hands[0]; ++h) ranks[0][h] = of_runs[RankedTable::index(run_of(0, h))];
  return ranks;
}

}  // namespace

RankedOrder RankedShowdown::order() const {
  RankedOrder all;
  for (Player p = 0; p < 2; ++p)
    for (const auto& cards : cards_[p]) all.cards[p].insert(all.cards[p].end(), cards.begin(), cards.end());
  for (const auto& table : tables_) {
    const auto ranks = ranks_of(table, {cards_[0].size(), cards_[1].size()});
    for (Player p = 0; p < 2; ++p) {
      std::vector<std::int16_t> order(ranks[p].size());
      std::iota(order.begin(), order.end(), std::int16_t{0});
      const auto strength = [&](std::int16_t hand) { return static_cast<std::uint16_t>(ranks[p][hand]); };  // blocked: largest
      std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return strength(a) < strength(b); });
      all.ranks[p].insert(all.ranks[p].end(), ranks[p].begin(), ranks[p].end());
      all.orders[p].insert(all.orders[p].end(), order.begin(), order.end());
    }
  }
  return all;
}

struct RankedShowdown::Rows {
  Real *weights, *all, *signs, *tied, *sums;
};

RankedShowdown::Rows RankedShowdown::make_rows() const {
  constexpr std::size_t kLanes = kMostRegisters * kRegisterSize<Real>;
  thread_local HandVector<Real> memory;
  const auto hands = static_cast<std::size_t>(std::max(strides_[0], strides_[1])) + RankedTable::kExtraWeights;
  const std::size_t size = (2 * hands + RankedTable::kNumSums + 2 * (most_runs_ + 1)) * kLanes;
  if (memory.size() < size) memory.resize(size);
  Rows rows;
  rows.weights = memory.data();
  rows.sums = rows.weights + hands * kLanes;
  rows.all = rows.sums + hands * kLanes;
  rows.signs = rows.all + RankedTable::kNumSums * kLanes;
  rows.tied = rows.signs + (most_runs_ + 1) * kLanes;
  return rows;
}

namespace {

// Weights of hands, a column for each lane; columns beyond the last repeat it. A row of zeros follows.
template <class Real, int kRegisters>
void gather_weights(const Lane<Real>* const* lanes, int count, int stride, Real* weights) {
  constexpr int kSize = kRegisterSize<Real>, kLanes = kRegisters * kSize;
  for (int part = 0; part < kRegisters; ++part) {
    const Real* from[kSize];
    for (int i = 0; i < kSize; ++i) from[i] = lanes[std::min(part * kSize + i, count - 1)]->reach;
    for (int h = 0; h < stride; h += kSize) {
      typename Register<Real>::Lanes rows[kSize];
      for (int i = 0; i < kSize; ++i) rows[i] = Register<Real>::load(from[i] + h).lanes;
      transpose<Real>(rows);
      for (int i = 0; i < kSize; ++i) Register<Real>{rows[i]}.store(weights + (h + i) * kLanes + part * kSize);
    }
  }
  Registers<Real, kRegisters>{}.store(weights + stride * kLanes);
}

// Writes what value(hand) gives for the lanes of a register: out [count] rows of hands.
template <class Real, class Value>
inline void spread_values(const std::vector<RankedTable::Own>& own, Real* const* out, int count, Value value) {
  constexpr int kSize = kRegisterSize<Real>;
  const auto stride = static_cast<std::ptrdiff_t>(own.size());
  for (std::ptrdiff_t h = 0; h < stride; h += kSize) {
    typename Register<Real>::Lanes rows[kSize];
    for (int i = 0; i < kSize; ++i) rows[i] = value(own[h + i]);
    transpose<Real>(rows);
    if (count == kSize) {
      for (int i = 0; i < kSize; ++i) Register<Real>{rows[i]}.store(out[i] + h);
    } else {
      for (int i = 0; i < count; ++i) Register<Real>{rows[i]}.store(out[i] + h);
    }
  }
}

// Payoffs of the lanes of a register.
template <class Real>
struct LanePayoffs {
  typename Register<Real>::Lanes sign{}, meets{}, tied{}, fold{};
  bool has_meets = false, has_tied = false;
  int num_showdowns = 0, num_folds = 0;
  Real *showdown_values[kRegisterSize<Real>], *fold_values[kRegisterSize<Real>];

  void read(const Lane<Real>* const* lanes, int count, Player player) {
    for (int i = 0; i < count; ++i) {
      showdown_values[i] = lanes[i]->showdown_values;
      fold_values[i] = lanes[i]->fold_values;
      if (lanes[i]->fold) {
        fold[i] = static_cast<Real>(lanes[i]->fold->payoffs[player][2]);
        ++num_folds;
      }
      if (!lanes[i]->showdown) continue;
      ++num_showdowns;
      const SignedPayoff pays(lanes[i]->showdown->payoffs[player]);
      sign[i] = static_cast<Real>(pays.sign);
      meets[i] = static_cast<Real>(pays.meets);
      tied[i] = static_cast<Real>(pays.tied);
      has_meets |= pays.meets != 0;
      has_tied |= pays.tied != 0;
    }
  }
};

}  // namespace

// Lanes with showdowns come first in a block, those with folds too before them.
template <int kRegisters>
void RankedShowdown::block_values(const RankedTable& table, const Lane<Real>* const* lanes, int count, Player player,
                                  const Rows& rows) const {
  constexpr int kSize = kRegisterSize<Real>;
  const int stride = strides_[1 - player];
  gather_weights<Real, kRegisters>(lanes, count, stride, rows.weights);
  std::array<LanePayoffs<Real>, kRegisters> payoffs;
  bool wants_tied = false;
  for (int part = 0; part < count; part += kSize) {
    payoffs[part / kSize].read(lanes + part, std::min(kSize, count - part), player);
    wants_tied |= payoffs[part / kSize].has_tied;
  }
  if (!lanes[0]->showdown)
    table.add_all<kRegisters>(rows.weights, rows.all);
  else if (wants_tied)
    table.add_up<true, kRegisters>(rows.weights, rows.all, rows.signs, rows.tied, rows.sums);
  else
    table.add_up<false, kRegisters>(rows.weights, rows.all, rows.signs, rows.tied, rows.sums);
  using Lanes = typename Register<Real>::Lanes;
  using Own = RankedTable::Own;
  for (int part = 0; part < count; part += kSize) {
    const LanePayoffs<Real>& pays = payoffs[part / kSize];
    Real* weights = rows.weights + part;
    const Real *all = rows.all + part, *signs = rows.signs + part, *equal = rows.tied + part;
    const auto at = [](const Real* of, RankedTable::Row row) {
      return Register<Real>::load(RankedTable::at<kRegisters>(of, row)).lanes;
    };
    const Lanes everybody = at(all, RankedTable::row(RankedTable::kEverybody));
    Register<Real>{-everybody}.store(weights + (stride + 1) * kRegisters * kSize);
    // For a hand: what is weaker minus what is stronger, what it can meet, and what is equal.
    const auto sign = [=](const Own& hand) { return at(signs, hand.run) - at(signs, hand.high_run) - at(signs, hand.low_run); };
    const auto meets = [=](const Own& hand) { return everybody - at(all, hand.high) - at(all, hand.low) + at(weights, hand.twin); };
    const auto tied = [=](const Own& hand) {
      if (hand.run == 0) return Lanes{};
      return at(equal, hand.run) - at(equal, hand.high_run) - at(equal, hand.low_run) + at(weights, hand.twin);
    };
    if (pays.num_showdowns > 0 && !pays.has_meets && !wants_tied)
      spread_values(table.own, pays.showdown_values, pays.num_showdowns, [&](const Own& hand) { return pays.sign * sign(hand); });
    else if (pays.num_showdowns > 0 && !wants_tied)
      spread_values(table.own, pays.showdown_values, pays.num_showdowns,
                    [&](const Own& hand) { return pays.sign * sign(hand) + pays.meets * meets(hand); });
    else if (pays.num_showdowns > 0)
      spread_values(table.own, pays.showdown_values, pays.num_showdowns,
                    [&](const Own& hand) { return pays.sign * sign(hand) + pays.meets * meets(hand) + pays.tied * tied(hand); });
    if (pays.num_folds > 0)
      spread_values(table.own, pays.fold_values, pays.num_folds, [&](const Own& hand) { return pays.fold * meets(hand); });
  }
}

void RankedShowdown::lane_values(const Lanes<Real>& lanes, Player player) const {
  constexpr int kSize = kRegisterSize<Real>, kLanes = kMostRegisters * kSize;
  const Rows rows = make_rows();
  std::array<const Lane<Real>*, kLanes> block;
  int count = 0;
  std::int32_t table = 0;
  const auto flush = [&] {
    if (count > kSize)
      block_values<2>(tables_[table][player], block.data(), count, player, rows);
    else if (count > 0)
      block_values<1>(tables_[table][player], block.data(), count, player, rows);
    count = 0;
  };
  const auto add = [&](const Lane<Real>& lane) {
    block[count++] = &lane;
    if (count == kLanes) flush();
  };
  for (const auto* part : {&lanes.both, &lanes.showdowns})
    for (const Lane<Real>& lane : *part) {
      if (lane.showdown->table != table) flush();
      table = lane.showdown->table;
      add(lane);
    }
  flush();
  table = 0;
  for (const Lane<Real>& lane : lanes.folds) add(lane);
  flush();
}

}  // namespace regretless
