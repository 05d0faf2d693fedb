//! The start of a game: the players' choices, and the random draw of everything left open.

use crownhead_rules::{Opening, OpeningClass, Position, Rulebook, RulebookId, Seating, Side};
use serde::{Deserialize, Serialize};

use crate::clock::ClockRule;
use crate::error::Refusal;
use crate::event::{OpeningRecord, Started};
use crate::player::{Place, Player};
use crate::seed::{derived, draw};

/// The choices for a new game. Carried out by [`Game::start`](crate::Game::start).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Start {
    /// The rule book.
    #[serde(default = "american")]
    pub rulebook: RulebookId,
    /// The players; the first one sits at the bottom of a shared screen.
    pub players: [Player; 2],
    /// The side of the first player; if left out, the rule book's default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub colour: Option<ColourChoice>,
    /// The clock; if left out, none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<ClockRule>,
    /// A three-move opening to begin from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opening: Option<OpeningChoice>,
    /// A FEN to start from instead of the initial position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// On one screen, or over a link.
    #[serde(default)]
    pub place: Place,
    /// The seed of every random choice.
    #[serde(default)]
    pub seed: u32,
}

fn american() -> RulebookId {
    RulebookId::American
}

/// The side that the first player wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ColourChoice {
    /// A random side.
    Random,
    /// This one.
    #[serde(untagged)]
    Side(Side),
}

/// The opening that is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OpeningChoice {
    /// A random one of those in tournament use.
    Random,
    /// The one with this number, 1 to 174.
    #[serde(untagged)]
    Number(u8),
}

impl ColourChoice {
    /// The choices that a rule book leaves to the first player: none if it draws the colours for every game.
    pub const fn choices(rulebook: &Rulebook) -> &'static [ColourChoice] {
        match rulebook.seating {
            Seating::ChosenThenSwapped | Seating::DrawnThenSwapped => {
                &[ColourChoice::Side(Side::Black), ColourChoice::Side(Side::White), ColourChoice::Random]
            }
            Seating::DrawnEachGame => &[],
        }
    }

    /// The choice that takes effect under a rule book.
    pub fn in_effect(chosen: Option<ColourChoice>, rulebook: &Rulebook) -> ColourChoice {
        match (rulebook.seating, chosen) {
            (Seating::DrawnEachGame, _) | (Seating::DrawnThenSwapped, None) => ColourChoice::Random,
            (_, Some(choice)) => choice,
            (Seating::ChosenThenSwapped, None) => ColourChoice::Side(Side::Black),
        }
    }
}

impl Start {
    /// A game on one screen with the default rules and nothing else chosen.
    pub fn new(players: [Player; 2], seed: u32) -> Start {
        Start {
            rulebook: RulebookId::American,
            players,
            colour: None,
            clock: None,
            opening: None,
            position: None,
            place: Place::Screen,
            seed,
        }
    }

    /// The terms of the game in a sentence: “American rules, 5 min + 3 s a move.”
    pub fn terms(&self) -> String {
        let clock = self.clock.map_or_else(|| "no clock".to_owned(), |clock| clock.to_string());
        format!("{} rules, {clock}.", self.rulebook.title())
    }

    /// Makes the random choices and checks that the game can be played.
    pub(crate) fn resolve(self) -> Result<Started, Refusal> {
        let rulebook = Rulebook::of(self.rulebook);
        let bottom = self.first_players_side(&rulebook);
        let opening = self.opening()?;
        if opening.is_some() && self.position.is_some() {
            return Err(Refusal::OpeningAndPosition);
        }
        if let Some(rule) = self.clock {
            rule.check()?;
        }
        let with_computer = self.players.iter().any(|player| player.level().is_some());
        if with_computer && matches!(self.place, Place::Link { .. }) {
            return Err(Refusal::ComputerOverLink);
        }
        let position: Position = match &self.position {
            Some(fen) => fen.parse().map_err(Refusal::Position)?,
            None => Position::start(),
        };
        if !position.has_move() {
            return Err(Refusal::NothingToPlay { colour: rulebook.colour(position.side_to_move()) });
        }
        let [first, second] = self.players;
        let (black, white) = match bottom {
            Side::Black => (first, second),
            Side::White => (second, first),
        };
        Ok(Started {
            rulebook,
            black,
            white,
            bottom,
            clock: self.clock,
            position: position.to_string(),
            opening,
            place: self.place,
            seed: self.seed,
        })
    }

    fn first_players_side(&self, rulebook: &Rulebook) -> Side {
        match ColourChoice::in_effect(self.colour, rulebook) {
            ColourChoice::Side(side) => side,
            ColourChoice::Random if derived(self.seed, draw::COLOUR) & 1 == 0 => Side::Black,
            ColourChoice::Random => Side::White,
        }
    }

    fn opening(&self) -> Result<Option<OpeningRecord>, Refusal> {
        let (opening, drawn) = match self.opening {
            None => return Ok(None),
            Some(OpeningChoice::Number(number)) => {
                (Opening::numbered(number).ok_or(Refusal::NoSuchOpening { number })?, false)
            }
            Some(OpeningChoice::Random) => {
                let openings = Opening::of_class(OpeningClass::Crossboard);
                let n = derived(self.seed, draw::OPENING) as usize % openings.clone().count();
                (openings.clone().nth(n).expect("the lot is one of them"), true)
            }
        };
        let moves = opening.moves.map(str::to_owned).to_vec();
        Ok(Some(OpeningRecord { number: opening.number, moves, drawn }))
    }
}

impl Started {
    /// The next game of the same players, with colours swapped or drawn again, as the rule book says.
    pub(crate) fn rematch(&self) -> Start {
        let (first, second) = match self.bottom {
            Side::Black => (&self.black, &self.white),
            Side::White => (&self.white, &self.black),
        };
        let standard = Position::start().to_string();
        Start {
            rulebook: self.rulebook.id,
            players: [first.clone(), second.clone()],
            colour: Some(ColourChoice::Side(!self.bottom)),
            clock: self.clock,
            opening: self.opening.as_ref().map(|opening| {
                if opening.drawn { OpeningChoice::Random } else { OpeningChoice::Number(opening.number) }
            }),
            position: Some(self.position.clone()).filter(|fen| *fen != standard),
            place: self.place,
            seed: derived(self.seed, draw::NEXT_GAME),
        }
    }
}
