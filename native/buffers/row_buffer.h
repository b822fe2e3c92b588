// SPDX-License-Identifier: MIT
// Rows of a fixed number of bytes, `capacity` of them at most: a Ring keeps the newest, a Reservoir a uniform sample of all that
// were ever added (algorithm R: Vitter, "Random Sampling with a Reservoir", 1985). Where row i goes depends on i, the capacity
// and the seed alone. So the bytes are the same whatever the threads and however rows are split into batches, and what changed
// since some moment is found out again from the number of rows that had been added by then.
#pragma once
#include <shared_mutex>

#include "buffers/memory.h"
#include "threads/thread_pool.h"

namespace regretless {

struct RowBufferOptions {
  std::vector<std::int64_t> column_bytes;  // of one row
  std::int64_t capacity = 0;               // rows
  std::string directory;                   // where the rows are mapped to a file; empty: in memory
  std::int64_t max_bytes = 0;              // refuse to take more
  int threads = 1;                         // that add rows; they change no byte
};

// Calls from several threads wait for each other: many may read at once, one alone adds.
class RowBuffer {
 public:
  explicit RowBuffer(const RowBufferOptions& options);  // std::invalid_argument before anything is allocated
  virtual ~RowBuffer() = default;

  std::int64_t capacity() const { return options_.capacity; }
  std::int64_t num_added() const { return num_added_; }
  std::int64_t size() const { return num_added() < capacity() ? num_added() : capacity(); }
  std::int64_t row_bytes() const { return row_bytes_; }
  std::int64_t num_bytes() const { return row_bytes_ * capacity(); }  // of all rows when it is full
  bool is_mapped() const { return !options_.directory.empty(); }
  const std::vector<std::int64_t>& column_bytes() const { return options_.column_bytes; }

  // `columns` point at [count, column_bytes] each.
  void add(const std::vector<const std::uint8_t*>& columns, std::int64_t count);

  // `count` rows drawn uniformly and independently by (seed, step), written to [count, column_bytes] each.
  void sample(std::uint64_t seed, std::uint64_t step, std::int64_t count, const std::vector<std::uint8_t*>& columns) const;

  // For checkpoints. Indices whose rows may differ from those when `since` rows had been added, ascending; rows as they lie in
  // memory, [indices, row_bytes]; and `resume` as if `num_added` rows had been added, after their bytes were put in place.
  std::vector<std::int64_t> changed(std::int64_t since) const;
  void get(const std::int64_t* indices, std::int64_t count, std::uint8_t* rows) const;
  void put(const std::int64_t* indices, std::int64_t count, const std::uint8_t* rows);
  void resume(std::int64_t num_added);

 protected:
  static constexpr std::int64_t kDropped = -1;
  // The places of the rows first ... first + count - 1 ever added, or kDropped.
  virtual void choose_indices(std::int64_t first, std::int64_t count, std::int64_t* indices) const = 0;

 private:
  void add_batch(const std::vector<const std::uint8_t*>& columns, std::int64_t begin, std::int64_t count);
  void write_row(const std::vector<const std::uint8_t*>& columns, std::int64_t row, std::int64_t index);
  void check_indices(const std::int64_t* indices, std::int64_t count) const;
  std::uint8_t* row_at(std::int64_t index) const { return memory_.data() + index * row_bytes_; }

  RowBufferOptions options_;
  std::int64_t row_bytes_;
  Memory memory_;
  ThreadPool pool_;
  std::atomic<std::int64_t> num_added_ = 0;
  std::vector<std::int64_t> indices_;  // [batch]
  mutable std::shared_mutex mutex_;
};

class Ring : public RowBuffer {
 public:
  using RowBuffer::RowBuffer;

 private:
  void choose_indices(std::int64_t first, std::int64_t count, std::int64_t* indices) const override;
};

class Reservoir : public RowBuffer {
 public:
  Reservoir(const RowBufferOptions& options, std::uint64_t seed) : RowBuffer(options), seed_(seed) {}

 private:
  void choose_indices(std::int64_t first, std::int64_t count, std::int64_t* indices) const override;

  std::uint64_t seed_;
};

}  // namespace regretless
