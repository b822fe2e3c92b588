// SPDX-License-Identifier: MIT
// The choice of a table: tables that one click opens, and one's own. One request decides who sits and what is played.

import { h } from "../lib/dom.js";
import { post } from "../lib/api.js";
import { plural } from "../lib/format.js";
import { store, stored } from "../lib/preferences.js";
import { checkField, selectField, textField } from "../parts/fields.js";
import { button, panel } from "../parts/panels.js";
import { levelBadge } from "./side.js";

const MOST_SEATS = 9;
const BOTS = ["tight-aggressive", "pot-odds"];
const QUICK = [
  {
    title: "Heads-up",
    text: "No-limit hold'em, 100 big blinds",
    seats: 2,
    games: ["hunl-100bb", "nlhe"],
    game: "nlhe",
  },
  { title: "Six-handed", text: "No-limit hold'em, 100 big blinds", seats: 6, games: ["nlhe"], game: "nlhe" },
  { title: "Nine-handed", text: "No-limit hold'em, a full ring", seats: 9, games: ["nlhe"], game: "nlhe" },
  { title: "Omaha", text: "Pot-limit, four cards, heads-up", seats: 2, games: ["plo4"], game: "plo4" },
  { title: "Short deck", text: "Six to ace, four players", seats: 4, games: ["short-deck"], game: "short-deck" },
  { title: "Leduc", text: "Six cards, two streets", seats: 2, games: ["leduc"], game: "leduc" },
  { title: "Kuhn", text: "Three cards, one bet", seats: 2, games: ["kuhn"], game: "kuhn" },
  {
    title: "Liar's Dice",
    text: "One die of six faces each",
    seats: 2,
    games: ["liars-dice-1x6f"],
    game: "liars-dice-1x6f",
  },
];

export class Lobby {
  /** `games` and `opponents` as the API lists them; `last`: the session of the last table, or null. */
  constructor(page, { games, opponents, onOpen, last, onLook, kept, onBack }) {
    Object.assign(this, { page, games, opponents, onOpen, last, onLook, kept, onBack, isBusy: false, error: "" });
    this.form = { game: "nlhe", seats: 2, names: [], hands: "", stack: "" };
    this.sitWith(this.strongest(QUICK[0].games, QUICK[0].seats)?.name);
    Object.assign(this.form, stored("ownTable", {}));
    if (page.query.with) this.sitWith(page.query.with);
    this.fill();
  }

  find(name) {
    return this.opponents.find((each) => each.name === name);
  }

  /** The strongest strategy for so many seats of one of these games, or null; what ships first. */
  strongest(games, seats) {
    return (
      this.opponents.find((each) => each.kind === "strategy" && games.includes(each.game) && each.seats === seats) ??
      null
    );
  }

  /** Puts a strategy on all other seats, in its own game. */
  sitWith(name) {
    const found = this.find(name);
    if (!found) return;
    const seats = found.seats ?? 2;
    Object.assign(this.form, { game: found.game, seats, names: Array(seats - 1).fill(name) });
  }

  /** Gives every seat somebody who plays the game. */
  fill() {
    const { form } = this;
    form.seats = Math.min(Math.max(Number(form.seats) || 2, 2), MOST_SEATS);
    const standing = this.strongest([form.game], form.seats)?.name;
    const names = [...Array(form.seats - 1)].map((_, place) => {
      const found = this.find(form.names[place]);
      const fits =
        found &&
        (found.kind === "bot" || found.is_flexible || (found.game === form.game && found.seats === form.seats));
      return fits ? found.name : (standing ?? BOTS[place % BOTS.length]);
    });
    form.names = names;
  }

  change(changes) {
    Object.assign(this.form, changes);
    this.error = "";
    this.fill();
    store("ownTable", this.form);
    this.page.redraw();
  }

