// SPDX-License-Identifier: MIT
#include "bindings.h"
#include "cards/deck.h"

namespace regretless {

void bind_cards(nanobind::module_&) {}

}  // namespace regretless
