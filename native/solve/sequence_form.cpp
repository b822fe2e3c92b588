// SPDX-License-Identifier: MIT
#include "solve/sequence_form.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace regretless {

// Building.

SequenceForm::SequenceForm(const ExplicitTree& tree) {
  check(tree);
  number_sequences(tree);
  collect_payoffs(tree, last_sequences(tree));
}

void SequenceForm::number_sequences(const ExplicitTree& tree) {
  std::int32_t next = 0;
  places_.resize(tree.infoset_actors.size());
  for (Player player = 0; player < tree.num_players; ++player) {
    sequences_.push_back({next++, 0});
    infoset_ranges_.push_back({num_infosets(), 0});
    for (int number = 0; number < tree.num_infosets(); ++number) {
      if (tree.infoset_actors[number] != player) continue;
      places_[number] = num_infosets();
      infosets_.push_back({number, -1, next, tree.infoset_num_actions[number]});
      next += tree.infoset_num_actions[number];
      max_actions_ = std::max(max_actions_, tree.infoset_num_actions[number]);
    }
    sequences_.back().end = next;
    infoset_ranges_.back().end = num_infosets();
  }
  if (infosets_.size() != tree.infoset_actors.size()) throw std::invalid_argument("explicit tree: an infoset belongs to no player");
}

// The sequence of each player at each node [nodes, players]; fills in what leads to each infoset.
std::vector<std::int32_t> SequenceForm::last_sequences(const ExplicitTree& tree) {
  const auto players = static_cast<std::size_t>(tree.num_players);
  std::vector<std::int32_t> last(tree.actors.size() * players);
  for (std::size_t p = 0; p < players; ++p) last[p] = sequences_[p].begin;
  for (std::size_t node = 0; node < tree.actors.size(); ++node) {
    if (node > 0) {
      const auto parent = static_cast<std::size_t>(tree.parents[node]);
      std::copy_n(&last[parent * players], players, &last[node * players]);
      if (tree.actors[parent] >= 0) {
        const std::int32_t step = static_cast<std::int32_t>(node) - tree.first_children[parent];
        last[node * players + tree.actors[parent]] = infosets_[places_[tree.infosets[parent]]].first + step;
      }
    }
    if (tree.actors[node] < 0) continue;
    Infoset& infoset = infosets_[places_[tree.infosets[node]]];
    const std::int32_t sequence = last[node * players + tree.actors[node]];
    if (infoset.parent < 0) infoset.parent = sequence;
    if (infoset.parent != sequence)
      throw std::invalid_argument("perfect recall is needed, and at infoset " + std::to_string(infoset.number) +
                                  " the player has forgotten an own earlier infoset or action");
    if (sequence >= infoset.first) throw std::invalid_argument("explicit tree: infosets are not numbered as they are first met");
  }
  for (const Infoset& infoset : infosets_)
    if (infoset.parent < 0)
      throw std::invalid_argument("explicit tree: infoset " + std::to_string(infoset.number) + " has no node");
  return last;
}

void SequenceForm::collect_payoffs(const ExplicitTree& tree, const std::vector<std::int32_t>& last) {
  const auto players = static_cast<std::size_t>(tree.num_players);
  std::vector<double> chances(tree.chance_probabilities.begin(), tree.chance_probabilities.end());  // of the whole path
  for (std::size_t node = 1; node < chances.size(); ++node) chances[node] *= chances[tree.parents[node]];
  payoffs_.resize(players);
  for (std::size_t p = 0; p < players; ++p) {
    Payoffs& payoffs = payoffs_[p];
    const auto for_each_term = [&](auto&& visit) {
      for (std::size_t node = 0; node < chances.size(); ++node) {
        if (tree.actors[node] != kTerminal) continue;
        const double weight = chances[node] * tree.payoffs[tree.terminals[node] * players + p];
        if (weight != 0) visit(&last[node * players], weight);
      }
    };
    payoffs.starts.resize(sequences_[p].end - sequences_[p].begin + 1);
    for_each_term([&](const std::int32_t* own, double) { ++payoffs.starts[own[p] - sequences_[p].begin + 1]; });
    std::partial_sum(payoffs.starts.begin(), payoffs.starts.end(), payoffs.starts.begin());
    std::vector<std::int32_t> next(payoffs.starts);
    payoffs.weights.resize(payoffs.starts.back());
    payoffs.others.resize(payoffs.weights.size() * (players - 1));
    for_each_term([&](const std::int32_t* sequences, double weight) {
      const auto term = static_cast<std::size_t>(next[sequences[p] - sequences_[p].begin]++);
      payoffs.weights[term] = weight;
      std::int32_t* others = payoffs.others.data() + term * (players - 1);
      others = std::copy_n(sequences, p, others);
      std::copy_n(sequences + p + 1, players - 1 - p, others);
    });
  }
}

