/** FEN of pieces on the board. */

/** @import { Piece, Side } from "../types.js" */

/**
 * Pieces as FEN.
 * @param {Side} turn
 * @param {readonly Pick<Piece, "square" | "side" | "king">[]} pieces
 */
export function fenOf(turn, pieces) {
  const list = (/** @type {Side} */ side) =>
    pieces
      .filter((piece) => piece.side === side)
      .toSorted((a, b) => a.square - b.square)
      .map(({ square, king }) => `${king ? "K" : ""}${square}`)
      .join(",");
  return `${turn === "black" ? "B" : "W"}:W${list("white")}:B${list("black")}`;
}
