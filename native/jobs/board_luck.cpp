// SPDX-License-Identifier: MIT
#include "jobs/board_luck.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "cards/chunks.h"
#include "games/hand_strengths.h"

namespace regretless {
namespace {

constexpr int kNoCell = -1;

// The cards that may come on a street: for each of several equally likely cards of it the cell and the equity they lead to.
struct Outlook {
  std::vector<std::int32_t> cells;
  std::vector<float> equities;

  float equity() const {
    double sum = 0;
    for (const float each : equities) sum += each;
    return static_cast<float>(sum / static_cast<double>(equities.size()));
  }
};

// The streets of one deal after another; keeps its memory.
class DealJudge {
 public:
  DealJudge(const Poker& game, int samples) : rules_(game.rules()), samples_(samples), strengths_of_(game) {
    for (int street = 0, known = 0; street < rules_.num_streets; ++street) {
      known += rules_.board_cards[street];
      if (rules_.board_cards[street] > 0) limits_[known] = bin_limits(known);
    }
  }

  // The cell of the hole cards alone, by starting strength.
  std::int32_t hole_cell(const PokerDeal& deal) const {
    PokerState state;
    const auto bin_of = [&](Player p) {
      return std::min(static_cast<int>(strengths_of_(state, deal, p) * kNumBins), kNumBins - 1);
    };
    return bin_of(0) * kNumBins + bin_of(1);
  }

  std::int32_t cell(const PokerDeal& deal, int num_board) const {
    return bin(deal, 0, num_board) * kNumBins + bin(deal, 1, num_board);
  }

  // With so many board cards known, what the next `due` may be. With the whole board known, the showdown.
  void look(const PokerDeal& deal, int known, int due, Random& random, Outlook& out) {
    const int missing = rules_.num_board_cards() - known;
    const int most_exact = rules_.showdown == Showdown::kOmaha ? 1 : 2;
    list_open(deal, known);
    boards_.clear();
    group_ = 1;
    PokerDeal changed = deal;
    if (missing <= most_exact && due <= 1)
      complete(changed, known, missing);
    else
      for (int i = 0; i < samples_; ++i) draw(changed, known, random);
    judge(deal, known + due, out);
  }

 private:
  // The least strengths of the bins from 1 on.
  std::array<Strength, kNumBins - 1> bin_limits(int num_board) const {
    std::array<Strength, kNumBins - 1> limits;
    const auto shares = strength_shares(rules_.showdown, rules_.deck, rules_.num_hole_cards, num_board);
    for (int i = 1; i < kNumBins; ++i) limits[i - 1] = shares->least_strength(static_cast<float>(i) / kNumBins);
    return limits;
  }

  std::int32_t bin(Strength strength, int num_board) const {
    std::int32_t found = 0;
    for (const Strength limit : limits_[num_board]) found += strength >= limit;
    return found;
  }

  std::int32_t bin(const PokerDeal& deal, Player player, int num_board) const {
    const std::span<const Card> hole{deal.hole[player].data(), static_cast<std::size_t>(rules_.num_hole_cards)};
    return bin(strength(rules_.showdown, rules_.deck, hole, {deal.board.data(), static_cast<std::size_t>(num_board)}), num_board);
  }

  void list_open(const PokerDeal& deal, int known) {
    CardSet taken = card_set({deal.board.data(), static_cast<std::size_t>(known)});
    for (Player p = 0; p < 2; ++p) taken |= card_set({deal.hole[p].data(), static_cast<std::size_t>(rules_.num_hole_cards)});
    open_.resize(kMaxCards);
    open_.resize(static_cast<std::size_t>(write_cards(rules_.deck.all() & ~taken, open_.data()) - open_.data()));
  }

  // Every board, those with the same next card in a row.
  void complete(PokerDeal& deal, int known, int missing) {
    const int last = known + missing;
    if (missing == 0) return add(deal);
    for (const Card next : open_) {
      deal.board[known] = next;
      if (missing == 1) {
        add(deal);
        continue;
      }
      for (const Card after : open_) {
        if (after == next) continue;
        deal.board[last - 1] = after;
        add(deal);
      }
    }
    group_ = missing == 2 ? open_.size() - 1 : 1;
  }

  void draw(PokerDeal& deal, int known, Random& random) {
    for (int at = known; at < rules_.num_board_cards(); ++at) {
      const auto next = static_cast<std::size_t>(at - known);
      std::swap(open_[next], open_[next + random.below(static_cast<std::uint32_t>(open_.size() - next))]);
      deal.board[at] = open_[next];
    }
    add(deal);
  }

