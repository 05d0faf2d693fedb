/** What an analysis of a game says: who stood better when, and which moves threw most away. Pure. */

/** @import { Analysis, Side } from "../types.js" */

/**
 * A position of the game, as the engine sees it.
 * @typedef {object} Verdict
 * @property {number} black men that Black is ahead, between −CERTAIN and CERTAIN
 * @property {"win" | "loss" | "draw" | null} value for the side to move, if it is certain
 * @property {number | null} plies to the end
 * @property {string[]} line the best play
 */

/** As much as a certain win counts, in men. */
export const CERTAIN = 6;
/** A move that loses less than this is no mistake. */
const MISTAKE = 0.5;
/** So many are shown. */
const WORST = 3;

/**
 * @param {Analysis} analysis
 * @param {Side} turn
 * @returns {Verdict}
 */
export function verdictOf({ lines }, turn) {
  const [best] = lines;
  const sign = turn === "black" ? 1 : -1;
  // Who has no move has lost.
  if (!best) return { black: -CERTAIN * sign, value: "loss", plies: 0, line: [] };
  const mover = { win: CERTAIN, loss: -CERTAIN, draw: 0 }[best.value ?? "draw"];
  const score = best.value === null ? Math.max(-CERTAIN, Math.min(CERTAIN, best.score ?? 0)) : mover;
  return { black: score * sign, value: best.value, plies: best.plies, line: best.pv };
}

/**
 * The moves that cost their player most, the worst first.
 * @param {(Verdict | undefined)[]} verdicts of the positions from the first on
 * @param {Side[]} movers who made which move
 * @returns {{ply: number, cost: number}[]} plies from 1
 */
export function worstMoves(verdicts, movers) {
  return movers
    .map((side, i) => {
      const [before, after] = [verdicts[i], verdicts[i + 1]];
      const sign = side === "black" ? 1 : -1;
      return { ply: i + 1, cost: before && after ? (before.black - after.black) * sign : 0 };
    })
    .filter(({ cost }) => cost >= MISTAKE)
    .toSorted((a, b) => b.cost - a.cost)
    .slice(0, WORST);
}

/**
 * A verdict in words.
 * @param {Verdict} verdict
 * @param {Side} turn
 * @param {Record<Side, string>} names
 */
export function verdictWords({ black, value, plies }, turn, names) {
  const mover = names[turn];
  const other = names[turn === "black" ? "white" : "black"];
  const inMoves = plies ? ` in ${Math.ceil(plies / 2)}` : "";
  if (value === "win") return `${mover} wins${inMoves}.`;
  if (value === "loss") return plies === 0 ? `${mover} has lost.` : `${other} wins${inMoves}.`;
  if (value === "draw") return "A draw with best play.";
  if (Math.abs(black) < 0.25) return "Even.";
  return `${names[black > 0 ? "black" : "white"]} is ${Math.abs(black).toFixed(1)} men ahead.`;
}
