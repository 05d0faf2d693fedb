//! The request bodies of invitations and joins, and the game start that they describe.

use crownhead_game::{ClockRule, ColourChoice, OpeningChoice, Place, Player, Start};
use crownhead_rules::{RulebookId, Side};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Number;
use utoipa::openapi::schema::AdditionalProperties;
use utoipa::openapi::{OpenApi, RefOr, Schema};
use utoipa::{Modify, ToSchema};

/// A player who is away for longer may be declared to have forfeited.
const AWAY_LIMIT_MS: u64 = 60_000;

/// What an inviter chooses. Everything may be left out.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct InviteRequest {
    /// Which of the five rule books.
    rulebook: Rulebook,
    /// The inviter's side; if left out, the rule book's usual one.
    colour: Option<Colour>,
    /// The clock; none if left out.
    clock: Option<Clock>,
    /// A three-move opening, drawn by lot and already played on the board.
    opening: Option<Opening>,
    /// The inviter's name. Cut after 32 characters.
    name: String,
}

/// What a guest sends to join.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct JoinRequest {
    /// The guest's name. Cut after 32 characters.
    pub(crate) name: String,
}

#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
enum Rulebook {
    #[default]
    American,
    WinOnly,
    Light,
    Numbered,
    Quick,
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum Colour {
    Black,
    White,
    Random,
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
enum Clock {
    /// A total time for the game, with an increment for each move.
    Game {
        #[schema(minimum = 1_000, maximum = 86_400_000)]
        #[serde(deserialize_with = "whole")]
        initial_ms: u64,
        #[schema(maximum = 86_400_000)]
        #[serde(deserialize_with = "whole")]
        increment_ms: u64,
    },
    /// A time limit for each move, often days.
    Move {
        #[schema(minimum = 1_000, maximum = 5_184_000_000_u64)]
        #[serde(deserialize_with = "whole")]
        limit_ms: u64,
    },
}

/// A whole number, also in the form `1000.0`, which means the same in JSON.
fn whole<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    let number = Number::deserialize(deserializer)?;
    let written_out = || number.as_f64().filter(|value| value.fract() == 0.0 && *value >= 0.0);
    let whole = number.as_u64().or_else(|| written_out().map(|value| value as u64));
    whole.ok_or_else(|| D::Error::custom(format!("{number} is not a whole number of milliseconds")))
}

/// States in the OpenAPI description that a clock has no other fields, which the macro omits for variants of an enum.
pub(crate) struct NoOtherFields;

impl Modify for NoOtherFields {
    fn modify(&self, api: &mut OpenApi) {
        let schemas = api.components.as_mut().map(|components| &mut components.schemas);
        let clock = schemas.and_then(|schemas| schemas.get_mut("Clock"));
        if let Some(RefOr::T(Schema::OneOf(kinds))) = clock {
            for kind in &mut kinds.items {
                if let RefOr::T(Schema::Object(kind)) = kind {
                    kind.additional_properties = Some(Box::new(AdditionalProperties::FreeForm(false)));
                }
            }
        }
    }
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum Opening {
    Random,
}

/// A side: `black` moves first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SideName {
    /// Squares 1–12.
    Black,
    /// Squares 21–32.
    White,
}

impl SideName {
    pub(crate) fn other(self) -> SideName {
        match self {
            SideName::Black => SideName::White,
            SideName::White => SideName::Black,
        }
    }
}

impl From<Side> for SideName {
    fn from(side: Side) -> SideName {
        match side {
            Side::Black => SideName::Black,
            Side::White => SideName::White,
        }
    }
}

impl InviteRequest {
    /// The start of the game, without the guest, who is not known yet.
    pub fn start(self, seed: u32) -> Start {
        let mut start = Start::new([Player::human(&self.name), Player::human("")], seed);
        start.place = Place::Link { away_limit_ms: AWAY_LIMIT_MS };
        start.rulebook = match self.rulebook {
            Rulebook::American => RulebookId::American,
            Rulebook::WinOnly => RulebookId::WinOnly,
            Rulebook::Light => RulebookId::Light,
            Rulebook::Numbered => RulebookId::Numbered,
            Rulebook::Quick => RulebookId::Quick,
        };
        start.colour = self.colour.map(|colour| match colour {
            Colour::Black => ColourChoice::Side(Side::Black),
            Colour::White => ColourChoice::Side(Side::White),
            Colour::Random => ColourChoice::Random,
        });
        start.clock = self.clock.map(|clock| match clock {
            Clock::Game { initial_ms, increment_ms } => ClockRule::Game { initial_ms, increment_ms },
            Clock::Move { limit_ms } => ClockRule::Move { limit_ms },
        });
        start.opening = self.opening.map(|Opening::Random| OpeningChoice::Random);
        start
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    /// The API has types of its own for its description; their JSON must match that of the game's types.
    #[test]
    fn invitations_and_games_use_the_same_words() {
        let same = |field: &str, value: Value| {
            let request: InviteRequest =
                serde_json::from_value(json!({ field: value })).expect("what can be chosen");
            let start = serde_json::to_value(request.start(7)).expect("its maps have text keys");
            assert_eq!(start[field], value);
        };
        for id in RulebookId::ALL {
            same("rulebook", json!(id.name()));
        }
        for side in Side::BOTH.map(SideName::from) {
            same("colour", json!(side));
        }
        same("colour", json!("random"));
        same("opening", json!("random"));
        same("clock", json!({"kind": "game", "initial_ms": 60_000, "increment_ms": 2_000}));
        same("clock", json!({"kind": "move", "limit_ms": 86_400_000}));
    }

    #[test]
    fn numbers_are_whole_however_they_are_written() {
        let read = |text: &str| {
            let clock = format!(r#"{{"kind":"game","initial_ms":{text},"increment_ms":0}}"#);
            serde_json::from_str::<Clock>(&clock).map(|clock| format!("{clock:?}"))
        };
        assert_eq!(read("60000").expect("a number"), read("60000.0").expect("the same"));
        for text in ["-1", "1.5", "\"1\"", "null"] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
