// SPDX-License-Identifier: MIT
// Arithmetic on vectors over hands. The arrays of one call never overlap unless they are the same, which lets the compiler
// use whole registers; kWidth > 0 fixes the length at compile time.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

#include "cards/registers.h"
#ifdef __SSE2__
#include <immintrin.h>
#endif
#if __has_include(<sys/mman.h>)
#include <sys/mman.h>
#endif

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

// Memory of zeros for large tables: whole huge pages where the system has them, and no page before it is used.
template <class T>
struct TableAllocator {
  using value_type = T;
  static constexpr std::size_t kPage = std::size_t{1} << 21;
  TableAllocator() = default;
  template <class U>
  TableAllocator(const TableAllocator<U>&) {}
  T* allocate(std::size_t size) {
    if (size > (std::numeric_limits<std::size_t>::max() - 2 * kPage) / sizeof(T)) throw std::bad_array_new_length();
#ifdef MAP_ANONYMOUS
    if (const std::size_t bytes = mapped(size); bytes > 0) {
      void* mapping = mmap(nullptr, bytes + kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      if (mapping == MAP_FAILED) throw std::bad_alloc();
      char* memory = static_cast<char*>(mapping);
      const std::size_t before = (kPage - reinterpret_cast<std::uintptr_t>(memory) % kPage) % kPage;
      if (before > 0) munmap(memory, before);
      munmap(memory + before + bytes, kPage - before);
      memory += before;
#ifdef MADV_HUGEPAGE
      madvise(memory, bytes, MADV_HUGEPAGE);
#endif
      return reinterpret_cast<T*>(memory);
    }
#endif
    T* memory = CacheLineAllocator<T>().allocate(size);
    std::memset(static_cast<void*>(memory), 0, size * sizeof(T));
    return memory;
  }
  void deallocate(T* memory, std::size_t size) {
#ifdef MAP_ANONYMOUS
    if (const std::size_t bytes = mapped(size); bytes > 0) {
      munmap(memory, bytes);
      return;
    }
#endif
    CacheLineAllocator<T>().deallocate(memory, size);
  }
  void construct(T*) {}  // it is zero
  template <class U>
  void construct(T* place, const U& value) {
    *place = value;
  }
  bool operator==(const TableAllocator&) const { return true; }

 private:
  // The bytes of a mapping; 0 where there is none.
  static std::size_t mapped(std::size_t size) {
    const std::size_t bytes = size * sizeof(T);
    return bytes < 2 * kPage ? 0 : (bytes + kPage - 1) / kPage * kPage;
  }
};

// Has memory so many bytes after a place brought into the cache; it need not be there. Inlined, as calls of a function that does no
// more are dropped by g++.
[[gnu::always_inline]] inline void prefetch_after(const void* place, std::ptrdiff_t bytes) {
  __builtin_prefetch(reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(place) + static_cast<std::uintptr_t>(bytes)));
}

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

// a > b ? a : b, as one instruction where that pays.
template <class Number>
inline Number greater(Number a, Number b) {
#if defined(__AVX2__) && !defined(__AVX512F__)  // g++ 12 breaks off on that of AVX-512
  if constexpr (std::is_same_v<Number, Register<float>::Lanes>) return _mm256_max_ps(a, b);
#endif
  return a > b ? a : b;
}

// Several registers side by side.
template <class Real, int kRegisters>
struct Registers {
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

// One of two rows that come of two: a block of kBlock columns from each in turn, the even blocks or the odd ones. Blocks of fewer
// than four columns stay within their four, where processors exchange columns quickest.
template <int kBlock, bool kIsOdd, class Lanes, int... kColumns>
inline Lanes interleaved(Lanes a, Lanes b, std::integer_sequence<int, kColumns...>) {
  constexpr int kSize = sizeof...(kColumns);
  constexpr auto from = [](int column) {
    if (kBlock >= 4) {
      const int start = column & ~kBlock;
      return (column & kBlock) != 0 ? kSize + start + (kIsOdd ? kBlock : 0) : start + (kIsOdd ? kBlock : 0);
    }
    const int within = column % 4, first = column - within + (kIsOdd ? 2 : 0);
    return within / kBlock % 2 * kSize + first + (kBlock == 1 ? within / 2 : within % 2);
  };
  return __builtin_shufflevector(a, b, from(kColumns)...);
}

// Pairs rows kStep apart ...
template <class Real, int kStep>
inline void interleave_rows(typename Register<Real>::Lanes (&rows)[kRegisterSize<Real>]) {
  using Lanes = typename Register<Real>::Lanes;
  constexpr int kSize = kRegisterSize<Real>;
  constexpr std::make_integer_sequence<int, kSize> kColumns;
  Lanes paired[kSize];
  for (int block = 0; block < kSize; block += 2 * kStep)
    for (int i = 0; i < kStep; ++i) {
      const Lanes a = rows[block + i], b = rows[block + i + kStep];
      const int to = kStep < 4 ? block + 2 * i : block + i;
      paired[to] = interleaved<kStep, false>(a, b, kColumns);
      paired[to + (kStep < 4 ? 1 : kStep)] = interleaved<kStep, true>(a, b, kColumns);
    }
  for (int i = 0; i < kSize; ++i) rows[i] = paired[i];
  if constexpr (2 * kStep < kSize) interleave_rows<Real, 2 * kStep>(rows);
}

// Turns rows into columns.
template <class Real>
inline void transpose(typename Register<Real>::Lanes (&rows)[kRegisterSize<Real>]) {
  interleave_rows<Real, 1>(rows);
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
