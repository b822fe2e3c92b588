// SPDX-License-Identifier: MIT
// Numbers of one player's decisions, [entries] as a VectorTree lays them out: as they are, or in 16 bits with one scale for each
// node, the greatest number of the node being the greatest of 16 bits.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "solve/vector_tree.h"

namespace regretless {

template <class RealType, class StoredType>
class NodeTable {
 public:
  using Real = RealType;
  using Stored = StoredType;
  using Lanes = typename Register<Real>::Lanes;
  static constexpr bool kIsPacked = !std::is_same_v<Real, Stored>;

  // Of one node, by action and hand: numbers of a register of hands. Packed ones lack the scale, which shares do not need.
  struct Rows {
    const Stored* numbers;
    std::ptrdiff_t width;
    Real scale;

    Lanes operator()(int a, int h) const {
      const Stored* from = numbers + a * width + h;
      if constexpr (!kIsPacked) {
        return Register<Real>::load(from).lanes;
      } else {
        using Packed __attribute__((vector_size(kRegisterSize<Real> * sizeof(Stored)))) = Stored;
        Packed packed;
        std::memcpy(&packed, from, sizeof(Packed));
        return __builtin_convertvector(packed, Lanes);
      }
    }
  };

  NodeTable() = default;
  template <class Tree>
  NodeTable(const Tree& tree, Player player) : numbers_(static_cast<std::size_t>(tree.num_entries[player])) {
    if constexpr (kIsPacked) scales_.resize(tree.nodes.size());
  }

  template <class Tree>
  Rows rows(const Tree& tree, const VectorNode& node) const {
    return {numbers_.data() + node.offset, tree.width(node.actor), scale(tree, node)};
  }

  // The numbers themselves, where they are stored as they are.
  Real* at(const VectorNode& node) requires(!kIsPacked) { return numbers_.data() + node.offset; }

  // Packs [count] numbers of a node, none beyond the greatest.
  template <class Tree>
  void pack(const Tree& tree, const VectorNode& node, const Real* from, int count, Lanes greatest) requires(kIsPacked) {
    Real most = 0;
    for (int i = 0; i < kRegisterSize<Real>; ++i) most = std::max(most, greatest[i]);
    constexpr Real kMost = std::numeric_limits<Stored>::max();
    scales_[&node - tree.nodes.data()] = most / kMost;
    const Real factor = most > std::numeric_limits<Real>::min() * kMost ? kMost / most : 0;
    using Whole __attribute__((vector_size(kRegisterBytes))) = std::int32_t;
    using Packed __attribute__((vector_size(kRegisterSize<Real> * sizeof(Stored)))) = Stored;
    const Lanes zero{}, half = zero + Real{0.5};
    for (int i = 0; i < count; i += kRegisterSize<Real>) {
      const Lanes number = Register<Real>::load(from + i).lanes * factor;
      const auto whole = __builtin_convertvector(number + (number > zero ? half : -half), Whole);
      const auto packed = __builtin_convertvector(whole, Packed);
      std::memcpy(numbers_.data() + node.offset + i, &packed, sizeof(Packed));
    }
  }

  // [actions x hands] node after node, without what pads the hands.
  template <class Tree>
  void copy_to(const Tree& tree, Player player, std::vector<double>& out) const {
    each_row(tree, player, [&](const VectorNode& node, std::int64_t at, std::size_t hands) {
      for (std::size_t h = 0; h < hands; ++h) out.push_back(static_cast<double>(numbers_[at + static_cast<std::int64_t>(h)]) * static_cast<double>(scale(tree, node)));
    });
  }
  template <class Tree>
  void copy_from(const Tree& tree, Player player, const double*& from) {
    HandVector<Real> numbers;
    for (const VectorNode& node : tree.nodes) {
      if (node.actor != player) continue;
      const int width = tree.width(player), hands = static_cast<int>(tree.ranges[player].hands.size());
      numbers.assign(static_cast<std::size_t>(node.num_children * width), Real{0});
      Real most = 0;
      for (int a = 0; a < node.num_children; ++a)
        for (int h = 0; h < hands; ++h) {
          const Real number = numbers[a * width + h] = static_cast<Real>(*from++);
          most = std::max(most, std::abs(number));
        }
      if constexpr (kIsPacked)
        pack(tree, node, numbers.data(), node.num_children * width, Lanes{} + most);
      else
        std::copy(numbers.begin(), numbers.end(), at(node));
    }
  }

  template <class Tree>
  static std::size_t size(const Tree& tree, Player player) {
    std::size_t entries = 0;
    for (const VectorNode& node : tree.nodes)
      if (node.actor == player) entries += static_cast<std::size_t>(node.num_children) * tree.ranges[player].hands.size();
    return entries;
  }

 private:
  template <class Tree>
  Real scale(const Tree& tree, const VectorNode& node) const {
    if constexpr (kIsPacked)
      return scales_[&node - tree.nodes.data()];
    else
      return 1;
  }

  template <class Tree, class Visit>
  void each_row(const Tree& tree, Player player, Visit visit) const {
    for (const VectorNode& node : tree.nodes)
      for (int a = 0; node.actor == player && a < node.num_children; ++a)
        visit(node, node.offset + static_cast<std::int64_t>(a) * tree.width(player), tree.ranges[player].hands.size());
  }

  HandVector<Stored> numbers_;
  std::vector<Real> scales_;  // [nodes], if packed
};

}  // namespace regretless
