// SPDX-License-Identifier: MIT
#include "buffers/memory.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <new>
#include <stdexcept>

#if __has_include(<sys/mman.h>)
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#define REGRETLESS_CAN_MAP 1
#else
#define REGRETLESS_CAN_MAP 0
#endif

namespace regretless {

#if REGRETLESS_CAN_MAP
namespace {

[[noreturn]] void refuse(const std::string& directory, int error) {
  throw std::invalid_argument(directory + ": no room for a mapped buffer: " + std::strerror(error));
}

// A new file without a name.
int open_nameless(const std::string& directory) {
  std::string name = directory + "/.rows-XXXXXX";
  const int file = ::mkstemp(name.data());
  if (file < 0) refuse(directory, errno);
  ::unlink(name.c_str());
  return file;
}

int reserve(int file, std::int64_t bytes) {
#ifdef __linux__
  return ::posix_fallocate(file, 0, bytes);
#else
  return ::ftruncate(file, bytes) == 0 ? 0 : errno;
#endif
}

}  // namespace

Memory::Memory(std::int64_t bytes, const std::string& directory) : bytes_(static_cast<std::size_t>(bytes)) {
  constexpr int kAccess = PROT_READ | PROT_WRITE;
  void* found = MAP_FAILED;
  if (directory.empty()) {
    found = ::mmap(nullptr, bytes_, kAccess, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (found == MAP_FAILED) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
    ::madvise(found, bytes_, MADV_HUGEPAGE);  // rows lie anywhere: large pages miss the translation cache less often
#endif
  } else {
    const int file = open_nameless(directory);
    int error = reserve(file, bytes);
    if (error == 0) {
      found = ::mmap(nullptr, bytes_, kAccess, MAP_SHARED, file, 0);
      if (found == MAP_FAILED) error = errno;
    }
    ::close(file);  // the mapping keeps it
    if (error != 0) refuse(directory, error);
    // Else the system joins pages, up to 2 MiB, and a row that changes makes it write all of them.
    ::madvise(found, bytes_, MADV_RANDOM);
  }
  data_ = static_cast<std::uint8_t*>(found);
}

Memory::~Memory() { ::munmap(data_, bytes_); }

#else

Memory::Memory(std::int64_t bytes, const std::string& directory) : bytes_(static_cast<std::size_t>(bytes)) {
  if (!directory.empty()) throw std::invalid_argument(directory + ": buffers can be mapped to files on POSIX systems only");
  data_ = static_cast<std::uint8_t*>(std::calloc(bytes_, 1));
  if (data_ == nullptr) throw std::bad_alloc();
}

Memory::~Memory() { std::free(data_); }

#endif

void prefer_large_pages([[maybe_unused]] void* data, [[maybe_unused]] std::size_t bytes) {
#if REGRETLESS_CAN_MAP && defined(MADV_HUGEPAGE)
  constexpr std::uintptr_t kPage = std::uintptr_t{1} << 21;
  const auto begin = reinterpret_cast<std::uintptr_t>(data), end = begin + bytes;
  const std::uintptr_t first = (begin + kPage - 1) / kPage * kPage, last = end / kPage * kPage;
  if (first < last) madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);  // a wish: refusing it is no error
#endif
}

}  // namespace regretless
