//! Counts the studies solved and the winners predicted, and judges whether that is enough.

use core::fmt;

use super::{LosingMove, PLIES_BEFORE_END, Prediction, Study};

/// The number of studies that may be missed.
const MAX_MISSED: usize = 1;
/// How many winners of ten must be predicted: among the games that were lost by then, which decides, and among all,
/// which is only reported.
const SEEN_OF_TEN: usize = 9;

/// The counts of studies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct StudyCount {
    /// All of them.
    pub(crate) all: usize,
    /// Those that were solved.
    pub(crate) solved: usize,
    /// Solved studies whose result is proven.
    pub(crate) proven: usize,
    /// Studies solved by a move other than that of the solution.
    pub(crate) otherwise: usize,
}

/// The counts of decisive games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PredictionCount {
    /// All of them.
    pub(crate) all: usize,
    /// Games whose winner was predicted.
    pub(crate) seen: usize,
    /// Games that were lost by then, according to the deep search.
    pub(crate) lost: usize,
    /// Those of them whose winner was predicted.
    pub(crate) seen_of_lost: usize,
    /// Games whose losing move comes later.
    pub(crate) later: usize,
    /// Those of them where the file has a comment on that move.
    pub(crate) noted: usize,
    /// Games that end before the winner is ahead by a man.
    pub(crate) resigned: usize,
}

impl StudyCount {
    /// Counts a study.
    pub(crate) fn add(&mut self, study: &Study) {
        self.all += 1;
        if study.is_solved() {
            self.solved += 1;
            self.proven += usize::from(study.proof.is_some());
            self.otherwise += usize::from(!study.is_by_the_book());
        }
    }

    /// Are there studies, and at most one missed?
    pub(crate) fn pass(&self) -> bool {
        self.all > 0 && self.solved + MAX_MISSED >= self.all
    }
}

impl PredictionCount {
    /// Counts a game, with its losing move unless it was lost from the start.
    pub(crate) fn add(&mut self, prediction: &Prediction, losing_move: Option<&LosingMove>) {
        self.all += 1;
        self.seen += usize::from(prediction.seen);
        if losing_move.is_none_or(LosingMove::is_early) {
            self.lost += 1;
            self.seen_of_lost += usize::from(prediction.seen);
        } else if losing_move.is_some_and(|losing_move| losing_move.played.is_none()) {
            self.resigned += 1;
        } else {
            self.later += 1;
            self.noted += usize::from(losing_move.is_some_and(|losing_move| losing_move.note.is_some()));
        }
    }

    /// Are nine of ten winners predicted among the games that were lost by then?
    pub(crate) fn pass(&self) -> bool {
        enough(self.seen_of_lost, self.lost)
    }

    /// Are nine of ten winners predicted among all games?
    pub(crate) fn pass_all(&self) -> bool {
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

impl fmt::Display for StudyCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let StudyCount { all, solved, proven, otherwise } = self;
        if *all == 0 {
            return f.write_str("there are no studies");
        }
        writeln!(f, "{solved} of {all} studies solved")?;
        writeln!(f, "  {proven} with proof")?;
        write!(f, "  {otherwise} by another move that is proven to be as good")
    }
}

impl fmt::Display for PredictionCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PredictionCount { all, seen, lost, seen_of_lost, later, noted, resigned } = self;
        if *all == 0 {
            return f.write_str("there are no decisive games");
        }
        writeln!(
            f,
            "winners predicted {PLIES_BEFORE_END} plies before the end of decisive games, {SEEN_OF_TEN}0 % required"
        )?;
        writeln!(f, "  of all: {}", verdict(self.pass_all(), *seen, *all))?;
        writeln!(
            f,
            "  of those where the deep search finds the losing move played by then, which decides: {}",
            verdict(self.pass(), *seen_of_lost, *lost)
        )?;
        writeln!(f, "  in {later} it comes later; the file has a comment on it in {noted} of them")?;
        write!(f, "  {resigned} end before the deep search sees the winner ahead by a man")
    }
}

#[cfg(test)]
mod tests {
    use super::super::Proof;
    use super::*;
    use crownhead_engine::Score;
    use crownhead_rules::Side;

    /// Studies that ask for 1-5, with these answers.
    fn studies(answers: &[(&str, Option<Proof>)]) -> StudyCount {
        let mut studies = StudyCount::default();
        for &(answered, proof) in answers {
            let (name, asked, answered) = ("?".to_owned(), "1-5".to_owned(), answered.to_owned());
            studies.add(&Study { name, asked, answered, score: Score::DRAW, right: true, proof });
        }
        studies
    }

    fn predictions(games: &[(bool, usize)]) -> PredictionCount {
        let mut predictions = PredictionCount::default();
        for &(seen, ply) in games {
            let (name, score) = ("?".to_owned(), Score::men(120));
            let (played, better) = (Some("1-5".to_owned()), "1-6".to_owned());
            let note = (ply == 35).then(|| "The losing move.".to_owned());
            let losing_move = LosingMove { ply, plies: 40, played, better, held: Score::DRAW, note };
            predictions.add(&Prediction { name, winner: Side::Black, score, seen }, Some(&losing_move));
        }
        predictions
    }

    #[test]
    fn an_empty_file_does_not_pass() {
        assert!(!studies(&[]).pass());
        assert!(!predictions(&[]).pass());
        assert!(!predictions(&[(true, 35)]).pass(), "no game was lost by then");
        assert_eq!(studies(&[]).to_string(), "there are no studies");
        assert_eq!(predictions(&[]).to_string(), "there are no decisive games");
    }

    #[test]
    fn one_study_may_be_missed() {
        let (solved, missed) = (("1-5", None), ("1-6", None));
        assert!(studies(&[solved, solved]).pass() && studies(&[solved, missed]).pass());
        assert!(!studies(&[solved, missed, missed]).pass());
    }

    #[test]
    fn proven_studies_are_counted_separately() {
        let proof = Some(Proof::Drawn { pieces: 4, plies: 0 });
        let counted = studies(&[("1-5", None), ("1-5", proof), ("1-6", proof), ("1-6", None)]);
        assert_eq!(counted, StudyCount { all: 4, solved: 3, proven: 2, otherwise: 1 });
    }

    #[test]
    fn of_ten_lost_games_nine_must_be_predicted() {
        let mut games = vec![(true, 9); 9];
        games.push((false, 9));
        assert!(predictions(&games).pass());
        games.push((false, 9));
        assert!(!predictions(&games).pass());
    }

    #[test]
    fn nine_of_ten_of_all_is_met_by_nine_of_ten() {
        let mut games = vec![(true, 9); 9];
        games.push((false, 35));
        assert!(
            predictions(&games).pass_all()
                && predictions(&games).to_string().contains("of all: met: 9 of 10 (90.0 %)")
        );
        games.push((false, 35));
        assert!(predictions(&games).pass() && !predictions(&games).pass_all());
    }

    #[test]
    fn all_decisive_games_and_those_lost_by_then_are_judged_separately() {
        let text = predictions(&[(true, 9), (true, 29), (false, 35), (false, 36)]).to_string();
        let mut lines = text.lines();
        let headline = "winners predicted 10 plies before the end of decisive games, 90 % required";
        assert_eq!(lines.next(), Some(headline));
        assert_eq!(lines.next(), Some("  of all: not met: 2 of 4 (50.0 %)"));
        assert!(lines.next().is_some_and(|line| line.ends_with(", which decides: met: 2 of 2 (100.0 %)")));
        assert_eq!(lines.next(), Some("  in 2 it comes later; the file has a comment on it in 1 of them"));
    }
}
