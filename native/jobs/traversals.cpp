// SPDX-License-Identifier: MIT
#include "jobs/traversals.h"

#include <deque>
#include <limits>

#include "games/all_in.h"
#include "jobs/answers.h"
#include "jobs/kept_answers.h"
#include "jobs/lent.h"
#include "threads/thread_pool.h"

namespace regretless {
namespace {

template <Game G>
class TraversalsOf final : public Traversals {
 public:
  TraversalsOf(std::shared_ptr<const G> game, const TraversalOptions& options, std::shared_ptr<const DealPoolOf<G>> deals)
      : game_(std::move(game)),
        options_(options),
        deals_(std::move(deals)),
        actions_(static_cast<std::size_t>(game_->num_actions())),
        encoders_(make_encoders()),
        writer_(game_, {.encoders = encoder_names(), .buckets = options.buckets}, options.seed),
        pool_(options.threads),
        histories_(static_cast<std::size_t>(options.threads)),
        kept_(options.kept_answers, has_baselines() ? 2 * actions_ : actions_),
        halves_(static_cast<std::size_t>(options.halves)) {}

  int num_players() const override { return game_->num_players(); }
  int num_actions() const override { return game_->num_actions(); }
  int num_halves() const override { return options_.halves; }
  std::int64_t num_nodes() const override { return num_nodes_; }
  std::int64_t num_questions() const override { return num_questions_; }
  std::int64_t num_finished() const override { return num_finished_; }

  void begin(std::uint64_t iteration, Player traverser, std::int64_t first, std::int64_t count) override {
    if (traverser < 0 || traverser >= num_players()) throw std::invalid_argument("traverser: there is no such seat");
    if (first < 0 || count < 0 || count > std::numeric_limits<std::int64_t>::max() - first)
      throw std::invalid_argument("first and count: must not be negative, nor more than can be counted");
    for (const Half& half : halves_)
      if (!half.active.empty()) throw std::logic_error("begin: traversals are under way");
    for (auto& traversal : finished_) put_aside(std::move(traversal));
    finished_.clear();
    iteration_ = iteration;
    traverser_ = traverser;
    end_ = first + count;
    next_ = next_taken_ = first;
    num_finished_ = 0;
    kept_.clear();
    for (std::size_t h = 0; h < halves_.size(); ++h) {
      const auto room = static_cast<std::size_t>(options_.in_flight) / halves_.size();
      halves_[h].active.resize(room + (h < static_cast<std::size_t>(options_.in_flight) % halves_.size()));
      go_on(static_cast<int>(h));
    }
  }

  std::shared_ptr<const Questions> ask(int half) const override {
    const Half& asked = at(half);
    return asked.questions->batch > 0 ? asked.questions.share() : nullptr;
  }

  void answer(int half, const float* probabilities, const float* baselines) override {
    const Answers answers{probabilities, baselines};
    if ((baselines != nullptr) != has_baselines())
      throw std::invalid_argument(has_baselines() ? "answer: baselines are missing" : "answer: there are to be no baselines");
    Half& asked = at(half);
    const Questions& questions = *asked.questions;
    if (questions.batch == 0) throw std::logic_error("there is no open question to answer");
    check(asked, answers);
    num_questions_ += questions.batch;
    if (kept_.keeps_any()) keep(asked, half, answers);
    advance(asked, answers);
    go_on(half);
  }

  TraversalSamples take_samples() override {
    std::size_t count = 0;
    Places places;
    std::vector<Places> firsts;
    for (; count < finished_.size() && finished_[count]; ++count) {
      const std::size_t nodes = finished_[count]->nodes.size(), mine = finished_[count]->num_advantages;
      firsts.push_back(places);
      places.advantage += mine;
      if (options_.record_strategies) places.strategy += nodes - mine;
      if (has_baselines()) places.outcome += nodes;
    }
    TraversalSamples samples;
    samples.num_actions = actions_;
    resize(samples.advantages, places.advantage, 0);
    resize(samples.strategies, places.strategy, 0);
    if (has_baselines()) resize(samples.outcomes, places.outcome, 1);
    samples.values.resize(places.advantage);
    samples.stakes.resize(places.advantage);
    samples.actors.resize(places.strategy);
    for_each(count, [&](std::size_t i, int) { write_samples(*finished_[i], firsts[i], samples); });
    for (; count > 0; --count) {
      put_aside(std::move(finished_.front()));
      finished_.pop_front();
      ++next_taken_;
    }
    return samples;
  }