  void add(const PokerDeal& deal) {
    boards_.insert(boards_.end(), deal.board.begin(), deal.board.begin() + rules_.num_board_cards());
  }

  // Strengths of one seat on some of the boards, each with its first `num_board` cards.
  void judge_boards(const PokerDeal& deal, Player player, int num_board, std::size_t every, std::vector<Strength>& out) {
    const auto full = static_cast<std::size_t>(rules_.num_board_cards());
    cards_.clear();
    for (std::size_t at = 0; at < boards_.size(); at += full * every) {
      cards_.insert(cards_.end(), deal.hole[player].begin(), deal.hole[player].begin() + rules_.num_hole_cards);
      cards_.insert(cards_.end(), boards_.begin() + static_cast<std::ptrdiff_t>(at),
                    boards_.begin() + static_cast<std::ptrdiff_t>(at) + num_board);
    }
    out.resize(cards_.size() / static_cast<std::size_t>(rules_.num_hole_cards + num_board));
    strengths(rules_.showdown, rules_.deck, cards_.data(), out.size(), rules_.num_hole_cards, num_board, out.data());
  }

  void judge(const PokerDeal& deal, int num_seen, Outlook& out) {
    const int full = rules_.num_board_cards();
    for (Player p = 0; p < 2; ++p) judge_boards(deal, p, full, 1, strengths_[p]);
    const std::size_t count = strengths_[0].size() / group_;
    out.equities.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      std::size_t doubled = 0;  // a win counts 2, a tie 1
      for (std::size_t j = i * group_; j < (i + 1) * group_; ++j)
        doubled += (strengths_[0][j] > strengths_[1][j]) + static_cast<std::size_t>(strengths_[0][j] >= strengths_[1][j]);
      out.equities[i] = static_cast<float>(static_cast<double>(doubled) / static_cast<double>(2 * group_));
    }
    out.cells.assign(count, 0);
    if (num_seen < full)
      for (Player p = 0; p < 2; ++p) judge_boards(deal, p, num_seen, group_, strengths_[p]);
    for (std::size_t i = 0; i < count; ++i)
      out.cells[i] = bin(strengths_[0][i], num_seen) * kNumBins + bin(strengths_[1][i], num_seen);
  }

  const PokerRules& rules_;
  int samples_;
  HandStrengths<Poker> strengths_of_;
  std::array<std::array<Strength, kNumBins - 1>, kMaxBoardCards + 1> limits_{};  // [board cards]
  std::vector<Card> open_;
  std::vector<Card> boards_;  // [boards, board cards]
  std::size_t group_ = 1;     // boards in a row that share what is seen of them
  std::vector<Card> cards_;
  std::array<std::vector<Strength>, 2> strengths_;  // [boards]
};

// Plays episodes of a log again.
class Follower {
 public:
  Follower(const Poker& game, const PlayedEpisodes& played, BoardRecord& out) : game_(game), played_(played), out_(out) {}

  PokerDeal deal(std::int64_t episode) const {
    PokerDeal deal;
    for (Player p = 0; p < 2; ++p) {
      const std::int32_t hand = played_.hands[episode * 2 + p];
      if (hand < 0 || hand >= game_.num_hands()) throw std::invalid_argument("there is no hand " + std::to_string(hand));
      game_.set_hand(deal, p, hand);
    }
    const int width = game_.rules().num_board_cards();
    CardSet seen = card_set(game_.hole(deal, 0));
    const auto see = [&](Card card) {
      if (card >= game_.rules().deck.num_cards()) throw std::invalid_argument("there is no card " + std::to_string(card));
      if ((seen & bit(card)) != 0) throw std::invalid_argument("card " + std::to_string(card) + " is dealt twice");
      seen |= bit(card);
    };
    for (const Card card : game_.hole(deal, 1)) see(card);
    for (int i = 0; i < width; ++i) see(deal.board[i] = played_.boards[episode * width + i]);
    return deal;
  }

  void require_same_deal(std::int64_t first, std::int64_t other) const {
    const int width = game_.rules().num_board_cards();
    const auto hands = played_.hands.begin();
    const auto boards = played_.boards.begin();
    if (!std::equal(hands + first * 2, hands + first * 2 + 2, hands + other * 2) ||
        !std::equal(boards + first * width, boards + (first + 1) * width, boards + other * width))
      throw std::invalid_argument("the copies of a deal differ in their cards");
  }

