// SPDX-License-Identifier: MIT
// Infosets in words.
#pragma once
#include <string>

#include "games/liars_dice.h"
#include "games/poker.h"
#include "tree/public_tree.h"

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

// [nodes]: the events that led to each node, as in "cc/Kd:r".
template <Game G>
std::vector<std::string> event_texts(const G& game, const PublicTree<G>& tree) {
  std::vector<std::string> texts(tree.nodes.size());
  for (std::size_t n = 1; n < texts.size(); ++n) {
    const auto parent = static_cast<std::size_t>(tree.nodes[n].parent);
    texts[n] = texts[parent] + (tree.nodes[parent].actor == kChance ? outcome_text(game, tree.states[parent], tree.states[n])
                                                                    : action_text(game, tree.nodes[n].event));
  }
  return texts;
}

}  // namespace regretless