 private:
  // [batch, actions] each; without baselines those are nullptr.
  struct Answers {
    const float *probabilities = nullptr, *baselines = nullptr;
  };

  // The place of the next sample of each kind.
  struct Places {
    std::size_t advantage = 0, strategy = 0, outcome = 0;
  };

  // A decision of a traversal. Its rows, strategy and values stand in arrays of the traversal.
  struct Node {
    std::int32_t parent;  // -1 at the root
    Step step;            // that led here from there
    std::uint16_t depth;  // steps so far
    std::int8_t actor;
    std::uint8_t chosen;  // the slot followed, where it is only one
    ActionMask legal;
    std::uint64_t infoset;
    std::uint64_t key;  // of what its answer depends on: the infoset, with baselines all hands
    float stake;        // in units
  };

  // The part of a node that is needed only while it waits.
  struct Waiting {
    explicit Waiting(const typename G::State& where) : state(where) {}
    typename G::State state;
    Choices<G> choices;
    std::int32_t source = 0;  // its row among the questions of its actor, or ~ the index of a kept answer
    bool asks = true;         // it is the one whose question that row is
  };

  struct Traversal {
    std::int64_t number = 0;
    typename G::Deal deal;
    float weight = 1;  // of the deal
    std::array<Hand, kMaxPlayers> hands;
    std::vector<Node> nodes;                           // level by level
    std::array<std::vector<std::uint8_t>, 2> rows;     // [nodes, row_bytes] of each encoder
    std::vector<float> sigmas, values;  // [nodes, actions]: the strategy, and what slots are worth to the traverser
    std::vector<float> baselines, outcomes;  // [nodes, actions], if there are any: what is said of slots, what came of them
    std::vector<float> worths;  // [nodes], once it is over
    std::size_t level = 0;  // the first node that waits
    std::vector<Waiting> waiting, next;  // the nodes from there on
    std::array<std::int32_t, kMaxPlayers> num_waiting;  // nodes that wait, by actor
    std::array<std::int32_t, kMaxPlayers> first_rows;   // where their questions begin among those of each actor, if all ask
    std::array<Shares, kMaxBoardCards + 1> shares;  // of an all-in, by the number of board cards that were out ...
    std::uint32_t known_shares = 0;                 // ... as far as they are known, as bits
    std::int64_t num_endings = 0;
    std::size_t num_advantages = 0;
    bool is_over() const { return level == nodes.size(); }
  };

  struct Half {
    std::vector<std::unique_ptr<Traversal>> active;  // empty: one that was handed on
    Lent<Questions> questions;
    std::array<std::int32_t, kMaxPlayers> bases{};  // the first row of each actor
    std::vector<float> sums;  // [batch]: of the probabilities that were answered
  };

  bool has_baselines() const { return options_.baselines != TraversalBaselines::kNone; }
  std::vector<std::string> encoder_names() const {
    if (!has_baselines()) return {options_.encoder};
    return {options_.encoder, options_.encoder + "/seats"};
  }
  std::vector<std::shared_ptr<const EncoderOf<G>>> make_encoders() const {
    std::vector<std::shared_ptr<const EncoderOf<G>>> encoders;
    for (const std::string& name : encoder_names()) encoders.push_back(make_encoder(name, game_, options_.buckets));
    return encoders;
  }
  std::size_t row_bytes(std::size_t encoder) const { return static_cast<std::size_t>(encoders_[encoder]->layout().row_bytes()); }