  // The last street whose cards came, -1 if none did.
  int follow(std::int64_t episode, const PokerDeal& deal) {
    PokerState state = game_.root();
    const int streets = game_.rules().num_streets;
    int last = -1;
    std::int64_t step = played_.offsets[episode];
    while (state.actor != kTerminal) {
      if (state.actor == kChance) {
        last = state.street;
        const std::int64_t at = episode * streets + last;
        out_.pots[at] = game_.betting().pot(state);
        game_.reveal(state, deal);
        out_.is_all_in[at] = state.actor < 0;
        continue;
      }
      require_played(step < played_.offsets[episode + 1] && played_.slots[step] < game_.num_actions() &&
                     (game_.legal(state) >> played_.slots[step] & 1) != 0);
      out_.step_pots[step] = game_.betting().pot(state);
      game_.act(state, played_.slots[step++]);
    }
    require_played(step == played_.offsets[episode + 1]);
    return last;
  }

 private:
  static void require_played(bool ok) {
    if (!ok) throw std::invalid_argument("an episode cannot be followed: was it played in this game?");
  }

  const Poker& game_;
  const PlayedEpisodes& played_;
  BoardRecord& out_;
};

// Calls visit(street, outlook before it, equity before it, equity after it, cell after it) for the streets with cards up
// to `last`, and returns the equity of the hole cards.
template <class Visit>
float for_each_street(const PokerRules& rules, DealJudge& judge, const PokerDeal& deal, int last, Random& random, Visit visit) {
  Outlook now, next;
  int known = 0, street = 0;
  const auto seek = [&] {  // the next street with cards
    while (street < rules.num_streets && rules.board_cards[street] == 0) ++street;
    return street < rules.num_streets ? rules.board_cards[street] : 0;
  };
  int due = seek();
  judge.look(deal, known, due, random, now);
  const float hole_equity = now.equity();
  for (float equity = hole_equity; street < rules.num_streets && street <= last;) {
    const int here = street++;
    known += due;
    due = seek();
    judge.look(deal, known, due, random, next);
    visit(here, now, equity, next.equity(), judge.cell(deal, known));
    equity = next.equity();
    std::swap(now, next);
  }
  return hole_equity;
}

void validate(const Poker& game, const PlayedEpisodes& played, const RunoutOptions& options) {
  const auto require = [](bool ok, const char* problem) {
    if (!ok) throw std::invalid_argument(problem);
  };
  const PokerRules& rules = game.rules();
  require(game.num_players() == 2, "runouts are followed in games for two");
  require(rules.showdown != Showdown::kPair && rules.num_board_cards() > 0, "runouts are followed in hold'em and Omaha");
  const int first = *std::ranges::find_if(rules.board_cards, [](int cards) { return cards > 0; });
  require(first >= 3, "runouts need a first board of three cards or more");
  require(options.samples >= 1 && options.samples <= 1 << 20, "samples: must be 1 to 1,048,576");
  require(options.threads >= 1 && options.threads <= 1024, "threads: must be 1 to 1,024");
  require(played.copies >= 1 && played.first_deal >= 0, "copies: must be 1 or more, and first_deal 0 or more");
  require(!played.offsets.empty() && played.offsets[0] == 0, "offsets: must begin with 0");
  const std::size_t episodes = played.offsets.size() - 1;
  require(std::ranges::is_sorted(played.offsets) && played.offsets.back() == static_cast<std::int64_t>(played.slots.size()),
          "offsets: must rise to the number of steps");
  require(played.hands.size() == 2 * episodes, "hands: must be two for each episode");
  require(played.boards.size() == episodes * static_cast<std::size_t>(rules.num_board_cards()),
          "boards: must be one for each episode");
  require(episodes % static_cast<std::size_t>(played.copies) == 0, "episodes: must be whole deals");
}

// Calls work(judge, deal number, deal, last street that a copy reached, random numbers), over all threads, and
// returns what was found by the way.
template <class Work>
BoardRecord for_each_deal(const Poker& game, const PlayedEpisodes& played, const RunoutOptions& options, Work work) {
  const auto episodes = static_cast<std::int64_t>(played.offsets.size()) - 1, deals = episodes / played.copies;
  BoardRecord out;
  out.pots.resize(static_cast<std::size_t>(episodes * game.rules().num_streets));
  out.is_all_in.resize(out.pots.size());
  out.step_pots.resize(played.slots.size());
  const std::int64_t threads = options.threads;
  for_each_chunk(threads, options.threads, [&](std::int64_t thread) {
    DealJudge judge(game, options.samples);
    Follower follower(game, played, out);
    for (std::int64_t d = deals * thread / threads; d < deals * (thread + 1) / threads; ++d) {
      const PokerDeal deal = follower.deal(d * played.copies);
      int last = -1;
      for (std::int64_t e = d * played.copies; e < (d + 1) * played.copies; ++e) {
        follower.require_same_deal(d * played.copies, e);
        last = std::max(last, follower.follow(e, deal));
      }
      Random random{options.seed, static_cast<std::uint64_t>(played.first_deal + d), 2};
      work(out, judge, d, deal, last, random);
    }
  });
  return out;
}

}  // namespace

