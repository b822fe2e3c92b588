// SPDX-License-Identifier: MIT
// The Python module: one bind_x per topic, each in the file of that name. Bindings convert and check; they hold no logic.
#include "bindings.h"

#include <nanobind/stl/string_view.h>

#include "cards/registers.h"

#ifdef __clang__
#define REGRETLESS_COMPILER __VERSION__  // says its name
#else
#define REGRETLESS_COMPILER "g++ " __VERSION__
#endif

// The file has a name for each level that it is compiled for; to Python all of them are one module.
NB_MODULE(REGRETLESS_MODULE, m) {
  m.attr("__name__") = "regretless._native";
  m.doc() = "The native core of regretless.";
  m.def("level", [] { return regretless::kLevel; }, "The processor level that this is compiled for.");
  m.def("compiler", [] { return REGRETLESS_COMPILER; }, "The compiler and its version.");
  nanobind::set_leak_warnings(false);  // interpreters that end with our objects alive are no news to users
  regretless::bind_buffers(m);
  regretless::bind_cards(m);
  regretless::bind_abstraction(m);
  regretless::bind_equity(m);
  regretless::bind_games(m);
  regretless::bind_deal_pool(m);
  regretless::bind_observe(m);
  regretless::bind_questions(m);
  regretless::bind_jobs(m);
  regretless::bind_lbr_play(m);
  regretless::bind_spot_questions(m);
  regretless::bind_traversals(m);
  regretless::bind_solve(m);
  regretless::bind_subgames(m);
  regretless::bind_explicit(m);
  regretless::bind_mccfr(m);
}
