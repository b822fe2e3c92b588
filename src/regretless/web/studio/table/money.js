// SPDX-License-Identifier: MIT
// Chips at a table as people read them: in big blinds or in chips, one unit for the whole screen.

import { number, signed } from "../lib/format.js";
import { preference } from "../lib/preferences.js";

const IN_TEXT = /(\b(?:call|bet|to|from|all-in|pot|win) )([0-9]+)\b|\b([0-9]+)(?= (?:to call|behind)\b)/g;

/** How a table counts. `perUnit`: chips of a big blind; `unitName`: `big blinds`, or what other games count in. */
export class Money {
  constructor(perUnit, unitName) {
    this.isBlinds = unitName === "big blinds" && preference("unit") === "bb";
    this.perUnit = this.isBlinds ? perUnit : 1;
    this.name = this.isBlinds ? "bb" : unitName === "points" ? "points" : "chips";
    this.gameUnit = perUnit;
    this.unitName = unitName;
  }

  /** `2.5 bb`, or `250`. */
  text(chips) {
    return number(chips / this.perUnit, this.digits(chips)) + (this.isBlinds ? " bb" : "");
  }

  signed(chips) {
    return signed(chips / this.perUnit, this.digits(chips)) + (this.isBlinds ? " bb" : "");
  }

  /** Small amounts have two decimals, large ones need fewer. */
  digits(chips) {
    return Math.abs(chips / this.perUnit) < 10 ? 2 : 1;
  }

  /** A value in the unit of the game, such as an EV. */
  ofUnits(value) {
    return this.text(value * this.gameUnit);
  }

  /** A text of the server, `raise to 250`, with its chips in the unit. */
  inText(text) {
    return text.replace(IN_TEXT, (_, word, after, before) => (word ?? "") + this.text(Number(after ?? before)));
  }

  /** Winnings per 100 hands: `+33.1 ± 61 bb/100`. */
  session({ hands, per_100: mean, half_width: half }) {
    if (!hands) return "no hand yet";
    const unit = this.unitName === "big blinds" ? "bb/100" : `${this.unitName}/100 hands`;
    const digits = Math.abs(mean) < 100 ? 1 : 0;
    return `${signed(mean, digits)}${half === null ? "" : ` ± ${number(half, digits)}`} ${unit}`;
  }
}
