// SPDX-License-Identifier: MIT
// The catalogue of public states: numbers from 0 in the order in which states are first met, and for each number the features,
// stake, legal slots and possible hands. State 0 is the root of the game. Nothing is enumerated: a state gets its number when
// somebody asks for it. States of equal features and actor share a number, so a number does not name the path that led there.
//
// States that a renaming of suits turns into each other (suit isomorphism) have the same values, with the hands renamed. The one
// with the greatest features is the twin of the others, whatever was met first: networks see only twins.
#pragma once
#include "games/any_game.h"
#include "threads/busy.h"

namespace regretless {

class PublicStates {
 public:
  virtual ~PublicStates() = default;

  virtual const AnyGame& game() const = 0;

  // The number of an episode's public state. Throws std::invalid_argument for an episode of another game.
  virtual std::int32_t number(const AnyEpisode& episode) = 0;
  // The states of a line of play, [slots + 1]: before each slot and after the last. Public cards come from `board`, in its order,
  // wherever they are due. Throws std::invalid_argument for a line that the rules do not allow or that needs more cards.
  virtual std::vector<std::int32_t> follow(std::span<const int> slots, const std::vector<int>& board) = 0;
  // The state after one slot, and the state after public cards.
  virtual std::int32_t act(std::int32_t state, int slot) = 0;
  virtual std::int32_t deal(std::int32_t state, const std::vector<int>& cards) = 0;
  virtual std::vector<int> board(std::int32_t state) const = 0;  // public cards
  virtual int actor(std::int32_t state) const = 0;              // a player, kChance or kTerminal
  // The numbers of decisions with these features [rows, features]. Throws std::invalid_argument for features that were never met.
  virtual std::vector<std::int32_t> find(std::span<const float> features) const = 0;

  std::int32_t size() const { return static_cast<std::int32_t>(stakes_.size()); }
  std::size_t num_hands() const { return num_hands_; }
  std::size_t num_features() const { return num_features_; }
  std::size_t num_slots() const { return num_slots_; }

  const std::vector<float>& features() const { return features_; }  // [states, features]
  const std::vector<double>& stakes() const { return stakes_; }  // [states], chips
  const std::vector<std::uint8_t>& legal() const { return legal_; }  // [states, slots]: all 0 where nobody decides
  const std::vector<std::uint8_t>& possible() const { return possible_; }  // [states, hands]: not blocked by public cards
  const std::uint8_t* possible_at(std::int32_t state) const {
    return possible_.data() + static_cast<std::size_t>(state) * num_hands_;
  }

  const std::vector<double>& root_ranges() const { return root_ranges_; }  // [players, hands]: weights of the rules

  // The twin of a state (itself, if its features are the greatest), and the names of its hands there: null where hands keep their
  // names.
  std::int32_t twin(std::int32_t state) const { return twins_[state]; }
  const Hand* twin_hands_at(std::int32_t state) const {
    return renamings_[state] == 0 ? nullptr : names_[renamings_[state]].data();
  }

  void check(std::int32_t state) const;  // throws std::invalid_argument where there is no such number

  // All jobs that share a catalogue are used by one thread at a time.
  Busy& busy() const { return busy_; }

 protected:
  PublicStates(std::int64_t num_hands, int num_features, int num_slots)
      : num_hands_(static_cast<std::size_t>(num_hands)),
        num_features_(static_cast<std::size_t>(num_features)),
        num_slots_(static_cast<std::size_t>(num_slots)) {}

  std::size_t num_hands_, num_features_, num_slots_;
  std::vector<float> features_;
  std::vector<double> stakes_, root_ranges_;
  std::vector<std::uint8_t> legal_, possible_;
  std::vector<std::int32_t> twins_;
  std::vector<std::size_t> renamings_;  // [states]: into the twin
  std::vector<std::vector<Hand>> names_;  // [renamings, hands]

 private:
  mutable Busy busy_{"PublicStates"};
};

// Throws std::invalid_argument for a game without public states or not for two players, and for a board that cannot be.
std::shared_ptr<PublicStates> make_public_states(const AnyGame& game, const std::vector<int>& board);

}  // namespace regretless
