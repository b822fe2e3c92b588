// SPDX-License-Identifier: MIT
// Calls that change files, with a fault at one of them; loaded before libc (faulty_files.py).
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include <atomic>

namespace {

enum Kind { kWrite = 1, kSync = 2, kOpen = 4, kRename = 8, kRemove = 16, kMake = 32, kCut = 64 };
enum How { kOff, kCount, kKillBefore, kKillIn, kKillAfter, kFail, kFailOn, kShort, kSlow };

std::atomic<long> g_seen{0};
char g_folder[PATH_MAX] = "";
long g_number = -1;
int g_how = kOff, g_error = 0, g_kinds = 0;
bool g_clock_jumps = false;
std::atomic<long> g_looks{0};
constexpr long kJumps[] = {0, 3600, -86400, 1L << 31, -1'000'000'000};  // seconds, one after the other

bool is_below(const char* path) {
  return path != nullptr && strncmp(path, g_folder, strlen(g_folder)) == 0;
}

bool is_ours(int fd) {
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  const ssize_t size = readlink(link, path, sizeof path - 1);
  if (size <= 0) return false;
  path[size] = '\0';
  return is_below(path);
}

bool is_ours(int directory, const char* path) {
  if (path == nullptr) return false;
  if (path[0] == '/') return is_below(path);
  if (directory != AT_FDCWD) return is_ours(directory);
  char here[PATH_MAX];
  return getcwd(here, sizeof here) != nullptr && is_below(here);
}

void die() { kill(getpid(), SIGKILL); }

// What is to become of a call: whether it fails, is cut short, or is the last.
struct Fate {
  bool fails = false, is_half = false, dies_after = false;
};

Fate fate_of(int kind, bool ours) {
  if (g_how == kOff || !ours || (kind & g_kinds) == 0) return {};
  const long seen = g_seen++;
  if (g_how == kSlow && seen % (g_number + 1) == 0) usleep(20'000);
  if (g_how == kFailOn && seen >= g_number) return {.fails = true};
  if (seen != g_number) return {};
  switch (g_how) {
    case kKillBefore: die(); return {};
    case kKillIn: return {.is_half = kind == kWrite, .dies_after = true};
    case kKillAfter: return {.dies_after = true};
    case kFail: return {.fails = true};
    case kShort: return {.is_half = kind == kWrite};
    default: return {};
  }
}

template <typename Result, typename Call>
Result guarded(int kind, bool ours, Call call) {
  const int before = errno;
  const Fate fate = fate_of(kind, ours);
  errno = before;
  if (fate.fails) {
    errno = g_error;
    return -1;
  }
  const Result result = call(fate.is_half);
  if (fate.dies_after) die();
  return result;
}

template <typename Function>
Function* real(Function*, const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace

#define REAL(name) static auto* const next = real(&name, #name)

extern "C" {

// From now on the fault is at this call of these kinds below the folder, counted from 0.
void faulty_arm(const char* folder, long number, int how, int kinds, int error) {
  snprintf(g_folder, sizeof g_folder, "%s", folder);
  g_seen = 0;
  g_number = number, g_how = how, g_kinds = kinds, g_error = error;
}

long faulty_seen() { return g_seen; }

// From now on the time of day jumps with every look at it, as if somebody set the clock; other clocks do not.
void faulty_clock(int jumps) { g_clock_jumps = jumps != 0; }

int clock_gettime(clockid_t clock, struct timespec* time) {
  REAL(clock_gettime);
  const int status = next(clock, time);
  if (g_clock_jumps && status == 0 && clock == CLOCK_REALTIME) time->tv_sec += kJumps[g_looks++ % 5];
  return status;
}

ssize_t write(int fd, const void* data, size_t size) {
  REAL(write);
  return guarded<ssize_t>(kWrite, g_how != kOff && is_ours(fd), [&](bool half) {
    return next(fd, data, half && size > 1 ? size / 2 : size);
  });
}

ssize_t pwrite(int fd, const void* data, size_t size, off_t at) {
  REAL(pwrite);
  return guarded<ssize_t>(kWrite, g_how != kOff && is_ours(fd), [&](bool half) {
    return next(fd, data, half && size > 1 ? size / 2 : size, at);
  });
}

ssize_t pwrite64(int fd, const void* data, size_t size, off64_t at) {
  REAL(pwrite64);
  return guarded<ssize_t>(kWrite, g_how != kOff && is_ours(fd), [&](bool half) {
    return next(fd, data, half && size > 1 ? size / 2 : size, at);
  });
}

ssize_t writev(int fd, const struct iovec* parts, int count) {
  REAL(writev);
  return guarded<ssize_t>(kWrite, g_how != kOff && is_ours(fd), [&](bool half) {
    return next(fd, parts, half && count > 1 ? count / 2 : count);
  });
}

int fsync(int fd) {
  REAL(fsync);
  return guarded<int>(kSync, g_how != kOff && is_ours(fd), [&](bool) { return next(fd); });
}

int fdatasync(int fd) {
  REAL(fdatasync);
  return guarded<int>(kSync, g_how != kOff && is_ours(fd), [&](bool) { return next(fd); });
}

int ftruncate(int fd, off_t size) {
  REAL(ftruncate);
  return guarded<int>(kCut, g_how != kOff && is_ours(fd), [&](bool) { return next(fd, size); });
}

int ftruncate64(int fd, off64_t size) {
  REAL(ftruncate64);
  return guarded<int>(kCut, g_how != kOff && is_ours(fd), [&](bool) { return next(fd, size); });
}

int rename(const char* from, const char* to) {
  REAL(rename);
  return guarded<int>(kRename, g_how != kOff && is_ours(AT_FDCWD, to),
                      [&](bool) { return next(from, to); });
}

int renameat(int from_at, const char* from, int to_at, const char* to) {
  REAL(renameat);
  return guarded<int>(kRename, g_how != kOff && is_ours(to_at, to),
                      [&](bool) { return next(from_at, from, to_at, to); });
}

int renameat2(int from_at, const char* from, int to_at, const char* to, unsigned flags) {
  REAL(renameat2);
  return guarded<int>(kRename, g_how != kOff && is_ours(to_at, to),
                      [&](bool) { return next(from_at, from, to_at, to, flags); });
}

int unlink(const char* path) {
  REAL(unlink);
  return guarded<int>(kRemove, g_how != kOff && is_ours(AT_FDCWD, path),
                      [&](bool) { return next(path); });
}

int unlinkat(int at, const char* path, int flags) {
  REAL(unlinkat);
  return guarded<int>(kRemove, g_how != kOff && is_ours(at, path),
                      [&](bool) { return next(at, path, flags); });
}

int rmdir(const char* path) {
  REAL(rmdir);
  return guarded<int>(kRemove, g_how != kOff && is_ours(AT_FDCWD, path),
                      [&](bool) { return next(path); });
}

int mkdir(const char* path, mode_t mode) {
  REAL(mkdir);
  return guarded<int>(kMake, g_how != kOff && is_ours(AT_FDCWD, path),
                      [&](bool) { return next(path, mode); });
}

int mkdirat(int at, const char* path, mode_t mode) {
  REAL(mkdirat);
  return guarded<int>(kMake, g_how != kOff && is_ours(at, path),
                      [&](bool) { return next(at, path, mode); });
}

#define OPEN_AT(name)                                                                         \
  int name(int at, const char* path, int flags, ...) {                                        \
    REAL(name);                                                                               \
    va_list rest;                                                                             \
    va_start(rest, flags);                                                                    \
    const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, mode_t) : 0;      \
    va_end(rest);                                                                             \
    const bool writes = (flags & (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC)) != 0;               \
    return guarded<int>(kOpen, g_how != kOff && writes && is_ours(at, path),                  \
                        [&](bool) { return next(at, path, flags, mode); });                   \
  }

#define OPEN(name)                                                                            \
  int name(const char* path, int flags, ...) {                                                \
    REAL(name);                                                                               \
    va_list rest;                                                                             \
    va_start(rest, flags);                                                                    \
    const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, mode_t) : 0;      \
    va_end(rest);                                                                             \
    const bool writes = (flags & (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC)) != 0;               \
    return guarded<int>(kOpen, g_how != kOff && writes && is_ours(AT_FDCWD, path),            \
                        [&](bool) { return next(path, flags, mode); });                       \
  }

OPEN(open)
OPEN(open64)
OPEN_AT(openat)
OPEN_AT(openat64)

}  // extern "C"
