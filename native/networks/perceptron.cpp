// SPDX-License-Identifier: MIT
#include "networks/perceptron.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>

#include "cards/random.h"
#include "games/game.h"
#include "threads/thread_pool.h"

namespace regretless {
namespace {

constexpr int kBlock = 128;  // rows that read a strip of weights while it is in the cache
constexpr int kLine = 16;  // numbers of a cache line
constexpr int kGroup = 32;  // inputs
constexpr int kStrip = 8;  // registers of sums at a time, as many as every processor has
constexpr float kVariance = 1e-5f;  // added to that of a layer before it is normalised
constexpr float kMostOutput = 1e30f, kLeastTotal = 1e-30f;

// The inputs of a row that are not 0, in their order.
struct Inputs {
  std::uint32_t* places;
  float* numbers;
};

#ifdef __AVX2__
// Where the lanes that a mask has go to, and those that it has not behind them.
constexpr auto kLanes = [] {
  std::array<std::array<std::uint8_t, 8>, 256> lanes{};
  for (unsigned mask = 0; mask < lanes.size(); ++mask)
    for (unsigned lane = 0, count = 0; lane < 8; ++lane)
      if ((mask >> lane & 1) != 0) lanes[mask][count++] = static_cast<std::uint8_t>(lane);
  return lanes;
}();
#endif

// No branch: what is 0 is written over. There must be room for as many as there are, and one register.
int list_inputs(const float* numbers, int size, Inputs inputs) {
  int count = 0, i = 0;
#ifdef __AVX2__
  for (; i + 8 <= size; i += 8) {
    const __m256 each = _mm256_loadu_ps(numbers + i);
    const auto mask = static_cast<unsigned>(_mm256_movemask_ps(_mm256_cmp_ps(each, _mm256_setzero_ps(), _CMP_NEQ_UQ)));
    const __m256i lanes = _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(kLanes[mask].data())));
    _mm256_storeu_ps(inputs.numbers + count, _mm256_permutevar8x32_ps(each, lanes));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(inputs.places + count), _mm256_add_epi32(lanes, _mm256_set1_epi32(i)));
    count += std::popcount(mask);
  }
#endif
  for (; i < size; ++i) {
    inputs.places[count] = static_cast<std::uint32_t>(i);
    inputs.numbers[count] = numbers[i];
    count += numbers[i] != 0;
  }
  return count;
}

// Each kGroup inputs are added up for themselves, so that little is rounded off where there are many.
template <int kRegisters>
void add_up(Inputs inputs, int count, const float* weights, const float* bias, float* sums) {
  using Strip = Registers<float, kRegisters>;
  Strip total = Strip::load(bias);
  for (int first = 0; first < count; first += kGroup) {
    Strip sum;
    for (int k = first, end = std::min(first + kGroup, count); k < end; ++k) {
      const float* from = weights + static_cast<std::size_t>(inputs.places[k]) * Strip::kSize;
      const float number = inputs.numbers[k];
      for (int i = 0; i < kRegisters; ++i) sum.parts[i] += Register<float>::load(from + i * kRegisterSize<float>).lanes * number;
    }
    total += sum;
  }
  total.store(sums);
}

// Calls visit(registers, first output) for each strip of so many padded outputs.
template <int kRegisters = kStrip, class Visit>
void each_strip(int padded, Visit visit, int first = 0) {
  constexpr int kWidth = kRegisters * kRegisterSize<float>;
  for (; padded - first >= kWidth; first += kWidth) visit(std::integral_constant<int, kRegisters>(), first);
  if constexpr (kRegisters > 1) each_strip<kRegisters / 2>(padded, visit, first);
}

// The sum of value(i) for all i: sixteen sums, each of every sixteenth, are added up at the end, whatever the registers.
template <class Value>
float sum_of(int size, Value value) {
  float sums[kLine] = {};
  int i = 0;
  for (; i + kLine <= size; i += kLine)
    for (int lane = 0; lane < kLine; ++lane) sums[lane] += value(i + lane);
  for (int lane = 0; i + lane < size; ++lane) sums[lane] += value(i + lane);
  for (int half = kLine / 2; half > 0; half /= 2)
    for (int lane = 0; lane < half; ++lane) sums[lane] += sums[lane + half];
  return sums[0];
}

