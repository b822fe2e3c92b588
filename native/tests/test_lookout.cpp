// SPDX-License-Identifier: MIT
#include "threads/lookout.h"

#include <chrono>
#include <stdexcept>

#include "games/liars_dice.h"
#include "games/tree_counts.h"
#include "test.h"
#include "threads/thread_pool.h"

using namespace regretless;

namespace {

struct Told : std::runtime_error {
  Told() : std::runtime_error("told to stop") {}
};

int looks = 0;
void refuse() {
  ++looks;
  throw Told();
}

// Whether so many looks end in an exception.
bool is_told(int calls) {
  try {
    for (int i = 0; i < calls; ++i) Lookout::look_up();
  } catch (const Told&) {
    return true;
  }
  return false;
}

}  // namespace

TEST(long_work_is_ended_by_whoever_waits_for_it) {
  const LiarsDice game(1, 6, 2);
  const Lookout::Look before = Lookout::set(&refuse);
  bool was_told = false;
  try {
    count_tree(game);
  } catch (const Told&) {
    was_told = true;
  }
  Lookout::set(before);
  CHECK(was_told && looks == 1);
  CHECK(!is_told(1000));
}

TEST(a_pool_of_threads_hears_nobody) {
  const Lookout::Look before = Lookout::set(&refuse);
  std::this_thread::sleep_for(std::chrono::milliseconds(110));  // a look is due
  ThreadPool pool(2);
  bool was_told[2] = {true, true};
  pool.run([&](int thread) { was_told[thread] = is_told(1000); });
  CHECK(!was_told[0] && !was_told[1]);
  CHECK(is_told(1000));
  Lookout::set(before);
}
