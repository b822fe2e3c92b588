// SPDX-License-Identifier: MIT
#include "tree/showdown.h"

namespace regretless {

template <class Real>
RankedShowdown<Real>::RankedShowdown(const Poker& game, const std::array<RootRange, 2>& ranges, std::array<int, 2> strides)
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
}

template <class Real>
std::int32_t RankedShowdown<Real>::table(const Poker& game, const PokerState& state, const Ending& ending,
                                         const std::array<RootRange, 2>& ranges) {
  if (!ending.is_showdown) return 0;
  const auto found = tables_by_key_.find(ending.key);
  if (found != tables_by_key_.end()) return found->second;
  const auto index = static_cast<std::int32_t>(tables_.size());
  tables_by_key_[ending.key] = index;
  Table& table = tables_.emplace_back();
  std::vector<Strength> strengths(static_cast<std::size_t>(game.num_hands()));  // 0 where the board blocks the hand
  board_strengths(game.rules().showdown, game.rules().deck, {state.board.data(), state.num_board}, game.rules().num_hole_cards, strengths.data());
  std::array<std::vector<std::uint64_t>, 2> sorted;  // [player]: strength and place of each possible hand
  for (Player p = 0; p < 2; ++p) {
    for (std::size_t i = 0; i < ranges[p].hands.size(); ++i)
      if (const std::uint64_t strength = strengths[ranges[p].hands[i]]; strength != 0) sorted[p].push_back(strength << 32 | i);
    std::sort(sorted[p].begin(), sorted[p].end());
    table.ranked[p].reserve(sorted[p].size());
  }
  std::array<std::size_t, 2> next{};
  for (std::uint16_t group = 0; next[0] < sorted[0].size() || next[1] < sorted[1].size(); ++group) {
    std::uint64_t weakest = ~std::uint64_t{0};
    for (Player p = 0; p < 2; ++p)
      if (next[p] < sorted[p].size()) weakest = std::min(weakest, sorted[p][next[p]] >> 32);
    for (Player p = 0; p < 2; ++p)
      for (; next[p] < sorted[p].size() && sorted[p][next[p]] >> 32 == weakest; ++next[p]) {
        const auto place = static_cast<std::int32_t>(sorted[p][next[p]]);
        table.ranked[p].push_back({place, group, cards_[p][place][0], cards_[p][place][1]});
      }
  }
  return index;
}

template <class Real>
void RankedShowdown<Real>::values(const TerminalNode& node, Player player, const Real* reach, Real* values) const {
  if (node.is_showdown)
    showdown_values(tables_[node.table], player, node.payoffs[player], reach, values);
  else
    fold_values(player, static_cast<Real>(node.payoffs[player][2]), reach, values);
}

template <class Real>
void RankedShowdown<Real>::fold_values(Player player, Real payoff, const Real* reach, Real* values) const {
  Real by_card[kMaxCards] = {};
  Real total = 0;
  const auto& other = cards_[1 - player];
  for (std::size_t o = 0; o < other.size(); ++o) {
    total += reach[o];
    by_card[other[o][0]] += reach[o];
    by_card[other[o][1]] += reach[o];
  }
  const auto& own = cards_[player];
  for (std::size_t h = 0; h < own.size(); ++h) {
    const std::int32_t twin = twins_[player][h];
    const Real same = twin >= 0 ? reach[twin] : Real{0};
    values[h] = payoff * (total - by_card[own[h][0]] - by_card[own[h][1]] + same);
  }
}

