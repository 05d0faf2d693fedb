//! Errors: why a game refuses a command, as a sentence for the player, and why a log cannot be read.

use crownhead_rules::{Colour, FenError, MoveError, Rulebook, RulebookId};
use thiserror::Error;

use crate::event::LOG_VERSION;
use crate::snapshot::SNAPSHOT_VERSION;
use crate::words;

/// Why a command was refused. The game has not changed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[expect(missing_docs, reason = "the sentence beside each says what it is")]
pub enum Refusal {
    #[error("The game is over.")]
    GameOver,
    #[error("The game is not over yet.")]
    NotOver,
    #[error("You are watching; only the players can do that.")]
    Watching,
    #[error("Only the program that runs the game can do that.")]
    HouseOnly,
    #[error("It is {0}'s turn.")]
    NotYourTurn(Colour),
    #[error("The computer is thinking; wait for its move.")]
    ComputersTurn,
    #[error("{}", words::wrong_move(.error, .rulebook))]
    Move { error: MoveError, rulebook: Box<Rulebook> },
    #[error("The computer answered with a move that is not legal: {0}.")]
    ComputerErred(MoveError),

    #[error("Undo is off at the hardest level.")]
    UndoAtHardest,
    #[error("In a game over a link you ask the other player for a takeback.")]
    UndoOverLink,
    #[error("There is no move of yours to take back.")]
    NothingToUndo,
    #[error("The time is up, and taking a move back does not bring it back.")]
    TimeIsUp,
    #[error("There is no move to make again.")]
    NothingToRedo,
    #[error("On one screen moves are taken back with Undo.")]
    TakebackOnScreen,

    #[error("There are no draws in {}: one side must win.", .0.title())]
    NoDraws(RulebookId),
    #[error("In {} a draw comes by itself; it can be neither offered nor claimed.", .0.title())]
    DrawsComeByThemselves(RulebookId),
    #[error("In {} a draw is agreed on or comes by itself; it cannot be claimed.", .0.title())]
    NoClaims(RulebookId),
    #[error("In {} every game has a result; play on, or resign.", .0.title())]
    NoAbandoning(RulebookId),
    #[error("You have asked; wait for the answer.")]
    AnswerPending,
    #[error("You have asked already; make a move first.")]
    AskedAlready,
    #[error("You have asked already, and the answer was no.")]
    RematchDeclined,
    #[error("Nothing has been offered to you.")]
    NothingOffered,
    #[error("The next game is agreed on already.")]
    RematchAgreed,

    #[error("There are no hints in a game over a link.")]
    NoHintsOverLink,
    #[error("On one screen, neither player can be away.")]
    NobodyAway,
    #[error("{0} is here.")]
    OpponentHere(Colour),
    #[error("{colour} has been away for {seconds} s; a forfeit can be claimed after {limit} s.")]
    NotAwayLongEnough { colour: Colour, seconds: u64, limit: u64 },
    #[error("It is your turn.")]
    YourTurn,
    #[error("The clock decides here: you win if {0} runs out of time.")]
    ClockDecides(Colour),
    #[error("You can ask once {0} has been silent for 10 minutes.")]
    NotSilentLongEnough(Colour),
    #[error("{colour} has {seconds} s left to answer; after that you can claim the game.")]
    TimeToAnswer { colour: Colour, seconds: u64 },
    #[error("Your opponent has not asked whether you are still there.")]
    NobodyAsked,
    #[error("{0} need not stay at the board: there are days for a move.")]
    Correspondence(Colour),

    #[error("That position cannot be played: {0}.")]
    Position(FenError),
    #[error("That position cannot be played: {colour} is to move and has no move.")]
    NothingToPlay { colour: Colour },
    #[error("There is no opening {number}; they are numbered 1 to 174.")]
    NoSuchOpening { number: u8 },
    #[error("An opening begins from the usual position; leave out one of the two.")]
    OpeningAndPosition,
    #[error("The computer does not play over a link; both players are people there.")]
    ComputerOverLink,
    #[error("A clock has a second at least, and a day for a game or 60 days for a move at most.")]
    ClockOutOfRange,
}

/// Why a log cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[expect(missing_docs, reason = "the sentence beside each says what it is")]
pub enum LogError {
    #[error("the log is empty")]
    Empty,
    #[error(
        "the log was written by a newer Crownhead (format {0}, this one reads up to {LOG_VERSION}); update it"
    )]
    Newer(u16),
    #[error("record {seq} of the log is damaged: {problem}")]
    Damaged { seq: usize, problem: Damage },
    #[error(
        "the snapshot was written by a newer Crownhead (format {0}, this one reads up to {SNAPSHOT_VERSION}); update it"
    )]
    NewerSnapshot(u16),
    #[error("the snapshot is damaged: {0}")]
    DamagedSnapshot(Damage),
}

/// Why a record does not fit the game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[expect(missing_docs, reason = "the sentence beside each says what it is")]
pub enum Damage {
    #[error("a game starts with its first record and only there")]
    Start,
    #[error("an invitation is withdrawn before there is a game, and then none begins")]
    Withdrawn,
    #[error("it is earlier than the record before")]
    Time,
    #[error("{0}")]
    Position(FenError),
    #[error("{0}")]
    Move(MoveError),
    #[error("there are fewer moves to take back or to make again")]
    Plies,
    #[error("the game was over")]
    Over,
    #[error("the game was not over")]
    NotOver,
    #[error("nothing like that was asked")]
    Unasked,
    #[error("players ask only while their opponent is to move")]
    OwnTurn,
    #[error("the number of records does not fit the moves")]
    Count,
    #[error("the clock is not the one that the game began with")]
    Clock,
}