  const Half& at(int half) const {
    if (half < 0 || half >= options_.halves) throw std::invalid_argument("half: there is no such half");
    return halves_[static_cast<std::size_t>(half)];
  }
  Half& at(int half) { return const_cast<Half&>(std::as_const(*this).at(half)); }

  // Calls work(i, thread) for every i below count.
  template <class Work>
  void for_each(std::size_t count, Work work) {
    std::atomic<std::size_t> next = 0;
    pool_.run([&](int thread) {
      for (std::size_t i = next++; i < count; i = next++) work(i, thread);
    });
  }

  // Goes on until there is a question, or nothing left to do.
  void go_on(int number) {
    Half& half = at(number);
    while (true) {
      replace_finished(half);
      for_each(half.active.size(), [&](std::size_t i, int) {
        if (half.active[i]->nodes.empty()) deal(*half.active[i]);
      });
      const std::int32_t rows = number_rows(half, number);
      writer_.resize(half.questions.renew(), static_cast<std::size_t>(rows), 0);
      for_each(half.active.size(), [&](std::size_t i, int thread) { write_rows(half, *half.active[i], thread); });
      if (rows > 0 || half.active.empty()) return;
      advance(half, {});
    }
  }

  // Finished traversals make room for the next ones, as long as there are any.
  void replace_finished(Half& half) {
    std::size_t kept = 0;
    for (std::unique_ptr<Traversal>& place : half.active) {
      if (place && place->is_over()) hand_on(std::move(place));
      if (!place && next_ < end_) place = new_traversal();
      if (place) half.active[kept++] = std::move(place);
    }
    half.active.resize(kept);
  }

  void hand_on(std::unique_ptr<Traversal> traversal) {
    num_nodes_ += static_cast<std::int64_t>(traversal->nodes.size()) + traversal->num_endings;
    ++num_finished_;
    const auto place = static_cast<std::size_t>(traversal->number - next_taken_);
    if (place >= finished_.size()) finished_.resize(place + 1);
    finished_[place] = std::move(traversal);
  }

  // For its memory, unless that is large: few traversals are, and in time every one would have held one of these.
  void put_aside(std::unique_ptr<Traversal> traversal) {
    if (traversal && traversal->nodes.capacity() <= kMostKeptNodes) spare_.push_back(std::move(traversal));
  }
  static constexpr std::size_t kMostKeptNodes = 512;

  std::unique_ptr<Traversal> new_traversal() {
    std::unique_ptr<Traversal> traversal;
    if (spare_.empty()) {
      traversal = std::make_unique<Traversal>();
    } else {
      traversal = std::move(spare_.back());
      spare_.pop_back();
    }
    traversal->number = next_++;
    traversal->nodes.clear();
    return traversal;
  }

  void deal(Traversal& t) const {
    Random random = randomness(t);
    if (deals_) {
      const std::size_t drawn = deals_->draw(random, traverser_);
      t.deal = deals_->deal(drawn);
      t.weight = deals_->weight(drawn);
    } else {
      t.deal = game_->deal(random);
    }
    for (Player p = 0; p < num_players(); ++p) t.hands[p] = game_->hand(t.deal, p);
    t.level = t.num_advantages = t.known_shares = 0;
    t.num_endings = 0;
    t.waiting.assign(1, Waiting(game_->root()));
    t.num_waiting = {};
    play_on(t, t.waiting[0].state);
    add_node(t, t.waiting[0], -1, {}, 0);
    resize(t);
  }

  Random randomness(const Traversal& t) const {
    return Random{options_.seed, iteration_, static_cast<std::uint64_t>(traverser_), static_cast<std::uint64_t>(t.number)};
  }
  // The key of the slot chosen at a public state of a traversal.
  Random randomness(const Traversal& t, const typename G::State& state) const {
    return Random{options_.seed, iteration_, static_cast<std::uint64_t>(traverser_), static_cast<std::uint64_t>(t.number),
                  state.key};
  }

  void play_on(const Traversal& t, typename G::State& state) const {
    while (game_->actor(state) == kChance) game_->reveal(state, t.deal);
  }