  /** A strategy for another game than the chosen one brings its game and its seats, at once. */
  choose(place, name) {
    const found = this.find(name);
    const { form } = this;
    const isOther =
      found.kind === "strategy" && (found.game !== form.game || (!found.is_flexible && found.seats !== form.seats));
    if (isOther) return this.change({ game: found.game, seats: found.seats, names: Array(found.seats - 1).fill(name) });
    const names = [...form.names];
    names[place] = name;
    return this.change({ names });
  }

  async open(names, game, { hands = null, stacks = null } = {}) {
    if (this.isBusy) return;
    this.isBusy = true;
    this.error = "";
    this.page.redraw();
    const players = [{ kind: "outside", name: "you" }, ...names.map((name) => ({ kind: this.find(name).kind, name }))];
    const isFixed = names.some((name) => this.find(name).kind === "strategy" && !this.find(name).is_flexible);
    try {
      const opened = await post("/tables", { players, game: isFixed ? null : game, hands, stacks });
      await this.onOpen({ table: opened.table, token: opened.tokens[0] });
    } catch (error) {
      if (error.status === undefined) throw error;
      this.error = error.message;
    } finally {
      this.isBusy = false;
      this.page.redraw();
    }
  }

  openQuick(quick) {
    const strategy = this.strongest(quick.games, quick.seats);
    const names = [...Array(quick.seats - 1)].map((_, place) => strategy?.name ?? BOTS[place % BOTS.length]);
    this.asked = "quick";
    return this.page.act(() => this.open(names, quick.game));
  }

  openOwn() {
    const { form } = this;
    const hands = form.hands ? Number(form.hands) : null;
    const stacks = form.stack && this.perBlind() ? [Math.round(Number(form.stack) * this.perBlind())] : null;
    this.asked = "own";
    return this.page.act(() => this.open(form.names, form.game, { hands, stacks }));
  }

  /** Chips of a big blind where stacks can be chosen: strategies have those they were made for. */
  perBlind() {
    const game = this.games.find((each) => each.name === this.form.game);
    const isFixed = this.form.names.some((name) => this.find(name).kind === "strategy");
    return game?.unit === "big blinds" && !isFixed ? game.chips_per_unit : null;
  }

  view() {
    return [
      h(
        "div",
        { class: "page-head" },
        h("h1", null, "Play"),
        h("span", { class: "dim" }, "Take a seat. Bots and strategies take the others."),
      ),
      this.kept
        ? panel(
            { title: "Your table", class: "kept-table" },
            h(
              "div",
              { class: "row" },
              h("span", { class: "dim" }, "You have a seat at a table that is open."),
              button("Go back to your table", () => this.onBack(), { kind: "primary" }),
            ),
          )
        : null,
      this.errorLine("quick"),
      h(
        "div",
        { class: "quick-tables" },
        QUICK.map((each) => this.quickTable(each)),
      ),
      h("div", { class: "lobby-columns" }, this.ownTable(), this.lastSession()),
    ];
  }

  /** Why the last request was refused, where it was made. */
  errorLine(place) {
    return this.error && this.asked === place ? h("p", { class: "bad", role: "alert" }, this.error) : null;
  }

  quickTable(quick) {
    const strategy = this.strongest(quick.games, quick.seats);
    const others = strategy
      ? [strategy]
      : [...new Set(BOTS.slice(0, quick.seats - 1))].map((name) => this.find(name)).filter(Boolean);
    const who = others.map((each) => each.title).join(" and ");
    return h(
      "button",
      {
        class: "quick-table",
        key: quick.title,
        type: "button",
        disabled: this.isBusy,
        onclick: () => this.openQuick(quick),
      },
      smallTable(quick.seats),
      h("b", null, quick.title),
      h("span", { class: "dim" }, quick.text),
      h("span", { class: "quick-who" }, `against ${who}`, " ", others[0] ? levelBadge(others[0]) : null),
      others[0]
        ? h(
            "small",
            { class: "dim" },
            strategy ? strategy.strength : others.length > 1 ? "Practice bots with simple rules." : others[0].style,
          )
        : null,
    );
  }

