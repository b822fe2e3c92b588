// SPDX-License-Identifier: MIT
#include "buffers/row_buffer.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <mutex>
#include <stdexcept>

#include "cards/random.h"
#include "threads/lookout.h"

namespace regretless {
namespace {

constexpr std::int64_t kBatch = 1 << 16;     // rows whose indices are chosen at once
constexpr std::int64_t kAlone = 1 << 10;     // fewer rows are not worth waking other threads
constexpr std::int64_t kAhead = 24;          // rows that are fetched before their turn
constexpr std::int64_t kMostRowBytes = 1 << 24, kMostBytes = std::int64_t{1} << 60;

// Uniform in [0, bound): the bias is below bound / 2^64.
std::int64_t draw(Random random, std::int64_t bound) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::int64_t>((static_cast<Wide>(random.bits()) * static_cast<std::uint64_t>(bound)) >> 64);
}

void require(bool holds, const std::string& message) {
  if (!holds) throw std::invalid_argument(message);
}

std::int64_t checked_row_bytes(const RowBufferOptions& options) {
  std::int64_t bytes = 0;
  for (const std::int64_t each : options.column_bytes) {
    require(each >= 1 && each <= kMostRowBytes,
            "a column of a buffer takes 1 to " + std::to_string(kMostRowBytes) + " bytes a row");
    bytes += each;
    require(bytes <= kMostRowBytes, "a row of a buffer takes at most " + std::to_string(kMostRowBytes) + " bytes");
  }
  require(bytes > 0, "a buffer needs columns");
  require(options.threads >= 1 && options.threads <= 1024, "threads must be from 1 to 1024");
  require(options.capacity >= 1 && options.capacity <= kMostBytes / bytes,
          "capacity: " + std::to_string(options.capacity) + " rows of " + std::to_string(bytes) + " bytes cannot be kept");
  require(options.capacity * bytes <= options.max_bytes, "capacity: " + std::to_string(options.capacity) + " rows of " +
                                                             std::to_string(bytes) + " bytes take " +
                                                             std::to_string(options.capacity * bytes) + ", more than the " +
                                                             std::to_string(options.max_bytes) + " bytes of max_bytes");
  return bytes;
}

void fetch(const std::uint8_t* row, std::int64_t bytes) {
  for (std::int64_t at = 0; at < std::min<std::int64_t>(bytes, 256); at += 64) __builtin_prefetch(row + at, 1);
}

}  // namespace

RowBuffer::RowBuffer(const RowBufferOptions& options)
    : options_(options), row_bytes_(checked_row_bytes(options)), memory_(num_bytes(), options.directory), pool_(options.threads) {}

void RowBuffer::add(const std::vector<const std::uint8_t*>& columns, std::int64_t count) {
  require(columns.size() == options_.column_bytes.size(), "add: as many columns as the buffer has are needed");
  const std::unique_lock lock(mutex_);
  for (std::int64_t begin = 0; begin < count; begin += kBatch) add_batch(columns, begin, std::min(kBatch, count - begin));
}

void RowBuffer::add_batch(const std::vector<const std::uint8_t*>& columns, std::int64_t begin, std::int64_t count) {
  indices_.resize(static_cast<std::size_t>(std::max<std::int64_t>(count, static_cast<std::int64_t>(indices_.size()))));
  const std::int64_t first = num_added_;
  if (count < kAlone || pool_.size() == 1) {
    choose_indices(first, count, indices_.data());
    for (std::int64_t row = 0; row < count; ++row) {
      if (const std::int64_t next = row + kAhead; next < count && indices_[next] != kDropped)
        fetch(row_at(indices_[next]), row_bytes_);
      if (indices_[row] != kDropped) write_row(columns, begin + row, indices_[row]);
    }
  } else {
    const std::int64_t threads = pool_.size();
    pool_.run([&](int thread) {
      const std::int64_t from = count * thread / threads, to = count * (thread + 1) / threads;
      choose_indices(first + from, to - from, indices_.data() + from);
    });
    // Each row of the buffer belongs to one thread, which writes what comes there in order: the last stays.
    pool_.run([&](int thread) {
      for (std::int64_t row = 0; row < count; ++row)
        if (indices_[row] != kDropped && (indices_[row] >> 6) % threads == thread) write_row(columns, begin + row, indices_[row]);
    });
  }
  num_added_ = first + count;
}

void RowBuffer::write_row(const std::vector<const std::uint8_t*>& columns, std::int64_t row, std::int64_t index) {
  std::uint8_t* to = row_at(index);
  for (std::size_t column = 0; column < columns.size(); ++column) {
    const std::int64_t bytes = options_.column_bytes[column];
    std::memcpy(to, columns[column] + row * bytes, static_cast<std::size_t>(bytes));
    to += bytes;
  }
}

