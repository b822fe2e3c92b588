// SPDX-License-Identifier: MIT
// Sounds made by this browser; off unless the visitor turned them on.

import { preference } from "../lib/preferences.js";

const SOUNDS = {
  deal: { noise: 0.05, pitch: 2600, times: 2 },
  fold: { noise: 0.06, pitch: 900, times: 1 },
  check: { noise: 0.03, pitch: 500, times: 2 },
  bet: { noise: 0.03, pitch: 4200, times: 3 },
  gather: { noise: 0.03, pitch: 3600, times: 4 },
  board: { noise: 0.05, pitch: 2200, times: 1 },
  win: { tones: [523, 659, 784] },
  turn: { tones: [660] },
};
let context = null;

/** The sound of what happens, if sound is on. */
export function chime(kind) {
  const sound = SOUNDS[kind];
  if (!sound || preference("sound") !== "on") return;
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume();
  const start = context.currentTime;
  if (sound.tones) sound.tones.forEach((pitch, place) => tone(pitch, start + place * 0.09));
  else for (let each = 0; each < sound.times; each++) noise(sound, start + each * 0.045);
}

function tone(pitch, at) {
  const source = new OscillatorNode(context, { frequency: pitch, type: "triangle" });
  source.connect(faded(at, 0.09, 0.25)).connect(context.destination);
  source.start(at);
  source.stop(at + 0.3);
}

function noise({ noise: length, pitch }, at) {
  const buffer = context.createBuffer(1, context.sampleRate * length, context.sampleRate);
  const data = buffer.getChannelData(0);
  for (let each = 0; each < data.length; each++) data[each] = Math.random() * 2 - 1;
  const source = new AudioBufferSourceNode(context, { buffer });
  const band = new BiquadFilterNode(context, { type: "bandpass", frequency: pitch, Q: 2 });
  source
    .connect(band)
    .connect(faded(at, 0.25, length))
    .connect(context.destination);
  source.start(at);
}

function faded(at, loud, length) {
  const gain = new GainNode(context, { gain: loud });
  gain.gain.setValueAtTime(loud, at);
  gain.gain.exponentialRampToValueAtTime(0.001, at + length);
  return gain;
}
