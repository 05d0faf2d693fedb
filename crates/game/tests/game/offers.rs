//! Draws, claims, resignation, leaving, and playing again.

use crownhead_game::{Command, Effect, Offer, Player, Start, Verdict, Who};
use crownhead_rules::{DrawReason, Outcome, RulebookId, Side, WinReason};

use crate::table::{Table, against, by, computer, from_fen, two};

fn judged(table: &Table) -> Option<u32> {
    table.game.outstanding().iter().find_map(|effect| match effect {
        Effect::JudgeOffer { task, .. } => Some(task.request),
        _ => None,
    })
}

#[test]
fn the_computer_answers_an_offer() {
    for (accept, outcome) in [(true, Some(Outcome::Draw(DrawReason::Agreement))), (false, None)] {
        let mut table = Table::new(against(3));
        table.screen(&Command::OfferDraw);
        let request = judged(&table).expect("the computer is asked");
        assert_eq!(table.refused(&Command::OfferDraw), "You have asked; wait for the answer.");
        let answer = Command::ComputerAnswered { request, offer: Offer::Draw, accept };
        table.send(Who::House, &answer).expect("an answer");
        assert_eq!(table.game.outcome(), outcome);
        if !accept {
            assert_eq!(table.view().notice.as_deref(), Some("The computer declines the draw."));
            assert_eq!(table.refused(&Command::OfferDraw), "You have asked already; make a move first.");
        }
    }
}

#[test]
fn an_offer_outlives_the_own_move_but_not_the_answer_on_the_board() {
    let mut table = Table::new(against(3));
    table.screen(&Command::OfferDraw);
    let request = judged(&table);
    table.play(&["11-15"]);
    assert_eq!(judged(&table), request);
    table.play(&["23-18"]);
    assert_eq!(judged(&table), None);
    table.screen(&Command::OfferDraw);
}

#[test]
fn nothing_is_offered_while_the_computer_thinks() {
    let mut table = Table::new(against(3));
    table.play(&["11-15"]);
    assert_eq!(table.refused(&Command::OfferDraw), "The computer is thinking; wait for its move.");
}

#[test]
fn nothing_is_claimed_while_the_computer_thinks() {
    let mut table = Table::new(by(RulebookId::Numbered, from_fen("B:WK32:BK1", against(3))));
    table.play(&["1-6"]);
    assert_eq!(table.refused(&Command::ClaimDraw), "The computer is thinking; wait for its move.");
}

#[test]
fn the_other_player_at_the_screen_answers() {
    let mut table = Table::new(two());
    table.screen(&Command::OfferDraw);
    let offers = table.view().offers;
    assert_eq!(offers[0].sentence, "Black offers a draw.");
    assert!(offers[0].answerable);
    table.screen(&Command::AnswerDraw { accept: false });
    assert_eq!(table.view().notice.as_deref(), Some("Red declines the draw."));
    assert_eq!(table.refused(&Command::AnswerDraw { accept: true }), "Nothing has been offered to you.");
}

#[test]
fn a_draw_cannot_be_claimed_or_offered_where_there_is_none() {
    let mut table = Table::new(by(RulebookId::WinOnly, two()));
    assert_eq!(table.refused(&Command::OfferDraw), "There are no draws in Win only: one side must win.");
    assert_eq!(table.refused(&Command::ClaimDraw), "There are no draws in Win only: one side must win.");
    let mut table = Table::new(two());
    assert_eq!(
        table.refused(&Command::ClaimDraw),
        "In American a draw is agreed on or comes by itself; it cannot be claimed."
    );
    assert_eq!(table.refused(&Command::Abandon), "In American every game has a result; play on, or resign.");
}

#[test]
fn a_claim_is_granted_or_refused_by_the_tables() {
    for (verdict, status, notice) in [
        (Verdict::Draw, "Draw: neither side can win any more.", None),
        (
            Verdict::NoDraw,
            "Your move.",
            Some("The claim is refused: the tables show that this can still be won."),
        ),
        (
            Verdict::Unknown,
            "Your move.",
            Some("The claim is refused: there are too many pieces on the board to prove a draw."),
        ),
    ] {
        let mut table = Table::new(by(RulebookId::Numbered, from_fen("B:WK32:BK1", against(3))));
        table.screen(&Command::ClaimDraw);
        let [Effect::Adjudicate { task }] = &table.effects[..] else { panic!("{:?}", table.effects) };
        let report = Command::Adjudicated { request: task.request, verdict };
        assert!(table.send(Who::Screen, &report).is_err(), "a player does not judge");
        table.send(Who::House, &report).expect("a verdict");
        assert_eq!(table.view().status, status);
        assert_eq!(table.view().notice.as_deref(), notice);
    }
}

