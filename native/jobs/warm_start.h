// SPDX-License-Identifier: MIT
// The strategies that the iterations of subgames begin with, asked for one level of decisions after the other: the ranges at a
// level follow from the strategies above it. Until all are there the probabilities stand in for the regrets.
#pragma once
#include "jobs/lent.h"
#include "jobs/public_states_of.h"
#include "jobs/ranges.h"
#include "jobs/subgame_template.h"

namespace regretless {

template <class G, class Tree>
class WarmStart {
 public:
  using Real = typename Tree::Real;
  using Template = SubgameTemplate<G, Tree>;

  explicit WarmStart(const PublicStates& states) : states_(states), hands_(states.num_hands()), slots_(states.num_slots()) {}

  // The templates of new subgames.
  void begin(std::vector<const Template*> shapes) {
    shapes_ = std::move(shapes);
    first_rows_.resize(shapes_.size());
    num_levels_ = 0;
    for (const Template* shape : shapes_) num_levels_ = std::max(num_levels_, shape->levels.size());
    level_ = 0;
    ask_level();
  }

  // Null when all is said.
  const RangeQuestions* ask() const { return level_ < num_levels_ ? &*questions_ : nullptr; }
  bool asks_about(std::size_t subgame) const { return level_ < shapes_[subgame]->levels.size(); }
  std::size_t num_answers() const { return static_cast<std::size_t>(questions_->rows) * slots_ * hands_; }

  // Writes the questions of one subgame, whose walk has gone down with the strategies above the level.
  void write_ranges(std::size_t subgame, const SubgameWalk<Tree>& walk) {
    const Template& shape = *shapes_[subgame];
    float* row = questions_->ranges.data() + first_rows_[subgame] * 2 * hands_;
    for (const std::int32_t n : shape.level(level_))
      for (Player p = 0; p < 2; ++p, row += hands_) {
        write_range<Tree::kWidth>(walk.reach(n, p), states_.possible_at(shape.outline[n].state), hands_, row);
        rename_hands(states_.twin_hands_at(shape.outline[n].state), hands_, row);
      }
  }

  // Reads the answers for one subgame, [rows, slots, hands].
  void read_strategies(std::size_t subgame, const float* probabilities, const SubgameTables<Real>& tables) const {
    const Template& shape = *shapes_[subgame];
    const float* rows = probabilities + first_rows_[subgame] * slots_ * hands_;
    for (const std::int32_t n : shape.level(level_)) {
      const VectorNode& node = shape.tree.nodes[n];
      const Hand* names = states_.twin_hands_at(shape.outline[n].state);
      for (int a = 0; a < node.num_children; ++a) {
        const float* row = rows + static_cast<std::size_t>(shape.slot(node, a)) * hands_;
        Real* out = regrets(shape.tree, node, a, tables);
        for (std::size_t h = 0; h < hands_; ++h)
          out[h] = std::max(Real{0}, static_cast<Real>(row[names ? static_cast<std::size_t>(names[h]) : h]));
      }
      rows += slots_ * hands_;
    }
  }

  // Once all subgames have read theirs.
  void next_level() {
    ++level_;
    ask_level();
  }

  // Sets, in one subgame whose walk has gone down with all the strategies, regrets that give them, as large as those of so many
  // iterations may be. They grow with the root of the iterations, with what is played for and with the chance that the opponent
  // comes there (after Brown and Sandholm 2016).
  void weigh(std::size_t subgame, const SubgameWalk<Tree>& walk, const SubgameTables<Real>& tables, double stake,
             int iterations) const {
    const Template& shape = *shapes_[subgame];
    const double size = stake * std::sqrt(static_cast<double>(iterations));
    for (std::size_t n = 0; n < shape.tree.nodes.size(); ++n) {
      const VectorNode& node = shape.tree.nodes[n];
      if (node.actor < 0) continue;
      const Real scale =
          static_cast<Real>(size) * sum_reach<Tree::kWidth>(walk.reach(static_cast<std::int32_t>(n), 1 - node.actor), hands_);
      for (int a = 0; a < node.num_children; ++a) {
        const Real* strategy = walk.strategy(node, a);
        Real* out = regrets(shape.tree, node, a, tables);
        for (int h = 0; h < shape.tree.width(node.actor); ++h) out[h] = scale * strategy[h];
      }
    }
  }

 private:
  static Real* regrets(const Tree& tree, const VectorNode& node, int action, const SubgameTables<Real>& tables) {
    return tables.regrets[node.actor] + node.offset + static_cast<std::ptrdiff_t>(action) * tree.width(node.actor);
  }

  void ask_level() {
    RangeQuestions& questions = questions_.renew();
    questions.states.clear();
    for (std::size_t s = 0; s < shapes_.size(); ++s) {
      first_rows_[s] = questions.states.size();
      for (const std::int32_t n : shapes_[s]->level(level_)) questions.states.push_back(states_.twin(shapes_[s]->outline[n].state));
    }
    questions.rows = static_cast<std::int64_t>(questions.states.size());
    questions.ranges.resize(questions.states.size() * 2 * hands_);
  }

  const PublicStates& states_;
  std::size_t hands_, slots_;
  std::vector<const Template*> shapes_;  // [subgames]
  std::vector<std::size_t> first_rows_;  // [subgames]: of their decisions on the level that is asked for
  std::size_t level_ = 0, num_levels_ = 0;
  Lent<RangeQuestions> questions_;
};

}  // namespace regretless
