// SPDX-License-Identifier: MIT
// The solver of subgames of one game over one kind of tree: iterations of all subgames in lockstep, on all threads.
#pragma once
#include <numeric>

#include "cards/random.h"
#include "jobs/answers.h"
#include "jobs/lent.h"
#include "jobs/ranges.h"
#include "jobs/subgame_stops.h"
#include "jobs/warm_start.h"
#include "solve/subgame_gadget.h"
#include "threads/lookout.h"

namespace regretless {

template <class G, class Tree>
class SubgamesOf final : public Subgames {
 public:
  using Real = typename Tree::Real;
  using Template = SubgameTemplate<G, Tree>;

  SubgamesOf(const std::shared_ptr<PublicStatesOf<G>>& states, const SubgameOptions& options)
      : Subgames(states),
        catalogue_(*states),
        options_(options),
        hands_(states->num_hands()),
        pool_(options.threads),
        templates_(catalogue_, options_),
        warm_start_(catalogue_),
        stops_(catalogue_) {
    for (int t = 0; t < pool_.size(); ++t) walks_.emplace_back(options.discounts);
    for (int done = 0; done <= options.iterations; ++done)
      factors_.push_back(CfrUpdate<Real>::after(options.discounts, done + options.warm_start));
    for (int done = kSettled; done < options.iterations; ++done) {
      rest_factor_ *= factors_[done].average;
      rest_weight_ = rest_weight_ * factors_[done].average + 1;
    }
    done_ = options.iterations;  // nothing is to be solved yet
  }

  int iterations() const override { return options_.iterations; }

  const std::vector<SubgameNode>& nodes(std::int32_t state) override { return templates_.at(state).outline; }
  bool has_leaves(std::int32_t state) override { return templates_.at(state).has_leaves(); }
  std::int64_t subgame_bytes(std::int32_t state) override {
    return templates_.at(state).subgame_bytes(options_, false) + templates_.at(state).stop_bytes(true);
  }

  void begin(const SubgameBatch& batch) override {
    check(batch);
    templates_.check_memory(batch);  // before anything changes
    ++num_begun_;
    try {
      place(batch);
      set_up_ranges(batch);
      stops_.begin(batch);
      done_ = 0;
      player_ = 0;
      if (options_.warm_start == 0) return start();
      std::vector<const Template*> shapes;
      for (const Subgame& subgame : subgames_) shapes.push_back(subgame.shape);
      warm_start_.begin(std::move(shapes));
      ask_level();
    } catch (...) {  // somebody asked to stop
      place({});
      stops_.begin({});
      warm_start_.begin({});
      ranges_.clear();
      done_ = options_.iterations;
      throw;
    }
  }

  const RangeQuestions* ask_strategies() const override { return warm_start_.ask(); }

  void answer_strategies(const float* probabilities) override {
    if (!ask_strategies()) throw std::logic_error("no strategies were asked for");
    if (!all_finite(probabilities, warm_start_.num_answers(), pool_)) throw std::invalid_argument("probabilities: must be finite");
    each_subgame(all_, [&](SubgameWalk<Tree>&, Subgame& subgame) {
      warm_start_.read_strategies(subgame.number, probabilities, tables(subgame));
    });
    warm_start_.next_level();
    ask_level();
  }

  const RangeQuestions* ask() const override { return is_over() || ask_strategies() ? nullptr : &*questions_; }

