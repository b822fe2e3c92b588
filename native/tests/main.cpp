// SPDX-License-Identifier: MIT
#include <exception>

#include "test.h"

int main(int argc, char** argv) {
  using namespace regretless::test;
  const std::string filter = argc > 1 ? argv[1] : "";
  int passed = 0, failed = 0;
  for (const Case& test : cases()) {
    if (test.name.find(filter) == std::string::npos) continue;
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
  std::cout << passed << " passed, " << failed << " failed" << std::endl;
  return failed == 0 ? 0 : 1;
}
