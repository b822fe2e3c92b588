// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>
#include <memory>
#include <numeric>

#include "buffers/row_buffer.h"
#include "test.h"

namespace regretless {
namespace {

using Bytes = std::vector<std::uint8_t>;

// Row i is the number i in 8 bytes and its last byte again: two columns.
RowBufferOptions options(std::int64_t capacity, int threads = 1, std::string directory = "") {
  return {{8, 1}, capacity, std::move(directory), 1 << 30, threads};
}

void add_numbers(RowBuffer& buffer, std::int64_t count) {
  std::vector<std::int64_t> numbers(static_cast<std::size_t>(count));
  std::iota(numbers.begin(), numbers.end(), buffer.num_added());
  Bytes last(numbers.begin(), numbers.end());
  buffer.add({reinterpret_cast<const std::uint8_t*>(numbers.data()), last.data()}, count);
}

Bytes contents(const RowBuffer& buffer) {
  std::vector<std::int64_t> indices(static_cast<std::size_t>(buffer.size()));
  std::iota(indices.begin(), indices.end(), 0);
  Bytes rows(indices.size() * static_cast<std::size_t>(buffer.row_bytes()));
  buffer.get(indices.data(), buffer.size(), rows.data());
  return rows;
}

std::vector<std::int64_t> numbers_in(const RowBuffer& buffer) {
  const Bytes rows = contents(buffer);
  std::vector<std::int64_t> numbers(static_cast<std::size_t>(buffer.size()));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    std::memcpy(&numbers[i], rows.data() + 9 * i, 8);
    CHECK_EQUAL(rows[9 * i + 8], static_cast<std::uint8_t>(numbers[i]));
  }
  return numbers;
}

TEST(buffers_ring_keeps_the_newest_in_order) {
  Ring ring(options(7));
  for (const std::int64_t count : {3, 0, 5, 20, 1}) {
    add_numbers(ring, count);
    const auto numbers = numbers_in(ring);
    for (std::int64_t number = ring.num_added() - ring.size(); number < ring.num_added(); ++number)
      CHECK_EQUAL(numbers[static_cast<std::size_t>(number % 7)], number);
  }
}

// Every row is kept with probability capacity / added, whenever it came, and pairs are nearly independent.
TEST(buffers_reservoir_is_uniform) {
  constexpr int kCapacity = 8, kAdded = 40, kTrials = 20'000;
  std::vector<int> kept(kAdded);
  int pairs = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    Reservoir reservoir(options(kCapacity), static_cast<std::uint64_t>(trial));
    add_numbers(reservoir, kAdded);
    bool has_first = false, has_last = false;
    for (const std::int64_t number : numbers_in(reservoir)) {
      ++kept[static_cast<std::size_t>(number)];
      has_first |= number == 0;
      has_last |= number == kAdded - 1;
    }
    pairs += has_first && has_last;
  }
  const double p = double(kCapacity) / kAdded, deviation = std::sqrt(kTrials * p * (1 - p));
  double squares = 0;
  for (const int count : kept) {
    CHECK(std::abs(count - kTrials * p) < 4.5 * deviation);
    squares += (count - kTrials * p) * (count - kTrials * p) / (deviation * deviation);
  }
  CHECK(squares < 80);  // chi-squared of 39 degrees of freedom: beyond it once in 10^4
  const double both = p * (kCapacity - 1) / (kAdded - 1);
  CHECK(std::abs(pairs - kTrials * both) < 4.5 * std::sqrt(kTrials * both * (1 - both)));
}

