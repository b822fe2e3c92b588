// SPDX-License-Identifier: MIT
#include "solve/explicit_cfr.h"

namespace regretless {

ExplicitCfr::ExplicitCfr(std::shared_ptr<const SequenceForm> form, const Discounts& discounts)
    : form_(std::move(form)), discounts_(discounts) {
  const auto size = static_cast<std::size_t>(form_->num_sequences());
  behaviours_.resize(size);
  plans_.resize(size);
  values_.resize(size);
  restore({0, std::vector<double>(size), std::vector<double>(size), std::vector<double>(discounts.predicts ? size : 0)});
}

void ExplicitCfr::step() {
  ++state_.iteration;
  update_ = CfrUpdate<double>::after(discounts_, state_.iteration - 1);
  for (Player player = 0; player < form_->num_players(); ++player) {
    update(player);
    if (discounts_.alternating) match_regrets(player);
  }
  if (discounts_.alternating) return;
  for (Player player = 0; player < form_->num_players(); ++player) match_regrets(player);
}

void ExplicitCfr::update(Player player) {
  form_->terminal_values(player, plans_.data(), values_.data());
  const auto infosets = form_->infosets(player);
  for (auto infoset = infosets.rbegin(); infoset != infosets.rend(); ++infoset) update_regrets(*infoset);
  const auto [begin, end] = form_->sequences(player);
  for (std::int32_t s = begin; s < end; ++s) state_.sums[s] = update_.sum(state_.sums[s], plans_[s]);
}

// The values of the infoset's sequences are complete: all infosets after them have been updated.
void ExplicitCfr::update_regrets(const SequenceForm::Infoset& infoset) {
  const std::int32_t begin = infoset.first, end = infoset.first + infoset.num_actions;
  double value = 0;
  for (std::int32_t s = begin; s < end; ++s) value += behaviours_[s] * values_[s];
  values_[infoset.parent] += value;
  for (std::int32_t s = begin; s < end; ++s) {
    state_.regrets[s] = update_.floored(update_.discounted(state_.regrets[s]) + values_[s] - value);
    if (discounts_.predicts) state_.predictions[s] = values_[s] - value;
  }
}

// The player's strategy for the next iteration, whose discount a prediction already counts.
void ExplicitCfr::match_regrets(Player player) {
  const auto [begin, end] = form_->sequences(player);
  const double discount = discounts_.positive(state_.iteration);
  for (std::int32_t s = begin; s < end; ++s)
    behaviours_[s] = discounts_.predicts ? predicted_weight(state_.regrets[s], discount, state_.predictions[s])
                                         : positive_part(state_.regrets[s]);
  form_->normalize(player, behaviours_.data(), behaviours_.data());
  form_->make_plan(player, behaviours_.data(), plans_.data());
}

std::vector<double> ExplicitCfr::average_behaviours() const {
  std::vector<double> behaviours(state_.sums.size());
  for (Player player = 0; player < form_->num_players(); ++player) form_->normalize(player, state_.sums.data(), behaviours.data());
  return behaviours;
}

void ExplicitCfr::restore(State state) {
  state_ = std::move(state);
  for (Player player = 0; player < form_->num_players(); ++player) match_regrets(player);
}

}  // namespace regretless
