//! A live game of checkers as an event-sourced state machine: commands and the time go in; events, effects and a view
//! for screens come out.
//!
//! ```
//! use crownhead_game::{Command, Effect, Game, Level, Moment, Player, Start, Time, Who};
//!
//! let level = Level::new(3).expect("1 to 8");
//! let (mut game, mut step) = Game::start(Start::new([Player::human("Anna"), Player::computer(level)], 42), Time(0))?;
//! let mut log = step.records;
//!
//! step = game.handle(Who::Screen, &Command::Move { text: "11-15".into() }, Moment::at(Time(900)))?;
//! log.extend(step.records);
//! let [Effect::Think { task }] = &step.effects[..] else { panic!("it is the computer's turn") };
//!
//! let answer = Command::ComputerMoved { request: task.request, text: "22-18".into() };
//! log.extend(game.handle(Who::House, &answer, Moment::at(Time(1_500)))?.records);
//! let view = game.view(Who::Screen, Moment::at(Time(1_500)));
//! assert_eq!(view.status, "You must jump: 15.");
//! assert_eq!(Game::replay(&log)?, game);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The page, the terminal and the server run the same code. It reads no files, starts no threads, draws no random
//! numbers and has no clock: time and seeds come from outside. It contains no engine: it asks for a search with an
//! [`Effect`] and receives the result as a [`Command`]. No command, log or text makes it panic.
//!
//! # Usage
//!
//! 1. [`Game::start`] with a [`Start`], or [`Game::replay`] with a log. After a replay, carry out
//!    [`Game::outstanding`] (the computer may have been thinking).
//! 2. [`Game::handle`] with a [`Command`], the sender ([`Who`]) and the [`Moment`]. The [`Step`] has **records** to
//!    append to the log and **effects** to carry out; a [`Refusal`] is a sentence for the player, and the game is
//!    unchanged.
//! 3. [`Game::view`] after each step, and while a clock runs. At [`Game::wake_at`] send [`Command::Tick`].
//!
//! The state is a fold over the log, so replay, undo, reload, crash recovery and spectating all use the same code. A
//! screen that only follows a game over a link feeds the server's records to [`Game::absorb`]. If the log is long,
//! [`Game::restore`] takes a [`Snapshot`] instead of its beginning.
//!
//! # In JSON
//!
//! Sides are `"black"` (squares 1–12, moves first) and `"white"`, whatever their colours on screen, which are in
//! `rulebook.black` and `rulebook.white`. Squares are numbers 1–32; square `n` is in row `⌊(n − 1) / 4⌋` from Black's
//! edge.
//!
//! A start, in which only the players are required:
//!
//! ```json
//! {"rulebook": "american", "players": [{"kind": "human", "name": "Anna"}, {"kind": "computer", "level": 3}],
//!  "colour": "white", "clock": {"kind": "game", "initial_ms": 300000, "increment_ms": 5000},
//!  "opening": "random", "seed": 4711}
//! ```
//!
//! `colour` is `"black"`, `"white"` or `"random"` for the first player, who sits at the bottom; `opening` is `"random"`
//! or a number 1–174; `position` is a FEN; another clock is `{"kind": "move", "limit_ms": 86400000}`; `place` is
//! `{"kind": "screen"}` or `{"kind": "link", "away_limit_ms": 60000}`.
//!
//! Commands of players: `{"type": "move", "move": "22x15x8"}`, `{"type": "answer_draw", "accept": true}`, and in the
//! same form `undo`, `redo`, `resign`, `forfeit`, `abandon`, `answer_abandon`, `offer_draw`, `claim_draw`,
//! `ask_takeback`, `answer_takeback`, `claim_forfeit`, `ask_still_there`, `still_here`, `hint`, `rematch`,
//! `answer_rematch`. Reports of the program that runs the game: `tick`,
//! `{"type": "interrupted", "since": 1700000000000}`,
//! `{"type": "computer_moved", "request": 7, "move": "22-18"}`, `hint_found`,
//! `{"type": "computer_answered", "request": 7, "offer": "draw", "accept": false}`,
//! `{"type": "adjudicated", "request": 7, "verdict": "draw"}`.
//!
//! Effects: `think`, `find_hint`, `judge_offer` and `adjudicate`, each with the fields of a [`Task`]; `stop` with
//! `work` and `request`; `new_game` with a `start`.
//!
//! A [`View`], shortened:
//!
//! ```json
//! {"rulebook": {"id": "american", "title": "American", "black": "black", "white": "red", "playing_squares": "dark", …},
//!  "you": "black", "bottom": "black", "turn": "black", "your_turn": true, "thinking": false,
//!  "status": "You must jump: 15.", "notice": null,
//!  "players": {"black": {"name": "Anna", "colour": "black", "level": null, "captured": {"men": 0, "kings": 0}, "clock": null}, …},
//!  "shown": 2, "fen": "B:W18,21,23-32:B1-10,12,15",
//!  "pieces": [{"square": 1, "side": "black", "king": false, "why_not": "That man cannot move: another one has to jump."}, …],
//!  "must_jump": [15],
//!  "moves": [{"from": 15, "moves": [{"move": "15x22", "text": "15x22", "path": [15, 22], "captured": [18], "crowns": false}]}],
//!  "last_move": {"side": "white", "sentence": "Red moves from 22 to 18.", "move": "22-18", "path": [22, 18], …},
//!  "list": [{"number": 1, "side": "black", "text": "11-15", "path": [11, 15], "given": false}, …],
//!  "opening": null, "hint": null, "offers": [], "outcome": null,
//!  "buttons": {"undo": {"exists": true, "enabled": true, "why_not": null, "confirm": null}, …}, "wake_at": null, …}
//! ```
//!
//! Every move of `moves` can be followed landing by landing along its `path`, jumping `captured[i]` between `path[i]`
//! and `path[i + 1]`; two moves may share a beginning, or both ends. Send its `move` back. A screen hides a button
//! whose `exists` is false; a button with `confirm` asks that question before the screen sends its command.
//! `buttons.new_game` has no command of its own: if it asks, send `forfeit`, then start.

mod catalogue;
mod clock;
mod command;
mod decide;
mod effect;
mod error;
mod event;
mod fold;
mod game;
mod lag;
mod pdn;
mod player;
mod seed;
mod selection;
mod silence;
mod snapshot;
mod start;
mod time;
mod view;
mod words;

pub use catalogue::{Catalogue, ClockEntry, LevelEntry, OpeningEntry, RulebookEntry};
pub use clock::{ClockRule, clock_text};
pub use command::Command;
pub use effect::{Effect, Task, TaskClock, Work};
pub use error::{Damage, LogError, Refusal};
pub use event::{Event, LOG_VERSION, Offer, OpeningRecord, Record, Started, Verdict};
pub use game::{Game, Step};
pub use pdn::{recorded_log, rulebook_of};
pub use player::{Level, MAX_NAME_CHARS, Name, Place, Player, Who};
pub use selection::{Selection, SelectionState, Target, Touch};
pub use snapshot::{SNAPSHOT_VERSION, Snapshot};
pub use start::{ColourChoice, OpeningChoice, Start};
pub use time::{Moment, Time};
pub use view::{
    Button, Buttons, Captured, ClockView, LastMove, ListedMove, MoveView, OfferView, OpeningView,
    OutcomeView, PieceMoves, PieceView, RulebookView, Seat, Seats, StillThereView, View,
};
