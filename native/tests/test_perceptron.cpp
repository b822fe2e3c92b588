// SPDX-License-Identifier: MIT
// Perceptrons against their definition in double precision, and their bits at every level.
#include "networks/perceptron.h"

#include <cmath>
#include <cstring>

#include "cards/random.h"
#include "test.h"

using namespace regretless;

namespace {

using Head = Perceptron::Head;

// A layer that is drawn and owns its numbers.
struct Drawn {
  int inputs, outputs;
  std::vector<float> weights, bias, gain, shift;

  Drawn(int inputs_, int outputs_, bool is_normal, Random& random) : inputs(inputs_), outputs(outputs_) {
    const auto draw = [&](int size, float middle) {
      std::vector<float> numbers;
      for (int i = 0; i < size; ++i) numbers.push_back(middle + random.uniform() - 0.5f);
      return numbers;
    };
    weights = draw(inputs * outputs, 0), bias = draw(outputs, 0);
    if (is_normal) gain = draw(outputs, 1), shift = draw(outputs, 0);
  }
  operator Perceptron::Linear() const { return {inputs, outputs, weights, bias, gain, shift}; }
};

std::vector<Perceptron::Linear> linears(const std::vector<Drawn>& layers) { return {layers.begin(), layers.end()}; }

struct Net {
  std::vector<Drawn> hidden, output, value;
  bool is_residual;

  Net(int inputs, const std::vector<int>& widths, int stream, bool is_dueling, std::uint64_t seed) : is_residual(is_dueling) {
    Random random{seed};
    for (const int width : widths) {
      hidden.emplace_back(inputs, width, true, random);
      inputs = width;
    }
    const auto lead = [&](std::vector<Drawn>& chain, int slots) {
      if (stream > 0) chain.emplace_back(inputs, stream, false, random);
      chain.emplace_back(stream > 0 ? stream : inputs, slots, false, random);
    };
    lead(output, 5);
    if (is_dueling) lead(value, 1);
  }
  Perceptron perceptron(Head head) const { return {linears(hidden), is_residual, linears(output), linears(value), head}; }

  static std::vector<double> run(const Drawn& layer, const std::vector<double>& inputs, bool is_rectified) {
    std::vector<double> out(layer.bias.begin(), layer.bias.end());
    double mean = 0, variance = 0;
    const auto size = out.size();
    for (std::size_t o = 0; o < size; ++o)
      for (std::size_t i = 0; i < inputs.size(); ++i) out[o] += inputs[i] * layer.weights[o * inputs.size() + i];
    for (const double number : out) mean += number / static_cast<double>(size);
    for (const double number : out) variance += (number - mean) * (number - mean) / static_cast<double>(size);
    for (std::size_t o = 0; o < size; ++o) {
      if (!layer.gain.empty()) out[o] = (out[o] - mean) / std::sqrt(variance + 1e-5) * layer.gain[o] + layer.shift[o];
      if (is_rectified) out[o] = std::max(out[o], 0.0);
    }
    return out;
  }

  std::vector<double> expected(const std::vector<float>& features) const {
    std::vector<double> trunk(features.begin(), features.end());
    for (const Drawn& layer : hidden) {
      auto found = run(layer, trunk, true);
      if (is_residual && found.size() == trunk.size())
        for (std::size_t i = 0; i < found.size(); ++i) found[i] += trunk[i];
      trunk = found;
    }
    const auto follow = [&](const std::vector<Drawn>& chain) {
      auto numbers = trunk;
      for (const Drawn& layer : chain) numbers = run(layer, numbers, &layer != &chain.back());
      return numbers;
    };
    auto outputs = follow(output);
    if (value.empty()) return outputs;
    const double added = follow(value)[0];
    double mean = 0;
    for (const double each : outputs) mean += each / static_cast<double>(outputs.size());
    for (double& each : outputs) each += added - mean;
    return outputs;
  }
};

// One mark of forty features, four more that may be missing, and three numbers: 83 features.
RowLayout layout() {
  RowLayout row;
  row.add({.name = "first", .kind = Field::Kind::kMarks, .width = 40});
  row.add({.name = "marks", .kind = Field::Kind::kMarks, .count = 4, .width = 10, .stride = 10});
  row.add({.name = "numbers", .kind = Field::Kind::kNumbers, .count = 3, .width = 1, .stride = 1, .scale = 0.01f});
  row.finish();
  return row;
}

std::vector<std::uint8_t> rows(const RowLayout& layout, std::size_t count, std::uint64_t seed) {
  Random random{seed};
  std::vector<std::uint8_t> found;
  for (std::size_t row = 0; row < count; ++row)
    for (int byte = 0; byte < layout.row_bytes(); ++byte)
      found.push_back(byte > 0 && byte < 5 && random.below(3) == 0 ? kNoMark : static_cast<std::uint8_t>(random.below(200)));
  return found;
}

std::vector<float> outputs_of(const Perceptron& perceptron, std::span<const std::uint8_t> given, int threads = 1) {
  const RowLayout row = layout();
  std::vector<float> found(given.size() / static_cast<std::size_t>(row.row_bytes()) * 5);
  perceptron.find_outputs(row, given, found.data(), threads);
  return found;
}

}  // namespace