void normalise(float* numbers, const float* gain, const float* shift, int size) {
  const auto count = static_cast<float>(size);
  const float mean = sum_of(size, [&](int i) { return numbers[i]; }) / count;
  const float variance = sum_of(size, [&](int i) { return (numbers[i] - mean) * (numbers[i] - mean); }) / count;
  const float scale = 1 / std::sqrt(variance + kVariance);
  for (int i = 0; i < size; ++i) numbers[i] = (numbers[i] - mean) * scale * gain[i] + shift[i];
}

// The exponential of a number up to 0, by operations that every processor rounds alike.
double exponential(double x) {
  if (!(x > -104)) return 0;  // less than any float
  const double power = std::floor(x * 1.4426950408889634 + 0.5);
  const double rest = x - power * 0.6931471805599453;
  double sum = 1;
  for (int term = 13; term > 0; --term) sum = 1 + rest * sum / term;
  return std::ldexp(sum, static_cast<int>(power));
}

// Which rows are the first of their kind, and for each row which of those it equals.
struct Kinds {
  std::vector<std::uint32_t> firsts;
  std::vector<std::uint32_t> kind;

  Kinds(std::span<const std::uint8_t> rows, std::size_t row_bytes) : kind(rows.size() / row_bytes) {
    std::vector<std::uint32_t> places(std::bit_ceil(2 * kind.size() + 1));  // one more than the kind, 0 for none
    for (std::size_t row = 0; row < kind.size(); ++row) {
      const std::uint8_t* bytes = rows.data() + row * row_bytes;
      std::size_t place = hash(bytes, row_bytes) & (places.size() - 1);
      while (places[place] > 0 && std::memcmp(rows.data() + firsts[places[place] - 1] * row_bytes, bytes, row_bytes) != 0)
        place = (place + 1) & (places.size() - 1);
      if (places[place] == 0) {
        firsts.push_back(static_cast<std::uint32_t>(row));
        places[place] = static_cast<std::uint32_t>(firsts.size());
      }
      kind[row] = places[place] - 1;
    }
  }

  static std::uint64_t hash(const std::uint8_t* bytes, std::size_t size) {
    std::uint64_t found = size;
    while (size > 0) {
      std::uint64_t word = 0;
      const std::size_t part = std::min<std::size_t>(size, sizeof(word));
      std::memcpy(&word, bytes, part);
      found = (std::rotl(found, 29) ^ word) * 0x9e3779b97f4a7c15;
      bytes += part, size -= part;
    }
    return scatter(found);
  }
};

void check(bool fits) {
  if (!fits) throw std::invalid_argument("the sizes of the layers do not fit together");
}

}  // namespace

// The memory of a thread: the numbers that a layer reads and writes, by row.
struct Perceptron::Workspace {
  Workspace(int widest, std::size_t num_rows)
      : stride(widest),
        read(num_rows * static_cast<std::size_t>(widest)),
        written(read.size()),
        trunk(read.size()),
        places(read.size()),
        numbers(read.size()) {}
  float* at(HandVector<float>& all, int row) const { return all.data() + static_cast<std::size_t>(row) * stride; }
  Inputs inputs(int row) { return {places.data() + static_cast<std::size_t>(row) * stride, at(numbers, row)}; }

  int stride;
  HandVector<float> read, written, trunk;
  HandVector<std::uint32_t> places;
  HandVector<float> numbers;
  int counts[kBlock] = {};
  const std::uint8_t* rows[kBlock] = {};
  float* outputs[kBlock] = {};
};