  void add_node(Traversal& t, Waiting& waiting, std::int32_t parent, Step step, std::uint16_t depth) const {
    const Player actor = game_->actor(waiting.state);
    waiting.choices.find(*game_, waiting.state);
    const std::uint64_t infoset = infoset_key(waiting.state.key, static_cast<std::uint64_t>(t.hands[actor]), actor);
    t.nodes.push_back({parent, step, depth, static_cast<std::int8_t>(actor), 0, waiting.choices.legal(), infoset,
                       has_baselines() ? history_key(t, waiting.state) : infoset,
                       static_cast<float>(game_->stake(waiting.state) / game_->unit())});
    ++t.num_waiting[static_cast<std::size_t>(actor)];
    if (actor == traverser_) ++t.num_advantages;
  }

  std::uint64_t history_key(const Traversal& t, const typename G::State& state) const {
    std::uint64_t key = state.key;
    for (Player p = 0; p < num_players(); ++p) key = infoset_key(key, static_cast<std::uint64_t>(t.hands[p]), p);
    return key;
  }

  void resize(Traversal& t) const {
    for (std::size_t e = 0; e < encoders_.size(); ++e) t.rows[e].resize(t.nodes.size() * row_bytes(e));
    for (const auto column : {&Traversal::sigmas, &Traversal::values}) (t.*column).resize(t.nodes.size() * actions_);
    if (!has_baselines()) return;
    for (const auto column : {&Traversal::baselines, &Traversal::outcomes}) (t.*column).resize(t.nodes.size() * actions_);
  }

  // Gives every waiting node its row or kept answer, or every traversal its first rows where all nodes ask; the number of rows.
  std::int32_t number_rows(Half& half, int number) {
    std::array<std::int32_t, kMaxPlayers> counts{};
    for (const std::unique_ptr<Traversal>& t : half.active) {
      t->first_rows = counts;
      if (kept_.keeps_any())
        find_sources(*t, number, counts);
      else
        for (std::size_t p = 0; p < counts.size(); ++p) counts[p] += t->num_waiting[p];
    }
    std::int32_t rows = 0;
    for (std::size_t p = 0; p < counts.size(); ++p) {
      half.bases[p] = rows;
      rows += counts[p];
    }
    return rows;
  }

  void find_sources(Traversal& t, int half, std::array<std::int32_t, kMaxPlayers>& counts) {
    for (std::size_t i = 0; i < t.waiting.size(); ++i) {
      const Node& node = t.nodes[t.level + i];
      std::int32_t& count = counts[static_cast<std::size_t>(node.actor)];
      t.waiting[i].asks = !find_kept(t.waiting[i], node, half, count);
      if (t.waiting[i].asks) t.waiting[i].source = count++;
    }
  }

  // Whether the node need not ask, because its answer is kept or on the way. If it must, it does so as `row`.
  bool find_kept(Waiting& waiting, const Node& node, int half, std::int32_t row) {
    KeptAnswers::Entry* entry = kept_.find(node.key);
    if (entry == nullptr) return false;
    if (entry->is_free()) {
      entry->asked_by = half;
      entry->row = row;
      return false;
    }
    if (entry->index < 0 && entry->asked_by != half) return false;
    waiting.source = entry->index >= 0 ? ~entry->index : entry->row;
    return true;
  }

  void write_rows(Half& half, Traversal& t, int thread) {
    std::vector<Step>& history = histories_[static_cast<std::size_t>(thread)];
    const std::vector<EncodedRows>& encoded = half.questions->encoded;
    for (std::size_t i = 0; i < t.waiting.size(); ++i) {
      const std::size_t n = t.level + i;
      const Node& node = t.nodes[n];
      Waiting& waiting = t.waiting[i];
      if (!kept_.keeps_any()) waiting.source = t.first_rows[static_cast<std::size_t>(node.actor)]++;
      if (!waiting.asks && !is_recorded(node) && !has_baselines()) continue;
      find_history(t, n, history);
      if (!waiting.asks) {
        for (std::size_t e = 0; e < encoders_.size(); ++e)
          encoders_[e]->write(waiting.state, t.deal, node.actor, history, t.rows[e].data() + n * row_bytes(e));
        continue;
      }
      const auto row = static_cast<std::size_t>(half.bases[static_cast<std::size_t>(node.actor)] + waiting.source);
      QuestionCursor cursor{row, 0};
      writer_.write(*half.questions, cursor, writer_.spot(waiting.state, history, t.number, node.legal), t.deal);
      for (std::size_t e = 0; e < encoders_.size(); ++e)
        std::copy_n(encoded[e].bytes.data() + row * row_bytes(e), row_bytes(e), t.rows[e].data() + n * row_bytes(e));
    }
  }

