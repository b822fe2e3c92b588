// SPDX-License-Identifier: MIT
// The vector registers of the processor that this is compiled for. No vector type is wider than one of them.
#pragma once
#include <string_view>

namespace regretless {

#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512CD__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
inline constexpr int kRegisterBytes = 64;
inline constexpr std::string_view kLevel = "x86-64-v4";
#elif defined(__AVX2__) && defined(__FMA__) && defined(__BMI2__)
inline constexpr int kRegisterBytes = 32;
inline constexpr std::string_view kLevel = "x86-64-v3";
#elif defined(__SSE4_2__) && defined(__POPCNT__)
inline constexpr int kRegisterBytes = 16;
inline constexpr std::string_view kLevel = "x86-64-v2";
#elif defined(__x86_64__)
inline constexpr int kRegisterBytes = 16;
inline constexpr std::string_view kLevel = "x86-64";
#elif defined(__aarch64__)
inline constexpr int kRegisterBytes = 16;
inline constexpr std::string_view kLevel = "aarch64";
#else
inline constexpr int kRegisterBytes = 16;
inline constexpr std::string_view kLevel = "other";
#endif

}  // namespace regretless
