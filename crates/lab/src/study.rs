//! Games and studies with a known end: does the engine see it too?

use core::fmt;

use crownhead_engine::{Control, Engine, Found, Limits, Score, Verdict};
use crownhead_pdn::{Game, GameResult};
use crownhead_rules::{History, Position, Rulebook, Side};

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
        let winner = match game.result {
            GameResult::BlackWins => Side::Black,
            GameResult::WhiteWins => Side::White,
            GameResult::Draw | GameResult::BothLose | GameResult::Unknown => return None,
        };
        let whole = game.history();
        if *whole.start() != Position::start() {
            return None;
        }
        let plies = whole.moves().len().checked_sub(PLIES_BEFORE_THE_END)?;
        let mut so_far = History::new(*whole.start());
        for &mv in &whole.moves()[..plies] {
            so_far.push(mv);
        }
        let found = self.look(&so_far, control)?;
        let winner_moves = so_far.position().side_to_move() == winner;
        let score = if winner_moves { found.score() } else { -found.score() };
        Some(Ending { name: name(game), winner, score, seen: score.hundredths() >= AHEAD })
    }

    fn look(&mut self, game: &History, control: &dyn Control) -> Option<Found> {
        self.engine.clear();
        self.engine.search(game, &Rulebook::default(), &self.limits, control, &mut |_| {})
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crownhead_engine::Timeless;

    fn student(engine: &mut Engine) -> Student<'_> {
        Student { engine, limits: Limits::nodes(5_000) }
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
    fn a_decisive_game_is_foreseen() {
        let mut engine = Engine::new(1 << 22).unwrap();
        // White gives a man for nothing at the fourth move and goes on for five more.
        let moves = "1. 11-15 23-19 2. 8-11 22-17 3. 4-8 17-13 4. 15-18 24-20 5. 18-23 27x18 6. 12-16 19x12";
        let game = |result: &str| read(&format!("[Result \"{result}\"]\n{moves} {result}"));
        let ending = student(&mut engine).foresee(&game("0-1"), &Timeless).unwrap();
        assert_eq!(ending.winner, Side::White);
        assert!(!ending.seen, "after one move each nobody is ahead: {ending}");
        assert_eq!(student(&mut engine).foresee(&game("1/2-1/2"), &Timeless), None);
    }
}