  bool is_recorded(const Node& node) const { return node.actor == traverser_ || options_.record_strategies; }

  static void find_history(const Traversal& t, std::size_t n, std::vector<Step>& history) {
    history.resize(t.nodes[n].depth);
    for (std::size_t left = history.size(); left > 0; n = static_cast<std::size_t>(t.nodes[n].parent))
      history[--left] = t.nodes[n].step;
  }

  void check(Half& half, const Answers& answers) {
    const Questions& questions = *half.questions;
    half.sums.resize(static_cast<std::size_t>(questions.batch));
    const std::int64_t bad = first_bad_row(questions.batch, pool_, [&](std::int64_t row) {
      const std::size_t first = static_cast<std::size_t>(row) * actions_;
      float& sum = half.sums[static_cast<std::size_t>(row)];
      sum = legal_sum(legal_mask(questions.legal.data() + first, actions_), answers.probabilities + first);
      return sum > 0 && are_finite(answers.baselines, first);
    });
    if (bad == questions.batch) return;
    const bool has_sum = half.sums[static_cast<std::size_t>(bad)] > 0;
    throw std::invalid_argument("answer, row " + std::to_string(bad) + ": " +
                                (has_sum ? "baselines must be finite" : kNoDistribution));
  }

  bool are_finite(const float* baselines, std::size_t first) const {
    return baselines == nullptr ||
           std::all_of(baselines + first, baselines + first + actions_, [](float x) { return std::isfinite(x); });
  }

  void keep(Half& half, int number, const Answers& answers) {
    std::vector<float> answer(2 * actions_);
    for (const std::unique_ptr<Traversal>& t : half.active)
      for (std::size_t i = 0; i < t->waiting.size(); ++i) {
        if (!t->waiting[i].asks) continue;
        const Node& node = t->nodes[t->level + i];
        KeptAnswers::Entry* entry = kept_.find_asked(node.key, number);
        if (entry == nullptr) continue;
        const auto row = static_cast<std::size_t>(half.bases[static_cast<std::size_t>(node.actor)] + t->waiting[i].source);
        read_answer(half, answers, row, node.legal, answer.data(), answer.data() + actions_);
        kept_.keep(*entry, answer.data());
      }
  }

  void read_answer(const Half& half, const Answers& answers, std::size_t row, ActionMask legal, float* sigma,
                   float* baselines) const {
    const float *probabilities = answers.probabilities + row * actions_, sum = half.sums[row];
    std::fill_n(sigma, actions_, 0.f);
    for (; legal != 0; legal &= legal - 1) sigma[std::countr_zero(legal)] = probabilities[std::countr_zero(legal)] / sum;
    if (has_baselines()) std::copy_n(answers.baselines + row * actions_, actions_, baselines);
  }

  // Every traversal of a half goes on by one level.
  void advance(Half& half, const Answers& answers) {
    for_each(half.active.size(), [&](std::size_t i, int) {
      Traversal& t = *half.active[i];
      read_answers(half, t, answers);
      expand(t);
      if (t.is_over()) find_values(t);
    });
  }

