// SPDX-License-Identifier: MIT
// The Python module: one bind_x per topic, each in the file of that name. Bindings convert and check; they hold no logic.
#include "bindings.h"

NB_MODULE(_native, m) {
  m.doc() = "The native core of regretless.";
  nanobind::set_leak_warnings(false);  // interpreters that end with our objects alive are no news to users
  regretless::bind_cards(m);
  regretless::bind_equity(m);
  regretless::bind_games(m);
  regretless::bind_jobs(m);
  regretless::bind_range_walk(m);
  regretless::bind_solve(m);
  regretless::bind_subgames(m);
  regretless::bind_explicit(m);
  regretless::bind_mccfr(m);
}
