// SPDX-License-Identifier: MIT
// Public states by number, from 0 in the order in which they are met. States of equal features share a number, so a number does
// not determine the path that led there.
//
// States that a renaming of suits turns into each other have the same values, with the hands renamed. The first one that was met is
// the twin of the others: a network sees only twins, and learns from all of them what it says of one.
#pragma once
#include <cstddef>

#include "tree/symmetry.h"

namespace regretless {

template <PublicGame G>
class PublicStates {
 public:
  // The renamings are those that leave the root of the game as it is.
  PublicStates(const G& game, SymmetryGroup group) : game_(game), group_(std::move(group)) {
    for (const SuitPermutation& renaming : group_.renamings) {
      std::vector<Hand>& names = names_.emplace_back();
      for (Hand hand = 0; hand < game_.num_hands(); ++hand) names.push_back(rename_hand(game_, renaming, hand));
    }
  }

  // A new one where the state is not known yet.
  std::int32_t number(const typename G::State& state) {
    const std::vector<float> key = encode(state);
    const auto [found, is_new] = numbers_.try_emplace(key, size());
    if (is_new) add(state, key);
    return found->second;
  }

  std::int32_t size() const { return static_cast<std::int32_t>(states_.size()); }
  const typename G::State& operator[](std::int32_t number) const { return states_[number]; }
  const std::uint8_t* possible_at(std::int32_t number) const {
    return possible_.data() + static_cast<std::ptrdiff_t>(number) * static_cast<std::ptrdiff_t>(game_.num_hands());
  }

  // The state that this one becomes by a renaming (itself, if it was met first), and what its hands are called there: null where
  // they keep their names.
  std::int32_t twin(std::int32_t number) const { return twins_[number]; }
  const Hand* twin_hands_at(std::int32_t number) const {
    return renamings_[number] == 0 ? nullptr : names_[renamings_[number]].data();
  }

  const std::vector<float>& features() const { return features_; }  // [states, features]
  const std::vector<double>& stakes() const { return stakes_; }  // [states], chips
  const std::vector<std::uint8_t>& legal() const { return legal_; }  // [states, slots]: all 0 where nobody decides
  const std::vector<std::uint8_t>& possible() const { return possible_; }  // [states, hands]: not blocked by what is public

 private:
  std::vector<float> encode(const typename G::State& state) const {
    std::vector<float> features(static_cast<std::size_t>(game_.num_public_features()));
    game_.encode_public(state, features);
    return features;
  }

  void add(const typename G::State& state, const std::vector<float>& key) {
    twins_.push_back(size());
    renamings_.push_back(0);
    for (std::size_t g = 1; g < names_.size() && renamings_.back() == 0; ++g) {
      const auto found = numbers_.find(encode(rename_state(game_, group_.renamings[g], state)));
      if (found == numbers_.end() || found->second >= size() || twins_[found->second] != found->second) continue;
      twins_.back() = found->second;
      renamings_.back() = g;
    }
    states_.push_back(state);
    features_.insert(features_.end(), key.begin(), key.end());
    stakes_.push_back(std::max(game_.stake(state), 1e-9));
    const ActionMask legal = game_.actor(state) >= 0 ? game_.legal(state) : 0;
    for (int slot = 0; slot < game_.num_actions(); ++slot) legal_.push_back(legal >> slot & 1);
    for (Hand hand = 0; hand < game_.num_hands(); ++hand) possible_.push_back(game_.hand_possible(state, hand) ? 1 : 0);
  }

  const G& game_;
  SymmetryGroup group_;
  std::vector<std::vector<Hand>> names_;  // [renamings, hands]
  std::map<std::vector<float>, std::int32_t> numbers_;  // by features
  std::vector<typename G::State> states_;
  std::vector<float> features_;
  std::vector<double> stakes_;
  std::vector<std::uint8_t> legal_, possible_;
  std::vector<std::int32_t> twins_;
  std::vector<std::size_t> renamings_;  // [states]: into the twin
};

}  // namespace regretless
