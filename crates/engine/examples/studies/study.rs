//! Studies and decisive games of a PDN file as a test suite: does the engine find the result that the file gives?

mod count;
mod proof;

use core::fmt;

use crownhead_engine::{Control, Engine, Limits, Score, SearchResult};
use crownhead_pdn::{Game, GameResult};
use crownhead_rules::{History, Position, Rulebook, Side};
use crownhead_tablebase::Tablebase;

pub(crate) use count::{PredictionCount, StudyCount};

/// The engine's answer to a study: a set-up position with its solution and its result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Study {
    /// The name of the study.
    pub(crate) name: String,
    /// The first move of the solution.
    pub(crate) asked: String,
    /// The engine's move.
    pub(crate) answered: String,
    /// The engine's score, for the side to move.
    pub(crate) score: Score,
    /// Does the score agree with the result of the study?
    pub(crate) right: bool,
    /// What proves the result, if anything does.
    pub(crate) proof: Option<Proof>,
}

/// Why a result is proven.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Proof {
    /// The search or the engine's tables have proven the win or the loss.
    Decided,
    /// The tables prove the draw. A draw that only the search sees is an estimate.
    Drawn {
        /// The most pieces of the tables that prove it.
        pieces: u32,
        /// The plies until play reaches them.
        plies: u32,
    },
}

/// The engine's prediction of the winner shortly before the end of a decisive game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Prediction {
    /// The name of the game.
    pub(crate) name: String,
    /// The winner of the game.
    pub(crate) winner: Side,
    /// The engine's score, for the winner.
    pub(crate) score: Score,
    /// Does the score put the winner ahead by a man or more?
    pub(crate) seen: bool,
}

/// The move that lost a decisive game, by the engine's judgement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LosingMove {
    /// The number of plies before it.
    pub(crate) ply: usize,
    /// The number of plies of the whole game.
    pub(crate) plies: usize,
    /// The move; `None` if the loser resigned where a move would have held.
    pub(crate) played: Option<String>,
    /// A move that was better.
    pub(crate) better: String,
    /// The score of that move for the winner: ahead by less than a man.
    pub(crate) held: Score,
    /// The comment of the file on the move, as a second opinion.
    pub(crate) note: Option<String>,
}

/// A decisive game is searched this many plies before its end.
pub(crate) const PLIES_BEFORE_END: usize = 10;
/// A side that is ahead by this much, in hundredths of a man, is winning.
const WINNING: i32 = 100;

/// An engine with its limits.
pub(crate) struct Solver<'a> {
    /// The engine.
    pub(crate) engine: &'a mut Engine,
    /// The limits for each position.
    pub(crate) limits: Limits,
}

impl Solver<'_> {
    /// Solves a study; `None` for a game without set-up position, move or result. `tables` only judge the engine's
    /// answer.
    pub(crate) fn solve(&mut self, game: &Game, tables: &Tablebase, control: &dyn Control) -> Option<Study> {
        let solution = game.history();
        let asked = *solution.moves().first()?;
        let position = *solution.start();
        if position == Position::start() {
            return None;
        }
        let found = self.search(&History::new(position), control)?;
        let score = found.score();
        let right = match (game.result, position.side_to_move()) {
            (GameResult::BlackWins, Side::Black) | (GameResult::WhiteWins, Side::White) => {
                score.hundredths() >= WINNING
            }
            (GameResult::BlackWins | GameResult::WhiteWins, _) => score.hundredths() <= -WINNING,
            (GameResult::Draw, _) => score.hundredths().abs() < WINNING,
            (GameResult::BothLose | GameResult::Unknown, _) => return None,
        };
        let proof = if score.is_decided() {
            Some(Proof::Decided)
        } else if right && game.result == GameResult::Draw {
            let after = position.play_unchecked(found.best());
            let plies = proof::plies_to_safety(&after, position.side_to_move(), tables);
            plies.map(|plies| Proof::Drawn { pieces: tables.max_pieces(), plies })
        } else {
            None
        };
        Some(Study {
            name: name(game),
            asked: position.move_text(asked),
            answered: position.move_text(found.best()),
            score,
            right,
            proof,
        })
    }

    /// Searches a decisive game shortly before its end; `None` for games that are drawn, too short or set up.
    pub(crate) fn predict(&mut self, game: &Game, control: &dyn Control) -> Option<Prediction> {
        let (whole, winner) = decisive(game)?;
        let plies = whole.moves().len().checked_sub(PLIES_BEFORE_END)?;
        let position = whole.positions()[plies];
        let found = self.search(&beginning(&whole, plies), control)?;
        let score = if position.side_to_move() == winner { found.score() } else { -found.score() };
        Some(Prediction { name: name(game), winner, score, seen: score.hundredths() >= WINNING })
    }

    /// Searches backwards from the end of a decisive game for the move that lost it; `None` for games that are drawn
    /// or set up.
    ///
    /// Only positions with the loser to move need a search: where the winner is to move, the move that was played
    /// shows that the winner is at least as far ahead as after it.
    pub(crate) fn losing_move(&mut self, game: &Game, control: &dyn Control) -> Option<LosingMove> {
        let (whole, winner) = decisive(game)?;
        let plies = whole.moves().len();
        self.engine.clear();
        for ply in (0..=plies).rev().filter(|&ply| whole.positions()[ply].side_to_move() != winner) {
            // The hash table keeps what was found in later positions, which helps with the earlier ones.
            let Some(found) = self.search_on(&beginning(&whole, ply), control) else { continue };
            let held = -found.score();
            if held.hundredths() < WINNING {
                let text = |mv| whole.positions()[ply].move_text(mv);
                let played = whole.moves().get(ply).map(|&mv| text(mv));
                let note = note(game, ply);
                return Some(LosingMove { ply, plies, played, better: text(found.best()), held, note });
            }
        }
        None
    }

    fn search(&mut self, game: &History, control: &dyn Control) -> Option<SearchResult> {
        self.engine.clear();
        self.search_on(game, control)
    }

    fn search_on(&mut self, game: &History, control: &dyn Control) -> Option<SearchResult> {
        self.engine.search(game, &Rulebook::default(), &self.limits, control, &mut |_| {})
    }
}