  void answer(const float* values) override {
    if (!ask()) throw std::logic_error("nothing was asked");
    if (!all_finite(values, questions_->ranges.size(), pool_)) throw std::invalid_argument("values: must be finite");
    const bool both = !options_.discounts.alternating;
    const bool ends_iteration = both || player_ == 1;
    const Player player = player_;
    const int done = done_;
    player_ = both || player == 1 ? 0 : 1;
    done_ += ends_iteration ? 1 : 0;
    if (!is_over()) renew_questions();
    each_subgame(asking_, [&](SubgameWalk<Tree>& walk, Subgame& subgame) {
      const float* rows = values + static_cast<std::size_t>(subgame.first_row) * 2 * hands_;
      // The strategies are those that the questions were asked at.
      descend(walk, subgame, tables(subgame), done, player);
      if (both) {
        update(walk, subgame, 0, done, rows);
        update(walk, subgame, 1, done, rows);
      } else {
        update(walk, subgame, player, done, rows);
      }
      if (!is_over()) look_down(walk, subgame);
    });
    if (is_over()) finish();
  }

  const std::vector<double>& ranges() const override { return ranges_; }
  const std::vector<double>& root_values() const override {
    require_over();
    return values_;
  }

  std::vector<double> node_values(std::int64_t number) override {
    const Subgame& subgame = averaged(number);
    if (node_sums_.empty()) throw std::invalid_argument("no values of inner nodes were kept");
    const std::size_t num_nodes = subgame.shape->tree.nodes.size();
    std::vector<double> values(num_nodes * 2 * hands_);
    for (std::size_t n = 0; n < num_nodes; ++n)
      for (Player p = 0; p < 2; ++p) {
        const Real* sums = node_sums_.data() + node_sums_at(subgame, p, n);
        const auto mass = static_cast<double>(sums[hands_]);
        for (std::size_t h = 0; h < hands_ && mass > kLeastMass; ++h)
          values[(2 * n + static_cast<std::size_t>(p)) * hands_ + h] = static_cast<double>(sums[h]) / mass;
      }
    return values;
  }

  std::vector<double> average_ranges(std::int64_t number) override {
    const Subgame& subgame = averaged(number);
    descend_average(walks_[0], subgame, tables(subgame));
    const std::vector<SubgameNode>& nodes = subgame.shape->outline;
    std::vector<double> ranges(nodes.size() * 2 * hands_);
    for (std::size_t n = 0; n < nodes.size(); ++n)
      for (Player p = 0; nodes[n].state >= 0 && p < 2; ++p)
        normalize_range(walks_[0].reach(static_cast<std::int32_t>(n), p), possible_at(nodes[n].state), hands_,
                        ranges.data() + (2 * n + static_cast<std::size_t>(p)) * hands_);
    return ranges;
  }

  const std::vector<std::int32_t>& next_states() const override {
    require_over();
    return stops_.next_states();
  }
  const std::vector<double>& next_ranges() const override {
    require_over();
    return stops_.next_ranges();
  }

  std::vector<double> stop_strategies(std::int64_t stop) const override {
    require_over();
    if (stop < 0 || static_cast<std::size_t>(stop) >= stops_.strategies().size())
      throw std::invalid_argument("no strategies of stop " + std::to_string(stop) + " were kept");
    return stops_.strategies()[stop];
  }

  std::vector<double> average_strategies(std::int64_t number) override {
    const Subgame& subgame = averaged(number);
    descend_average(walks_[0], subgame, tables(subgame));
    return subgame.shape->read_strategies(walks_[0]);
  }

  RangeExamples value_examples() override {
    require_over();
    RangeExamples examples;
    examples.states.resize(subgames_.size());
    examples.ranges.assign(ranges_.begin(), ranges_.end());
    examples.found.resize(values_.size());
    each_subgame(all_, [&](SubgameWalk<Tree>&, Subgame& subgame) {
      examples.states[subgame.number] = catalogue_.twin(subgame.state);
      const double stake = catalogue_.stakes()[subgame.state];
      for (std::size_t row = 2 * subgame.number; row < 2 * subgame.number + 2; ++row) {
        float* ranges = examples.ranges.data() + row * hands_;
        float* values = examples.found.data() + row * hands_;
        for (std::size_t h = 0; h < hands_; ++h) values[h] = static_cast<float>(values_[row * hands_ + h] / stake);
        rename_hands(catalogue_.twin_hands_at(subgame.state), hands_, ranges);
        rename_hands(catalogue_.twin_hands_at(subgame.state), hands_, values);
      }
    });
    return examples;
  }

