// SPDX-License-Identifier: MIT
// Which levels the processor and the operating system can run, by what the processor says of itself. x86-64-v2 to v4 are
// those of the psABI (gitlab.com/x86-psABIs/x86-64-ABI, "Micro-Architecture Levels").
#pragma once
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <vector>

#ifdef __x86_64__
#include <cpuid.h>
#endif

namespace regretless {

#ifdef __x86_64__

struct ProcessorFacts {
  std::uint32_t basic = 0;         // leaf 1, ecx
  std::uint32_t extended = 0;      // leaf 7, ebx
  std::uint32_t more = 0;          // leaf 0x80000001, ecx
  std::uint32_t saved_states = 0;  // what the system keeps of registers when it changes threads: xcr0
};

inline constexpr std::uint32_t kSavesRegisters = 1u << 27;  // in `basic`: xcr0 can be read

inline ProcessorFacts ask_processor() {
  ProcessorFacts facts;
  std::uint32_t a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid(1, &a, &b, &c, &d)) facts.basic = c;
  if (__get_cpuid_count(7, 0, &a, &b, &c, &d)) facts.extended = b;
  if (__get_cpuid(0x80000001u, &a, &b, &c, &d)) facts.more = c;
  // By hand: the intrinsic would want this file compiled for processors that have it.
  if (facts.basic & kSavesRegisters) __asm__ volatile("xgetbv" : "=a"(facts.saved_states), "=d"(d) : "c"(0));
  return facts;
}

// Best first.
inline std::vector<std::string_view> levels_of(const ProcessorFacts& facts) {
  const auto has_all = [](std::uint32_t word, std::initializer_list<int> bits) {
    for (const int bit : bits)
      if (((word >> bit) & 1) == 0) return false;
    return true;
  };
  // sse3, ssse3, cmpxchg16b, sse4.1, sse4.2, popcnt; lahf
  const bool v2 = has_all(facts.basic, {0, 9, 13, 19, 20, 23}) && has_all(facts.more, {0});
  // fma, movbe, osxsave, avx, f16c; bmi1, avx2, bmi2; lzcnt; xmm and ymm are kept
  const bool v3 = v2 && has_all(facts.basic, {12, 22, 27, 28, 29}) && has_all(facts.extended, {3, 5, 8}) &&
                  has_all(facts.more, {5}) && has_all(facts.saved_states, {1, 2});
  // avx512f, dq, cd, bw, vl; masks and zmm are kept
  const bool v4 = v3 && has_all(facts.extended, {16, 17, 28, 30, 31}) && has_all(facts.saved_states, {5, 6, 7});
  std::vector<std::string_view> levels;
  if (v4) levels.push_back("x86-64-v4");
  if (v3) levels.push_back("x86-64-v3");
  if (v2) levels.push_back("x86-64-v2");
  levels.push_back("x86-64");
  return levels;
}

inline std::vector<std::string_view> processor_levels() { return levels_of(ask_processor()); }

#elif defined(__aarch64__)

inline std::vector<std::string_view> processor_levels() { return {"aarch64"}; }

#else

inline std::vector<std::string_view> processor_levels() { return {"other"}; }

#endif

}  // namespace regretless
