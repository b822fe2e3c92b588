// SPDX-License-Identifier: MIT
// The expansion of a compact row of bytes to features, as data: a list of fields that says for each where it stands in the row and
// in the features. Whoever can read the list can expand rows; here it is done natively, in networks/expansion.py on a torch device,
// with the same floats to the bit. A feature is the sum of what the fields give it, and at most one of them gives more than 0.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace regretless {

inline constexpr std::uint8_t kNoMark = 255;
inline constexpr std::uint16_t kNoWideMark = 65535;

struct Field {
  enum class Kind : std::uint8_t {
    kMarks,  // count bytes; byte b, unless it is 255, gives 1 to one of `width` features: number b / divisor % width
    kNumbers,  // count unsigned numbers of `width` bytes, the lowest first; each gives its value as a float32 times scale
    kWideMarks,  // count numbers of two bytes, the lower first; number v, unless it is 65,535, gives 1 to feature v % width
    kBits,  // count numbers of `width` bits (1, 2 or 4), the lowest of the first byte first; each gives its value times scale
  };
  std::string name;
  Kind kind = Kind::kMarks;
  int count = 1;
  int width = 1;
  int stride = 0;  // from the features of one mark, number or bit to those of the next
  float scale = 1;
  int divisor = 1;
  int byte = 0;  // the first one in the row
  int feature = 0;  // the first one
  int num_bytes() const;
  int num_features() const;  // up to and including its last
};

class RowLayout {
 public:
  // Adds a field behind those that are there, in the row and in the features; `feature` puts it elsewhere in the features.
  void add(Field field, int feature = -1);
  // Reads the bytes of the field before once more, for other features, with the same stride unless another is given.
  void add_again(Field field, int feature);
  // Adds all fields of another row behind those that are there.
  void add_row(const RowLayout& row);
  // Called once all fields are added. The first one is one mark that is always there.
  void finish();

  const std::vector<Field>& fields() const { return fields_; }
  int row_bytes() const { return row_bytes_; }
  int num_features() const { return num_features_; }
  int next_feature() const { return num_features_; }

  // Throws std::invalid_argument for the first of these rows that has no first mark: no encoder writes it.
  void check(std::span<const std::uint8_t> rows) const;
  void expand(const std::uint8_t* row, float* features) const;

 private:
  std::vector<Field> fields_;
  std::vector<std::array<std::uint8_t, 256>> marks_;  // [fields]: which of its features a byte marks, 255 for none
  int row_bytes_ = 0;
  int num_features_ = 0;
};

}  // namespace regretless
