// SPDX-License-Identifier: MIT
#include "jobs/subgames.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <numeric>
#include <stdexcept>
#include <string>

#include "cards/random.h"
#include "jobs/thread_pool.h"
#include "solve/subgame_walk.h"
#include "tree/root_state.h"

namespace regretless {
namespace {

constexpr int kDenseHands = 64;       // up to here a matrix of all pairs of hands is the quickest showdown
constexpr double kLeastMass = 1e-30;  // a range of less counts as empty
constexpr int kMaxDraws = 10'000;     // of two hands until they can meet

template <class G, class Tree>
class SubgamesOf final : public Subgames {
 public:
  using Real = typename Tree::Real;

  SubgamesOf(std::shared_ptr<const G> game, const SubgameOptions& options)
      : game_(std::move(game)), options_(options), hands_(static_cast<std::size_t>(game_->num_hands())), pool_(options.threads) {
    for (int t = 0; t < pool_.size(); ++t) walks_.emplace_back(options.discounts);
    for (int done = 0; done <= options.iterations; ++done)
      factors_.push_back(IterationFactors<Real>::after(options.discounts, done + options.warm_start));
    number(make_root(*game_, options.board));
    done_ = options.iterations;  // nothing is to be solved yet
  }

  std::int64_t num_hands() const override { return static_cast<std::int64_t>(hands_); }
  int iterations() const override { return options_.iterations; }
  std::int32_t num_states() const override { return static_cast<std::int32_t>(states_.size()); }
  int num_features() const override { return game_->num_public_features(); }
  const std::vector<float>& features() const override { return features_; }
  const std::vector<double>& stakes() const override { return stakes_; }
  const std::vector<std::uint8_t>& possible() const override { return possible_; }
  const std::vector<std::int32_t>& num_leaves() override { return num_leaves_; }
  const std::vector<SubgameNode>& nodes(std::int32_t state) override { return template_at(state).outline; }

  int num_slots() const override { return game_->num_actions(); }
  const std::vector<float>& decision_features() const override { return decisions_.features; }
  const std::vector<std::uint8_t>& decision_legal() const override { return decisions_.legal; }
  const std::vector<std::uint8_t>& decision_possible() const override { return decisions_.possible; }
  const std::vector<std::int8_t>& decision_actors() const override { return decisions_.actors; }

  void begin(const std::vector<std::int32_t>& states, const double* ranges, const std::vector<SubgameStop>& stops,
             double exploration, bool keeps_strategies) override {
    for (const std::int32_t state : states)
      if (state < 0 || state >= num_states()) throw std::invalid_argument("no public state " + std::to_string(state));
    for (std::size_t i = 0; i < states.size() * 2 * hands_; ++i)
      if (!(ranges[i] >= 0) || !std::isfinite(ranges[i])) throw std::invalid_argument("ranges: must be finite and not negative");
    for (const SubgameStop& stop : stops)
      if (stop.subgame < 0 || static_cast<std::size_t>(stop.subgame) >= states.size() || stop.iteration < 1 || stop.iteration > options_.iterations)
        throw std::invalid_argument("a stop is at no subgame or at no iteration");
    if (!(exploration >= 0 && exploration <= 1)) throw std::invalid_argument("exploration: must be from 0 to 1");
    for (const std::int32_t state : states) template_at(state);  // before anything changes, for it may be too large
    exploration_ = exploration;
    keeps_strategies_ = keeps_strategies;
    flights_.assign(states.size(), {});
    std::size_t memory = 0, strides = 0;
    questions_ = {};
    for (std::size_t s = 0; s < states.size(); ++s) {
      const Template& shape = template_at(states[s]);
      Flight& flight = flights_[s];
      flight.shape = &shape;
      flight.state = states[s];
      flight.memory = memory;
      flight.ranges = strides;
      flight.first_row = questions_.rows;
      // Without leaves a workspace of the thread is enough, unless the average is wanted later.
      if (shape.tree->num_leaves > 0 || keeps_tables()) memory += table_size(shape);
      strides += static_cast<std::size_t>(shape.tree->strides[0] + shape.tree->strides[1]);
      questions_.rows += shape.tree->num_leaves;
      questions_.states.insert(questions_.states.end(), shape.leaf_states.begin(), shape.leaf_states.end());
    }
    tables_.assign(memory, Real{0});
    root_reaches_.assign(strides, Real{0});
    value_sums_.assign(strides, Real{0});
    questions_.ranges.resize(static_cast<std::size_t>(questions_.rows) * 2 * hands_);
    ranges_.assign(ranges, ranges + states.size() * 2 * hands_);
    values_.assign(states.size() * 2 * hands_, 0);
    place_stops(stops);
    done_ = 0;
    player_ = 0;
    set_up_ranges();
    asking_.clear();
    silent_.clear();
    for (std::size_t s = 0; s < flights_.size(); ++s) (flights_[s].shape->tree->num_leaves > 0 ? asking_ : silent_).push_back(s);
    level_ = 0;
    is_warming_ = options_.warm_start > 0;
    if (is_warming_)
      ask_level();
    else
      start();
  }

