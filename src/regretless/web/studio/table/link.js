// SPDX-License-Identifier: MIT
// One seat at a table of the server. States come over a socket; if there is none, they are asked for. The token of the
// seat is kept in this browser and travels in headers only.

import { get, post, remove, withQuery } from "../lib/api.js";
import { store, stored } from "../lib/preferences.js";

const ASK_MILLISECONDS = 2000; // between looks, while there is no socket
const SEAT = "seat";
const LAST = "lastSeat";

/** The seat that this browser keeps (`isLast`: at a table that was left or closed), or null. */
export function keptSeat({ isLast = false } = {}) {
  const seat = stored(isLast ? LAST : SEAT, null);
  return typeof seat?.table === "string" && typeof seat.token === "string"
    ? { table: seat.table, token: seat.token }
    : null;
}

export const keepSeat = (seat) => store(SEAT, seat);

/** Moves the kept seat to the last one, whose hands can still be read. */
export function leaveSeat() {
  const seat = keptSeat();
  store(SEAT, null);
  if (seat) store(LAST, seat);
}

export class TableLink {
  constructor(page, seat) {
    this.page = page;
    this.seat = seat;
    this.isOpen = false; // whether the socket is
    this.version = -1;
  }

  get path() {
    return `/tables/${encodeURIComponent(this.seat.table)}`;
  }

  get asked() {
    return { headers: { "x-seat-token": this.seat.token } };
  }

  /** The state of the table; null if it is not open. The socket says so without an error in the console. */
  first() {
    return new Promise((resolve) => {
      const socket = this.socketOf();
      socket.onmessage = ({ data }) => {
        resolve(JSON.parse(data));
        socket.close();
      };
      socket.onclose = ({ code }) => resolve(code >= 4400 ? null : this.see());
    });
  }

  see = () => get(this.path, this.asked);
  act = (action) => post(`${this.path}/actions`, action, this.asked);
  deal = (hand) => post(`${this.path}/deal`, { hand }, this.asked);
  close = () => remove(this.path, this.asked);
  hands = (after) => get(withQuery(`${this.path}/hands`, { after }), this.asked);
  replay = (hand) => get(`${this.path}/hands/${hand}`, this.asked);
  review = (name, most = 50) => post(`${this.path}/review`, { name, most }, this.asked);
  phhs = () => get(`${this.path}/phhs`, this.asked);

  /** Follows the table until the page is closed or the table is. */
  follow(onState, onGone) {
    Object.assign(this, { onState, onGone });
    this.connect();
    this.stop = this.page.every(ASK_MILLISECONDS, async () => {
      if (!this.isOpen && this.version >= 0) await this.look();
    });
    this.page.onClose(() => this.end());
  }

  /** Asks for the state; a table that is gone ends the link, a server that is away is asked again. */
  async look() {
    try {
      this.take(await this.see());
    } catch (error) {
      if (error.status === 404) this.onGone();
      else if (error.status !== 0) throw error;
    }
  }

  connect() {
    const socket = this.socketOf();
    socket.onopen = () => {
      this.isOpen = true;
    };
    socket.onmessage = ({ data }) => {
      const message = JSON.parse(data);
      if (!message.error) this.take(message);
    };
    socket.onclose = () => {
      this.isOpen = false;
    };
    this.socket = socket;
  }

  socketOf() {
    const address = `${location.origin.replace("http", "ws")}/api${this.path}/events`;
    return new WebSocket(address, ["regretless", this.seat.token]);
  }

  /** Hands on a state that is newer than the last one. */
  take(state) {
    if (state.version <= this.version) return;
    this.version = state.version;
    if (state.is_closed) this.end();
    this.onState(state);
  }

  end() {
    this.stop?.();
    if (this.socket) this.socket.onmessage = null;
    this.socket?.close();
  }
}
