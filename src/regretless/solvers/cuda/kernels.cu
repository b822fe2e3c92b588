// SPDX-License-Identifier: MIT
// Kernels of the CFR family for hold'em on public trees (docs/cuda.md). NVRTC compiles this file for a device;
// tests compile the same file for a CPU.
//
// Rows. A board is a set of public cards. Each player has a list of the hands that are possible on a board: by strength where a
// showdown is on it, else by place in the range. A row has one number for each hand of such a list, padded to a multiple of 32;
// offsets of rows count units of 32 numbers. Children of a decision have their rows one after the other.
//
// An iteration of a player: `spread` takes the opponent's reaches down, street by street; `value_endings` values all endings;
// `back_up` takes values up through a street and updates the tables; `add_outcomes` sums over cards, `even_out` takes means over
// hands that are equal up to suits. Grid y is the game of a batch. Every sum has a fixed order: same input, same bytes.

using u8 = unsigned char;
using u16 = unsigned short;
using u32 = unsigned int;
using i16 = short;
using i64 = long long;

constexpr int kUnit = 32;      // numbers of a unit of a row, and threads of a warp
constexpr int kCards = 52;
constexpr int kLanes = 4;      // endings of a block
constexpr int kParts = 8;      // threads that share the hands of a card
constexpr int kNone = 0xffff;  // in place of a position
constexpr u32 kAll = 0xffffffffu;
constexpr float kLeastNormal = 1.17549435e-38f;

enum Weights { kBefore = 0, kAfter = 1, kAverage = 2 };  // regrets before or after this iteration's discount; sums
enum Rule { kUpdate = 0, kMean = 1, kBest = 2 };         // update tables; value of the average strategy; best response
enum GroupFlag { kIsDealt = 1, kHasShowdown = 2 };       // reaches are on the board before; not only folds

struct Board {
  int parent, table;          // the board before the last card; row of ranks
  int count[2], units[2];     // [player]: hands, and units of a row
};
struct Decision {
  int actor, num_actions, board;
  int table, scale;           // unit of its [actions, hands]; number of its first scale
  int reach, child_reach;     // the actor's
  int value[2], child_value[2];
  int node;
};
struct Subtree {
  int board, first_level, num_levels, is_dealt;
  int reach[2], parent_reach[2];
};
struct Chance {
  int board, first_edge, num_edges, node;
  int value[2], reach[2];
};
struct Edge {
  int board;
  int value[2];
  float probability;
};
struct Even {
  int board, orbits;
  int value[2];
};
struct Group {
  int board, first, count, flags;
};
struct Task {
  int reach, showdown, fold, unused;  // rows; -1 where there is none
};
struct Shown {
  int board, row;             // a decision or chance node, and its row among them
  int value[2], reach[2];
};

// Fields of 8 bytes; layout.py has the same order.
struct Problem {
  const int* sets;            // [games]: where the boards of a game of a batch stand; 0 where all games have the same ones
  const Board* boards;
  const i16* hands[2];        // [boards, width]: the hand at each position
  const i16* places[2];       // [boards, hands]: the position of each hand, or -1
  const i16* ranks[2];        // [tables, hands]
  const u8* cards[2];         // [hands, 2]
  const i16* twins[2];        // [hands]: the opponent's hand of the same cards, or -1
  u16* starts[2];             // [boards, cards + 1]
  u16* lists[2];              // [boards, 2 width]: positions of the hands that hold a card, card after card
  uint4* own[2];              // [boards, width]: where a hand stands among the opponent's
  const Decision* decisions;
  const u8* locked;           // [decisions]
  const int* levels;          // boundaries of plies in decisions
  const Subtree* subtrees;
  const Chance* chances;
  const Edge* edges;
  const Even* evens;
  const i16* orbits[2];       // [rows, hands]
  const i16* orbit_ends[2];   // [rows, hands]
  const i16* orbit_hands[2];  // [rows, hands]: orbit after orbit
  const Group* groups[2];
  const Task* tasks[2];
  const float* payoffs[2];    // [games, tasks, 4]: lose, tie, win, fold
  const Shown* shown;
  float* reaches;
  float* values;
  void* regrets;
  void* sums;
  void* predictions;
  float* regret_scales;
  float* sum_scales;
  float* prediction_scales;
  const float* factors;       // [iterations, 4]: of positive and negative regrets, sums, and regrets in a prediction
  int* clock;                 // row of factors; number of the iteration
  const i64* packed_at;       // [decisions]
  i16* packed_strategy;
  i16* packed_values;
  float* packed_scales;
  i64 num_boards;
  i64 num_hands[2], widths[2];
  i64 reach_units, value_units, table_units, num_scales, num_tasks[2];
  i64 clamps, predicts;
};

template <int V>
struct alignas(4 * V) Reals {
  float x[V];
};
template <class Stored, int V>
struct alignas(sizeof(Stored) * V) Pack {
  Stored x[V];
};
struct alignas(16) Lanes {
  float x[kLanes];
};

__device__ inline Lanes operator+(const Lanes& a, const Lanes& b) {
  return {{a.x[0] + b.x[0], a.x[1] + b.x[1], a.x[2] + b.x[2], a.x[3] + b.x[3]}};
}
__device__ inline Lanes operator-(const Lanes& a, const Lanes& b) {
  return {{a.x[0] - b.x[0], a.x[1] - b.x[1], a.x[2] - b.x[2], a.x[3] - b.x[3]}};
}

// The part of a problem that belongs to a game of a batch, and the iteration.
struct Game {
  const Problem& problem;
  i64 game, first_board;
  int row, time;  // as in Problem's clock

