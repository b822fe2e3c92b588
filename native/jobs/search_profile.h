// SPDX-License-Identifier: MIT
// The strategy of a player who searches at every decision, as a table of the whole game. The player solves a subgame, stops at a
// random iterate, plays by it, and searches again at the leaf that was reached, with the ranges of that iterate. Where a subgame
// has no leaves, the mean over its iterates is its average strategy.
//
// With `playthroughs` 0 every stop of every subgame is followed, weighted by its probability: exact, and as many subgames as there
// are combinations of stops. Otherwise the player draws one of `playthroughs` seeds before the episode, which fix all stops; over
// the seeds the stops of a public state are spread evenly. The table is then exactly the strategy of this player, and an
// approximation of the strategy with all stops.
#pragma once
#include "jobs/subgames.h"

namespace regretless {

// The nodes of the game from its root on. Many threads may call it at once: the first one builds them, and the others wait.
std::vector<SubgameNode> outline_of(Subgames& game);

class SearchProfile {
 public:
  // `game` is the outline of the whole game that the search is of; another one is refused. At most `batch` subgames are solved at
  // once. The work may be shared out: part 0 ... parts - 1 each take their share of the stops at the root.
  SearchProfile(std::shared_ptr<Subgames> search, std::vector<SubgameNode> game, const Discounts& discounts, int warm_start,
                int playthroughs, int part, int parts, std::int64_t batch, std::uint64_t seed);

  const RangeQuestions* ask_strategies() const { return search_->ask_strategies(); }
  void answer_strategies(const float* probabilities);
  const std::shared_ptr<PublicStates>& states() const { return search_->states(); }
  int num_slots() const { return search_->num_slots(); }
  const RangeQuestions* ask() const { return search_->ask(); }  // nullptr when the table is complete
  void answer(const float* values);

  std::int64_t num_hands() const { return search_->num_hands(); }
  std::int64_t num_subgames() const { return num_subgames_; }  // solved so far
  // [actions, hands] of every decision of the game, one after the other: how likely the player's own actions come that far. Those
  // of all parts add up.
  const std::vector<double>& sums() const { return sums_; }

  Busy& busy() const { return search_->busy(); }  // whoever uses the profile uses its search

 private:
  // A subgame to be solved: where in the game, and how likely each player's own actions were to lead there.
  struct Place {
    std::int32_t node = 0;
    std::int32_t state = 0;
    std::int32_t playthrough = 0;
    double weight = 1;
    std::vector<double> reaches;  // [players, hands]
  };

  // The strategies of a subgame with leaves at one of its stops, to be followed later: its leaves take more memory.
  struct Played {
    Place place;
    std::int32_t playthrough = 0;
    double weight = 1;
    std::vector<double> strategies;
  };

  void check_game();
  void check_own() const;
  void go_on();
  void begin_next();
  void collect();
  void follow(const std::vector<SubgameNode>& subgame, const std::vector<double>& strategies, std::int32_t from, std::int32_t node,
              const std::vector<double>& reaches, double weight, std::int32_t playthrough);
  int stop_of(std::int32_t node, std::int32_t playthrough);
  void add_stops(std::int32_t subgame, const Place& place);

  std::shared_ptr<Subgames> search_;
  std::vector<SubgameNode> game_;
  std::vector<double> stop_shares_;  // [iterations + 1]: probability of a stop before iteration 1 + i
  int playthroughs_, part_, parts_;
  std::int64_t batch_;
  std::uint64_t seed_;
  std::size_t hands_;
  std::vector<double> sums_;
  std::vector<Place> waiting_, begun_;
  std::vector<Played> played_;
  std::vector<SubgameStop> stops_;
  std::vector<std::pair<std::int32_t, double>> stop_places_;  // [stops]: playthrough, weight
  std::vector<std::vector<std::int32_t>> orders_;  // [nodes][playthroughs]: of the strata of its stops
  std::int64_t num_subgames_ = 0;
  std::int64_t num_begun_ = 0;  // by the search, when this began its last
};

}  // namespace regretless
