// SPDX-License-Identifier: MIT
#include "games/bet_menu.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <stdexcept>

namespace regretless {
namespace {

constexpr double kMinAmount = 1e-6, kMaxAmount = 1e8;

[[noreturn]] void bad_size(std::string_view text, const char* problem) {
  throw std::invalid_argument("bet size '" + std::string(text) + "': " + problem);
}

// Reads a number and drops it from the text; nothing if the text starts with none.
std::optional<double> take_number(std::string_view& text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  if (error != std::errc{}) return {};
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

// amount x scale with as few decimals as will be read back as the same amount.
std::string number_text(double amount, double scale = 1) {
  char buffer[48];
  for (int decimals = 0; decimals <= 24; ++decimals) {
    std::snprintf(buffer, sizeof buffer, "%.*f", decimals, amount * scale);
    std::string_view text = buffer;
    if (take_number(text).value_or(0) / scale == amount) break;
  }
  return buffer;
}

BetSize parse_geometric(std::string_view whole, std::string_view rest, std::optional<double> streets) {
  BetSize size{BetSize::Kind::kGeometric, 0, 0, 0};
  if (streets) {
    if (*streets != std::floor(*streets) || *streets < 1 || *streets > kMaxStreets)
      bad_size(whole, "the number of streets before 'e' must be 1 to 4");
    size.streets = static_cast<int>(*streets);
  }
  if (rest.empty()) return size;
  const auto cap = take_number(rest);
  if (!cap || rest != "%" || !(*cap >= kMinAmount) || *cap > kMaxAmount)
    bad_size(whole, "after 'e' only a cap such as 200% may follow");
  size.cap = *cap / 100;
  return size;
}

// Rounded, halves up: std::trunc is one instruction, std::round is a call.
Chips to_chips(double amount) {
  const double whole = std::trunc(amount), rounded = amount - whole >= 0.5 ? whole + 1 : whole;
  return static_cast<Chips>(std::clamp(rounded, 0.0, static_cast<double>(kMaxStack) * kMaxPlayers));
}

double geometric_share(const BetSize& size, double pot, double stack, int streets_left) {
  const int streets = size.streets > 0 ? size.streets : streets_left;
  const double share = (std::pow((pot + 2 * stack) / pot, 1.0 / streets) - 1) / 2;
  return size.cap > 0 ? std::min(share, size.cap) : share;
}

// The chips that the largest live opponent could still lose with me, after a call.
Chips effective_stack(const Betting& betting, const PokerState& state) {
  const Player me = state.actor;
  Chips other = 0;
  for (Player p = 0; p < betting.rules().num_players; ++p)
    if (p != me && (state.live >> p & 1) != 0) other = std::max(other, state.stacks[p] + state.bets[p]);
  const Chips mine = state.stacks[me] + state.bets[me];
  return std::max(0, std::min(mine, other) - state.high_bet);
}

// `pot` is the one after a call.
Chips raise_to(const BetSize& size, Chips pot, const Betting& betting, const PokerState& state, const RaiseRange& range) {
  switch (size.kind) {
    case BetSize::Kind::kPot:
      return state.high_bet + to_chips(size.amount * pot);
    case BetSize::Kind::kMultiple:
      return to_chips(size.amount * state.high_bet);
    case BetSize::Kind::kChips:
      return state.high_bet + to_chips(size.amount);
    case BetSize::Kind::kUnits:
      return to_chips(size.amount * betting.rules().unit);
    case BetSize::Kind::kGeometric: {
      const int streets_left = betting.rules().num_streets - state.street;
      return state.high_bet + to_chips(pot * geometric_share(size, pot, effective_stack(betting, state), streets_left));
    }
    case BetSize::Kind::kMin:
      return range.min;
    default:
      return range.max;
  }
}

// The amount to raise to, or the most if a call would leave next to nothing behind.
Chips force_all_in(Chips to, double ratio, const Betting& betting, const PokerState& state, const RaiseRange& range) {
  const Chips raise = to - state.high_bet, behind = effective_stack(betting, state) - raise;
  const double pot = betting.pot(state) + betting.to_call(state) + 2.0 * raise;
  return behind <= ratio * pot ? range.max : to;
}

bool adds_all_in(const BetMenu& menu, const Betting& betting, const PokerState& state, const RaiseRange& range) {
  if (menu.add_all_in <= 0) return false;
  const Chips most = std::min(range.max - state.high_bet, effective_stack(betting, state));
  return most <= menu.add_all_in * (betting.pot(state) + betting.to_call(state));
}

// From the largest raise down, drops those that are closer than `distance` to the last one kept.
void merge_raises(Offer& offer, double distance) {
  std::array<int, kMaxSlots> slots;
  int count = 0;
  for (ActionMask rest = offer.legal >> kFirstRaiseSlot; rest != 0; rest &= rest - 1)
    slots[count++] = kFirstRaiseSlot + std::countr_zero(rest);
  std::sort(slots.begin(), slots.begin() + count, [&](int a, int b) { return offer.actions[a] > offer.actions[b]; });
  for (int i = 1, kept = 0; i < count; ++i) {
    if (offer.actions[slots[kept]] - offer.actions[slots[i]] < distance)
      offer.legal &= ~(ActionMask{1} << slots[i]);
    else
      kept = i;
  }
}

// Whether a bet would be one into the last aggressor of the street before.
bool is_donk(const PokerState& state) {
  return state.num_raises == 0 && state.aggressor != kNoAggressor && state.aggressor != state.actor &&
         (state.to_act >> state.aggressor & 1) != 0;
}

// None where the menu forbids the bet, whatever its ratios would add.
const std::vector<BetSize>* row(const BetMenu& menu, const PokerState& state) {
  const auto& seat = menu.rows[menu.rows.size() == 1 ? 0 : static_cast<std::size_t>(state.actor)];
  const auto& situations = seat[state.street];
  const auto& donks = situations[kDonk];
  if (donks.empty() || !is_donk(state)) return &situations[std::min(state.num_raises, kReraise)];
  const bool has_any = std::any_of(donks.begin(), donks.end(), [](const BetSize& s) { return s.kind != BetSize::Kind::kNone; });
  return has_any ? &donks : nullptr;
}

}  // namespace

BetSize BetSize::parse(std::string_view text) {
  if (text == "-") return {};
  if (text == "a") return {Kind::kAllIn, 0, 0, 0};
  if (text == "min") return {Kind::kMin, 0, 0, 0};
  std::string_view rest = text;
  const auto number = take_number(rest);
  if (!rest.empty() && rest[0] == 'e') return parse_geometric(text, rest.substr(1), number);
  if (!number) bad_size(text, "expected 33%, 2.5x, 100c, 2.5u, e, min or a");
  if (!(*number >= kMinAmount) || *number > kMaxAmount)
    bad_size(text, "the number must be positive, at least a millionth and at most 100 million");
  if (rest == "%") return {Kind::kPot, *number / 100, 0, 0};
  if (rest == "x") {
    if (*number <= 1) bad_size(text, "a raise must be to more than 1x the bet");
    return {Kind::kMultiple, *number, 0, 0};
  }
  if (rest == "c") return {Kind::kChips, *number, 0, 0};
  if (rest == "u") return {Kind::kUnits, *number, 0, 0};
  bad_size(text, "the unit must be %, x, c, u or e");
}

std::string BetSize::text() const {
  switch (kind) {
    case Kind::kNone:
      return "-";
    case Kind::kPot:
      return number_text(amount, 100) + "%";
    case Kind::kMultiple:
      return number_text(amount) + "x";
    case Kind::kChips:
      return number_text(amount) + "c";
    case Kind::kUnits:
      return number_text(amount) + "u";
    case Kind::kGeometric:
      return (streets > 0 ? std::to_string(streets) : "") + "e" + (cap > 0 ? number_text(cap, 100) + "%" : "");
    case Kind::kMin:
      return "min";
    default:
      return "a";
  }
}

void BetMenu::set_rows(const Texts& texts) {
  rows.clear();
  for (const auto& seat : texts) {
    auto& out = rows.emplace_back();
    if (seat.size() > kMaxStreets) throw std::invalid_argument("menu '" + name + "': more than 4 streets");
    for (std::size_t street = 0; street < seat.size(); ++street) {
      if (seat[street].size() != kNumSituations && seat[street].size() != kDonk + 1)
        throw std::invalid_argument("menu '" + name + "': a street needs open, raise and reraise, and may have donk");
      for (std::size_t situation = 0; situation < seat[street].size(); ++situation)
        for (const std::string& text : seat[street][situation]) out[street][situation].push_back(BetSize::parse(text));
    }
  }
}

BetMenu::Texts BetMenu::texts(int num_streets) const {
  Texts texts;
  for (const auto& seat : rows) {
    auto& streets = texts.emplace_back();
    for (int street = 0; street < std::min(num_streets, kMaxStreets); ++street) {
      auto& situations = streets.emplace_back();
      for (const auto& sizes : seat[street]) {
        if (&sizes == &seat[street][kDonk] && sizes.empty()) continue;
        auto& written = situations.emplace_back();
        for (const BetSize& size : sizes) written.push_back(size.text());
      }
    }
  }
  return texts;
}

bool BetMenu::has_donks() const {
  return std::any_of(rows.begin(), rows.end(), [](const auto& seat) {
    return std::any_of(seat.begin(), seat.end(), [](const auto& situations) { return !situations[kDonk].empty(); });
  });
}

void BetMenu::validate(const PokerRules& rules) const {
  const std::string where = "menu '" + name + "': ";
  const auto require = [&](bool ok, const std::string& problem) {
    if (!ok) throw std::invalid_argument(where + problem);
  };
  require(slots.size() >= kFirstRaiseSlot && slots[kFoldSlot] == "fold" && slots[kCallSlot] == "call",
          "the first two slots must be fold and call");
  require(slots.size() <= kMaxSlots, "more than 32 slots");
  require(rows.size() == 1 || rows.size() == static_cast<std::size_t>(rules.num_players),
          "needs rows for every seat, or one set for all");
  require(max_raises >= 0 && max_raises <= kNoRaiseCap, "max_raises must be 0 to a million");
  for (const double ratio : {add_all_in, force_all_in, merge})
    require(ratio >= 0 && ratio <= kMaxAmount, "add_all_in, force_all_in and merge must be from 0 to 100 million");
  require(add_all_in == 0 || slots.size() > kFirstRaiseSlot, "add_all_in needs a slot for the all-in");
  for (const auto& seat : rows)
    for (int street = 0; street < rules.num_streets; ++street)
      for (const auto& sizes : seat[street]) {
        const bool is_donk_row = &sizes == &seat[street][kDonk];
        if (is_donk_row && sizes.empty()) continue;
        require(sizes.size() == slots.size() - kFirstRaiseSlot,
                "street " + std::to_string(street) + " needs one size for each raise slot");
        const BetSize::Kind last = sizes.empty() ? BetSize::Kind::kNone : sizes.back().kind;
        require(add_all_in == 0 || last == BetSize::Kind::kNone || last == BetSize::Kind::kAllIn,
                "street " + std::to_string(street) + ": add_all_in needs the last slot");
        for (const BetSize& size : sizes)
          require(size.kind != BetSize::Kind::kMultiple || street == 0 || (&sizes != &seat[street][kOpen] && !is_donk_row),
                  "street " + std::to_string(street) + ": " + size.text() + " has no bet to multiply when nobody has bet");
      }
}

Offer make_offer(const BetMenu& menu, const Betting& betting, const PokerState& state) {
  Offer offer;
  offer.legal = ActionMask{1} << kCallSlot;
  offer.actions[kCallSlot] = kCall;
  if (betting.can_fold(state)) {
    offer.legal |= ActionMask{1} << kFoldSlot;
    offer.actions[kFoldSlot] = kFold;
  }
  if (state.num_raises >= menu.max_raises) return offer;
  const auto range = betting.raise_range(state);
  if (!range) return offer;
  const auto* const offered = row(menu, state);
  if (!offered) return offer;
  const auto& sizes = *offered;
  const auto add = [&](std::size_t slot, Chips to) {
    for (ActionMask rest = offer.legal >> kFirstRaiseSlot; rest != 0; rest &= rest - 1)
      if (offer.actions[kFirstRaiseSlot + std::countr_zero(rest)] == to) return;
    offer.legal |= ActionMask{1} << slot;
    offer.actions[slot] = to;
  };
  for (std::size_t i = 0; i < sizes.size(); ++i)
    if (sizes[i].kind == BetSize::Kind::kAllIn) add(i + kFirstRaiseSlot, range->max);
  if (adds_all_in(menu, betting, state, *range)) add(sizes.size() - 1 + kFirstRaiseSlot, range->max);
  const Chips pot = betting.pot(state) + betting.to_call(state);
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i].kind == BetSize::Kind::kNone || sizes[i].kind == BetSize::Kind::kAllIn) continue;
    const Chips to = std::clamp(raise_to(sizes[i], pot, betting, state, *range), range->min, range->max);
    add(i + kFirstRaiseSlot, menu.force_all_in > 0 ? force_all_in(to, menu.force_all_in, betting, state, *range) : to);
  }
  if (menu.merge > 0) merge_raises(offer, menu.merge * pot);
  const bool is_limp = state.street == 0 && state.num_raises == 0 && betting.to_call(state) > 0;
  if (!menu.limp && is_limp && offer.legal >> kFirstRaiseSlot != 0) offer.legal &= ~(ActionMask{1} << kCallSlot);
  return offer;
}