  __device__ explicit Game(const Problem* __restrict__ all)
      : problem(*all), game(blockIdx.y), first_board(problem.sets ? problem.sets[blockIdx.y] * problem.num_boards : 0),
        row(problem.clock[0]), time(problem.clock[1]) {}
  // Not a game: a set of boards.
  __device__ Game(const Problem* __restrict__ all, int set)
      : problem(*all), game(0), first_board(set * problem.num_boards), row(0), time(0) {}
  __device__ const float* factors() const { return problem.factors + 4 * row; }
  __device__ i64 board_row(int board) const { return first_board + board; }
  __device__ const Board& board(int b) const { return problem.boards[board_row(b)]; }
  __device__ const i16* hands(int player, int b) const { return problem.hands[player] + board_row(b) * problem.widths[player]; }
  __device__ const i16* places(int player, int b) const {
    return problem.places[player] + board_row(b) * problem.num_hands[player];
  }
  __device__ u16* starts(int player, int b) const { return problem.starts[player] + board_row(b) * (kCards + 1); }
  __device__ u16* lists(int player, int b) const { return problem.lists[player] + board_row(b) * 2 * problem.widths[player]; }
  __device__ uint4* own(int player, int b) const { return problem.own[player] + board_row(b) * problem.widths[player]; }
  __device__ float* reach(int unit) const { return problem.reaches + (game * problem.reach_units + unit) * kUnit; }
  __device__ float* value(int unit) const { return problem.values + (game * problem.value_units + unit) * kUnit; }
  template <class Stored>
  __device__ Stored* table(void* numbers, int unit) const {
    return static_cast<Stored*>(numbers) + (game * problem.table_units + unit) * kUnit;
  }
  __device__ i64 scale(int first, int h) const { return game * problem.num_scales + first + h / kUnit; }
};

// ---- Boards ----------------------------------------------------------------------------------------------------------------------

// The positions of the hands that hold each card. Grid x: boards, y: sets; shared: a number for each card.
extern "C" __global__ void list_cards(const Problem* __restrict__ all, int player, int, int, int) {
  extern __shared__ Lanes shared[];
  int* counts = reinterpret_cast<int*>(shared);
  const Game game(all, blockIdx.y);
  const int b = blockIdx.x, c = threadIdx.x;
  const i16* hands = game.hands(player, b);
  const u8* cards = game.problem.cards[player];
  const int count = game.board(b).count[player];
  u16* starts = game.starts(player, b);
  const auto holds = [&](int i) { return cards[2 * hands[i]] == c || cards[2 * hands[i] + 1] == c; };
  if (c < kCards) {
    counts[c] = 0;
    for (int i = 0; i < count; ++i) counts[c] += holds(i);
  }
  __syncthreads();
  if (c >= kCards) return;
  int at = 0;
  for (int k = 0; k < c; ++k) at += counts[k];
  starts[c] = static_cast<u16>(at);
  if (c == kCards - 1) starts[kCards] = static_cast<u16>(at + counts[c]);
  u16* list = game.lists(player, b);
  for (int i = 0; i < count; ++i)
    if (holds(i)) list[at++] = static_cast<u16>(i);
}

// The first place in [0, size) whose rank is not below, or where `is_above` is beyond, a rank.
template <class RankAt>
__device__ int rank_bound(int size, int rank, bool is_above, RankAt rank_at) {
  int first = 0;
  while (size > 0) {
    const int half = size / 2, found = rank_at(first + half);
    if (found < rank || (is_above && found == rank)) {
      first += half + 1;
      size -= half + 1;
    } else {
      size = half;
    }
  }
  return first;
}

// Places of a player's hands among those of the opponent: in the sums of all hands, and of the hands of either card.
extern "C" __global__ void rank_hands(const Problem* __restrict__ all, int player, int, int, int) {
  const Game game(all, blockIdx.y);
  const Problem& problem = game.problem;
  const int b = blockIdx.x, other = 1 - player;
  const Board board = game.board(b);
  const i16 *mine = game.hands(player, b), *his = game.hands(other, b);
  const i16* ranks[2];
  for (int p = 0; p < 2; ++p) ranks[p] = problem.ranks[p] + board.table * problem.num_hands[p];
  const u16 *starts = game.starts(other, b), *list = game.lists(other, b);
  for (int i = threadIdx.x; i < board.count[player]; i += blockDim.x) {
    const int hand = mine[i], rank = ranks[player][hand];
    const auto rank_at = [&](int position) { return static_cast<int>(ranks[other][his[position]]); };
    const u32 low = rank_bound(board.count[other], rank, false, rank_at);
    const u32 high = rank_bound(board.count[other], rank, true, rank_at);
    u32 of_card[2], held[2];
    for (int k = 0; k < 2; ++k) {
      const int card = held[k] = problem.cards[player][2 * hand + k];
      const auto rank_on = [&](int at) { return rank_at(list[starts[card] + at]); };
      const int size = starts[card + 1] - starts[card];
      const u32 base = starts[card] + card;  // sums of a card have one more entry than its hands
      of_card[k] = (base + rank_bound(size, rank, false, rank_on)) | (base + rank_bound(size, rank, true, rank_on)) << 16;
    }
    const int twin = problem.twins[player][hand], place = twin < 0 ? -1 : game.places(other, b)[twin];
    const u32 same = place < 0 ? kNone : place;
    game.own(player, b)[i] = make_uint4(low | high << 16, of_card[0], of_card[1], held[0] | held[1] << 8 | same << 16);
  }
}

// ---- Decisions -------------------------------------------------------------------------------------------------------------------

template <int V>
__device__ inline Reals<V> zeros() {
  Reals<V> none;
#pragma unroll
  for (int v = 0; v < V; ++v) none.x[v] = 0;
  return none;
}

