// SPDX-License-Identifier: MIT
// Public states by number, from 0 in the order in which they are met. States of equal features share a number, so a number does
// not tell the path that led there.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "games/game.h"

namespace regretless {

template <TwoPlayerGame G>
class PublicStates {
 public:
  explicit PublicStates(const G& game) : game_(game) {}

  // A new one where the state is not known yet.
  std::int32_t number(const typename G::State& state) {
    std::vector<float> key(static_cast<std::size_t>(game_.num_public_features()));
    game_.encode_public(state, key);
    const auto [found, is_new] = numbers_.try_emplace(key, size());
    if (is_new) add(state, key);
    return found->second;
  }

  std::int32_t size() const { return static_cast<std::int32_t>(states_.size()); }
  const typename G::State& operator[](std::int32_t number) const { return states_[number]; }
  const std::uint8_t* possible_at(std::int32_t number) const {
    return possible_.data() + static_cast<std::ptrdiff_t>(number) * static_cast<std::ptrdiff_t>(game_.num_hands());
  }

  const std::vector<float>& features() const { return features_; }         // [states, features]
  const std::vector<double>& stakes() const { return stakes_; }            // [states], chips
  const std::vector<std::uint8_t>& legal() const { return legal_; }        // [states, slots]: all 0 where nobody decides
  const std::vector<std::uint8_t>& possible() const { return possible_; }  // [states, hands]: not blocked by what is public

 private:
  void add(const typename G::State& state, const std::vector<float>& key) {
    states_.push_back(state);
    features_.insert(features_.end(), key.begin(), key.end());
    stakes_.push_back(std::max(game_.stake(state), 1e-9));
    const ActionMask legal = game_.actor(state) >= 0 ? game_.legal(state) : 0;
    for (int slot = 0; slot < game_.num_actions(); ++slot) legal_.push_back(legal >> slot & 1);
    for (Hand hand = 0; hand < game_.num_hands(); ++hand) possible_.push_back(game_.hand_possible(state, hand) ? 1 : 0);
  }

  const G& game_;
  std::map<std::vector<float>, std::int32_t> numbers_;  // by features
  std::vector<typename G::State> states_;
  std::vector<float> features_;
  std::vector<double> stakes_;
  std::vector<std::uint8_t> legal_, possible_;
};

}  // namespace regretless