  RangeExamples strategy_examples(std::uint64_t seed) override {
    require_over();
    if (!options_.keeps_average) throw std::invalid_argument("no averages were kept");
    RangeExamples examples;
    const std::size_t size = static_cast<std::size_t>(num_slots()) * hands_;
    examples.states.resize(subgames_.size());
    examples.ranges.resize(subgames_.size() * 2 * hands_);
    examples.found.resize(subgames_.size() * size);
    each_subgame(all_, [&](SubgameWalk<Tree>& walk, Subgame& subgame) {
      const std::size_t s = subgame.number;
      const Template& shape = *subgame.shape;
      Random random({seed, s});
      std::int32_t n = -1;
      do n = static_cast<std::int32_t>(random.below(static_cast<std::uint32_t>(shape.outline.size())));
      while (shape.outline[n].actor < 0);
      descend_average(walk, subgame, tables(subgame));
      const std::int32_t state = shape.outline[n].state;
      const Hand* names = catalogue_.twin_hands_at(state);
      examples.states[s] = catalogue_.twin(state);
      for (Player p = 0; p < 2; ++p) {
        float* row = examples.ranges.data() + (2 * s + static_cast<std::size_t>(p)) * hands_;
        write_range<Tree::kWidth>(walk.reach(n, p), possible_at(state), hands_, row);
        rename_hands(names, hands_, row);
      }
      const VectorNode& node = shape.tree.nodes[n];
      for (int a = 0; a < node.num_children; ++a) {
        float* out = examples.found.data() + s * size + static_cast<std::size_t>(shape.slot(node, a)) * hands_;
        for (std::size_t h = 0; h < hands_; ++h) out[h] = static_cast<float>(walk.strategy(node, a)[h]);
        rename_hands(names, hands_, out);
      }
    });
    return examples;
  }

 private:
  struct Subgame {
    std::size_t number = 0;
    const Template* shape = nullptr;
    std::int32_t state = 0;
    std::size_t memory = 0;      // of its tables
    std::size_t ranges = 0;      // of its [hands] of both players, padded
    std::int64_t first_row = 0;  // of its leaves
    std::size_t node_sums = 0;   // of its nodes
    int opponent = -1;           // whose values are given
    std::size_t gadget = 0;      // his
    double value_weight = 0;
  };

  // The beginning.

  void check(const SubgameBatch& batch) const {
    const std::size_t count = batch.states.size();
    const auto require = [](bool ok, const char* message) {
      if (!ok) throw std::invalid_argument(message);
    };
    for (const std::int32_t state : batch.states) catalogue_.check(state);
    require(batch.ranges.size() == count * 2 * hands_, "ranges: must be [subgames, 2, hands]");
    for (const double range : batch.ranges) require(range >= 0 && std::isfinite(range), "ranges: must be finite and not negative");
    require(batch.opponents.empty() || batch.opponents.size() == count, "opponents: must be [subgames]");
    require(batch.opponent_values.size() == batch.opponents.size() * hands_, "opponent_values: must be [subgames, hands]");
    for (const std::int32_t player : batch.opponents)
      require(player >= -1 && player <= 1, "opponents: must be 0, 1 or -1 for none");
    for (const double value : batch.opponent_values) require(std::isfinite(value), "opponent_values: must be finite");
    for (const SubgameStop& stop : batch.stops)
      require(stop.subgame >= 0 && static_cast<std::size_t>(stop.subgame) < count && stop.iteration >= 1 &&
                  stop.iteration <= options_.iterations,
              "a stop is at no subgame or at no iteration");
    require(batch.exploration >= 0 && batch.exploration <= 1, "exploration: must be from 0 to 1");
    require(batch.least_follow >= 0 && batch.least_follow <= 1, "least_follow: must be from 0 to 1");
    require(!batch.keeps_values || options_.keeps_average, "values of inner nodes need keeps_average");
  }

