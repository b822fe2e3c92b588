// SPDX-License-Identifier: MIT
// The open questions of any job, as Python sees them.
#pragma once
#include <memory>

#include "jobs/self_play.h"

namespace regretless {

// Bound once, in jobs.cpp.
struct QuestionsView {
  std::shared_ptr<const Questions> questions;
  int num_actions;
};

}  // namespace regretless
