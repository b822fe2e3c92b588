// SPDX-License-Identifier: MIT
// What happened between two states, as frames: each has a scene to draw, what moves in it, and how long it takes.
// A scene is a step of a replay (`seat`, `text`, `seen`) with notes beside the seats.

const MOST_MILLISECONDS = 1000; // of all frames together: a person wants to play
const TIMES = { deal: 320, fold: 110, check: 110, bet: 210, gather: 230, board: 230, show: 260, win: 380 };

/** The scene of a step as it stands. `notes`: the last words of each seat. */
export function sceneOf(step, notes = []) {
  const { seen } = step;
  const seats = seen.seats.map((each) =>
    seen.is_over && "stack" in each ? { ...each, stack: finalStack(each), bet: 0 } : each,
  );
  return { ...step, seen: { ...seen, seats }, notes: seen.is_over ? [] : notes };
}

/** Chips behind when the pot has been paid out. */
const finalStack = (seat) => seat.stack + seat.paid + seat.payoff;

/** What a seat takes from the pots. */
export const wonBy = (seat) => (seat.paid ?? 0) + (seat.payoff ?? 0);

/** The frames from the first of some steps to the last; none where there is one step only. */
export function framesOf(steps, { isDealt = false } = {}) {
  const frames = isDealt ? [frame("deal", sceneOf(steps[0]), {})] : [];
  let notes = [];
  for (let at = 1; at < steps.length; at++) {
    const [made, next] = framesOfStep(steps[at - 1], steps[at], notes);
    frames.push(...made);
    notes = next;
  }
  const total = frames.reduce((sum, each) => sum + each.milliseconds, 0);
  const scale = Math.min(1, MOST_MILLISECONDS / (total || 1));
  return frames.map((each) => ({ ...each, milliseconds: each.milliseconds * scale }));
}

/** The notes after all steps, for a scene that is drawn at once. */
export function notesOf(steps) {
  let notes = [];
  for (let at = 1; at < steps.length; at++) notes = notesAfter(steps[at - 1].seen, steps[at], notes);
  return notes;
}

function notesAfter(before, step, notes) {
  if (step.seen.street !== before.street) return [];
  const next = [...notes];
  next[step.seat] = step.text;
  return next;
}

function framesOfStep(before, step, notes) {
  const [old, now] = [before.seen, step.seen];
  const spoken = [...notes];
  spoken[step.seat] = step.text;
  if (!("pot" in now))
    return [[frame(now.is_over ? "show" : "check", sceneOf(step, spoken), { seat: step.seat })], spoken];
  const added = now.seats[step.seat].paid - old.seats[step.seat].paid;
  const acted = withBets(old, now, step.seat, added);
  const kind = now.seats[step.seat].is_live ? (added ? "bet" : "check") : "fold";
  const frames = [frame(kind, { ...step, seen: acted, notes: spoken }, { seat: step.seat })];
  const isNewStreet = now.street !== old.street || now.is_over;
  if (isNewStreet && acted.seats.some((each) => each.bet)) frames.push(frame("gather", frames[0].scene, {}));
  const held = { ...acted, pots: now.pots, seats: acted.seats.map((each) => ({ ...each, bet: 0 })) };
  if (now.is_over && now.seats.filter((each) => each.is_live).length > 1)
    held.seats = held.seats.map((each, seat) => ({ ...each, hand: now.seats[seat].hand }));
  for (const board of boards(old.board, now.board))
    frames.push(
      frame("board", { ...step, seen: { ...held, board }, notes: [] }, { from: boardBefore(board, old.board) }),
    );
  if (!now.is_over) {
    if (isNewStreet) frames.push(frame("check", sceneOf(step), {}));
    return [frames, isNewStreet ? [] : spoken];
  }
  const winners = now.seats.flatMap((each, seat) => (wonBy(each) > 0 ? [seat] : []));
  const isShown = now.seats.filter((each) => each.is_live).length > 1;
  if (isShown) frames.push(frame("show", { ...step, seen: { ...held, board: now.board }, notes: [] }, {}));
  frames.push(frame("win", sceneOf(step), { winners }));
  return [frames, []];
}

const frame = (kind, scene, moved) => ({ kind, scene, ...moved, milliseconds: TIMES[kind] });

/** The table right after an action: the chips lie before the seats, no card has come. */
function withBets(old, now, actor, added) {
  const seats = now.seats.map((each, seat) => ({
    ...each,
    bet: old.seats[seat].bet + (seat === actor ? added : 0),
    hand: old.seats[seat].hand,
    payoff: null,
    strength: "",
  }));
  return { ...now, seats, board: old.board, pots: old.pots, pot: old.pot + added, actor: null, is_over: false };
}

/** The boards from one to the other: three cards at once, then one by one. */
function boards(old, now) {
  const found = [];
  for (let count = old.length; count < now.length;) {
    count = count < 3 && now.length >= 3 ? 3 : count + 1;
    found.push(now.slice(0, count));
  }
  return found;
}

const boardBefore = (board, old) => (board.length <= 3 ? Math.min(old.length, board.length - 1) : board.length - 1);
