// SPDX-License-Identifier: MIT
// Python's game and episode objects as AnyGame and AnyEpisode. An AnyGame holds a reference to the Python object, an
// AnyEpisode is a copy: another thread may step the original.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/variant.h>

#include "games/any_episode.h"
#include "games/any_game.h"
