// SPDX-License-Identifier: MIT
#include "bindings.h"
#include "cards/deck.h"
#include "cards/strength.h"
namespace nb = nanobind;
using namespace nb::literals;
namespace regretless {
void bind_cards(nanobind::module_& m) {
  nb::class_<Deck>(m, "Deck").def("__init__", [](Deck* d, int r, int s, int l) { new (d) Deck{(uint8_t)r, (uint8_t)s, (uint8_t)l}; })
  .def_ro("num_ranks", &Deck::num_ranks).def_ro("num_suits", &Deck::num_suits).def_ro("lowest_rank", &Deck::lowest_rank);
  nb::enum_<Showdown>(m, "Showdown").value("holdem", Showdown::kHoldem).value("short_deck", Showdown::kShortDeck).value("omaha", Showdown::kOmaha).value("pair", Showdown::kPair);
}
}  // namespace regretless
