// SPDX-License-Identifier: MIT
#include "observe/encoder.h"

#include "observe/all_seats.h"
#include "observe/buckets.h"
#include "observe/composition.h"
#include "observe/infoset.h"
#include "observe/slots12.h"
#include "observe/table30.h"

namespace regretless {
namespace {

std::shared_ptr<const Encoder> make(std::string_view name, std::shared_ptr<const ExplicitGame> game, const BucketTables&) {
  if (name != Infoset::kName)
    throw std::invalid_argument("encoder '" + std::string(name) + "': a game written out in full has only 'infoset'");
  return std::make_shared<Infoset>(std::move(game));
}

std::shared_ptr<const Encoder> make_of_cards(std::string_view name, std::shared_ptr<const Poker> game,
                                             const BucketTables& buckets) {
  if (name == Table30::kName) return std::make_shared<Table30>(std::move(game));
  if (buckets.size() != 1)
    throw std::invalid_argument("encoder 'buckets': needs the buckets of one abstraction, not of " +
                                std::to_string(buckets.size()));
  return std::make_shared<Buckets>(std::move(game), buckets[0]);
}

template <EpisodeGame G>
std::shared_ptr<const Encoder> make(std::string_view name, std::shared_ptr<const G> game, const BucketTables& buckets) {
  if (name.ends_with(kAllSeats)) {
    name.remove_suffix(kAllSeats.size());
    return std::make_shared<AllSeats<G>>(game, make_encoder(name, game, buckets));
  }
  if (name == Buckets::kName || name == Table30::kName) {
    if constexpr (std::is_same_v<G, Poker>)
      return make_of_cards(name, std::move(game), buckets);
    else
      throw std::invalid_argument("encoder '" + std::string(name) + "': only poker has cards");
  }
  if constexpr (requires { sizeof(Slots12<G>); })
    if (name == Slots12<G>::kName) return std::make_shared<Slots12<G>>(std::move(game));
  if constexpr (requires { sizeof(Canonical24<G>); })
    if (name == Canonical24<G>::kName) return std::make_shared<Canonical24<G>>(std::move(game));
  if constexpr (requires { sizeof(Composition<G>); })
    if (name == Composition<G>::kName) return std::make_shared<Composition<G>>(std::move(game));
  throw std::invalid_argument("no encoder is called '" + std::string(name) + "'");
}

}  // namespace

std::shared_ptr<const Encoder> make_encoder(std::string_view name, const AnyGame& any, const BucketTables& buckets) {
  return with_game(any, "encoders need episodes",
                   [&]<EpisodeGame G>(std::shared_ptr<const G> game) { return make(name, std::move(game), buckets); });
}

}  // namespace regretless
