// SPDX-License-Identifier: MIT
// The life of one page: its address, its timers and keys, its drawing. A page module has `open(page)`, which loads what
// it needs and returns a function that describes the page; `page.redraw()` has it drawn again.

import { withQuery } from "./api.js";

export class Page {
  constructor(app, path, params, query) {
    Object.assign(this, { app, path, params, query });
    this.title = "";
    this.isClosed = false;
    this.isWide = false; // whether the page fills the screen at 1440 x 900
    this.help = []; // [keys, text] rows for the list of keys
    this.keyHandlers = {};
    this.closers = [];
  }

  redraw = () => {
    if (!this.isClosed) this.app.redraw();
  };

  /** Opens another address. */
  go(address, { replace = false } = {}) {
    if (!this.isClosed) this.app.go(address, { replace });
  }

  /** Changes parts of the query of this page's address; null removes one. The page itself draws what changed. */
  setQuery(changes, { replace = false } = {}) {
    if (this.isClosed) return; // another page has the address
    for (const [name, value] of Object.entries(changes)) {
      if (value === null || value === undefined || value === "") delete this.query[name];
      else this.query[name] = String(value);
    }
    const address = withQuery(this.path, this.query);
    if (address === location.pathname + location.search) return;
    history[replace ? "replaceState" : "pushState"](null, "", address);
  }

  /** Called with the new query when the visitor goes back or forward within this page. */
  onQuery = null;

  /** Handlers by key (`event.key`); `help` are [keys, text] rows for the list that `?` opens. */
  keys(handlers, help = []) {
    Object.assign(this.keyHandlers, handlers);
    this.help.push(...help);
  }

  onClose(closer) {
    this.closers.push(closer);
  }

  /** Calls `work` now and then every so many milliseconds, never twice at a time; returns a function that ends it. */
  every(milliseconds, work) {
    let timer = null;
    let isEnded = false;
    const turn = async () => {
      try {
        await work();
      } catch (error) {
        if (!isEnded) this.fail(error);
      }
      if (!isEnded) timer = setTimeout(turn, milliseconds);
    };
    const end = () => {
      isEnded = true;
      clearTimeout(timer);
    };
    this.onClose(end);
    turn();
    return end;
  }

  /** Runs what a visitor asked for; an error becomes a message. */
  async act(work) {
    try {
      return await work();
    } catch (error) {
      this.fail(error);
      return undefined;
    }
  }

  fail(error) {
    if (error.name === "AbortError" || this.isClosed) return;
    if (error.status === undefined) console.error(error); // a defect of the page, not a line of the server
    this.app.say(error.message, "error");
  }

  say(text, kind = "note") {
    this.app.say(text, kind);
  }

  close() {
    this.isClosed = true;
    for (const each of this.closers) each();
  }
}
