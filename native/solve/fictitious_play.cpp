// SPDX-License-Identifier: MIT
#include "solve/fictitious_play.h"

namespace regretless {

FictitiousPlay::FictitiousPlay(std::shared_ptr<const SequenceForm> form, bool is_linear, bool alternating)
    : form_(std::move(form)), is_linear_(is_linear), alternates_(alternating) {
  const auto size = static_cast<std::size_t>(form_->num_sequences());
  plans_.resize(size);
  responses_.resize(size);
  values_.resize(size);
  for (Player player = 0; player < form_->num_players(); ++player) {
    form_->normalize(player, values_.data(), responses_.data());
    form_->make_plan(player, responses_.data(), plans_.data());
  }
}

void FictitiousPlay::step() {
  ++iteration_;
  for (Player player = 0; player < form_->num_players(); ++player) {
    respond(player);
    if (alternates_) move_average(player);
  }
  if (alternates_) return;
  for (Player player = 0; player < form_->num_players(); ++player) move_average(player);
}

void FictitiousPlay::respond(Player player) {
  form_->terminal_values(player, plans_.data(), values_.data());
  form_->best_respond(player, values_.data(), responses_.data());
  form_->make_plan(player, responses_.data(), responses_.data());
}

void FictitiousPlay::move_average(Player player) {
  const double share = is_linear_ ? 2.0 / (iteration_ + 1.0) : 1.0 / iteration_;
  const auto [begin, end] = form_->sequences(player);
  for (std::int32_t s = begin; s < end; ++s) plans_[s] += (responses_[s] - plans_[s]) * share;
}

std::vector<double> FictitiousPlay::average_behaviours() const {
  std::vector<double> behaviours(plans_.size());
  for (Player player = 0; player < form_->num_players(); ++player) form_->normalize(player, plans_.data(), behaviours.data());
  return behaviours;
}

void FictitiousPlay::restore(int iteration, std::vector<double> average_plans) {
  iteration_ = iteration;
  plans_ = std::move(average_plans);
  for (Player player = 0; player < form_->num_players(); ++player) plans_[form_->sequences(player).begin] = 1;
}

}  // namespace regretless