  // Lays out the tables, ranges and questions of each subgame.
  void place(const SubgameBatch& batch) {
    const std::vector<std::int32_t>& states = batch.states;
    subgames_.assign(states.size(), {});
    asking_.clear();
    silent_.clear();
    RangeQuestions& questions = questions_.renew();
    questions.rows = 0;
    questions.states.clear();
    std::size_t memory = 0, strides = 0, node_sums = 0, gadgets = 0;
    for (std::size_t s = 0; s < states.size(); ++s) {
      const Template& shape = templates_.at(states[s]);
      subgames_[s] = {s, &shape, states[s], memory, strides, questions.rows, node_sums, batch.opponent(s), gadgets};
      if (shape.keeps_tables(options_)) memory += shape.table_size(options_);
      strides += static_cast<std::size_t>(shape.tree.strides[0] + shape.tree.strides[1]);
      if (batch.keeps_values) node_sums += shape.values_size();
      if (batch.opponent(s) >= 0) ++gadgets;
      questions.rows += shape.tree.num_leaves;
      for (const std::int32_t leaf : shape.leaf_states) questions.states.push_back(catalogue_.twin(leaf));
      (shape.has_leaves() ? asking_ : silent_).push_back(s);
    }
    all_.resize(states.size());
    std::iota(all_.begin(), all_.end(), std::size_t{0});
    tables_.assign(memory, Real{0});
    root_reaches_.assign(strides, Real{0});
    value_sums_.assign(strides, Real{0});
    node_sums_.assign(node_sums, Real{0});
    gadgets_.begin(gadgets, hands_, batch.least_follow);
    questions.ranges.resize(static_cast<std::size_t>(questions.rows) * 2 * hands_);
    values_.assign(states.size() * 2 * hands_, 0);
  }

  // Asks about the leaves again, at other ranges.
  void renew_questions() {
    const RangeQuestions& last = *questions_;
    RangeQuestions& next = questions_.renew();
    if (&next == &last) return;
    next.rows = last.rows;
    next.states = last.states;
    next.ranges.resize(last.ranges.size());
  }

  void set_up_ranges(const SubgameBatch& batch) {
    ranges_ = batch.ranges;
    for (const Subgame& subgame : subgames_) {
      for (Player p = 0; p < 2; ++p) {
        double* range = ranges_.data() + (2 * subgame.number + static_cast<std::size_t>(p)) * hands_;
        for (std::size_t h = 0; h < hands_; ++h)
          if (!is_held(catalogue_.rules(), p, static_cast<Hand>(h))) range[h] = 0;
        normalize_range(range, possible_at(subgame.state), hands_, range);
        Real* reach = root_reaches_.data() + padded(subgame, p);
        for (std::size_t h = 0; h < hands_; ++h) reach[h] = static_cast<Real>(range[h]);
        if (p == subgame.opponent) gadgets_.set_up(subgame.gadget, reach, batch.opponent_values.data() + subgame.number * hands_);
      }
    }
  }

  // Ranges for the next level of a warm start; after the last one, iterations begin.
  void ask_level() {
    const bool is_asking = ask_strategies() != nullptr;
    each_subgame(all_, [&](SubgameWalk<Tree>& walk, Subgame& subgame) {
      if (is_asking && !warm_start_.asks_about(subgame.number)) return;
      descend(walk, subgame, tables(subgame), 0, 0);
      if (is_asking)
        warm_start_.write_ranges(subgame.number, walk);
      else
        warm_start_.weigh(subgame.number, walk, tables(subgame), catalogue_.stakes()[subgame.state], options_.warm_start);
    });
    if (!is_asking) start();
  }