  void read_answers(const Half& half, Traversal& t, const Answers& answers) const {
    for (std::size_t i = 0; i < t.waiting.size(); ++i) {
      const Node& node = t.nodes[t.level + i];
      const std::size_t first = (t.level + i) * actions_;
      float *sigma = t.sigmas.data() + first, *baselines = has_baselines() ? t.baselines.data() + first : nullptr;
      if (t.waiting[i].source < 0) {
        const float* kept = kept_.answer(~t.waiting[i].source);
        std::copy_n(kept, actions_, sigma);
        if (has_baselines()) std::copy_n(kept + actions_, actions_, baselines);
        continue;
      }
      const auto row = static_cast<std::size_t>(half.bases[static_cast<std::size_t>(node.actor)] + t.waiting[i].source);
      read_answer(half, answers, row, node.legal, sigma, baselines);
    }
  }

  void expand(Traversal& t) const {
    t.next.clear();
    t.num_waiting = {};
    const std::size_t end = t.nodes.size();
    for (std::size_t n = t.level; n < end; ++n) {
      const Waiting& waiting = t.waiting[n - t.level];
      if (follows_all(t.nodes[n])) {
        for (ActionMask rest = t.nodes[n].legal; rest != 0; rest &= rest - 1) follow(t, n, waiting, std::countr_zero(rest));
      } else {
        t.nodes[n].chosen = choose(t, n, waiting.state);
        follow(t, n, waiting, t.nodes[n].chosen);
      }
    }
    t.level = end;
    t.waiting.swap(t.next);
    if (!t.is_over()) resize(t);
  }

  bool follows_all(const Node& node) const { return node.actor == traverser_ && options_.sampling == TraversalSampling::kExternal; }

  std::uint8_t choose(const Traversal& t, std::size_t n, const typename G::State& state) const {
    const Node& node = t.nodes[n];
    Random random = randomness(t, state);
    std::array<float, kMaxActions> mixed;
    const float* sigma = t.sigmas.data() + n * actions_;
    if (node.actor == traverser_) {
      for (std::size_t a = 0; a < actions_; ++a) mixed[a] = chance_to_follow(node, sigma, a);
      sigma = mixed.data();
    }
    return static_cast<std::uint8_t>(sample_slot(node.legal, sigma, 1.f, random));
  }

  // The probability that outcome sampling follows a slot of the traverser.
  float chance_to_follow(const Node& node, const float* sigma, std::size_t a) const {
    const float uniform = options_.epsilon / static_cast<float>(std::popcount(node.legal));
    return (node.legal >> a & 1) != 0 ? uniform + (1 - options_.epsilon) * sigma[a] : 0;
  }

  void follow(Traversal& t, std::size_t n, const Waiting& waiting, int slot) const {
    Waiting& child = t.next.emplace_back(waiting.state);
    const Step step = waiting.choices.take(*game_, child.state, slot);
    play_on(t, child.state);
    if (game_->actor(child.state) >= 0)
      return add_node(t, child, static_cast<std::int32_t>(n), step, static_cast<std::uint16_t>(t.nodes[n].depth + 1));
    const std::size_t place = n * actions_ + static_cast<std::size_t>(slot);
    t.values[place] = payoff(t, waiting.state, child.state);
    if (has_baselines()) t.outcomes[place] = t.values[place];
    ++t.num_endings;
    t.next.pop_back();
  }

  // The payoff of the traverser, in units, at an ending that came after a decision at `before`.
  float payoff(Traversal& t, const typename G::State& before, const typename G::State& state) const {
    if constexpr (std::is_same_v<G, Poker>)
      if (is_all_in(before, state)) return all_in_payoff(t, before.num_board, state);
    std::array<std::int32_t, kMaxPlayers> payoffs;
    game_->payoffs(state, t.deal, {payoffs.data(), static_cast<std::size_t>(num_players())});
    return static_cast<float>(payoffs[static_cast<std::size_t>(traverser_)] / game_->unit());
  }

  // Whether two players have shown their cards before the last ones of the board, and are to share the pot over all of them.
  bool is_all_in(const PokerState& before, const PokerState& state) const {
    return options_.runouts > 0 && num_players() == 2 && !std::has_single_bit(state.live) && before.num_board < state.num_board;
  }

