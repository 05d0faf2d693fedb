//! Whatever reads as a position is written and read back the same; whatever does not, says why.

use crownhead_rules::{Position, Setup};

pub(crate) fn check(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    if let Ok(setup) = text.parse::<Setup>() {
        assert_eq!(setup.to_string().parse(), Ok(setup));
    }
    match text.parse::<Position>() {
        Ok(position) => {
            let fen = position.to_string();
            assert_eq!(fen.parse(), Ok(position));
            assert_eq!(position.turned().turned(), position);
            assert_eq!(position.moves().len(), position.count_moves());
        }
        Err(error) => assert!(error.to_string().len() < 1000, "{error}"),
    }
}