  const StrategyQuestions* ask_strategies() const override { return is_warming_ ? &strategy_questions_ : nullptr; }

  // The probabilities stand in for the regrets until all are there.
  void answer_strategies(const float* probabilities) override {
    if (!is_warming_) throw std::logic_error("no strategies were asked for");
    const std::size_t size = static_cast<std::size_t>(num_slots()) * hands_;
    if (!all_finite(probabilities, static_cast<std::size_t>(strategy_questions_.rows) * size))
      throw std::invalid_argument("probabilities: must be finite");
    each_flight(all_flights(), [&](SubgameWalk<Tree>&, Flight& flight) {
      const float* rows = probabilities + static_cast<std::size_t>(flight.first_decision) * size;
      const SubgameTables<Real> all = tables(flight);
      for (const std::int32_t n : flight.shape->level(level_)) {
        const VectorNode& node = flight.shape->tree->nodes[n];
        const int width = flight.shape->tree->width(node.actor);
        for (int a = 0; a < node.num_children; ++a) {
          const float* row = rows + static_cast<std::size_t>(slot(*flight.shape, node, a)) * hands_;
          Real* out = all.regrets[node.actor] + node.offset + static_cast<std::ptrdiff_t>(a) * width;
          for (std::size_t h = 0; h < hands_; ++h) out[h] = std::max(Real{0}, static_cast<Real>(row[h]));
        }
        rows += size;
      }
    });
    ++level_;
    ask_level();
  }

  const LeafQuestions* ask() const override { return is_over() || is_warming_ ? nullptr : &questions_; }

  void answer(const float* values) override {
    if (is_over() || is_warming_) throw std::logic_error("nothing was asked");
    if (!all_finite(values, questions_.ranges.size())) throw std::invalid_argument("values: must be finite");
    const bool both = !options_.discounts.alternates;
    const bool ends_iteration = both || player_ == 1;
    const Player player = player_;
    const int done = done_;
    player_ = both || player == 1 ? 0 : 1;
    done_ += ends_iteration ? 1 : 0;
    each_flight(asking_, [&](SubgameWalk<Tree>& walk, Flight& flight) {
      const float* rows = values + static_cast<std::size_t>(flight.first_row) * 2 * hands_;
      // The strategies are those that the questions were asked at.
      descend(walk, flight, tables(flight), done, player);
      if (both) {
        update(walk, flight, 0, done, rows);
        update(walk, flight, 1, done, rows);
      } else {
        update(walk, flight, player, done, rows);
      }
      if (!is_over()) look_down(walk, flight);
    });
    if (is_over()) finish();
  }

  const std::vector<double>& ranges() const override { return ranges_; }
  const std::vector<double>& root_values() const override {
    require_over();
    return values_;
  }
  const std::vector<std::int32_t>& next_states() const override {
    require_over();
    return next_states_;
  }
  const std::vector<double>& next_ranges() const override {
    require_over();
    return next_ranges_;
  }

  std::vector<double> stop_strategies(std::int64_t stop) const override {
    require_over();
    if (!keeps_strategies_ || stop < 0 || static_cast<std::size_t>(stop) >= stop_strategies_.size())
      throw std::invalid_argument("no strategies of stop " + std::to_string(stop) + " were kept");
    return stop_strategies_[stop];
  }

  StrategyExamples strategy_examples(std::uint64_t seed) override {
    require_over();
    if (!options_.keeps_average) throw std::invalid_argument("no averages were kept");
    StrategyExamples examples;
    const std::size_t size = static_cast<std::size_t>(num_slots()) * hands_;
    examples.decisions.resize(flights_.size());
    examples.ranges.resize(flights_.size() * 2 * hands_);
    examples.strategies.resize(flights_.size() * size);
    each_flight(all_flights(), [&](SubgameWalk<Tree>& walk, Flight& flight) {
      const auto s = static_cast<std::size_t>(&flight - flights_.data());
      const Template& shape = *flight.shape;
      Random random({seed, s});
      std::int32_t n = -1;
      do n = static_cast<std::int32_t>(random.below(static_cast<std::uint32_t>(shape.outline.size())));
      while (shape.outline[n].actor < 0);
      walk.descend_average(*shape.tree, tables(flight), roots(flight));
      const std::int32_t decision = shape.outline_decisions[n];
      examples.decisions[s] = decision;
      for (Player p = 0; p < 2; ++p)
        write_range(walk.reach(n, p), decisions_.possible_at(decision, hands_), examples.ranges.data() + (2 * s + static_cast<std::size_t>(p)) * hands_);
      const VectorNode& node = shape.tree->nodes[n];
      for (int a = 0; a < node.num_children; ++a) {
        float* out = examples.strategies.data() + s * size + static_cast<std::size_t>(slot(shape, node, a)) * hands_;
        for (std::size_t h = 0; h < hands_; ++h) out[h] = static_cast<float>(walk.strategy(node, a)[h]);
      }
    });
    return examples;
  }

