// SPDX-License-Identifier: MIT
#include "jobs/questions.h"

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <string>

namespace regretless {
namespace {

template <class T>
void take(std::vector<T>& out, const std::vector<T>& from, std::span<const std::int64_t> rows, std::size_t width) {
  if (from.empty()) return;
  out.resize(rows.size() * width);
  for (std::size_t i = 0; i < rows.size(); ++i)
    std::copy_n(from.data() + static_cast<std::size_t>(rows[i]) * width, width, out.data() + i * width);
}

void take_history(Questions& out, const Questions& from, std::span<const std::int64_t> rows) {
  if (from.step_offsets.empty()) return;
  out.step_offsets.push_back(0);
  for (const std::int64_t row : rows) {
    const auto begin = from.step_offsets[static_cast<std::size_t>(row)], end = from.step_offsets[static_cast<std::size_t>(row) + 1];
    for (const auto column : {&Questions::step_actors, &Questions::step_slots, &Questions::step_streets})
      (out.*column).insert((out.*column).end(), (from.*column).begin() + begin, (from.*column).begin() + end);
    out.step_offsets.push_back(out.step_offsets.back() + end - begin);
  }
}

}  // namespace

Questions Questions::part(std::span<const std::int64_t> rows) const {
  for (const std::int64_t row : rows)
    if (row < 0 || row >= batch) throw std::out_of_range("there is no row " + std::to_string(row));
  Questions some;
  some.batch = static_cast<std::int64_t>(rows.size());
  some.num_actions = num_actions;
  take(some.legal, legal, rows, num_actions);
  if (batch > 0) take(some.features, features, rows, features.size() / static_cast<std::size_t>(batch));
  const auto take_columns = [&](auto... columns) { (take(some.*columns, this->*columns, rows, 1), ...); };
  take_columns(&Questions::actors, &Questions::hands, &Questions::episodes, &Questions::infosets, &Questions::pots,
               &Questions::to_calls, &Questions::stacks, &Questions::streets, &Questions::hand_strengths, &Questions::seeds);
  take_history(some, *this, rows);
  return some;
}

std::shared_ptr<Questions> QuestionBuffers::next() {
  for (auto& buffer : buffers_)
    if (buffer && buffer.use_count() == 1) {
      std::atomic_thread_fence(std::memory_order_acquire);  // whoever let it go may have read it in another thread
      return buffer;
    }
  std::swap(buffers_[0], buffers_[1]);
  return buffers_[0] = std::make_shared<Questions>();
}

}  // namespace regretless
