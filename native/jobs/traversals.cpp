// SPDX-License-Identifier: MIT
#include "jobs/traversals.h"

#include <array>
#include <atomic>
#include <bit>
#include <deque>
#include <limits>
#include <stdexcept>
#include <string>

#include "jobs/answers.h"
#include "jobs/choices.h"
#include "jobs/kept_answers.h"
#include "jobs/lent.h"
#include "threads/thread_pool.h"

namespace regretless {
namespace {

template <Game G>
class TraversalsOf final : public Traversals {
 public:
  TraversalsOf(std::shared_ptr<const G> game, const TraversalOptions& options)
      : game_(std::move(game)),
        options_(options),
        actions_(static_cast<std::size_t>(game_->num_actions())),
        encoder_(make_encoder(options.encoder, game_, options.buckets)),
        row_bytes_(static_cast<std::size_t>(encoder_->layout().row_bytes())),
        writer_(game_, {.encoders = {options.encoder}, .buckets = options.buckets}, options.seed),
        pool_(options.threads),
        histories_(static_cast<std::size_t>(options.threads)),
        kept_(options.kept_answers, game_->num_actions()),
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
    for (auto& traversal : finished_) spare_.push_back(std::move(traversal));
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

  void answer(int half, const float* probabilities) override {
    Half& asked = at(half);
    const Questions& questions = *asked.questions;
    if (questions.batch == 0) throw std::logic_error("there is no open question to answer");
    check(asked, probabilities);
    num_questions_ += questions.batch;
    if (kept_.keeps_any()) keep(asked, half, probabilities);
    advance(asked, probabilities);
    go_on(half);
  }

  TraversalSamples take_samples() override {
    std::size_t count = 0, advantages = 0, strategies = 0;
    std::vector<std::array<std::size_t, 2>> firsts;
    for (; count < finished_.size() && finished_[count]; ++count) {
      firsts.push_back({advantages, strategies});
      advantages += finished_[count]->num_advantages;
      if (options_.record_strategies) strategies += finished_[count]->nodes.size() - finished_[count]->num_advantages;
    }
    TraversalSamples samples;
    samples.num_actions = actions_;
    samples.row_bytes = row_bytes_;
    resize(samples.advantages, advantages);
    resize(samples.strategies, strategies);
    samples.values.resize(advantages);
    samples.actors.resize(strategies);
    for_each(count, [&](std::size_t i, int) { write_samples(*finished_[i], firsts[i], samples); });
    for (; count > 0; --count) {
      spare_.push_back(std::move(finished_.front()));
      finished_.pop_front();
      ++next_taken_;
    }
    return samples;
  }

 private:
  // A decision of a traversal. Its row, strategy and values stand in arrays of the traversal.
  struct Node {
    std::int32_t parent;  // -1 at the root
    Step step;            // that led here from there
    std::uint16_t depth;  // steps so far
    std::int8_t actor;
    std::uint8_t chosen;  // the slot followed, where it is only one
    ActionMask legal;
    std::uint64_t infoset;
  };

  // What is needed of a node only while it waits.
  struct Waiting {
    typename G::State state;
    Choices<G> choices;
    std::int32_t source;  // its row among the questions of its actor, or ~ the index of a kept answer
    bool asks;            // it is the one whose question that row is
  };

  struct Traversal {
    std::int64_t number = 0;
    typename G::Deal deal;
    std::array<Hand, kMaxPlayers> hands;
    std::vector<Node> nodes;             // level by level
    std::vector<std::uint8_t> rows;      // [nodes, row_bytes]
    std::vector<float> sigmas, values;   // [nodes, actions]: the strategy, and what slots are worth to the traverser, in units
    std::vector<float> worths;           // [nodes], once it is over
    std::size_t level = 0;               // the first node that waits
    std::vector<Waiting> waiting, next;  // the nodes from there on
    std::array<std::int32_t, kMaxPlayers> first_rows;  // where its questions begin among those of each actor
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
      advance(half, nullptr);
    }
  }

