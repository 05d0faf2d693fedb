//! PDN annotations of a review: writes scores, marks and better lines into a game record, and replaces those of earlier
//! reviews.

use crownhead_pdn::{Game, Nag, Ply, TagName};

use super::{Judgement, Review, ReviewedMove};
use crate::Assessment;

/// The annotator's name in the record.
const ANNOTATOR: &str = "Crownhead";
/// Separates the names of several annotators.
const BETWEEN_NAMES: char = ';';
/// The number of plies shown of the better line.
const SHOWN_PLIES: usize = 8;

impl Review {
    /// Writes the scores into a record of the game, and marks the worst moves with the better line. Replaces the notes
    /// of an earlier review; notes and names of other annotators stay.
    pub fn annotate(&self, game: &mut Game) {
        if is_signed(game) {
            game.line.plies_mut().iter_mut().for_each(erase);
        } else {
            sign(game);
        }
        let worst = self.worst();
        for (place, reviewed) in self.moves.iter().enumerate() {
            let Some(ply) = game.ply_mut(place) else { return };
            match reviewed.judgement.filter(|_| worst.contains(&place)) {
                Some(judgement) => reviewed.mark(judgement, ply),
                None => ply.add_comment(&reviewed.assessment.to_string()),
            }
        }
    }
}

impl ReviewedMove {
    fn mark(&self, judgement: Judgement, ply: &mut Ply) {
        ply.add_nag(nag(judgement));
        ply.add_comment(&format!("{}. {}", self.assessment, self.sentence(&|side| side.to_string())));
        let moves = self.best_line.iter().copied().take(SHOWN_PLIES);
        if let Some(last) = ply.add_variation(moves).and_then(|line| line.plies_mut().last_mut()) {
            last.add_comment(&self.best.to_string());
        }
    }
}

const fn nag(judgement: Judgement) -> Nag {
    match judgement {
        Judgement::Inaccuracy => Nag::DUBIOUS,
        Judgement::Mistake => Nag::POOR,
        Judgement::Blunder => Nag::BLUNDER,
    }
}

/// Has an earlier review written notes?
fn is_signed(game: &Game) -> bool {
    let annotators = game.tags.get(&TagName::ANNOTATOR).unwrap_or_default();
    annotators.split(BETWEEN_NAMES).any(|name| name.trim() == ANNOTATOR)
}

/// Adds this annotator after those who have written notes before.
fn sign(game: &mut Game) {
    let others = game.tags.get(&TagName::ANNOTATOR).map(str::trim).filter(|name| !matches!(*name, "" | "?"));
    let names = others.map_or(ANNOTATOR.to_owned(), |others| format!("{others}{BETWEEN_NAMES} {ANNOTATOR}"));
    game.tags.set(TagName::ANNOTATOR, &names);
}

/// Removes the notes of an earlier review, which come last on a move, and keeps those of others.
fn erase(ply: &mut Ply) {
    let Some(note) = ply.comments().last() else { return };
    let (score, sentence) = note.split_once(". ").map_or((&**note, None), |(score, it)| (score, Some(it)));
    if !is_score(score) {
        return;
    }
    let marked = sentence.is_some();
    ply.pop_comment();
    if marked && matches!(ply.nags().last(), Some(&(Nag::BLUNDER | Nag::POOR | Nag::DUBIOUS))) {
        ply.pop_nag();
    }
    let end = ply.variations().last().and_then(|line| line.plies().last()?.comments().last());
    if marked && end.is_some_and(|note| is_score(note)) {
        ply.pop_variation();
    }
}

