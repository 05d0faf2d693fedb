//! Builds the changes to store: invitations, starts, appended events, rematches and withdrawals.

use crownhead_game::{Event, Game, Record, Start, Time};

use crate::error::ApiError;
use crate::online::ids::{GameId, Owner};
use crate::online::store::{Change, GameStatus, NewGame, SeatRole, StoredEvent, TakenSeat};
use crate::online::summary::Summary;

/// Records as they are stored, with the command that led to them.
pub(super) fn stored(records: &[Record], command: &str) -> Vec<StoredEvent> {
    records.iter().map(|record| StoredEvent::new(record.clone(), command)).collect()
}

/// Events that are appended to a game.
pub(crate) fn appended(id: GameId, game: &Game, seq: usize, events: Vec<StoredEvent>, now: Time) -> Change {
    let summary = Summary::of(game);
    let status = GameStatus { updated: now, wake_at: game.wake_at(), plies: summary.plies, summary };
    Change { game: id, new: None, seats: Vec::new(), events, seq, status, next: None }
}

/// The start of a game after an invitation, with the seats that it fills.
pub(super) fn started(
    id: GameId,
    game: &Game,
    events: Vec<StoredEvent>,
    seats: Vec<TakenSeat>,
    now: Time,
) -> Change {
    Change { seats, ..appended(id, game, 0, events, now) }
}

/// The rematch: a new game between the same players, which starts at once.
pub(super) fn rematch(
    id: GameId,
    new: NewGame,
    owners: &[Option<Owner>; 2],
    now: Time,
) -> Result<Change, ApiError> {
    let (game, step) = Game::start(new.start.clone(), now)?;
    let seats = SeatRole::BOTH.into_iter().filter_map(|seat| {
        let name = new.start.players[seat.index()].name().to_owned();
        Some(TakenSeat { seat, owner: owners[seat.index()].clone()?, name })
    });
    let change = started(id, &game, stored(&step.records, ""), seats.collect(), now);
    Ok(Change { new: Some(new), ..change })
}

/// An invitation.
pub(crate) fn invitation(id: GameId, start: Start, owner: Owner, address: String, now: Time) -> Change {
    let status = GameStatus { updated: now, wake_at: None, plies: 0, summary: Summary::waiting(&start) };
    let name = start.players[SeatRole::Inviter.index()].name().to_owned();
    Change {
        game: id,
        new: Some(NewGame { start, address }),
        seats: vec![TakenSeat { seat: SeatRole::Inviter, owner, name }],
        events: Vec::new(),
        seq: 0,
        status,
        next: None,
    }
}

/// The withdrawal of an open invitation. Its event has the sequence number that the start of the game would have, so a
/// guest's join and the inviter's withdrawal cannot both be stored.
pub(crate) fn withdrawn(id: GameId, start: &Start, now: Time) -> Change {
    let records = [Record::new(now, Event::Withdrawn)];
    Change {
        game: id,
        new: None,
        seats: Vec::new(),
        events: stored(&records, ""),
        seq: 0,
        status: GameStatus { updated: now, wake_at: None, plies: 0, summary: Summary::withdrawn(start) },
        next: None,
    }
}