template <int V>
__device__ inline Reals<V> load(const float* from, bool is_in) {
  return is_in ? *reinterpret_cast<const Reals<V>*>(from) : zeros<V>();
}
template <int V>
__device__ inline void store(float* to, const Reals<V>& numbers, bool is_in) {
  if (is_in) *reinterpret_cast<Reals<V>*>(to) = numbers;
}

// Numbers of a table without their scale. Of sums in 16 bits the roots are stored.
__device__ inline float number_of(float stored) { return stored; }
__device__ inline float number_of(i16 stored) { return stored; }
__device__ inline float number_of(u16 stored) { return static_cast<float>(stored) * static_cast<float>(stored); }

template <class Stored, int V>
__device__ inline Reals<V> read(const Stored* from, bool is_in) {
  Reals<V> numbers = zeros<V>();
  if (!is_in) return numbers;
  const Pack<Stored, V> stored = *reinterpret_cast<const Pack<Stored, V>*>(from);
#pragma unroll
  for (int v = 0; v < V; ++v) numbers.x[v] = number_of(stored.x[v]);
  return numbers;
}

// A function of the action: kept in registers where the number of actions is known, else asked again.
template <int V, int A, class Make>
struct Kept {
  Reals<V> kept[A];
  __device__ explicit Kept(const Make& make) {
#pragma unroll
    for (int a = 0; a < A; ++a) kept[a] = make(a);
  }
  __device__ const Reals<V>& operator()(int a) const { return kept[a]; }
};
template <int V, class Make>
struct Kept<V, 0, Make> {
  const Make& make;
  __device__ explicit Kept(const Make& given) : make(given) {}
  __device__ Reals<V> operator()(int a) const { return make(a); }
};
template <int V, int A, class Make>
__device__ inline Kept<V, A, Make> keep(const Make& make) {
  return Kept<V, A, Make>(make);
}

template <bool kIsPacked>
struct Types {
  using Regret = float;
  using Sum = float;
};
template <>
struct Types<true> {
  using Regret = i16;
  using Sum = u16;
};

// A decision, as the thread that has `V` hands from `h` on sees it.
template <bool kIsPacked, int V, int A>
struct Place {
  using Regret = typename Types<kIsPacked>::Regret;
  using Sum = typename Types<kIsPacked>::Sum;

  const Game& game;
  const Decision& decision;
  int h, stride;
  bool is_in;

  __device__ int num_actions() const { return A > 0 ? A : decision.num_actions; }
  template <class Stored>
  __device__ Stored* row(void* numbers, int a) const {
    return game.table<Stored>(numbers, decision.table) + a * stride + h;
  }
  __device__ float scale(const float* scales) const {
    if constexpr (kIsPacked) return is_in ? scales[game.scale(decision.scale, h)] : 0.0f;
    return 1.0f;
  }

  // The weights of an action; `before` is the factor of regrets in a prediction.
  __device__ Reals<V> weight(int a, int weights, float before, float regret_scale, float prediction_scale) const {
    const Problem& problem = game.problem;
    if (weights == kAverage) return read<Sum, V>(row<Sum>(problem.sums, a), is_in);
    Reals<V> numbers = read<Regret, V>(row<Regret>(problem.regrets, a), is_in);
    if (problem.predicts != 0) {
      const Reals<V> predicted = read<Regret, V>(row<Regret>(problem.predictions, a), is_in);
#pragma unroll
      for (int v = 0; v < V; ++v)
        numbers.x[v] = numbers.x[v] * (before * regret_scale) + predicted.x[v] * prediction_scale;
    }
#pragma unroll
    for (int v = 0; v < V; ++v) numbers.x[v] = fmaxf(numbers.x[v], 0.0f);
    return numbers;
  }

  // Writes a table: make(a) gives the new numbers of an action. In 16 bits a scale belongs to the hands of a unit. A number
  // between two steps goes to the upper one as often as it is near it: what decides goes evenly over all shares with the
  // iterations. Rounded to the nearest, what an iteration adds would be lost where it is little.
  template <class Stored, class Make>
  __device__ void write(void* numbers, float* scales, u32 time, const Make& make) const {
    constexpr bool kIsRoot = sizeof(Stored) == 2 && static_cast<Stored>(-1) > static_cast<Stored>(0);
    if constexpr (!kIsPacked) {
#pragma unroll
      for (int a = 0; a < num_actions(); ++a) store<V>(row<float>(numbers, a), make(a), is_in);
    } else {
      constexpr float kMost = kIsRoot ? 65534.0f : 32766.0f;  // a sum with a share may be rounded up
      const auto made = keep<V, A>(make);
      float most = 0;
#pragma unroll
      for (int a = 0; a < num_actions(); ++a) {
        const Reals<V> one = made(a);
#pragma unroll
        for (int v = 0; v < V; ++v) most = fmaxf(most, fabsf(one.x[v]));
      }
#pragma unroll
      for (int d = kUnit / V / 2; d > 0; d /= 2) most = fmaxf(most, __shfl_xor_sync(kAll, most, d));
      if (kIsRoot) most = sqrtf(most);
      const float step = most / kMost, factor = most > kLeastNormal * kMost ? kMost / most : 0.0f;
      if (is_in && h % kUnit == 0) scales[game.scale(decision.scale, h)] = kIsRoot ? step * step : step;
#pragma unroll
      for (int a = 0; a < num_actions(); ++a) {
        const Reals<V> one = made(a);
        Pack<Stored, V> packed;
#pragma unroll
        for (int v = 0; v < V; ++v) {
          const u32 entry = (static_cast<u32>(decision.table) * kUnit + a * stride + h + v) * 0x85ebca6bu;
          const float up = static_cast<float>((entry + (entry >> 15) + time * 0x9e3779b9u) >> 8) * 0x1p-24f;
          const float number = (kIsRoot ? sqrtf(one.x[v]) : one.x[v]) * factor + up;
          packed.x[v] = static_cast<Stored>(static_cast<int>(floorf(number)));
        }
        if (is_in) *reinterpret_cast<Pack<Stored, V>*>(row<Stored>(numbers, a)) = packed;
      }
    }
  }
};