#[test]
fn a_move_makes_a_claim_void() {
    let mut table = Table::new(by(RulebookId::Numbered, from_fen("B:WK32:BK1", two())));
    table.screen(&Command::ClaimDraw);
    let [Effect::Adjudicate { task }] = &table.effects[..] else { panic!("{:?}", table.effects) };
    let report = Command::Adjudicated { request: task.request, verdict: Verdict::Draw };
    table.play(&["1-6"]);
    table.send(Who::House, &report).expect("a late verdict");
    assert_eq!(table.game.outcome(), None);
}

#[test]
fn a_dead_ending_is_left_by_consent_in_win_only() {
    let mut table = Table::new(by(RulebookId::WinOnly, from_fen("B:WK32:BK1", two())));
    table.screen(&Command::Abandon);
    table.screen(&Command::AnswerAbandon { accept: true });
    let outcome = table.view().outcome.expect("it is left");
    assert_eq!((outcome.score, outcome.headline.as_str()), ("*", "No result."));
}

#[test]
fn resigning_names_who_resigns() {
    let mut table = Table::new(against(3));
    table.play(&["11-15"]);
    assert_eq!(table.view().buttons.resign.confirm.as_deref(), Some("Do you resign? Red wins."));
    table.screen(&Command::Resign);
    assert_eq!(table.view().status, "Red wins: Black resigned.");
    assert_eq!(table.view().outcome.expect("over").headline, "You lose.");

    let mut table = Table::new(two());
    table.play(&["11-15"]);
    assert_eq!(table.view().buttons.resign.confirm.as_deref(), Some("Does Red resign? Black wins."));
    table.screen(&Command::Resign);
    assert_eq!(table.view().status, "Black wins: Red resigned.");
}

#[test]
fn a_game_that_is_left_is_forfeited() {
    let mut table = Table::new(against(3));
    assert_eq!(table.view().buttons.new_game.confirm, None);
    table.play(&["11-15"]);
    assert_eq!(
        table.view().buttons.new_game.confirm.as_deref(),
        Some("Leave this game? It counts as forfeited, and Red wins.")
    );
    table.screen(&Command::Forfeit);
    let forfeit = Outcome::Win { winner: Side::White, reason: WinReason::Forfeit };
    assert_eq!(table.game.outcome(), Some(forfeit));
    assert_eq!(table.refused(&Command::Resign), "The game is over.");
}

/// The game that is agreed on after this one.
fn next(table: &mut Table) -> Start {
    table.screen(&Command::Resign);
    let step = table.screen(&Command::Rematch);
    let [Effect::NewGame { start }] = &step.effects[..] else { panic!("{:?}", step.effects) };
    (**start).clone()
}

#[test]
fn colours_swap_for_the_next_game() {
    let mut table = Table::new(against(3));
    assert_eq!(table.refused(&Command::Rematch), "The game is not over yet.");
    let mut table = Table::new(next(&mut table));
    assert_eq!(table.view().you, Some(Side::White));
    assert_eq!(table.view().bottom, Side::White);
    let table = Table::new(next(&mut table));
    assert_eq!(table.view().you, Some(Side::Black));
}

#[test]
fn colours_are_drawn_for_every_game_on_light_squares() {
    let mut table = Table::new(by(RulebookId::Light, against(3)));
    let mut blacks = 0;
    for _ in 0..200 {
        blacks += usize::from(table.view().you == Some(Side::Black));
        table = Table::new(next(&mut table));
    }
    assert!((70..=130).contains(&blacks), "Black {blacks} times of 200");
}

#[test]
fn colours_are_drawn_first_and_then_swap_in_win_only() {
    let start = |seed| by(RulebookId::WinOnly, Start::new([Player::human(""), computer(3)], seed));
    let sides: Vec<_> = (0..100).map(|seed| Table::new(start(seed)).view().you).collect();
    assert!(sides.contains(&Some(Side::Black)) && sides.contains(&Some(Side::White)));
    let mut table = Table::new(start(1));
    let first = table.view().you;
    let table = Table::new(next(&mut table));
    assert_ne!(table.view().you, first);
}
