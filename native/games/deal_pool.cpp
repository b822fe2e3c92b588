// SPDX-License-Identifier: MIT
#include "games/deal_pool.h"

namespace regretless {

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

std::shared_ptr<DealPool> make_deal_pool(const AnyGame& any, const DealPoolOptions& options) {
  return with_game(any, "a pool of deals needs hands that are dealt",
                   [&]<DealtGame G>(std::shared_ptr<const G> game) -> std::shared_ptr<DealPool> {
                     return std::make_shared<DealPoolOf<G>>(std::move(game), options);
                   });
}

// Not every compiler keeps a constructor that it could inline everywhere in this file.
template class DealPoolOf<Poker>;
template class DealPoolOf<LiarsDice>;

}  // namespace regretless
