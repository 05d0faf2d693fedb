//! A move that is chosen square by square, against the legal moves.

use std::collections::BTreeSet;

use crownhead_game::{MoveView, PieceMoves, Selection, SelectionState, Touch, View};
use crownhead_rules::{Position, Square};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use crate::properties::SEED;
use crate::table::{Table, from_fen, mv, two};

fn view(fen: &str) -> View {
    Table::new(from_fen(fen, two())).view()
}

/// Touches the squares one after the other and says what the last touch led to.
fn touched(view: &View, squares: &[u8]) -> (Selection, Touch) {
    let mut selection = Selection::default();
    let mut last = Touch::Nothing;
    for &square in squares {
        last = selection.touch(view, square);
    }
    (selection, last)
}

fn target_squares(view: &View, selection: &Selection) -> Vec<u8> {
    let state = selection.state(view).expect("a piece is picked up");
    state.targets.iter().map(|target| target.square).collect()
}

#[test]
fn a_step_is_two_touches() {
    let view = view("B:W21-32:B1-12");
    let (selection, touch) = touched(&view, &[11]);
    assert_eq!((touch, target_squares(&view, &selection)), (Touch::Changed, vec![15, 16]));
    assert_eq!(touched(&view, &[11, 15]).1, Touch::Complete("11-15".to_owned()));
}

#[test]
fn another_piece_can_be_picked_up_instead() {
    let view = view("B:W21-32:B1-12");
    assert_eq!(touched(&view, &[11, 10]).0.held(), Some((10, 10)));
    assert_eq!(touched(&view, &[11, 11]).0.held(), None);
    let (selection, touch) = touched(&view, &[11, 1]);
    assert_eq!((selection.held(), touch), (None, Touch::Refused("That man has nowhere to go.".to_owned())));
    assert_eq!(touched(&view, &[18]).1, Touch::Nothing);
}

#[test]
fn where_a_piece_cannot_go_is_explained_by_the_game() {
    let mut table = Table::new(two());
    let (selection, touch) = touched(&table.view(), &[11, 20]);
    assert_eq!((selection.held(), &touch), (None, &Touch::Illegal("11-20".to_owned())));
    assert_eq!(
        table.refused(&mv("11-20")),
        "A man moves one square diagonally forward; 11 does not reach 20."
    );
}

#[test]
fn a_jump_goes_landing_by_landing_or_at_once() {
    let view = view("B:W15,23,32:B10");
    let (mut selection, touch) = touched(&view, &[10, 19]);
    assert_eq!((touch, selection.held(), selection.landings()), (Touch::Changed, Some((10, 19)), 1));
    assert_eq!(selection.state(&view).map(|state| state.jumped.clone()), Some(vec![15]));
    let goes_on = "The jump goes on: 26.".to_owned();
    assert_eq!(selection.touch(&view, 1), Touch::Refused(goes_on.clone()));
    assert_eq!(selection.cancel(&view), Some(goes_on));
    assert_eq!(selection.touch(&view, 26), Touch::Complete("10x19x26".to_owned()));
    assert_eq!(touched(&view, &[10, 26]).1, Touch::Complete("10x19x26".to_owned()));
}

#[test]
fn a_last_square_that_two_captures_lead_to_is_no_target() {
    let view = view("B:W14,15,22,23:B10");
    let (selection, _) = touched(&view, &[10]);
    assert_eq!(target_squares(&view, &selection), [17, 19]);
}

/// Positions with many kings and much to jump.
fn position() -> impl Strategy<Value = Position> {
    let piece = (1u8..=32, any::<bool>(), prop::bool::weighted(0.6));
    prop::collection::vec(piece, 3..16).prop_filter_map("legal, with a move", |pieces| {
        let mut seen = BTreeSet::new();
        let mut sides = [Vec::new(), Vec::new()];
        for (square, is_white, is_king) in pieces {
            let row = Square::new(square)?.row();
            let is_crowned = is_king || row == if is_white { 0 } else { 7 };
            if seen.insert(square) {
                let king = if is_crowned { "K" } else { "" };
                sides[usize::from(is_white)].push(format!("{king}{square}"));
            }
        }
        let [black, white] = sides.map(|squares| squares.join(","));
        let position: Position = format!("B:W{white}:B{black}").parse().ok()?;
        position.has_move().then_some(position)
    })
}

fn followed(view: &View, mv: &MoveView) -> Touch {
    touched(view, &mv.path).1
}

fn captures(mv: &MoveView) -> BTreeSet<u8> {
    mv.captured.iter().copied().collect()
}

fn check_state(state: &SelectionState, piece: &PieceMoves) {
    assert!(!state.targets.is_empty());
    let open: Vec<&MoveView> = piece.moves.iter().filter(|mv| mv.path.starts_with(&state.path)).collect();
    for target in &state.targets {
        let begun: Vec<&&MoveView> = open.iter().filter(|mv| mv.path.starts_with(&target.path)).collect();
        assert_eq!(target.path.last(), Some(&target.square));
        assert_eq!(target.complete.is_some(), begun.iter().all(|mv| mv.path == target.path));
        if target.path.len() > state.path.len() + 1 {
            let ends_there = open.iter().filter(|mv| mv.path.last() == Some(&target.square));
            let different: BTreeSet<_> = ends_there.map(|mv| captures(mv)).collect();
            assert_eq!(different.len(), 1, "a shortcut captures the same on every way");
        }
    }
    for mv in open {
        assert_eq!(mv.captured[..state.jumped.len()], state.jumped);
        assert!(state.targets.iter().any(|target| mv.path.starts_with(&target.path)));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { rng_seed: RngSeed::Fixed(SEED), cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn exactly_the_legal_moves_can_be_chosen(position in position()) {
        let view = view(&position.to_string());
        let legal: BTreeSet<String> = position.moves().iter().map(ToString::to_string).collect();
        let mut chosen = BTreeSet::new();
        for piece in &view.moves {
            for mv in &piece.moves {
                prop_assert_eq!(followed(&view, mv), Touch::Complete(mv.exact.clone()));
            }
            for state in &piece.states {
                check_state(state, piece);
                chosen.extend(state.targets.iter().filter_map(|target| target.complete.clone()));
            }
        }
        prop_assert_eq!(chosen, legal);
    }
}