template <class Real>
void RankedShowdown<Real>::showdown_values(const Table& table, Player player, const std::array<double, 3>& payoff, const Real* reach,
                                           Real* values) const {
  std::fill(values, values + strides_[player], Real{0});
  const auto& own = table.ranked[player];
  const auto& other = table.ranked[1 - player];
  const auto win = static_cast<Real>(payoff[2] - payoff[1]), lose = static_cast<Real>(payoff[0] - payoff[1]), tie = static_cast<Real>(payoff[1]);
  Real by_card[kMaxCards] = {};
  Real total = 0;
  auto next = other.begin();
  for (const RankedHand& hand : own) {
    for (; next != other.end() && next->group < hand.group; ++next) {
      const Real weight = reach[next->hand];
      total += weight;
      by_card[next->high] += weight;
      by_card[next->low] += weight;
    }
    values[hand.hand] = win * (total - by_card[hand.high] - by_card[hand.low]);
  }
  std::fill(by_card, by_card + kMaxCards, Real{0});
  total = 0;
  auto last = other.rbegin();
  for (auto hand = own.rbegin(); hand != own.rend(); ++hand) {
    for (; last != other.rend() && last->group > hand->group; ++last) {
      const Real weight = reach[last->hand];
      total += weight;
      by_card[last->high] += weight;
      by_card[last->low] += weight;
    }
    values[hand->hand] += lose * (total - by_card[hand->high] - by_card[hand->low]);
  }
  if (tie == 0) return;
  // Everybody compatible, tied or not: wins and losses above are counted as differences from a tie.
  std::fill(by_card, by_card + kMaxCards, Real{0});
  total = 0;
  for (const RankedHand& hand : other) {
    const Real weight = reach[hand.hand];
    total += weight;
    by_card[hand.high] += weight;
    by_card[hand.low] += weight;
  }
  for (const RankedHand& hand : own) {
    const std::int32_t twin = twins_[player][hand.hand];
    const Real same = twin >= 0 ? reach[twin] : Real{0};
    values[hand.hand] += tie * (total - by_card[hand.high] - by_card[hand.low] + same);
  }
}

template <class Real>
std::vector<std::int8_t> RankedShowdown<Real>::matchups(std::int32_t table) const {
  std::array<std::vector<int>, 2> groups;  // [player][hands], or -1 where the board blocks the hand
  for (Player p = 0; p < 2; ++p) {
    groups[p].assign(cards_[p].size(), table == kNoShowdown ? 0 : -1);
    if (table == kNoShowdown) continue;
    for (const RankedHand& hand : tables_[table].ranked[p]) groups[p][hand.hand] = hand.group;
  }
  std::vector<std::int8_t> all(cards_[0].size() * cards_[1].size());
  auto at = all.begin();
  for (std::size_t h = 0; h < cards_[0].size(); ++h) {
    const CardSet own = bit(cards_[0][h][0]) | bit(cards_[0][h][1]);
    for (std::size_t o = 0; o < cards_[1].size(); ++o) {
      const bool meets = groups[0][h] >= 0 && groups[1][o] >= 0 && ((bit(cards_[1][o][0]) | bit(cards_[1][o][1])) & own) == 0;
      const int difference = groups[0][h] - groups[1][o];
      *at++ = meets ? static_cast<std::int8_t>((difference > 0) - (difference < 0)) : kCannotMeet;
    }
  }
  return all;
}

template <class Real>
void TerminalBatch<Real>::add(const TerminalNode& node) {
  if (node.is_showdown) table = node.table;
  for (Player p = 0; p < 2; ++p) {
    const auto& payoff = node.payoffs[p];
    // Without a showdown everybody compatible pays the same.
    payoffs[p][0].push_back(static_cast<Real>(node.is_showdown ? payoff[0] - payoff[1] : 0));
    payoffs[p][1].push_back(static_cast<Real>(node.is_showdown ? payoff[1] : payoff[2]));
    payoffs[p][2].push_back(static_cast<Real>(node.is_showdown ? payoff[2] - payoff[1] : 0));
  }
  ++num_lanes;
}

template <class Real>
void TerminalBatch<Real>::pad() {
  num_lanes = (num_lanes + kLanes - 1) / kLanes * kLanes;
  for (auto& player : payoffs)
    for (auto& lanes : player) lanes.resize(static_cast<std::size_t>(num_lanes));
}

namespace {

// Reach summed by card, a lane for each terminal.
template <class Real>
class CardSums {
 public:
  static constexpr int kLanes = TerminalBatch<Real>::kLanes;
  using Lanes = Register<Real>;
  using Vector = typename Lanes::Lanes;

