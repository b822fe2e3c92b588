// SPDX-License-Identifier: MIT
#include "observe/row_layout.h"

#include <algorithm>
#include <stdexcept>

namespace regretless {
namespace {

std::uint32_t read_number(const std::uint8_t* bytes, int width) {
  std::uint32_t number = bytes[0];
  for (int i = 1; i < width; ++i) number |= static_cast<std::uint32_t>(bytes[i]) << (8 * i);
  return number;
}

}  // namespace

int Field::num_bytes() const {
  switch (kind) {
    case Kind::kMarks:
      return count;
    case Kind::kWideMarks:
      return count * 2;
    case Kind::kNumbers:
      return count * width;
    default:
      return (count * width + 7) / 8;
  }
}

int Field::num_features() const { return (count - 1) * stride + (kind == Kind::kMarks || kind == Kind::kWideMarks ? width : 1); }

void RowLayout::add(Field field, int feature) {
  if (field.count == 0) return;
  field.byte = row_bytes_;
  field.feature = feature < 0 ? num_features_ : feature;
  row_bytes_ += field.num_bytes();
  num_features_ = std::max(num_features_, field.feature + field.num_features());
  fields_.push_back(std::move(field));
}

void RowLayout::add_again(Field field, int feature) {
  field.count = fields_.back().count;
  if (field.stride == 0) field.stride = fields_.back().stride;
  row_bytes_ = fields_.back().byte;
  add(std::move(field), feature);
}

void RowLayout::add_row(const RowLayout& row) {
  for (Field field : row.fields_) {
    field.byte += row_bytes_;
    field.feature += num_features_;
    fields_.push_back(std::move(field));
  }
  row_bytes_ += row.row_bytes_;
  num_features_ += row.num_features_;
}

void RowLayout::finish() {
  if (fields_.empty() || fields_[0].kind != Field::Kind::kMarks || fields_[0].count != 1)
    throw std::logic_error("a row begins with one mark");
  for (const Field& field : fields_) {
    auto& marks = marks_.emplace_back();
    for (int b = 0; b < 256; ++b) marks[b] = b == kNoMark ? kNoMark : static_cast<std::uint8_t>(b / field.divisor % field.width);
  }
}

void RowLayout::check(std::span<const std::uint8_t> rows) const {
  const auto size = static_cast<std::size_t>(row_bytes_), first = static_cast<std::size_t>(fields_[0].byte);
  for (std::size_t at = 0; at < rows.size(); at += size)
    if (rows[at + first] == kNoMark) throw std::invalid_argument("rows: row " + std::to_string(at / size) + " has no first mark");
}

void RowLayout::expand(const std::uint8_t* row, float* features) const {
  std::fill_n(features, num_features_, 0.f);
  const int first = fields_[0].feature + marks_[0][row[fields_[0].byte]];
  for (std::size_t f = 0; f < fields_.size(); ++f) {
    const Field& field = fields_[f];
    const std::uint8_t* bytes = row + field.byte;
    float* out = features + field.feature;
    switch (field.kind) {
      case Field::Kind::kMarks: {
        const std::uint8_t* marks = marks_[f].data();
        for (int i = 0, at = field.feature; i < field.count; ++i, at += field.stride) {
          const int mark = marks[bytes[i]];
          features[mark == kNoMark ? first : at + mark] = 1;  // no branch: what is not there marks what is marked anyway
        }
        break;
      }
      case Field::Kind::kWideMarks:
        for (int i = 0, at = field.feature; i < field.count; ++i, bytes += 2, at += field.stride) {
          const std::uint32_t mark = read_number(bytes, 2);
          features[mark == kNoWideMark ? first : at + static_cast<int>(mark) % field.width] = 1;
        }
        break;
      case Field::Kind::kNumbers:
        for (int i = 0; i < field.count; ++i, bytes += field.width, out += field.stride)
          *out += static_cast<float>(static_cast<std::int32_t>(read_number(bytes, field.width))) * field.scale;
        break;
      default: {
        const int mask = (1 << field.width) - 1;
        for (int i = 0, at = 0; i < field.count; ++i, at += field.width, out += field.stride)
          *out += static_cast<float>(bytes[at / 8] >> (at % 8) & mask) * field.scale;
      }
    }
  }
}

}  // namespace regretless
