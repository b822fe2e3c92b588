// SPDX-License-Identifier: MIT
#include "jobs/style_counts.h"

#include <stdexcept>
#include <string>

namespace regretless {
namespace {

void check(const StyleSteps& steps) {
  const std::size_t size = steps.actors.size();
  if (steps.num_players < 1 || steps.num_players > kMaxPlayers || steps.num_streets < 1 || steps.offsets.empty() ||
      steps.payoffs.size() != (steps.offsets.size() - 1) * steps.num_players || steps.slots.size() != size ||
      steps.streets.size() != size || steps.can_fold.size() != size)
    throw std::invalid_argument("styles: the columns of the steps do not fit together");
  for (std::size_t e = 0; e < steps.offsets.size(); ++e)
    if (steps.offsets[e] < (e > 0 ? steps.offsets[e - 1] : 0) || steps.offsets[e] > static_cast<std::int64_t>(size))
      throw std::invalid_argument("styles: offsets must ascend within the steps");
  for (const std::uint8_t actor : steps.actors)
    if (actor >= steps.num_players) throw std::invalid_argument("styles: there is no seat " + std::to_string(actor));
}

}  // namespace

StyleTally count_styles(const StyleSteps& steps) {
  check(steps);
  StyleTally tally(static_cast<int>(steps.num_players), steps.num_streets);
  for (std::size_t e = 0; e + 1 < steps.offsets.size(); ++e) {
    const auto episode = static_cast<std::int64_t>(e);
    for (auto i = static_cast<std::size_t>(steps.offsets[e]); i < static_cast<std::size_t>(steps.offsets[e + 1]); ++i)
      tally.note(episode, steps.actors[i], steps.slots[i], steps.streets[i], steps.can_fold[i] != 0);
    tally.end(episode, steps.payoffs.data() + e * steps.num_players);
  }
  return tally;
}

}  // namespace regretless
