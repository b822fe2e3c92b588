// SPDX-License-Identifier: MIT
// Every infoset of a public tree under its own name, where boards that a renaming of suits makes equal are kept once: the walk goes
// to all of them and says where their hands stand in the one that is kept.
#pragma once
#include "tree/public_tree.h"
#include "tree/showdown.h"

namespace regretless {

// visit(node, state, places, text): at each decision, the public state as it is and, for each player, where his hands stand in the
// kept node; text is what led there if texts are wanted.
template <class G>
class InfosetWalk {
 public:
  using State = typename G::State;
  using Places = std::array<std::vector<std::int32_t>, 2>;  // [player][hands]
  using Renamings = std::array<std::vector<std::vector<std::int32_t>>, 2>;  // [player][renaming][hands], as in VectorTree
  using Visit = std::function<void(std::int32_t, const State&, const Places&, const std::string&)>;

  // All must outlive it.
  InfosetWalk(const G& game, const PublicTree<G>& tree, const std::array<RootRange, 2>& ranges, const Renamings& renamings,
              const SymmetryGroup& group, bool has_texts, const Visit& visit)
      : game_(game), tree_(tree), ranges_(ranges), renamings_(renamings), group_(group), has_texts_(has_texts), visit_(visit) {}

  void run();

 private:
  // `suits` is the renaming that turns the public cards into those of the kept node.
  void walk(std::int32_t n, const State& state, const Places& places, const SuitPermutation& suits, const std::string& text);
  void walk_outcomes(std::int32_t n, std::int32_t child, const State& state, const Places& places, const SuitPermutation& suits,
                     const std::string& text);

  const G& game_;
  const PublicTree<G>& tree_;
  const std::array<RootRange, 2>& ranges_;
  const Renamings& renamings_;
  const SymmetryGroup& group_;
  bool has_texts_;
  const Visit& visit_;
};

}  // namespace regretless
