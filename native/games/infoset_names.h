// SPDX-License-Identifier: MIT
// Infosets in words: hand and public history, as in "Q:cr" or "Qd:cc/Kd:r".
#pragma once
#include <string>

#include "games/explicit_game.h"
#include "games/liars_dice_episode.h"
#include "games/poker_episode.h"

namespace regretless {

// "Q" where a rank comes in one suit, else "Qh".
inline std::string cards_text(const Deck& deck, CardSet cards) {
  std::string text;
  for (; cards != 0; cards &= cards - 1) {
    const auto card = static_cast<Card>(std::countr_zero(cards));
    text += "23456789TJQKA"[deck.lowest_rank + deck.rank(card)];
    if (deck.num_suits > 1) text += "cdhs"[deck.suit(card)];
  }
  return text;
}

inline std::string hand_text(const Poker& game, Hand hand) {
  return cards_text(game.rules().deck, subset_at(static_cast<std::uint32_t>(hand), game.rules().num_hole_cards));
}

inline std::string hand_text(const LiarsDice& game, Hand hand) {
  std::string text;
  auto digit = static_cast<Hand>(game.num_hands());
  for (int i = 0; i < game.num_dice(); ++i) {
    digit /= game.num_faces();
    text += std::to_string(1 + hand / digit % game.num_faces());
  }
  return text;
}

inline std::string outcome_text(const Poker& game, const PokerState& before, const PokerState& after) {
  std::string text = "/";
  text += cards_text(game.rules().deck, game.board_set(after) & ~game.board_set(before));
  return text += ":";
}

inline std::string outcome_text(const LiarsDice&, const LiarsDiceState&, const LiarsDiceState&) { return {}; }

// f, c, r where there is one raise, else the slot's name: [75%], [2x5].
inline std::string action_text(const Poker& game, int slot) {
  if (slot <= kCallSlot) return slot == kFoldSlot ? "f" : "c";
  if (game.num_actions() == 3) return "r";
  std::string text = "[";
  text += game.menu().slots[slot];
  return text += "]";
}

inline std::string action_text(const LiarsDice& game, int slot) {
  std::string text = "[";
  text += game.slot_text({}, slot);
  std::erase(text, ' ');
  return text += "]";
}

// Of an episode's actor, whose hand must be known: what he holds and all that everybody has seen since the game began.
inline std::string infoset_text(const LiarsDiceEpisode& episode) {
  std::string text = hand_text(episode.game(), episode.game().hand(episode.deal(), episode.actor())) + ":";
  for (const Step& step : episode.steps()) text += action_text(episode.game(), step.slot);
  return text;
}

inline std::string infoset_text(const ExplicitEpisode& episode) { return episode.game().infoset_name(episode.state()); }

inline std::string infoset_text(const PokerEpisode& episode) {
  const Poker& game = episode.game();
  PokerState state = game.root();
  std::string text = hand_text(game, game.hand(episode.deal(), episode.actor())) + ":";
  const auto reveal = [&] {
    while (state.actor == kChance) {
      const PokerState before = state;
      game.reveal(state, episode.deal());
      text += outcome_text(game, before, state);
    }
  };
  reveal();
  for (const PokerEpisode::Event& event : episode.events()) {
    text += action_text(game, event.step.slot);
    game.betting().act(state, event.action);
    reveal();
  }
  return text;
}

}  // namespace regretless
