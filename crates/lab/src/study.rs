//! Games and studies with a known end: does the engine see it too?

mod tally;

use core::fmt;

use crownhead_engine::{Control, Engine, Found, Limits, Score, Verdict};
use crownhead_pdn::{Game, GameResult};
use crownhead_rules::{History, Position, Rulebook, Side};

pub use tally::{Endings, Studies};

/// A study as the engine saw it: a set-up position, its first move and its result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Study {
    /// What it is called.
    pub name: String,
    /// The first move of the solution.
    pub asked: String,
    /// The engine's move.
    pub answered: String,
    /// What the engine thinks of it, for the side to move.
    pub score: Score,
    /// Is the result right, and the move the one of the solution or one proven to be as good?
    pub solved: bool,
}

/// A position near the end of a decisive game as the engine saw it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// What the game is called.
    pub name: String,
    /// Who won.
    pub winner: Side,
    /// What the engine thought for the winner.
    pub score: Score,
    /// Did it see the winner ahead by a man or more?
    pub seen: bool,
}

/// The move that lost a decisive game, as the engine sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// So many plies had been played before it.
    pub ply: usize,
    /// So many plies the whole game has.
    pub plies: usize,
    /// The move. None if the loser gave up with a better one on the board.
    pub played: Option<String>,
    /// A move that was better.
    pub better: String,
    /// What the engine thinks of that for the winner: ahead by less than a man.
    pub held: Score,
}

/// So many plies before its end a decisive game is looked at.
pub const PLIES_BEFORE_THE_END: usize = 10;
/// Who is this far ahead is winning, in hundredths of a man.
const AHEAD: i32 = 100;

/// The engine with what it may use for each question.
pub struct Student<'a> {
    /// The engine.
    pub engine: &'a mut Engine,
    /// For each position.
    pub limits: Limits,
}

impl Student<'_> {
    /// Looks at a study. Nothing for a game that has no set-up position, no move or no result.
    pub fn solve(&mut self, game: &Game, control: &dyn Control) -> Option<Study> {
        let solution = game.history();
        let asked = *solution.moves().first()?;
        let position = *solution.start();
        if position == Position::start() {
            return None;
        }
        let found = self.look(&History::new(position), control)?;
        let score = found.score();
        let right = match (game.result, position.side_to_move()) {
            (GameResult::BlackWins, Side::Black) | (GameResult::WhiteWins, Side::White) => {
                score.hundredths() >= AHEAD
            }
            (GameResult::BlackWins | GameResult::WhiteWins, _) => score.hundredths() <= -AHEAD,
            (GameResult::Draw, _) => score.hundredths().abs() < AHEAD,
            (GameResult::BothLose | GameResult::Unknown, _) => return None,
        };
        // Another first move is as good only where its result is certain.
        let as_good = found.best() == asked || !matches!(score.verdict(), Verdict::Men(_));
        Some(Study {
            name: name(game),
            asked: position.move_text(asked),
            answered: position.move_text(found.best()),
            score,
            solved: right && as_good,
        })
    }

    /// Looks at a decisive game shortly before its end. Nothing for games that are drawn, too short or set up.
    pub fn foresee(&mut self, game: &Game, control: &dyn Control) -> Option<Ending> {
        let (whole, winner) = decisive(game)?;
        let plies = whole.moves().len().checked_sub(PLIES_BEFORE_THE_END)?;
        let position = whole.positions()[plies];
        let found = self.look(&beginning(&whole, plies), control)?;
        let score = if position.side_to_move() == winner { found.score() } else { -found.score() };
        Some(Ending { name: name(game), winner, score, seen: score.hundredths() >= AHEAD })
    }

    /// Walks back from the end of a decisive game to the move that lost it. Nothing for games that are drawn or set up.
    ///
    /// Only the positions with the loser to move need a look: where the winner is to move, the move that was played
    /// already shows that he is as far ahead as after it.
    pub fn mistake(&mut self, game: &Game, control: &dyn Control) -> Option<Mistake> {
        let (whole, winner) = decisive(game)?;
        let plies = whole.moves().len();
        self.engine.clear();
        for ply in (0..=plies).rev().filter(|&ply| whole.positions()[ply].side_to_move() != winner) {
            // What is learnt about the later positions stays in the hash table and helps with the earlier ones.
            let Some(found) = self.look_on(&beginning(&whole, ply), control) else { continue };
            let held = -found.score();
            if held.hundredths() < AHEAD {
                let text = |mv| whole.positions()[ply].move_text(mv);
                let played = whole.moves().get(ply).map(|&mv| text(mv));
                return Some(Mistake { ply, plies, played, better: text(found.best()), held });
            }
        }
        None
    }

    fn look(&mut self, game: &History, control: &dyn Control) -> Option<Found> {
        self.engine.clear();
        self.look_on(game, control)
    }

    fn look_on(&mut self, game: &History, control: &dyn Control) -> Option<Found> {
        self.engine.search(game, &Rulebook::default(), &self.limits, control, &mut |_| {})
    }
}

