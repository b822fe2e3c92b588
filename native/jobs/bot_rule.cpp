// SPDX-License-Identifier: MIT
#include "jobs/bot_rule.h"

namespace regretless {

std::vector<float> bot_answers(const BotRule& rule, const Questions& questions) {
  const bool looks = rule.looks();
  if (looks && questions.hand_strengths.empty() && questions.batch > 0)
    throw std::logic_error("these questions came without hand strengths: make the job with chips=True");
  std::vector<float> answers(questions.legal.size());
  for (std::size_t row = 0; row < static_cast<std::size_t>(questions.batch); ++row) {
    const std::size_t first = row * questions.num_actions;
    const ActionMask legal = legal_mask(questions.legal.data() + first, questions.num_actions);
    const float strength = looks ? questions.hand_strengths[row] : 0;
    const Chips to_call = looks ? questions.to_calls[row] : 0, pot = looks ? questions.pots[row] : 0;
    const int slot = rule.slot(legal, static_cast<int>(questions.num_actions), strength, to_call, pot);
    answers[first + static_cast<std::size_t>(slot)] = 1;
  }
  return answers;
}

}  // namespace regretless
