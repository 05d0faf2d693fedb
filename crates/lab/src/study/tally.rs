//! How many studies were solved and how many ends foreseen, and whether that is enough.

use core::fmt;

use super::{Ending, Mistake, PLIES_BEFORE_THE_END, Study};

/// So many studies may be missed.
const MAY_MISS: usize = 1;
/// Of ten games so many are to be seen: of those that were lost, which decides, and of all, which is told.
const SEEN_OF_TEN: usize = 9;

/// The studies, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Studies {
    /// All of them.
    pub all: usize,
    /// Those that were solved.
    pub solved: usize,
    /// Of these the ones whose result is certain,
    pub proven: usize,
    /// and the ones by another move than that of the solution.
    pub otherwise: usize,
}

/// The decisive games, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Endings {
    /// All of them.
    pub all: usize,
    /// Games whose winner was seen ahead.
    pub seen: usize,
    /// Games that the patient search knows to be lost when the question is put.
    pub lost: usize,
    /// Those of them whose winner was seen ahead.
    pub seen_of_lost: usize,
    /// Games where it is put before the losing move.
    pub too_soon: usize,
    /// Those of them where the file has a note on that move, as it has on few.
    pub noted: usize,
    /// Games that end before the winner is ahead by a man.
    pub given_up: usize,
}

impl Studies {
    /// Counts one.
    pub fn add(&mut self, study: &Study) {
        self.all += 1;
        if study.is_solved() {
            self.solved += 1;
            self.proven += usize::from(study.proof.is_some());
            self.otherwise += usize::from(!study.is_by_the_book());
        }
    }

    /// Are there some, and all solved but one?
    pub fn pass(&self) -> bool {
        self.all > 0 && self.solved + MAY_MISS >= self.all
    }
}

impl Endings {
    /// Counts one, with the move that lost it unless it was lost from the first.
    pub fn add(&mut self, ending: &Ending, mistake: Option<&Mistake>) {
        self.all += 1;
        self.seen += usize::from(ending.seen);
        if mistake.is_none_or(Mistake::is_early) {
            self.lost += 1;
            self.seen_of_lost += usize::from(ending.seen);
        } else if mistake.is_some_and(|mistake| mistake.played.is_none()) {
            self.given_up += 1;
        } else {
            self.too_soon += 1;
            self.noted += usize::from(mistake.is_some_and(|mistake| mistake.note.is_some()));
        }
    }

    /// Were there some lost when the question was put, and nine of ten of these seen?
    pub fn pass(&self) -> bool {
        enough(self.seen_of_lost, self.lost)
    }

    /// Were there some, and nine of ten of all seen, whether they were lost by then or not?
    pub fn foreseen(&self) -> bool {
        enough(self.seen, self.all)
    }
}

fn enough(seen: usize, of: usize) -> bool {
    of > 0 && seen * 10 >= of * SEEN_OF_TEN
}

/// “met: 9 of 10 (90.0 %)”, or “not met”.
fn verdict(met: bool, seen: usize, of: usize) -> String {
    let (word, percent) = (if met { "met" } else { "not met" }, 100.0 * seen as f64 / of.max(1) as f64);
    format!("{word}: {seen} of {of} ({percent:.1} %)")
}

impl fmt::Display for Studies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Studies { all, solved, proven, otherwise } = self;
        if *all == 0 {
            return f.write_str("there are no studies");
        }
        writeln!(f, "{solved} of {all} studies solved")?;
        writeln!(f, "  {proven} with proof")?;
        write!(f, "  {otherwise} by another move that is proven to be as good")
    }
}

impl fmt::Display for Endings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Endings { all, seen, lost, seen_of_lost, too_soon, noted, given_up } = self;
        if *all == 0 {
            return f.write_str("there are no decisive games");
        }
        writeln!(
            f,
            "decisive games whose winner is seen {PLIES_BEFORE_THE_END} plies before the end, {SEEN_OF_TEN}0 % asked"
        )?;
        writeln!(f, "  of all: {}", verdict(self.foreseen(), *seen, *all))?;
        writeln!(
            f,
            "  of those where our own patient search finds the losing move made by then, which decides: {}",
            verdict(self.pass(), *seen_of_lost, *lost)
        )?;
        writeln!(f, "  in {too_soon} it comes later, and the file has a note on it in {noted} of them")?;
        write!(f, "  {given_up} end before the patient search sees the winner ahead by a man")
    }
}