  void start() {
    solve_silent();
    each_subgame(asking_, [this](SubgameWalk<Tree>& walk, Subgame& subgame) { look_down(walk, subgame); });
    if (questions_->rows == 0) done_ = options_.iterations;
    if (is_over()) finish();
  }

  // Solves the subgames without leaves, in blocks of about a tenth of a second: between them somebody may ask to stop.
  void solve_silent() {
    constexpr double kBlock = 2e7;  // values of hands
    std::vector<std::size_t> block;
    double work = 0;
    const auto solve_block = [&] {
      each_subgame(block, [this](SubgameWalk<Tree>& walk, Subgame& subgame) { solve_through(walk, subgame); });
      Lookout::look_now();
      block.clear();
      work = 0;
    };
    for (const std::size_t number : silent_) {
      block.push_back(number);
      work +=
          static_cast<double>(options_.iterations) * 2 * static_cast<double>(subgames_[number].shape->tree.nodes.size() * hands_);
      if (work > kBlock * pool_.size()) solve_block();
    }
    solve_block();
  }

  // Calls work(walk, subgame) for some subgames on all threads; a few are not worth waking the pool for.
  template <class Work>
  void each_subgame(const std::vector<std::size_t>& numbers, Work work) {
    constexpr std::size_t kChunk = 8;
    std::atomic<std::size_t> next = 0;
    const auto share = [&](int thread) {
      for (std::size_t first = next.fetch_add(kChunk); first < numbers.size(); first = next.fetch_add(kChunk))
        for (std::size_t i = first; i < std::min(first + kChunk, numbers.size()); ++i) work(walks_[thread], subgames_[numbers[i]]);
    };
    if (numbers.size() <= kChunk)
      share(0);
    else
      pool_.run(share);
  }

  // Iterations.

  // The sums of a node for a player: [hands] of values, and the mass of the other player's reach.
  std::size_t node_sums_at(const Subgame& subgame, Player p, std::size_t node) const {
    return subgame.node_sums + (2 * node + static_cast<std::size_t>(p)) * (hands_ + 1);
  }

  const std::uint8_t* possible_at(std::int32_t state) const { return catalogue_.possible_at(state); }

  std::size_t padded(const Subgame& subgame, Player p) const {
    return subgame.ranges + (p == 0 ? 0 : static_cast<std::size_t>(subgame.shape->tree.strides[0]));
  }

  // The reaches at the root. A gadget's choice is copied, since a walk reads these until it goes down again.
  std::array<const Real*, 2> roots(const Subgame& subgame) {
    if (subgame.opponent >= 0)
      std::copy_n(gadgets_.reach(subgame.gadget), hands_,
                  root_reaches_.begin() + static_cast<std::ptrdiff_t>(padded(subgame, subgame.opponent)));
    return {root_reaches_.data() + padded(subgame, 0), root_reaches_.data() + padded(subgame, 1)};
  }

  SubgameTables<Real> tables(const Subgame& subgame) { return subgame.shape->tables_at(tables_.data() + subgame.memory, options_); }

  // The strategies with which `player` is about to update in iteration done + 1.
  void descend(SubgameWalk<Tree>& walk, const Subgame& subgame, const SubgameTables<Real>& all, int done, Player player) {
    const std::array<Real, 2> predicted{factors_[player == 1 ? done + 1 : done].positive, factors_[done].positive};
    walk.descend(subgame.shape->tree, all, roots(subgame), predicted);
  }

  void descend_average(SubgameWalk<Tree>& walk, const Subgame& subgame, const SubgameTables<Real>& all) {
    walk.descend_average(subgame.shape->tree, all, roots(subgame));
  }

