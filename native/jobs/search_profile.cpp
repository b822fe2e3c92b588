// SPDX-License-Identifier: MIT
#include "jobs/search_profile.h"

#include <numeric>

#include "tree/public_tree.h"

namespace regretless {
namespace {

constexpr std::int64_t kStops = 64;  // for each subgame of a batch, about: so many are kept until they are followed

}  // namespace

std::vector<SubgameNode> outline_of(Subgames& game) {
  const Busy::Use use = Busy::Use::after_others(game.busy());
  return game.nodes(0);
}

SearchProfile::SearchProfile(std::shared_ptr<Subgames> search, std::vector<SubgameNode> game, const Discounts& discounts,
                             int warm_start, int playthroughs, int part, int parts, std::int64_t batch, std::uint64_t seed)
    : search_(std::move(search)),
      game_(std::move(game)),
      playthroughs_(playthroughs),
      part_(part),
      parts_(parts),
      batch_(batch),
      seed_(seed),
      hands_(static_cast<std::size_t>(search_->num_hands())),
      orders_(game_.size()) {
  if (playthroughs < 0) throw std::invalid_argument("playthroughs: must not be negative");
  if (part < 0 || part >= parts) throw std::invalid_argument("part: must be below parts");
  if (batch < 1) throw std::invalid_argument("batch: must be at least 1");
  if (warm_start < 0 || warm_start > std::numeric_limits<int>::max() - search_->iterations())
    throw std::invalid_argument("warm_start: must be from 0, and less than 2^31 with the iterations");
  discounts.check();
  check_game();
  // A stop is as likely as its iterate weighs in the average.
  const int iterations = search_->iterations();
  std::vector<double> weights(static_cast<std::size_t>(iterations), 1);
  for (int i = iterations - 1; i > 0; --i) weights[i - 1] = weights[i] * discounts.average(i + 1 + warm_start);
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  stop_shares_.push_back(0);
  for (const double weight : weights) stop_shares_.push_back(stop_shares_.back() + weight / total);
  std::int64_t entries = 0;
  for (const SubgameNode& node : game_) entries += node.actor >= 0 ? node.num_children * static_cast<std::int64_t>(hands_) : 0;
  sums_.resize(static_cast<std::size_t>(entries));
  const std::vector<double> ones(2 * hands_, 1);
  if (playthroughs == 0)
    waiting_.push_back({0, 0, 0, 1, ones});
  else
    for (int k = playthroughs - 1; k >= 0; --k)
      if (k % parts == part) waiting_.push_back({0, 0, k, 1.0 / playthroughs, ones});
  begin_next();
}

// The subgames of the search, one below the other, make up the game node by node.
void SearchProfile::check_game() {
  const auto require = [](bool ok) {
    if (!ok) throw std::invalid_argument("game: must be the subgames of the whole game that the search is of, without a limit");
  };
  std::int64_t entries = 0;
  for (const SubgameNode& node : game_) {
    require(node.actor < 0 || node.offset == entries);
    entries += node.actor >= 0 ? node.num_children * static_cast<std::int64_t>(hands_) : 0;
  }
  struct Pair {
    std::int32_t state, from, node;  // of the search: where a subgame begins, and a node of it; the same in the game
  };
  std::vector<Pair> open{{0, 0, 0}};
  while (!open.empty()) {
    const auto [state, from, node] = open.back();
    open.pop_back();
    const SubgameNode &part = search_->nodes(state)[from], &whole = game_[node];
    if (part.actor == kLeaf) {
      open.push_back({part.state, 0, node});
      continue;
    }
    require(part.actor == whole.actor && part.num_children == whole.num_children);
    for (int c = 0; c < part.num_children; ++c) open.push_back({state, part.first_child + c, whole.first_child + c});
  }
}

void SearchProfile::check_own() const {
  if (search_->num_begun() != num_begun_) throw std::logic_error("the subgames of this SearchProfile were begun anew elsewhere");
}

void SearchProfile::answer(const float* values) {
  check_own();
  search_->answer(values);
  go_on();
}

void SearchProfile::answer_strategies(const float* probabilities) {
  check_own();
  search_->answer_strategies(probabilities);
  go_on();
}

void SearchProfile::go_on() {
  if (search_->ask() || search_->ask_strategies()) return;
  collect();
  begin_next();
}

// Until something is asked or all is done.
void SearchProfile::begin_next() {
  while (true) {
    // With much to follow, what waits already goes on waiting.
    const auto most_stops = static_cast<std::size_t>(kStops * batch_);
    const std::size_t rest = played_.size() < most_stops ? 0 : waiting_.size();
    while (!played_.empty() && static_cast<std::int64_t>(waiting_.size() - rest) < batch_) {
      const Played played = std::move(played_.back());
      played_.pop_back();
      follow(search_->nodes(played.place.state), played.strategies, 0, played.place.node, played.place.reaches, played.weight,
             played.playthrough);
    }
    if (waiting_.empty()) return;
    if (waiting_.size() == rest) continue;
    begun_.clear();
    stops_.clear();
    stop_places_.clear();
    std::vector<std::int32_t> states;
    std::vector<double> ranges;
    while (waiting_.size() > rest && static_cast<std::int64_t>(states.size()) < batch_ && stops_.size() < most_stops) {
      Place place = std::move(waiting_.back());
      waiting_.pop_back();
      if (place.node == 0 && !begun_.empty()) {  // the same subgame for every playthrough
        add_stops(0, place);
        continue;
      }
      states.push_back(place.state);
      ranges.insert(ranges.end(), place.reaches.begin(), place.reaches.end());
      begun_.push_back(std::move(place));
      add_stops(static_cast<std::int32_t>(states.size()) - 1, begun_.back());
    }
    num_subgames_ += static_cast<std::int64_t>(states.size());
    search_->begin(states, ranges.data(), stops_, 0, true);
    num_begun_ = search_->num_begun();
    if (search_->ask() || search_->ask_strategies()) return;
    collect();
  }
}

void SearchProfile::add_stops(std::int32_t subgame, const Place& place) {
  const bool has_leaves = search_->nodes(place.state).size() > 0 && search_->num_leaves()[place.state] > 0;
  if (playthroughs_ == 0 && has_leaves) {
    for (int i = 0; i < search_->iterations(); ++i) {
      if (place.node == 0 && i % parts_ != part_) continue;
      stops_.push_back({subgame, i + 1, 0});
      stop_places_.emplace_back(0, place.weight * (stop_shares_[i + 1] - stop_shares_[i]));
    }
    return;
  }
  if (playthroughs_ == 0 && place.node == 0 && part_ != 0) return;  // nothing to share out
  stops_.push_back({subgame, has_leaves ? stop_of(place.node, place.playthrough) : 1, 0});
  stop_places_.emplace_back(place.playthrough, place.weight);
}

// The playthroughs share the stops of a node out among them: one in each stratum, in an order of the node's own.
int SearchProfile::stop_of(std::int32_t node, std::int32_t playthrough) {
  auto& order = orders_[node];
  Random random({seed_, static_cast<std::uint64_t>(node)});
  if (order.empty()) {
    order.resize(static_cast<std::size_t>(playthroughs_));
    std::iota(order.begin(), order.end(), 0);
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(static_cast<std::uint32_t>(i))]);
  }
  Random within({seed_, static_cast<std::uint64_t>(node), static_cast<std::uint64_t>(playthrough)});
  const double share = (order[playthrough] + static_cast<double>(within.uniform())) / playthroughs_;
  const auto above = std::upper_bound(stop_shares_.begin(), stop_shares_.end(), share);
  return std::clamp(static_cast<int>(above - stop_shares_.begin()), 1, search_->iterations());
}

