// SPDX-License-Identifier: MIT
// Whole deals, drawn once and played many times. Deal i is dealt for seat i % players; of the deals of a seat at least so many are
// of every class of hands, where that many draws may be thrown away. A deal that was kept is as likely as any other of its class,
// so expectations over the pool, deals weighed by how likely their class is in the game and how often it is here, are those of the
// game.
#pragma once
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "games/hand_classes.h"

namespace regretless {

struct DealPoolOptions {
  std::int64_t count = 0;           // of deals
  std::int64_t min_per_class = 0;   // for each seat; 0: deals as they come
  std::int64_t max_rejections = 0;  // draws in all that may be thrown away; then deals are kept as they come
  std::uint64_t seed = 0;
};

// What can be said of a pool without its game.
class DealPool {
 public:
  virtual ~DealPool() = default;
  std::size_t size() const { return weights_.size(); }
  int num_players() const { return num_players_; }
  std::int32_t num_classes() const { return static_cast<std::int32_t>(counts_.size() / static_cast<std::size_t>(num_players_)); }
  Player seat(std::size_t i) const { return static_cast<Player>(i % static_cast<std::size_t>(num_players_)); }
  float weight(std::size_t i) const { return weights_[i]; }  // 1 in the mean over the deals of a seat
  const std::vector<float>& weights() const { return weights_; }
  const std::vector<std::int64_t>& counts() const { return counts_; }  // [players, classes]: deals for a seat by class of its hand
  std::int64_t num_lacking() const { return num_lacking_; }  // seats and classes that have fewer than they should
  std::int64_t num_rejections() const { return num_rejections_; }
  virtual std::vector<Hand> hands() const = 0;  // [size, players]

 protected:
  int num_players_ = 1;
  std::vector<float> weights_;  // [size]
  std::vector<std::int64_t> counts_;
  std::int64_t num_lacking_ = 0, num_rejections_ = 0;
};

template <Game G>
class DealPoolOf final : public DealPool {
 public:
  using Deal = typename G::Deal;

  // Throws std::invalid_argument if the options make no sense, or so many deals cannot hold so many of every class.
  DealPoolOf(std::shared_ptr<const G> game, const DealPoolOptions& options);

  const G& game() const { return *game_; }
  const Deal& deal(std::size_t i) const { return deals_[i]; }

  // The number of a deal: any of them, or of those for a seat.
  std::size_t draw(Random& random) const { return random.below(static_cast<std::uint32_t>(size())); }
  std::size_t draw(Random& random, Player seat) const {
    const std::size_t n = static_cast<std::size_t>(num_players_), first = static_cast<std::size_t>(seat);
    return first + n * random.below(static_cast<std::uint32_t>((size() + n - 1 - first) / n));
  }

  std::vector<Hand> hands() const override {
    std::vector<Hand> hands;
    for (const Deal& deal : deals_)
      for (Player p = 0; p < num_players_; ++p) hands.push_back(game_->hand(deal, p));
    return hands;
  }

 private:
  struct Seat {
    std::vector<double> probabilities;  // [classes]
    std::int64_t slots = 0;  // deals that are still to be drawn for it
    std::int64_t needs = 0;  // of these, deals of classes that lack some
  };
  void fill(const DealPoolOptions& options, const HandClasses& classes, std::vector<Seat>& seats);
  void weigh(const DealPoolOptions& options, const std::vector<Seat>& seats);

