//! Connection limits: in total, per network address, and per IPv6 site.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::online::address::{ClientAddress, Network, SITE_FACTOR};

/// Counts connections and refuses those beyond its limits.
#[derive(Clone)]
pub(crate) struct ConnectionLimiter {
    total: usize,
    per_address: usize,
    open: Arc<Mutex<OpenConnections>>,
}

#[derive(Default)]
struct OpenConnections {
    total: usize,
    by_network: HashMap<Network, usize>,
}

/// One connection, counted until this is dropped.
pub(crate) struct ConnectionPermit {
    limiter: ConnectionLimiter,
    address: ClientAddress,
}

/// Why there is no permit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LimitReached {
    /// There are too many connections altogether.
    Total,
    /// There are too many from this address.
    Address,
}

impl ConnectionLimiter {
    /// Limits in total and per address; `usize::MAX` means no limit.
    pub(crate) fn new(total: usize, per_address: usize) -> ConnectionLimiter {
        ConnectionLimiter { total, per_address, open: Arc::default() }
    }

    /// Counts one more connection from this address, or refuses it.
    pub(crate) fn open(&self, address: ClientAddress) -> Result<ConnectionPermit, LimitReached> {
        let mut open = self.lock();
        if open.total >= self.total {
            return Err(LimitReached::Total);
        }
        let most = self.limits(address);
        if most.iter().flatten().any(|(network, most)| open.of(network) >= *most) {
            return Err(LimitReached::Address);
        }
        open.total += 1;
        for (network, _) in most.into_iter().flatten() {
            *open.by_network.entry(network).or_default() += 1;
        }
        Ok(ConnectionPermit { limiter: self.clone(), address })
    }

    /// The networks of an address, and how many connections each may have. A site never takes more than half of all,
    /// unless a single address may.
    fn limits(&self, address: ClientAddress) -> [Option<(Network, usize)>; 2] {
        let generous = self.per_address.saturating_mul(SITE_FACTOR as usize);
        let per_site = generous.min((self.total / 2).max(self.per_address));
        [Some((address.network(), self.per_address)), address.site().map(|site| (site, per_site))]
    }

    fn lock(&self) -> MutexGuard<'_, OpenConnections> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl OpenConnections {
    fn of(&self, network: &Network) -> usize {
        self.by_network.get(network).copied().unwrap_or(0)
    }

    fn close(&mut self, network: Network) {
        if let Some(count) = self.by_network.get_mut(&network) {
            *count -= 1;
            if *count == 0 {
                self.by_network.remove(&network);
            }
        }
    }
}

impl Drop for ConnectionPermit {
    fn drop(&mut self) {
        let mut open = self.limiter.lock();
        open.total -= 1;
        open.close(self.address.network());
        if let Some(site) = self.address.site() {
            open.close(site);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> ClientAddress {
        ClientAddress::new(text.parse().expect("an address"))
    }

    fn opened(limiter: &ConnectionLimiter, text: &str) -> Vec<ConnectionPermit> {
        (0..100).map_while(|_| limiter.open(address(text)).ok()).collect()
    }

    #[test]
    fn an_address_gets_as_many_connections_as_it_may_and_gives_them_back() {
        let limiter = ConnectionLimiter::new(usize::MAX, 3);
        let held = [opened(&limiter, "192.0.2.1"), opened(&limiter, "192.0.2.2")];
        assert_eq!(held.each_ref().map(Vec::len), [3, 3]);
        assert_eq!(limiter.open(address("192.0.2.1")).err(), Some(LimitReached::Address));
        drop(held);
        assert_eq!(opened(&limiter, "192.0.2.1").len(), 3);
        assert!(limiter.lock().by_network.is_empty());
        assert_eq!(limiter.lock().total, 0);
    }

    #[test]
    fn all_addresses_together_get_no_more_than_the_total() {
        let limiter = ConnectionLimiter::new(4, 3);
        let held = [opened(&limiter, "192.0.2.1"), opened(&limiter, "192.0.2.2")];
        assert_eq!(held.each_ref().map(Vec::len), [3, 1]);
        assert_eq!(limiter.open(address("192.0.2.3")).err(), Some(LimitReached::Total));
    }

    #[test]
    fn an_ipv6_site_gets_eight_times_as_many_as_a_subnet_and_never_all() {
        let of_site = |limiter: &ConnectionLimiter| -> usize {
            let held: Vec<_> = (0..20).map(|n| opened(limiter, &format!("2001:db8:1:{n}::1"))).collect();
            held.iter().map(Vec::len).sum()
        };
        assert_eq!(of_site(&ConnectionLimiter::new(1_000, 3)), 24);
        assert_eq!(of_site(&ConnectionLimiter::new(20, 5)), 10);
        assert_eq!(of_site(&ConnectionLimiter::new(20, 100)), 20, "the host wants it so");
    }
}