Translation translate(const BetMenu& menu, const Betting& betting, const PokerState& state, Action action) {
  if (action == kFold) return {kFoldSlot, kFoldSlot, 1};
  const Offer offer = make_offer(menu, betting, state);
  const bool may_call = (offer.legal >> kCallSlot & 1) != 0;
  if (action == kCall && may_call) return {kCallSlot, kCallSlot, 1};
  const double pot = betting.pot(state) + betting.to_call(state);
  const auto share = [&](Chips to) { return (to - state.high_bet) / pot; };
  int low = kCallSlot, high = -1;
  Chips low_to = state.high_bet, high_to = 0;
  for (int slot = kFirstRaiseSlot; slot < menu.num_actions(); ++slot) {
    if ((offer.legal >> slot & 1) == 0) continue;
    const Chips to = offer.actions[slot];
    if (to <= action && to > low_to) low = slot, low_to = to;
    if (to >= action && (high < 0 || to < high_to)) high = slot, high_to = to;
  }
  if (high < 0 || high == low) return {low, low, 1};
  if (low == kCallSlot && !may_call) return {high, high, 1};
  const double a = share(low_to), b = share(high_to), x = share(action);
  return {low, high, (b - x) * (1 + a) / ((b - a) * (1 + x))};
}

}  // namespace regretless
