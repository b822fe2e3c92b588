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

// Turns kSize rows of kSize numbers into columns (Eklundh 1972: exchange the off-diagonal blocks, half the size each time).
template <class Real, int kSize>
inline void transpose(const Real* in, std::ptrdiff_t in_stride, Real* out, std::ptrdiff_t out_stride) {
  using Rows = Block<Real, kSize>;
  using Lanes = typename Rows::Lanes;
  using Index = std::conditional_t<sizeof(Real) == 4, std::int32_t, std::int64_t>;
  using Places __attribute__((vector_size(kSize * sizeof(Index)))) = Index;
  Lanes rows[kSize];
  for (int i = 0; i < kSize; ++i) rows[i] = Rows::load(in + i * in_stride).lanes;
#pragma GCC unroll 8
  for (int size = kSize / 2; size > 0; size /= 2) {
    Places first, second;
    for (int j = 0; j < kSize; ++j) {
      first[j] = static_cast<Index>((j & size) != 0 ? kSize + j - size : j);
      second[j] = static_cast<Index>((j & size) != 0 ? kSize + j : j + size);
    }
    for (int i = 0; i < kSize; ++i) {
      if ((i & size) != 0) continue;
      const Lanes a = rows[i], b = rows[i + size];
      rows[i] = __builtin_shuffle(a, b, first);
      rows[i + size] = __builtin_shuffle(a, b, second);
    }
  }
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