// The map from weights to shares: weight * scale + rest, uniform where all weights are 0.
template <int V>
struct Shares {
  float scale[V], rest[V];
  template <class Weight>
  __device__ Shares(int num_actions, const Weight& weight) {
    Reals<V> sum = zeros<V>();
#pragma unroll
    for (int a = 0; a < num_actions; ++a) {
      const Reals<V> one = weight(a);
#pragma unroll
      for (int v = 0; v < V; ++v) sum.x[v] += one.x[v];
    }
#pragma unroll
    for (int v = 0; v < V; ++v) {
      const bool is_some = sum.x[v] > kLeastNormal;
      scale[v] = is_some ? 1.0f / sum.x[v] : 0.0f;
      rest[v] = is_some ? 0.0f : 1.0f / static_cast<float>(num_actions);
    }
  }
  __device__ float of(const Reals<V>& weight, int v) const { return weight.x[v] * scale[v] + rest[v]; }
};

template <bool kIsPacked, int V, int A>
__device__ void spread_at(const Game& game, const Decision& decision, int h, int stride, int weights) {
  const Problem& problem = game.problem;
  const Place<kIsPacked, V, A> place{game, decision, h, stride, h < stride};
  const float* factors = game.factors();
  const float before = factors[weights == kAfter ? 3 : 0];
  float scales[2] = {1, 1};
  if (kIsPacked && problem.predicts != 0 && weights != kAverage) {
    scales[0] = place.scale(problem.regret_scales);
    scales[1] = place.scale(problem.prediction_scales);
  }
  const auto make = [&](int a) { return place.weight(a, weights, before, scales[0], scales[1]); };
  const auto weight = keep<V, A>(make);
  const Shares<V> shares(place.num_actions(), weight);
  const Reals<V> reach = load<V>(game.reach(decision.reach) + h, place.is_in);
  float* out = game.reach(decision.child_reach) + h;
#pragma unroll
  for (int a = 0; a < place.num_actions(); ++a) {
    const Reals<V> one = weight(a);
    Reals<V> next;
#pragma unroll
    for (int v = 0; v < V; ++v) next.x[v] = shares.of(one, v) * reach.x[v];
    store<V>(out + a * stride, next, place.is_in);
  }
}

template <bool kIsPacked, int V, int A>
__device__ void back_up_at(const Game& game, const Decision& decision, bool is_locked, int h, int stride, int player, int rule) {
  const Problem& problem = game.problem;
  using At = Place<kIsPacked, V, A>;
  const At place{game, decision, h, stride, h < stride};
  const int num_actions = place.num_actions();
  const float* children = game.value(decision.child_value[player]) + h;
  const auto read_child = [&](int a) { return load<V>(children + a * stride, place.is_in); };
  const auto child = keep<V, A>(read_child);
  float* out = game.value(decision.value[player]) + h;
  Reals<V> value = child(0);
  if (decision.actor != player || (rule == kBest && !is_locked)) {
#pragma unroll
    for (int a = 1; a < num_actions; ++a) {
      const Reals<V> one = child(a);
#pragma unroll
      for (int v = 0; v < V; ++v) value.x[v] = decision.actor != player ? value.x[v] + one.x[v] : fmaxf(value.x[v], one.x[v]);
    }
    return store<V>(out, value, place.is_in);
  }
  const float* factors = game.factors();
  const float scale = rule == kUpdate ? place.scale(problem.regret_scales) : 1.0f;
  const float prediction_scale = rule == kUpdate && problem.predicts != 0 ? place.scale(problem.prediction_scales) : 1.0f;
  const int weights = rule == kUpdate && !is_locked ? kBefore : kAverage;
  const auto read_weight = [&](int a) { return place.weight(a, weights, factors[0], scale, prediction_scale); };
  const auto weight = keep<V, A>(read_weight);
  const Shares<V> shares(num_actions, weight);
  value = zeros<V>();
#pragma unroll
  for (int a = 0; a < num_actions; ++a) {
    const Reals<V> one = child(a), share = weight(a);
#pragma unroll
    for (int v = 0; v < V; ++v) value.x[v] += shares.of(share, v) * one.x[v];
  }
  store<V>(out, value, place.is_in);
  if (rule != kUpdate || is_locked) return;

  using Regret = typename At::Regret;
  using Sum = typename At::Sum;
  const u32 time = static_cast<u32>(game.time);
  const Reals<V> reach = load<V>(game.reach(decision.reach) + h, place.is_in);
  const float sum_factor = factors[2] * place.scale(problem.sum_scales);
  place.template write<Sum>(problem.sums, problem.sum_scales, time, [&](int a) {
    Reals<V> sum = read<Sum, V>(place.template row<Sum>(problem.sums, a), place.is_in);
    const Reals<V> share = weight(a);
#pragma unroll
    for (int v = 0; v < V; ++v) sum.x[v] = sum.x[v] * sum_factor + shares.of(share, v) * reach.x[v];
    return sum;
  });
  const float positive = factors[0] * scale, negative = factors[1] * scale;
  place.template write<Regret>(problem.regrets, problem.regret_scales, time, [&](int a) {
    Reals<V> regret = read<Regret, V>(place.template row<Regret>(problem.regrets, a), place.is_in);
    const Reals<V> one = child(a);
#pragma unroll
    for (int v = 0; v < V; ++v) {
      const float factor = regret.x[v] > 0 ? positive : negative;
      regret.x[v] = regret.x[v] * factor + (one.x[v] - value.x[v]);
      if (problem.clamps != 0) regret.x[v] = fmaxf(regret.x[v], 0.0f);
    }
    return regret;
  });
  if (problem.predicts == 0) return;
  place.template write<Regret>(problem.predictions, problem.prediction_scales, time, [&](int a) {
    Reals<V> one = child(a);
#pragma unroll
    for (int v = 0; v < V; ++v) one.x[v] -= value.x[v];
    return one;
  });
}