  ownTable() {
    const { form } = this;
    const names = [...new Set([form.game, ...this.games.map((each) => each.name)])];
    const about = this.games.find((each) => each.name === form.game)?.description;
    const options = this.opponents.map((each) => [each.name, each.kind === "bot" ? `${each.title} (bot)` : each.title]);
    const chosen = [...new Set(form.names)].map((name) => this.find(name)).filter(Boolean);
    const handsError =
      form.hands && !(Number.isInteger(Number(form.hands)) && Number(form.hands) > 0 && Number(form.hands) <= 1e6)
        ? "a whole number from 1"
        : "";
    const stackError = form.stack && !(Number(form.stack) >= 1) ? "at least 1 big blind" : "";
    return panel(
      { title: "Your own table", class: "own-table" },
      h(
        "div",
        { class: "form-row" },
        selectField({
          label: "Game",
          value: form.game,
          options: names,
          onchange: (game) => this.change({ game, stack: "" }),
        }),
        selectField({
          label: "Seats",
          value: form.seats,
          options: [...Array(MOST_SEATS - 1)].map((_, place) => place + 2),
          onchange: (seats) => this.change({ seats: Number(seats), names: form.names }),
        }),
        this.perBlind()
          ? textField({
              label: "Stacks (bb)",
              value: form.stack,
              placeholder: "as the game has them",
              kind: "number",
              min: 1,
              error: stackError,
              oninput: (stack) => this.change({ stack }),
            })
          : null,
        textField({
          label: "Hands",
          value: form.hands,
          placeholder: "no end",
          kind: "number",
          min: 1,
          error: handsError,
          oninput: (hands) => this.change({ hands }),
        }),
      ),
      about ? h("p", { class: "dim" }, `${about}.`) : null,
      h(
        "div",
        { class: "form-row" },
        form.names.map((name, place) =>
          selectField({
            label: `Seat ${place + 2}`,
            value: name,
            options,
            onchange: (value) => this.choose(place, value),
          }),
        ),
      ),
      chosen.map((each) =>
        h(
          "p",
          { key: each.name, class: "who" },
          h("b", null, each.title),
          " ",
          levelBadge(each),
          " ",
          h("span", { class: "dim" }, `${each.style} ${each.strength}`),
        ),
      ),
      checkField({
        label: "Deal the next hand by itself",
        value: stored("dealByItself", false),
        onchange: (value) => {
          store("dealByItself", value);
          this.page.redraw();
        },
      }),
      h(
        "div",
        { class: "row" },
        button(this.isBusy ? "Sitting down…" : "Sit down", () => this.openOwn(), {
          kind: "primary main",
          disabled: this.isBusy || Boolean(handsError || stackError),
        }),
        this.errorLine("own"),
      ),
    );
  }

  lastSession() {
    const { last } = this;
    if (!last) return null;
    return panel(
      { title: "Your last session", class: "last-session" },
      h("p", { class: "num", "data-past": last.hands }, `${plural(last.hands, "hand")}, ${last.text}`),
      h(
        "div",
        { class: "row" },
        button("Replay and review", () => this.onLook(), { name: "redo" }),
        last.download ? button("Download PHH", () => last.download(), { name: "download" }) : null,
      ),
    );
  }
}

/** A small drawing of a table with its seats. */
function smallTable(count) {
  const seats = [...Array(count)].map((_, place) => {
    const angle = Math.PI / 2 + (2 * Math.PI * place) / count;
    return h("circle", {
      key: place,
      class: place ? "small-seat" : "small-seat own",
      cx: 60 + 50 * Math.cos(angle),
      cy: 34 + 26 * Math.sin(angle),
      r: 6,
    });
  });
  return h(
    "svg",
    { class: "small-table", viewBox: "0 0 120 68", "aria-hidden": "true" },
    h("ellipse", { class: "small-rail", cx: 60, cy: 34, rx: 50, ry: 26 }),
    h("ellipse", { class: "small-felt", cx: 60, cy: 34, rx: 44, ry: 21 }),
    seats,
  );
}
