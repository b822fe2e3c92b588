// SPDX-License-Identifier: MIT
// `/play`: choose a table and play at it. The seat is kept in this browser, so whoever comes back finds the hand.

import { h } from "../lib/dom.js";
import { get } from "../lib/api.js";
import { controls, KEY_HELP } from "../table/controls.js";
import { room } from "../table/felt.js";
import { Game } from "../table/game.js";
import { keepSeat, keptSeat, leaveSeat, TableLink } from "../table/link.js";
import { Lobby } from "../table/lobby.js";
import { Money } from "../table/money.js";
import { side } from "../table/side.js";

export async function open(page) {
  page.title = "Play";
  const play = new Play(page);
  page.keys({}, KEY_HELP);
  await play.begin();
  return () => play.view();
}

class Play {
  constructor(page) {
    Object.assign(this, { page, game: null, lobby: null });
  }

  async begin() {
    const [{ opponents }, { games }] = await Promise.all([get("/opponents"), get("/games")]);
    Object.assign(this, { opponents, games });
    const seat = keptSeat();
    const state = seat && (await new TableLink(this.page, seat).first());
    if (!state) leaveSeat(); // its hands can still be read
    if (state && !this.page.query.with) return this.sit(seat);
    return this.choose(state ? seat : null);
  }

  async sit(seat) {
    const game = new Game(this.page, seat, this.opponents, () => this.page.act(() => this.choose()));
    await game.sit();
    Object.assign(this, { game, lobby: null });
    scrollTo(0, 0);
    this.page.setQuery({ with: null }, { replace: true });
    this.page.redraw();
  }

  async choose(kept = null) {
    this.game = null;
    this.page.note = "";
    this.lobby = new Lobby(this.page, {
      games: this.games,
      opponents: this.opponents,
      kept,
      last: await this.lastSession(),
      onOpen: async (seat) => {
        keepSeat(seat);
        await this.sit(seat);
      },
      onBack: () => this.page.act(() => this.sit(kept)),
      onLook: () => this.page.act(() => this.look()),
    });
    this.page.redraw();
  }

  /** The result of the table that was left or closed last; null if there is none. */
  async lastSession() {
    const seat = keptSeat({ isLast: true });
    if (!seat) return null;
    try {
      const game = new Game(this.page, seat, this.opponents, () => {});
      await game.readHands();
      if (!game.session.hands) return null;
      const isPoker = Boolean(game.hands[0]?.street);
      return {
        hands: game.session.hands,
        text: new Money(1, game.session.unit).session(game.session),
        download: isPoker ? () => game.download() : null,
      };
    } catch (error) {
      if (error.status === undefined) throw error;
      return null;
    }
  }

  async look() {
    const game = new Game(this.page, keptSeat({ isLast: true }), this.opponents, () =>
      this.page.act(() => this.choose()),
    );
    await game.look();
    Object.assign(this, { game, lobby: null });
    this.page.redraw();
  }

  view() {
    const { game } = this;
    this.page.isWide = Boolean(game);
    if (!game) return this.lobby.view();
    this.page.note = game.note;
    return h(
      "div",
      { class: "play", "data-version": game.state?.version ?? -1, "data-moving": game.motion.isMoving ? "true" : null },
      h(
        "div",
        { class: "play-table" },
        room({ scene: game.scene, names: game.names(), money: game.money, thinking: game.thinking, clock: game.clock }),
        controls(game),
      ),
      side(game),
    );
  }
}
