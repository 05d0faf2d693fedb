//! Rate limiters: how often a network address, a browser or a seat may do something. Each is a token bucket.

use std::hash::Hash;
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use governor::clock::{Clock, DefaultClock};
use governor::middleware::NoOpMiddleware;
use governor::state::keyed::HashMapStateStore;
use governor::state::{InMemoryState, NotKeyed};
use governor::{Quota, RateLimiter as Governor};

use crate::error::ApiError;
use crate::online::address::{ClientAddress, Network, SITE_FACTOR};
use crate::online::ids::{GameId, Owner};
use crate::online::limits::Limits;

/// A burst of requests may be this many seconds' worth.
const REQUEST_BURST_SECONDS: u32 = 10;
/// The same for messages over a WebSocket.
const MESSAGE_BURST_SECONDS: u32 = 5;
/// With fewer keys than this there is nothing to gain by dropping any.
const FEW_KEYS: usize = 1_024;

/// The actions whose rate is limited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rate {
    /// Invitations and joins from one network address.
    Starts,
    /// Requests to the API from one network address.
    Requests,
    /// Connections to games opened from one network address.
    Connections,
    /// Rematches that one browser asks for or agrees to.
    Rematches,
    /// Takebacks that one seat asks for.
    Takebacks,
}

impl Rate {
    /// The name of the limit in [`Limits`].
    pub(crate) fn name(self) -> &'static str {
        match self {
            Rate::Starts => "starts_per_minute",
            Rate::Requests => "requests_per_second",
            Rate::Connections => "connections_per_minute",
            Rate::Rematches => "rematches_per_minute",
            Rate::Takebacks => "takebacks_per_minute",
        }
    }

    /// The message for players.
    pub(crate) fn sentence(self) -> &'static str {
        match self {
            Rate::Starts => {
                "Too many games are being started from your network address; try again in a minute."
            }
            Rate::Requests => "Too many requests from your network address; try again in a moment.",
            Rate::Connections => "Too many connections from your network address; try again in a moment.",
            Rate::Rematches => "You are asking for rematches too quickly; try again in a moment.",
            Rate::Takebacks => "You are asking for takebacks too quickly; try again in a moment.",
        }
    }
}

/// All rate limiters of a server.
pub(crate) struct RateLimiters {
    starts: AddressRateLimiter,
    requests: AddressRateLimiter,
    connections: AddressRateLimiter,
    rematches: RateLimiter<Owner>,
    takebacks: RateLimiter<(GameId, Owner)>,
}

impl RateLimiters {
    pub(crate) fn new(limits: &Limits) -> RateLimiters {
        RateLimiters {
            starts: AddressRateLimiter::new(Rate::Starts, per_minute(limits.starts_per_minute)),
            requests: AddressRateLimiter::new(
                Rate::Requests,
                per_second(limits.requests_per_second, REQUEST_BURST_SECONDS),
            ),
            connections: AddressRateLimiter::new(
                Rate::Connections,
                per_minute(limits.connections_per_minute),
            ),
            rematches: RateLimiter::new(Rate::Rematches, per_minute(limits.rematches_per_minute)),
            takebacks: RateLimiter::new(Rate::Takebacks, per_minute(limits.takebacks_per_minute)),
        }
    }

    /// May this address invite or join?
    pub(crate) fn start(&self, address: ClientAddress) -> Result<(), ApiError> {
        self.starts.check(address)
    }

    /// May this address ask the API for anything?
    pub(crate) fn request(&self, address: ClientAddress) -> Result<(), ApiError> {
        self.requests.check(address)
    }

    /// May this address open a WebSocket?
    pub(crate) fn connect(&self, address: ClientAddress) -> Result<(), ApiError> {
        self.connections.check(address)
    }

    /// May this browser ask for a rematch, or agree to one?
    pub(crate) fn rematch(&self, owner: &Owner) -> Result<(), ApiError> {
        self.rematches.check(owner)
    }

    /// May this player ask for a takeback in this game?
    pub(crate) fn takeback(&self, game: GameId, owner: &Owner) -> Result<(), ApiError> {
        self.takebacks.check(&(game, owner.clone()))
    }
}

/// A token bucket for the messages of one connection.
pub(crate) struct TokenBucket(Governor<NotKeyed, InMemoryState, DefaultClock>);

