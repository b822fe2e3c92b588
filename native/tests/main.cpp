// SPDX-License-Identifier: MIT
#include <algorithm>
#include <exception>

#include "cards/registers.h"
#include "test.h"

int main(int argc, char** argv) {
  using namespace regretless::test;
  const std::vector<std::string> filters(argv + 1, argv + argc);
  int passed = 0, failed = 0;
  for (const Case& test : cases()) {
    const auto is_in_name = [&](const std::string& part) { return test.name.find(part) != std::string::npos; };
    if (!filters.empty() && std::ranges::none_of(filters, is_in_name)) continue;
    const int before = failures();
    try {
      test.run();
    } catch (const std::exception& error) {
      ++failures();
      std::cerr << test.name << ": " << error.what() << "\n";
    }
    const bool ok = failures() == before;
    ok ? ++passed : ++failed;
    std::cout << (ok ? "ok    " : "FAIL  ") << test.name << std::endl;
  }
  std::cout << passed << " passed, " << failed << " failed at " << regretless::kLevel << std::endl;
  return failed == 0 ? 0 : 1;
}