Perceptron::Perceptron(std::span<const Linear> hidden, bool is_residual, std::span<const Linear> output,
                       std::span<const Linear> value, Head head)
    : is_residual_(is_residual), head_(head) {
  check(!output.empty());
  num_inputs_ = hidden.empty() ? output[0].inputs : hidden[0].inputs;
  int inputs = num_inputs_;
  for (const Linear& linear : hidden) {
    check(linear.inputs == inputs);
    hidden_.push_back(make_layer(linear, true));
    inputs = linear.outputs;
  }
  output_ = make_chain(output, inputs);
  num_outputs_ = output_.back().outputs;
  check(num_outputs_ <= kMaxActions);
  if (!value.empty()) value_ = make_chain(value, inputs);
  check(value_.empty() || value_.back().outputs == 1);
  widest_ = num_inputs_;
  for (const auto* layers : {&hidden_, &output_, &value_})
    for (const Layer& layer : *layers) widest_ = std::max({widest_, layer.inputs, layer.padded});
  widest_ = (widest_ + kLine + 7) / kLine * kLine;  // room for what `list_inputs` writes beyond its end
}

Perceptron::Layer Perceptron::make_layer(const Linear& linear, bool is_rectified) {
  const auto inputs = static_cast<std::size_t>(linear.inputs), outputs = static_cast<std::size_t>(linear.outputs);
  check(inputs > 0 && outputs > 0 && linear.weights.size() == inputs * outputs && linear.bias.size() == outputs);
  check(linear.gain.size() == linear.shift.size() && (linear.gain.empty() || linear.gain.size() == outputs));
  Layer layer{linear.inputs, linear.outputs, (linear.outputs + kLine - 1) / kLine * kLine, !linear.gain.empty(), is_rectified};
  layer.weights.resize(inputs * static_cast<std::size_t>(layer.padded));
  each_strip(layer.padded, [&](auto registers, int first) {
    constexpr int kWidth = registers * kRegisterSize<float>;
    float* to = layer.weights.data() + inputs * static_cast<std::size_t>(first);
    for (std::size_t i = 0; i < inputs; ++i)
      for (int o = first; o < first + kWidth; ++o)
        *to++ = o < linear.outputs ? linear.weights[static_cast<std::size_t>(o) * inputs + i] : 0;
  });
  layer.bias.assign(linear.bias.begin(), linear.bias.end());
  layer.bias.resize(static_cast<std::size_t>(layer.padded));
  layer.gain.assign(linear.gain.begin(), linear.gain.end());
  layer.shift.assign(linear.shift.begin(), linear.shift.end());
  return layer;
}

std::vector<Perceptron::Layer> Perceptron::make_chain(std::span<const Linear> linears, int inputs) const {
  std::vector<Layer> chain;
  for (const Linear& linear : linears) {
    check(linear.inputs == inputs);
    chain.push_back(make_layer(linear, &linear != &linears.back()));
    inputs = linear.outputs;
  }
  return chain;
}

// Reads workspace.read and writes workspace.written.
void Perceptron::run(const Layer& layer, Workspace& workspace, int rows) const {
  for (int row = 0; row < rows; ++row)
    workspace.counts[row] = list_inputs(workspace.at(workspace.read, row), layer.inputs, workspace.inputs(row));
  each_strip(layer.padded, [&](auto registers, int first) {
    const float* weights = layer.weights.data() + static_cast<std::size_t>(layer.inputs) * static_cast<std::size_t>(first);
    for (int row = 0; row < rows; ++row)
      add_up<registers>(workspace.inputs(row), workspace.counts[row], weights, layer.bias.data() + first,
                        workspace.at(workspace.written, row) + first);
  });
  for (int row = 0; row < rows; ++row) {
    float* numbers = workspace.at(workspace.written, row);
    if (layer.is_normal) normalise(numbers, layer.gain.data(), layer.shift.data(), layer.outputs);
    if (layer.is_rectified)
      for (int i = 0; i < layer.outputs; ++i) numbers[i] = numbers[i] < 0 ? 0 : numbers[i];
  }
}