/// Is the text a score as a review writes it?
fn is_score(text: &str) -> bool {
    let is_count = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if text == Assessment::DRAWN.to_string() {
        return true;
    }
    match ["wins", "loses"].iter().find_map(|word| text.strip_prefix(word)) {
        Some(distance) => distance.is_empty() || distance.strip_prefix(" in ").is_some_and(is_count),
        None => text
            .strip_prefix(['+', '-'])
            .and_then(|men| men.split_once('.'))
            .is_some_and(|(men, hundredths)| is_count(men) && is_count(hundredths)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::review::tests::{game, review};
    use crownhead_engine::Score;
    use crownhead_pdn::read_str;

    #[test]
    fn an_annotated_game_reads_back_with_the_better_line() {
        let history = game();
        let mut record = Game::of(&history, None);
        review(&history).annotate(&mut record);
        let read = read_str(&record.to_string()).next().unwrap();
        assert!(read.replayed && read.warnings.is_empty(), "{record}");
        assert_eq!(read.game.history(), history);
        let first = &read.game.line.plies()[0];
        assert_eq!(first.variations()[0].moves().next().unwrap().to_string(), "27-23");
        assert!(first.comments()[0].to_string().contains("27-23"), "{record}");
        assert!(read.game.line.plies().iter().all(|ply| !ply.comments().is_empty()));
    }

    #[test]
    fn a_second_review_takes_the_place_of_the_first_and_of_nothing_else() {
        let history = game();
        let review = review(&history);
        let mut record = Game::of(&history, None);
        let first = record.ply_mut(0).unwrap();
        first.add_nag(Nag::INTERESTING);
        first.add_comment("+1.00");
        first.add_comment("A surprise. Nobody had seen it.");
        review.annotate(&mut record);
        let once = record.to_string();
        for _ in 0..2 {
            let mut again = read_str(&record.to_string()).next().unwrap().game;
            review.annotate(&mut again);
            assert_eq!(again.to_string(), once);
        }
        assert!(
            once.contains("{+1.00}") && once.contains("surprise") && once.contains("(1... 27-23"),
            "{once}"
        );
    }

    #[test]
    fn the_mark_says_how_bad_the_move_was_and_is_replaced_by_the_next_review() {
        let mut review = review(&game());
        let mut record = Game::of(&game(), None);
        for (judgement, mark) in [
            (Judgement::Inaccuracy, "22-17?! "),
            (Judgement::Mistake, "22-17? "),
            (Judgement::Blunder, "22-17?? "),
        ] {
            review.moves[0].judgement = Some(judgement);
            review.annotate(&mut record);
            let text = record.to_string();
            assert!(text.contains(mark) && text.matches("22-17?").count() == 1, "{mark}: {text}");
        }
    }

    #[test]
    fn a_certain_draw_is_called_one_and_replaced_as_any_note() {
        let mut review = review(&game());
        for reviewed in &mut review.moves {
            (reviewed.assessment, reviewed.best) = (Assessment::DRAWN, Assessment::DRAWN);
        }
        let mut record = Game::of(&game(), None);
        review.annotate(&mut record);
        let once = record.to_string();
        assert!(once.contains("{draw. ") && once.contains("{draw}"), "{once}");
        let mut again = read_str(&once).next().unwrap().game;
        review.annotate(&mut again);
        assert_eq!(again.to_string(), once);
    }

    #[test]
    fn who_has_written_notes_before_is_named_first_and_once() {
        let history = game();
        let review = review(&history);
        for (before, after) in [
            (None, "Crownhead"),
            (Some("?"), "Crownhead"),
            (Some("Derek Oldbury"), "Derek Oldbury; Crownhead"),
            (Some("Crownhead Club"), "Crownhead Club; Crownhead"),
            (Some("Crownhead; Derek Oldbury"), "Crownhead; Derek Oldbury"),
        ] {
            let mut record = Game::of(&history, None);
            if let Some(name) = before {
                record.tags.set(TagName::ANNOTATOR, name);
            }
            review.annotate(&mut record);
            assert_eq!(record.tags.get("Annotator"), Some(after));
            let mut again = read_str(&record.to_string()).next().unwrap().game;
            review.annotate(&mut again);
            assert_eq!(again.to_string(), record.to_string());
        }
    }

    #[test]
    fn a_score_is_known_when_it_is_read_again() {
        let scores = [Score::men(142), Score::men(-5), Score::DRAW, Score::win_in(7), Score::loss_in(12)];
        for score in scores {
            assert!(is_score(&score.to_string()), "{score}");
        }
        assert!(is_score("wins") && is_score("loses") && is_score(&Assessment::DRAWN.to_string()));
        for text in [
            "",
            "winsome",
            "drawn",
            "wins in ",
            "wins in style",
            "+",
            "+.",
            "+1",
            "1.42",
            "+1.42 or so",
            "-x.yz",
        ] {
            assert!(!is_score(text), "{text}");
        }
    }

    #[test]
    fn the_worth_of_a_mistake_is_the_difference_of_the_scores_beside_it() {
        let mut record = Game::of(&game(), None);
        let mut review = review(&game());
        review.moves[0].assessment = Assessment::searched(Score::men(460));
        review.moves[0].best = Assessment::searched(Score::men(930));
        review.annotate(&mut record);
        let comment = &record.line.plies()[0].comments()[0];
        assert_eq!(&**comment, "+4.60. 27-23 was better, by the worth of 4.7 men.");
    }
}