  // Those that are over make room for the next ones, as long as there are any.
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
    t.deal = game_->deal(random);
    for (Player p = 0; p < num_players(); ++p) t.hands[p] = game_->hand(t.deal, p);
    t.level = t.num_advantages = 0;
    t.num_endings = 0;
    t.waiting.assign(1, {game_->root(), {}, 0, false});
    play_on(t, t.waiting[0].state);
    add_node(t, t.waiting[0], -1, {}, 0);
    resize(t);
  }

  Random randomness(const Traversal& t) const {
    return Random{options_.seed, iteration_, static_cast<std::uint64_t>(traverser_), static_cast<std::uint64_t>(t.number)};
  }
  // Of the slot chosen at a public state of a traversal.
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
    t.nodes.push_back({parent, step, depth, static_cast<std::int8_t>(actor), 0, waiting.choices.legal(),
                       infoset_key(waiting.state.key, static_cast<std::uint64_t>(t.hands[actor]), actor)});
    if (actor == traverser_) ++t.num_advantages;
  }

  void resize(Traversal& t) const {
    t.rows.resize(t.nodes.size() * row_bytes_);
    t.sigmas.resize(t.nodes.size() * actions_);
    t.values.resize(t.nodes.size() * actions_);
  }

  // Gives every waiting node its row or kept answer; the number of rows.
  std::int32_t number_rows(Half& half, int number) {
    std::array<std::int32_t, kMaxPlayers> counts{};
    for (const std::unique_ptr<Traversal>& t : half.active) {
      t->first_rows = counts;
      for (std::size_t i = 0; i < t->waiting.size(); ++i) {
        const Node& node = t->nodes[t->level + i];
        std::int32_t& count = counts[static_cast<std::size_t>(node.actor)];
        Waiting& waiting = t->waiting[i];
        waiting.asks = !find_kept(waiting, node, number, count);
        if (waiting.asks) waiting.source = count++;
      }
    }
    std::int32_t rows = 0;
    for (std::size_t p = 0; p < counts.size(); ++p) {
      half.bases[p] = rows;
      rows += counts[p];
    }
    return rows;
  }

  // Whether the node need not ask, because its answer is kept or on the way. If it must, it does so as `row`.
  bool find_kept(Waiting& waiting, const Node& node, int half, std::int32_t row) {
    if (!kept_.keeps_any()) return false;
    KeptAnswers::Entry* entry = kept_.find(node.infoset);
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
    EncodedRows& encoded = half.questions->encoded[0];
    for (std::size_t i = 0; i < t.waiting.size(); ++i) {
      const std::size_t n = t.level + i;
      const Node& node = t.nodes[n];
      const Waiting& waiting = t.waiting[i];
      if (!waiting.asks && !is_recorded(node)) continue;
      find_history(t, n, history);
      std::uint8_t* row = t.rows.data() + n * row_bytes_;
      if (!waiting.asks) {
        encoder_->write(waiting.state, t.deal, node.actor, history, row);
        continue;
      }
      QuestionCursor cursor{static_cast<std::size_t>(half.bases[static_cast<std::size_t>(node.actor)] + waiting.source), 0};
      const std::uint8_t* written = encoded.bytes.data() + cursor.row * row_bytes_;
      writer_.write(*half.questions, cursor, writer_.spot(waiting.state, history, t.number, node.legal), t.deal);
      std::copy_n(written, row_bytes_, row);
    }
  }

  bool is_recorded(const Node& node) const { return node.actor == traverser_ || options_.record_strategies; }

  static void find_history(const Traversal& t, std::size_t n, std::vector<Step>& history) {
    history.resize(t.nodes[n].depth);
    for (std::size_t left = history.size(); left > 0; n = static_cast<std::size_t>(t.nodes[n].parent))
      history[--left] = t.nodes[n].step;
  }

  void check(Half& half, const float* probabilities) {
    const Questions& questions = *half.questions;
    half.sums.resize(static_cast<std::size_t>(questions.batch));
    std::atomic<std::int64_t> bad = questions.batch;
    constexpr std::int64_t kChunk = 4096;
    for_each(static_cast<std::size_t>((questions.batch + kChunk - 1) / kChunk), [&](std::size_t chunk, int) {
      const std::int64_t begin = static_cast<std::int64_t>(chunk) * kChunk, end = std::min(begin + kChunk, questions.batch);
      for (std::int64_t row = begin; row < end; ++row) {
        ActionMask legal = 0;
        for (std::size_t a = 0; a < actions_; ++a)
          legal |= ActionMask{questions.legal[static_cast<std::size_t>(row) * actions_ + a]} << a;
        half.sums[static_cast<std::size_t>(row)] = legal_sum(legal, probabilities + static_cast<std::size_t>(row) * actions_);
        if (half.sums[static_cast<std::size_t>(row)] > 0) continue;
        for (std::int64_t seen = bad; row < seen && !bad.compare_exchange_weak(seen, row);) {
        }
      }
    });
    if (bad < questions.batch) throw std::invalid_argument("answer, row " + std::to_string(bad) + ": " + kNoDistribution);
  }

  void keep(Half& half, int number, const float* probabilities) {
    std::vector<float> sigma(actions_);
    for (const std::unique_ptr<Traversal>& t : half.active)
      for (std::size_t i = 0; i < t->waiting.size(); ++i) {
        if (!t->waiting[i].asks) continue;
        const Node& node = t->nodes[t->level + i];
        KeptAnswers::Entry* entry = kept_.find_asked(node.infoset, number);
        if (entry == nullptr) continue;
        const auto row = static_cast<std::size_t>(half.bases[static_cast<std::size_t>(node.actor)] + t->waiting[i].source);
        normalize(node.legal, probabilities + row * actions_, half.sums[row], sigma.data());
        kept_.keep(*entry, sigma.data());
      }
  }

  void normalize(ActionMask legal, const float* probabilities, float sum, float* sigma) const {
    std::fill_n(sigma, actions_, 0.f);
    for (; legal != 0; legal &= legal - 1) sigma[std::countr_zero(legal)] = probabilities[std::countr_zero(legal)] / sum;
  }

  // Every traversal of a half goes on by one level.
  void advance(Half& half, const float* probabilities) {
    for_each(half.active.size(), [&](std::size_t i, int) {
      Traversal& t = *half.active[i];
      read_sigmas(half, t, probabilities);
      expand(t);
      if (t.is_over()) find_values(t);
    });
  }

  void read_sigmas(const Half& half, Traversal& t, const float* probabilities) const {
    for (std::size_t i = 0; i < t.waiting.size(); ++i) {
      const Node& node = t.nodes[t.level + i];
      float* sigma = t.sigmas.data() + (t.level + i) * actions_;
      if (t.waiting[i].source < 0) {
        std::copy_n(kept_.answer(~t.waiting[i].source), actions_, sigma);
        continue;
      }
      const auto row = static_cast<std::size_t>(half.bases[static_cast<std::size_t>(node.actor)] + t.waiting[i].source);
      normalize(node.legal, probabilities + row * actions_, half.sums[row], sigma);
    }
  }

  void expand(Traversal& t) const {
    t.next.clear();
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
    return static_cast<std::uint8_t>(sample_slot(node.legal, sigma, 1, random));
  }

  // How likely outcome sampling is to follow a slot of the traverser.
  float chance_to_follow(const Node& node, const float* sigma, std::size_t a) const {
    const float uniform = options_.epsilon / static_cast<float>(std::popcount(node.legal));
    return (node.legal >> a & 1) != 0 ? uniform + (1 - options_.epsilon) * sigma[a] : 0;
  }

  void follow(Traversal& t, std::size_t n, const Waiting& waiting, int slot) const {
    Waiting& child = t.next.emplace_back(waiting);
    const Step step = waiting.choices.take(*game_, child.state, slot);
    play_on(t, child.state);
    if (game_->actor(child.state) >= 0)
      return add_node(t, child, static_cast<std::int32_t>(n), step, static_cast<std::uint16_t>(t.nodes[n].depth + 1));
    t.values[n * actions_ + static_cast<std::size_t>(slot)] = payoff(t, child.state);
    ++t.num_endings;
    t.next.pop_back();
  }

  float payoff(const Traversal& t, const typename G::State& state) const {
    std::array<std::int32_t, kMaxPlayers> payoffs;
    game_->payoffs(state, t.deal, {payoffs.data(), static_cast<std::size_t>(num_players())});
    return static_cast<float>(payoffs[static_cast<std::size_t>(traverser_)] / game_->unit());
  }

  // From the last node up to the root.
  void find_values(Traversal& t) const {
    t.worths.resize(t.nodes.size());
    for (std::size_t n = t.nodes.size(); n-- > 0;) {
      const Node& node = t.nodes[n];
      float* values = t.values.data() + n * actions_;
      const float* sigma = t.sigmas.data() + n * actions_;
      if (node.actor == traverser_ && !follows_all(node)) correct(node, sigma, values);
      t.worths[n] = node.actor == traverser_ ? mean(node, sigma, values) : values[node.chosen];
      if (node.parent >= 0) t.values[static_cast<std::size_t>(node.parent) * actions_ + node.step.slot] = t.worths[n];
    }
  }

  static float mean(const Node& node, const float* sigma, const float* values) {
    double sum = 0;
    for (ActionMask rest = node.legal; rest != 0; rest &= rest - 1)
      sum += static_cast<double>(sigma[std::countr_zero(rest)]) * static_cast<double>(values[std::countr_zero(rest)]);
    return static_cast<float>(sum);
  }

  // Of the slots of the traverser only one was followed: its value counts as much more as it was unlikely.
  void correct(const Node& node, const float* sigma, float* values) const {
    const float found = values[node.chosen] / chance_to_follow(node, sigma, node.chosen);
    for (ActionMask rest = node.legal; rest != 0; rest &= rest - 1) values[std::countr_zero(rest)] = 0;
    values[node.chosen] = found;
  }

  void resize(TraversalSamples::Part& part, std::size_t size) const {
    part.rows.resize(size * row_bytes_);
    part.legal.resize(size * actions_);
    part.numbers.resize(size * actions_);
    part.infosets.resize(size);
  }

  void write_samples(const Traversal& t, std::array<std::size_t, 2> firsts, TraversalSamples& samples) const {
    auto [advantage, strategy] = firsts;
    for (std::size_t n = 0; n < t.nodes.size(); ++n) {
      const Node& node = t.nodes[n];
      if (!is_recorded(node)) continue;
      const bool is_mine = node.actor == traverser_;
      TraversalSamples::Part& part = is_mine ? samples.advantages : samples.strategies;
      const std::size_t to = is_mine ? advantage++ : strategy++;
      std::copy_n(t.rows.data() + n * row_bytes_, row_bytes_, part.rows.data() + to * row_bytes_);
      part.infosets[to] = node.infoset;
      const float* from = (is_mine ? t.values : t.sigmas).data() + n * actions_;
      for (std::size_t a = 0; a < actions_; ++a) {
        const bool is_legal = (node.legal >> a & 1) != 0;
        part.legal[to * actions_ + a] = is_legal;
        part.numbers[to * actions_ + a] = !is_legal ? 0 : is_mine ? from[a] - t.worths[n] : from[a];
      }
      if (is_mine)
        samples.values[to] = t.worths[n];
      else
        samples.actors[to] = static_cast<std::uint8_t>(node.actor);
    }
  }

  std::shared_ptr<const G> game_;
  TraversalOptions options_;
  std::size_t actions_;
  std::shared_ptr<const EncoderOf<G>> encoder_;
  std::size_t row_bytes_;
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
  if (options.kept_answers < 0 || options.kept_answers > 1 << 28) throw std::invalid_argument("kept_answers: must be 0 to 2^28");
  if (!(options.epsilon > 0 && options.epsilon <= 1)) throw std::invalid_argument("epsilon: must be above 0 and at most 1");
}

}  // namespace

std::unique_ptr<Traversals> make_traversals(std::shared_ptr<const Poker> game, const TraversalOptions& options) {
  validate(options);
  return std::make_unique<TraversalsOf<Poker>>(std::move(game), options);
}

std::unique_ptr<Traversals> make_traversals(std::shared_ptr<const LiarsDice> game, const TraversalOptions& options) {
  validate(options);
  return std::make_unique<TraversalsOf<LiarsDice>>(std::move(game), options);
}

}  // namespace regretless
