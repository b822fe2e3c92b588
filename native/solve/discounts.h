// SPDX-License-Identifier: MIT
// The CFR family as data. After iteration t a positive regret is multiplied by t^alpha / (t^alpha + 1), a negative one by
// t^beta / (t^beta + 1); iteration t counts t^gamma in the average strategy. An exponent of infinity means no discount.
#pragma once
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>

namespace regretless {

inline constexpr double kNoDiscount = std::numeric_limits<double>::infinity();

struct Discounts {
  double alpha = kNoDiscount;
  double beta = kNoDiscount;
  double gamma = 0;
  bool clamps = false;    // regrets never fall below zero (regret matching+)
  bool predicts = false;  // the strategy also counts the last regret once more (predictive regret matching+)
  bool alternating = true;  // the second player answers the first one's new strategy

  void check() const {
    if (std::isnan(alpha) || std::isnan(beta) || !std::isfinite(gamma) || gamma < 0)
      throw std::invalid_argument("alpha and beta are numbers or infinity, gamma a number from 0");
  }

  // The factors of iteration t (from 1): for the regrets so far, and the average strategy so far.
  static double factor(int t, double exponent) {
    if (exponent == kNoDiscount) return 1;
    const double power = std::pow(t, exponent);
    return power / (power + 1);
  }
  double positive(int t) const { return t < 1 ? 1 : factor(t, alpha); }
  double negative(int t) const { return t < 1 ? 1 : factor(t, beta); }
  double average(int t) const { return t <= 1 ? 0 : std::pow(static_cast<double>(t - 1) / t, gamma); }
};

struct NamedDiscounts {
  std::string_view name;
  Discounts discounts;
};

inline constexpr std::array<NamedDiscounts, 6> kDiscounts{{
    {"cfr", {}},
    {"cfr+", {kNoDiscount, kNoDiscount, 1, true, false, true}},
    {"linear", {1, 1, 1, false, false, true}},
    {"dcfr", {1.5, 0, 2, false, false, true}},
    {"pcfr+", {kNoDiscount, kNoDiscount, 2, true, true, true}},
    {"pdcfr+", {2.3, kNoDiscount, 5, true, true, true}},
}};

inline const Discounts& named_discounts(std::string_view name) {
  for (const NamedDiscounts& row : kDiscounts)
    if (row.name == name) return row.discounts;
  throw std::invalid_argument("no algorithm '" + std::string(name) + "' in the CFR family");
}

}  // namespace regretless
