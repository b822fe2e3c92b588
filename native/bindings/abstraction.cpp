// SPDX-License-Identifier: MIT
// Card abstraction: features of hands, clusters of points, and buckets by table.
#include "bindings.h"

#include "cards/equity_features.h"
#include "cards/hand_buckets.h"
#include "cards/kmeans.h"

namespace regretless {
namespace {

Points to_points(const ArrayIn<float, 2>& rows) {
  if (rows.shape(1) == 0) throw std::invalid_argument("points: must have 1 to 1,024 numbers each");
  return {static_cast<int>(rows.shape(1)), copied(rows)};
}

auto feature_rows(const EquityFeatures& self, ArrayIn<std::int64_t, 1> boards, int threads) {
  FeatureRows rows = without_gil([&] { return self.rows(span_of(boards), threads); });
  return std::tuple(to_array(std::move(rows.indices)), to_array(std::move(rows.classes)), to_array(std::move(rows.weights)),
                    to_array(std::move(rows.equities)), to_rows(std::move(rows.features), self.width()));
}

auto nearest_centroids(const ArrayIn<float, 2>& points, const ArrayIn<float, 2>& centroids, int threads) {
  if (points.shape(1) != centroids.shape(1)) throw std::invalid_argument("points: of another width than the centroids");
  auto out = new_array<Cluster>({points.shape(0)});
  nb::gil_scoped_release release;
  NearestCentroid(to_points(centroids)).find_all(span_of(points), threads, out.data());
  return out;
}

auto hand_buckets(const HandBuckets& self, ArrayIn<Card, 2> cards) {
  if (cards.shape(1) < 2 || HandBuckets::street_of(cards.shape(1) - 2) < 0)
    throw std::invalid_argument("cards: must be two hole cards and 0, 3, 4 or 5 board cards");
  auto out = new_array<HandBuckets::Bucket>({cards.shape(0)});
  nb::gil_scoped_release release;
  for (std::size_t row = 0; row < cards.shape(0); ++row) {
    const std::span<const Card> all{cards.data() + row * cards.shape(1), cards.shape(1)};
    CardSet seen = 0;
    for (const Card card : all) {
      if (card >= self.deck().num_cards() || share_card(seen, bit(card)))
        throw std::invalid_argument("cards: row " + std::to_string(row) + " has a card twice, or one that is not in the deck");
      seen |= bit(card);
    }
    out.data()[row] = self.bucket(all.first(2), all.subspan(2));
  }
  return out;
}

}  // namespace

void bind_abstraction(nb::module_& m) {
  const nb::call_guard<nb::gil_scoped_release> release_gil;
  nb::enum_<FeatureKind>(m, "FeatureKind", "The features that distinguish hands before the river.")
      .value("EHS", FeatureKind::kEhs, "The mean equity over the boards to come.")
      .value("EHS2", FeatureKind::kEhs2, "The mean of its square.")
      .value("HISTOGRAM", FeatureKind::kHistogram, "The frequency of equities below each of 24 steps.");

  nb::class_<EquityFeatures>(m, "EquityFeatures", "Equities of hands on the boards to come against a hand drawn at random.")
      .def(nb::init<Showdown, const Deck&, int, FeatureKind>(), "rule"_a, "deck"_a, "num_board"_a, "kind"_a, release_gil,
           "On boards of 3 or 4 cards.")
      .def_prop_ro("width", &EquityFeatures::width, "Features of a hand.")
      .def_prop_ro("num_boards", &EquityFeatures::num_boards, "Boards up to a renaming of suits.")
      .def_prop_ro("num_deals", &EquityFeatures::num_deals, "Hands with boards up to a renaming of suits.")
      .def("rows", &feature_rows, "boards"_a, "threads"_a,
           "For each hand on these boards, by number: the canonical index with the board, the one of the hole cards, the\n"
           "deals that it stands for, the mean equity, and the features [rows, width].");

  nb::class_<ScoreCounts>(m, "ScoreCounts", "The number of deals of two cards and a full board with each score.")
      .def(nb::init<Showdown, const Deck&>(), "rule"_a, "deck"_a, release_gil)
      .def_prop_ro("most", &ScoreCounts::most, "The score of a hand that beats all others; score / most is the equity.")
      .def_prop_ro("num_boards", &ScoreCounts::num_boards, "Boards up to a renaming of suits.")
      .def(
          "count",
          [](const ScoreCounts& self, std::int64_t first, std::int64_t last, int threads) {
            auto counts = without_gil([&] { return self.count(first, last, threads); });
            return to_array(std::move(counts));
          },
          "first"_a, "last"_a, "threads"_a, "int64 [most + 1], over the boards from first to before last.");

  nb::class_<KMeans>(m, "KMeans", "Clusters of weighted points; the seed decides them, not the threads.")
      .def(
          "__init__",
          [](KMeans* self, const ArrayIn<float, 2>& points, const ArrayIn<double, 1>& weights, int clusters, std::uint64_t seed,
             int threads) {
            nb::gil_scoped_release release;
            new (self) KMeans(to_points(points), copied(weights), clusters, seed, threads);
          },
          "points"_a, "weights"_a, "clusters"_a, "seed"_a, "threads"_a, "Chooses the first centroids.")
      .def("step", exclusive(&KMeans::step), release_gil,
           "Move every centroid to the mean of its points; whether any point changed its centroid then.")
      .def_prop_ro("error", exclusive(&KMeans::error), "Mean squared distance of a point from its centroid.")
      .def_prop_ro("centroids", exclusive([](const KMeans& self) {
                     return to_rows(std::vector(self.centroids().numbers), self.centroids().width);
                   }),
                   nb::rv_policy::move, "float32 [clusters, width]");
  m.def("nearest_centroids", &nearest_centroids, "points"_a, "centroids"_a, "threads"_a,
        "uint16 [points]: the centroid that is nearest to each point, of equally near ones the first.");

  nb::class_<HandBuckets>(m, "HandBuckets", "Buckets of two hole cards and a board; renamed suits change nothing.")
      .def(nb::new_([](std::string name, Showdown rule, const Deck& deck, ArrayIn<std::uint16_t, 1> preflop,
                       ArrayIn<std::uint16_t, 1> flop, ArrayIn<std::uint16_t, 1> turn, ArrayIn<std::uint16_t, 1> river,
                       const std::vector<ArrayIn<float, 1>>& equities) {
             std::vector<std::vector<float>> all;
             for (const auto& street : equities) all.push_back(copied(street));
             return std::make_shared<HandBuckets>(
                 std::move(name), rule, deck,
                 HandBuckets::Tables{copied(preflop), copied(flop), copied(turn), copied(river), std::move(all)});
           }),
           "name"_a, "rule"_a, "deck"_a, "preflop"_a, "flop"_a, "turn"_a, "river"_a,
           "equities"_a = std::vector<ArrayIn<float, 1>>{},
           "Tables by canonical index of hole cards and board as a set; on the river by score; equities of the\n"
           "buckets of each street, for encoders.")
      .def_prop_ro("name", &HandBuckets::name)
      .def_prop_ro("rule", &HandBuckets::rule)
      .def_prop_ro("deck", &HandBuckets::deck)
      .def("buckets", &hand_buckets, "cards"_a.noconvert(),
           "uint16 [deals]: of rows of two hole cards and 0, 3, 4 or 5 board cards [deals, cards].")
      .def_static("table_sizes", &HandBuckets::table_sizes, "rule"_a, "deck"_a, release_gil, "Entries of the four tables.");
}

}  // namespace regretless
