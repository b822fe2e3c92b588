// SPDX-License-Identifier: MIT
// CUDA for one core: what kernels.cu uses of the language, so that a C++ compiler makes a library of it. Threads of a block are
// fibers, which run until they wait at a barrier or for the lanes of their warp. The order in which they run can be chosen: a
// kernel without races gives the same bytes in every order. Shared memory is poisoned before each block.
#pragma once
#include <math.h>
#include <setjmp.h>
#include <ucontext.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <vector>
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

#define REGRETLESS_ON_CPU
#define __global__
#define __device__
#define __shared__
#define __launch_bounds__(...)

using std::max;
using std::min;

struct Dim {
  unsigned x = 0, y = 0, z = 0;
};
struct uint4 {
  unsigned x, y, z, w;
};
inline uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) { return {x, y, z, w}; }

inline Dim threadIdx, blockIdx, blockDim, gridDim;

namespace on_cpu {

constexpr int kWarpSize = 32;
constexpr std::size_t kStack = std::size_t{1} << 18;
constexpr std::size_t kMostShared = 228u << 10;

enum class Waits { kBlock, kWarp };

struct Fiber {
  ucontext_t context{};
  std::unique_ptr<char[]> stack{new char[kStack]};
  jmp_buf jump;
  bool has_begun = false;
  int thread = -1;
  void* fake_stack = nullptr;
};

// The block that runs.
struct Block {
  using Kernel = void (*)();
  std::vector<std::unique_ptr<Fiber>> fibers;
  std::vector<Fiber*> idle;
  std::deque<Fiber*> ready;
  std::vector<int> order;                     // of threads
  std::size_t next = 0;                       // in order
  int done = 0, at_barrier = 0;
  std::vector<int> in_warp;                   // [warps]: lanes that wait
  std::vector<unsigned> rounds;               // [threads]: exchanges so far
  std::vector<std::array<char, 16>> exchanged;  // [2, threads]
  std::vector<Fiber*> waiting;                // [threads]
  Fiber* current = nullptr;
  ucontext_t scheduler{};
  jmp_buf scheduler_jump;
  const void* stack_bottom = nullptr;
  std::size_t stack_size = 0;
  void* scheduler_fake_stack = nullptr;
  void (*run)() = nullptr;
  std::string error;

  int size() const { return static_cast<int>(blockDim.x * blockDim.y); }
};
inline Block block;

inline void set_thread(int thread) {
  threadIdx = {static_cast<unsigned>(thread) % blockDim.x, static_cast<unsigned>(thread) / blockDim.x, 0};
}

inline void to_scheduler() {
  Fiber* me = block.current;
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_start_switch_fiber(&me->fake_stack, block.stack_bottom, block.stack_size);
  swapcontext(&me->context, &block.scheduler);
  __sanitizer_finish_switch_fiber(me->fake_stack, nullptr, nullptr);
#else
  if (_setjmp(me->jump) == 0) _longjmp(block.scheduler_jump, 1);
#endif
  set_thread(me->thread);
}

// Takes threads that have not begun until one of them waits; then another fiber goes on with the rest.
inline void live() {
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(nullptr, &block.stack_bottom, &block.stack_size);
#endif
  for (;;) {
    while (block.next < block.order.size()) {
      Fiber* me = block.current;
      me->thread = block.order[block.next++];
      set_thread(me->thread);
      block.run();
      ++block.done;
    }
    block.current->thread = -1;
    block.idle.push_back(block.current);
    to_scheduler();
  }
}

inline void resume(Fiber* fiber) {
  block.current = fiber;
#if defined(__SANITIZE_ADDRESS__)
  if (!fiber->has_begun) {
    getcontext(&fiber->context);
    fiber->context.uc_stack.ss_sp = fiber->stack.get();
    fiber->context.uc_stack.ss_size = kStack;
    makecontext(&fiber->context, live, 0);
    fiber->has_begun = true;
  } else if (fiber->thread >= 0) {
    set_thread(fiber->thread);
  }
  __sanitizer_start_switch_fiber(&block.scheduler_fake_stack, fiber->stack.get(), kStack);
  swapcontext(&block.scheduler, &fiber->context);
  __sanitizer_finish_switch_fiber(block.scheduler_fake_stack, nullptr, nullptr);
#else
  if (_setjmp(block.scheduler_jump) != 0) return;
  if (fiber->has_begun) _longjmp(fiber->jump, 1);
  getcontext(&fiber->context);
  fiber->context.uc_stack.ss_sp = fiber->stack.get();
  fiber->context.uc_stack.ss_size = kStack;
  makecontext(&fiber->context, live, 0);
  fiber->has_begun = true;
  setcontext(&fiber->context);
#endif
}

inline void release(int first, int end) {
  for (int thread = first; thread < end; ++thread) block.ready.push_back(block.waiting[thread]);
}

inline void wait(Waits waits) {
  const int thread = block.current->thread, warp = thread / kWarpSize;
  block.waiting[thread] = block.current;
  if (waits == Waits::kBlock) {
    if (++block.at_barrier == block.size()) {
      block.at_barrier = 0;
      release(0, block.size());
    }
  } else if (++block.in_warp[warp] == kWarpSize) {
    block.in_warp[warp] = 0;
    release(warp * kWarpSize, (warp + 1) * kWarpSize);
  }
  to_scheduler();
}

// What lane `from` of the thread's warp gives; all lanes of the warp must come here.
template <class Number>
Number exchange(Number mine, int from) {
  static_assert(sizeof(Number) <= 16);
  const int thread = block.current->thread;
  const auto buffer = static_cast<std::size_t>(block.rounds[thread]++ % 2) * block.size();
  std::memcpy(&block.exchanged[buffer + thread], &mine, sizeof mine);
  wait(Waits::kWarp);
  Number found;
  std::memcpy(&found, &block.exchanged[buffer + thread / kWarpSize * kWarpSize + from], sizeof found);
  return found;
}

inline void run_block(std::mt19937& random) {
  const int size = block.size();
  block.next = 0;
  block.done = block.at_barrier = 0;
  block.in_warp.assign((size + kWarpSize - 1) / kWarpSize, 0);
  block.rounds.assign(size, 0);
  block.exchanged.resize(2 * static_cast<std::size_t>(size));
  block.waiting.resize(size);
  block.ready.clear();
  for (;;) {
    Fiber* fiber = nullptr;
    if (!block.ready.empty() && (block.next == block.order.size() || random() % 2 == 0)) {
      fiber = block.ready.front();
      block.ready.pop_front();
    } else if (block.next < block.order.size()) {
      if (block.idle.empty()) {
        block.fibers.push_back(std::make_unique<Fiber>());
        fiber = block.fibers.back().get();
      } else {
        fiber = block.idle.back();
        block.idle.pop_back();
      }
    } else if (block.done == size) {
      return;
    } else {
      block.error = "threads wait for others that do not come";
      return;
    }
    resume(fiber);
  }
}

}  // namespace on_cpu

inline void __syncthreads() { on_cpu::wait(on_cpu::Waits::kBlock); }

inline int lane_of_thread() { return on_cpu::block.current->thread % on_cpu::kWarpSize; }
template <class Number>
Number __shfl_xor_sync(unsigned, Number number, int mask) {
  return on_cpu::exchange(number, lane_of_thread() ^ mask);
}
template <class Number>
Number __shfl_up_sync(unsigned, Number number, int delta, int width = on_cpu::kWarpSize) {
  const int lane = lane_of_thread(), from = lane % width >= delta ? lane - delta : lane;
  return on_cpu::exchange(number, from);
}