TEST(buffers_are_the_same_whatever_the_threads_and_batches) {
  constexpr std::int64_t kRows = 200'000;
  for (const bool is_ring : {false, true}) {
    Bytes first;
    for (const int threads : {1, 2, 3}) {
      for (const std::int64_t batch : {kRows, std::int64_t{1}, std::int64_t{777}, std::int64_t{70'001}}) {
        std::unique_ptr<RowBuffer> buffer;
        if (is_ring)
          buffer = std::make_unique<Ring>(options(5'000, threads));
        else
          buffer = std::make_unique<Reservoir>(options(5'000, threads), 9);
        while (buffer->num_added() < kRows) add_numbers(*buffer, std::min(batch, kRows - buffer->num_added()));
        if (first.empty()) first = contents(*buffer);
        CHECK(contents(*buffer) == first);
      }
    }
  }
}

TEST(buffers_mapped_are_as_in_memory_and_leave_no_file) {
  const auto directory = std::filesystem::temp_directory_path() / "regretless_test_buffers";
  std::filesystem::create_directory(directory);
  Reservoir mapped(options(1'000, 2, directory.string()), 3), plain(options(1'000), 3);
  add_numbers(mapped, 5'000);
  add_numbers(plain, 5'000);
  CHECK(mapped.is_mapped() && !plain.is_mapped());
  CHECK(contents(mapped) == contents(plain));
  CHECK(std::filesystem::is_empty(directory));
  std::filesystem::remove(directory);
  CHECK_THROWS(Ring(options(10, 1, "/no/such/directory")));
}

TEST(buffers_know_what_changed) {
  for (const std::int64_t since : {0, 50, 100, 130, 1'000, 5'000}) {
    for (const std::int64_t more : {0, 1, 30, 100, 4'000}) {
      Reservoir reservoir(options(100), 5);
      Ring ring(options(100));
      for (RowBuffer* buffer : {static_cast<RowBuffer*>(&reservoir), static_cast<RowBuffer*>(&ring)}) {
        add_numbers(*buffer, since);
        auto before = numbers_in(*buffer);
        before.resize(100, -1);
        add_numbers(*buffer, more);
        auto after = numbers_in(*buffer);
        after.resize(100, -1);
        std::vector<std::int64_t> wanted;
        for (std::int64_t index = 0; index < 100; ++index)
          if (before[static_cast<std::size_t>(index)] != after[static_cast<std::size_t>(index)]) wanted.push_back(index);
        CHECK(buffer->changed(since) == wanted);
      }
    }
  }
}

TEST(buffers_resume_where_they_were) {
  Reservoir steady(options(64), 5), resumed(options(64), 5);
  add_numbers(steady, 300);
  std::vector<std::int64_t> indices(64);
  std::iota(indices.begin(), indices.end(), 0);
  const Bytes rows = contents(steady);
  resumed.put(indices.data(), 64, rows.data());
  resumed.resume(300);
  add_numbers(steady, 500);
  add_numbers(resumed, 500);
  CHECK(contents(steady) == contents(resumed));
}

TEST(buffers_sample_uniformly_by_seed_and_step) {
  constexpr std::int64_t kCount = 50'000;
  Ring ring(options(10));
  add_numbers(ring, 25);
  std::vector<std::int64_t> one(kCount), two(kCount), other(kCount);
  Bytes last(kCount);
  const auto draw = [&](std::vector<std::int64_t>& to, std::uint64_t step) {
    ring.sample(4, step, kCount, {reinterpret_cast<std::uint8_t*>(to.data()), last.data()});
  };
  draw(one, 7);
  draw(other, 8);
  draw(two, 7);
  CHECK(one == two && one != other);
  std::vector<int> counts(25);
  for (std::int64_t i = 0; i < kCount; ++i) {
    ++counts[static_cast<std::size_t>(one[static_cast<std::size_t>(i)])];
    CHECK_EQUAL(last[static_cast<std::size_t>(i)], static_cast<std::uint8_t>(two[static_cast<std::size_t>(i)]));
  }
  for (std::size_t number = 0; number < 25; ++number)
    CHECK(number < 15 ? counts[number] == 0 : std::abs(counts[number] - 5'000) < 4.5 * std::sqrt(4'500));
}

TEST(buffers_refuse_what_makes_no_sense) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  CHECK_THROWS(Ring(options(0)));
  CHECK_THROWS(Ring(options(-1)));
  CHECK_THROWS(Ring(options(kMost)));
  CHECK_THROWS(Ring(options(5, 0)));
  CHECK_THROWS(Ring({{}, 5, "", 100, 1}));
  CHECK_THROWS(Ring({{4, 0}, 5, "", 100, 1}));
  CHECK_THROWS(Ring({{kMost, kMost}, 1, "", kMost, 1}));
  CHECK_THROWS(Ring({{4}, 25, "", 99, 1}));
  Ring ring({{4}, 25, "", 100, 1});
  CHECK_THROWS(ring.sample(0, 0, 1, {nullptr}));
  CHECK_THROWS(ring.add({}, 1));
  CHECK_THROWS(ring.changed(1));
  CHECK_THROWS(ring.resume(-1));
  const std::int64_t indices[] = {25, -1};
  std::uint8_t rows[8] = {};
  CHECK_THROWS(ring.get(indices, 1, rows));
  CHECK_THROWS(ring.put(indices + 1, 1, rows));
}

// Callers wait for each other: rows are whole and none is lost.
TEST(buffers_may_be_used_by_several_threads) {
  Ring ring(options(4'096, 2));
  add_numbers(ring, 1);
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i)
    threads.emplace_back([&] {
      const std::vector<std::int64_t> numbers(2'000, 0x0101010101010101);
      const Bytes last(2'000, 1);
      for (int round = 0; round < 20; ++round)
        ring.add({reinterpret_cast<const std::uint8_t*>(numbers.data()), last.data()}, 2'000);
    });
  threads.emplace_back([&] {
    std::vector<std::int64_t> numbers(100);
    Bytes last(100);
    for (std::uint64_t step = 0; step < 50; ++step)
      ring.sample(0, step, 100, {reinterpret_cast<std::uint8_t*>(numbers.data()), last.data()});
  });
  for (std::thread& thread : threads) thread.join();
  CHECK_EQUAL(ring.num_added(), 80'001);
  for (const std::uint8_t byte : contents(ring)) CHECK_EQUAL(byte, 1);
}

}  // namespace
}  // namespace regretless