BoardRecord follow_runouts(const Poker& game, const PlayedEpisodes& played, const RunoutOptions& options) {
  validate(game, played, options);
  const int width = game.rules().num_streets + 1;
  const std::int64_t deals = (static_cast<std::int64_t>(played.offsets.size()) - 1) / played.copies;
  std::vector<float> equities(static_cast<std::size_t>(deals * width));
  std::vector<std::int32_t> cells(equities.size(), kNoCell);
  BoardRecord out = for_each_deal(
      game, played, options, [&](BoardRecord&, DealJudge& judge, std::int64_t d, const PokerDeal& deal, int last, Random& random) {
        float* const row = equities.data() + d * width;
        cells[static_cast<std::size_t>(d * width)] = judge.hole_cell(deal);
        int filled = 0;
        const float equity = for_each_street(game.rules(), judge, deal, last, random,
                                             [&](int street, const Outlook&, float before, float after, std::int32_t cell) {
                                               std::fill(row + filled, row + street + 1, before);
                                               std::fill(row + street + 1, row + width, after);
                                               filled = street + 1;
                                               cells[static_cast<std::size_t>(d * width + street + 1)] = cell;
                                             });
        if (filled == 0) std::fill(row, row + width, equity);
      });
  out.equities = std::move(equities);
  out.cells = std::move(cells);
  return out;
}

std::vector<double> follow_luck(const Poker& game, const PlayedEpisodes& played, const RunoutValues& values,
                                const RunoutOptions& options) {
  validate(game, played, options);
  const int streets = game.rules().num_streets;
  const std::size_t classes = values.pot_limits.size() + 1;
  const std::size_t size = static_cast<std::size_t>(played.copies) * static_cast<std::size_t>(streets) * classes * kNumCells;
  if (values.bases.size() != size || values.slopes.size() != size)
    throw std::invalid_argument("values: must be [copies, streets, classes, cells]");
  const auto is_finite = [](float x) { return std::isfinite(x); };
  if (!std::ranges::all_of(values.bases, is_finite) || !std::ranges::all_of(values.slopes, is_finite))
    throw std::invalid_argument("values: must be finite");
  if (!std::ranges::is_sorted(values.pot_limits)) throw std::invalid_argument("pot_limits: must be in ascending order");
  std::vector<double> luck((played.offsets.size() - 1) * static_cast<std::size_t>(streets));
  for_each_deal(game, played, options,
                [&](const BoardRecord& found, DealJudge& judge, std::int64_t d, const PokerDeal& deal, int last, Random& random) {
                  for_each_street(game.rules(), judge, deal, last, random,
                                  [&](int street, const Outlook& outlook, float before, float after, std::int32_t cell) {
                                    for (std::int64_t copy = 0; copy < played.copies; ++copy) {
                                      const auto at = static_cast<std::size_t>((d * played.copies + copy) * streets + street);
                                      const std::int32_t pot = found.pots[at];
                                      if (pot == 0) continue;
                                      if (found.is_all_in[at] != 0) {
                                        luck[at] = pot * (static_cast<double>(after) - before);
                                        continue;
                                      }
                                      const auto pot_class = static_cast<std::size_t>(
                                          std::ranges::upper_bound(values.pot_limits, pot) - values.pot_limits.begin());
                                      const std::size_t table =
                                          ((static_cast<std::size_t>(copy * streets + street)) * classes + pot_class) * kNumCells;
                                      const float* bases = values.bases.data() + table;
                                      const float* slopes = values.slopes.data() + table;
                                      double mean = 0;
                                      for (std::size_t i = 0; i < outlook.cells.size(); ++i)
                                        mean += bases[outlook.cells[i]] + slopes[outlook.cells[i]] * (2 * outlook.equities[i] - 1);
                                      mean /= static_cast<double>(outlook.cells.size());
                                      luck[at] = pot * (bases[cell] + slopes[cell] * (2 * after - 1) - mean);
                                    }
                                  });
                });
  return luck;
}

}  // namespace regretless
