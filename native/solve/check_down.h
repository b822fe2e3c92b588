// SPDX-License-Identifier: MIT
// What hands are worth if nobody bets any more: from a public state on every player checks, or calls what he faces, up to the
// showdown. Poker only; other games have nothing of the kind.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <vector>

#include "games/bet_menu.h"
#include "solve/vector_tree.h"

namespace regretless {

template <class G, class Tree>
class CheckDown {
 public:
  using Real = typename Tree::Real;

  explicit CheckDown(const G& game) : game_(game), ranges_(all_hands(game)) {
    const int hands = static_cast<int>(game.num_hands());
    strides_.fill((hands + Tree::kPadding - 1) / Tree::kPadding * Tree::kPadding);
    showdown_ = std::make_unique<typename Tree::Terminals>(game, ranges_, strides_);
  }

  // The caller numbers the states whose values he will ask for.
  void prepare(std::int32_t number, const typename G::State& state) {
    if (static_cast<std::size_t>(number) >= lines_.size()) lines_.resize(static_cast<std::size_t>(number) + 1);
    if (lines_[number].empty()) lines_[number] = lines(state);
  }

  // At a state: values [hands] of a player in chips against a range [hands] of the other, where hands that cannot meet count
  // nothing.
  void values(std::int32_t number, Player player, const float* range, float* out) const {
    const auto stride = static_cast<std::size_t>(strides_[0]);
    const std::size_t hands = ranges_[0].hands.size();
    thread_local HandVector<Real> memory;
    memory.assign(3 * stride, Real{0});
    Real *reach = memory.data(), *one = reach + stride, *sum = one + stride;
    std::copy_n(range, hands, reach);
    for (const Line& line : lines_[number]) {
      showdown_->values(line.terminal, player, reach, one);
      for (std::size_t h = 0; h < hands; ++h) sum[h] += static_cast<Real>(line.probability) * one[h];
    }
    for (std::size_t h = 0; h < hands; ++h) out[h] = static_cast<float>(sum[h]);
  }

 private:
  // One showdown for each way to deal the public cards to come.
  struct Line {
    TerminalNode terminal;
    double probability;  // of its cards, given two hands
  };
  using Lines = std::vector<Line>;

  Lines lines(const typename G::State& state) {
    Lines all;
    add_lines(state, 1, all);
    return all;
  }

  void add_lines(typename G::State state, double probability, Lines& all) {
    while (game_.actor(state) >= 0) {
      if ((game_.legal(state) >> kCallSlot & 1) == 0) throw std::invalid_argument("this game cannot be checked down");
      game_.act(state, kCallSlot);
    }
    if (game_.actor(state) == kTerminal) {
      const Ending ending = game_.ending(state);
      all.push_back({{ending.payoffs, showdown_->table(game_, state, ending, ranges_), ending.is_showdown}, probability});
      return;
    }
    for (std::uint32_t outcome = 0; outcome < game_.num_outcomes(state); ++outcome) {
      auto child = state;
      game_.reveal(child, outcome);
      add_lines(child, probability * game_.outcome_probability(state), all);
    }
  }

  const G& game_;
  std::array<RootRange, 2> ranges_;
  std::array<int, 2> strides_{};
  std::unique_ptr<typename Tree::Terminals> showdown_;
  std::vector<Lines> lines_;  // [states], empty where not prepared
};

}  // namespace regretless
