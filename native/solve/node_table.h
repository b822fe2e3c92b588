// SPDX-License-Identifier: MIT
// Numbers of one player's decisions, [entries] as a VectorTree lays them out: as they are, or in 16 bits with one scale for each
// node, the greatest number of the node being the greatest of 16 bits. Of numbers that are never negative (unsigned) the roots are
// kept: they differ by orders of magnitude, and the small ones need their digits, too.
#pragma once
#include <cmath>
#include <limits>
#include <type_traits>

#include "solve/vector_tree.h"

namespace regretless {

template <class RealType, class StoredType>
class NodeTable {
 public:
  using Real = RealType;
  using Stored = StoredType;
  using Lanes = typename Register<Real>::Lanes;
  static constexpr bool kIsPacked = !std::is_same_v<Real, Stored>;
  static constexpr bool kIsRoot = std::is_unsigned_v<Stored>;

  // The numbers of one node, by action and hand: numbers of a register of hands. Packed ones lack the scale, which shares do not
  // need.
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
        const Lanes number = __builtin_convertvector(packed, Lanes);
        return kIsRoot ? number * number : number;
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
  Real* at(const VectorNode& node)
    requires(!kIsPacked)
  {
    return numbers_.data() + node.offset;
  }

  // Packs the numbers [actions, hands] of a node, none beyond the greatest, and spoils them. A number between two steps goes to the
  // upper one as often as it is near it: for each entry, how far it must be goes evenly over all shares with the times (a multiple
  // of the golden ratio, without its whole part). Rounded to the nearest, what an iteration adds would be lost where it is little.
  template <class Tree>
  void pack(const Tree& tree, const VectorNode& node, Real* from, Lanes greatest, int time)
    requires(kIsPacked)
  {
    using Whole __attribute__((vector_size(kRegisterBytes))) = std::int32_t;
    using Phase __attribute__((vector_size(kRegisterBytes))) = std::uint32_t;
    using Packed __attribute__((vector_size(kRegisterSize<Real> * sizeof(Stored)))) = Stored;
    constexpr std::uint32_t kGolden = 0x9e3779b9, kNode = 0x85ebca6b, kAction = 0xc2b2ae35, kTime = 0xcc9e2d51;
    constexpr Real kMost = std::numeric_limits<Stored>::max() - 1;  // the sum of greatest number and share may be rounded up
    Real most = 0;
    for (int i = 0; i < kRegisterSize<Real>; ++i) most = std::max(most, greatest[i]);
    const int width = tree.width(node.actor);
    if constexpr (kIsRoot) {
      most = std::sqrt(most);
      for (int i = 0; i < node.num_children * width; ++i) from[i] = std::sqrt(from[i]);
    }
    const auto n = static_cast<std::uint32_t>(&node - tree.nodes.data());
    scales_[n] = kIsRoot ? (most / kMost) * (most / kMost) : most / kMost;
    const Real factor = most > std::numeric_limits<Real>::min() * kMost ? kMost / most : 0;
    Phase hands{};
    for (int i = 0; i < kRegisterSize<Real>; ++i) hands[i] = static_cast<std::uint32_t>(i) * kGolden;
    for (int a = 0; a < node.num_children; ++a) {
      Phase phase = hands + (n * kNode + static_cast<std::uint32_t>(a) * kAction + static_cast<std::uint32_t>(time) * kTime);
      for (int h = 0; h < width; h += kRegisterSize<Real>, phase += kRegisterSize<Real> * kGolden) {
        const Lanes up = __builtin_convertvector(reinterpret_cast<Whole>(phase >> 8), Lanes) * Real{0x1p-24};
        const Lanes number = Register<Real>::load(from + a * width + h).lanes * factor + up;
        Whole whole = __builtin_convertvector(number, Whole);
        whole += number < __builtin_convertvector(whole, Lanes);  // true is -1: towards the lower one
        const Packed packed = __builtin_convertvector(whole, Packed);
        std::memcpy(numbers_.data() + node.offset + a * width + h, &packed, sizeof(Packed));
      }
    }
  }

  // All that is stored: [actions x hands] node after node, without what pads the hands, each with its scale if packed.
  template <class Tree>
  void copy_to(const Tree& tree, Player player, std::vector<double>& out) const {
    each_row(
        tree, player,
        [&](std::size_t at, std::size_t hands) {
          out.insert(out.end(), numbers_.begin() + static_cast<std::ptrdiff_t>(at),
                     numbers_.begin() + static_cast<std::ptrdiff_t>(at + hands));
        },
        [&](std::size_t n) { out.push_back(scales_[n]); });
  }
  template <class Tree>
  void copy_from(const Tree& tree, Player player, const double*& from) {
    each_row(
        tree, player,
        [&](std::size_t at, std::size_t hands) {
          for (std::size_t h = 0; h < hands; ++h) numbers_[at + h] = static_cast<Stored>(*from++);
        },
        [&](std::size_t n) { scales_[n] = static_cast<Real>(*from++); });
  }
  // Whether copy_from may read these.
  template <class Tree>
  static bool can_hold(const Tree& tree, Player player, bool is_sum, const double*& from) {
    const double least = is_sum ? 0 : static_cast<double>(std::numeric_limits<Stored>::lowest());
    const double most = static_cast<double>(std::numeric_limits<Stored>::max());
    bool is_good = true;
    each_row(
        tree, player,
        [&](std::size_t, std::size_t hands) {
          for (std::size_t h = 0; h < hands; ++h, ++from) is_good &= *from >= least && *from <= most;
        },
        [&](std::size_t) {
          is_good &= *from >= 0 && *from <= static_cast<double>(std::numeric_limits<Real>::max());
          ++from;
        });
    return is_good;
  }
  template <class Tree>
  static std::size_t size(const Tree& tree, Player player) {
    std::size_t size = 0;
    each_row(tree, player, [&](std::size_t, std::size_t hands) { size += hands; }, [&](std::size_t) { ++size; });
    return size;
  }

 private:
  template <class Tree>
  Real scale(const Tree& tree, const VectorNode& node) const {
    if constexpr (kIsPacked)
      return scales_[&node - tree.nodes.data()];
    else
      return 1;
  }

  // Calls visit(place, hands) for each action of the player's nodes, and visit_scale(node) where one is kept.
  template <class Tree, class Visit, class VisitScale>
  static void each_row(const Tree& tree, Player player, Visit visit, VisitScale visit_scale) {
    for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
      const VectorNode& node = tree.nodes[n];
      if (node.actor != player) continue;
      for (int a = 0; a < node.num_children; ++a)
        visit(static_cast<std::size_t>(node.offset + a * tree.width(player)), tree.ranges[player].hands.size());
      if constexpr (kIsPacked) visit_scale(n);
    }
  }

  HandVector<Stored> numbers_;
  std::vector<Real> scales_;  // [nodes], if packed
};

}  // namespace regretless