void SearchProfile::collect() {
  for (std::size_t i = 0; i < stops_.size(); ++i) {
    const Place& place = begun_[stops_[i].subgame];
    const auto [playthrough, weight] = stop_places_[i];
    std::vector<double> strategies = search_->stop_strategies(static_cast<std::int64_t>(i));
    if (search_->num_leaves()[place.state] > 0)
      played_.push_back({place, playthrough, weight, std::move(strategies)});
    else
      follow(search_->nodes(place.state), strategies, 0, place.node, place.reaches, weight, playthrough);
  }
}

// Adds what a subgame's strategies play from one of its nodes on, and puts its leaves on the list.
void SearchProfile::follow(const std::vector<SubgameNode>& subgame, const std::vector<double>& strategies, std::int32_t from,
                           std::int32_t node, const std::vector<double>& reaches, double weight, std::int32_t playthrough) {
  const SubgameNode& at = subgame[from];
  if (at.actor == kLeaf) {
    const bool is_reached = std::any_of(reaches.begin(), reaches.end(), [](double reach) { return reach > 0; });
    if (is_reached) waiting_.push_back({node, at.state, playthrough, weight, reaches});
    return;
  }
  for (int c = 0; c < at.num_children; ++c) {
    std::vector<double> below = reaches;
    if (at.actor >= 0) {
      double* own = below.data() + static_cast<std::size_t>(at.actor) * hands_;
      const double* strategy = strategies.data() + at.offset + c * static_cast<std::ptrdiff_t>(hands_);
      double* sums = sums_.data() + game_[node].offset + c * static_cast<std::ptrdiff_t>(hands_);
      for (std::size_t h = 0; h < hands_; ++h) {
        own[h] *= strategy[h];
        sums[h] += weight * own[h];
      }
    }
    follow(subgame, strategies, at.first_child + c, game_[node].first_child + c, below, weight, playthrough);
  }
}

}  // namespace regretless
