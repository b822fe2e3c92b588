// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <exception>

#include "cards/registers.h"
#include "test.h"

// native_tests [K/N] [NAME...]: all tests, or those with one of the names in theirs; of these every Nth, from the Kth on.
int main(int argc, char** argv) {
  using namespace regretless::test;
  std::vector<std::string> filters(argv + 1, argv + argc);
  int part = 0, parts = 1, number = 0;
  if (!filters.empty() && filters[0].find('/') != std::string::npos) {
    part = std::atoi(filters[0].c_str());
    parts = std::max(1, std::atoi(filters[0].substr(filters[0].find('/') + 1).c_str()));
    filters.erase(filters.begin());
  }
  int passed = 0, failed = 0;
  for (const Case& test : cases()) {
    const auto is_in_name = [&](const std::string& part) { return test.name.find(part) != std::string::npos; };
    if (!filters.empty() && std::ranges::none_of(filters, is_in_name)) continue;
    if (number++ % parts != part) continue;
    const int before = failures();
    const auto begun = std::chrono::steady_clock::now();
    try {
      test.run();
    } catch (const std::exception& error) {
      ++failures();
      std::cerr << test.name << ": " << error.what() << "\n";
    }
    const bool ok = failures() == before;
    ok ? ++passed : ++failed;
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begun;
    std::cout << (ok ? "ok    " : "FAIL  ") << test.name;
    if (seconds.count() >= 1) std::cout << ", " << seconds.count() << " s";
    std::cout << std::endl;
  }
  std::cout << passed << " passed, " << failed << " failed at " << regretless::kLevel << std::endl;
  return failed == 0 ? 0 : 1;
}
