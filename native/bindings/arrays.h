// SPDX-License-Identifier: MIT
// Numpy arrays in and out. What goes out is Python's own, or a view that keeps what it shows and cannot be written.
#pragma once
#include <nanobind/ndarray.h>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace regretless {

template <class T, int kDimensions>
using ArrayIn = nanobind::ndarray<const T, nanobind::ndim<kDimensions>, nanobind::c_contig, nanobind::device::cpu>;
template <class T, int kDimensions>
using ArrayOut = nanobind::ndarray<nanobind::numpy, T, nanobind::ndim<kDimensions>>;
template <class T, int kDimensions>
using ArrayView = ArrayOut<const T, kDimensions>;

template <class Array>
auto span_of(const Array& array) {
  return std::span(array.data(), array.size());
}
template <class Array>
auto copied(const Array& array) {
  return std::vector(array.data(), array.data() + array.size());
}

// An uninitialised array that Python owns.
template <class T, int kDimensions>
ArrayOut<T, kDimensions> new_array(const std::size_t (&shape)[kDimensions]) {
  std::size_t size = 1;
  for (const std::size_t length : shape) size *= length;
  auto data = std::make_unique_for_overwrite<T[]>(size);
  nanobind::capsule owner(data.get(), [](void* p) noexcept { delete[] static_cast<T*>(p); });
  return ArrayOut<T, kDimensions>(data.release(), kDimensions, shape, owner);
}

// An array that Python owns, with these values.
template <class T, int kDimensions>
ArrayOut<T, kDimensions> to_array(std::vector<T> values, const std::size_t (&shape)[kDimensions]) {
  auto kept = std::make_unique<std::vector<T>>(std::move(values));
  nanobind::capsule owner(kept.get(), [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return ArrayOut<T, kDimensions>(kept.release()->data(), kDimensions, shape, owner);
}
template <class T>
ArrayOut<T, 1> to_array(std::vector<T> values) {
  const std::size_t size = values.size();
  return to_array(std::move(values), {size});
}
template <class T>
ArrayOut<T, 2> to_rows(std::vector<T> values, std::integral auto num_columns) {
  const auto columns = static_cast<std::size_t>(num_columns), rows = values.size() / std::max<std::size_t>(columns, 1);
  return to_array(std::move(values), {rows, columns});
}

// Values of what the owner shares, for as long as Python looks at them.
template <class T, class Owner, int kDimensions>
ArrayView<T, kDimensions> to_view(const std::vector<T>& values, std::shared_ptr<const Owner> owner,
                                  const std::size_t (&shape)[kDimensions]) {
  using Kept = std::shared_ptr<const Owner>;
  auto kept = std::make_unique<Kept>(std::move(owner));
  nanobind::capsule keeper(kept.get(), [](void* p) noexcept { delete static_cast<Kept*>(p); });
  kept.release();
  return ArrayView<T, kDimensions>(values.data(), kDimensions, shape, keeper);
}

// Attributes of an object by name, such as the arrays of a result.
inline nanobind::typed<nanobind::dict, nanobind::str, nanobind::any> attributes(nanobind::handle self,
                                                                                std::initializer_list<const char*> names) {
  nanobind::typed<nanobind::dict, nanobind::str, nanobind::any> found;
  for (const char* name : names) found[name] = self.attr(name);
  return found;
}

}  // namespace regretless
