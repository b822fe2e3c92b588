// SPDX-License-Identifier: MIT
// Encoders: rows of bytes, their layout, and their expansion to features.
#include "bindings.h"

#include "questions.h"
#include "threads/thread_pool.h"

namespace regretless {
namespace {

const char* kind_name(const Field& field) {
  switch (field.kind) {
    case Field::Kind::kMarks:
      return "marks";
    case Field::Kind::kWideMarks:
      return "wide marks";
    case Field::Kind::kNumbers:
      return "numbers";
    default:
      return "bits";
  }
}

auto expand(const Encoder& self, ArrayIn<std::uint8_t, 2> rows, int threads) {
  const auto row_bytes = static_cast<std::size_t>(self.layout().row_bytes());
  const auto width = static_cast<std::size_t>(self.layout().num_features());
  if (rows.shape(1) != row_bytes) throw std::invalid_argument("rows: must be [rows, " + std::to_string(row_bytes) + "]");
  if (threads < 1 || threads > 1024) throw std::invalid_argument("threads: must be 1 to 1,024");
  const std::size_t size = rows.shape(0);
  auto features = new_array<float>({size, width});
  const std::uint8_t* in = rows.data();
  self.layout().check(span_of(rows));
  float* out = features.data();
  {
    nb::gil_scoped_release release;
    ThreadPool pool(threads);
    pool.run([&](int thread) {
      const auto begin = size * static_cast<std::size_t>(thread) / static_cast<std::size_t>(threads);
      const auto end = size * static_cast<std::size_t>(thread + 1) / static_cast<std::size_t>(threads);
      for (std::size_t i = begin; i < end; ++i) self.layout().expand(in + i * row_bytes, out + i * width);
    });
  }
  return features;
}

auto row_of(const Encoder& self, const AnyEpisode& any) {
  return std::visit(
      [&](const auto& episode) {
        using G = std::remove_cvref_t<decltype(episode.game())>;
        const auto* encoder = dynamic_cast<const EncoderOf<G>*>(&self);
        if (!encoder || &encoder->game() != &episode.game()) throw std::invalid_argument("the episode is of another game");
        if (episode.actor() < 0) throw std::invalid_argument("nobody is to act");
        if constexpr (std::is_same_v<G, Poker>)
          if (!episode.is_known(episode.actor())) throw std::invalid_argument("the cards of the actor are unknown");
        auto row = new_array<std::uint8_t>({static_cast<std::size_t>(self.layout().row_bytes())});
        encoder->write(episode.state(), episode.deal(), episode.actor(), episode.history(), row.data());
        return row;
      },
      any);
}

}  // namespace

void bind_observe(nb::module_& m) {
  nb::class_<Field>(m, "Field", "A piece of a row, and the features that it gives: see docs/encoders.md.")
      .def_ro("name", &Field::name)
      .def_prop_ro("kind", &kind_name, "marks, wide marks, numbers or bits")
      .def_ro("byte", &Field::byte, "Its first byte in the row.")
      .def_ro("count", &Field::count, "The number of marks, numbers or bits.")
      .def_ro("width", &Field::width, "Features of a mark, bytes of a number, or bits that make a number.")
      .def_ro("divisor", &Field::divisor, "A byte b marks number b / divisor % width.")
      .def_ro("feature", &Field::feature, "Its first feature.")
      .def_ro("stride", &Field::stride, "From the features of one mark, number or bit to those of the next.")
      .def_ro("scale", &Field::scale, "The factor of a number, or the value of a bit.")
      .def_prop_ro("num_bytes", &Field::num_bytes);

  nb::class_<Encoder>(m, "Encoder", "Encodes a decision for a network, as a row of bytes and as features.")
      .def(nb::new_([](const AnyGame& game, const std::string& name, const BucketsList& buckets) {
             return std::const_pointer_cast<Encoder>(make_encoder(name, game, given_buckets(buckets)));
           }),
           "game"_a, "name"_a, "buckets"_a = BucketsList{}, "The encoder of that name; `buckets` are for the one that sees them.")
      .def_prop_ro("name", &Encoder::name)
      .def_prop_ro("version", &Encoder::version, "Another one has other rows or features.")
      .def_prop_ro(
          "buckets",
          [](const Encoder& e) {
            BucketsList all;
            if (e.buckets()) all.push_back(std::const_pointer_cast<HandBuckets>(e.buckets()));
            return all;
          },
          "Those that it sees, of one abstraction or none.")
      .def_prop_ro(
          "hole_bytes", &Encoder::hole_bytes,
          "Bytes of a row that hold the actor's cards by their index in the deck, 255 for none; empty where it names suits anew.")
      .def_prop_ro("board_bytes", &Encoder::board_bytes, "Bytes of a row that hold the cards of the board.")
      .def_prop_ro("row_bytes", [](const Encoder& e) { return e.layout().row_bytes(); })
      .def_prop_ro("num_features", [](const Encoder& e) { return e.layout().num_features(); })
      .def_prop_ro(
          "fields", [](const Encoder& e) { return e.layout().fields(); }, "Fields, by which rows become features.")
      .def("row", &row_of, "episode"_a, "uint8 [row_bytes]: what the actor knows.")
      .def("expand", &expand, "rows"_a, "threads"_a = 1, "float32 [rows, num_features] from uint8 [rows, row_bytes].");
}

}  // namespace regretless
