// @ts-check
/** Sounds of cards and chips, generated in code; off by default. */

import { settings } from "../shared/preferences.js";

/** @type {AudioContext | null} */
let context = null;

/**
 * Plays a short burst of noise: a card on felt, or a chip on a chip.
 * @param {number} pitch
 * @param {number} length
 * @param {number} loud
 */
function playNoise(pitch, length, loud) {
  context ??= new AudioContext();
  const samples = context.createBuffer(1, Math.ceil(context.sampleRate * length), context.sampleRate);
  const data = samples.getChannelData(0);
  for (let at = 0; at < data.length; at += 1) data[at] = (Math.random() * 2 - 1) * (1 - at / data.length) ** 3;
  const noise = new AudioBufferSourceNode(context, { buffer: samples });
  const tone = new BiquadFilterNode(context, { type: "bandpass", frequency: pitch, Q: 1.4 });
  noise
    .connect(tone)
    .connect(new GainNode(context, { gain: loud }))
    .connect(context.destination);
  noise.start();
}

/** @param {Set<string>} names the events */
export function playSounds(names) {
  if (!settings.sound) return;
  if (names.has("chip") || names.has("wager_settled")) playNoise(2600, 0.05, 0.25);
  if (names.has("cards_dealt") || names.has("community_cards_revealed")) playNoise(900, 0.08, 0.3);
}
