// SPDX-License-Identifier: MIT
// Questions and answers as Python sees them, the same for every job.
#pragma once
#include "bindings.h"

#include "jobs/questions.h"

namespace regretless {

using BucketsList = std::vector<std::shared_ptr<HandBuckets>>;

inline BucketTables given_buckets(const BucketsList& buckets) {
  for (const auto& each : buckets)
    if (!each) throw std::invalid_argument("buckets: None is no buckets");
  return {buckets.begin(), buckets.end()};
}

inline QuestionOptions question_options(std::vector<std::string> encoders, bool chips, bool history, bool seeds, bool past,
                                        bool table, const BucketsList& buckets) {
  return {.encoders = std::move(encoders),
          .with_chips = chips,
          .with_history = history,
          .with_seeds = seeds,
          .with_past = past,
          .with_table = table,
          .buckets = given_buckets(buckets)};
}

template <class T, class... Sizes>
auto view(const std::vector<T>& values, nb::handle owner, Sizes... sizes) {
  return nb::ndarray<nb::numpy, const T>(values.data(), {static_cast<std::size_t>(sizes)...}, owner);
}
// The same for numbers that are 0 or 1, as bools.
template <class... Sizes>
auto view_bools(const std::vector<std::uint8_t>& values, nb::handle owner, Sizes... sizes) {
  return nb::ndarray<nb::numpy, const bool>(values.data(), {static_cast<std::size_t>(sizes)...}, owner);
}

template <class Owner, class T>
Owner owner_of(T Owner::*);

// A column of whatever has the member.
template <auto kColumn>
auto column(nb::handle self) {
  const auto& values = nb::cast<const decltype(owner_of(kColumn))&>(self).*kColumn;
  return view(values, self, values.size());
}

inline auto rows_of(const std::vector<EncodedRows>& encoded, const std::string& encoder, nb::handle owner, std::int64_t size) {
  for (const EncodedRows& rows : encoded)
    if (rows.name == encoder) return view(rows.bytes, owner, size, rows.row_bytes);
  throw std::invalid_argument("there are no rows of '" + encoder + "': make the job with encoders=['" + encoder + "']");
}

// The open questions of a job, or None.
inline nb::object to_object(const std::shared_ptr<const Questions>& questions) {
  if (!questions) return nb::none();
  return nb::cast(std::const_pointer_cast<Questions>(questions));  // bound without a way to change them
}
template <class Job>
nb::object ask(const Job& job) {
  return to_object(job.ask());
}

inline void require_shape(const std::shared_ptr<const Questions>& questions, int num_actions, const ArrayIn<float, 2>& answers) {
  const std::size_t rows = questions ? static_cast<std::size_t>(questions->batch) : 0;
  if (answers.shape(0) != rows || answers.shape(1) != static_cast<std::size_t>(num_actions))
    throw std::invalid_argument("answer: expected shape [" + std::to_string(rows) + ", " + std::to_string(num_actions) + "]");
}

}  // namespace regretless
