//! Changes to a game: a guest joins, the inviter withdraws, or a command is carried out. Each change is made on a copy,
//! stored, and only then applied and broadcast.

use std::sync::Arc;

use crownhead_game::{Command, Effect, Event, Game, Player, Record, Start, Time, Who};
use crownhead_rules::{Outcome, Side, WinReason};

use super::state::RoomState;
use super::{Room, change};
use crate::error::ApiError;
use crate::online::ids::{GameId, Owner};
use crate::online::store::{NewGame, Outage, SeatRole, TakenSeat};

/// How often a command that lost a race is tried. Each lost race means that another writer made progress.
const TRIES: usize = 5;

/// Where a command comes from.
#[derive(Clone, Copy)]
pub(crate) enum CommandSource<'a> {
    /// The server itself.
    Server,
    /// A connected client.
    Client {
        owner: Option<&'a Owner>,
        /// The id that the client gave the command.
        id: &'a str,
        lag_ms: u64,
        /// The keyed hash of the client's network address.
        address: &'a str,
    },
}

impl Room {
    /// A guest takes the free seat, and the game starts.
    pub(crate) async fn join(&self, owner: Owner, name: &str) -> Result<Side, ApiError> {
        let mut guard = self.enter().await?;
        let state = guard.as_mut().expect("it was just read");
        for _ in 0..TRIES {
            match (state.seat_of(Some(&owner)), state.game.is_some()) {
                (Some(SeatRole::Guest), true) => return Ok(state.side_of_guest()),
                (Some(SeatRole::Inviter), _) => return Err(ApiError::OwnInvitation),
                (None, true) => return Err(ApiError::SeatTaken),
                (_, false) => self.context.check_games_of(&owner).await?,
            }
            match self.try_join(state, &owner, name).await {
                // The seat may have been taken by this very browser.
                Err(ApiError::Store(error)) if error.is_taken() => self.catch_up(state).await?,
                result => return result,
            }
        }
        Err(ApiError::Busy)
    }

    async fn try_join(&self, state: &mut RoomState, owner: &Owner, name: &str) -> Result<Side, ApiError> {
        let now = self.context.now();
        let mut start = state.start.clone();
        start.players[1] = Player::human(name);
        let name = start.players[1].name().to_owned();
        let (game, step) = Game::start(start, now)?;
        let events = change::stored(&step.records, "");
        let seats = vec![TakenSeat { seat: SeatRole::Guest, owner: owner.clone(), name: name.clone() }];
        let change = change::started(self.id, &game, events.clone(), seats, now);
        state.is_stale = true;
        self.context.write(vec![change]).await?;
        state.is_stale = false;
        state.last_write = Some(Outage { since: now, until: self.context.now() });
        state.owners[SeatRole::Guest.index()] = Some(owner.clone());
        state.names[SeatRole::Guest.index()] = name;
        state.game = Some(game);
        state.send_events(self, 0, &events);
        self.context.metrics.games_started.inc();
        tracing::info!(game = ?self.id, "game begun");
        Ok(state.side_of_guest())
    }

    /// Withdraws the invitation for the inviter. Idempotent.
    pub(crate) async fn withdraw(&self, owner: Option<&Owner>) -> Result<(), ApiError> {
        let [inviter, _] = self.read().await?.owners;
        if owner.is_none() || inviter.as_ref() != owner {
            return Err(ApiError::NotInviter);
        }
        match self.try_withdraw().await {
            Err(ApiError::Withdrawn) => Ok(()),
            result => result,
        }
    }

    async fn try_withdraw(&self) -> Result<(), ApiError> {
        let mut guard = self.enter().await?;
        let state = guard.as_mut().expect("it was just read");
        for _ in 0..TRIES {
            if state.game.is_some() {
                return Err(ApiError::Joined);
            }
            let change = change::withdrawn(self.id, &state.start, self.context.now());
            state.is_stale = true;
            match self.context.write(vec![change]).await {
                Err(error) if error.is_taken() => self.catch_up(state).await?,
                Err(error) => return Err(error.into()),
                Ok(()) => {
                    tracing::info!(game = ?self.id, "invitation withdrawn");
                    state.dismiss();
                    return Ok(());
                }
            }
        }
        Err(ApiError::Busy)
    }

    /// Carries out a command and returns the length of the log afterwards.
    ///
    /// If the database fails, the command may have been stored nevertheless: the result is [`ApiError::InDoubt`]. Sent
    /// again under the same id, it is carried out only if it was not stored.
    pub(crate) async fn command(
        self: &Arc<Room>,
        source: CommandSource<'_>,
        command: &Command,
    ) -> Result<usize, ApiError> {
        let mut guard = self.enter().await.map_err(ApiError::in_doubt)?;
        let state = guard.as_mut().expect("it was just read");
        for _ in 0..TRIES {
            match self.try_command(state, source, command).await {
                Err(ApiError::Store(error)) if error.is_taken() => {
                    let known = state.seq();
                    self.catch_up(state).await.map_err(ApiError::in_doubt)?;
                    if state.seq() == known {
                        // No new event explains the conflict: perhaps the game was deleted.
                        self.read_again(state, known).await.map_err(ApiError::in_doubt)?;
                    }
                }
                Ok(seq) => {
                    if *command == Command::ClaimDraw {
                        self.adjudicate_soon(state);
                    }
                    return Ok(seq);
                }
                failed => return failed.map_err(ApiError::in_doubt),
            }
        }
        Err(ApiError::Busy)
    }

