// SPDX-License-Identifier: MIT
// Buffers of rows. Types and names of columns are Python's (src/regretless/buffers.py); here a column is [rows, bytes].
#include "bindings.h"

#include "buffers/row_buffer.h"

namespace regretless {
namespace {

using Columns = std::vector<ArrayIn<std::uint8_t, 2>>;
using ColumnsOut = std::vector<nb::ndarray<std::uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>>;

template <class Arrays>
std::int64_t checked_count(const RowBuffer& self, const Arrays& columns) {
  if (columns.size() != self.column_bytes().size())
    throw std::invalid_argument("columns: expected " + std::to_string(self.column_bytes().size()));
  for (std::size_t i = 0; i < columns.size(); ++i)
    if (columns[i].shape(0) != columns[0].shape(0) || static_cast<std::int64_t>(columns[i].shape(1)) != self.column_bytes()[i])
      throw std::invalid_argument("columns: expected equally many rows, column " + std::to_string(i) + " of " +
                                  std::to_string(self.column_bytes()[i]) + " bytes each");
  return static_cast<std::int64_t>(columns[0].shape(0));
}

void add(RowBuffer& self, const Columns& columns) {
  const std::int64_t count = checked_count(self, columns);
  std::vector<const std::uint8_t*> data;
  for (const auto& column : columns) data.push_back(column.data());
  nb::gil_scoped_release release;
  self.add(data, count);
}

void sample(const RowBuffer& self, std::uint64_t seed, std::uint64_t step, const ColumnsOut& columns) {
  const std::int64_t count = checked_count(self, columns);
  std::vector<std::uint8_t*> data;
  for (const auto& column : columns) data.push_back(column.data());
  nb::gil_scoped_release release;
  self.sample(seed, step, count, data);
}

ArrayOut<std::int64_t, 1> changed(const RowBuffer& self, std::int64_t since) {
  const std::vector<std::int64_t> indices = without_gil([&] { return self.changed(since); });
  auto out = new_array<std::int64_t, 1>({indices.size()});
  std::copy(indices.begin(), indices.end(), out.data());
  return out;
}

ArrayOut<std::uint8_t, 2> get(const RowBuffer& self, ArrayIn<std::int64_t, 1> indices) {
  auto out = new_array<std::uint8_t, 2>({indices.shape(0), static_cast<std::size_t>(self.row_bytes())});
  nb::gil_scoped_release release;
  self.get(indices.data(), static_cast<std::int64_t>(indices.shape(0)), out.data());
  return out;
}

void put(RowBuffer& self, ArrayIn<std::int64_t, 1> indices, ArrayIn<std::uint8_t, 2> rows) {
  if (rows.shape(0) != indices.shape(0) || static_cast<std::int64_t>(rows.shape(1)) != self.row_bytes())
    throw std::invalid_argument("rows: expected shape [" + std::to_string(indices.shape(0)) + ", " +
                                std::to_string(self.row_bytes()) + "]");
  nb::gil_scoped_release release;
  self.put(indices.data(), static_cast<std::int64_t>(indices.shape(0)), rows.data());
}

}  // namespace

void bind_buffers(nb::module_& m) {
  nb::class_<RowBuffer>(m, "RowBuffer", "Rows of a fixed number of bytes, `capacity` of them at most.")
      .def_prop_ro("capacity", &RowBuffer::capacity)
      .def_prop_ro("size", &RowBuffer::size, "Rows in the buffer.")
      .def_prop_ro("num_added", &RowBuffer::num_added, "Rows ever added.")
      .def_prop_ro("row_bytes", &RowBuffer::row_bytes)
      .def_prop_ro("num_bytes", &RowBuffer::num_bytes, "Bytes of all rows when the buffer is full.")
      .def_prop_ro("is_mapped", &RowBuffer::is_mapped, "Whether the rows are on disk.")
      .def("add", &add, "columns"_a, nb::sig("def add(self, columns: Sequence[numpy.typing.NDArray[numpy.uint8]]) -> None"),
           "Equally many rows of every column, [rows, bytes] each.")
      .def("sample", &sample, "seed"_a, "step"_a, "columns"_a,
           nb::sig("def sample(self, seed: int, step: int, columns: Sequence[numpy.typing.NDArray[numpy.uint8]]) -> None"),
           "Fill [rows, bytes] of every column with rows drawn uniformly by seed and step.")
      .def("changed", &changed, "since"_a, nb::sig("def changed(self, since: int) -> numpy.typing.NDArray[numpy.int64]"),
           "Indices, ascending, whose rows may be others than when `since` rows had been added.")
      .def("get", &get, "indices"_a,
           nb::sig("def get(self, indices: numpy.typing.NDArray[numpy.int64]) -> numpy.typing.NDArray[numpy.uint8]"),
           "The rows at some indices, [indices, row_bytes].")
      .def("put", &put, "indices"_a, "rows"_a,
           nb::sig("def put(self, indices: numpy.typing.NDArray[numpy.int64], rows: numpy.typing.NDArray[numpy.uint8]) -> None"),
           "Write rows as `get` gave them.")
      .def("resume", &RowBuffer::resume, "num_added"_a, nb::call_guard<nb::gil_scoped_release>(),
           "Go on as if so many rows had been added, after their bytes were put in place.");
  nb::class_<Ring, RowBuffer>(m, "Ring", "Keeps the newest rows.")
      .def(
          "__init__",
          [](Ring* self, std::vector<std::int64_t> column_bytes, std::int64_t capacity, std::string directory,
             std::int64_t max_bytes, int threads) {
            new (self) Ring(RowBufferOptions{std::move(column_bytes), capacity, std::move(directory), max_bytes, threads});
          },
          "column_bytes"_a, "capacity"_a, "directory"_a, "max_bytes"_a, "threads"_a);
  nb::class_<Reservoir, RowBuffer>(m, "Reservoir", "Keeps a uniform sample of all rows ever added.")
      .def(
          "__init__",
          [](Reservoir* self, std::vector<std::int64_t> column_bytes, std::int64_t capacity, std::uint64_t seed,
             std::string directory, std::int64_t max_bytes, int threads) {
            new (self)
                Reservoir(RowBufferOptions{std::move(column_bytes), capacity, std::move(directory), max_bytes, threads}, seed);
          },
          "column_bytes"_a, "capacity"_a, "seed"_a, "directory"_a, "max_bytes"_a, "threads"_a);
}

}  // namespace regretless