  float all_in_payoff(Traversal& t, int num_board, const PokerState& state) const {
    Shares& shares = t.shares[static_cast<std::size_t>(num_board)];
    if ((t.known_shares >> num_board & 1) == 0) {
      const Random random{options_.seed,
                          iteration_,
                          static_cast<std::uint64_t>(traverser_),
                          static_cast<std::uint64_t>(t.number),
                          kRunoutStream,
                          static_cast<std::uint64_t>(num_board)};
      shares = all_in_shares(*game_, t.deal, num_board, options_.runouts, random);
      t.known_shares |= 1u << num_board;
    }
    const std::array<double, 3> payoffs = game_->ending(state).payoffs[static_cast<std::size_t>(traverser_)];
    double sum = 0;
    for (std::size_t i = 0; i < 3; ++i) sum += static_cast<double>(shares[traverser_ == 0 ? i : 2 - i]) * payoffs[i];
    return static_cast<float>(sum / game_->unit());
  }
  static constexpr std::uint64_t kRunoutStream = 2;  // slots are drawn by the keys of public states

  // From the last node up to the root.
  void find_values(Traversal& t) const {
    t.worths.resize(t.nodes.size());
    for (std::size_t n = t.nodes.size(); n-- > 0;) {
      const Node& node = t.nodes[n];
      float* values = t.values.data() + n * actions_;
      const float* sigma = t.sigmas.data() + n * actions_;
      const float* baselines = has_baselines() ? t.baselines.data() + n * actions_ : nullptr;
      if (node.actor == traverser_) {
        estimate(node, sigma, baselines, values);
        t.worths[n] = mean(node, sigma, values);
      } else {
        t.worths[n] = values[node.chosen];
        if (has_baselines()) t.worths[n] += mean(node, sigma, baselines) - baselines[node.chosen];
      }
      if (node.parent < 0) continue;
      const std::size_t above = static_cast<std::size_t>(node.parent) * actions_ + node.step.slot;
      t.values[above] = t.worths[n];
      if (has_baselines()) t.outcomes[above] = mean(node, sigma, baselines);
    }
  }

  static float mean(const Node& node, const float* sigma, const float* values) {
    double sum = 0;
    for (ActionMask rest = node.legal; rest != 0; rest &= rest - 1)
      sum += static_cast<double>(sigma[std::countr_zero(rest)]) * static_cast<double>(values[std::countr_zero(rest)]);
    return static_cast<float>(sum);
  }

  // Values of the traverser's slots. Where only one was followed, what it lacks to its baseline, which is 0 where there
  // are none, counts as much more as it was unlikely; the others are worth their baselines.
  void estimate(const Node& node, const float* sigma, const float* baselines, float* values) const {
    if (options_.baselines == TraversalBaselines::kTargets) return static_cast<void>(std::copy_n(baselines, actions_, values));
    if (follows_all(node)) return;
    const float said = baselines != nullptr ? baselines[node.chosen] : 0;
    const float found = said + (values[node.chosen] - said) / chance_to_follow(node, sigma, node.chosen);
    for (std::size_t a = 0; a < actions_; ++a) values[a] = baselines != nullptr ? baselines[a] : 0;
    values[node.chosen] = found;
  }

  void resize(TraversalSamples::Part& part, std::size_t size, std::size_t encoder) const {
    part.row_bytes = row_bytes(encoder);
    part.rows.resize(size * part.row_bytes);
    part.legal.resize(size * actions_);
    part.numbers.resize(size * actions_);
    part.weights.resize(size);
    part.infosets.resize(size);
  }

  void write_samples(const Traversal& t, Places places, TraversalSamples& samples) const {
    for (std::size_t n = 0; n < t.nodes.size(); ++n) {
      const Node& node = t.nodes[n];
      if (node.actor == traverser_) {
        samples.values[places.advantage] = t.worths[n];
        samples.stakes[places.advantage] = node.stake;
        write_sample(t, n, 0, node.legal, t.values, t.worths[n], samples.advantages, places.advantage++);
      } else if (options_.record_strategies) {
        samples.actors[places.strategy] = static_cast<std::uint8_t>(node.actor);
        write_sample(t, n, 0, node.legal, t.sigmas, 0, samples.strategies, places.strategy++);
      }
      if (!has_baselines()) continue;
      const ActionMask followed = follows_all(node) ? node.legal : ActionMask{1} << node.chosen;
      write_sample(t, n, 1, followed, t.outcomes, 0, samples.outcomes, places.outcome++);
    }
  }