    /// Checks for a flag fall. If the clock still runs, returns the time at which the flag will fall.
    pub(crate) async fn tick(self: &Arc<Room>) -> Result<Option<Time>, ApiError> {
        self.command(CommandSource::Server, &Command::Tick).await?;
        let guard = self.enter().await?;
        let state = guard.as_ref().expect("it was just read");
        let wake_at = state.game.as_ref().and_then(Game::wake_at);
        Ok(wake_at.map(|at| at.plus(state.outage_ms(self, self.context.now()))))
    }

    async fn try_command(
        &self,
        state: &mut RoomState,
        source: CommandSource<'_>,
        command: &Command,
    ) -> Result<usize, ApiError> {
        let Issuer { who, key, lag_ms } = Issuer::of(source, state);
        if let Some(&seq) = state.commands.get(&*key) {
            return Ok(seq);
        }
        self.check_rates(source, command)?;
        let mut next = state.game.clone().ok_or(ApiError::NotStarted)?;
        let moment = state.moment(self, self.context.now(), lag_ms);
        let step = next.handle(who, command, moment)?;
        if step.records.is_empty() {
            return Ok(next.seq());
        }
        let flag_at = state.game.as_ref().and_then(Game::wake_at).map(|at| at.plus(moment.outage_ms));
        if let Some(flag_at) = flag_at
            && step.records.iter().any(is_loss_on_time)
            && !self.context.outages.is_confirmed(flag_at)
        {
            // Nothing has been written since the flag fell, so perhaps the database cannot write. A heartbeat finds
            // out; if it had to wait, that was an outage. Then the command is decided again.
            self.context.confirm(flag_at).await?;
            return Box::pin(self.try_command(state, source, command)).await;
        }
        if next.seq() > self.context.limits.events_per_game && goes_on(&next, &step.records) {
            return Err(ApiError::GameTooLong);
        }
        self.store(state, next, &step.records, &key, source).await
    }

    /// Rate-limits requests that are cheap to send and expensive to serve.
    fn check_rates(&self, source: CommandSource<'_>, command: &Command) -> Result<(), ApiError> {
        let CommandSource::Client { owner: Some(owner), .. } = source else { return Ok(()) };
        match command {
            Command::Rematch | Command::AnswerRematch { accept: true } => {
                self.context.rate_limiters.rematch(owner)
            }
            Command::AskTakeback => self.context.rate_limiters.takeback(self.id, owner),
            _ => Ok(()),
        }
    }

    /// Stores the events of a command, then applies and broadcasts them.
    async fn store(
        &self,
        state: &mut RoomState,
        game: Game,
        records: &[Record],
        key: &str,
        source: CommandSource<'_>,
    ) -> Result<usize, ApiError> {
        let now = self.context.now();
        let seq = state.seq();
        let events = change::stored(records, key);
        let mut changes = vec![change::appended(self.id, &game, seq, events.clone(), now)];
        let next = rematch(&game, records).map(|start| (GameId::random(), start));
        if let Some((next, start)) = next.clone() {
            let CommandSource::Client { owner: Some(owner), address, .. } = source else {
                return Err(ApiError::Busy);
            };
            self.context.check_new_game(owner, address).await?;
            changes[0].next = Some(next);
            let new = NewGame { start, address: address.to_owned() };
            changes.push(change::rematch(next, new, &state.owners, now)?);
        }
        // If this future is dropped half-way, whether the change was stored is unknown.
        state.is_stale = true;
        self.context.write(changes).await?;
        state.is_stale = false;
        state.last_write = Some(Outage { since: now, until: self.context.now() });
        if !key.is_empty() {
            state.commands.insert(key.into(), game.seq());
        }
        if records.iter().any(|record| matches!(record.event, Event::Ended { .. })) {
            let outcome = game.outcome().map(|outcome| outcome.sentence(game.rulebook()));
            tracing::info!(game = ?self.id, outcome, events = game.seq(), "game over");
        }
        state.game = Some(game);
        state.send_events(self, seq, &events);
        if let Some((next, _)) = next {
            tracing::info!(game = ?next, rematch_of = ?self.id, "game begun");
            state.next = Some(next);
            state.send_next(now);
        }
        Ok(state.seq())
    }
}

/// Who issued a command, in terms of the game.
struct Issuer {
    who: Who,
    /// The idempotency key within the game; empty for commands that are never retried.
    key: String,
    lag_ms: u64,
}

impl Issuer {
    fn of(source: CommandSource<'_>, state: &RoomState) -> Issuer {
        let CommandSource::Client { owner, id, lag_ms, .. } = source else {
            return Issuer { who: Who::House, key: String::new(), lag_ms: 0 };
        };
        match state.seat_of(owner) {
            Some(seat) => Issuer {
                who: state.side(seat).map_or(Who::Watcher, Who::Seat),
                key: format!("{}:{id}", seat.index()),
                lag_ms,
            },
            None => Issuer { who: Who::Watcher, key: String::new(), lag_ms },
        }
    }
}

/// Can the game grow for ever by such steps? Moves and takebacks can; all other requests are limited to one per move.
fn goes_on(game: &Game, records: &[Record]) -> bool {
    let moves = |record: &Record| matches!(record.event, Event::Moved { .. } | Event::TakenBack { .. });
    game.outcome().is_none() && records.iter().any(moves)
}

fn is_loss_on_time(record: &Record) -> bool {
    let by_time = |outcome: &Outcome| matches!(outcome, Outcome::Win { reason: WinReason::Time, .. });
    matches!(&record.event, Event::Ended { outcome } if by_time(outcome))
}

/// The start of the rematch, if these records agree on one.
fn rematch(game: &Game, records: &[Record]) -> Option<Start> {
    let is_agreed = records.iter().any(|record| matches!(record.event, Event::RematchAgreed { .. }));
    let start = game.outstanding().into_iter().find_map(|effect| match effect {
        Effect::NewGame { start } => Some(*start),
        _ => None,
    });
    start.filter(|_| is_agreed)
}
