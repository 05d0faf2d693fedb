//! The network address of a client, and the networks by which limits count clients.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use axum::http::HeaderMap;

/// The prefix length of the IPv6 subnet that providers give to a customer, one or several.
const SUBNET_BITS: u8 = 64;
/// The prefix length of the largest IPv6 site that a customer with several subnets gets.
const SITE_BITS: u8 = 48;
/// The limits of an IPv6 site are this many times those of one of its subnets.
pub(crate) const SITE_FACTOR: u32 = 8;

/// The address of a client. IPv4-mapped IPv6 addresses become IPv4.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ClientAddress(IpAddr);

/// A network: the first bits of an address, the others zero.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Network {
    address: IpAddr,
    bits: u8,
}

impl ClientAddress {
    pub(crate) fn new(address: IpAddr) -> ClientAddress {
        ClientAddress(address.to_canonical())
    }

    /// The client's address as the nearest of `proxies` trusted proxies reported it, or the peer's if there is no proxy
    /// or the report cannot be read.
    ///
    /// Each proxy appends the address of its own peer to `X-Forwarded-For`, so the last ones are from our proxies and
    /// all before them are whatever the client sent.
    pub(crate) fn of_request(peer: Option<IpAddr>, headers: &HeaderMap, proxies: usize) -> ClientAddress {
        let forwarded = if proxies > 0 { forwarded_for(headers, proxies) } else { None };
        ClientAddress::new(forwarded.or(peer).unwrap_or(Ipv4Addr::UNSPECIFIED.into()))
    }

    /// The network that counts as one client: an IPv4 address, or an IPv6 subnet, which belongs to one household.
    pub(crate) fn network(self) -> Network {
        match self.0 {
            IpAddr::V4(_) => Network { address: self.0, bits: 32 },
            IpAddr::V6(address) => Network::of_v6(address, SUBNET_BITS),
        }
    }

    /// The IPv6 site of the subnet. Its owner can choose among 65,536 subnets.
    pub(crate) fn site(self) -> Option<Network> {
        match self.0 {
            IpAddr::V4(_) => None,
            IpAddr::V6(address) => Some(Network::of_v6(address, SITE_BITS)),
        }
    }
}

impl Network {
    fn of_v6(address: Ipv6Addr, bits: u8) -> Network {
        let rest = 128 - u32::from(bits);
        Network { address: Ipv6Addr::from_bits(address.to_bits() >> rest << rest).into(), bits }
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.address {
            IpAddr::V4(address) => address.fmt(f),
            IpAddr::V6(address) => write!(f, "{address}/{}", self.bits),
        }
    }
}

/// The address `proxies` places from the right, over all lines of the header.
fn forwarded_for(headers: &HeaderMap, proxies: usize) -> Option<IpAddr> {
    let lines = headers.get_all("x-forwarded-for").iter().rev();
    // A line that is not text counts as one unreadable address.
    let mut entries = lines.flat_map(|line| line.to_str().unwrap_or_default().rsplit(','));
    read_address(entries.nth(proxies - 1)?)
}

/// Reads an address with or without a port, brackets and quotes.
fn read_address(text: &str) -> Option<IpAddr> {
    let text = text.trim();
    let text = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text).trim();
    if let Ok(address) = text.parse() {
        return Some(address);
    }
    if let Ok(socket) = text.parse::<SocketAddr>() {
        return Some(socket.ip());
    }
    let inner = text.strip_prefix('[')?.strip_suffix(']')?;
    inner.parse::<Ipv6Addr>().ok().map(IpAddr::V6)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ip(text: &str) -> IpAddr {
        text.parse().expect("an address")
    }

    fn client(lines: &[&str], proxies: usize) -> String {
        let headers = lines
            .iter()
            .map(|line| ("x-forwarded-for".parse().expect("a name"), line.parse().expect("a value")));
        let ClientAddress(address) =
            ClientAddress::of_request(Some(ip("203.0.113.9")), &headers.collect(), proxies);
        address.to_string()
    }

    #[test]
    fn a_household_is_one_network() {
        let of = |text: &str| ClientAddress::new(ip(text)).network().to_string();
        assert_eq!(of("192.0.2.7"), "192.0.2.7");
        assert_eq!(of("::ffff:192.0.2.7"), "192.0.2.7");
        assert_eq!(of("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::/64");
        assert_eq!(of("2001:db8:1:2::9"), of("2001:db8:1:2:ffff::"));
    }

    #[test]
    fn an_ipv6_address_has_a_site_and_an_ipv4_address_has_none() {
        let of = |text: &str| ClientAddress::new(ip(text)).site().map(|site| site.to_string());
        assert_eq!(of("2001:db8:1:2:3:4:5:6").as_deref(), Some("2001:db8:1::/48"));
        assert_eq!(of("2001:db8:1:ffff::"), of("2001:db8:1::"));
        assert_eq!((of("192.0.2.7"), of("::ffff:192.0.2.7")), (None, None));
    }

    #[test]
    fn every_form_of_a_forwarded_address_is_read() {
        for (text, address) in [
            ("1.2.3.4", "1.2.3.4"),
            ("1.2.3.4:5678", "1.2.3.4"),
            ("\"1.2.3.4:5678\"", "1.2.3.4"),
            ("2001:db8::1", "2001:db8::1"),
            ("[2001:db8::1]", "2001:db8::1"),
            ("[2001:db8::1]:443", "2001:db8::1"),
            ("\"[2001:db8::1]:443\"", "2001:db8::1"),
            ("::ffff:1.2.3.4", "1.2.3.4"),
            ("  1.2.3.4\t", "1.2.3.4"),
        ] {
            assert_eq!(client(&[text], 1), address, "{text}");
        }
    }

    #[test]
    fn what_cannot_be_read_leaves_the_address_of_the_peer() {
        for text in [
            "",
            "unknown",
            "_hidden",
            "1.2.3",
            "1.2.3.4:99999",
            "[1.2.3.4]",
            "\"1.2.3.4",
            "1.2.3.4,",
            "\u{e9}",
        ] {
            assert_eq!(client(&[text], 1), "203.0.113.9", "{text}");
        }
        assert_eq!(client(&[], 1), "203.0.113.9");
        assert_eq!(client(&["1.2.3.4"], 2), "203.0.113.9", "one proxy too few");
    }

    #[test]
    fn the_number_of_proxies_says_which_address_is_believed() {
        let lines = ["6.6.6.6, 1.1.1.1", "2.2.2.2,3.3.3.3"];
        let read: Vec<String> = (0..=5).map(|proxies| client(&lines, proxies)).collect();
        assert_eq!(read, ["203.0.113.9", "3.3.3.3", "2.2.2.2", "1.1.1.1", "6.6.6.6", "203.0.113.9"]);
    }
}
