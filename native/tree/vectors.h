// SPDX-License-Identifier: MIT
// Arithmetic on vectors over hands. The arrays of one call never overlap unless they are the same, which lets the compiler
// use whole registers; kWidth > 0 fixes the length at compile time.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <utility>
#include <vector>

#include "cards/registers.h"

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

template <class Real>
inline constexpr int kRegisterSize = kRegisterBytes / static_cast<int>(sizeof(Real));

// As many numbers as one register holds.
template <class Real>
struct Register {
  static constexpr int kSize = kRegisterSize<Real>;
  using Lanes __attribute__((vector_size(kRegisterBytes))) = Real;
  Lanes lanes;

  static Register load(const Real* from) {
    Register block;
    std::memcpy(&block.lanes, from, sizeof(Lanes));
    return block;
  }
  void store(Real* to) const { std::memcpy(to, &lanes, sizeof(Lanes)); }
};

// Several registers side by side, or one number: what a sum over hands can be made of.
template <class Real, int kRegisters>
struct Registers {
  using Number = Real;
  using Part = typename Register<Real>::Lanes;
  static constexpr int kSize = kRegisters * kRegisterSize<Real>;
  Part parts[kRegisters] = {};

  static Registers load(const Real* from) {
    Registers registers;
    for (int i = 0; i < kRegisters; ++i) registers.parts[i] = Register<Real>::load(from + i * kRegisterSize<Real>).lanes;
    return registers;
  }
  void store(Real* to) const {
    for (int i = 0; i < kRegisters; ++i) Register<Real>{parts[i]}.store(to + i * kRegisterSize<Real>);
  }
  Registers& operator+=(const Registers& other) {
    for (int i = 0; i < kRegisters; ++i) parts[i] += other.parts[i];
    return *this;
  }
  friend Registers operator+(Registers a, const Registers& b) { return a += b; }
  friend Registers operator-(Registers a, const Registers& b) {
    for (int i = 0; i < kRegisters; ++i) a.parts[i] -= b.parts[i];
    return a;
  }
};

template <class Real>
struct Registers<Real, 0> {
  using Number = Real;
  static constexpr int kSize = 1;
  Real value = 0;

  static Registers load(const Real* from) { return {*from}; }
  void store(Real* to) const { *to = value; }
  Registers& operator+=(const Registers& other) {
    value += other.value;
    return *this;
  }
  friend Registers operator+(Registers a, const Registers& b) { return {a.value + b.value}; }
  friend Registers operator-(Registers a, const Registers& b) { return {a.value - b.value}; }
};

// Exchanges halves of two rows that are kStep apart: the first with the columns of the second's first half of each pair of blocks,
// and the other way round.
template <int kStep, bool kIsSecond, class Lanes, int... kColumns>
inline Lanes exchanged(Lanes a, Lanes b, std::integer_sequence<int, kColumns...>) {
  constexpr int kSize = sizeof...(kColumns);
  constexpr int kFrom = kIsSecond ? kStep : 0;
  return __builtin_shufflevector(a, b, ((kColumns & kStep) != 0 ? kSize + kColumns - kStep + kFrom : kColumns + kFrom)...);
}

// Exchanges the off-diagonal blocks of kStep rows and columns, then those within, half the size each time (Eklundh 1972).
template <class Real, int kStep>
inline void exchange_blocks(typename Register<Real>::Lanes (&rows)[kRegisterSize<Real>]) {
  using Lanes = typename Register<Real>::Lanes;
  constexpr int kSize = kRegisterSize<Real>;
  constexpr std::make_integer_sequence<int, kSize> kColumns;
  for (int block = 0; block < kSize; block += 2 * kStep)
    for (int i = block; i < block + kStep; ++i) {
      const Lanes a = rows[i], b = rows[i + kStep];
      rows[i] = exchanged<kStep, false>(a, b, kColumns);
      rows[i + kStep] = exchanged<kStep, true>(a, b, kColumns);
    }
  if constexpr (kStep > 1) exchange_blocks<Real, kStep / 2>(rows);
}

// Turns rows into columns.
template <class Real>
inline void transpose(typename Register<Real>::Lanes (&rows)[kRegisterSize<Real>]) {
  exchange_blocks<Real, kRegisterSize<Real> / 2>(rows);
}

#ifdef __clang__
#define REGRETLESS_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define REGRETLESS_INDEPENDENT _Pragma("GCC ivdep")
#endif
#define REGRETLESS_EACH(h, size) REGRETLESS_INDEPENDENT for (int h = 0; h < (kWidth > 0 ? kWidth : (size)); ++h)

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
inline void add_scaled_product(Real* __restrict out, Real scale, const Real* __restrict a, const Real* __restrict b, int size) {
  REGRETLESS_EACH(h, size) out[h] += scale * a[h] * b[h];
}

#undef REGRETLESS_EACH
#undef REGRETLESS_INDEPENDENT

}  // namespace regretless
