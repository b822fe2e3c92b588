// SPDX-License-Identifier: MIT
#include "games/liars_dice.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace regretless {

LiarsDice::LiarsDice(int num_dice, int num_faces, int num_players)
    : num_dice_(num_dice), num_faces_(num_faces), num_players_(num_players), num_hands_(1) {
  if (num_dice < 1 || num_dice > kMaxDice) throw std::invalid_argument("dice: must be 1 to 6");
  if (num_faces < 2 || num_faces > 20) throw std::invalid_argument("faces: must be 2 to 20");
  if (num_players < 2 || num_players > kMaxPlayers) throw std::invalid_argument("players: must be 2 to 10");
  if (num_actions() > kMaxActions)
    throw std::invalid_argument("dice x faces x players: at most 63 bids, not " + std::to_string(num_bids()));
  for (int i = 0; i < num_dice; ++i) num_hands_ *= num_faces;
}

std::string LiarsDice::name() const {
  std::string name = "liars-dice-";  // step by step: g++ 12 warns of a sum of texts (-Wrestrict)
  name.append(std::to_string(num_dice_)).append("x").append(std::to_string(num_faces_)).append("f");
  if (num_players_ > 2) name.append("-").append(std::to_string(num_players_)).append("p");
  return name;
}

std::vector<int> LiarsDice::hand_parts(Hand hand) const {
  std::vector<int> faces(static_cast<std::size_t>(num_dice_));
  for (auto face = faces.rbegin(); face != faces.rend(); ++face, hand /= num_faces_) *face = hand % num_faces_ + 1;
  return faces;
}

ActionMask LiarsDice::legal(const State& state) const {
  const ActionMask all = ~ActionMask{0} >> (64 - num_actions());
  const ActionMask higher = all & (~ActionMask{0} << (state.bid + 1));
  return state.bid < 0 ? higher & ~(ActionMask{1} << num_bids()) : higher;
}

void LiarsDice::act(State& state, int slot) const {
  state.key = extend_key(state.key, static_cast<std::uint64_t>(slot) + 1);
  state.to_act = static_cast<std::int8_t>((state.to_act + 1) % num_players_);
  if (slot == num_bids())
    state.is_called = true;
  else
    state.bid = static_cast<std::int8_t>(slot);
}

Step LiarsDice::take(State& state, int slot) const {
  const Step step{static_cast<std::uint8_t>(state.to_act), static_cast<std::uint8_t>(slot)};
  act(state, slot);
  return step;
}

double LiarsDice::num_deals(const State&) const { return std::pow(static_cast<double>(num_hands_), num_players_); }

double LiarsDice::num_partial_deals() const {
  double histories = 0, deals = 1;
  for (int i = 0; i < num_players_ * num_dice_; ++i, deals *= num_faces_) histories += deals;
  return histories;
}

int LiarsDice::num_matches(Hand hand, int face) const {
  int matches = 0;
  for (int i = 0; i < num_dice_; ++i, hand /= num_faces_)
    matches += hand % num_faces_ == face || hand % num_faces_ == num_faces_ - 1;
  return matches;
}

Ending LiarsDice::ending(const State& state) const {
  Ending ending;
  ending.is_showdown = true;
  ending.payoffs = {{{-1, 0, 1}, {-1, 0, 1}}};
  ending.key = static_cast<std::uint64_t>(state.bid) << 1 | static_cast<unsigned>(state.to_act);
  return ending;
}

int LiarsDice::compare(const State& state, Hand first, Hand second) const {
  const int quantity = 1 + state.bid / num_faces_, face = state.bid % num_faces_;
  const bool bid_holds = num_matches(first, face) + num_matches(second, face) >= quantity;
  const Player bidder = state.to_act;  // of two players, the one who did not call
  return bid_holds == (bidder == 0) ? 1 : -1;
}

LiarsDiceDeal LiarsDice::deal(Random& random) const {
  LiarsDiceDeal deal;
  for (Player p = 0; p < num_players_; ++p)
    for (int i = 0; i < num_dice_; ++i)
      deal.dice[p][i] = static_cast<std::uint8_t>(random.below(static_cast<std::uint32_t>(num_faces_)));
  return deal;
}

Hand LiarsDice::hand(const Deal& deal, Player player) const {
  Hand hand = 0;
  for (int i = 0; i < num_dice_; ++i) hand = hand * num_faces_ + deal.dice[player][i];
  return hand;
}

void LiarsDice::set_hand(Deal& deal, Player player, Hand hand) const {
  for (int i = num_dice_ - 1; i >= 0; --i, hand /= num_faces_) deal.dice[player][i] = static_cast<std::uint8_t>(hand % num_faces_);
}

unsigned LiarsDice::read_hands(const std::vector<std::vector<int>>& dice, Deal& deal) const {
  if (dice.size() > static_cast<std::size_t>(num_players_)) throw std::invalid_argument("dice of more seats than there are");
  unsigned known = 0;
  for (std::size_t p = 0; p < dice.size(); ++p) {
    if (dice[p].empty()) continue;
    known |= 1u << p;
    if (dice[p].size() != static_cast<std::size_t>(num_dice_))
      throw std::invalid_argument("dice of player " + std::to_string(p) + ": must be " + std::to_string(num_dice_));
    for (std::size_t i = 0; i < dice[p].size(); ++i) {
      if (dice[p][i] < 1 || dice[p][i] > num_faces_)
        throw std::invalid_argument("dice of player " + std::to_string(p) + ": no face " + std::to_string(dice[p][i]));
      deal.dice[p][i] = static_cast<std::uint8_t>(dice[p][i] - 1);
    }
  }
  return known;
}

void LiarsDice::payoffs(const State& state, const Deal& deal, std::span<std::int32_t> out) const {
  const int quantity = 1 + state.bid / num_faces_, face = state.bid % num_faces_, wild = num_faces_ - 1;
  int matches = 0;
  for (Player p = 0; p < num_players_; ++p)
    for (int i = 0; i < num_dice_; ++i) matches += deal.dice[p][i] == face || deal.dice[p][i] == wild;
  const Player caller = (state.to_act + num_players_ - 1) % num_players_;
  const Player bidder = (caller + num_players_ - 1) % num_players_;
  const Player loser = matches >= quantity ? caller : bidder;
  for (Player p = 0; p < num_players_; ++p) out[p] = p == loser ? 1 - num_players_ : 1;
}

void LiarsDice::encode_public(const State& state, std::span<float> features) const {
  std::fill(features.begin(), features.end(), 0.f);
  features[state.to_act] = 1;
  if (state.bid >= 0) features[num_players_ + state.bid] = 1;
}

std::string LiarsDice::slot_text(const State&, int slot) const {
  if (slot == num_bids()) return "liar";
  const int quantity = 1 + slot / num_faces_, face = 1 + slot % num_faces_;
  return std::to_string(quantity) + " x " + std::to_string(face);
}

std::string LiarsDice::hand_text(Hand hand) const {
  std::string text;
  for (const int face : hand_parts(hand)) text += std::to_string(face);
  return text;
}

std::string LiarsDice::action_text(int slot) const {
  std::string text = "[";
  text += slot_text({}, slot);
  std::erase(text, ' ');
  return text += "]";
}

std::string LiarsDice::infoset_text(const State& state, const Deal& deal, std::span<const Step> history) const {
  std::string text = hand_text(hand(deal, actor(state))) + ":";
  for (const Step& step : history) text += action_text(step.slot);
  return text;
}

}  // namespace regretless
