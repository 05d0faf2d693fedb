//! The five rule books: colours, draws, and the words for the end of a game.

use crownhead_rules::{
    Colour, DrawReason, History, IllegalMove, Move, MoveLimit, Outcome, Progress, Rng, Rulebook, RulebookId,
    Seating, Side, SquareColour, WinReason,
};

use crate::position;
use crate::random::SEED;

const REPETITION: Option<Outcome> = Some(Outcome::Draw(DrawReason::Repetition));
const MOVE_LIMIT: Option<Outcome> = Some(Outcome::Draw(DrawReason::MoveLimit));

fn book(id: RulebookId) -> Rulebook {
    Rulebook::of(id)
}

/// Kings going to and fro, so that the first position comes up again after every four moves.
fn shuffled(rounds: usize) -> History {
    let mut game = History::new(position("B:WK32:BK1"));
    for text in ["1-5", "32-28", "5-1", "28-32"].into_iter().cycle().take(4 * rounds) {
        game.play(text).unwrap();
    }
    game
}

/// A game without a capture and without a third repetition, so many plies long; `man` says at which plies a man moves.
fn without_capture(plies: usize, man: impl Fn(usize) -> bool) -> History {
    let mut rng = Rng::new(SEED);
    // White's men wait at the bottom, far from Black's kings, and step up one at a time.
    let mut game = History::new(position("B:W25,29,K31,K32:BK1,K2,K3,8"));
    while game.moves().len() < plies {
        let here = *game.position();
        let is_man = |mv: &Move| !here.all_kings().contains(mv.from());
        let wanted = man(game.moves().len());
        let calm = |mv: &Move| {
            let after = here.play_unchecked(*mv);
            let again = game.positions().iter().filter(|&&before| before == after).count();
            is_man(mv) == wanted
                && again < 2
                && !mv.is_capture()
                && !after.is_capture_due()
                && after.has_move()
        };
        let moves: Vec<Move> = here.moves().into_iter().filter(calm).collect();
        assert!(!moves.is_empty(), "seed {SEED}: stuck after {} plies at {here}", game.moves().len());
        game.push_unchecked(moves[(rng.next_u64() % moves.len() as u64) as usize]);
    }
    game
}

#[test]
fn an_illegal_move_leaves_the_history_as_it_was() {
    let mut game = History::default();
    let mv = game.play("11-15").unwrap();
    let before = game.clone();
    assert_eq!(game.push(mv), Err(IllegalMove { mv, position: *before.position() }));
    assert_eq!(game, before);
}

#[test]
fn five_rule_books_are_found_by_their_names() {
    let names = ["american", "win-only", "light", "numbered", "quick"];
    assert_eq!(Rulebook::ALL.map(|book| book.id.name()), names);
    for rulebook in Rulebook::ALL {
        assert_eq!(rulebook.id.name().parse(), Ok(rulebook.id));
        assert!(!rulebook.id.title().is_empty() && rulebook.id.summary().ends_with('.'));
    }
    assert_eq!(
        "chess".parse::<RulebookId>().unwrap_err().to_string(),
        "“chess” is not a rule book; there are american, win-only, light, numbered, quick"
    );
}

#[test]
fn the_first_colour_moves_first() {
    use Colour::{Black, Red, White, Yellow};
    let colours = Rulebook::ALL.map(|book| (book.colour(Side::Black), book.colour(Side::White)));
    assert_eq!(colours, [(Black, Red), (Yellow, Red), (Black, Red), (Red, White), (Black, Red)]);
    assert_eq!(book(RulebookId::Numbered).side(Red), Some(Side::Black));
    assert_eq!(book(RulebookId::American).side(Red), Some(Side::White));
    assert_eq!(book(RulebookId::American).side(Yellow), None);
}

#[test]
fn looks_and_seats_follow_the_texts() {
    assert_eq!(book(RulebookId::Light).playing_squares, SquareColour::Light);
    assert_eq!(book(RulebookId::American).playing_squares, SquareColour::Dark);
    assert_eq!(book(RulebookId::WinOnly).seating, Seating::DrawnThenSwapped);
    assert_eq!(book(RulebookId::Light).seating, Seating::DrawnEachGame);
    assert!(book(RulebookId::Numbered).shows_numbers);
    assert_eq!(book(RulebookId::Numbered).jump_sign, '-');
}

#[test]
fn third_occurrence_of_a_position_is_a_draw() {
    for id in [RulebookId::American, RulebookId::Light, RulebookId::Numbered, RulebookId::Quick] {
        assert_eq!(shuffled(1).outcome(&book(id)), None, "{id}: the second time");
        assert_eq!(shuffled(2).outcome(&book(id)), REPETITION, "{id}: the third time");
    }
}

#[test]
fn the_same_placement_with_the_other_side_to_move_is_another_position() {
    let (black, white) = (position("B:WK32:BK1"), position("W:WK32:BK1"));
    assert_ne!(black, white);
    assert_ne!(black.zobrist_hash(), white.zobrist_hash());
}

