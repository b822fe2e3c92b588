// SPDX-License-Identifier: MIT
// Changes by walks to the rows of infosets: written at once, or kept in a log and written later in the order of the log.
#pragma once
#include <span>

#include "solve/infoset_rows.h"

namespace regretless {

// Weights of one iteration: of its regrets and its strategy, and the step of value estimates.
struct UpdateWeights {
  double iteration = 1;
  double value_rate = 0;
};

// For a row by offset, now. Within one walk no infoset is met twice, so this changes nothing that the walk still reads.
template <class Number>
class DirectUpdates {
 public:
  explicit DirectUpdates(InfosetRows<Number>& rows) : rows_(rows) {}
  void begin(const UpdateWeights& weights) { weights_ = weights; }

  __attribute__((always_inline)) void add_regrets(const Row<Number>& row, const double* regrets, double weight) {
    Number* out = rows_.regrets.data() + row.id;
    const double scale = weight * weights_.iteration;
    for (int a = 0; a < row.num_actions; ++a) out[a] = static_cast<Number>(out[a] + scale * regrets[a]);
  }
  void add_strategy(const Row<Number>& row, const double* strategy, double weight) {
    Number* out = rows_.sums.data() + row.id;
    const double scale = weight * weights_.iteration;
    for (int a = 0; a < row.num_actions; ++a) out[a] = static_cast<Number>(out[a] + scale * strategy[a]);
  }
  void move_value(const Row<Number>& row, int action, double target) {
    Number& value = rows_.values[row.id + static_cast<std::size_t>(action)];
    value = static_cast<Number>(value + weights_.value_rate * (target - value));
  }

 private:
  InfosetRows<Number>& rows_;
  UpdateWeights weights_;
};

// The memory is kept between walks, so that a walk allocates nothing once its log has grown.
class UpdateLog {
 public:
  enum class Kind : std::uint8_t { kRegrets, kStrategy, kValue };
  struct Record {
    std::uint64_t id = 0, legal = 0;
    std::int64_t first = 0;  // of its numbers
    Kind kind = Kind::kRegrets;
    std::int8_t num_actions = 0;
    std::int8_t action = 0;  // of a value
  };

  void clear() {
    records_.clear();
    numbers_.clear();
  }
  void begin(const UpdateWeights& weights) { weights_ = weights; }

  template <class Number>
  void add_regrets(const Row<Number>& row, const double* regrets, double weight) {
    push(row, Kind::kRegrets, {regrets, static_cast<std::size_t>(row.num_actions)}, weight * weights_.iteration);
  }
  template <class Number>
  void add_strategy(const Row<Number>& row, const double* strategy, double weight) {
    push(row, Kind::kStrategy, {strategy, static_cast<std::size_t>(row.num_actions)}, weight * weights_.iteration);
  }
  template <class Number>
  void move_value(const Row<Number>& row, int action, double target) {
    push(row, Kind::kValue, {&target, 1}, 1);
    records_.back().action = static_cast<std::int8_t>(action);
  }

  std::span<const Record> records() const { return records_; }
  const double* numbers(const Record& record) const { return numbers_.data() + record.first; }

 private:
  template <class Number>
  void push(const Row<Number>& row, Kind kind, std::span<const double> numbers, double scale) {
    records_.push_back(
        {row.id, row.legal, static_cast<std::int64_t>(numbers_.size()), kind, static_cast<std::int8_t>(row.num_actions), 0});
    for (const double number : numbers) numbers_.push_back(scale * number);
  }

  std::vector<Record> records_;
  std::vector<double> numbers_;
  UpdateWeights weights_;
};

// The row that a record will be written to may come from memory in the meantime.
template <class Number>
void expect(const UpdateLog::Record& record, InfosetRows<Number>& rows) {
  __builtin_prefetch((record.kind == UpdateLog::Kind::kStrategy ? rows.sums : rows.regrets).data() + record.id, 1);
}

// Writes a record of a log to the row at `offset`.
template <class Number>
void apply(const UpdateLog& log, const UpdateLog::Record& record, std::int64_t offset, double value_rate,
           InfosetRows<Number>& rows) {
  const double* numbers = log.numbers(record);
  if (record.kind == UpdateLog::Kind::kValue) {
    Number& value = rows.values[static_cast<std::size_t>(offset + record.action)];
    value = static_cast<Number>(value + value_rate * (*numbers - value));
    return;
  }
  Number* out = (record.kind == UpdateLog::Kind::kRegrets ? rows.regrets : rows.sums).data() + offset;
  for (int a = 0; a < record.num_actions; ++a) out[a] = static_cast<Number>(out[a] + numbers[a]);
}

}  // namespace regretless
