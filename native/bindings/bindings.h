// SPDX-License-Identifier: MIT
// The header of every binding file: nanobind with its converters, arrays, games, and one bind_x for each topic. Python's game
// objects become an AnyGame, which holds a reference to the object; its episodes become an AnyEpisode, which is a copy, since
// another thread may step the original.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <stdexcept>

#include "arrays.h"
#include "exclusive.h"
#include "games/any_game.h"

namespace regretless {

namespace nb = nanobind;
using namespace nb::literals;

// Returns call() while other Python threads may run.
template <class Call>
auto without_gil(Call call) {
  nb::gil_scoped_release release;
  return call();
}

void bind_abstraction(nb::module_& m);
void bind_buffers(nb::module_& m);
void bind_cards(nb::module_& m);
void bind_equity(nb::module_& m);
void bind_explicit(nb::module_& m);
void bind_games(nb::module_& m);
void bind_jobs(nb::module_& m);
void bind_networks(nb::module_& m);
void bind_observe(nb::module_& m);
void bind_questions(nb::module_& m);
void bind_solve(nb::module_& m);
void bind_public_states(nb::module_& m);
void bind_subgames(nb::module_& m);
void bind_traversals(nb::module_& m);
void bind_mccfr(nb::module_& m);

}  // namespace regretless