impl TokenBucket {
    pub(crate) fn new(messages_per_second: u32) -> TokenBucket {
        TokenBucket(Governor::direct(per_second(messages_per_second, MESSAGE_BURST_SECONDS)))
    }

    /// Takes a token, if there is one.
    pub(crate) fn take(&self) -> bool {
        self.0.check().is_ok()
    }
}

/// Limits the network of an address and, more generously, its IPv6 site.
struct AddressRateLimiter<C: Clock = DefaultClock> {
    networks: RateLimiter<Network, C>,
    sites: RateLimiter<Network, C>,
}

impl AddressRateLimiter {
    fn new(rate: Rate, quota: Quota) -> AddressRateLimiter {
        AddressRateLimiter::with_clock(rate, quota, &DefaultClock::default())
    }
}

impl<C: Clock + Clone> AddressRateLimiter<C> {
    fn with_clock(rate: Rate, quota: Quota, clock: &C) -> AddressRateLimiter<C> {
        let networks = RateLimiter::with_clock(rate, quota, clock.clone());
        AddressRateLimiter { networks, sites: RateLimiter::with_clock(rate, scaled(quota), clock.clone()) }
    }

    fn check(&self, address: ClientAddress) -> Result<(), ApiError> {
        // In this order a subnet that is refused takes nothing from the others of its site.
        self.networks.check(&address.network())?;
        address.site().map_or(Ok(()), |site| self.sites.check(&site))
    }
}

/// A token bucket for each key.
struct RateLimiter<K: Hash + Eq + Clone, C: Clock = DefaultClock> {
    rate: Rate,
    buckets: Governor<K, HashMapStateStore<K>, C, NoOpMiddleware<C::Instant>>,
    clock: C,
    /// With this many keys, those whose bucket is full again are dropped.
    drop_at: AtomicUsize,
}

impl<K: Hash + Eq + Clone> RateLimiter<K> {
    fn new(rate: Rate, quota: Quota) -> RateLimiter<K> {
        RateLimiter::with_clock(rate, quota, DefaultClock::default())
    }
}

impl<K: Hash + Eq + Clone, C: Clock + Clone> RateLimiter<K, C> {
    fn with_clock(rate: Rate, quota: Quota, clock: C) -> RateLimiter<K, C> {
        let buckets = Governor::hashmap_with_clock(quota, clock.clone());
        RateLimiter { rate, buckets, clock, drop_at: AtomicUsize::new(FEW_KEYS) }
    }

    /// Takes a token from the bucket of this key, or returns how long it takes until there is one.
    fn check(&self, key: &K) -> Result<(), ApiError> {
        self.drop_old_keys();
        self.buckets.check_key(key).map_err(|refusal| ApiError::RateLimited {
            rate: self.rate,
            retry_after: refusal.wait_time_from(self.clock.now()),
        })
    }

    /// Drops keys whose buckets are full again. A request keeps its key alive until its token is back, so at most as
    /// many keys remain as there were requests in that time. The threshold grows with them, so this is rare.
    fn drop_old_keys(&self) {
        if self.buckets.len() >= self.drop_at.load(Ordering::Relaxed) {
            self.buckets.retain_recent();
            self.buckets.shrink_to_fit();
            self.drop_at.store((2 * self.buckets.len()).max(FEW_KEYS), Ordering::Relaxed);
        }
    }
}

/// A minute's worth may come at once.
fn per_minute(rate: u32) -> Quota {
    Quota::per_minute(at_least_one(rate))
}

fn per_second(rate: u32, burst_seconds: u32) -> Quota {
    Quota::per_second(at_least_one(rate)).allow_burst(at_least_one(rate.saturating_mul(burst_seconds)))
}

/// The quota of a whole IPv6 site.
fn scaled(quota: Quota) -> Quota {
    let period = (quota.replenish_interval() / SITE_FACTOR).max(Duration::from_nanos(1));
    let quota_of_one = Quota::with_period(period).expect("the period is not zero");
    quota_of_one.allow_burst(at_least_one(quota.burst_size().get().saturating_mul(SITE_FACTOR)))
}

fn at_least_one(number: u32) -> NonZeroU32 {
    NonZeroU32::new(number).unwrap_or(NonZeroU32::MIN)
}

#[cfg(test)]
mod tests {
    use governor::clock::FakeRelativeClock;

    use super::*;

    fn address(text: &str) -> ClientAddress {
        ClientAddress::new(text.parse().expect("an address"))
    }

