// SPDX-License-Identifier: MIT
// The open questions of any job, as Python sees them.
#pragma once
#include <memory>

#include "jobs/self_play.h"

namespace regretless {

// Bound once, in jobs.cpp; kept alive by the job that asks them, or by themselves.
struct QuestionsView {
  std::shared_ptr<const void> owner;
  const Questions* questions;
  int num_actions;
};

}  // namespace regretless
