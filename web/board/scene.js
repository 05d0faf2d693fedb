/**
 * The scene of a board and its reaction to a touch, as plain data. It uses neither the DOM nor the rules of the game:
 * the view says where a piece may go.
 */

/** @import { Colour, Move, SelectionState, Side, View } from "../types.js" */

/**
 * The part of a view that a board draws.
 * @typedef {Pick<View, "rulebook" | "bottom" | "pieces" | "moves" | "must_jump" | "last_move" | "hint">} BoardView
 *
 * The squares that the player has walked with the piece in hand: none, or where it stood and where it landed since.
 * @typedef {readonly number[]} Hand
 *
 * @typedef {object} SquareScene
 * @property {number} square
 * @property {number} row from the top of the screen
 * @property {number} column from the left
 * @property {string} label for screen readers
 * @property {boolean} can may the piece here be picked up?
 * @property {boolean} must does it have to jump?
 * @property {boolean} held
 * @property {"step" | "jump" | null} target
 * @property {boolean} last was it part of the last move?
 *
 * @typedef {{square: number, side: Side, king: boolean, ghost: boolean, held: boolean}} PieceScene
 *
 * @typedef {object} Scene
 * @property {Side} bottom
 * @property {"dark" | "light"} paint of the playing squares
 * @property {Record<Side, Colour>} colours
 * @property {boolean} numbers
 * @property {SquareScene[]} squares in reading order
 * @property {PieceScene[]} pieces
 * @property {number[]} line the last move
 * @property {number[]} arrow the hint
 */

/** @param {Side} side @returns {Side} */
export const other = (side) => (side === "black" ? "white" : "black");

/**
 * Where a square is on the screen. Square 1 is at the top left of the player who sits at White's side.
 * @param {number} square
 * @param {Side} bottom
 */
export function place(square, bottom) {
  const row = Math.floor((square - 1) / 4);
  const column = 2 * ((square - 1) % 4) + (row % 2 === 0 ? 1 : 0);
  return bottom === "white" ? { row, column } : { row: 7 - row, column: 7 - column };
}

/**
 * The playing square at a place on the screen.
 * @param {number} row
 * @param {number} column
 * @param {Side} bottom
 * @returns {number | null}
 */
export function squareAt(row, column, bottom) {
  const isInside = row >= 0 && row < 8 && column >= 0 && column < 8;
  if (!isInside || (row + column) % 2 === 0) return null;
  const square = 4 * row + Math.floor(column / 2) + 1;
  return bottom === "white" ? square : 33 - square;
}

/**
 * The state of the selection; null if no piece is in hand or it can no longer move.
 * @param {BoardView} view
 * @param {Hand} hand
 * @returns {SelectionState | null}
 */
export function selection(view, hand) {
  const states = view.moves.find(({ from }) => from === hand[0])?.states ?? [];
  return states.find(({ path }) => path.length === hand.length && path.every((square, i) => square === hand[i])) ?? null;
}

/**
 * The result of a touch on a square: the new hand, and possibly a move to make or a sentence.
 * @param {BoardView} view
 * @param {Hand} hand
 * @param {number | null} square
 * @returns {{hand: Hand, move: Move | null, say: string | null}}
 */
export function touch(view, hand, square) {
  const state = selection(view, hand);
  const target = state?.targets.find((target) => target.square === square);
  if (target) {
    const move = view.moves.flatMap(({ moves }) => moves).find(({ move }) => move === target.move) ?? null;
    return { hand: move ? [] : target.path, move, say: null };
  }
  if (state?.goes_on) return { hand, move: null, say: state.goes_on };
  const piece = view.pieces.find((piece) => piece.square === square);
  if (!piece || square === null || square === hand[0]) return { hand: [], move: null, say: null };
  if (piece.why_not !== null) return { hand: [], move: null, say: piece.why_not };
  return { hand: [square], move: null, say: null };
}

/**
 * The scene to draw.
 * @param {BoardView} view
 * @param {Hand} hand
 * @param {{numbers?: boolean, flipped?: boolean}} options
 * @returns {Scene}
 */
export function scene(view, hand, { numbers = false, flipped = false } = {}) {
  const bottom = flipped ? other(view.bottom) : view.bottom;
  const pieces = placed(view, hand);
  return {
    bottom,
    paint: view.rulebook.playing_squares,
    colours: { black: view.rulebook.black, white: view.rulebook.white },
    numbers,
    squares: squares(view, hand, pieces, bottom),
    pieces,
    line: view.last_move?.path ?? [],
    arrow: view.hint?.path ?? [],
  };
}

/**
 * The discs and their squares as text, to compare two views or scenes.
 * @param {readonly Pick<PieceScene, "square" | "side" | "king">[]} pieces
 */
export function standing(pieces) {
  return pieces.map(({ square, side, king }) => `${square} ${side} ${king}`).join();
}

/**
 * Would the discs of both scenes be drawn alike?
 * @param {Scene} one
 * @param {Scene} other
 */
export function isAlike(one, other) {
  const drawn = (/** @type {Scene} */ { bottom, colours, pieces }) => JSON.stringify([bottom, colours, pieces]);
  return drawn(one) === drawn(other);
}

/**
 * The pieces with the one in hand where it has landed, and those it jumped as ghosts.
 * @param {BoardView} view
 * @param {Hand} hand
 * @returns {PieceScene[]}
 */
function placed(view, hand) {
  const ghosts = selection(view, hand)?.jumped ?? [];
  return view.pieces.map(({ square, side, king }) => {
    const held = square === hand[0];
    const ghost = ghosts.includes(square);
    return { square: held ? (hand.at(-1) ?? square) : square, side, king, ghost, held };
  });
}

/**
 * @param {BoardView} view
 * @param {Hand} hand
 * @param {PieceScene[]} pieces
 * @param {Side} bottom
 * @returns {SquareScene[]}
 */
function squares(view, hand, pieces, bottom) {
  const lit = new Map(selection(view, hand)?.targets.map(({ square, jumps }) => [square, jumps ? "jump" : "step"]));
  const movable = new Set(hand.length > 1 ? [] : view.moves.map(({ from }) => from));
  const at = new Map(pieces.map((piece) => [piece.square, piece]));
  const all = Array.from({ length: 32 }, (_, i) => (bottom === "white" ? i + 1 : 32 - i));
  return all.map((square) => {
    const can = movable.has(square);
    const must = can && view.must_jump.includes(square);
    const held = square === hand.at(-1);
    const target = /** @type {SquareScene["target"]} */ (lit.get(square) ?? null);
    const label = describe(square, at.get(square), view, { can, must, held, target });
    const last = view.last_move?.path.includes(square) ?? false;
    return { square, ...place(square, bottom), label, can, must, held, target, last };
  });
}

/**
 * A square in words: “11, black man, must jump”.
 * @param {number} square
 * @param {PieceScene | undefined} piece
 * @param {BoardView} view
 * @param {{can: boolean, must: boolean, held: boolean, target: SquareScene["target"]}} marks
 */
function describe(square, piece, view, { can, must, held, target }) {
  const words = [String(square)];
  if (piece) words.push(`${view.rulebook[piece.side]} ${piece.king ? "king" : "man"}`);
  else words.push("empty");
  if (piece?.ghost) words.push("jumped");
  if (held) words.push("picked up");
  else if (target) words.push(target === "jump" ? "jump here" : "move here");
  else if (must) words.push("must jump");
  else if (can) words.push("can move");
  return words.join(", ");
}