    /// How many of 200 tries at once are allowed.
    fn allowed(check: impl Fn() -> Result<(), ApiError>) -> usize {
        (0..200).filter(|_| check().is_ok()).count()
    }

    #[test]
    fn a_minutes_worth_may_come_at_once_and_then_as_many_a_minute() {
        let clock = FakeRelativeClock::default();
        let limiter = AddressRateLimiter::with_clock(Rate::Starts, per_minute(6), &clock);
        for text in ["192.0.2.1", "192.0.2.2"] {
            assert_eq!(allowed(|| limiter.check(address(text))), 6, "{text}");
        }
        clock.advance(Duration::from_secs(30));
        assert_eq!(allowed(|| limiter.check(address("192.0.2.1"))), 3);
    }

    #[test]
    fn a_refusal_says_when_to_try_again() {
        let clock = FakeRelativeClock::default();
        let limiter = AddressRateLimiter::with_clock(Rate::Starts, per_minute(6), &clock);
        let check = || limiter.check(address("192.0.2.1"));
        assert_eq!(allowed(check), 6);
        clock.advance(Duration::from_secs(4));
        let Err(ApiError::RateLimited { rate: Rate::Starts, retry_after }) = check() else {
            panic!("it is refused")
        };
        assert_eq!(retry_after, Duration::from_secs(6));
        clock.advance(retry_after);
        assert_eq!(allowed(check), 1);
    }

    #[test]
    fn an_ipv6_site_may_do_eight_times_as_much_as_one_of_its_subnets() {
        let clock = FakeRelativeClock::default();
        let limiter = AddressRateLimiter::with_clock(Rate::Requests, per_second(1, 5), &clock);
        let subnets = |site: &str| -> Vec<usize> {
            (0..10).map(|n| allowed(|| limiter.check(address(&format!("2001:db8:{site}:{n}::1"))))).collect()
        };
        assert_eq!(subnets("1"), [5, 5, 5, 5, 5, 5, 5, 5, 0, 0]);
        assert_eq!(subnets("2"), [5, 5, 5, 5, 5, 5, 5, 5, 0, 0], "another site has its own");
        clock.advance(Duration::from_secs(1));
        assert_eq!(subnets("1").iter().sum::<usize>(), 8);
    }

    #[test]
    fn addresses_that_pause_take_no_memory() {
        let clock = FakeRelativeClock::default();
        let limiter = AddressRateLimiter::with_clock(Rate::Starts, per_minute(60), &clock);
        for n in 0..100_000_u32 {
            limiter.check(ClientAddress::new(n.to_be_bytes().into())).expect("the first of its address");
            clock.advance(Duration::from_millis(10));
        }
        assert!(limiter.networks.buckets.len() <= FEW_KEYS, "{}", limiter.networks.buckets.len());
    }

    #[test]
    fn no_limit_is_too_large_or_too_small() {
        let limiter = AddressRateLimiter::new(Rate::Requests, per_second(u32::MAX, REQUEST_BURST_SECONDS));
        assert_eq!(allowed(|| limiter.check(address("2001:db8::1"))), 200);
        let bucket = TokenBucket::new(u32::MAX);
        assert!((0..200).all(|_| bucket.take()));
        assert!(TokenBucket::new(0).take());
    }

    #[test]
    fn a_burst_of_messages_may_be_five_seconds_worth() {
        let bucket = TokenBucket(Governor::direct(per_second(1, MESSAGE_BURST_SECONDS)));
        assert_eq!((0..200).filter(|_| bucket.take()).count(), 5);
    }

    #[test]
    fn every_browser_and_every_seat_has_a_rate_of_its_own() {
        let limits = Limits { rematches_per_minute: 2, takebacks_per_minute: 3, ..Limits::default() };
        let limiters = RateLimiters::new(&limits);
        let [anna, ben] = ["anna", "ben"].map(|name| Owner(name.to_owned()));
        let [one, two] = [0; 2].map(|_| GameId::random());
        assert_eq!(allowed(|| limiters.rematch(&anna)), 2);
        assert_eq!(allowed(|| limiters.rematch(&ben)), 2);
        assert_eq!(allowed(|| limiters.takeback(one, &anna)), 3);
        assert_eq!(allowed(|| limiters.takeback(one, &ben)), 3);
        assert_eq!(allowed(|| limiters.takeback(two, &anna)), 3);
    }
}