  std::vector<double> average_strategies(std::int64_t subgame) override {
    require_over();
    if (!options_.keeps_average || subgame < 0 || static_cast<std::size_t>(subgame) >= flights_.size())
      throw std::invalid_argument("no average of subgame " + std::to_string(subgame) + " was kept");
    const Flight& flight = flights_[subgame];
    walks_[0].descend_average(*flight.shape->tree, tables(flight), roots(flight));
    return read_strategies(walks_[0], *flight.shape);
  }

 private:
  // A subgame as far as it does not depend on ranges.
  struct Template {
    std::unique_ptr<PublicTree<G>> states;
    std::unique_ptr<Tree> tree;
    std::vector<std::int32_t> leaf_states;   // [leaves]
    std::vector<SubgameNode> outline;        // [nodes]
    std::vector<std::int32_t> outline_decisions;          // [nodes]: number of the decision, or -1
    std::vector<std::vector<std::int32_t>> levels;        // [level]: decision nodes with so many decisions above them
    std::int64_t num_outline_entries = 0;

    const std::vector<std::int32_t>& level(int number) const {
      static const std::vector<std::int32_t> none;
      return static_cast<std::size_t>(number) < levels.size() ? levels[number] : none;
    }
  };

  // What is known of numbered decisions.
  struct Decisions {
    std::map<std::vector<float>, std::int32_t> numbers;
    std::vector<float> features;
    std::vector<std::uint8_t> legal, possible;
    std::vector<std::int8_t> actors;

    const std::uint8_t* possible_at(std::int32_t decision, std::size_t hands) const {
      return possible.data() + static_cast<std::size_t>(decision) * hands;
    }
  };

  struct Flight {
    const Template* shape = nullptr;
    std::int32_t state = 0;
    std::size_t memory = 0;       // of its tables
    std::size_t ranges = 0;       // of its [hands] of both players, padded
    std::int64_t first_row = 0;   // of its leaves
    std::int64_t first_decision = 0;  // of its decisions on the level that is asked for
    std::int32_t first_stop = 0, end_stop = 0, next_stop = 0;  // in stop_order_
    double value_weight = 0;
  };

  // Some flights on all threads; a few are not worth waking them for.
  template <class Work>
  void each_flight(const std::vector<std::size_t>& numbers, Work work) {
    constexpr std::size_t kChunk = 8;
    std::atomic<std::size_t> next = 0;
    const auto share = [&](int thread) {
      for (std::size_t first = next.fetch_add(kChunk); first < numbers.size(); first = next.fetch_add(kChunk))
        for (std::size_t i = first; i < std::min(first + kChunk, numbers.size()); ++i) work(walks_[thread], flights_[numbers[i]]);
    };
    if (numbers.size() <= kChunk)
      share(0);
    else
      pool_.run(share);
  }

  bool all_finite(const float* values, std::size_t size) {
    constexpr std::size_t kSmall = 1 << 14;
    if (size <= kSmall) return is_finite(values, values + size);
    std::atomic<bool> all = true;
    const std::size_t share = size / static_cast<std::size_t>(pool_.size()) + 1;
    pool_.run([&](int thread) {
      const std::size_t first = std::min(size, static_cast<std::size_t>(thread) * share), end = std::min(size, first + share);
      if (!is_finite(values + first, values + end)) all = false;
    });
    return all;
  }

  static bool is_finite(const float* values, const float* end) {
    float worst = 0;  // NaN and infinity times zero are NaN
    for (; values != end; ++values) worst += *values * 0.f;
    return worst == 0.f;
  }

