// SPDX-License-Identifier: MIT
// A two-player public tree made ready for vectors over hands: what the tabular solvers and best response walk.
#pragma once
#include "tree/public_tree.h"
#include "tree/subset_showdown.h"

namespace regretless {

struct VectorNode {
  std::int64_t offset =
      0;  // decision: of its [actions, hands] in the actor's arrays; chance: of its first edge; terminal or leaf: its row
  std::int32_t first_child = 0;
  std::int16_t num_children = 0;
  std::int8_t actor = kTerminal;
  std::int8_t orbits = -1;  // row of orbits: hands whose values must be equal, -1 where none must
};

// From a chance node to one kept outcome.
struct ChanceEdge {
  std::array<std::int64_t, 2> masks{};      // offset of [hands]: 1 where the hand is still possible
  double probability = 0;                   // of all outcomes that this one stands for
};

// Hands that the symmetries of a public state turn into each other.
struct Orbits {
  std::vector<std::int32_t> members;   // one orbit after the other
  std::vector<std::int32_t> ends;      // [orbits]: in members
  std::vector<std::int32_t> orbit_of;  // [hands]; what pads a vector is in a last orbit without members
};

// kWidth fixes the padded number of hands at compile time (small games); 0 leaves it open.
template <class RealType, int kFixedWidth, class TerminalsType>
struct VectorTree {
  using Real = RealType;
  using Terminals = TerminalsType;
  static constexpr int kWidth = kFixedWidth;
  static constexpr int kPadding = kWidth > 0 ? kWidth : kRegisterSize<Real>;

  std::array<RootRange, 2> ranges;
  std::array<int, 2> strides{};
  std::vector<VectorNode> nodes;
  std::vector<TerminalNode> terminals;  // those that pay alike on boards that compare alike are one
  std::vector<ChanceEdge> edges;
  std::array<HandVector<Real>, 2> masks;
  std::array<std::vector<std::vector<std::int32_t>>, 2> renamings;  // [player][renaming][hands]: where each hand goes
  std::array<std::vector<Orbits>, 2> orbits;           // [player][rows]
  std::array<std::int64_t, 2> num_entries{};           // sum over the player's nodes of actions x padded hands
  std::array<std::int64_t, 2> num_infosets{};
  int num_leaves = 0;
  double total_weight = 0;                             // of all compatible pairs of hands
  std::unique_ptr<Terminals> showdown;

  static std::array<int, 2> padded(const std::array<RootRange, 2>& ranges) {
    const auto pad = [](std::size_t size) { return (static_cast<int>(size) + kPadding - 1) / kPadding * kPadding; };
    return {pad(ranges[0].hands.size()), pad(ranges[1].hands.size())};
  }
  int width(Player player) const { return kWidth > 0 ? kWidth : strides[player]; }

  // Compiled once, in vector_tree.cpp, for the games and trees that go together.
  template <PublicGame G>
  VectorTree(const G& game, const PublicTree<G>& tree, const SymmetryGroup& group, std::array<RootRange, 2> root_ranges);

  HandVector<Real> root_reach(Player player) const {
    HandVector<Real> reach(static_cast<std::size_t>(strides[player]));
    for (std::size_t h = 0; h < ranges[player].weights.size(); ++h) reach[h] = static_cast<Real>(ranges[player].weights[h]);
    return reach;
  }
};

template <class Real, int kWidth>
using DenseTree = VectorTree<Real, kWidth, DenseShowdown<Real, kWidth>>;
using RankedTree = VectorTree<float, 0, RankedShowdown>;
using SubsetTree = VectorTree<SubsetShowdown::Real, 0, SubsetShowdown>;
inline constexpr int kDenseHands = 64;  // up to here a matrix of all pairs of hands is the quickest showdown

// Memory for the vectors of one walk: a stack that grows when it is first used.
template <class Real>
class Workspace {
  struct Place {
    Real *top = nullptr, *end = nullptr;  // of the chunk
    std::size_t next_chunk = 0;
  };

 public:
  class Frame {
   public:
    explicit Frame(Workspace& workspace) : workspace_(workspace), place_(workspace.place_) {}
    ~Frame() { workspace_.place_ = place_; }
    Frame(const Frame&) = delete;
    Frame& operator=(const Frame&) = delete;
    Real* take(int size) {
      Place& place = workspace_.place_;
      if (place.end - place.top < size) workspace_.open_chunk(static_cast<std::size_t>(size));
      Real* memory = place.top;
      place.top += size;
      return memory;
    }

   private:
    Workspace& workspace_;
    Place place_;
  };

 private:
  static constexpr std::size_t kChunk = std::size_t{1} << 16;

  // The next one that is large enough.
  [[gnu::noinline]] void open_chunk(std::size_t size) {
    std::size_t& next = place_.next_chunk;
    while (next < chunks_.size() && chunks_[next].size() < size) ++next;
    if (next == chunks_.size()) chunks_.emplace_back(std::max(size, kChunk));
    place_.top = chunks_[next].data();
    place_.end = place_.top + chunks_[next].size();
    ++next;
  }

  std::vector<HandVector<Real>> chunks_;
  Place place_;
};

}  // namespace regretless
