// SPDX-License-Identifier: MIT
// Numpy arrays in and out without copies.
#pragma once
#include <nanobind/ndarray.h>

#include <initializer_list>
#include <memory>

namespace regretless {

template <class T, int kDimensions>
using ArrayIn = nanobind::ndarray<const T, nanobind::ndim<kDimensions>, nanobind::c_contig, nanobind::device::cpu>;
template <class T, int kDimensions>
using ArrayOut = nanobind::ndarray<nanobind::numpy, T, nanobind::ndim<kDimensions>>;

// An uninitialised array that Python owns.
template <class T, int kDimensions>
ArrayOut<T, kDimensions> new_array(const std::size_t (&shape)[kDimensions]) {
  std::size_t size = 1;
  for (const std::size_t length : shape) size *= length;
  auto data = std::make_unique_for_overwrite<T[]>(size);
  nanobind::capsule owner(data.get(), [](void* p) noexcept { delete[] static_cast<T*>(p); });
  return ArrayOut<T, kDimensions>(data.release(), kDimensions, shape, owner);
}

}  // namespace regretless
