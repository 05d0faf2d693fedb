//! Who sends a request: the browser, known by its cookie, and where it stands.

use std::convert::Infallible;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, header};

use crate::error::ApiError;
use crate::online::Desk;
use crate::online::code::{Owner, Secret};

const COOKIE: &str = "crownhead";
const YEAR_SECONDS: u32 = 31_536_000;

/// A browser, by the secret in its cookie, if it has one.
pub(crate) struct Visitor {
    secret: Option<Secret>,
    is_secure: bool,
    /// The network address.
    pub(crate) address: String,
}

impl Visitor {
    /// What is known of it.
    pub(crate) fn owner(&self) -> Option<Owner> {
        self.secret.as_ref().map(Secret::owner)
    }

    /// Gives a secret to one that has none, and the cookie to be sent back.
    pub(crate) fn recognised(self) -> (Owner, HeaderMap) {
        let secret = self.secret.unwrap_or_else(Secret::random);
        let secure = if self.is_secure { "; Secure" } else { "" };
        let cookie = format!(
            "{COOKIE}={}; Path=/; Max-Age={YEAR_SECONDS}; HttpOnly; SameSite=Strict{secure}",
            secret.reveal()
        );
        let value = HeaderValue::try_from(cookie).expect("letters and digits");
        (secret.owner(), HeaderMap::from_iter([(header::SET_COOKIE, value)]))
    }
}

impl FromRequestParts<Desk> for Visitor {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, desk: &Desk) -> Result<Visitor, Infallible> {
        let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip());
        let told = forwarded(&parts.headers).filter(|_| desk.site.behind_proxy);
        Ok(Visitor {
            secret: cookie(&parts.headers),
            is_secure: desk.site.is_secure(),
            address: told.or(peer).map(household).unwrap_or_default(),
        })
    }
}

fn cookie(headers: &HeaderMap) -> Option<Secret> {
    let pairs = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs = pairs.flat_map(|value| value.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(name, _)| *name == COOKIE).and_then(|(_, value)| value.parse().ok())
}

/// The address that the last proxy saw.
fn forwarded(headers: &HeaderMap) -> Option<IpAddr> {
    let value = headers.get_all("x-forwarded-for").iter().next_back()?.to_str().ok()?;
    value.rsplit(',').next()?.trim().parse().ok()
}

/// What is counted as one address: of IPv6 the first half, because a household has all of the second.
pub(crate) fn household(address: IpAddr) -> String {
    match address.to_canonical() {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => {
            let network = address.to_bits() >> 64 << 64;
            format!("{}/64", Ipv6Addr::from_bits(network))
        }
    }
}

/// Where the server is seen from outside.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Site {
    /// `https://checkers.example.org`; if missing, whatever address a browser uses.
    pub origin: Option<String>,
    /// Is there a proxy in front that tells the addresses of clients?
    pub behind_proxy: bool,
}

impl Site {
    fn is_secure(&self) -> bool {
        self.origin.as_ref().is_some_and(|origin| origin.starts_with("https:"))
    }

    /// Where a browser finds us that asks with these headers.
    pub(crate) fn address(&self, headers: &HeaderMap) -> String {
        let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or("localhost");
        self.origin.clone().unwrap_or_else(|| format!("http://{host}"))
    }

    /// Pages of other sites may not act for their visitors here.
    pub(crate) fn check_origin(&self, headers: &HeaderMap) -> Result<(), ApiError> {
        let Some(origin) = headers.get(header::ORIGIN) else { return Ok(()) };
        let origin = origin.to_str().unwrap_or_default();
        let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
        let is_ours = match &self.origin {
            Some(ours) => ours == origin,
            // Whether a proxy adds the encryption cannot be seen from here.
            None => origin.split_once("://").is_some_and(|(_, place)| Some(place) == host),
        };
        if is_ours { Ok(()) } else { Err(ApiError::OtherOrigin) }
    }
}

#[cfg(test)]
mod tests {
    use super::household;

    #[test]
    fn a_household_is_one_address() {
        let of = |text: &str| household(text.parse().expect("an address"));
        assert_eq!(of("192.0.2.7"), "192.0.2.7");
        assert_eq!(of("::ffff:192.0.2.7"), "192.0.2.7");
        assert_eq!(of("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::/64");
        assert_eq!(of("2001:db8:1:2::9"), of("2001:db8:1:2:ffff::"));
    }
}