impl Mistake {
    /// Had it been made so long before the end that the position asked about was lost?
    pub fn is_early(&self) -> bool {
        self.ply + PLIES_BEFORE_THE_END < self.plies
    }
}

/// A game from the usual start with a winner.
fn decisive(game: &Game) -> Option<(History, Side)> {
    let winner = match game.result {
        GameResult::BlackWins => Side::Black,
        GameResult::WhiteWins => Side::White,
        GameResult::Draw | GameResult::BothLose | GameResult::Unknown => return None,
    };
    let whole = game.history();
    (*whole.start() == Position::start()).then_some((whole, winner))
}

/// The first plies of a game.
fn beginning(game: &History, plies: usize) -> History {
    let mut so_far = History::new(*game.start());
    for &mv in &game.moves()[..plies] {
        so_far.push(mv);
    }
    so_far
}

fn name(game: &Game) -> String {
    game.tags.get("Event").unwrap_or("?").to_owned()
}

impl fmt::Display for Study {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Study { name, asked, answered, score, solved } = self;
        write!(f, "{name}: {answered} {score}, asked {asked}: {}", if *solved { "solved" } else { "missed" })
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Ending { name, winner, score, seen } = self;
        write!(f, "{name}: {winner} won, {score}: {}", if *seen { "seen" } else { "not seen" })
    }
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Mistake { ply, plies, played, better, held } = self;
        let played = played.as_deref().unwrap_or("giving up");
        write!(
            f,
            "lost by {played} at ply {} of {plies}, better {better} with {held} for the winner",
            ply + 1
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crownhead_engine::Timeless;

    /// Black gives White a shot with 8-11.
    const SHOT: &str = "[Result \"0-1\"]\n1. 11-16 23-18 2. 16-20 24-19 3. 8-11 19-15 4. 10x19 18-14 5. 9x18 22x8 \
                        6. 4x11 27-24 7. 20x27 31x8";

    fn student(engine: &mut Engine) -> Student<'_> {
        Student { engine, limits: Limits::nodes(50_000) }
    }

    fn read(text: &str) -> Game {
        crownhead_pdn::read_str(text).next().unwrap().game
    }

    #[test]
    fn a_study_is_solved_by_its_move_and_its_result() {
        let mut engine = Engine::new(1 << 22).unwrap();
        let mut solve = |fen: &str, mv: &str, result: &str| {
            let game = read(&format!("[FEN \"{fen}\"]\n[Result \"{result}\"]\n1. {mv} {result}"));
            student(&mut engine).solve(&game, &Timeless).unwrap()
        };
        let shot = "W:W32,28,23,19:B20,11,9,5";
        assert!(solve(shot, "28-24", "0-1").solved);
        let slip = "W:W32,27,24,22:B20,15,10,7";
        assert!(solve(slip, "27-23", "0-1").solved);
        assert!(!solve(slip, "22-17", "0-1").solved, "another move that nothing proves");
        assert!(!solve(shot, "28-24", "1/2-1/2").solved, "another result");
        assert_eq!(student(&mut engine).solve(&read("1. 11-15 1-0"), &Timeless), None);
    }

    #[test]
    fn a_decisive_game_is_foreseen_once_it_is_lost() {
        let mut engine = Engine::new(1 << 22).unwrap();
        let mut foresee = |text: &str| student(&mut engine).foresee(&read(text), &Timeless);
        let lost = foresee(&format!("{SHOT} 8. 6-10 25-22 0-1")).unwrap();
        assert_eq!((lost.winner, lost.seen), (Side::White, true), "the shot is on the board: {lost}");
        let level = foresee(&format!("{SHOT} 0-1")).unwrap();
        assert!(!level.seen, "two moves each have been played, and nobody is ahead: {level}");
        assert_eq!(foresee(&format!("{} 1/2-1/2", SHOT.replace("0-1", "1/2-1/2"))), None);
    }

    #[test]
    fn the_losing_move_is_found_from_the_end() {
        let mut engine = Engine::new(1 << 22).unwrap();
        let mut student = student(&mut engine);
        let mut mistake = |text: &str| student.mistake(&read(text), &Timeless);
        let late = mistake(&format!("{SHOT} 0-1")).unwrap();
        assert_eq!((late.ply, late.played.as_deref()), (4, Some("8-11")), "{late}");
        assert!(!late.is_early(), "ten plies before the end it is still to come");
        let early = mistake(&format!("{SHOT} 8. 6-10 25-22 0-1")).unwrap();
        assert_eq!((early.ply, early.is_early()), (4, true), "{early}");
        let given_up = mistake("[Result \"1-0\"]\n1. 11-15 1-0").unwrap();
        assert_eq!((given_up.ply, given_up.played), (1, None));
        assert_eq!(mistake("[Result \"1/2-1/2\"]\n1. 11-15 1/2-1/2"), None);
    }
}