TEST(perceptron_is_its_definition) {
  const RowLayout row = layout();
  const auto given = rows(row, 300, 1);
  const Net nets[] = {
      {83, {100, 100, 7}, 0, false, 2}, {83, {83, 200, 200}, 33, true, 3}, {83, {}, 0, false, 4}, {83, {1}, 3, true, 5}};
  for (const Net& net : nets) {
    const auto found = outputs_of(net.perceptron(Head::kValues), given);
    for (std::size_t i = 0; i < 300; ++i) {
      std::vector<float> features(83);
      row.expand(given.data() + i * static_cast<std::size_t>(row.row_bytes()), features.data());
      const auto expected = net.expected(features);
      for (std::size_t slot = 0; slot < 5; ++slot)
        CHECK(std::abs(found[i * 5 + slot] - expected[slot]) < 2e-5 * (1 + std::abs(expected[slot])));
    }
  }
}

// Neither batches nor threads nor equal rows change a bit, and no level has bits of its own.
TEST(perceptron_answers_each_row_alone_on_threads) {
  const RowLayout row = layout();
  const auto bytes = static_cast<std::size_t>(row.row_bytes());
  auto given = rows(row, 1000, 6);
  std::copy_n(given.begin(), 200 * bytes, given.begin() + static_cast<std::ptrdiff_t>(500 * bytes));
  const Net net(83, {100, 300}, 20, true, 7);
  const Perceptron perceptron = net.perceptron(Head::kValues);
  const auto all = outputs_of(perceptron, given);
  CHECK(all == outputs_of(perceptron, given, 3));
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < 1000; ++i) {
    const auto alone = outputs_of(perceptron, std::span(given).subspan(i * bytes, bytes));
    CHECK(std::equal(alone.begin(), alone.end(), all.begin() + static_cast<std::ptrdiff_t>(5 * i)));
    for (const float each : alone) {
      std::uint32_t bits = 0;
      std::memcpy(&bits, &each, sizeof(bits));
      sum = scatter(sum ^ bits);
    }
  }
  CHECK_EQUAL(sum, std::uint64_t{1284854892460583033});
}

TEST(perceptron_shares_out) {
  const Net net(83, {}, 0, false, 8);
  const auto shared = [&](Head head, std::vector<float> outputs, float temperature = 0) {
    const bool legal[] = {true, true, false, true, true};
    net.perceptron(head).share_out(outputs.data(), legal, temperature);
    return outputs;
  };
  const float most = std::numeric_limits<float>::infinity();
  using Shares = std::vector<float>;
  CHECK(shared(Head::kAdvantages, {1, -1, 9, 3, 0}) == (Shares{0.25f, 0, 0, 0.75f, 0}));
  CHECK(shared(Head::kAdvantages, {-2, -1, 9, -1, -3}) == (Shares{0, 0.5f, 0, 0.5f, 0}));
  CHECK(shared(Head::kValues, {-2, 4, 9, 1, 4}) == (Shares{0, 0.5f, 0, 0, 0.5f}));
  CHECK(shared(Head::kAdvantages, {most, -most, 0, most, std::nanf("")}) == (Shares{0.5f, 0, 0, 0.5f, 0}));
  for (const auto& [head, temperature] : {std::pair{Head::kProbabilities, 0.f}, {Head::kValues, 0.5f}}) {
    const Shares given{0.3f, -2, 50, 1, -200}, found = shared(head, given, temperature);
    double total = 0;
    const double scale = head == Head::kValues ? temperature : 1;
    for (const std::size_t i : {0, 1, 3, 4}) total += std::exp(given[i] / scale);
    for (const std::size_t i : {0, 1, 3, 4}) CHECK(std::abs(found[i] - std::exp(given[i] / scale) / total) < 1e-7);
    CHECK_EQUAL(found[2], 0.f);
  }
}

TEST(perceptron_refuses_sizes_that_do_not_fit) {
  Random random{9};
  const Drawn wide(83, 10, true, random), narrow(9, 5, false, random), fitting(10, 5, false, random);
  const auto make = [](const Drawn& hidden, const Drawn& output) {
    return Perceptron(linears({hidden}), false, linears({output}), {}, Head::kValues);
  };
  CHECK_THROWS(make(wide, narrow));
  const auto perceptron = make(wide, fitting);
  CHECK_EQUAL(perceptron.num_inputs(), 83);
  RowLayout other;
  other.add({.name = "first", .kind = Field::Kind::kMarks, .width = 40});
  other.finish();
  CHECK_THROWS(perceptron.find_outputs(other, {}, nullptr, 1));
}