  void look_down(SubgameWalk<Tree>& walk, Subgame& subgame) {
    descend(walk, subgame, tables(subgame), done_, player_);
    if (player_ == 0) stops_.take(subgame.number, done_ + 1, *subgame.shape, walk);
    const auto& nodes = subgame.shape->tree.nodes;
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      if (nodes[n].actor != kLeaf) continue;
      float* row = questions_->ranges.data() + (static_cast<std::size_t>(subgame.first_row + nodes[n].offset)) * 2 * hands_;
      const std::int32_t state = subgame.shape->leaf_states[nodes[n].offset];
      for (Player p = 0; p < 2; ++p, row += hands_) {
        write_range<Tree::kWidth>(walk.reach(static_cast<std::int32_t>(n), p), possible_at(state), hands_, row);
        rename_hands(catalogue_.twin_hands_at(state), hands_, row);
      }
    }
  }

  void update(SubgameWalk<Tree>& walk, Subgame& subgame, Player player, int done, const float* rows) {
    const Template& shape = *subgame.shape;
    const Real* values = walk.ascend(player, factors_[done], [&](int leaf, Player p, const Real* other, Real* out) {
      const std::uint8_t* possible = possible_at(shape.leaf_states[leaf]);
      const Hand* names = catalogue_.twin_hands_at(shape.leaf_states[leaf]);
      const Real mass = sum_reach<Tree::kWidth>(other, hands_);
      const float* row = rows + (2 * static_cast<std::size_t>(leaf) + static_cast<std::size_t>(p)) * hands_;
      const auto write = [&](std::size_t h, float value) {
        out[h] = mass * static_cast<Real>(value) * static_cast<Real>(possible[h]);
      };
      if (names)
        for (std::size_t h = 0; h < hands_; ++h) write(h, row[names[h]]);
      else
        for (std::size_t h = 0; h < hands_; ++h) write(h, row[h]);
      for (int h = static_cast<int>(hands_); h < shape.tree.strides[p]; ++h) out[h] = 0;
    });
    Real* sums = value_sums_.data() + padded(subgame, player);
    for (std::size_t h = 0; h < hands_; ++h) sums[h] = sums[h] * factors_[done].average + values[h];
    if (!node_sums_.empty()) add_node_values(walk, subgame, player, factors_[done].average);
    if (player == subgame.opponent) gadgets_.update(subgame.gadget, values, factors_[done]);
    if (player == 1) subgame.value_weight = subgame.value_weight * static_cast<double>(factors_[done].average) + 1;
  }

  void add_node_values(const SubgameWalk<Tree>& walk, const Subgame& subgame, Player player, Real factor) {
    for (std::size_t n = 0; n < subgame.shape->tree.nodes.size(); ++n) {
      Real* sums = node_sums_.data() + node_sums_at(subgame, player, n);
      for (std::size_t h = 0; h < hands_; ++h) sums[h] = sums[h] * factor + walk.values(n)[h];
      const Real* other = walk.reach(static_cast<std::int32_t>(n), 1 - player);
      sums[hands_] = sums[hands_] * factor + sum_reach<Tree::kWidth>(other, hands_);
    }
  }

  // All iterations of a subgame without leaves.
  void solve_through(SubgameWalk<Tree>& walk, Subgame& subgame) {
    const bool is_kept = subgame.shape->keeps_tables(options_);
    thread_local HandVector<Real> memory;
    if (!is_kept) memory.assign(subgame.shape->table_size(options_), Real{0});
    const SubgameTables<Real> all = is_kept ? tables(subgame) : subgame.shape->tables_at(memory.data(), options_);
    // From the second iteration on the better of two actions is played, which no regret changes any more.
    const bool settles = subgame.shape->is_one_choice() && options_.warm_start == 0 && options_.iterations > kSettled &&
                         subgame.opponent < 0 && node_sums_.empty();
    const bool is_slow = subgame.shape->tree.nodes.size() * hands_ > kSlow;
    thread_local std::vector<Real> before;
    for (int done = 0; done < (settles ? kSettled : options_.iterations); ++done) {
      is_slow ? Lookout::look_now() : Lookout::look_up();
      if (settles && done == kSettled - 1) {
        before.clear();
        each_sum(subgame, all, [](Real& sum) { before.push_back(sum); });
      }
      descend(walk, subgame, all, done, 0);
      update(walk, subgame, 0, done, nullptr);
      if (options_.discounts.alternating) descend(walk, subgame, all, done, 1);
      update(walk, subgame, 1, done, nullptr);
    }
    if (settles) {
      const Real* last = before.data();
      each_sum(subgame, all,
               [&](Real& sum) { sum = sum * rest_factor_ + (sum - *last++ * factors_[kSettled - 1].average) * rest_weight_; });
      subgame.value_weight = subgame.value_weight * static_cast<double>(rest_factor_) + static_cast<double>(rest_weight_);
    }
    if (!stops_.needs_average(subgame.number)) return;
    descend_average(walk, subgame, all);
    stops_.take_average(subgame.number, *subgame.shape, walk);
  }

