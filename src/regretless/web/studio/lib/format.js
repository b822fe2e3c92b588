// SPDX-License-Identifier: MIT
// Numbers, amounts and times as people read them. An unknown number (null, NaN) is a dash.

const DASH = "–";
export const isKnown = (number) => number !== null && number !== undefined && !Number.isNaN(number);

export function percent(share, digits = 1) {
  return isKnown(share) ? `${(100 * share).toFixed(digits)} %` : DASH;
}

/** At most `digits` decimals, thousands between commas, a real minus. */
export function number(value, digits = 2) {
  if (!isKnown(value)) return DASH;
  const text = Math.abs(value).toLocaleString("en-US", { maximumFractionDigits: digits });
  return value < 0 && text !== "0" ? `−${text}` : text;
}

export function signed(value, digits = 2) {
  const text = number(value, digits);
  return isKnown(value) && value > 0 && text !== "0" ? `+${text}` : text;
}

/** An amount with its unit: `12.5 bb`, `250 chips`. */
export const amount = (value, unit, digits = 2) => `${number(value, digits)} ${unit}`;

export function bytes(count) {
  if (!isKnown(count)) return DASH;
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let place = 0;
  for (; count >= 1024 && place < units.length - 1; place++) count /= 1024;
  return `${count.toFixed(count < 10 && place ? 1 : 0)} ${units[place]}`;
}

export function duration(seconds) {
  if (!isKnown(seconds)) return DASH;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}

export function ago(milliseconds) {
  if (!isKnown(milliseconds)) return DASH;
  const seconds = Math.max(0, (Date.now() - milliseconds) / 1000);
  if (seconds < 90) return "just now";
  for (const [unit, length, next] of [
    ["minute", 60, 3600],
    ["hour", 3600, 86400],
    ["day", 86400, 30 * 86400],
  ]) {
    const count = Math.round(seconds / length);
    if (seconds < next) return `${count} ${unit}${count === 1 ? "" : "s"} ago`;
  }
  return new Date(milliseconds).toISOString().slice(0, 10);
}

export const plural = (count, word) => `${number(count, 0)} ${word}${count === 1 ? "" : "s"}`;