// Calls run.template operator()<A>() with the number of actions where it is small.
#define REGRETLESS_BY_ACTIONS(count, call)                      \
  switch (count) {                                              \
    case 2: { constexpr int kActions = 2; call; } break;        \
    case 3: { constexpr int kActions = 3; call; } break;        \
    case 4: { constexpr int kActions = 4; call; } break;        \
    default: { constexpr int kActions = 0; call; } break;       \
  }

// A thread's part of a walk: the hands that it has, and the warps that share the decisions of a ply.
struct Share {
  int chunk, lane, warp, warps;

  template <int V>
  __device__ int hand() const { return (chunk * kUnit + lane) * V; }
  __device__ void wait() const {
    if (warps > 1) __syncthreads();
  }
};

// Takes the reaches of a player from the root of a subtree to its ends.
template <bool kIsPacked, int V>
__device__ void walk_down(const Game& game, const Subtree& subtree, const Share& share, int player, int weights) {
  const Board& board = game.board(subtree.board);
  const int stride = board.units[player] * kUnit, h = share.hand<V>();
  if (share.chunk * kUnit * V >= stride) return;
  if (subtree.is_dealt != 0 && share.warp == 0 && h < stride) {
    const i16 *hands = game.hands(player, subtree.board), *places = game.places(player, board.parent);
    const float* from = game.reach(subtree.parent_reach[player]);
    float* to = game.reach(subtree.reach[player]);
    for (int i = h; i < h + V; ++i) to[i] = i < board.count[player] ? from[places[hands[i]]] : 0.0f;
  }
  const int* levels = game.problem.levels + subtree.first_level;
  for (int level = 0; level < subtree.num_levels; ++level) {
    share.wait();
    for (int d = levels[level] + share.warp; d < levels[level + 1]; d += share.warps) {
      const Decision& decision = game.problem.decisions[d];
      if (decision.actor != player) continue;
      REGRETLESS_BY_ACTIONS(decision.num_actions, (spread_at<kIsPacked, V, kActions>(game, decision, h, stride, weights)))
    }
  }
}

// Takes the values of a player from the ends of a subtree to its root.
template <bool kIsPacked, int V>
__device__ void walk_up(const Game& game, const Subtree& subtree, const Share& share, int player, int rule) {
  const Board& board = game.board(subtree.board);
  const int* levels = game.problem.levels + subtree.first_level;
  const int stride = board.units[player] * kUnit, h = share.hand<V>();
  if (share.chunk * kUnit * V >= stride) return;
  for (int level = subtree.num_levels - 1; level >= 0; --level) {
    for (int d = levels[level] + share.warp; d < levels[level + 1]; d += share.warps) {
      const bool is_locked = game.problem.locked[d] != 0;
      const Decision& decision = game.problem.decisions[d];
      REGRETLESS_BY_ACTIONS(decision.num_actions,
                            (back_up_at<kIsPacked, V, kActions>(game, decision, is_locked, h, stride, player, rule)))
    }
    share.wait();
  }
}

// Reaches of a player through the subtrees of a street. Grid x: subtrees x chunks of 32 V hands; block: 32 x warps.
template <bool kIsPacked, int V>
__device__ void spread(const Problem* __restrict__ all, int player, int first, int chunks, int weights) {
  const Game game(all);
  const Share share{static_cast<int>(blockIdx.x) % chunks, static_cast<int>(threadIdx.x), static_cast<int>(threadIdx.y),
                    static_cast<int>(blockDim.y)};
  walk_down<kIsPacked, V>(game, game.problem.subtrees[first + blockIdx.x / chunks], share, player, weights);
}

// Values of a player through the subtrees of a street, from its ends to its root. Grid and block as above.
template <bool kIsPacked, int V>
__device__ void back_up(const Problem* __restrict__ all, int player, int first, int chunks, int rule) {
  const Game game(all);
  const Share share{static_cast<int>(blockIdx.x) % chunks, static_cast<int>(threadIdx.x), static_cast<int>(threadIdx.y),
                    static_cast<int>(blockDim.y)};
  walk_up<kIsPacked, V>(game, game.problem.subtrees[first + blockIdx.x / chunks], share, player, rule);
}

#define REGRETLESS_WALKS(type, packed, V)                                                                              \
  extern "C" __global__ void spread_##type##_##V(const Problem* __restrict__ all, int player, int first, int chunks, int weights) { \
    spread<packed, V>(all, player, first, chunks, weights);                                                            \
  }                                                                                                                    \
  extern "C" __global__ void back_up_##type##_##V(const Problem* __restrict__ all, int player, int first, int chunks, int rule) {   \
    back_up<packed, V>(all, player, first, chunks, rule);                                                              \
  }
REGRETLESS_WALKS(32, false, 1)
REGRETLESS_WALKS(32, false, 4)
REGRETLESS_WALKS(16, true, 1)
REGRETLESS_WALKS(16, true, 4)