  // The questions of the next level that has any; after the last one, iterations begin.
  void ask_level() {
    const std::size_t levels = std::accumulate(flights_.begin(), flights_.end(), std::size_t{0}, [](std::size_t most, const Flight& flight) {
      return std::max(most, flight.shape->levels.size());
    });
    if (static_cast<std::size_t>(level_) >= levels) {
      each_flight(all_flights(), [this](SubgameWalk<Tree>& walk, Flight& flight) { weigh_strategies(walk, flight); });
      is_warming_ = false;
      return start();
    }
    strategy_questions_.rows = 0;
    strategy_questions_.decisions.clear();
    for (Flight& flight : flights_) {
      flight.first_decision = strategy_questions_.rows;
      for (const std::int32_t n : flight.shape->level(level_)) strategy_questions_.decisions.push_back(flight.shape->outline_decisions[n]);
      strategy_questions_.rows = static_cast<std::int64_t>(strategy_questions_.decisions.size());
    }
    strategy_questions_.ranges.resize(static_cast<std::size_t>(strategy_questions_.rows) * 2 * hands_);
    each_flight(all_flights(), [this](SubgameWalk<Tree>& walk, Flight& flight) {
      if (flight.shape->level(level_).empty()) return;
      descend(walk, flight, tables(flight), 0, 0);
      float* row = strategy_questions_.ranges.data() + static_cast<std::size_t>(flight.first_decision) * 2 * hands_;
      for (const std::int32_t n : flight.shape->level(level_))
        for (Player p = 0; p < 2; ++p, row += hands_) write_range(walk.reach(n, p), decisions_.possible_at(flight.shape->outline_decisions[n], hands_), row);
    });
  }

  // Regrets that give the answered strategies, as large as those of so many iterations may be: they grow with the root of the
  // iterations, with what is played for and with the chance that the opponent comes there (after Brown and Sandholm 2016).
  void weigh_strategies(SubgameWalk<Tree>& walk, Flight& flight) {
    const Tree& tree = *flight.shape->tree;
    const SubgameTables<Real> all = tables(flight);
    descend(walk, flight, all, 0, 0);
    const double size = stakes_[flight.state] * std::sqrt(static_cast<double>(options_.warm_start));
    for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
      const VectorNode& node = tree.nodes[n];
      if (node.actor < 0) continue;
      const int width = tree.width(node.actor);
      const Real scale = static_cast<Real>(size) * sum(walk.reach(static_cast<std::int32_t>(n), 1 - node.actor));
      for (int a = 0; a < node.num_children; ++a) {
        const Real* strategy = walk.strategy(node, a);
        Real* regrets = all.regrets[node.actor] + node.offset + static_cast<std::ptrdiff_t>(a) * width;
        for (int h = 0; h < width; ++h) regrets[h] = scale * strategy[h];
      }
    }
  }

  int slot(const Template& shape, const VectorNode& node, int action) const { return shape.states->nodes[node.first_child + action].event; }

  const std::vector<std::size_t>& all_flights() {
    all_flights_.resize(flights_.size());
    std::iota(all_flights_.begin(), all_flights_.end(), std::size_t{0});
    return all_flights_;
  }

  bool keeps_tables() const { return options_.keeps_average || options_.warm_start > 0; }

  void start() {
    each_flight(silent_, [this](SubgameWalk<Tree>& walk, Flight& flight) { solve_through(walk, flight); });
    each_flight(asking_, [this](SubgameWalk<Tree>& walk, Flight& flight) { look_down(walk, flight); });
    if (questions_.rows == 0) done_ = options_.iterations;
    if (is_over()) finish();
  }

  // Public states and the subgames below them.

  std::int32_t number(const typename G::State& state) {
    std::vector<float> key(static_cast<std::size_t>(game_->num_public_features()));
    game_->encode_public(state, key);
    const auto [found, is_new] = numbers_.try_emplace(key, static_cast<std::int32_t>(states_.size()));
    if (!is_new) return found->second;
    states_.push_back(state);
    features_.insert(features_.end(), key.begin(), key.end());
    stakes_.push_back(std::max(game_->stake(state), 1e-9));
    for (std::size_t h = 0; h < hands_; ++h) possible_.push_back(game_->hand_possible(state, static_cast<Hand>(h)) ? 1 : 0);
    num_leaves_.push_back(-1);
    templates_.emplace_back();
    return found->second;
  }

  static std::size_t count_decisions_above(const std::vector<PublicNode>& nodes, std::size_t n) {
    std::size_t count = 0;
    for (std::int32_t above = nodes[n].parent; above >= 0; above = nodes[above].parent) count += nodes[above].actor >= 0 ? 1 : 0;
    return count;
  }

