//! The `serde` feature: the serialized form of squares, moves, positions and outcomes. The plain enums and structs
//! derive theirs.

use alloc::borrow::Cow;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{DrawReason, Move, Outcome, Position, Setup, Side, Square, WinReason};

/// `{"result":"win","winner":"black","reason":"blocked"}`, `{"result":"draw","reason":"agreement"}` or
/// `{"result":"abandoned"}`.
#[derive(Serialize, Deserialize)]
#[serde(tag = "result", rename_all = "snake_case")]
pub(crate) enum OutcomeFields {
    Win { winner: Side, reason: WinReason },
    Draw { reason: DrawReason },
    Abandoned,
}

impl From<Outcome> for OutcomeFields {
    fn from(outcome: Outcome) -> OutcomeFields {
        match outcome {
            Outcome::Win { winner, reason } => OutcomeFields::Win { winner, reason },
            Outcome::Draw(reason) => OutcomeFields::Draw { reason },
            Outcome::Abandoned => OutcomeFields::Abandoned,
        }
    }
}

impl From<OutcomeFields> for Outcome {
    fn from(fields: OutcomeFields) -> Outcome {
        match fields {
            OutcomeFields::Win { winner, reason } => Outcome::Win { winner, reason },
            OutcomeFields::Draw { reason } => Outcome::Draw(reason),
            OutcomeFields::Abandoned => Outcome::Abandoned,
        }
    }
}

/// The number of the square, 1 to 32.
impl Serialize for Square {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(self.number())
    }
}

impl<'de> Deserialize<'de> for Square {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Square, D::Error> {
        let number = u8::deserialize(deserializer)?;
        Square::new(number).ok_or_else(|| D::Error::custom(format_args!("there is no square {number}")))
    }
}

/// The full path: `"22x15x8"`. Reading it back needs the position: [`Position::parse_move`].
impl Serialize for Move {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// The canonical FEN.
impl Serialize for Position {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Position {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Position, D::Error> {
        Cow::<str>::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

/// The canonical FEN.
impl Serialize for Setup {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Setup {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Setup, D::Error> {
        Cow::<str>::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;
    use core::fmt::Debug;

    use serde::de::DeserializeOwned;

    use super::*;
    use crate::{Colour, Rulebook, RulebookId};

    fn round_trip<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T, json: &str) {
        assert_eq!(serde_json::to_string(value).unwrap(), json);
        assert_eq!(&serde_json::from_str::<T>(json).unwrap(), value);
    }

    #[test]
    fn everything_is_written_as_text_and_read_back() {
        round_trip(&Side::Black, r#""black""#);
        round_trip(&Square::new(32).unwrap(), "32");
        round_trip(&Position::start(), r#""B:W21-32:B1-12""#);
        round_trip(&Setup::empty(Side::White), r#""W:W:B""#);
        round_trip(&RulebookId::WinOnly, r#""win-only""#);
        round_trip(&Colour::Yellow, r#""yellow""#);
        round_trip(
            &Outcome::Win { winner: Side::White, reason: WinReason::NoPieces },
            r#"{"result":"win","winner":"white","reason":"no_pieces"}"#,
        );
        round_trip(
            &Outcome::Draw(DrawReason::NeitherCanWin),
            r#"{"result":"draw","reason":"neither_can_win"}"#,
        );
        round_trip(&Outcome::Abandoned, r#"{"result":"abandoned"}"#);
        round_trip(
            &Rulebook::of(RulebookId::Numbered),
            concat!(
                r#"{"id":"numbered","first":"red","second":"white","seating":"chosen_then_swapped","#,
                r#""repetition":{"times":3,"resets":"capture_or_man_move"},"#,
                r#""move_limit":{"plies":80,"resets":"capture_or_man_move"},"#,
                r#""agreed_draw":true,"claimed_draw":true,"may_abandon":false,"playing_squares":"dark","#,
                r#""shows_numbers":true,"jump_sign":"-"}"#
            ),
        );
    }

    #[test]
    fn a_move_is_written_with_its_whole_path() {
        let position: Position = "W:W22:B11,18".parse().unwrap();
        let mv = position.parse_move("22x8").unwrap();
        assert_eq!(serde_json::to_string(&mv).unwrap(), r#""22x15x8""#);
    }

    #[test]
    fn values_that_cannot_be_are_refused() {
        for json in ["0", "33", "-1", "256", r#""11""#] {
            assert!(serde_json::from_str::<Square>(json).is_err(), "{json}");
        }
        let error = serde_json::from_str::<Position>(r#""B:W1:B32""#).unwrap_err().to_string();
        assert!(error.contains("man on"), "{error}");
        // An escape forces the deserializer to allocate.
        assert_eq!(serde_json::from_str::<Position>(r#""\u0042:W21-32:B1-12""#).unwrap(), Position::start());
    }
}
