/**
 * What passes between the page and the WebAssembly module. The words are those of crates/game, where they are
 * explained; the tests check real answers against this file.
 */

export type Side = "black" | "white";
export type Colour = "black" | "red" | "white" | "yellow";
export type RulebookId = "american" | "win-only" | "light" | "numbered" | "quick";
export type Who = "screen" | "watcher" | { seat: Side };
export type Offer = "draw" | "abandon" | "takeback" | "rematch";
export type Verdict = "draw" | "no_draw" | "unknown";
export type Work = "think" | "find_hint" | "judge_offer" | "adjudicate";

export type Player = { kind: "human"; name?: string } | { kind: "computer"; level: number; name?: string };
export type ClockRule =
  | { kind: "game"; initial_ms: number; increment_ms: number }
  | { kind: "move"; limit_ms: number };
export type Place = { kind: "screen" } | { kind: "link"; away_limit_ms: number };

/** What a game is to be like. */
export interface Start {
  rulebook?: RulebookId;
  /** The first one sits at the bottom of a shared screen. */
  players: [Player, Player];
  /** The side of the first player; left out, the rule book's usual one. */
  colour?: Side | "random";
  clock?: ClockRule;
  /** A number from 1 to 174. */
  opening?: "random" | number;
  /** FEN. */
  position?: string;
  place?: Place;
  /** A random number below 2³²: all chance in the game follows from it. */
  seed: number;
}

export type Command =
  | { type: "move"; move: string }
  | { type: "undo" | "redo" | "resign" | "forfeit" | "abandon" | "offer_draw" | "claim_draw" }
  | { type: "ask_takeback" | "claim_forfeit" | "ask_still_there" | "still_here" | "hint" | "rematch" | "tick" }
  | { type: "answer_draw" | "answer_abandon" | "answer_takeback" | "answer_rematch"; accept: boolean }
  | { type: "interrupted"; since: number }
  | { type: "computer_moved" | "hint_found"; request: number; move: string }
  | { type: "computer_answered"; request: number; offer: Offer; accept: boolean }
  | { type: "adjudicated"; request: number; verdict: Verdict };

/** What is known when the core is asked. */
export interface Moment {
  now: number;
  /** How long since the last record no server has served the game. */
  outage_ms?: number;
  black_away_since?: number | null;
  white_away_since?: number | null;
}

/** A line of the log: to be kept, and given back to `replay`. */
export interface GameRecord {
  v: number;
  at: number;
  event: { type: string; [field: string]: unknown };
}

/** The state of a game in the place of the beginning of a long log: to be given to `restore`. */
export interface Snapshot {
  v: number;
  /** How many records it stands for. */
  seq: number;
  started_at: number;
  [field: string]: unknown;
}

export interface Task {
  request: number;
  side: Side;
  level: number;
  seed: number;
  rulebook: { [field: string]: unknown };
  position: string;
  moves: string[];
  clock: { left_ms: number; increment_ms: number } | null;
}

export type Effect =
  | ({ type: "think" | "find_hint" | "adjudicate" } & Task)
  | ({ type: "judge_offer"; offer: Offer } & Task)
  | { type: "stop"; work: Work; request: number }
  | { type: "new_game"; start: Start };

/** What a command led to. */
export interface Step {
  view: View;
  records: GameRecord[];
  effects: Effect[];
  /** Why nothing happened, in a sentence. */
  refusal: string | null;
}

/** All that a screen needs. */
export interface View {
  rulebook: Rulebook;
  seq: number;
  you: Side | null;
  /** Who made the link; null at one screen. */
  inviter: Side | null;
  bottom: Side;
  turn: Side | null;
  your_turn: boolean;
  thinking: boolean;
  status: string;
  notice: string | null;
  players: { black: Seat; white: Seat };
  shown: number;
  fen: string;
  pieces: Piece[];
  must_jump: number[];
  moves: { from: number; moves: Move[]; states: SelectionState[] }[];
  last_move: (Move & { side: Side; sentence: string }) | null;
  hint: Move | null;
  list: ListedMove[];
  opening: { number: number; name: string } | null;
  start: string;
  offers: { offer: Offer; by: Side; sentence: string; answerable: boolean }[];
  still_there: { sentence: string; answerable: boolean } | null;
  outcome: Outcome | null;
  buttons: Record<ButtonName, Button>;
  /** When to send `tick` at the latest. */
  wake_at: number | null;
}