  std::int32_t number_decision(const typename G::State& state) {
    std::vector<float> key(static_cast<std::size_t>(game_->num_public_features()));
    game_->encode_public(state, key);
    const auto [found, is_new] = decisions_.numbers.try_emplace(key, static_cast<std::int32_t>(decisions_.actors.size()));
    if (!is_new) return found->second;
    decisions_.features.insert(decisions_.features.end(), key.begin(), key.end());
    const ActionMask legal = game_->legal(state);
    for (int a = 0; a < num_slots(); ++a) decisions_.legal.push_back(legal >> a & 1);
    for (std::size_t h = 0; h < hands_; ++h) decisions_.possible.push_back(game_->hand_possible(state, static_cast<Hand>(h)) ? 1 : 0);
    decisions_.actors.push_back(static_cast<std::int8_t>(game_->actor(state)));
    return found->second;
  }

  const Template& template_at(std::int32_t state) {
    if (state < 0 || state >= num_states()) throw std::invalid_argument("no public state " + std::to_string(state));
    if (templates_[state]) return *templates_[state];
    TreeOptions options;
    if (options_.max_decisions > 0) options.max_decisions = options_.max_decisions;
    options.ends_with_round = options_.ends_with_round;
    auto made = std::make_unique<Template>();
    const SymmetryGroup none;
    made->states = std::make_unique<PublicTree<G>>(build_tree(*game_, states_[state], none, options));
    std::array<RootRange, 2> ranges;
    for (RootRange& range : ranges)
      for (std::size_t h = 0; h < hands_; ++h) {
        range.hands.push_back(static_cast<Hand>(h));
        range.weights.push_back(1);
      }
    made->tree = std::make_unique<Tree>(*game_, *made->states, none, std::move(ranges));
    const auto& public_nodes = made->states->nodes;
    for (std::size_t n = 0; n < public_nodes.size(); ++n) {
      SubgameNode node{public_nodes[n].first_child, public_nodes[n].num_children, public_nodes[n].actor, -1, -1};
      if (node.actor == kLeaf) {
        node.state = number(made->states->states[n]);
        made->leaf_states.push_back(node.state);
      } else if (node.actor >= 0) {
        const std::size_t level = count_decisions_above(public_nodes, n);
        if (made->levels.size() <= level) made->levels.resize(level + 1);
        made->levels[level].push_back(static_cast<std::int32_t>(n));
        node.offset = made->num_outline_entries;
        made->num_outline_entries += node.num_children * static_cast<std::int64_t>(hands_);
      }
      made->outline_decisions.push_back(node.actor >= 0 ? number_decision(made->states->states[n]) : -1);
      made->outline.push_back(node);
    }
    num_leaves_[state] = made->tree->num_leaves;
    templates_[state] = std::move(made);
    return *templates_[state];
  }

  // Ranges.

  // A range of sum 1 over the hands that a public state leaves, uniform where there is no mass; the mass that was there.
  template <class In, class Out>
  double normalize_range(const In* in, const std::uint8_t* possible, Out* out) const {
    double mass = 0, left = 0;
    for (std::size_t h = 0; h < hands_; ++h) {
      mass += possible[h] != 0 ? static_cast<double>(in[h]) : 0.0;
      left += possible[h];
    }
    const double scale = mass > kLeastMass ? 1 / mass : 0, rest = mass > kLeastMass ? 0 : 1 / left;
    for (std::size_t h = 0; h < hands_; ++h)
      out[h] = possible[h] != 0 ? static_cast<Out>(static_cast<double>(in[h]) * scale + rest) : Out{0};
    return mass;
  }

  const std::uint8_t* possible_at(std::int32_t state) const { return possible_.data() + static_cast<std::size_t>(state) * hands_; }

  void set_up_ranges() {
    for (std::size_t s = 0; s < flights_.size(); ++s) {
      for (Player p = 0; p < 2; ++p) {
        double* range = ranges_.data() + (2 * s + static_cast<std::size_t>(p)) * hands_;
        normalize_range(range, possible_at(flights_[s].state), range);
        Real* reach = root_reaches_.data() + padded(flights_[s], p);
        for (std::size_t h = 0; h < hands_; ++h) reach[h] = static_cast<Real>(range[h]);
      }
    }
  }

  std::size_t padded(const Flight& flight, Player p) const {
    return flight.ranges + (p == 0 ? 0 : static_cast<std::size_t>(flight.shape->tree->strides[0]));
  }

  std::array<const Real*, 2> roots(const Flight& flight) const {
    return {root_reaches_.data() + padded(flight, 0), root_reaches_.data() + padded(flight, 1)};
  }

  // Iterations.

  std::size_t table_size(const Template& shape) const {
    return SubgameTables<Real>::size(shape.tree->num_entries, options_.keeps_average || shape.tree->num_leaves == 0, options_.discounts.predicts);
  }

