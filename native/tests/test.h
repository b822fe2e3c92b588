// SPDX-License-Identifier: MIT
// A test is TEST(name) { CHECK(...); }; main.cpp runs them all, or those whose name contains one of its arguments.
#pragma once
#include <functional>
#include <iostream>
#include <string>
#include <vector>

namespace regretless::test {

struct Case {
  std::string name;
  std::function<void()> run;
};

inline std::vector<Case>& cases() {
  static std::vector<Case> all;
  return all;
}

inline int& failures() {
  static int count = 0;
  return count;
}

struct Register {
  Register(const char* name, std::function<void()> run) { cases().push_back({name, std::move(run)}); }
};

template <class A, class B>
void check_equal(const A& a, const B& b, const char* text, const char* file, int line) {
  if (a == b) return;
  ++failures();
  std::cerr << file << ":" << line << ": " << text << ": " << +a << " is not " << +b << "\n";
}

inline void check(bool ok, const char* text, const char* file, int line) {
  if (ok) return;
  ++failures();
  std::cerr << file << ":" << line << ": " << text << "\n";
}

}  // namespace regretless::test

#define TEST(name)                                                         \
  static void test_##name();                                               \
  static ::regretless::test::Register register_##name(#name, test_##name); \
  static void test_##name()
#define CHECK(condition) ::regretless::test::check((condition), #condition, __FILE__, __LINE__)
#define CHECK_EQUAL(a, b) ::regretless::test::check_equal((a), (b), #a " == " #b, __FILE__, __LINE__)
#define CHECK_THROWS(expression)                                                 \
  do {                                                                           \
    bool threw = false;                                                          \
    try {                                                                        \
      (void)(expression);                                                        \
    } catch (const std::exception&) {                                            \
      threw = true;                                                              \
    }                                                                            \
    ::regretless::test::check(threw, #expression " throws", __FILE__, __LINE__); \
  } while (false)