void Perceptron::run_block(const RowLayout& layout, Workspace& workspace, int count) const {
  for (int row = 0; row < count; ++row) layout.expand(workspace.rows[row], workspace.at(workspace.read, row));
  for (const Layer& layer : hidden_) {
    run(layer, workspace, count);
    if (is_residual_ && layer.inputs == layer.outputs)
      for (int row = 0; row < count; ++row) {
        const float* read = workspace.at(workspace.read, row);
        float* written = workspace.at(workspace.written, row);
        for (int i = 0; i < layer.outputs; ++i) written[i] += read[i];
      }
    std::swap(workspace.read, workspace.written);
  }
  if (!value_.empty()) workspace.trunk = workspace.read;
  for (const Layer& layer : output_) {
    run(layer, workspace, count);
    std::swap(workspace.read, workspace.written);
  }
  for (int row = 0; row < count; ++row) std::copy_n(workspace.at(workspace.read, row), num_outputs_, workspace.outputs[row]);
  if (value_.empty()) return;
  std::swap(workspace.trunk, workspace.read);
  for (const Layer& layer : value_) {
    run(layer, workspace, count);
    std::swap(workspace.read, workspace.written);
  }
  for (int row = 0; row < count; ++row) {
    float* out = workspace.outputs[row];
    const float mean = sum_of(num_outputs_, [&](int i) { return out[i]; }) / static_cast<float>(num_outputs_);
    for (int i = 0; i < num_outputs_; ++i) out[i] = *workspace.at(workspace.read, row) + out[i] - mean;
  }
}

void Perceptron::find_outputs(const RowLayout& layout, std::span<const std::uint8_t> rows, float* outputs, int threads) const {
  if (layout.num_features() != num_inputs_) throw std::invalid_argument("the rows have other features than the network's");
  const auto row_bytes = static_cast<std::size_t>(layout.row_bytes()), width = static_cast<std::size_t>(num_outputs_);
  const Kinds kinds(rows, row_bytes);
  const std::size_t blocks = (kinds.firsts.size() + kBlock - 1) / kBlock;
  threads = static_cast<int>(std::clamp<std::size_t>(blocks, 1, static_cast<std::size_t>(threads)));
  const std::size_t most = std::min<std::size_t>(kBlock, kinds.firsts.size());
  std::vector<Workspace> workspaces(static_cast<std::size_t>(threads), Workspace(widest_, most));  // threads must not throw
  ThreadPool pool(threads);
  pool.run([&](int thread) {
    Workspace& workspace = workspaces[static_cast<std::size_t>(thread)];
    for (std::size_t block = static_cast<std::size_t>(thread); block < blocks; block += static_cast<std::size_t>(threads)) {
      int count = 0;
      for (std::size_t i = block * kBlock; i < std::min((block + 1) * kBlock, kinds.firsts.size()); ++i, ++count) {
        workspace.rows[count] = rows.data() + kinds.firsts[i] * row_bytes;
        workspace.outputs[count] = outputs + kinds.firsts[i] * width;
      }
      run_block(layout, workspace, count);
    }
  });
  for (std::size_t row = 0; row < kinds.kind.size(); ++row)
    if (const std::size_t first = kinds.firsts[kinds.kind[row]]; first != row)
      std::copy_n(outputs + first * width, width, outputs + row * width);
}

void Perceptron::share_out(float* outputs, const bool* legal, float temperature) const {
  float most = -2 * kMostOutput;
  for (int i = 0; i < num_outputs_; ++i) {
    outputs[i] = std::isnan(outputs[i]) ? 0 : std::clamp(outputs[i], -kMostOutput, kMostOutput);
    if (legal[i]) most = std::max(most, outputs[i]);
  }
  double total = 0;
  for (int i = 0; i < num_outputs_; ++i) total += legal[i] && outputs[i] > 0 ? outputs[i] : 0;
  const bool is_matched = head_ == Head::kAdvantages && total > kLeastTotal;
  const double scale = head_ == Head::kProbabilities ? 1 : temperature;
  double shares[kMaxActions], sum = 0;
  for (int i = 0; i < num_outputs_; ++i) {
    shares[i] = 0;
    if (!legal[i]) continue;
    if (is_matched)
      shares[i] = std::max(outputs[i], 0.f);
    else if (head_ != Head::kAdvantages && scale > 0)
      shares[i] = exponential((static_cast<double>(outputs[i]) - most) / scale);
    else
      shares[i] = outputs[i] == most ? 1 : 0;
    sum += shares[i];
  }
  for (int i = 0; i < num_outputs_; ++i) outputs[i] = static_cast<float>(shares[i] / sum);
}

}  // namespace regretless
