// @ts-check
/** Sounds of the table, made in code; off until the player turns them on. */

import { buttonNode, h } from "../shared/dom.js";
import { changeSettings, settings } from "../shared/preferences.js";

/** @type {AudioContext | null} */
let context = null;

/** Each kind of sound, at a time of the audio clock. @type {Record<string, (at: number) => void>} */
const SOUNDS = {
  card: (at) => noise(at, { pitch: 1500, seconds: 0.09, volume: 0.16, spread: 0.7 }),
  chip: (at) => {
    noise(at, { pitch: 4200, seconds: 0.03, volume: 0.2, spread: 6 });
    noise(at + 0.045, { pitch: 5200, seconds: 0.03, volume: 0.12, spread: 6 });
  },
  win: (at) => [523.25, 659.25, 783.99, 1046.5].forEach((pitch, step) => bell(at + step * 0.09, pitch, 0.6, 0.11)),
  tick: (at) => noise(at, { pitch: 2600, seconds: 0.018, volume: 0.22, spread: 3 }),
  turn: (at) => [587.33, 880].forEach((pitch, step) => bell(at + step * 0.12, pitch, 0.35, 0.1)),
};

/**
 * Plays a sound, or several of one kind in a row.
 * @param {"card" | "chip" | "win" | "tick" | "turn"} kind
 * @param {number} [count]
 * @param {number} [apartMs] from one sound to the next
 */
export function playSound(kind, count = 1, apartMs = 0) {
  if (!settings.sound) return;
  context ??= new AudioContext();
  if (context.state === "suspended") void context.resume();
  for (let each = 0; each < count; each += 1) SOUNDS[kind](context.currentTime + (each * apartMs) / 1000);
}

/**
 * A short burst of noise: a card on felt, a chip on a chip, a peg against the pointer.
 * @param {number} at
 * @param {{pitch: number, seconds: number, volume: number, spread: number}} shape
 */
function noise(at, { pitch, seconds, volume, spread }) {
  if (!context) return;
  const samples = context.createBuffer(1, Math.ceil(context.sampleRate * seconds), context.sampleRate);
  const data = samples.getChannelData(0);
  for (let step = 0; step < data.length; step += 1)
    data[step] = (Math.random() * 2 - 1) * (1 - step / data.length) ** 3;
  const source = new AudioBufferSourceNode(context, { buffer: samples });
  source
    .connect(new BiquadFilterNode(context, { type: "bandpass", frequency: pitch, Q: spread }))
    .connect(new GainNode(context, { gain: volume * (0.8 + Math.random() * 0.4) }))
    .connect(context.destination);
  source.start(at);
}

/** A soft bell. @param {number} at @param {number} pitch @param {number} seconds @param {number} volume */
function bell(at, pitch, seconds, volume) {
  if (!context) return;
  const gain = new GainNode(context, { gain: 0 });
  gain.gain.setValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(volume, at + 0.012);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + seconds);
  const tone = new OscillatorNode(context, { type: "sine", frequency: pitch });
  tone.connect(gain).connect(context.destination);
  tone.start(at);
  tone.stop(at + seconds);
}

export const toggleSound = () => changeSettings({ sound: !settings.sound });

/** Turns the sound on or off. */
export function soundControl() {
  return buttonNode(
    [
      h(
        "svg",
        { viewBox: "0 0 24 24", width: 20, height: 20, class: "sound-icon", "aria-hidden": "true" },
        h("path", { d: "M3 9v6h4l5 4.500V4.500L7 9Z", fill: "currentColor" }),
        h("path", {
          d: settings.sound ? "M15 8.500a5 5 0 0 1 0 7M17.500 5.500a9 9 0 0 1 0 13" : "m15.500 9.500 5 5m0-5-5 5",
          fill: "none",
          stroke: "currentColor",
          "stroke-width": 2,
          "stroke-linecap": "round",
        }),
      ),
      h("span", { class: "control-word" }, "Sound"),
    ],
    toggleSound,
    {
      key: "sound",
      class: "control sound",
      "data-control": "sound",
      "aria-label": "Sound",
      "aria-pressed": String(settings.sound),
      title: settings.sound ? "Turn the sound off (M)" : "Turn the sound on (M)",
    },
  );
}
