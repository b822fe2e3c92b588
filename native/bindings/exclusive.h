// SPDX-License-Identifier: MIT
// Functions of jobs and solvers that refuse while another thread is in one of them: RuntimeError, in one line.
#pragma once
#include <memory>
#include <utility>

#include "threads/busy.h"

namespace regretless {

template <class Job>
Busy& busy_of(const Job& job) {
  return job.busy();
}
template <class Job>
Busy& busy_of(const std::shared_ptr<Job>& job) {
  return job->busy();
}

// Wraps a function whose first argument is the job.
template <class Call, class Return, class Self, class... Arguments>
auto exclusive_as(Call call, Return (Call::*)(Self, Arguments...) const) {
  return [call](Self self, Arguments... arguments) -> Return {
    const Busy::Use use(busy_of(self));
    return call(std::forward<Self>(self), std::forward<Arguments>(arguments)...);
  };
}
template <class Call>
auto exclusive(Call call) {
  return exclusive_as(call, &Call::operator());
}
template <class Return, class Self, class... Arguments>
auto exclusive(Return (*call)(Self, Arguments...)) {
  return exclusive([call](Self self, Arguments... arguments) -> Return {
    return call(std::forward<Self>(self), std::forward<Arguments>(arguments)...);
  });
}
template <class Return, class Job, class... Arguments>
auto exclusive(Return (Job::*call)(Arguments...)) {
  return exclusive(
      [call](Job& job, Arguments... arguments) -> Return { return (job.*call)(std::forward<Arguments>(arguments)...); });
}
template <class Return, class Job, class... Arguments>
auto exclusive(Return (Job::*call)(Arguments...) const) {
  return exclusive(
      [call](const Job& job, Arguments... arguments) -> Return { return (job.*call)(std::forward<Arguments>(arguments)...); });
}

}  // namespace regretless
