// SPDX-License-Identifier: MIT
// Counter-based randomness: a stream is named by its keys (seed, iteration, player, episode, ...) and gives the same
// numbers wherever and whenever it is read. No state is shared, so threads and batch sizes cannot change a result.
#pragma once
#include <cstdint>
#include <initializer_list>

namespace regretless {

// The finaliser of SplitMix64: a bijection that scatters every input bit over the output.
constexpr std::uint64_t scatter(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

class Random {
 public:
  constexpr explicit Random(std::initializer_list<std::uint64_t> keys) {
    for (const std::uint64_t key : keys) state_ = scatter((state_ ^ key) + kStep);
  }

  constexpr std::uint64_t bits() { return scatter(state_ += kStep); }

  // Uniform in [0, bound), bound > 0. The bias is below bound / 2^64.
  constexpr std::uint32_t below(std::uint32_t bound) {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint32_t>((static_cast<Wide>(bits()) * bound) >> 64);
  }

  // Uniform in [0, 1), 24 random bits.
  constexpr float uniform() { return static_cast<float>(bits() >> 40) * 0x1.0p-24f; }

 private:
  static constexpr std::uint64_t kStep = 0x9e3779b97f4a7c15ULL;
  std::uint64_t state_ = 0x243f6a8885a308d3ULL;
};

}  // namespace regretless
