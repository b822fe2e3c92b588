// SPDX-License-Identifier: MIT
// Pools of deals.
#include "bindings.h"

#include "games/deal_pool.h"

namespace regretless {
namespace {

std::shared_ptr<DealPool> new_pool(const AnyGame& game, std::int64_t count, std::int64_t min_per_class, std::int64_t max_rejections,
                                   std::uint64_t seed) {
  nb::gil_scoped_release release;
  return make_deal_pool(game, {count, min_per_class, max_rejections, seed});
}

}  // namespace

void bind_deal_pool(nb::module_& m) {
  nb::class_<DealPool>(m, "DealPool", "Whole deals that are drawn once: see docs/deal_pool.md.")
      .def(nb::new_(&new_pool), "game"_a, nb::kw_only(), "count"_a, "min_per_class"_a = 0, "max_rejections"_a = 500'000,
           "seed"_a = 0)
      .def("__len__", &DealPool::size)
      .def_prop_ro("num_classes", &DealPool::num_classes, "Classes of hands that a seat can be dealt.")
      .def_prop_ro("num_lacking", &DealPool::num_lacking, "Seats and classes that have fewer deals than they should.")
      .def_prop_ro("num_rejections", &DealPool::num_rejections, "Draws that were thrown away.")
      .def_prop_ro(
          "counts", [](const DealPool& p) { return to_rows(p.counts(), p.num_classes()); }, nb::rv_policy::move,
          "int64 [players, classes]: deals for a seat by the class of its hand. Deal i is for seat i % players.")
      .def_prop_ro(
          "weights", [](const DealPool& p) { return to_array(p.weights()); }, nb::rv_policy::move,
          "float32 [deals]: what each counts, so that expectations are those of the game.")
      .def_prop_ro(
          "hands", [](const DealPool& p) { return to_rows(p.hands(), p.num_players()); }, nb::rv_policy::move,
          "int32 [deals, players]");
}

}  // namespace regretless