impl Study {
    /// Is the engine's move that of the solution?
    pub(crate) fn is_by_the_book(&self) -> bool {
        self.answered == self.asked
    }

    /// Is the result right, and is the move that of the solution or one proven to be as good?
    pub(crate) fn is_solved(&self) -> bool {
        self.right && (self.is_by_the_book() || self.proof.is_some())
    }
}

impl LosingMove {
    /// Was it played before the position of the prediction?
    pub(crate) fn is_early(&self) -> bool {
        self.ply + PLIES_BEFORE_END < self.plies
    }
}

/// The moves and the winner of a decisive game from the start position.
fn decisive(game: &Game) -> Option<(History, Side)> {
    let winner = match game.result {
        GameResult::BlackWins => Side::Black,
        GameResult::WhiteWins => Side::White,
        GameResult::Draw | GameResult::BothLose | GameResult::Unknown => return None,
    };
    let whole = game.history();
    (*whole.start() == Position::start()).then_some((whole, winner))
}

/// The first `plies` plies of a game.
fn beginning(game: &History, plies: usize) -> History {
    let mut so_far = History::new(*game.start());
    for &mv in &game.moves()[..plies] {
        so_far.push_unchecked(mv);
    }
    so_far
}

/// The comment of a file on a move.
fn note(game: &Game, ply: usize) -> Option<String> {
    game.line.plies().get(ply)?.comments().first().map(ToString::to_string)
}

fn name(game: &Game) -> String {
    game.tags.get("Event").unwrap_or("?").to_owned()
}

impl fmt::Display for Study {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Study { name, asked, answered, score, right: _, proof } = self;
        let solved = if self.is_solved() { "solved" } else { "missed" };
        write!(f, "{name}: {answered} {score}, asked {asked}: {solved}, ")?;
        match proof {
            None => f.write_str("unproven"),
            Some(Proof::Decided) => f.write_str("certain"),
            Some(Proof::Drawn { pieces, plies: 0 }) => write!(f, "a draw in the tables of {pieces} pieces"),
            Some(Proof::Drawn { pieces, plies }) => {
                write!(f, "a draw in the tables of {pieces} pieces after {plies} plies")
            }
        }
    }
}

impl fmt::Display for Prediction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Prediction { name, winner, score, seen } = self;
        write!(f, "{name}: {winner} won, {score}: {}", if *seen { "seen" } else { "not seen" })
    }
}