  explicit CardSums(Real* memory) : by_card_(memory) {}  // [cards, kLanes]

  void clear() {
    std::fill(by_card_, by_card_ + kMaxCards * kLanes, Real{0});
    total_ = Vector{};
  }
  void add(Card high, Card low, Vector weight) {
    total_ += weight;
    Lanes{at(high) + weight}.store(by_card_ + high * kLanes);
    Lanes{at(low) + weight}.store(by_card_ + low * kLanes);
  }
  // The weight of the hands that share no card; one that shares both is taken off twice.
  Vector without(Card high, Card low) const { return total_ - at(high) - at(low); }

 private:
  Vector at(Card card) const { return Lanes::load(by_card_ + card * kLanes).lanes; }

  Real* by_card_;
  Vector total_{};
};

}  // namespace

template <class Real>
void RankedShowdown<Real>::batch_values(const TerminalBatch<Real>& batch, Player player, const Real* reaches, Real* values,
                                        Real* memory) const {
  constexpr int kLanes = TerminalBatch<Real>::kLanes;
  using Lanes = Register<Real>;
  using Vector = typename Lanes::Lanes;
  const auto& own = tables_[batch.table].ranked[player];
  const auto& other = tables_[batch.table].ranked[1 - player];
  const std::ptrdiff_t own_stride = strides_[player], other_stride = strides_[1 - player];
  Real* reach = memory;                        // [opponent's hands, kLanes]
  Real* value = reach + other_stride * kLanes;  // [own hands, kLanes]
  CardSums<Real> all(value + own_stride * kLanes), below(value + (own_stride + kMaxCards) * kLanes);
  const auto at = [](const Real* rows, std::int32_t hand) { return Lanes::load(rows + hand * kLanes).lanes; };
  std::fill(value, value + own_stride * kLanes, Real{0});  // hands that the board blocks stay zero
  for (int lane = 0; lane < batch.num_lanes; lane += kLanes) {
    for (std::ptrdiff_t h = 0; h < other_stride; h += kLanes)
      transpose<Real>(reaches + lane * other_stride + h, other_stride, reach + h * kLanes, kLanes);
    all.clear();
    below.clear();
    for (const RankedHand& hand : other) all.add(hand.high, hand.low, at(reach, hand.hand));
    const Vector lose = Lanes::load(batch.payoffs[player][0].data() + lane).lanes;
    const Vector tie = Lanes::load(batch.payoffs[player][1].data() + lane).lanes;
    const Vector win = Lanes::load(batch.payoffs[player][2].data() + lane).lanes;
    auto next = other.begin();
    for (auto first = own.begin(), last = first; first != own.end(); first = last) {
      const auto group = first->group;
      while (last != own.end() && last->group == group) ++last;
      for (; next != other.end() && next->group < group; ++next) below.add(next->high, next->low, at(reach, next->hand));
      for (auto hand = first; hand != last; ++hand) {
        const std::int32_t twin = twins_[player][hand->hand];
        const Vector compatible = all.without(hand->high, hand->low) + (twin >= 0 ? at(reach, twin) : Vector{});
        Lanes{win * below.without(hand->high, hand->low) + tie * compatible}.store(value + hand->hand * kLanes);
      }
      for (; next != other.end() && next->group == group; ++next) below.add(next->high, next->low, at(reach, next->hand));
      for (auto hand = first; hand != last; ++hand) {
        const Vector stronger = all.without(hand->high, hand->low) - below.without(hand->high, hand->low);
        Lanes{at(value, hand->hand) + lose * stronger}.store(value + hand->hand * kLanes);
      }
    }
    for (std::ptrdiff_t h = 0; h < own_stride; h += kLanes)
      transpose<Real>(value + h * kLanes, kLanes, values + lane * own_stride + h, own_stride);
  }
}

template struct TerminalBatch<float>;
template struct TerminalBatch<double>;
template class RankedShowdown<float>;
template class RankedShowdown<double>;

}  // namespace regretless