void RowBuffer::sample(std::uint64_t seed, std::uint64_t step, std::int64_t count,
                       const std::vector<std::uint8_t*>& columns) const {
  require(columns.size() == options_.column_bytes.size(), "sample: as many columns as the buffer has are needed");
  const std::shared_lock lock(mutex_);
  require(count == 0 || size() > 0, "sample: the buffer is empty");
  std::vector<const std::uint8_t*> rows(static_cast<std::size_t>(count));
  for (std::int64_t row = 0; row < count; ++row) {
    rows[row] = row_at(draw(Random{seed, step, static_cast<std::uint64_t>(row)}, size()));
    fetch(rows[row], row_bytes_);
  }
  for (std::int64_t row = 0; row < count; ++row) {
    const std::uint8_t* from = rows[row];
    for (std::size_t column = 0; column < columns.size(); ++column) {
      const std::int64_t bytes = options_.column_bytes[column];
      std::memcpy(columns[column] + row * bytes, from, static_cast<std::size_t>(bytes));
      from += bytes;
    }
  }
}

std::vector<std::int64_t> RowBuffer::changed(std::int64_t since) const {
  const std::shared_lock lock(mutex_);
  const std::int64_t added = num_added_;
  require(since >= 0 && since <= added, "changed: fewer rows have been added by now");
  std::vector<std::uint64_t> marks(static_cast<std::size_t>(size() / 64 + 1));
  std::vector<std::int64_t> indices(static_cast<std::size_t>(std::min(kBatch, added - since)));
  std::int64_t num_changed = 0;
  for (std::int64_t first = since; first < added; first += kBatch, Lookout::look_now()) {
    const std::int64_t count = std::min(kBatch, added - first);
    choose_indices(first, count, indices.data());
    for (std::int64_t row = 0; row < count; ++row) {
      if (indices[row] == kDropped) continue;
      const std::uint64_t mark = std::uint64_t{1} << (indices[row] % 64);
      num_changed += (marks[indices[row] / 64] & mark) == 0;
      marks[indices[row] / 64] |= mark;
    }
  }
  std::vector<std::int64_t> result;
  result.reserve(static_cast<std::size_t>(num_changed));
  for (std::size_t word = 0; word < marks.size(); ++word)
    for (std::uint64_t left = marks[word]; left != 0; left &= left - 1)
      result.push_back(static_cast<std::int64_t>(word * 64) + std::countr_zero(left));
  return result;
}

void RowBuffer::check_indices(const std::int64_t* indices, std::int64_t count) const {
  for (std::int64_t row = 0; row < count; ++row)
    require(indices[row] >= 0 && indices[row] < capacity(), "indices: must be from 0 to " + std::to_string(capacity() - 1));
}

void RowBuffer::get(const std::int64_t* indices, std::int64_t count, std::uint8_t* rows) const {
  check_indices(indices, count);
  const std::shared_lock lock(mutex_);
  for (std::int64_t row = 0; row < count; ++row) {
    if (row + kAhead < count) fetch(row_at(indices[row + kAhead]), row_bytes_);
    std::memcpy(rows + row * row_bytes_, row_at(indices[row]), static_cast<std::size_t>(row_bytes_));
  }
}

void RowBuffer::put(const std::int64_t* indices, std::int64_t count, const std::uint8_t* rows) {
  check_indices(indices, count);
  const std::unique_lock lock(mutex_);
  for (std::int64_t row = 0; row < count; ++row)
    std::memcpy(row_at(indices[row]), rows + row * row_bytes_, static_cast<std::size_t>(row_bytes_));
}

void RowBuffer::resume(std::int64_t num_added) {
  require(num_added >= 0 && num_added < std::int64_t{1} << 62, "num_added: no number of rows is " + std::to_string(num_added));
  const std::unique_lock lock(mutex_);
  num_added_ = num_added;
}

void Ring::choose_indices(std::int64_t first, std::int64_t count, std::int64_t* indices) const {
  std::int64_t index = first % capacity();
  for (std::int64_t row = 0; row < count; ++row) {
    indices[row] = index;
    index = index + 1 == capacity() ? 0 : index + 1;
  }
}

void Reservoir::choose_indices(std::int64_t first, std::int64_t count, std::int64_t* indices) const {
  for (std::int64_t row = 0; row < count; ++row) {
    const std::int64_t number = first + row;
    indices[row] = number;
    if (number < capacity()) continue;
    const std::int64_t drawn = draw(Random{seed_, static_cast<std::uint64_t>(number)}, number + 1);
    indices[row] = drawn < capacity() ? drawn : kDropped;
  }
}

}  // namespace regretless
