// SPDX-License-Identifier: MIT
// Numbers of one player's decisions, [entries] as a VectorTree lays them out, each node's by registers of hands and then actions,
// so that a walk reads forward: as they are, or in 16 bits. Those of either sign have one scale for each node, the greatest number
// of the node being the greatest of 16 bits. Those that are never negative (unsigned) differ by orders of magnitude, and the small
// ones need their digits, too: they have five bits of exponent and eleven of mantissa, and one scale for all, which no number
// exceeds.
#pragma once
#include <algorithm>
#include <limits>
#include <type_traits>

#include "solve/regret_matching.h"
#include "solve/vector_tree.h"

namespace regretless {

template <class RealType, class StoredType>
class NodeTable {
  using Whole __attribute__((vector_size(kRegisterBytes))) = std::int32_t;
  using Bits __attribute__((vector_size(kRegisterBytes))) = std::uint32_t;
  using Packed __attribute__((vector_size(kRegisterSize<RealType> * sizeof(StoredType)))) = StoredType;
  static constexpr std::uint32_t kGolden = 0x9e3779b9, kNode = 0x85ebca6b, kAction = 0xc2b2ae35, kTime = 0xcc9e2d51;
  static constexpr int kLostBits = 12;  // of the mantissa of a float
  static constexpr std::uint32_t kExponent = 0x30000000;  // of the least number of 16 bits, as a float has it ...
  static constexpr RealType kLeast = 0x1p-31f;  // ... which stands for 0: it is added to all
  static constexpr int kSize = kRegisterSize<RealType>;
  static constexpr int kAhead = 2048, kLine = 64;  // bytes

 public:
  using Real = RealType;
  using Stored = StoredType;
  using Lanes = typename Register<Real>::Lanes;
  static constexpr bool kIsPacked = !std::is_same_v<Real, Stored>;
  static constexpr bool kIsFloat = std::is_unsigned_v<Stored>;

  // The numbers of one node, by number of actions, action and hand: numbers of a register of hands. Packed ones lack the scale,
  // which shares do not need.
  struct Rows {
    const Stored* numbers;
    Real scale;

    // Has what a walk will soon read brought into the cache.
    [[gnu::always_inline]] void prefetch(int actions, int h) const {
      constexpr int kBytes = kSize * static_cast<int>(sizeof(Stored));
      for (int i = 0; i < actions * kBytes; i += kLine) prefetch_after(numbers + h * actions, kAhead + i);
    }

    Lanes operator()(int actions, int a, int h) const {
      const Stored* from = numbers + h * actions + a * kSize;
      if constexpr (!kIsPacked) {
        return Register<Real>::load(from).lanes;
      } else {
        Packed packed;
        std::memcpy(&packed, from, sizeof(Packed));
        if constexpr (kIsFloat)
          return reinterpret_cast<Lanes>(reinterpret_cast<Bits>(widened(packed)) << kLostBits | kExponent) - kLeast;
        else
          return __builtin_convertvector(widened(packed), Lanes);
      }
    }
  };

  NodeTable() = default;
  template <class Tree>
  NodeTable(const Tree& tree, Player player) : numbers_(static_cast<std::size_t>(tree.num_entries[player])) {
    if constexpr (kIsPacked) scales_.resize(kIsFloat ? 1 : tree.nodes.size());
  }

  template <class Tree>
  Rows rows(const Tree& tree, const VectorNode& node) const {
    return {numbers_.data() + node.offset, scale(tree, node)};
  }

  // Replaces one.
  void set(const VectorNode& node, int a, int hand, Stored number) { numbers_[place(node, a, hand)] = number; }

  // Replaces numbers of a register of hands.
  struct Copier {
    Stored* numbers;
    void operator()(int actions, int a, int h, Lanes lanes) const {
      Register<Real>{lanes}.store(numbers + h * actions + a * kSize);
    }
  };
  Copier copier(const VectorNode& node)
    requires(!kIsPacked)
  {
    return {numbers_.data() + node.offset};
  }

  // A number between two of 16 bits goes to the upper one as often as it is near it: for each entry, how far it must be goes evenly
  // over all shares with the times (a multiple of the golden ratio, without its whole part). Rounded to the nearest, what an
  // iteration adds would be lost where it is little.
  struct Writer {
    Stored* numbers;
    Real factor;
    Bits phase;

    void operator()(int actions, int a, int h, Lanes number) const {
      const Bits up = phase + static_cast<std::uint32_t>(h) * kGolden + static_cast<std::uint32_t>(a) * kAction;
      Packed packed;
      if constexpr (kIsFloat) {
        const Bits bits = reinterpret_cast<Bits>(number * factor + kLeast) + (up >> (32 - kLostBits));
        packed = upper_half(bits << (16 - kLostBits));
      } else {
        packed = upper_half(reinterpret_cast<Bits>(__builtin_convertvector(number * factor, Whole)) + (up >> 16));
      }
      std::memcpy(numbers + h * actions + a * kSize, &packed, sizeof(Packed));
    }
  };

  // Writes the numbers of a node, divided by the scale: 1 / factor.
  template <class Tree>
  Writer writer(const Tree& tree, const VectorNode& node, Real factor, int time)
    requires(kIsPacked)
  {
    Bits phase = Bits{} + (number(tree, node) * kNode + static_cast<std::uint32_t>(time) * kTime);
    for (int i = 0; i < kRegisterSize<Real>; ++i) phase[i] += static_cast<std::uint32_t>(i) * kGolden;
    return {numbers_.data() + node.offset, factor, phase};
  }

