// SPDX-License-Identifier: MIT
// Fictitious play in sequence form (Brown 1951; Heinrich, Lanctot and Silver 2015): each player answers the others' average
// plans with a best response, and the average moves towards the responses. One iteration updates every player once.
#pragma once
#include <memory>

#include "solve/sequence_form.h"
#include "threads/busy.h"

namespace regretless {

class FictitiousPlay {
 public:
  // With linear weights, response t counts t times; otherwise all count alike. When players alternate, each one answers
  // averages that hold the new responses of those before. Uniform play is answered first and does not count.
  FictitiousPlay(std::shared_ptr<const SequenceForm> form, bool is_linear, bool alternating);

  const SequenceForm& form() const { return *form_; }
  int iteration() const { return iteration_; }
  void step();

  std::vector<double> average_behaviours() const;                // [sequences]
  const std::vector<double>& average_plans() const { return plans_; }  // [sequences]
  void restore(int iteration, std::vector<double> average_plans);  // the empty sequences need not be filled in

  Busy& busy() const { return busy_; }

 private:
  void respond(Player player);
  void move_average(Player player);

  std::shared_ptr<const SequenceForm> form_;
  bool is_linear_, alternates_;
  int iteration_ = 0;
  std::vector<double> plans_, responses_, values_;  // [sequences]
  mutable Busy busy_{"FictitiousPlay"};
};

}  // namespace regretless