export interface Rulebook {
  id: RulebookId;
  title: string;
  summary: string;
  /** The colour of the side that moves first. */
  black: Colour;
  white: Colour;
  playing_squares: "dark" | "light";
  shows_numbers: boolean;
}

export interface Seat {
  name: string;
  colour: Colour;
  level: number | null;
  captured: { men: number; kings: number };
  clock: { left_ms: number; running: boolean } | null;
}

export interface Piece {
  square: number;
  side: Side;
  king: boolean;
  /** Why it cannot be moved now; null if it can. */
  why_not: string | null;
}

export interface Move {
  /** To be sent back: the whole path. */
  move: string;
  /** To be shown. */
  text: string;
  path: number[];
  captured: number[];
  crowns: boolean;
}

/** A move that is being chosen square by square. */
export interface SelectionState {
  path: number[];
  jumped: number[];
  targets: { square: number; jumps: boolean; path: number[]; /** The move that is complete with it. */ move: string | null }[];
  /** Why nothing else can be touched. */
  goes_on: string | null;
}

export interface ListedMove {
  number: number;
  side: Side;
  text: string;
  path: number[];
  given: boolean;
}

export type Outcome = {
  headline: string;
  sentence: string;
  score: "1-0" | "0-1" | "1/2-1/2" | "*";
} & (
  | { result: "win"; winner: Side; reason: "no_pieces" | "blocked" | "resignation" | "forfeit" | "time" }
  | { result: "draw"; reason: "repetition" | "move_limit" | "agreement" | "neither_can_win" }
  | { result: "abandoned" }
);

export type ButtonName =
  | "undo"
  | "redo"
  | "hint"
  | "resign"
  | "offer_draw"
  | "claim_draw"
  | "abandon"
  | "ask_takeback"
  | "claim_forfeit"
  | "ask_still_there"
  | "rematch"
  | "new_game";

export interface Button {
  /** Does this game have it at all? */
  exists: boolean;
  enabled: boolean;
  why_not: string | null;
  /** To be asked before the command is sent. */
  confirm: string | null;
}

/** What can be chosen for a game. */
export interface Catalog {
  version: string;
  rulebooks: (Rulebook & {
    /** `drawn`: the choice of a colour has no effect. */
    colours: "chosen" | "drawn_unless_chosen" | "drawn";
    colour_choices: (Side | "random")[];
    usual_colour: Side | "random";
    draws: boolean;
    claims: boolean;
    abandons: boolean;
    /** How a game ends, in paragraphs. */
    endings: string[];
  })[];
  levels: { number: number; name: string; summary: string }[];
  clocks: { clock: ClockRule; text: string; correspondence: boolean }[];
  openings: { number: number; name: string | null; moves: [string, string, string]; barred: boolean }[];
}

export interface PositionRead {
  fen: string;
  pieces: Piece[];
  /** Can the side to move move? */
  playable: boolean;
}

/** A game of a file. */
export interface RecordedGame {
  black: string | null;
  white: string | null;
  event: string | null;
  date: string | null;
  rulebook: RulebookId;
  result: string;
  /** FEN. */
  start: string;
  plies: { move: string; comment: string }[];
  /** What is odd about it. */
  warnings: string[];
}

export interface AnalyseRequest {
  position: string;
  moves?: string[];
  rulebook?: RulebookId;
  lines?: number;
  nodes?: number;
  depth?: number;
  time_ms?: number;
}

export type Value = "win" | "draw" | "loss";

export interface Analysis {
  fen: string;
  depth: number;
  nodes: number;
  table_hits: number;
  seconds: number;
  lines: {
    move: string;
    /** Men ahead for the side to move. */
    score: number;
    /** Where it is proven. */
    value: Value | null;
    plies: number | null;
    pv: string[];
  }[];
}

/** A position of a game that is reviewed. */
export interface ReviewedPosition {
  ply: number;
  /** The winning chances of Black, 0 to 1. */
  black_chances: number;
  sentence: string;
  pv: string[];
}

/** What the review of a game says. */
export interface GameReview {
  moves: {
    move: string;
    /** Men ahead for the side that made the move. */
    score: number;
    value: Value | null;
    plies: number | null;
    /** What it gave away, in men and in winning chances. */
    loss: number;
    lost_chances: number;
    judgement: "inaccuracy" | "mistake" | "blunder" | null;
    better: string | null;
  }[];
  worst: { ply: number; glyph: string; sentence: string }[];
  /** In percent; null for a side that never had a choice. */
  accuracy: Record<Side, number | null>;
}
