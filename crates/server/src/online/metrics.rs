//! Metrics for Prometheus.

use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::Registry;

use crate::error::ApiError;

/// The metrics of a server.
pub(crate) struct Metrics {
    pub(crate) invitations: Counter,
    pub(crate) games_started: Counter,
    pub(crate) events_stored: Counter,
    pub(crate) commands_refused: Counter,
    pub(crate) messages_rejected: Counter,
    pub(crate) connections: Gauge,
    pub(crate) rooms: Gauge,
    /// Seconds from a command's arrival until it is stored and passed on.
    pub(crate) command_seconds: Histogram,
    pub(crate) refused: Refusals,
    pub(crate) database_errors: Counter,
    pub(crate) outages: Counter,
    pub(crate) write_queue_length: Gauge,
    pub(crate) disk_free_bytes: Gauge,
    pub(crate) database_bytes: Gauge,
    registry: Registry,
}

/// How often each limit refused something.
#[derive(Clone, Default)]
pub(crate) struct Refusals(Family<[(&'static str, &'static str); 1], Counter>);

impl Refusals {
    /// Counts a refusal by a limit, named as in [`Limits`](crate::online::Limits).
    pub(crate) fn count(&self, limit: &'static str) {
        self.0.get_or_create(&[("limit", limit)]).inc();
    }

    /// Counts an error if a limit is the reason.
    pub(crate) fn count_error(&self, error: &ApiError) {
        if let Some(limit) = error.limit() {
            self.count(limit);
        }
    }
}

/// The first bucket, in seconds; each of the next is twice as wide, up to four seconds.
const FIRST_BUCKET: f64 = 0.000_5;
const BUCKETS: u16 = 14;

impl Metrics {
    pub(crate) fn new() -> Metrics {
        let mut metrics = Metrics {
            invitations: Counter::default(),
            games_started: Counter::default(),
            events_stored: Counter::default(),
            commands_refused: Counter::default(),
            messages_rejected: Counter::default(),
            connections: Gauge::default(),
            rooms: Gauge::default(),
            command_seconds: Histogram::new(exponential_buckets(FIRST_BUCKET, 2.0, BUCKETS)),
            refused: Refusals::default(),
            database_errors: Counter::default(),
            outages: Counter::default(),
            write_queue_length: Gauge::default(),
            disk_free_bytes: Gauge::default(),
            database_bytes: Gauge::default(),
            registry: Registry::with_prefix("crownhead"),
        };
        metrics.register();
        metrics
    }

    fn register(&mut self) {
        let registry = &mut self.registry;
        registry.register("invitations", "Games that were invited to", self.invitations.clone());
        registry.register("games_started", "Games that an opponent has joined", self.games_started.clone());
        registry.register("events_stored", "Moves and all else that happened", self.events_stored.clone());
        registry.register(
            "commands_refused",
            "Commands that were not allowed",
            self.commands_refused.clone(),
        );
        registry.register(
            "messages_rejected",
            "Messages that were not understood or too many",
            self.messages_rejected.clone(),
        );
        registry.register("connections", "Open WebSockets", self.connections.clone());
        registry.register("rooms", "Games in memory", self.rooms.clone());
        let help = "From a command's arrival until it is stored and passed on";
        registry.register("command_seconds", help, self.command_seconds.clone());
        self.register_faults();
    }

    /// Registers what a host monitors: refusals by limits, and the state of the database.
    fn register_faults(&mut self) {
        let registry = &mut self.registry;
        let Refusals(refused) = &self.refused;
        registry.register("refused", "Requests, connections and commands refused, by limit", refused.clone());
        registry.register("database_errors", "Failed database operations", self.database_errors.clone());
        let help = "Pauses of the server or the database that were taken off the clocks";
        registry.register("outages", help, self.outages.clone());
        let help = "Changes waiting to be written to the database";
        registry.register("write_queue_length", help, self.write_queue_length.clone());
        let help = "Free space on the disk of the database, if it is a file";
        registry.register("disk_free_bytes", help, self.disk_free_bytes.clone());
        registry.register("database_bytes", "Size of the database", self.database_bytes.clone());
    }

    /// The metrics in the text format of Prometheus.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        encode(&mut text, &self.registry).expect("writing to a string");
        text
    }
}
