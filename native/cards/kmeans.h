// SPDX-License-Identifier: MIT
// Clusters of weighted points by Lloyd's iterations from k-means++ (Arthur and Vassilvitskii, 2007). The same seed gives the same
// clusters whatever the number of threads.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "threads/busy.h"

namespace regretless {

using Cluster = std::uint16_t;
inline constexpr int kMostClusters = 1 << 16;

// Points in a space of so many dimensions, one after the other.
struct Points {
  int width = 1;
  std::vector<float> numbers;  // [points, width]

  std::size_t size() const { return numbers.size() / static_cast<std::size_t>(width); }
  const float* at(std::size_t point) const { return numbers.data() + point * static_cast<std::size_t>(width); }
};

// Finds the centroid that is nearest to a point, of equally near ones the first.
class NearestCentroid {
 public:
  explicit NearestCentroid(const Points& centroids);

  struct Found {
    Cluster cluster;
    float distance;  // squared
  };
  Found find(const float* point) const;
  // The centroid of every point; out is [points].
  void find_all(std::span<const float> points, int threads, Cluster* out) const;

 private:
  int width_;
  std::size_t padded_;           // centroids, up to whole registers
  std::vector<float> columns_;  // [width, padded]
};

class KMeans {
 public:
  // Chooses the first centroids: fewer than asked for if there are fewer different points. Throws std::invalid_argument.
  KMeans(Points points, std::vector<double> weights, int clusters, std::uint64_t seed, int threads);

  // Moves every centroid to the mean of its points; whether any point went to another centroid then. A centroid that has
  // no points goes to the one that is farthest from its own.
  bool step();
  const Points& centroids() const { return centroids_; }
  double error() const;  // mean squared distance of a point from its centroid

  Busy& busy() const { return busy_; }

 private:
  void choose_first(int clusters, std::uint64_t seed);
  void assign();

  Points points_;
  std::vector<double> weights_;
  int threads_;
  Points centroids_;
  std::vector<Cluster> clusters_;  // [points]
  std::vector<float> distances_;   // [points], squared
  mutable Busy busy_{"KMeans"};
};

}  // namespace regretless