  SubgameTables<Real> tables(const Flight& flight) { return tables_at(tables_.data() + flight.memory, *flight.shape); }

  SubgameTables<Real> tables_at(Real* memory, const Template& shape) const {
    return SubgameTables<Real>::at(memory, shape.tree->num_entries, options_.keeps_average || shape.tree->num_leaves == 0,
                                   options_.discounts.predicts);
  }

  // The strategies with which `player` is about to update in iteration done + 1.
  void descend(SubgameWalk<Tree>& walk, const Flight& flight, const SubgameTables<Real>& all, int done, Player player) const {
    const std::array<Real, 2> predicted{factors_[player == 1 ? done + 1 : done].positive, factors_[done].positive};
    walk.descend(*flight.shape->tree, all, roots(flight), predicted);
  }

  void look_down(SubgameWalk<Tree>& walk, Flight& flight) {
    descend(walk, flight, tables(flight), done_, player_);
    if (player_ == 0) take_stops(walk, flight, done_ + 1);
    const auto& nodes = flight.shape->tree->nodes;
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      if (nodes[n].actor != kLeaf) continue;
      float* row = questions_.ranges.data() + (static_cast<std::size_t>(flight.first_row + nodes[n].offset)) * 2 * hands_;
      const std::int32_t state = flight.shape->leaf_states[nodes[n].offset];
      for (Player p = 0; p < 2; ++p) write_range(walk.reach(static_cast<std::int32_t>(n), p), possible_at(state), row + static_cast<std::size_t>(p) * hands_);
    }
  }

  // As normalize_range, of a reach that is 0 where a hand cannot be.
  void write_range(const Real* reach, const std::uint8_t* possible, float* out) const {
    const Real mass = sum(reach);
    if (!(mass > static_cast<Real>(kLeastMass))) {
      normalize_range(reach, possible, out);
      return;
    }
    const Real scale = Real{1} / mass;
    for (std::size_t h = 0; h < hands_; ++h) out[h] = static_cast<float>(reach[h] * scale);
  }

  // Of a padded vector.
  Real sum(const Real* values) const {
    Real total = 0;
    const int width = Tree::kWidth > 0 ? Tree::kWidth : static_cast<int>(hands_);
    for (int h = 0; h < width; ++h) total += values[h];
    return total;
  }

  void update(SubgameWalk<Tree>& walk, Flight& flight, Player player, int done, const float* rows) {
    const Template& shape = *flight.shape;
    const Real* values = walk.ascend(player, factors_[done], [&](int leaf, Player p, const Real* other, Real* out) {
      const std::uint8_t* possible = possible_.data() + static_cast<std::size_t>(shape.leaf_states[leaf]) * hands_;
      const Real mass = sum(other);
      const float* row = rows + (2 * static_cast<std::size_t>(leaf) + static_cast<std::size_t>(p)) * hands_;
      for (std::size_t h = 0; h < hands_; ++h) out[h] = mass * static_cast<Real>(row[h]) * static_cast<Real>(possible[h]);
      for (int h = static_cast<int>(hands_); h < shape.tree->strides[p]; ++h) out[h] = 0;
    });
    Real* sums = value_sums_.data() + padded(flight, player);
    for (std::size_t h = 0; h < hands_; ++h) sums[h] = sums[h] * factors_[done].average + values[h];
    if (player == 1) flight.value_weight = flight.value_weight * static_cast<double>(factors_[done].average) + 1;
  }

  // All iterations of a subgame without leaves.
  void solve_through(SubgameWalk<Tree>& walk, Flight& flight) {
    const bool is_kept = keeps_tables();
    thread_local HandVector<Real> memory;
    if (!is_kept) memory.assign(table_size(*flight.shape), Real{0});
    const SubgameTables<Real> all = is_kept ? tables(flight) : tables_at(memory.data(), *flight.shape);
    for (int done = 0; done < options_.iterations; ++done) {
      descend(walk, flight, all, done, 0);
      take_stops(walk, flight, done + 1);
      update(walk, flight, 0, done, nullptr);
      if (options_.discounts.alternates) descend(walk, flight, all, done, 1);
      update(walk, flight, 1, done, nullptr);
    }
    if (!keeps_strategies_ || flight.first_stop == flight.end_stop) return;
    walk.descend_average(*flight.shape->tree, all, roots(flight));
    for (std::int32_t i = flight.first_stop; i < flight.end_stop; ++i)
      stop_strategies_[stop_order_[i]] = read_strategies(walk, *flight.shape);
  }

  // Stops.