#[test]
fn forty_moves_each_without_progress_are_a_draw_in_american() {
    let american = book(RulebookId::American);
    assert_eq!(without_capture(79, |_| false).outcome(&american), None);
    assert_eq!(without_capture(80, |_| false).outcome(&american), MOVE_LIMIT);
}

#[test]
fn the_move_of_a_man_starts_the_count_again_in_american_but_not_in_quick_draw() {
    // A man moves at ply 41 (White's) and at ply 70 (Black's).
    let man = |ply| ply == 41 || ply == 70;
    let game = without_capture(100, man);
    assert_eq!(game.plies_since(Progress::CaptureOrManMove), 29);
    assert_eq!(game.plies_since(Progress::Capture), 100);
    assert_eq!(game.outcome(&book(RulebookId::American)), None);
    assert_eq!(game.outcome(&book(RulebookId::Quick)), MOVE_LIMIT);
    assert_eq!(without_capture(99, man).outcome(&book(RulebookId::Quick)), None);
}

#[test]
fn a_capture_starts_the_count_again() {
    let mut game = History::new(position("B:W18,K31,K32:BK1,14"));
    game.play("14x23").unwrap();
    assert_eq!(game.plies_since(Progress::Capture), 0);
    game.play("32-27").unwrap();
    assert_eq!(game.plies_since(Progress::Capture), 1);
}

#[test]
fn win_only_never_draws() {
    let win_only = book(RulebookId::WinOnly);
    assert_eq!(shuffled(60).outcome(&win_only), None);
    assert_eq!(without_capture(160, |ply| ply % 80 == 79 && ply < 100).outcome(&win_only), None);
    assert!(!win_only.agreed_draw && !win_only.claimed_draw && win_only.may_abandon);
}

#[test]
fn only_numbered_lets_a_player_claim_what_the_tables_prove() {
    let claims = Rulebook::ALL.map(|book| book.claimed_draw);
    assert_eq!(claims, [false, false, false, true, false]);
}

#[test]
fn a_win_on_the_board_comes_before_a_draw() {
    // With the limit at one ply the move that blocks Black would also be a draw.
    let limit = MoveLimit { plies: 1, resets: Progress::Capture };
    let hasty = Rulebook { move_limit: Some(limit), ..Rulebook::default() };
    let mut game = History::new(position("W:W8,15:B4"));
    game.play("15-11").unwrap();
    let expected = Outcome::Win { winner: Side::White, reason: WinReason::Blocked };
    assert_eq!(game.outcome(&hasty), Some(expected));
    assert_eq!(game.plies_since(Progress::Capture), 1);
}

#[test]
fn who_may_ask_for_a_draw_differs() {
    assert_eq!(Rulebook::ALL.map(|book| book.agreed_draw), [true, false, true, true, false]);
    assert_eq!(Rulebook::ALL.map(|book| book.may_abandon), [false, true, false, false, false]);
}

#[test]
fn taking_a_move_back_takes_the_counts_back() {
    let mut game = shuffled(2);
    game.pop();
    assert_eq!(game.outcome(&Rulebook::default()), None);
    assert_eq!(game.plies_since(Progress::Capture), 7);
    game.play("28-32").unwrap();
    assert_eq!(game.outcome(&Rulebook::default()), REPETITION);
    while game.pop().is_some() {}
    assert_eq!(game, History::new(position("B:WK32:BK1")));
}

#[test]
fn the_end_is_told_in_the_words_of_the_rule_book() {
    let win = |reason| Outcome::Win { winner: Side::White, reason };
    for (id, outcome, sentence) in [
        (RulebookId::American, win(WinReason::Blocked), "Red wins: Black has no move left."),
        (RulebookId::WinOnly, win(WinReason::NoPieces), "Red wins: Yellow has no piece left."),
        (RulebookId::Numbered, win(WinReason::Resignation), "White wins: Red resigned."),
        (RulebookId::Light, win(WinReason::Forfeit), "Red wins: Black forfeited the game."),
        (RulebookId::Quick, win(WinReason::Time), "Red wins: Black ran out of time."),
        (
            RulebookId::American,
            Outcome::Draw(DrawReason::Repetition),
            "Draw: the same position for the third time.",
        ),
        (
            RulebookId::American,
            Outcome::Draw(DrawReason::MoveLimit),
            "Draw: 40 moves each without a capture or a move of a man.",
        ),
        (RulebookId::Quick, Outcome::Draw(DrawReason::MoveLimit), "Draw: 50 moves each without a capture."),
        (RulebookId::American, Outcome::Draw(DrawReason::Agreement), "Draw: both players agreed."),
        (
            RulebookId::Numbered,
            Outcome::Draw(DrawReason::NeitherCanWin),
            "Draw: neither side can win any more.",
        ),
        (RulebookId::WinOnly, Outcome::Abandoned, "The game was left without a result."),
    ] {
        assert_eq!(outcome.sentence(&book(id)), sentence);
    }
}