extern "C" __global__ void next_iteration(const Problem* __restrict__ all, int, int, int, int) {
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    ++all->clock[0];
    ++all->clock[1];
  }
}

// ---- Public chance ---------------------------------------------------------------------------------------------------------------

// Values at chance nodes: the sum over the kept outcomes. Grid x: nodes x chunks of a block.
extern "C" __global__ void add_outcomes(const Problem* __restrict__ all, int player, int first, int chunks, int) {
  const Game game(all);
  const Chance chance = game.problem.chances[first + blockIdx.x / chunks];
  const Board& board = game.board(chance.board);
  const int i = blockIdx.x % chunks * blockDim.x + threadIdx.x;
  if (i >= board.units[player] * kUnit) return;
  float sum = 0;
  if (i < board.count[player]) {
    const int hand = game.hands(player, chance.board)[i];
    const Edge* edges = game.problem.edges + chance.first_edge;
#pragma unroll 4
    for (int e = 0; e < chance.num_edges; ++e) {
      const int place = game.places(player, edges[e].board)[hand];
      if (place >= 0) sum += edges[e].probability * game.value(edges[e].value[player])[place];
    }
  }
  game.value(chance.value[player])[i] = sum;
}

// Gives the hands of each orbit the mean of their values: exactly equal ones. Grid x: nodes; shared: a row.
extern "C" __global__ void even_out(const Problem* __restrict__ all, int player, int first, int, int) {
  extern __shared__ Lanes shared[];
  float* row = reinterpret_cast<float*>(shared);
  const Game game(all);
  const Problem& problem = game.problem;
  const Even even = problem.evens[first + blockIdx.x];
  const int count = game.board(even.board).count[player];
  float* values = game.value(even.value[player]);
  for (int i = threadIdx.x; i < count; i += blockDim.x) row[i] = values[i];
  __syncthreads();
  const i16 *hands = game.hands(player, even.board), *places = game.places(player, even.board);
  const i64 at = even.orbits * problem.num_hands[player];
  const i16 *orbits = problem.orbits[player] + at, *ends = problem.orbit_ends[player] + at;
  const i16* members = problem.orbit_hands[player] + at;
  for (int i = threadIdx.x; i < count; i += blockDim.x) {
    const int orbit = orbits[hands[i]], begin = orbit == 0 ? 0 : ends[orbit - 1];
    float sum = 0;
    for (int m = begin; m < ends[orbit]; ++m) sum += row[places[members[m]]];
    values[i] = sum / static_cast<float>(ends[orbit] - begin);
  }
}

// ---- Endings ---------------------------------------------------------------------------------------------------------------------

#ifndef REGRETLESS_ON_CPU  // where a lane gives any struct
__device__ inline Lanes __shfl_up_sync(u32 mask, const Lanes& lanes, int delta, int width) {
  Lanes found;
#pragma unroll
  for (int k = 0; k < kLanes; ++k) found.x[k] = __shfl_up_sync(mask, lanes.x[k], delta, width);
  return found;
}
#endif

// The sum of a thread's numbers and of those before it, among `width` threads.
__device__ inline Lanes scan_lanes(Lanes sum, int lane, int width) {
#pragma unroll
  for (int d = 1; d < width; d *= 2) {
    const Lanes before = __shfl_up_sync(kAll, sum, d, width);
    if (lane % width >= d) sum = sum + before;
  }
  return sum;
}

// Sums of reaches for up to four endings of a board, in shared memory.
struct Sums {
  Lanes *rows, *of_cards, *totals, *of_warps;

  __device__ Sums(Lanes* memory, int width) {
    rows = memory;                             // [width + 1]: reaches by position, then their sums before each position
    of_cards = rows + width + 1;               // [2 width + cards]: likewise for the hands of each card
    totals = of_cards + 2 * width + kCards;    // [cards]
    of_warps = totals + kCards;                // [33]
  }

  // Totals of the hands that hold each card, and sums before each of them where there is a showdown.
  __device__ void add_cards(const u16* starts, const u16* list, bool has_showdown) const {
    const int part = threadIdx.x % kParts, lane = threadIdx.x % kUnit;
    for (int first = 0; first < kCards; first += blockDim.x / kParts) {
      const int card = first + threadIdx.x / kParts;
      const int begin = card < kCards ? starts[card] : 0, end = card < kCards ? starts[card + 1] : 0;
      const int share = (end - begin + kParts - 1) / kParts;
      const int from = min(begin + part * share, end), to = min(from + share, end);
      Lanes sum = {};
      for (int i = from; i < to; ++i) sum = sum + rows[list[i]];
      const Lanes through = scan_lanes(sum, lane, kParts);
      if (card >= kCards) continue;
      if (has_showdown) {
        Lanes before = through - sum;
        for (int i = from; i < to; ++i) {
          of_cards[i + card] = before;
          before = before + rows[list[i]];
        }
        if (part == kParts - 1) of_cards[end + card] = through;
      }
      if (part == kParts - 1) totals[card] = through;
    }
  }

  // Replaces rows by the sums before each position; returns the sum of all.
  __device__ Lanes add_rows(int count, bool has_showdown) const {
    const int lane = threadIdx.x % kUnit, warp = threadIdx.x / kUnit, warps = blockDim.x / kUnit;
    const int share = (count + blockDim.x - 1) / blockDim.x;
    const int from = min(static_cast<int>(threadIdx.x) * share, count), to = min(from + share, count);
    Lanes sum = {};
    for (int i = from; i < to; ++i) sum = sum + rows[i];
    const Lanes through = scan_lanes(sum, lane, kUnit);
    if (lane == kUnit - 1) of_warps[warp] = through;
    __syncthreads();
    Lanes before = {}, all = {};
    for (int w = 0; w < warps; ++w) {
      if (w == warp) before = all;
      all = all + of_warps[w];
    }
    if (has_showdown) {
      before = before + (through - sum);
      for (int i = from; i < to; ++i) {
        const Lanes one = rows[i];
        rows[i] = before;
        before = before + one;
      }
      if (threadIdx.x == 0) rows[count] = all;
      __syncthreads();
    }
    return all;
  }
};

