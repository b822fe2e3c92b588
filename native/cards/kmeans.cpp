// SPDX-License-Identifier: MIT
#include "cards/kmeans.h"

#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

#include "cards/chunks.h"
#include "cards/random.h"
#include "cards/registers.h"

namespace regretless {
namespace {

typedef float Floats __attribute__((vector_size(kRegisterBytes)));
typedef std::int32_t Ints __attribute__((vector_size(kRegisterBytes)));
constexpr std::size_t kLanes = kRegisterBytes / sizeof(float);
constexpr std::size_t kUnrolled = 4;                // registers at a time
constexpr std::size_t kStride = kLanes * kUnrolled;  // centroids at a time
constexpr std::int64_t kPointsPerChunk = 1024;
constexpr std::uint64_t kCentroidStream = 1;

Floats load(const float* from) {
  Floats floats;
  std::memcpy(&floats, from, sizeof floats);
  return floats;
}

float squared_distance(const float* a, const float* b, int width) {
  float sum = 0;
  for (int i = 0; i < width; ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum;
}

// Calls work(first, last) for pieces of the points.
template <class Work>
void for_each_piece(std::size_t points, int threads, const Work& work) {
  const auto count = static_cast<std::int64_t>(points);
  for_each_chunk((count + kPointsPerChunk - 1) / kPointsPerChunk, threads, [&](std::int64_t chunk) {
    const std::int64_t first = chunk * kPointsPerChunk;
    work(static_cast<std::size_t>(first), static_cast<std::size_t>(std::min(count, first + kPointsPerChunk)));
  });
}

}  // namespace

NearestCentroid::NearestCentroid(const Points& centroids)
    : width_(centroids.width), padded_((centroids.size() + kStride - 1) / kStride * kStride) {
  if (centroids.size() == 0 || centroids.size() > kMostClusters) throw std::invalid_argument("there must be 1 to 65,536 centroids");
  // The padding of the last registers is farther away than any point.
  columns_.assign(static_cast<std::size_t>(width_) * padded_, 1e18f);
  for (std::size_t c = 0; c < centroids.size(); ++c)
    for (int i = 0; i < width_; ++i) columns_[static_cast<std::size_t>(i) * padded_ + c] = centroids.at(c)[i];
}

NearestCentroid::Found NearestCentroid::find(const float* point) const {
  Floats least = Floats{} + std::numeric_limits<float>::infinity();
  Ints where{};
  for (std::size_t first = 0; first < padded_; first += kStride) {
    Floats sums[kUnrolled] = {};
    const float* column = columns_.data() + first;
    for (int i = 0; i < width_; ++i, column += padded_)
      for (std::size_t r = 0; r < kUnrolled; ++r) {
        const Floats apart = load(column + r * kLanes) - point[i];
        sums[r] += apart * apart;
      }
    for (std::size_t r = 0; r < kUnrolled; ++r) {
      const Ints is_less = sums[r] < least;
      least = is_less ? sums[r] : least;
      where = is_less ? Ints{} + static_cast<std::int32_t>(first + r * kLanes) : where;
    }
  }
  Found found{0, std::numeric_limits<float>::infinity()};
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    const auto cluster = static_cast<Cluster>(static_cast<std::size_t>(where[lane]) + lane);
    if (least[lane] < found.distance || (least[lane] == found.distance && cluster < found.cluster)) found = {cluster, least[lane]};
  }
  return found;
}

void NearestCentroid::find_all(std::span<const float> points, int threads, Cluster* out) const {
  check_chunks(0, threads);
  if (points.size() % static_cast<std::size_t>(width_) != 0)
    throw std::invalid_argument("points: of another width than the centroids");
  for_each_piece(points.size() / static_cast<std::size_t>(width_), threads, [&](std::size_t first, std::size_t last) {
    for (std::size_t p = first; p < last; ++p) out[p] = find(points.data() + p * static_cast<std::size_t>(width_)).cluster;
  });
}

KMeans::KMeans(Points points, std::vector<double> weights, int clusters, std::uint64_t seed, int threads)
    : points_(std::move(points)), weights_(std::move(weights)), threads_(threads) {
  check_chunks(0, threads);
  if (points_.width < 1 || points_.width > 1024) throw std::invalid_argument("points: must have 1 to 1,024 numbers each");
  if (points_.size() == 0 || points_.size() != weights_.size())
    throw std::invalid_argument("there must be a weight for each point");
  if (clusters < 1 || clusters > kMostClusters) throw std::invalid_argument("clusters: must be 1 to 65,536");
  if (!std::ranges::all_of(points_.numbers, [](float x) { return std::abs(x) <= 1e6f; }))
    throw std::invalid_argument("points: must be finite, and within a million");
  if (!std::ranges::all_of(weights_, [](double w) { return w > 0 && w <= 1e15; }))
    throw std::invalid_argument("weights: must be positive");
  choose_first(clusters, seed);
  assign();
}

// Each next one is a point drawn in proportion to its weight and its squared distance from those chosen so far.
void KMeans::choose_first(int clusters, std::uint64_t seed) {
  Random random{seed, kCentroidStream};
  centroids_.width = points_.width;
  distances_.assign(points_.size(), 1);
  while (centroids_.size() < static_cast<std::size_t>(clusters)) {
    double total = 0;
    for (std::size_t p = 0; p < points_.size(); ++p) total += weights_[p] * distances_[p];
    if (!(total > 0)) return;  // every point is a centroid
    double left = static_cast<double>(random.bits() >> 11) * 0x1.0p-53 * total;
    std::size_t drawn = points_.size();
    for (std::size_t p = 0; p < points_.size(); ++p) {
      if (distances_[p] <= 0) continue;
      drawn = p;
      if ((left -= weights_[p] * distances_[p]) < 0) break;
    }
    const bool is_first = centroids_.numbers.empty();
    centroids_.numbers.insert(centroids_.numbers.end(), points_.at(drawn), points_.at(drawn) + points_.width);
    const float* chosen = centroids_.at(centroids_.size() - 1);
    for_each_piece(points_.size(), threads_, [&](std::size_t first, std::size_t last) {
      for (std::size_t p = first; p < last; ++p) {
        const float distance = squared_distance(points_.at(p), chosen, points_.width);
        distances_[p] = is_first ? distance : std::min(distances_[p], distance);
      }
    });
  }
}

void KMeans::assign() {
  clusters_.resize(points_.size());
  const NearestCentroid nearest(centroids_);
  for_each_piece(points_.size(), threads_, [&](std::size_t first, std::size_t last) {
    for (std::size_t p = first; p < last; ++p) {
      const auto [cluster, distance] = nearest.find(points_.at(p));
      clusters_[p] = cluster;
      distances_[p] = distance;
    }
  });
}

bool KMeans::step() {
  const auto width = static_cast<std::size_t>(points_.width);
  std::vector<double> sums(centroids_.numbers.size()), masses(centroids_.size());
  for (std::size_t p = 0; p < points_.size(); ++p) {
    masses[clusters_[p]] += weights_[p];
    for (std::size_t i = 0; i < width; ++i) sums[clusters_[p] * width + i] += weights_[p] * static_cast<double>(points_.at(p)[i]);
  }
  for (std::size_t c = 0; c < masses.size(); ++c) {
    float* centroid = centroids_.numbers.data() + c * width;
    if (masses[c] > 0) {
      for (std::size_t i = 0; i < width; ++i) centroid[i] = static_cast<float>(sums[c * width + i] / masses[c]);
      continue;
    }
    const auto farthest = std::ranges::max_element(distances_);
    std::copy_n(points_.at(static_cast<std::size_t>(farthest - distances_.begin())), width, centroid);
    *farthest = 0;
  }
  const std::vector<Cluster> before = clusters_;
  assign();
  return clusters_ != before;
}

double KMeans::error() const {
  double sum = 0;
  for (std::size_t p = 0; p < points_.size(); ++p) sum += weights_[p] * static_cast<double>(distances_[p]);
  return sum / std::accumulate(weights_.begin(), weights_.end(), 0.0);
}

}  // namespace regretless