// Walking.

void SequenceForm::terminal_values(Player player, const double* plans, double* values) const {
  const Payoffs& payoffs = payoffs_[player];
  const double* weights = payoffs.weights.data();
  const std::int32_t* others = payoffs.others.data();
  const int num_others = num_players() - 1;
  double* out = values + sequences_[player].begin;
  for (std::size_t s = 0; s + 1 < payoffs.starts.size(); ++s) {
    double sum = 0;
    if (num_others == 1) {
      for (std::int32_t term = payoffs.starts[s]; term < payoffs.starts[s + 1]; ++term) sum += weights[term] * plans[others[term]];
    } else {
      for (std::int32_t term = payoffs.starts[s]; term < payoffs.starts[s + 1]; ++term) {
        double product = weights[term];
        for (int i = 0; i < num_others; ++i) product *= plans[others[std::ptrdiff_t{term} * num_others + i]];
        sum += product;
      }
    }
    out[s] = sum;
  }
}

void SequenceForm::make_plan(Player player, const double* behaviours, double* plans) const {
  plans[sequences_[player].begin] = 1;
  for (const Infoset& infoset : infosets(player))
    for (std::int32_t s = infoset.first; s < infoset.first + infoset.num_actions; ++s)
      plans[s] = plans[infoset.parent] * behaviours[s];
}

void SequenceForm::normalize(Player player, const double* weights, double* behaviours) const {
  behaviours[sequences_[player].begin] = 1;
  for (const Infoset& infoset : infosets(player)) {
    double sum = 0;
    for (std::int32_t s = infoset.first; s < infoset.first + infoset.num_actions; ++s) sum += weights[s];
    const double uniform = 1.0 / infoset.num_actions;
    for (std::int32_t s = infoset.first; s < infoset.first + infoset.num_actions; ++s)
      behaviours[s] = sum > 0 ? weights[s] / sum : uniform;
  }
}

double SequenceForm::best_respond(Player player, double* values, double* behaviours) const {
  behaviours[sequences_[player].begin] = 1;
  const std::span<const Infoset> all = infosets(player);
  for (auto infoset = all.rbegin(); infoset != all.rend(); ++infoset) {
    const double* first = values + infoset->first;
    const double* best = std::max_element(first, first + infoset->num_actions);
    std::fill_n(behaviours + infoset->first, infoset->num_actions, 0.0);
    behaviours[best - values] = 1;
    values[infoset->parent] += *best;
  }
  return values[sequences_[player].begin];
}

// Rows.

void SequenceForm::read_rows(const double* rows, double* sequences) const {
  for (const Range& range : sequences_) sequences[range.begin] = 0;
  for (const Infoset& infoset : infosets_)
    std::copy_n(rows + std::ptrdiff_t{infoset.number} * max_actions_, infoset.num_actions, sequences + infoset.first);
}

void SequenceForm::write_rows(const double* sequences, double* rows) const {
  std::fill_n(rows, std::ptrdiff_t{num_infosets()} * max_actions_, 0.0);
  for (const Infoset& infoset : infosets_)
    std::copy_n(sequences + infoset.first, infoset.num_actions, rows + std::ptrdiff_t{infoset.number} * max_actions_);
}

// Evaluating.

namespace {

std::vector<double> all_plans(const SequenceForm& form, const std::vector<double>& behaviours) {
  std::vector<double> plans(behaviours.size());
  for (Player player = 0; player < form.num_players(); ++player) form.make_plan(player, behaviours.data(), plans.data());
  return plans;
}

}  // namespace

std::vector<double> explicit_values(const SequenceForm& form, const std::vector<double>& behaviours) {
  const std::vector<double> plans = all_plans(form, behaviours);
  std::vector<double> values(plans.size());
  std::vector<double> totals;
  for (Player player = 0; player < form.num_players(); ++player) {
    form.terminal_values(player, plans.data(), values.data());
    const auto [begin, end] = form.sequences(player);
    totals.push_back(std::inner_product(&plans[begin], plans.data() + end, &values[begin], 0.0));
  }
  return totals;
}

ExplicitBestResponse explicit_best_response(const SequenceForm& form, const std::vector<double>& behaviours) {
  const std::vector<double> plans = all_plans(form, behaviours);
  std::vector<double> values(plans.size());
  ExplicitBestResponse response{{}, std::vector<double>(plans.size())};
  for (Player player = 0; player < form.num_players(); ++player) {
    form.terminal_values(player, plans.data(), values.data());
    response.values.push_back(form.best_respond(player, values.data(), response.behaviours.data()));
  }
  return response;
}

}  // namespace regretless