#[cfg(test)]
mod tests {
    use super::super::Proof;
    use super::*;
    use crownhead_engine::Score;
    use crownhead_rules::Side;

    /// Studies that ask for 1-5, with these answers.
    fn studies(answers: &[(&str, Option<Proof>)]) -> Studies {
        let mut studies = Studies::default();
        for &(answered, proof) in answers {
            let (name, asked, answered) = ("?".to_owned(), "1-5".to_owned(), answered.to_owned());
            studies.add(&Study { name, asked, answered, score: Score::DRAW, right: true, proof });
        }
        studies
    }

    fn endings(games: &[(bool, usize)]) -> Endings {
        let mut endings = Endings::default();
        for &(seen, ply) in games {
            let (name, score) = ("?".to_owned(), Score::men(120));
            let (played, better) = (Some("1-5".to_owned()), "1-6".to_owned());
            let note = (ply == 35).then(|| "The losing move.".to_owned());
            let mistake = Mistake { ply, plies: 40, played, better, held: Score::DRAW, note };
            endings.add(&Ending { name, winner: Side::Black, score, seen }, Some(&mistake));
        }
        endings
    }

    #[test]
    fn nothing_asked_is_nothing_proven() {
        assert!(!studies(&[]).pass());
        assert!(!endings(&[]).pass());
        assert!(!endings(&[(true, 35)]).pass(), "no game was lost yet when the question was put");
        assert_eq!(studies(&[]).to_string(), "there are no studies");
        assert_eq!(endings(&[]).to_string(), "there are no decisive games");
    }

    #[test]
    fn one_study_may_be_missed() {
        let (solved, missed) = (("1-5", None), ("1-6", None));
        assert!(studies(&[solved, solved]).pass() && studies(&[solved, missed]).pass());
        assert!(!studies(&[solved, missed, missed]).pass());
    }

    #[test]
    fn what_is_proven_is_counted_by_itself() {
        let proof = Some(Proof::Drawn { pieces: 4, plies: 0 });
        let counted = studies(&[("1-5", None), ("1-5", proof), ("1-6", proof), ("1-6", None)]);
        assert_eq!(counted, Studies { all: 4, solved: 3, proven: 2, otherwise: 1 });
    }

    #[test]
    fn of_ten_lost_games_nine_must_be_seen() {
        let mut games = vec![(true, 9); 9];
        games.push((false, 9));
        assert!(endings(&games).pass());
        games.push((false, 9));
        assert!(!endings(&games).pass());
    }

    #[test]
    fn nine_of_ten_of_all_is_met_by_nine_of_ten() {
        let mut games = vec![(true, 9); 9];
        games.push((false, 35));
        assert!(
            endings(&games).foreseen()
                && endings(&games).to_string().contains("of all: met: 9 of 10 (90.0 %)")
        );
        games.push((false, 35));
        assert!(endings(&games).pass() && !endings(&games).foreseen());
    }

    #[test]
    fn all_decisive_games_and_those_lost_by_then_are_judged_by_themselves() {
        let text = endings(&[(true, 9), (true, 29), (false, 35), (false, 36)]).to_string();
        let mut lines = text.lines();
        let headline = "decisive games whose winner is seen 10 plies before the end, 90 % asked";
        assert_eq!(lines.next(), Some(headline));
        assert_eq!(lines.next(), Some("  of all: not met: 2 of 4 (50.0 %)"));
        assert!(lines.next().is_some_and(|line| line.ends_with(", which decides: met: 2 of 2 (100.0 %)")));
        assert_eq!(lines.next(), Some("  in 2 it comes later, and the file has a note on it in 1 of them"));
    }
}
