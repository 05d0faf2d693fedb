//! `/metrics`: what goes on, for Prometheus.

use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::Registry;

/// What is counted.
pub(crate) struct Metrics {
    pub(crate) invitations: Counter,
    pub(crate) games_started: Counter,
    pub(crate) events_stored: Counter,
    pub(crate) commands_refused: Counter,
    pub(crate) messages_rejected: Counter,
    pub(crate) database_errors: Counter,
    pub(crate) outages: Counter,
    pub(crate) connections: Gauge,
    pub(crate) rooms: Gauge,
    /// Seconds from a command's arrival until it is stored and passed on.
    pub(crate) command_seconds: Histogram,
    registry: Registry,
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
            database_errors: Counter::default(),
            outages: Counter::default(),
            connections: Gauge::default(),
            rooms: Gauge::default(),
            command_seconds: Histogram::new(exponential_buckets(FIRST_BUCKET, 2.0, BUCKETS)),
            registry: Registry::with_prefix("crownhead"),
        };
        metrics.register();
        metrics
    }

    fn register(&mut self) {
        let registry = &mut self.registry;
        registry.register("invitations", "Games that were invited to", self.invitations.clone());
        registry.register("games_started", "Games that somebody joined", self.games_started.clone());
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
    }

    /// As Prometheus reads it.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        encode(&mut text, &self.registry).expect("writing to a string");
        text
    }
}