// Values of a player at the endings of a group.
__device__ inline void value_group(const Game& game, const Group& group, int player, Lanes* memory) {
  const Problem& problem = game.problem;
  const int other = 1 - player;
  const Board board = game.board(group.board);
  const Task* tasks = problem.tasks[player] + group.first;
  const bool has_showdown = (group.flags & kHasShowdown) != 0, is_dealt = (group.flags & kIsDealt) != 0;
  const Sums sums(memory, static_cast<int>(problem.widths[other]));
  const float* reaches[kLanes];
#pragma unroll
  for (int k = 0; k < kLanes; ++k) reaches[k] = game.reach(tasks[k < group.count ? k : 0].reach);
  const i16 *hands = game.hands(other, group.board), *places = game.places(other, is_dealt ? board.parent : group.board);
  const auto reach_at = [&](int position) { return is_dealt ? static_cast<int>(places[hands[position]]) : position; };
  for (int i = threadIdx.x; i < board.count[other]; i += blockDim.x) {
    const int at = reach_at(i);
    Lanes one;
#pragma unroll
    for (int k = 0; k < kLanes; ++k) one.x[k] = reaches[k][at];
    sums.rows[i] = one;
  }
  __syncthreads();
  sums.add_cards(game.starts(other, group.board), game.lists(other, group.board), has_showdown);
  const Lanes everybody = sums.add_rows(board.count[other], has_showdown);

  const float* payoffs = problem.payoffs[player] + 4 * (game.game * problem.num_tasks[player] + group.first);
  const uint4* own = game.own(player, group.board);
  for (int i = threadIdx.x; i < board.units[player] * kUnit; i += blockDim.x) {
    const bool is_hand = i < board.count[player];
    Lanes meets = {}, below = {}, upto = {}, same = {};
    if (is_hand) {
      const uint4 at = own[i];
      meets = everybody - sums.totals[at.w & 0xff] - sums.totals[at.w >> 8 & 0xff];
      if (has_showdown) {
        below = sums.rows[at.x & 0xffff] - sums.of_cards[at.y & 0xffff] - sums.of_cards[at.z & 0xffff];
        upto = sums.rows[at.x >> 16] - sums.of_cards[at.y >> 16] - sums.of_cards[at.z >> 16];
      }
      const int twin = at.w >> 16;
      if (twin != kNone) {
        const int where = reach_at(twin);
#pragma unroll
        for (int k = 0; k < kLanes; ++k) same.x[k] = reaches[k][where];
      }
    }
#pragma unroll
    for (int k = 0; k < kLanes; ++k) {
      if (k >= group.count) continue;
      const float *pays = payoffs + 4 * k, total = meets.x[k] + same.x[k];
      if (tasks[k].showdown >= 0)
        game.value(tasks[k].showdown)[i] =
            pays[2] * below.x[k] + pays[0] * (meets.x[k] - upto.x[k]) + pays[1] * (upto.x[k] - below.x[k] + same.x[k]);
      if (tasks[k].fold >= 0) game.value(tasks[k].fold)[i] = pays[3] * total;
    }
  }
}

// Values of a player at endings. Grid x: groups of endings on one board; shared: Sums.
extern "C" __global__ void value_endings(const Problem* __restrict__ all, int player, int first, int, int) {
  extern __shared__ Lanes shared[];
  const Game game(all);
  value_group(game, game.problem.groups[player][first + blockIdx.x], player, shared);
}

// ---- Games of one street ---------------------------------------------------------------------------------------------------------

// Whole iterations by one block, so that some blocks value endings while others wait for tables. Grid y: games; memory: Sums.
template <int V>
__device__ void iterate(const Problem* all, int count, int first_groups, int second_groups, int is_alternating, Lanes* memory) {
  Game game(all);
  const Subtree& subtree = game.problem.subtrees[0];
  const int warp = threadIdx.x / kUnit, lane = threadIdx.x % kUnit, warps = blockDim.x / kUnit;
  const int chunks = static_cast<int>(max(game.problem.widths[0], game.problem.widths[1]) + kUnit * V - 1) / (kUnit * V);
  const auto down = [&](int player, int weights) {
    for (int chunk = warp; chunk < chunks; chunk += warps)
      walk_down<false, V>(game, subtree, {chunk, lane, 0, 1}, player, weights);
  };
  const auto up = [&](int player) {
    __syncthreads();
    for (int g = 0; g < (player == 0 ? first_groups : second_groups); ++g) {
      value_group(game, game.problem.groups[player][g], player, memory);
      __syncthreads();
    }
    for (int chunk = warp; chunk < chunks; chunk += warps)
      walk_up<false, V>(game, subtree, {chunk, lane, 0, 1}, player, kUpdate);
  };
#pragma unroll 1
  for (int half = 0; half < 2 * count; ++half) {
    const int player = half % 2;
#pragma unroll 1
    for (int other = 1; other >= 0; --other)
      if (is_alternating != 0 ? other != player : player == 0) down(other, is_alternating != 0 && player == 1 ? kAfter : kBefore);
    up(player);
    game.row += player;
    game.time += player;
  }
}