  // The row of an encoder at node n, with these numbers of some slots, less what they are worth together.
  void write_sample(const Traversal& t, std::size_t n, std::size_t encoder, ActionMask slots, const std::vector<float>& numbers,
                    float worth, TraversalSamples::Part& part, std::size_t to) const {
    std::copy_n(t.rows[encoder].data() + n * part.row_bytes, part.row_bytes, part.rows.data() + to * part.row_bytes);
    part.weights[to] = t.weight;
    part.infosets[to] = t.nodes[n].infoset;
    for (std::size_t a = 0; a < actions_; ++a) {
      const bool is_there = (slots >> a & 1) != 0;
      part.legal[to * actions_ + a] = is_there;
      part.numbers[to * actions_ + a] = is_there ? numbers[n * actions_ + a] - worth : 0;
    }
  }

  std::shared_ptr<const G> game_;
  TraversalOptions options_;
  std::shared_ptr<const DealPoolOf<G>> deals_;  // may be none
  std::size_t actions_;
  std::vector<std::shared_ptr<const EncoderOf<G>>> encoders_;  // what the actor sees, and with baselines what all see
  QuestionWriter<G> writer_;
  ThreadPool pool_;
  std::vector<std::vector<Step>> histories_;  // [threads]
  KeptAnswers kept_;
  std::vector<Half> halves_;
  std::vector<std::unique_ptr<Traversal>> spare_;
  std::deque<std::unique_ptr<Traversal>> finished_;  // from next_taken_ on; empty: under way
  std::uint64_t iteration_ = 0;
  Player traverser_ = 0;
  std::int64_t end_ = 0, next_ = 0, next_taken_ = 0, num_finished_ = 0;
  std::int64_t num_nodes_ = 0, num_questions_ = 0;
};

void validate(const TraversalOptions& options) {
  if (options.in_flight < 1 || options.in_flight > 1 << 20) throw std::invalid_argument("in_flight: must be 1 to 1,048,576");
  if (options.halves < 1 || options.halves > 2) throw std::invalid_argument("halves: must be 1 or 2");
  if (options.in_flight < options.halves) throw std::invalid_argument("in_flight: must be as many as there are halves");
  if (options.threads < 1 || options.threads > 1024) throw std::invalid_argument("threads: must be 1 to 1,024");
  if (options.runouts < 0 || options.runouts > 1 << 20) throw std::invalid_argument("runouts: must be 0 to 1,048,576");
  if (options.kept_answers < 0 || options.kept_answers > 1 << 28) throw std::invalid_argument("kept_answers: must be 0 to 2^28");
  if (!(options.epsilon > 0 && options.epsilon <= 1)) throw std::invalid_argument("epsilon: must be above 0 and at most 1");
}

}  // namespace

std::unique_ptr<Traversals> make_traversals(const AnyGame& any, const TraversalOptions& options,
                                            std::shared_ptr<const DealPool> deals) {
  validate(options);
  const auto make = [&]<EpisodeGame G>(std::shared_ptr<const G> game) -> std::unique_ptr<Traversals> {
    auto pool = std::dynamic_pointer_cast<const DealPoolOf<G>>(deals);
    if (deals && (!pool || &pool->game() != game.get())) throw std::invalid_argument("deals: are of another game");
    if (deals && deals->size() < static_cast<std::size_t>(game->num_players()))
      throw std::invalid_argument("deals: must be at least one for each seat");
    return std::make_unique<TraversalsOf<G>>(std::move(game), options, std::move(pool));
  };
  return with_game(any, "traversals need episodes", make);
}

}  // namespace regretless
