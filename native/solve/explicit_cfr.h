// SPDX-License-Identifier: MIT
// Counterfactual regret minimisation over a game written out in full, for any number of players (Zinkevich et al. 2007; the
// variants as in discounts.h). One iteration updates every player once; nobody's strategy changes while values are computed.
#pragma once
#include <memory>

#include "solve/cfr_update.h"
#include "solve/sequence_form.h"
#include "threads/busy.h"

namespace regretless {

class ExplicitCfr {
 public:
  // Everything needed to go on later; arrays are [sequences].
  struct State {
    int iteration = 0;
    std::vector<double> regrets;
    std::vector<double> sums;         // of plans, weighted: the average strategy once normalised
    std::vector<double> predictions;  // the last regret of every action; empty unless the variant predicts
  };

  ExplicitCfr(std::shared_ptr<const SequenceForm> form, const Discounts& discounts);

  const SequenceForm& form() const { return *form_; }
  int iteration() const { return state_.iteration; }
  void step();

  std::vector<double> average_behaviours() const;  // [sequences]
  const State& state() const { return state_; }
  void restore(State state);  // arrays of the sizes that state() has

  Busy& busy() const { return busy_; }

 private:
  void update(Player player);
  void update_regrets(const SequenceForm::Infoset& infoset);
  void match_regrets(Player player);

  std::shared_ptr<const SequenceForm> form_;
  Discounts discounts_;
  State state_;
  std::vector<double> behaviours_, plans_, values_;  // [sequences]
  CfrUpdate<double> update_;
  mutable Busy busy_{"ExplicitCfr"};
};

}  // namespace regretless
