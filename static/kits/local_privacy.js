// Differential privacy in local mode (GB/T 37964-2019 B.2.3): what a browser does with a value before it sends it.
// The same as techniques/models/local_privacy/client.py, draw for draw; the reasons stand there. It needs nothing else.
"use strict";

const LocalPrivacy = (() => {
  const WHOLE = 2 ** 53;
  const MARGIN = 8;
  const MICRO = 1e6;
  const LEAST_EPSILON = 0.001;
  const MOST_EPSILON = 20;
  const MOST_STEPS = 10000;

  /** A whole number from 0 to 2^53 − 1 that nobody foretells. */
  function systemDraw() {
    const [high, low] = globalThis.crypto.getRandomValues(new Uint32Array(2));
    return (high & 0x1fffff) * 2 ** 32 + low;
  }

  function check(epsilon, choices, place = 0) {
    if (!(epsilon >= LEAST_EPSILON && epsilon <= MOST_EPSILON)) {
      throw new RangeError(`epsilon lies between ${LEAST_EPSILON} and ${MOST_EPSILON}`);
    }
    if (!(Number.isInteger(choices) && choices >= 2)) throw new RangeError("there are at least two choices");
    if (!(Number.isInteger(place) && place >= 0 && place < choices)) {
      throw new RangeError("the place of a choice lies from 0 to choices - 1");
    }
  }

  /** How many of 2^53 draws tell the truth in a randomised response. */
  function truth(epsilon, choices) {
    check(epsilon, choices);
    return Math.floor(WHOLE / (1 + (choices - 1) * Math.exp(-epsilon))) - MARGIN;
  }

  /** How many of 2^53 draws set a bit of unary encoding that is not the person's. */
  function flip(epsilon) {
    check(epsilon, 2);
    return Math.ceil(WHOLE / (Math.exp(epsilon) + 1)) + MARGIN;
  }

  /** A whole number from 0 to size − 1, each as likely as the others. */
  function below(size, draw) {
    const fair = WHOLE - (WHOLE % size);
    let drawn = draw();
    while (drawn >= fair) drawn = draw();
    return drawn % size;
  }

  /** Randomised response: the place of one's choice, from 0, or, by chance, that of any other. */
  function response(place, choices, epsilon, draw = systemDraw) {
    check(epsilon, choices, place);
    if (draw() < truth(epsilon, choices)) return place;
    const other = below(choices - 1, draw);
    return other + (other >= place ? 1 : 0);
  }

  /** Optimised unary encoding: a bit for each choice, 0 or 1. */
  function unary(place, choices, epsilon, draw = systemDraw) {
    check(epsilon, choices, place);
    const others = flip(epsilon);
    return Array.from({ length: choices }, (_, one) => (draw() < (one === place ? WHOLE / 2 : others) ? 1 : 0));
  }

  /** A number with discrete Laplace noise, in steps of (high − low) / steps above low; may lie outside the bounds. */
  function noisy(value, low, high, steps, epsilon, draw = systemDraw) {
    check(epsilon, 2);
    if (!([value, low, high].every(Number.isFinite) && low < high)) {
      throw new RangeError("the value and its bounds are finite numbers, and low lies below high");
    }
    if (!(Number.isInteger(steps) && steps >= 1 && steps <= MOST_STEPS)) {
      throw new RangeError(`steps is a whole number from 1 to ${MOST_STEPS}`);
    }
    const exact = ((Math.min(Math.max(value, low), high) - low) / (high - low)) * steps;
    let place = Math.min(Math.floor(exact), steps);
    if (draw() < (exact - place) * WHOLE) place += 1;
    const [number, of] = scale(steps, epsilon);
    return place + discreteLaplace(number, of, draw);
  }

  /** The scale steps / epsilon of the noise as a fraction in lowest terms. */
  function scale(steps, epsilon) {
    const number = steps * MICRO;
    const of = Math.floor(epsilon * MICRO);
    let [shared, rest] = [number, of];
    while (rest) [shared, rest] = [rest, shared % rest];
    return [number / shared, of / shared];
  }

  function discreteLaplace(number, of, draw) {
    for (;;) {
      const part = below(number, draw);
      if (!survives(part, number, draw)) continue;
      let wholes = 0;
      while (survives(1, 1, draw)) wholes += 1;
      const size = Math.floor((part + number * wholes) / of);
      if (below(2, draw) === 0) return size;
      if (size) return -size;
    }
  }

  function survives(part, number, draw) {
    let trial = 1;
    while (below(number * trial, draw) < part) trial += 1;
    return trial % 2 === 1;
  }

  return { flip, noisy, response, truth, unary };
})();

if (typeof module !== "undefined") module.exports = LocalPrivacy;