  std::shared_ptr<const G> game_;
  std::vector<Deal> deals_;
  std::vector<std::int32_t> classes_;  // [size]: of the hand of the deal's seat
};

template <Game G>
DealPoolOf<G>::DealPoolOf(std::shared_ptr<const G> game, const DealPoolOptions& options) : game_(std::move(game)) {
  constexpr std::int64_t kMost = 10'000'000;
  const auto check = [](bool is_right, const std::string& problem) {
    if (!is_right) throw std::invalid_argument(problem);
  };
  check(options.count >= game_->num_players() && options.count <= kMost, "count: must be one for each seat to 10,000,000");
  check(options.min_per_class >= 0 && options.min_per_class <= kMost, "min_per_class: must be 0 to 10,000,000");
  check(options.max_rejections >= 0, "max_rejections: must not be negative");
  const HandClasses classes = hand_classes(*game_);
  num_players_ = game_->num_players();
  std::vector<Seat> seats(static_cast<std::size_t>(num_players_));
  for (Player p = 0; p < num_players_; ++p) {
    Seat& seat = seats[static_cast<std::size_t>(p)];
    seat.probabilities = class_probabilities(*game_, classes, p);
    seat.slots = (options.count + num_players_ - 1 - p) / num_players_;
    for (const double probability : seat.probabilities) seat.needs += probability > 0 ? options.min_per_class : 0;
    check(seat.slots >= seat.needs, "count: must be at least " + std::to_string(seat.needs * num_players_) + " to hold " +
                                        std::to_string(options.min_per_class) + " deals of each class of hands for each of " +
                                        std::to_string(num_players_) + " seats");
  }
  counts_.resize(seats.size() * static_cast<std::size_t>(classes.count));
  fill(options, classes, seats);
  weigh(options, seats);
}

template <Game G>
void DealPoolOf<G>::fill(const DealPoolOptions& options, const HandClasses& classes, std::vector<Seat>& seats) {
  constexpr std::uint64_t kStream = 0x706f6f6c;  // no job draws the same deals by the same seed
  for (std::uint64_t draws = 0; static_cast<std::int64_t>(deals_.size()) < options.count; ++draws) {
    const Player p = seat(deals_.size());
    Seat& wanted = seats[static_cast<std::size_t>(p)];
    Random random{options.seed, kStream, draws};
    const Deal deal = game_->deal(random);
    const std::int32_t its_class = classes.of_hand[static_cast<std::size_t>(game_->hand(deal, p))];
    std::int64_t& count =
        counts_[static_cast<std::size_t>(p) * static_cast<std::size_t>(classes.count) + static_cast<std::size_t>(its_class)];
    const bool is_lacked = count < options.min_per_class;
    if (!is_lacked && wanted.slots <= wanted.needs && num_rejections_ < options.max_rejections) {
      ++num_rejections_;
      continue;
    }
    deals_.push_back(deal);
    classes_.push_back(its_class);
    ++count;
    --wanted.slots;
    wanted.needs -= is_lacked;
  }
}

// A class that has what it should weighs what it is worth in the game. Those that lack some are weighed together: which of them
// were drawn was up to chance.
template <Game G>
void DealPoolOf<G>::weigh(const DealPoolOptions& options, const std::vector<Seat>& seats) {
  const std::size_t num_classes = static_cast<std::size_t>(this->num_classes());
  const auto has_its_share = [&](std::int64_t count) { return options.min_per_class > 0 && count >= options.min_per_class; };
  std::vector<float> factors(counts_.size());
  for (std::size_t p = 0; p < seats.size(); ++p) {
    const std::int64_t* counts = counts_.data() + p * num_classes;
    double lacking = 0;  // probability of the classes that lack some
    std::int64_t total = 0, of_lacking = 0;
    for (std::size_t c = 0; c < num_classes; ++c) {
      total += counts[c];
      if (has_its_share(counts[c])) continue;
      lacking += seats[p].probabilities[c];
      of_lacking += counts[c];
      num_lacking_ += options.min_per_class > 0 && seats[p].probabilities[c] > 0;
    }
    const double covered = of_lacking > 0 ? 1 : 1 - lacking;
    for (std::size_t c = 0; c < num_classes; ++c) {
      const bool alone = has_its_share(counts[c]);
      const double probability = alone ? seats[p].probabilities[c] : lacking;
      const double share = static_cast<double>(alone ? counts[c] : of_lacking) / static_cast<double>(total);
      factors[p * num_classes + c] = counts[c] > 0 ? static_cast<float>(probability / covered / share) : 0.f;
    }
  }
  for (std::size_t i = 0; i < deals_.size(); ++i)
    weights_.push_back(factors[static_cast<std::size_t>(seat(i)) * num_classes + static_cast<std::size_t>(classes_[i])]);
}

}  // namespace regretless