  void place_stops(const std::vector<SubgameStop>& stops) {
    stops_ = stops;
    next_states_.assign(stops.size(), -1);
    next_ranges_.assign(stops.size() * 2 * hands_, 0);
    stop_strategies_.assign(keeps_strategies_ ? stops.size() : 0, {});
    stop_order_.resize(stops.size());
    for (std::size_t i = 0; i < stops.size(); ++i) stop_order_[i] = static_cast<std::int32_t>(i);
    std::stable_sort(stop_order_.begin(), stop_order_.end(), [&](std::int32_t a, std::int32_t b) {
      return std::pair{stops_[a].subgame, stops_[a].iteration} < std::pair{stops_[b].subgame, stops_[b].iteration};
    });
    std::size_t at = 0;
    for (std::size_t s = 0; s < flights_.size(); ++s) {
      flights_[s].first_stop = flights_[s].next_stop = static_cast<std::int32_t>(at);
      while (at < stops.size() && stops_[stop_order_[at]].subgame == static_cast<std::int32_t>(s)) ++at;
      flights_[s].end_stop = static_cast<std::int32_t>(at);
    }
  }

  void take_stops(const SubgameWalk<Tree>& walk, Flight& flight, int iteration) {
    for (; flight.next_stop < flight.end_stop; ++flight.next_stop) {
      const std::int32_t stop = stop_order_[flight.next_stop];
      if (stops_[stop].iteration != iteration) return;
      draw_path(walk, flight, stop);
      if (keeps_strategies_ && flight.shape->tree->num_leaves > 0) stop_strategies_[stop] = read_strategies(walk, *flight.shape);
    }
  }

  // Two hands from the root, and a path: one player now and then acts at random (Brown et al. 2020, Algorithm 1).
  void draw_path(const SubgameWalk<Tree>& walk, const Flight& flight, std::int32_t stop) {
    if (flight.shape->tree->num_leaves == 0) return;
    Random random({stops_[stop].seed});
    const auto& nodes = flight.shape->tree->nodes;
    const auto& states = flight.shape->states->states;
    std::array<std::size_t, 2> hands{};
    if (!draw_hands(roots(flight), random, hands)) return;
    const auto explorer = static_cast<Player>(random.below(2));
    std::int32_t n = 0;
    while (nodes[n].num_children > 0) {
      const VectorNode& node = nodes[n];
      const auto count = static_cast<std::uint32_t>(node.num_children);
      if (node.actor == kChance) {
        do n = node.first_child + static_cast<std::int32_t>(random.below(count));
        while (!game_->hand_possible(states[n], static_cast<Hand>(hands[0])) || !game_->hand_possible(states[n], static_cast<Hand>(hands[1])));
      } else if (node.actor == explorer && static_cast<double>(random.uniform()) < exploration_) {
        n = node.first_child + static_cast<std::int32_t>(random.below(count));
      } else {
        double rest = static_cast<double>(random.uniform());
        int action = 0;
        for (; action + 1 < node.num_children; ++action) {
          rest -= static_cast<double>(walk.strategy(node, action)[hands[node.actor]]);
          if (rest < 0) break;
        }
        n = node.first_child + action;
      }
    }
    if (nodes[n].actor != kLeaf) return;
    const std::int32_t state = flight.shape->leaf_states[nodes[n].offset];
    next_states_[stop] = state;
    for (Player p = 0; p < 2; ++p)
      normalize_range(walk.reach(n, p), possible_at(state), next_ranges_.data() + (2 * static_cast<std::size_t>(stop) + static_cast<std::size_t>(p)) * hands_);
  }

  // Two hands that can meet, by their ranges.
  bool draw_hands(const std::array<const Real*, 2>& ranges, Random& random, std::array<std::size_t, 2>& hands) const {
    for (int draw = 0; draw < kMaxDraws; ++draw) {
      for (Player p = 0; p < 2; ++p) {
        double rest = static_cast<double>(random.uniform());
        std::size_t last = 0;
        for (std::size_t h = 0; h < hands_ && rest >= 0; ++h) {
          if (!(ranges[p][h] > 0)) continue;
          last = h;
          rest -= static_cast<double>(ranges[p][h]);
        }
        hands[p] = last;
      }
      if (game_->hands_compatible(static_cast<Hand>(hands[0]), static_cast<Hand>(hands[1]))) return true;
    }
    return false;
  }

  std::vector<double> read_strategies(const SubgameWalk<Tree>& walk, const Template& shape) const {
    std::vector<double> all(static_cast<std::size_t>(shape.num_outline_entries));
    for (std::size_t n = 0; n < shape.outline.size(); ++n) {
      const SubgameNode& node = shape.outline[n];
      for (int a = 0; node.actor >= 0 && a < node.num_children; ++a)
        std::copy_n(walk.strategy(shape.tree->nodes[n], a), hands_, all.begin() + static_cast<std::ptrdiff_t>(node.offset) + a * static_cast<std::ptrdiff_t>(hands_));
    }
    return all;
  }