  // Packs the numbers of a node, laid out as they are kept, none beyond the greatest.
  template <class Tree>
  void pack(const Tree& tree, const VectorNode& node, const Real* from, Lanes greatest, int time)
    requires(kIsPacked && !kIsFloat)
  {
    constexpr Real kMost = std::numeric_limits<Stored>::max() - 1;  // the sum of greatest number and share may be rounded up
    Real most = 0;
    for (int i = 0; i < kRegisterSize<Real>; ++i) most = std::max(most, greatest[i]);
    scales_[number(tree, node)] = most / kMost;
    const Real factor = most > std::numeric_limits<Real>::min() * kMost ? kMost / most : 0;
    const int width = tree.width(node.actor);
    const Writer write = writer(tree, node, factor * 0x1p16f, time);
    with_actions(node.num_children, [&](auto actions) {
      for (int h = 0; h < width; h += kSize)
        for (int a = 0; a < actions; ++a) write(actions, a, h, Register<Real>::load(from + h * actions + a * kSize).lanes);
    });
  }

  // The one scale of numbers that are never negative.
  Real& scale()
    requires(kIsFloat)
  {
    return scales_[0];
  }

  // All that is stored: [actions x hands] node after node, without what pads the hands, with the scales if packed.
  template <class Tree>
  void copy_to(const Tree& tree, Player player, std::vector<double>& out) const {
    each_number(
        tree, player, [&](std::size_t at) { out.push_back(numbers_[at]); }, [&](std::size_t n) { out.push_back(scales_[n]); });
  }
  template <class Tree>
  void copy_from(const Tree& tree, Player player, const double*& from) {
    each_number(
        tree, player, [&](std::size_t at) { numbers_[at] = static_cast<Stored>(*from++); },
        [&](std::size_t n) { scales_[n] = static_cast<Real>(*from++); });
  }
  // Whether copy_from may read these.
  template <class Tree>
  static bool can_hold(const Tree& tree, Player player, bool is_sum, const double*& from) {
    const double least = is_sum ? 0 : static_cast<double>(std::numeric_limits<Stored>::lowest());
    const double most = static_cast<double>(std::numeric_limits<Stored>::max());
    bool is_good = true;
    each_number(
        tree, player,
        [&](std::size_t) {
          is_good &= *from >= least && *from <= most;
          ++from;
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
    each_number(tree, player, [&](std::size_t) { ++size; }, [&](std::size_t) { ++size; });
    return size;
  }

 private:
  // Each number in 32 bits. With AVX2 compilers take several instructions where the processor has one.
  static Whole widened(Packed packed) {
#if defined(__AVX2__) && !defined(__AVX512F__)
    const auto bits = reinterpret_cast<__m128i>(packed);
    return reinterpret_cast<Whole>(kIsFloat ? _mm256_cvtepu16_epi32(bits) : _mm256_cvtepi16_epi32(bits));
#else
    return __builtin_convertvector(packed, Whole);
#endif
  }
  static Packed upper_half(Bits bits) {
#if defined(__AVX2__) && !defined(__AVX512F__)
    const __m256i upper = _mm256_set1_epi64x(0x0f0e'0b0a'0706'0302);  // bytes of four numbers, within each half of a register
    const __m256i halves = _mm256_shuffle_epi8(reinterpret_cast<__m256i>(bits), upper);
    return reinterpret_cast<Packed>(_mm256_castsi256_si128(_mm256_permute4x64_epi64(halves, 0x08)));
#else
    return __builtin_convertvector(bits >> 16, Packed);
#endif
  }

  template <class Tree>
  static std::uint32_t number(const Tree& tree, const VectorNode& node) {
    return static_cast<std::uint32_t>(&node - tree.nodes.data());
  }

  template <class Tree>
  Real scale(const Tree& tree, const VectorNode& node) const {
    if constexpr (kIsPacked)
      return scales_[kIsFloat ? 0 : number(tree, node)];
    else
      return 1;
  }

  static std::size_t place(const VectorNode& node, int a, int hand) {
    const int lane = hand % kSize;
    return static_cast<std::size_t>(node.offset + (hand - lane) * node.num_children + a * kSize + lane);
  }

  // Calls visit(place) for each action and hand of the player's nodes, and visit_scale(node) or once, where one is kept.
  template <class Tree, class Visit, class VisitScale>
  static void each_number(const Tree& tree, Player player, Visit visit, VisitScale visit_scale) {
    const int hands = static_cast<int>(tree.ranges[player].hands.size());
    for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
      const VectorNode& node = tree.nodes[n];
      if (node.actor != player) continue;
      for (int a = 0; a < node.num_children; ++a)
        for (int h = 0; h < hands; ++h) visit(place(node, a, h));
      if constexpr (kIsPacked && !kIsFloat) visit_scale(n);
    }
    if constexpr (kIsFloat) visit_scale(0);
  }

  std::vector<Stored, TableAllocator<Stored>> numbers_;
  std::vector<Real> scales_;  // [nodes], or one, if packed
};

}  // namespace regretless
