// SPDX-License-Identifier: MIT
// Networks that answer questions without torch.
#include "networks/perceptron.h"

#include "bindings.h"
#include "observe/encoder.h"

namespace regretless {
namespace {

using Numbers = std::optional<ArrayIn<float, 1>>;
using LinearIn = std::tuple<ArrayIn<float, 2>, ArrayIn<float, 1>, Numbers, Numbers>;
using ChainIn = std::vector<LinearIn>;

std::vector<Perceptron::Linear> linears(const ChainIn& chain) {
  std::vector<Perceptron::Linear> found;
  for (const auto& [weights, bias, gain, shift] : chain) {
    Perceptron::Linear linear{static_cast<int>(weights.shape(1)), static_cast<int>(weights.shape(0)), span_of(weights),
                              span_of(bias)};
    if (gain) linear.gain = span_of(*gain);
    if (shift) linear.shift = span_of(*shift);
    found.push_back(linear);
  }
  return found;
}

auto make(const ChainIn& hidden, bool residual, const ChainIn& output, const ChainIn& value, const std::string& head) {
  using Head = Perceptron::Head;
  if (head != "advantages" && head != "probabilities" && head != "values")
    throw std::invalid_argument("head: must be advantages, probabilities or values");
  const Head kind = head == "advantages" ? Head::kAdvantages : head == "values" ? Head::kValues : Head::kProbabilities;
  return std::make_unique<Perceptron>(linears(hidden), residual, linears(output), linears(value), kind);
}

auto outputs(const Perceptron& self, const Encoder& encoder, ArrayIn<std::uint8_t, 2> rows, int threads) {
  const RowLayout& layout = encoder.layout();
  if (rows.shape(1) != static_cast<std::size_t>(layout.row_bytes()))
    throw std::invalid_argument("rows: must be [rows, " + std::to_string(layout.row_bytes()) + "]");
  if (threads < 1 || threads > 1024) throw std::invalid_argument("threads: must be 1 to 1,024");
  layout.check(span_of(rows));
  auto found = new_array<float>({rows.shape(0), static_cast<std::size_t>(self.num_outputs())});
  without_gil([&] { self.find_outputs(layout, span_of(rows), found.data(), threads); });
  return found;
}

auto answer(const Perceptron& self, const Encoder& encoder, ArrayIn<std::uint8_t, 2> rows, ArrayIn<bool, 2> legal, int threads,
            float temperature) {
  const auto width = static_cast<std::size_t>(self.num_outputs());
  if (legal.shape(0) != rows.shape(0) || legal.shape(1) != width)
    throw std::invalid_argument("legal: must be [rows, " + std::to_string(width) + "]");
  auto found = outputs(self, encoder, rows, threads);
  without_gil([&] {
    for (std::size_t i = 0; i < rows.shape(0); ++i) self.share_out(found.data() + i * width, legal.data() + i * width, temperature);
  });
  return found;
}

}  // namespace

void bind_networks(nb::module_& m) {
  nb::class_<Perceptron>(m, "Perceptron", "A network that answers on the CPU, with the same bytes on every processor.")
      .def(nb::new_(&make), "hidden"_a, "residual"_a, "output"_a, "value"_a, "head"_a,
           "Layers are (weights [outputs, inputs], bias, gain, shift); `value` is empty, or leads to the value that is added.")
      .def("outputs", &outputs, "encoder"_a, "rows"_a, "threads"_a = 1, "float32 [rows, slots]: what comes before probabilities.")
      .def("answer", &answer, "encoder"_a, "rows"_a, "legal"_a, "threads"_a = 1, "temperature"_a = 0.f,
           "Probabilities [rows, slots] of the legal slots; with a temperature values play by a softmax.");
}

}  // namespace regretless
