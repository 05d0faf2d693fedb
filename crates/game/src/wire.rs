//! How the nouns of the rules are written in JSON. The rules themselves know no serialization.

use crownhead_rules::{
    Colour, DrawReason, MoveLimit, Outcome, Progress, Repetition, Rulebook, RulebookId, Seating, Side,
    SquareColour, WinReason,
};
use serde::{Deserialize, Serialize};

/// `"black"` or `"white"`: the sides as the notation names them, whatever their colour on screen.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Side", rename_all = "snake_case")]
pub(crate) enum SideName {
    Black,
    White,
}

/// `"black"`, `"white"` or `null`.
pub(crate) mod maybe_side {
    use super::{Side, SideName};
    use serde::{Serialize, Serializer};

    #[derive(Serialize)]
    struct Name(#[serde(with = "SideName")] Side);

    #[expect(
        clippy::ref_option,
        clippy::trivially_copy_pass_by_ref,
        reason = "serde gives a reference to the field"
    )]
    pub(crate) fn serialize<S: Serializer>(side: &Option<Side>, to: S) -> Result<S::Ok, S::Error> {
        side.map(Name).serialize(to)
    }
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Colour", rename_all = "snake_case")]
pub(crate) enum ColourName {
    Black,
    Red,
    White,
    Yellow,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "SquareColour", rename_all = "snake_case")]
pub(crate) enum SquareColourName {
    Dark,
    Light,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Seating", rename_all = "snake_case")]
pub(crate) enum SeatingName {
    ChosenThenSwapped,
    DrawnThenSwapped,
    DrawnEachGame,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Progress", rename_all = "snake_case")]
pub(crate) enum ProgressName {
    Capture,
    CaptureOrManMove,
}

/// Written as everywhere else: `win-only`.
#[derive(Serialize, Deserialize)]
#[serde(remote = "RulebookId", rename_all = "kebab-case")]
pub(crate) enum RulebookName {
    American,
    WinOnly,
    Light,
    Numbered,
    Quick,
}

/// All fields of a rule book, so that a game goes on by the rules that it began with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Fields", into = "Fields")]
pub struct RulebookRecord(pub Rulebook);

#[derive(Serialize, Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "as the rule book itself")]
struct Fields {
    #[serde(with = "RulebookName")]
    id: RulebookId,
    #[serde(with = "ColourName")]
    first: Colour,
    #[serde(with = "ColourName")]
    second: Colour,
    #[serde(with = "SeatingName")]
    seating: Seating,
    repetition: Option<RepetitionFields>,
    move_limit: Option<MoveLimitFields>,
    agreed_draw: bool,
    claimed_draw: bool,
    may_abandon: bool,
    #[serde(with = "SquareColourName")]
    playing_squares: SquareColour,
    shows_numbers: bool,
    jump_sign: char,
}

#[derive(Serialize, Deserialize)]
struct RepetitionFields {
    times: u32,
    #[serde(with = "ProgressName")]
    resets: Progress,
}

#[derive(Serialize, Deserialize)]
struct MoveLimitFields {
    plies: u32,
    #[serde(with = "ProgressName")]
    resets: Progress,
}

impl From<Fields> for RulebookRecord {
    fn from(fields: Fields) -> RulebookRecord {
        RulebookRecord(Rulebook {
            id: fields.id,
            first: fields.first,
            second: fields.second,
            seating: fields.seating,
            repetition: fields
                .repetition
                .map(|RepetitionFields { times, resets }| Repetition { times, resets }),
            move_limit: fields
                .move_limit
                .map(|MoveLimitFields { plies, resets }| MoveLimit { plies, resets }),
            agreed_draw: fields.agreed_draw,
            claimed_draw: fields.claimed_draw,
            may_abandon: fields.may_abandon,
            playing_squares: fields.playing_squares,
            shows_numbers: fields.shows_numbers,
            jump_sign: fields.jump_sign,
        })
    }
}

impl From<RulebookRecord> for Fields {
    fn from(RulebookRecord(book): RulebookRecord) -> Fields {
        Fields {
            id: book.id,
            first: book.first,
            second: book.second,
            seating: book.seating,
            repetition: book
                .repetition
                .map(|Repetition { times, resets }| RepetitionFields { times, resets }),
            move_limit: book.move_limit.map(|MoveLimit { plies, resets }| MoveLimitFields { plies, resets }),
            agreed_draw: book.agreed_draw,
            claimed_draw: book.claimed_draw,
            may_abandon: book.may_abandon,
            playing_squares: book.playing_squares,
            shows_numbers: book.shows_numbers,
            jump_sign: book.jump_sign,
        }
    }
}

/// `{"result":"win","winner":"black","reason":"blocked"}`, `{"result":"draw","reason":"agreement"}` or
/// `{"result":"abandoned"}`.
pub(crate) mod outcome {
    use super::{Deserialize, DrawName, DrawReason, Outcome, Serialize, Side, SideName, WinName, WinReason};
    use serde::{Deserializer, Serializer};

    #[derive(Serialize, Deserialize)]
    #[serde(tag = "result", rename_all = "snake_case")]
    enum Fields {
        Win {
            #[serde(with = "SideName")]
            winner: Side,
            #[serde(with = "WinName")]
            reason: WinReason,
        },
        Draw {
            #[serde(with = "DrawName")]
            reason: DrawReason,
        },
        Abandoned,
    }

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference to the field")]
    pub(crate) fn serialize<S: Serializer>(outcome: &Outcome, to: S) -> Result<S::Ok, S::Error> {
        match *outcome {
            Outcome::Win { winner, reason } => Fields::Win { winner, reason },
            Outcome::Draw(reason) => Fields::Draw { reason },
            Outcome::Abandoned => Fields::Abandoned,
        }
        .serialize(to)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Outcome, D::Error> {
        Ok(match Fields::deserialize(from)? {
            Fields::Win { winner, reason } => Outcome::Win { winner, reason },
            Fields::Draw { reason } => Outcome::Draw(reason),
            Fields::Abandoned => Outcome::Abandoned,
        })
    }
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "WinReason", rename_all = "snake_case")]
pub(crate) enum WinName {
    NoPieces,
    Blocked,
    Resignation,
    Forfeit,
    Time,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "DrawReason", rename_all = "snake_case")]
pub(crate) enum DrawName {
    Repetition,
    MoveLimit,
    Agreement,
    NeitherCanWin,
}
