// SPDX-License-Identifier: MIT
#include "observe/encoder.h"

#include <stdexcept>

#include "observe/all_seats.h"
#include "observe/buckets.h"
#include "observe/canonical24.h"
#include "observe/composition.h"
#include "observe/infoset.h"
#include "observe/slots12.h"
#include "observe/table30.h"

namespace regretless {
namespace {

template <Game G>
std::shared_ptr<const EncoderOf<G>> make(std::string_view name, std::shared_ptr<const G> game) {
  if (name == Slots12<G>::kName) return std::make_shared<Slots12<G>>(std::move(game));
  if (name == Canonical24<G>::kName) return std::make_shared<Canonical24<G>>(std::move(game));
  if (name == Composition<G>::kName) return std::make_shared<Composition<G>>(std::move(game));
  throw std::invalid_argument("no encoder is called '" + std::string(name) + "'");
}

template <Game G>
std::shared_ptr<const EncoderOf<G>> make_all_seats(std::string_view name, std::shared_ptr<const G> game,
                                                   const BucketTables& buckets) {
  name.remove_suffix(kAllSeats.size());
  return std::make_shared<AllSeats<G>>(game, make_encoder(name, game, buckets));
}

}  // namespace

std::shared_ptr<const EncoderOf<Poker>> make_encoder(std::string_view name, std::shared_ptr<const Poker> game,
                                                     const BucketTables& buckets) {
  if (name.ends_with(kAllSeats)) return make_all_seats(name, std::move(game), buckets);
  if (name == Table30::kName) return std::make_shared<Table30>(std::move(game));
  if (name != Buckets::kName) return make(name, std::move(game));
  if (buckets.size() != 1)
    throw std::invalid_argument("encoder 'buckets': needs the buckets of one abstraction, not of " +
                                std::to_string(buckets.size()));
  return std::make_shared<Buckets>(std::move(game), buckets[0]);
}

std::shared_ptr<const EncoderOf<LiarsDice>> make_encoder(std::string_view name, std::shared_ptr<const LiarsDice> game,
                                                         const BucketTables& buckets) {
  if (name.ends_with(kAllSeats)) return make_all_seats(name, std::move(game), buckets);
  if (name == Buckets::kName || name == Table30::kName)
    throw std::invalid_argument("encoder '" + std::string(name) + "': only poker has cards");
  return make(name, std::move(game));
}

std::shared_ptr<const EncoderOf<ExplicitGame>> make_encoder(std::string_view name, std::shared_ptr<const ExplicitGame> game,
                                                            const BucketTables&) {
  if (name != Infoset::kName)
    throw std::invalid_argument("encoder '" + std::string(name) + "': a game written out in full has only 'infoset'");
  return std::make_shared<Infoset>(std::move(game));
}

}  // namespace regretless
