// SPDX-License-Identifier: MIT
// A multi-layer perceptron from the rows of an encoder to probabilities of slots. After a rectifier most numbers are 0, and so are
// most features: a layer adds up the weights of those inputs that are not, in their order, one lane for each output. No sum depends
// on how wide a register is, on the other rows or on the threads, so answers are equal to the last bit on all processors.
#pragma once
#include <span>

#include "observe/row_layout.h"
#include "tree/vectors.h"

namespace regretless {

class Perceptron {
 public:
  // A linear layer as it is learned; gain and shift, of the normalisation that follows, are empty where there is none.
  struct Linear {
    int inputs = 0;
    int outputs = 0;
    std::span<const float> weights{};  // [outputs, inputs]
    std::span<const float> bias{};  // [outputs]
    std::span<const float> gain{};
    std::span<const float> shift{};
  };
  enum class Head : std::uint8_t {
    kAdvantages,  // outputs are regrets, which are matched
    kProbabilities,  // logits, whose softmax is played
    kValues,  // the largest value is played, or with a temperature the softmax of values over it
  };
  // With `is_residual` a hidden layer that is as wide as its input adds to it. `output` leads from the hidden layers to the slots;
  // a `value`, if there is any, is added to the outputs less their mean. Throws std::invalid_argument where sizes do not fit
  // together.
  Perceptron(std::span<const Linear> hidden, bool is_residual, std::span<const Linear> output, std::span<const Linear> value,
             Head head);

  int num_inputs() const { return num_inputs_; }
  int num_outputs() const { return num_outputs_; }

  // Outputs [rows, num_outputs()] of rows of this layout, which has num_inputs() features. Rows that are equal are computed once.
  void find_outputs(const RowLayout& layout, std::span<const std::uint8_t> rows, float* outputs, int threads) const;
  // Turns outputs of one row into probabilities of the legal slots. A temperature of 0 plays the largest value.
  void share_out(float* outputs, const bool* legal, float temperature) const;

 private:
  struct Layer {
    int inputs = 0;
    int outputs = 0;
    int padded = 0;  // outputs, up to whole cache lines
    bool is_normal = false;
    bool is_rectified = false;
    HandVector<float> weights{};  // strips of registers side by side: [strips][inputs][width of the strip]
    HandVector<float> bias{}, gain{}, shift{};
  };
  struct Workspace;
  static Layer make_layer(const Linear& linear, bool is_rectified);
  std::vector<Layer> make_chain(std::span<const Linear> linears, int inputs) const;
  void run(const Layer& layer, Workspace& workspace, int rows) const;
  void run_block(const RowLayout& layout, Workspace& workspace, int count) const;

  std::vector<Layer> hidden_;
  std::vector<Layer> output_, value_;
  bool is_residual_;
  Head head_;
  int num_inputs_ = 0;
  int num_outputs_ = 0;
  int widest_ = 0;  // inputs or padded outputs of any layer
};

}  // namespace regretless