impl fmt::Display for LosingMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LosingMove { ply, plies, played, better, held, note } = self;
        let played = played.as_deref().unwrap_or("giving up");
        write!(
            f,
            "lost by {played} at ply {} of {plies}, better {better} with {held} for the winner",
            ply + 1
        )?;
        note.as_ref().map_or(Ok(()), |note| write!(f, "; noted “{note}”"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crownhead_engine::Timeless;

    /// Black gives White a shot with 8-11.
    const SHOT: &str = "[Result \"0-1\"]\n1. 11-16 23-18 2. 16-20 24-19 3. 8-11 19-15 4. 10x19 18-14 5. 9x18 22x8 \
                        6. 4x11 27-24 7. 20x27 31x8";

    fn solver(engine: &mut Engine) -> Solver<'_> {
        Solver { engine, limits: Limits::nodes(50_000) }
    }

    fn study(fen: &str, mv: &str, result: &str) -> Game {
        read(&format!("[FEN \"{fen}\"]\n[Result \"{result}\"]\n1. {mv} {result}"))
    }

    fn read(text: &str) -> Game {
        crownhead_pdn::read_str(text).next().unwrap().game
    }

    #[test]
    fn a_study_is_solved_by_its_move_and_its_result() {
        let mut engine = Engine::new(1 << 22).unwrap();
        let mut solve = |fen: &str, mv: &str, result: &str| {
            let game = study(fen, mv, result);
            solver(&mut engine).solve(&game, &Tablebase::empty(), &Timeless).unwrap().is_solved()
        };
        let shot = "W:W32,28,23,19:B20,11,9,5";
        assert!(solve(shot, "28-24", "0-1"));
        let slip = "W:W32,27,24,22:B20,15,10,7";
        assert!(solve(slip, "27-23", "0-1"));
        assert!(!solve(slip, "22-17", "0-1"), "another move that nothing proves");
        assert!(!solve(shot, "28-24", "1/2-1/2"), "another result");
        let no_study = read("1. 11-15 1-0");
        assert_eq!(solver(&mut engine).solve(&no_study, &Tablebase::empty(), &Timeless), None);
    }

    #[test]
    fn another_move_draws_only_where_the_tables_prove_it() {
        let mut engine = Engine::new(1 << 22).unwrap();
        let mut solve = |mv: &str, tables: &Tablebase| {
            let game = study("B:WK32:BK1", mv, "1/2-1/2");
            solver(&mut engine).solve(&game, tables, &Timeless).unwrap()
        };
        let (nothing, tables) = (Tablebase::empty(), Tablebase::embedded());
        let answers = ["1-5", "1-6"].map(|mv| solve(mv, &nothing));
        // The search sees a draw,
        assert!(answers.iter().all(|study| study.score == Score::DRAW), "{answers:?}");
        let (same, other): (Vec<_>, Vec<_>) = answers.iter().partition(|study| study.is_by_the_book());
        // which is enough for the move of the solution,
        assert!(same[0].is_solved() && same[0].to_string().ends_with("solved, unproven"), "{}", same[0]);
        // but not for another one.
        assert!(!other[0].is_solved(), "{}", other[0]);
        let proven = solve(&other[0].asked, &tables);
        assert_eq!(proven.proof, Some(Proof::Drawn { pieces: 4, plies: 0 }));
        assert!(proven.is_solved() && !proven.is_by_the_book(), "{proven}");
        assert!(proven.to_string().ends_with("solved, a draw in the tables of 4 pieces"), "{proven}");
    }

    #[test]
    fn the_winner_is_predicted_once_the_game_is_lost() {
        let mut engine = Engine::new(1 << 22).unwrap();
        let mut predict = |text: &str| solver(&mut engine).predict(&read(text), &Timeless);
        let lost = predict(&format!("{SHOT} 8. 6-10 25-22 0-1")).unwrap();
        assert_eq!((lost.winner, lost.seen), (Side::White, true), "the shot is on the board: {lost}");
        let level = predict(&format!("{SHOT} 0-1")).unwrap();
        assert!(!level.seen, "two moves each have been played, and neither side is ahead: {level}");
        assert_eq!(predict(&format!("{} 1/2-1/2", SHOT.replace("0-1", "1/2-1/2"))), None);
    }

    #[test]
    fn the_losing_move_is_found_from_the_end() {
        let mut engine = Engine::new(1 << 22).unwrap();
        let mut solver = solver(&mut engine);
        let mut losing_move = |text: &str| solver.losing_move(&read(text), &Timeless);
        let late = losing_move(&format!("{SHOT} 0-1")).unwrap();
        assert_eq!((late.ply, late.played.as_deref(), &late.note), (4, Some("8-11"), &None), "{late}");
        let noted = losing_move(&format!("{} 0-1", SHOT.replace("8-11", "8-11 {A gift.}"))).unwrap();
        assert_eq!((noted.ply, noted.note.as_deref()), (4, Some("A gift.")), "{noted}");
        assert!(!late.is_early(), "ten plies before the end it is still to come");
        let early = losing_move(&format!("{SHOT} 8. 6-10 25-22 0-1")).unwrap();
        assert_eq!((early.ply, early.is_early()), (4, true), "{early}");
        let given_up = losing_move("[Result \"1-0\"]\n1. 11-15 1-0").unwrap();
        assert_eq!((given_up.ply, given_up.played), (1, None));
        assert_eq!(losing_move("[Result \"1/2-1/2\"]\n1. 11-15 1/2-1/2"), None);
    }
}
