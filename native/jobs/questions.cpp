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
  out.each_table_column([&](auto column, std::size_t) { append(out.*column, parts, column); });
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

// Joins the columns of equal name and width that all parts have.
template <class Named, class Column>
void append_named(std::vector<Named>& out, std::span<const Questions* const> parts, std::vector<Named> Questions::* all,
                  Column Named::* column) {
  for (const Named& like : parts[0]->*all) {
    const auto find = [&](const Questions* part) {
      const auto is_like = [&](const Named& each) { return each.name == like.name && each.row_bytes == like.row_bytes; };
      const auto found = std::ranges::find_if(part->*all, is_like);
      return found != (part->*all).end() ? &*found : nullptr;
    };
    if (std::ranges::any_of(parts, [&](const Questions* part) { return find(part) == nullptr; })) continue;
    out.push_back({like.name, like.row_bytes, {}});
    Column& joined = out.back().*column;
    for (const Questions* part : parts) joined.insert(joined.end(), (find(part)->*column).begin(), (find(part)->*column).end());
  }
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
  all.each_column([&](auto column, std::size_t) { append(all.*column, parts, column); });
  append_several(all, parts, &Questions::step_offsets, {&Questions::step_actors, &Questions::step_slots, &Questions::step_streets});
  append_table(all, parts);
  append_past(all, parts);
  append_named(all.encoded, parts, &Questions::encoded, &EncodedRows::bytes);
  append_named(all.bucketed, parts, &Questions::bucketed, &BucketInfosets::keys);
  return all;
}

Questions Questions::part(std::span<const std::int64_t> rows) const {
  for (const std::int64_t row : rows)
    if (row < 0 || row >= batch) throw std::out_of_range("there is no row " + std::to_string(row));
  Questions some;
  some.batch = static_cast<std::int64_t>(rows.size());
  some.num_actions = num_actions;
  for (const EncodedRows& from : encoded) {
    some.encoded.push_back({from.name, from.row_bytes, {}});
    take(some.encoded.back().bytes, from.bytes, rows, from.row_bytes);
  }
  for (const BucketInfosets& from : bucketed) {
    some.bucketed.push_back({from.name, from.row_bytes, {}});
    take(some.bucketed.back().keys, from.keys, rows, 1);
  }
  some.hand_size = hand_size;
  some.board_size = board_size;
  some.num_players = num_players;
  const auto take_column = [&](auto column, std::size_t width) { take(some.*column, this->*column, rows, width); };
  each_column(take_column);
  each_table_column(take_column);
  take_history(some, *this, rows);
  take_past(some, *this, rows);
  return some;
}

}  // namespace regretless