#define REGRETLESS_ITERATE(V, threads, blocks)                                                                                   \
  extern "C" __global__ void __launch_bounds__(threads, blocks) iterate_32_##V(const Problem* __restrict__ all, int count,        \
                                                                               int first_groups, int second_groups, int alternating) { \
    extern __shared__ Lanes shared[];                                                                                            \
    iterate<V>(all, count, first_groups, second_groups, alternating, shared);                                                    \
  }
REGRETLESS_ITERATE(2, 576, 2)
REGRETLESS_ITERATE(4, 288, 3)

// ---- Packing ---------------------------------------------------------------------------------------------------------------------

// The average strategy in 16 bits, as PackedSolution has it: shares added up over the actions, of 32,767. Grid x: decisions.
template <class Sum>
__device__ void pack_strategy(const Problem* __restrict__ all) {
  const Game game(all);
  const Problem& problem = game.problem;
  const Decision decision = problem.decisions[blockIdx.x];
  const int actor = decision.actor, n = decision.num_actions, hands = static_cast<int>(problem.num_hands[actor]);
  const int stride = game.board(decision.board).units[actor] * kUnit;
  const i16* places = game.places(actor, decision.board);
  const Sum* sums = game.table<Sum>(problem.sums, decision.table);
  i16* out = problem.packed_strategy + problem.packed_at[blockIdx.x];
  for (int hand = threadIdx.x; hand < hands; hand += blockDim.x) {
    const int place = places[hand];
    float total = 0, share = 0;
    for (int a = 0; place >= 0 && a < n; ++a) total += number_of(sums[a * stride + place]);
    const bool is_some = total > kLeastNormal;
    for (int a = 0; a + 1 < n; ++a) {
      share += is_some ? number_of(sums[a * stride + place]) / total : 1.0f / static_cast<float>(n);
      out[a * hands + hand] = static_cast<i16>(static_cast<int>(32767.0f * fminf(share, 1.0f) + 0.5f));
    }
  }
}
extern "C" __global__ void pack_strategy_32(const Problem* __restrict__ all, int, int, int, int) { pack_strategy<float>(all); }
extern "C" __global__ void pack_strategy_16(const Problem* __restrict__ all, int, int, int, int) { pack_strategy<u16>(all); }

// The least or the greatest of a block; `memory` [33].
__device__ inline float of_block(float number, bool is_least, float* memory) {
  const auto better = [&](float a, float b) { return is_least ? fminf(a, b) : fmaxf(a, b); };
  for (int d = kUnit / 2; d > 0; d /= 2) number = better(number, __shfl_xor_sync(kAll, number, d));
  __syncthreads();
  if (threadIdx.x % kUnit == 0) memory[threadIdx.x / kUnit] = number;
  __syncthreads();
  number = memory[0];
  for (u32 w = 1; w < blockDim.x / kUnit; ++w) number = better(number, memory[w]);
  return number;
}

// Values of a player at decisions and chance nodes, for each hand against the hands that it meets, in 16 bits (PackedSolution).
// Grid x: nodes; shared: a row of the player, 52 + 33 numbers.
extern "C" __global__ void pack_values(const Problem* __restrict__ all, int player, int first, int, int) {
  extern __shared__ Lanes shared[];
  const Game game(all);
  const Problem& problem = game.problem;
  const int other = 1 - player, hands = static_cast<int>(problem.num_hands[player]);
  const Shown node = problem.shown[first + blockIdx.x];
  const Board board = game.board(node.board);
  float* row = reinterpret_cast<float*>(shared);
  float *totals = row + hands, *memory = totals + kCards;
  const float *reach = game.reach(node.reach[other]), *values = game.value(node.value[player]);
  const u16 *starts = game.starts(other, node.board), *list = game.lists(other, node.board);
  if (threadIdx.x < kCards) {
    float sum = 0;
    for (int i = starts[threadIdx.x]; i < starts[threadIdx.x + 1]; ++i) sum += reach[list[i]];
    totals[threadIdx.x] = sum;
  }
  __syncthreads();
  float everybody = 0;  // each hand has two cards
  for (int c = 0; c < kCards; ++c) everybody += totals[c];
  everybody /= 2;
  const i16* places = game.places(player, node.board);
  float least = 0, most = 0;
  bool is_first = true;
  for (int hand = threadIdx.x; hand < hands; hand += blockDim.x) {
    const int place = places[hand];
    float value = 0;
    if (place >= 0) {
      const uint4 at = game.own(player, node.board)[place];
      const int twin = at.w >> 16;
      const float met = everybody - totals[at.w & 0xff] - totals[at.w >> 8 & 0xff] + (twin != kNone ? reach[twin] : 0.0f);
      value = met > 64 * 0x1p-23f * everybody ? values[place] / met : 0.0f;
    }
    row[hand] = value;
    least = is_first ? value : fminf(least, value);
    most = is_first ? value : fmaxf(most, value);
    is_first = false;
  }
  if (threadIdx.x >= hands) least = 3.0e38f, most = -3.0e38f;
  least = of_block(least, true, memory);
  most = of_block(most, false, memory);
  const float middle = 0.5f * least + 0.5f * most, step = fmaxf(most - middle, middle - least) / 32767.0f;
  if (threadIdx.x == 0) {
    problem.packed_scales[4 * node.row + 2 * player] = middle;
    problem.packed_scales[4 * node.row + 2 * player + 1] = step;
  }
  i16* out = problem.packed_values + node.row * (problem.num_hands[0] + problem.num_hands[1]) + (player == 0 ? 0 : problem.num_hands[0]);
  for (int hand = threadIdx.x; hand < hands; hand += blockDim.x) {
    const float steps = step > 0 ? (row[hand] - middle) / step : 0.0f;
    out[hand] = static_cast<i16>(static_cast<int>(rintf(fminf(fmaxf(steps, -32767.0f), 32767.0f))));
  }
}
