// SPDX-License-Identifier: MIT
// A stretch of zeroed bytes: in memory, or mapped to a file that has no name and so is gone whenever the program ends.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

namespace regretless {

class Memory {
 public:
  // In `directory`, or in memory where that is empty. Disk is reserved at once, so that a full disk is reported here and not later.
  Memory(std::int64_t bytes, const std::string& directory);
  ~Memory();
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  std::uint8_t* data() const { return data_; }

 private:
  std::uint8_t* data_ = nullptr;
  std::size_t bytes_;
};

// Asks the system for large pages for memory that is not touched yet: reading here and there in it then misses fewer of
// them. Nothing else changes, and nothing does where there are none.
void prefer_large_pages(void* data, std::size_t bytes);

}  // namespace regretless