  // Calls work(sum) for each number that iterations add to: the average strategies and the values of the root.
  template <class Work>
  void each_sum(const Subgame& subgame, const SubgameTables<Real>& all, Work work) {
    for (Player p = 0; p < 2; ++p) {
      for (std::int64_t i = 0; i < subgame.shape->tree.num_entries[p]; ++i) work(all.sums[p][i]);
      for (std::size_t h = 0; h < hands_; ++h) work(value_sums_[padded(subgame, p) + h]);
    }
  }

  // The end.

  bool is_over() const { return !ask_strategies() && done_ >= options_.iterations; }
  void require_over() const {
    if (!is_over()) throw std::logic_error("the subgames are not solved yet: answer until ask() gives none");
  }

  const Subgame& averaged(std::int64_t number) const {
    require_over();
    if (!options_.keeps_average || number < 0 || static_cast<std::size_t>(number) >= subgames_.size())
      throw std::invalid_argument("no average of subgame " + std::to_string(number) + " was kept");
    return subgames_[number];
  }

  void finish() {
    for (const Subgame& subgame : subgames_) {
      if (subgame.opponent >= 0) gadgets_.average(subgame.gadget, subgame.value_weight);
      const std::uint8_t* possible = possible_at(subgame.state);
      for (Player p = 0; p < 2; ++p) {
        const Real* sums = value_sums_.data() + padded(subgame, p);
        double* values = values_.data() + (2 * subgame.number + static_cast<std::size_t>(p)) * hands_;
        for (std::size_t h = 0; h < hands_; ++h)
          values[h] = possible[h] != 0 ? static_cast<double>(sums[h]) / subgame.value_weight : 0;
      }
    }
  }

  static constexpr int kSettled = 2;              // iterations after which a single choice is made for good
  static constexpr std::size_t kSlow = 100'000;  // values of hands in an iteration that takes about a millisecond

  PublicStatesOf<G>& catalogue_;
  SubgameOptions options_;
  std::size_t hands_;
  ThreadPool pool_;
  std::vector<SubgameWalk<Tree>> walks_;         // [threads]
  std::vector<CfrUpdate<Real>> factors_;         // [iterations]
  Real rest_factor_ = 1, rest_weight_ = 0;       // the iterations after kSettled multiply a sum and their equal terms by these
  SubgameTemplates<G, Tree> templates_;
  WarmStart<G, Tree> warm_start_;
  SubgameStops<G, Tree> stops_;

  std::vector<Subgame> subgames_;
  std::vector<std::size_t> asking_, silent_, all_;  // subgames with leaves, without, and all
  HandVector<Real> tables_, root_reaches_, value_sums_, node_sums_;
  SubgameGadgets<Real> gadgets_;
  Lent<RangeQuestions> questions_;
  std::vector<double> ranges_, values_;
  int done_ = 0;       // iterations
  Player player_ = 0;  // whose turn it is to be updated, where they alternate
};

}  // namespace regretless
