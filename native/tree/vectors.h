// SPDX-License-Identifier: MIT
// Arithmetic on vectors over hands. The arrays of one call never overlap unless they are the same, which lets the compiler
// use whole registers; kWidth > 0 fixes the length at compile time.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <type_traits>
#include <vector>

namespace regretless {

// Starts on a cache line, so that no register load straddles two.
template <class T>
struct CacheLineAllocator {
  using value_type = T;
  static constexpr std::align_val_t kAlignment{64};
  CacheLineAllocator() = default;
  template <class U>
  CacheLineAllocator(const CacheLineAllocator<U>&) {}
  T* allocate(std::size_t size) { return static_cast<T*>(::operator new(size * sizeof(T), kAlignment)); }
  void deallocate(T* memory, std::size_t) { ::operator delete(memory, kAlignment); }
  bool operator==(const CacheLineAllocator&) const { return true; }
};

template <class Real>
using HandVector = std::vector<Real, CacheLineAllocator<Real>>;

// A block of hands in registers.
template <class Real, int kSize>
struct Block {
  using Lanes __attribute__((vector_size(kSize * sizeof(Real)))) = Real;
  Lanes lanes;

  static Block load(const Real* from) {
    Block block;
    std::memcpy(&block.lanes, from, sizeof(Lanes));
    return block;
  }
  void store(Real* to) const { std::memcpy(to, &lanes, sizeof(Lanes)); }
};

// Exchanges the off-diagonal blocks of kStep rows and columns, then those within, half the size each time (Eklundh 1972).
template <class Real, int kSize, int kStep>
inline void exchange_blocks(typename Block<Real, kSize>::Lanes (&rows)[kSize]) {
  using Lanes = typename Block<Real, kSize>::Lanes;
  using Index = std::conditional_t<sizeof(Real) == 4, std::int32_t, std::int64_t>;
  using Places __attribute__((vector_size(kSize * sizeof(Index)))) = Index;
  Places first{}, second{};
  for (int j = 0; j < kSize; ++j) {
    first[j] = static_cast<Index>((j & kStep) != 0 ? kSize + j - kStep : j);
    second[j] = static_cast<Index>((j & kStep) != 0 ? kSize + j : j + kStep);
  }
  for (int block = 0; block < kSize; block += 2 * kStep)
    for (int i = block; i < block + kStep; ++i) {
      const Lanes a = rows[i], b = rows[i + kStep];
      rows[i] = __builtin_shuffle(a, b, first);
      rows[i + kStep] = __builtin_shuffle(a, b, second);
    }
  if constexpr (kStep > 1) exchange_blocks<Real, kSize, kStep / 2>(rows);
}

// Turns kSize rows of kSize numbers into columns.
template <class Real, int kSize>
inline void transpose(const Real* in, std::ptrdiff_t in_stride, Real* out, std::ptrdiff_t out_stride) {
  using Rows = Block<Real, kSize>;
  typename Rows::Lanes rows[kSize];
  for (int i = 0; i < kSize; ++i) rows[i] = Rows::load(in + i * in_stride).lanes;
  exchange_blocks<Real, kSize, kSize / 2>(rows);
  for (int i = 0; i < kSize; ++i) Rows{rows[i]}.store(out + i * out_stride);
}

#define REGRETLESS_EACH(h, size) \
  _Pragma("GCC ivdep") for (int h = 0; h < (kWidth > 0 ? kWidth : (size)); ++h)

template <int kWidth, class Real>
inline void fill(Real* __restrict out, Real value, int size) {
  REGRETLESS_EACH(h, size) out[h] = value;
}

template <int kWidth, class Real>
inline void multiply(Real* __restrict out, const Real* __restrict a, const Real* __restrict b, int size) {
  REGRETLESS_EACH(h, size) out[h] = a[h] * b[h];
}

template <int kWidth, class Real>
inline void add(Real* __restrict out, const Real* __restrict a, int size) {
  REGRETLESS_EACH(h, size) out[h] += a[h];
}

template <int kWidth, class Real>
inline void add_product(Real* __restrict out, const Real* __restrict a, const Real* __restrict b, int size) {
  REGRETLESS_EACH(h, size) out[h] += a[h] * b[h];
}

template <int kWidth, class Real>
inline void add_scaled(Real* __restrict out, Real scale, const Real* __restrict a, int size) {
  REGRETLESS_EACH(h, size) out[h] += scale * a[h];
}

template <int kWidth, class Real>
inline void add_scaled_product(Real* __restrict out, Real scale, const Real* __restrict a, const Real* __restrict b, int size) {
  REGRETLESS_EACH(h, size) out[h] += scale * a[h] * b[h];
}

template <int kWidth, class Real>
inline void take_max(Real* __restrict out, const Real* __restrict a, int size) {
  REGRETLESS_EACH(h, size) out[h] = out[h] > a[h] ? out[h] : a[h];
}

// out = out * decay + a
template <int kWidth, class Real>
inline void decay_and_add(Real* __restrict out, Real decay, const Real* __restrict a, int size) {
  REGRETLESS_EACH(h, size) out[h] = out[h] * decay + a[h];
}

template <int kWidth, class Real>
inline void subtract(Real* __restrict out, const Real* __restrict a, const Real* __restrict b, int size) {
  REGRETLESS_EACH(h, size) out[h] = a[h] - b[h];
}

template <int kWidth, class Real>
inline void positive_part(Real* __restrict out, const Real* __restrict a, int size) {
  REGRETLESS_EACH(h, size) out[h] = a[h] > 0 ? a[h] : 0;
}

// The positive part of regrets * factor + predictions.
template <int kWidth, class Real>
inline void predict(Real* __restrict out, const Real* __restrict regrets, Real factor, const Real* __restrict predictions,
                    int size) {
  REGRETLESS_EACH(h, size) {
    const Real predicted = regrets[h] * factor + predictions[h];
    out[h] = predicted > 0 ? predicted : 0;
  }
}

// Discounts regrets by their sign and adds what the action would have gained.
template <int kWidth, class Real>
inline void add_regret(Real* __restrict regrets, Real positive, Real negative, const Real* __restrict action_values,
                       const Real* __restrict values, Real least, int size) {
  REGRETLESS_EACH(h, size) {
    const Real sum = regrets[h] * (regrets[h] > 0 ? positive : negative) + action_values[h] - values[h];
    regrets[h] = sum > least ? sum : least;
  }
}

#undef REGRETLESS_EACH

}  // namespace regretless
