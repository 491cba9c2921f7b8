// @ts-check
/** SHA-256 and SHAKE-256, for pages without the browser's own (which needs HTTPS) and without SHAKE at all. */

const utf8 = new TextEncoder();

/** The bytes of a text. @param {string} text */
export const bytesOfText = (text) => utf8.encode(text);

/** @param {Uint8Array} bytes */
export const hexOf = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** The bytes of hexadecimal digits; null for another text, or another size. @param {string} text @param {number} size */
export const bytesOfHex = (text, size) =>
  text.length === 2 * size && /^[0-9a-f]*$/.test(text)
    ? Uint8Array.from(text.match(/../g) ?? [], (two) => parseInt(two, 16))
    : null;

/** A number, big-endian. @param {number} number @param {number} size in bytes */
export const bigEndian = (number, size) =>
  Uint8Array.from({ length: size }, (_, at) => Math.floor(number / 256 ** (size - 1 - at)) % 256);

/** @param {...Uint8Array} parts */
export function joined(...parts) {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

// --- SHA-256 (FIPS 180-4) -----------------------------------------------------------------------------------------

const PRIMES = [2];
for (let n = 3; PRIMES.length < 64; n += 2) if (PRIMES.every((prime) => n % prime)) PRIMES.push(n);
const fraction = (/** @type {number} */ root) => Math.floor((root % 1) * 2 ** 32);
const CONSTANTS = PRIMES.map((prime) => fraction(Math.cbrt(prime)));
const START = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
const turn = (/** @type {number} */ word, /** @type {number} */ by) => (word >>> by) | (word << (32 - by));

/** @param {...Uint8Array} parts @returns {Uint8Array} */
export function sha256(...parts) {
  const text = joined(...parts);
  const padded = new Uint8Array(Math.ceil((text.length + 9) / 64) * 64);
  padded.set(text);
  padded[text.length] = 0x80;
  padded.set(bigEndian(text.length * 8, 8), padded.length - 8);
  const view = new DataView(padded.buffer);
  const state = START.slice();
  const words = new Int32Array(64);
  for (let block = 0; block < padded.length; block += 64) {
    for (let at = 0; at < 64; at += 1) {
      const [w15, w2] = [words[at - 15], words[at - 2]];
      words[at] =
        at < 16
          ? view.getInt32(block + 4 * at)
          : words[at - 16] +
            words[at - 7] +
            (turn(w15, 7) ^ turn(w15, 18) ^ (w15 >>> 3)) +
            (turn(w2, 17) ^ turn(w2, 19) ^ (w2 >>> 10));
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let at = 0; at < 64; at += 1) {
      const one = h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + CONSTANTS[at] + words[at];
      const two = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, at) => (state[at] = (state[at] + word) | 0));
  }
  return joined(...state.map((word) => bigEndian(word >>> 0, 4)));
}

// --- SHAKE-256 (FIPS 202) -----------------------------------------------------------------------------------------

const RATE = 136;
const LANE = (1n << 64n) - 1n;
const spin = (/** @type {bigint} */ lane, /** @type {number} */ by) =>
  ((lane << BigInt(by)) | (lane >> BigInt(64 - by))) & LANE;

/** The permutation of Keccak, in place. @param {bigint[]} lanes 25 of them */
function permute(lanes) {
  let register = 1;
  for (let round = 0; round < 24; round += 1) {
    const sums = [0, 1, 2, 3, 4].map((x) => lanes[x] ^ lanes[x + 5] ^ lanes[x + 10] ^ lanes[x + 15] ^ lanes[x + 20]);
    for (let at = 0; at < 25; at += 1) lanes[at] ^= sums[(at + 4) % 5] ^ spin(sums[(at + 1) % 5], 1);
    let [x, y, moved] = [1, 0, lanes[1]];
    for (let step = 0; step < 24; step += 1) {
      [x, y] = [y, (2 * x + 3 * y) % 5];
      [moved, lanes[x + 5 * y]] = [lanes[x + 5 * y], spin(moved, (((step + 1) * (step + 2)) / 2) % 64)];
    }
    for (let row = 0; row < 25; row += 5) {
      const [...old] = lanes.slice(row, row + 5);
      for (let at = 0; at < 5; at += 1) lanes[row + at] = old[at] ^ (~old[(at + 1) % 5] & LANE & old[(at + 2) % 5]);
    }
    for (let bit = 0; bit < 7; bit += 1) {
      if (register & 1) lanes[0] ^= 1n << BigInt(2 ** bit - 1);
      register = register & 0x80 ? ((register << 1) ^ 0x171) & 0xff : register << 1;
    }
  }
}

/** The first bytes of SHAKE-256. @param {number} size at most 136 @param {...Uint8Array} parts @returns {Uint8Array} */
export function shake256(size, ...parts) {
  const text = joined(...parts);
  const padded = new Uint8Array((Math.floor(text.length / RATE) + 1) * RATE);
  padded.set(text);
  padded[text.length] ^= 0x1f;
  padded[padded.length - 1] ^= 0x80;
  const lanes = Array(25).fill(0n);
  const view = new DataView(padded.buffer);
  for (let block = 0; block < padded.length; block += RATE) {
    for (let at = 0; at < RATE / 8; at += 1) lanes[at] ^= view.getBigUint64(block + 8 * at, true);
    permute(lanes);
  }
  const out = new DataView(new ArrayBuffer(RATE));
  for (let at = 0; at < RATE / 8; at += 1) out.setBigUint64(8 * at, lanes[at], true);
  return new Uint8Array(out.buffer, 0, size);
}
