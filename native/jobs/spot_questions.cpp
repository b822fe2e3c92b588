// SPDX-License-Identifier: MIT
#include "jobs/spot_questions.h"

#include "tree/public_tree.h"

namespace regretless {
namespace {

constexpr std::int64_t kMostNodes = 1'000'000;      // of a game that is asked about everywhere
constexpr std::int64_t kMostInfosets = 50'000'000;  // of the same

// A public state, the steps that led to it, and the number of the episode that seeds go by.
template <Game G>
struct AskedState {
  typename G::State state;
  std::vector<Step> history;
  std::int64_t episode = 0;
};

template <Game G>
class SpotQuestionsOf final : public SpotQuestions {
 public:
  SpotQuestionsOf(std::shared_ptr<const G> game, std::vector<AskedState<G>> spots, std::optional<std::vector<Hand>> hands,
                  const SpotOptions& options)
      : game_(std::move(game)),
        spots_(std::move(spots)),
        hands_(std::move(hands)),
        writer_(game_, options.questions, options.seed) {
    for (std::size_t i = 0; i < spots_.size(); ++i) offsets_.push_back(offsets_.back() + count_hands(i));
  }

  std::shared_ptr<Questions> ask(std::int64_t begin, std::int64_t end) const override {
    if (begin < 0 || begin > end || end > num_rows())
      throw std::invalid_argument("rows: must be from 0 to " + std::to_string(num_rows()));
    if (end - begin > kMaxRows) throw std::invalid_argument("rows: at most " + std::to_string(kMaxRows) + " at a time");
    auto questions = std::make_shared<Questions>();
    std::size_t steps = 0, past = 0;
    for_each_part(begin, end, [&](const AskedState<G>& spot, std::int64_t first, std::int64_t last) {
      steps += static_cast<std::size_t>(last - first) * spot.history.size();
      past += static_cast<std::size_t>(last - first) * count_own(spot.history, game_->actor(spot.state));
    });
    writer_.resize(*questions, static_cast<std::size_t>(end - begin), steps, past);
    QuestionCursor cursor;
    for_each_part(begin, end, [&](const AskedState<G>& spot, std::int64_t first, std::int64_t last) {
      write(*questions, cursor, spot, first, last);
    });
    return questions;
  }

 private:
  std::int64_t count_hands(std::size_t i) const {
    const auto require = [i](bool ok, const std::string& problem) {
      if (!ok) throw std::invalid_argument("spot " + std::to_string(i) + ": " + problem);
    };
    const auto& state = spots_[i].state;
    require(game_->actor(state) >= 0, "nobody is to act");
    if (!hands_) {
      std::int64_t count = 0;
      for (Hand hand = 0; hand < game_->num_hands(); ++hand) count += game_->hand_possible(state, hand);
      return count;
    }
    for (const Hand hand : *hands_) {
      require(hand >= 0 && hand < game_->num_hands(), "there is no hand " + std::to_string(hand));
      require(game_->hand_possible(state, hand), "hand " + std::to_string(hand) + " holds a public card");
    }
    return static_cast<std::int64_t>(hands_->size());
  }

  // The spots that some rows belong to, and which of the rows of each.
  template <class Visit>
  void for_each_part(std::int64_t begin, std::int64_t end, Visit visit) const {
    auto i = static_cast<std::size_t>(std::ranges::upper_bound(offsets_, begin) - offsets_.begin()) - 1;
    for (; begin < end; begin = std::min(end, offsets_[i++ + 1]))
      visit(spots_[i], begin - offsets_[i], std::min(end, offsets_[i + 1]) - offsets_[i]);
  }

  void write(Questions& questions, QuestionCursor& cursor, const AskedState<G>& asked, std::int64_t first,
             std::int64_t last) const {
    const Spot<G> spot = writer_.spot(asked.state, asked.history, asked.episode);
    typename G::Deal deal{};
    const auto write_row = [&](Hand hand) {
      game_->set_hand(deal, spot.actor, hand);
      writer_.write(questions, cursor, spot, deal);
    };
    if (hands_) {
      for (; first < last; ++first) write_row((*hands_)[static_cast<std::size_t>(first)]);
      return;
    }
    std::int64_t row = 0;
    for (Hand hand = 0; row < last; ++hand)
      if (game_->hand_possible(asked.state, hand) && row++ >= first) write_row(hand);
  }

  std::shared_ptr<const G> game_;
  std::vector<AskedState<G>> spots_;
  std::optional<std::vector<Hand>> hands_;
  QuestionWriter<G> writer_;
};

template <PublicGame G>
std::vector<AskedState<G>> every_decision(const G& game) {
  const PublicTree<G> tree = build_tree(game, game.root(), SymmetryGroup{}, {.max_nodes = kMostNodes});
  std::vector<std::vector<Step>> histories(tree.nodes.size());
  std::vector<AskedState<G>> decisions;
  for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
    const PublicNode& node = tree.nodes[n];
    if (n > 0) {
      histories[n] = histories[static_cast<std::size_t>(node.parent)];
      auto before = tree.states[static_cast<std::size_t>(node.parent)];
      if (!tree.is_below_chance(n)) histories[n].push_back(game.take(before, node.event));
    }
    if (node.actor >= 0) decisions.push_back({tree.states[n], histories[n]});
    if (static_cast<std::int64_t>(decisions.size()) > kMostInfosets / game.num_hands())
      throw std::length_error("the game has too many infosets to ask about all of them");
  }
  return decisions;
}

std::vector<AskedState<ExplicitGame>> every_decision(const ExplicitGame& game) {
  std::vector<AskedState<ExplicitGame>> decisions;
  for (const ExplicitState& state : game.every_infoset()) {
    AskedState<ExplicitGame> asked{state, {}, 0};
    for (const auto& [before, step] : game.path(state)) asked.history.push_back(step);
    decisions.push_back(std::move(asked));
  }
  return decisions;
}

constexpr std::string_view kNeedsEpisodes = "questions need episodes";

}  // namespace

std::unique_ptr<SpotQuestions> ask_spots(const AnyGame& any, const std::vector<AnyEpisode>& episodes,
                                         const std::optional<std::vector<std::int64_t>>& numbers,
                                         std::optional<std::vector<Hand>> hands, const SpotOptions& options) {
  if (numbers && numbers->size() != episodes.size()) throw std::invalid_argument("numbers: must be as many as there are episodes");
  return with_game(any, kNeedsEpisodes, [&]<EpisodeGame G>(std::shared_ptr<const G> game) -> std::unique_ptr<SpotQuestions> {
    std::vector<AskedState<G>> spots;
    for (std::size_t i = 0; i < episodes.size(); ++i) {
      const auto* episode = std::get_if<typename G::Episode>(&episodes[i]);
      if (!episode || &episode->game() != game.get())
        throw std::invalid_argument("episode " + std::to_string(i) + ": is not of this game");
      spots.push_back({episode->state(), episode->steps(), numbers ? (*numbers)[i] : 0});
    }
    return std::make_unique<SpotQuestionsOf<G>>(std::move(game), std::move(spots), std::move(hands), options);
  });
}

std::unique_ptr<SpotQuestions> ask_everywhere(const AnyGame& any, const SpotOptions& options) {
  return with_game(any, kNeedsEpisodes, [&]<EpisodeGame G>(std::shared_ptr<const G> game) -> std::unique_ptr<SpotQuestions> {
    std::vector<AskedState<G>> decisions = every_decision(*game);
    return std::make_unique<SpotQuestionsOf<G>>(std::move(game), std::move(decisions), std::nullopt, options);
  });
}

}  // namespace regretless
