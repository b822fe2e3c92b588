// SPDX-License-Identifier: MIT
// `/`: three doors, the library, and what was done last.

import { h } from "../lib/dom.js";
import { get } from "../lib/api.js";
import { doors } from "../home/doors.js";
import { lately } from "../home/lately.js";
import { library } from "../home/library.js";

const WATCH_MILLISECONDS = 5000;

export async function open(page) {
  page.isWide = true;
  const home = new Home(page);
  home.entries = (await get("/library")).entries;
  page.every(WATCH_MILLISECONDS, () => home.watch());
  page.onQuery = () => page.redraw();
  return () => view(home);
}

function view(home) {
  return h(
    "div",
    { class: "home" },
    h(
      "div",
      { class: "home-head" },
      h("h1", null, "Solve spots, play the strategies, train your own"),
      h(
        "p",
        { class: "dim" },
        "Poker and other games with hidden cards. Everything runs on this machine; nothing is sent.",
      ),
    ),
    doors(home),
    h("div", { class: "home-rest" }, library(home), lately(home)),
  );
}

class Home {
  constructor(page) {
    Object.assign(this, { page, entries: [], jobs: [], runs: [], busy: "", isWatched: false });
  }

  /** What runs now. The library is read again when a run or a solve ends. */
  async watch() {
    const [{ jobs }, { runs }] = await Promise.all([get("/jobs"), get("/runs")]);
    const before = this.running;
    Object.assign(this, { jobs, runs, isWatched: true });
    if (this.running < before) this.entries = (await get("/library")).entries;
    this.page.redraw();
  }

  get running() {
    return this.jobsNow.length + this.runsNow.length;
  }

  get jobsNow() {
    return this.jobs.filter((each) => ["waiting", "running"].includes(each.status));
  }

  get runsNow() {
    return this.runs.filter((each) => ["starting", "running", "stopping"].includes(each.status));
  }

  /** Begins what a door offers, once, and goes where it can be seen. */
  async begin(name, work) {
    if (this.busy) return;
    this.busy = name;
    this.page.redraw();
    const address = await this.page.act(work);
    this.busy = "";
    if (address) this.page.go(address);
    else this.page.redraw();
  }
}
