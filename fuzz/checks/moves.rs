//! Whatever reads as a move, in the position on the first line, is legal and reads back to a move of the same effect.

use crownhead_rules::Position;

pub(crate) fn check(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    let (fen, text) = text.split_once('\n').unwrap_or((text, ""));
    let Ok(position) = fen.parse::<Position>() else { return };
    match position.parse_move(text) {
        Ok(mv) => {
            assert!(position.is_legal(mv), "{mv} in {position}");
            let read = position.parse_move(&position.move_text(mv));
            assert!(read.is_ok_and(|read| read.same_effect(mv)), "{mv} in {position}");
            assert_eq!(position.parse_move(&mv.to_string()), Ok(mv));
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
    for mv in position.moves() {
        let read = position.parse_move(&position.move_text(mv));
        assert!(read.is_ok_and(|read| read.same_effect(mv)), "{mv} in {position}");
    }
}