  // The end.

  bool is_over() const { return !is_warming_ && done_ >= options_.iterations; }
  void require_over() const {
    if (!is_over()) throw std::logic_error("the subgames are not solved yet: answer until ask() gives none");
  }

  void finish() {
    for (std::size_t s = 0; s < flights_.size(); ++s) {
      const Flight& flight = flights_[s];
      const std::uint8_t* possible = possible_.data() + static_cast<std::size_t>(flight.state) * hands_;
      for (Player p = 0; p < 2; ++p) {
        const Real* sums = value_sums_.data() + padded(flight, p);
        double* values = values_.data() + (2 * s + static_cast<std::size_t>(p)) * hands_;
        for (std::size_t h = 0; h < hands_; ++h) values[h] = possible[h] != 0 ? static_cast<double>(sums[h]) / flight.value_weight : 0;
      }
    }
  }

  std::shared_ptr<const G> game_;
  SubgameOptions options_;
  std::size_t hands_;
  ThreadPool pool_;
  std::vector<SubgameWalk<Tree>> walks_;            // [threads]
  std::vector<IterationFactors<Real>> factors_;     // [iterations]

  std::map<std::vector<float>, std::int32_t> numbers_;
  std::vector<typename G::State> states_;
  std::vector<float> features_;
  std::vector<double> stakes_;
  std::vector<std::uint8_t> possible_;
  std::vector<std::int32_t> num_leaves_;
  std::vector<std::unique_ptr<Template>> templates_;  // [states], once they serve as roots

  std::vector<Flight> flights_;
  std::vector<std::size_t> asking_, silent_, all_flights_;  // flights with leaves, without, and all
  Decisions decisions_;
  StrategyQuestions strategy_questions_;
  int level_ = 0;
  bool is_warming_ = false;  // strategies are still asked for
  HandVector<Real> tables_, root_reaches_, value_sums_;
  LeafQuestions questions_;
  std::vector<double> ranges_, values_;
  std::vector<SubgameStop> stops_;
  std::vector<std::int32_t> stop_order_, next_states_;
  std::vector<double> next_ranges_;
  std::vector<std::vector<double>> stop_strategies_;
  double exploration_ = 0;
  bool keeps_strategies_ = false;
  int done_ = 0;        // iterations
  Player player_ = 0;   // whose turn it is to be updated, where they alternate
};

template <class Real, int kWidth>
using DenseTree = VectorTree<Real, kWidth, DenseShowdown<Real, kWidth>>;

template <class G>
void check(const G& game, const SubgameOptions& options) {
  if (game.num_players() != 2) throw std::invalid_argument("subgames are for two players, not " + std::to_string(game.num_players()));
  if (options.threads < 1 || options.threads > 1024) throw std::invalid_argument("threads: must be 1 to 1,024");
  if (options.iterations < 1) throw std::invalid_argument("iterations: must be at least 1");
  if (options.warm_start < 0) throw std::invalid_argument("warm_start: must not be negative");
  if (options.max_decisions < 0) throw std::invalid_argument("max_decisions: must not be negative");
  if (game.num_hands() > 2000) throw std::invalid_argument("too many private hands for subgames: " + std::to_string(game.num_hands()));
}

}  // namespace

std::unique_ptr<Subgames> make_subgames(std::shared_ptr<const Poker> game, const SubgameOptions& options) {
  check(*game, options);
  if (game->num_hands() <= 8) return std::make_unique<SubgamesOf<Poker, DenseTree<double, 8>>>(game, options);
  if (game->num_hands() <= kDenseHands) return std::make_unique<SubgamesOf<Poker, DenseTree<double, 0>>>(game, options);
  if (game->rules().num_hole_cards != 2) throw std::invalid_argument("subgames need two hole cards or at most 64 hands");
  return std::make_unique<SubgamesOf<Poker, VectorTree<float, 0, RankedShowdown<float>>>>(game, options);
}

std::unique_ptr<Subgames> make_subgames(std::shared_ptr<const LiarsDice> game, const SubgameOptions& options) {
  check(*game, options);
  if (game->num_hands() <= 8) return std::make_unique<SubgamesOf<LiarsDice, DenseTree<double, 8>>>(game, options);
  return std::make_unique<SubgamesOf<LiarsDice, DenseTree<double, 0>>>(game, options);
}

}  // namespace regretless
