// SPDX-License-Identifier: MIT
#pragma once
#include <nanobind/nanobind.h>

namespace regretless {

void bind_abstraction(nanobind::module_& m);
void bind_buffers(nanobind::module_& m);
void bind_cards(nanobind::module_& m);
void bind_deal_pool(nanobind::module_& m);
void bind_equity(nanobind::module_& m);
void bind_explicit(nanobind::module_& m);
void bind_games(nanobind::module_& m);
void bind_jobs(nanobind::module_& m);
void bind_observe(nanobind::module_& m);
void bind_questions(nanobind::module_& m);
void bind_lbr_play(nanobind::module_& m);
void bind_spot_questions(nanobind::module_& m);
void bind_solve(nanobind::module_& m);
void bind_subgames(nanobind::module_& m);
void bind_traversals(nanobind::module_& m);
void bind_mccfr(nanobind::module_& m);

}  // namespace regretless
