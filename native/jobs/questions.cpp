// SPDX-License-Identifier: MIT
#include "jobs/questions.h"

#include <atomic>

namespace regretless {
namespace {

template <class T>
void take(std::vector<T>& out, const std::vector<T>& from, std::span<const std::int64_t> rows, std::size_t width) {
  if (from.empty()) return;
  out.resize(rows.size() * width);
  for (std::size_t i = 0; i < rows.size(); ++i)
    std::copy_n(from.data() + static_cast<std::size_t>(rows[i]) * width, width, out.data() + i * width);
}

// The places of all that some rows have several of, and where those of each row begin among them.
std::vector<std::int64_t> take_offsets(std::vector<std::int64_t>& out, const std::vector<std::int64_t>& from,
                                       std::span<const std::int64_t> rows) {
  std::vector<std::int64_t> places;
  out.push_back(0);
  for (const std::int64_t row : rows) {
    const auto begin = from[static_cast<std::size_t>(row)], end = from[static_cast<std::size_t>(row) + 1];
    for (std::int64_t place = begin; place < end; ++place) places.push_back(place);
    out.push_back(static_cast<std::int64_t>(places.size()));
  }
  return places;
}

void take_history(Questions& out, const Questions& from, std::span<const std::int64_t> rows) {
  if (from.step_offsets.empty()) return;
  const auto places = take_offsets(out.step_offsets, from.step_offsets, rows);
  for (const auto column : {&Questions::step_actors, &Questions::step_slots, &Questions::step_streets})
    take(out.*column, from.*column, places, 1);
  take(out.step_actions, from.step_actions, places, 1);
}

void take_past(Questions& out, const Questions& from, std::span<const std::int64_t> rows) {
  if (!from.past) return;
  const auto places = take_offsets(out.past_offsets, from.past_offsets, rows);
  take(out.past_slots, from.past_slots, places, 1);
  out.past = std::make_shared<Questions>(from.past->part(places));
}

// Appends a column, unless some part lacks it.
template <class T>
void append(std::vector<T>& out, std::span<const Questions* const> parts, std::vector<T> Questions::* column) {
  const auto lacks = [&](const Questions* part) { return part->batch > 0 && (part->*column).empty(); };
  if (std::ranges::any_of(parts, lacks)) return;
  for (const Questions* part : parts) out.insert(out.end(), (part->*column).begin(), (part->*column).end());
}

using Slots = std::vector<std::uint8_t> Questions::*;

// Joins a column with several numbers a row, unless some part lacks it; returns whether none does.
bool append_several(Questions& out, std::span<const Questions* const> parts, std::vector<std::int64_t> Questions::* offsets,
                    std::initializer_list<Slots> columns) {
  if (std::ranges::any_of(parts, [&](const Questions* part) { return (part->*offsets).empty(); })) return false;
  (out.*offsets).push_back(0);
  for (const Questions* part : parts) {
    const std::int64_t before = (out.*offsets).back();
    for (std::size_t row = 1; row < (part->*offsets).size(); ++row) (out.*offsets).push_back(before + (part->*offsets)[row]);
    for (const Slots column : columns) (out.*column).insert((out.*column).end(), (part->*column).begin(), (part->*column).end());
  }
  return true;
}

// Joins the columns of the table, unless some part lacks it or is of a game with other seats or cards.
void append_table(Questions& out, std::span<const Questions* const> parts) {
  const Questions& like = *parts[0];
  const auto differs = [&](const Questions* part) {
    return part->hand_size != like.hand_size || part->board_size != like.board_size || part->num_players != like.num_players;
  };
  if (std::ranges::any_of(parts, differs)) return;
  out.hand_size = like.hand_size;
  out.board_size = like.board_size;
  out.num_players = like.num_players;
  const auto append_columns = [&](auto... columns) { (append(out.*columns, parts, columns), ...); };
  append_columns(&Questions::hole_cards, &Questions::seat_stacks, &Questions::seat_bets, &Questions::live, &Questions::offers,
                 &Questions::least_raises, &Questions::most_raises);
  if (like.board_size > 0) append_columns(&Questions::boards);
  if (!out.step_offsets.empty())
    for (const Questions* part : parts)
      out.step_actions.insert(out.step_actions.end(), part->step_actions.begin(), part->step_actions.end());
}

void append_past(Questions& out, std::span<const Questions* const> parts) {
  if (!append_several(out, parts, &Questions::past_offsets, {&Questions::past_slots})) return;
  std::vector<const Questions*> pasts;
  for (const Questions* part : parts) pasts.push_back(part->past.get());
  out.past = std::make_shared<Questions>(Questions::joined(pasts));
}

const BucketInfosets* find_bucketed(const Questions& questions, const std::string& name) {
  for (const BucketInfosets& infosets : questions.bucketed)
    if (infosets.name == name) return &infosets;
  return nullptr;
}

const EncodedRows* find_encoded(const Questions& questions, const EncodedRows& like) {
  for (const EncodedRows& rows : questions.encoded)
    if (rows.name == like.name && rows.row_bytes == like.row_bytes) return &rows;
  return nullptr;
}

}  // namespace

Questions Questions::joined(std::span<const Questions* const> parts) {
  Questions all;
  if (parts.empty()) return all;
  all.num_actions = parts[0]->num_actions;
  for (const Questions* part : parts) {
    if (part->num_actions != all.num_actions) throw std::invalid_argument("questions of games with other slots cannot be joined");
    all.batch += part->batch;
  }
  const auto append_columns = [&](auto... columns) { (append(all.*columns, parts, columns), ...); };
  append_columns(&Questions::legal, &Questions::actors, &Questions::hands, &Questions::episodes, &Questions::infosets,
                 &Questions::publics, &Questions::pots, &Questions::to_calls, &Questions::stacks, &Questions::streets,
                 &Questions::hand_strengths, &Questions::seeds);
  append_several(all, parts, &Questions::step_offsets, {&Questions::step_actors, &Questions::step_slots, &Questions::step_streets});
  append_table(all, parts);
  append_past(all, parts);
  for (const EncodedRows& like : parts[0]->encoded) {
    if (std::ranges::any_of(parts, [&](const Questions* part) { return find_encoded(*part, like) == nullptr; })) continue;
    all.encoded.push_back({like.name, like.row_bytes, {}});
    auto& bytes = all.encoded.back().bytes;
    for (const Questions* part : parts) {
      const EncodedRows& rows = *find_encoded(*part, like);
      bytes.insert(bytes.end(), rows.bytes.begin(), rows.bytes.end());
    }
  }
  for (const BucketInfosets& like : parts[0]->bucketed) {
    if (std::ranges::any_of(parts, [&](const Questions* part) { return find_bucketed(*part, like.name) == nullptr; })) continue;
    all.bucketed.push_back({like.name, {}});
    auto& keys = all.bucketed.back().keys;
    for (const Questions* part : parts) {
      const BucketInfosets& infosets = *find_bucketed(*part, like.name);
      keys.insert(keys.end(), infosets.keys.begin(), infosets.keys.end());
    }
  }
  return all;
}

Questions Questions::part(std::span<const std::int64_t> rows) const {
  for (const std::int64_t row : rows)
    if (row < 0 || row >= batch) throw std::out_of_range("there is no row " + std::to_string(row));
  Questions some;
  some.batch = static_cast<std::int64_t>(rows.size());
  some.num_actions = num_actions;
  take(some.legal, legal, rows, num_actions);
  for (const EncodedRows& from : encoded) {
    some.encoded.push_back({from.name, from.row_bytes, {}});
    take(some.encoded.back().bytes, from.bytes, rows, from.row_bytes);
  }
  for (const BucketInfosets& from : bucketed) {
    some.bucketed.push_back({from.name, {}});
    take(some.bucketed.back().keys, from.keys, rows, 1);
  }
  const auto take_columns = [&](auto... columns) { (take(some.*columns, this->*columns, rows, 1), ...); };
  take_columns(&Questions::actors, &Questions::hands, &Questions::episodes, &Questions::infosets, &Questions::publics,
               &Questions::pots, &Questions::to_calls, &Questions::stacks, &Questions::streets, &Questions::hand_strengths,
               &Questions::seeds);
  some.hand_size = hand_size;
  some.board_size = board_size;
  some.num_players = num_players;
  take(some.hole_cards, hole_cards, rows, hand_size);
  take(some.boards, boards, rows, board_size);
  for (const auto column : {&Questions::seat_stacks, &Questions::seat_bets}) take(some.*column, this->*column, rows, num_players);
  take(some.live, live, rows, num_players);
  take(some.offers, offers, rows, num_actions);
  take_columns(&Questions::least_raises, &Questions::most_raises);
  take_history(some, *this, rows);
  take_past(some, *this, rows);
  return some;
}

}  // namespace regretless
