// SPDX-License-Identifier: MIT
// Every infoset of a public tree under its own name, where boards that a renaming of suits makes equal are kept once: the walk goes
// to all of them and says where their hands stand in the one that is kept.
#pragma once
#include "tree/public_tree.h"
#include "tree/showdown.h"

namespace regretless {

using HandPlaces = std::array<std::vector<std::int32_t>, 2>;  // [player][hands]
using HandRenamings = std::array<std::vector<std::vector<std::int32_t>>, 2>;  // [player][renaming][hands], as in VectorTree

// visit(node, state, places, text): at each decision, the public state as it is and, for each player, where his hands stand in the
// kept node; text is what led there if texts are wanted.
template <class G>
using InfosetVisit = std::function<void(std::int32_t, const typename G::State&, const HandPlaces&, const std::string&)>;

template <class G>
void walk_infosets(const G& game, const PublicTree<G>& tree, const std::array<RootRange, 2>& ranges, const HandRenamings& renamings,
                   const SymmetryGroup& group, bool has_texts, const InfosetVisit<G>& visit);

}  // namespace regretless
