//! The session of a request: the browser, identified by its signed cookie, and its network address.

use std::net::{IpAddr, SocketAddr};

use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::request::Parts;
use axum::http::{Extensions, HeaderMap, HeaderValue, header};

use crate::error::ApiError;
use crate::online::AppState;
use crate::online::address::ClientAddress;
use crate::online::ids::{Owner, Secret};
use crate::online::key::{Purpose, SIGNATURE_DIGITS, ServerKey};

/// The cookie over plain http, and in earlier versions also over https.
const COOKIE: &str = "crownhead";
/// Browsers accept it over https only, and from no other host, not even one of the same domain.
const SECURE_COOKIE: &str = "__Host-crownhead";
const YEAR_SECONDS: u32 = 31_536_000;

/// A browser, by the secret in its cookie, if it has one.
pub(crate) struct Session {
    secret: Option<Secret>,
    /// The browser has no cookie in the current form with a valid signature.
    is_outdated: bool,
    is_secure: bool,
    key: ServerKey,
    pub(crate) address: ClientAddress,
}

impl Session {
    /// The stored hash of the browser's secret, if it has one.
    pub(crate) fn owner(&self) -> Option<Owner> {
        self.secret.as_ref().map(Secret::owner)
    }

    /// Returns the owner and the cookie to set, with a new secret if the browser has none.
    pub(crate) fn recognised(self) -> (Owner, HeaderMap) {
        let secret = self.secret.unwrap_or_else(Secret::random);
        (secret.owner(), self.set_cookie(secret))
    }

    /// The cookie to set in a browser that has an outdated one.
    pub(crate) fn renewed(&self) -> HeaderMap {
        match self.secret {
            Some(secret) if self.is_outdated => self.set_cookie(secret),
            _ => HeaderMap::new(),
        }
    }

    /// The headers that delete the browser's cookies.
    pub(crate) fn remove_cookie(&self) -> HeaderMap {
        let gone = |name: &str| {
            let secure = if name == SECURE_COOKIE { "; Secure" } else { "" };
            let cookie = format!("{name}=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict{secure}");
            HeaderValue::try_from(cookie).expect("letters and digits")
        };
        let names: &[&str] = if self.is_secure { &[SECURE_COOKIE, COOKIE] } else { &[COOKIE] };
        let mut headers = HeaderMap::new();
        for name in names {
            headers.append(header::SET_COOKIE, gone(name));
        }
        headers
    }

    fn set_cookie(&self, secret: Secret) -> HeaderMap {
        let (name, secure) = if self.is_secure { (SECURE_COOKIE, "; Secure") } else { (COOKIE, "") };
        let value = signed(&self.key, secret);
        let cookie =
            format!("{name}={value}; Path=/; Max-Age={YEAR_SECONDS}; HttpOnly; SameSite=Strict{secure}");
        let value = HeaderValue::try_from(cookie).expect("letters and digits");
        HeaderMap::from_iter([(header::SET_COOKIE, value)])
    }
}

impl FromRequestParts<AppState> for Session {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Session, ApiError> {
        let (is_secure, key) = (state.site.is_secure(), state.key.clone());
        let address = state.site.client(&parts.extensions, &parts.headers);
        let name = if is_secure { SECURE_COOKIE } else { COOKIE };
        let issued = cookies(&parts.headers, name).find_map(|value| verified(&key, value));
        let secret = match issued {
            Some(secret) => Some(secret),
            None => seated(&parts.headers, name, state).await?,
        };
        Ok(Session { secret, is_outdated: issued.is_none(), is_secure, key, address })
    }
}

/// The secret of a browser whose cookie is not signed by this key, if the browser has a seat. Then a server issued the
/// cookie: in an earlier version, or with a key that is lost.
async fn seated(headers: &HeaderMap, name: &str, state: &AppState) -> Result<Option<Secret>, ApiError> {
    let current = cookies(headers, name).find_map(unverified);
    let earlier = || cookies(headers, COOKIE).find_map(|value| value.parse().ok());
    let Some(secret) = current.or_else(earlier) else { return Ok(None) };
    let games = state.games.context.store.games_of(&secret.owner(), 1).await?;
    Ok(if games.is_empty() { None } else { Some(secret) })
}

/// The secret and its signature.
fn signed(key: &ServerKey, secret: Secret) -> String {
    let secret = secret.reveal();
    let signature = key.sign(Purpose::Cookie, secret.as_bytes());
    secret + &signature
}

/// The secret in a value that was signed with this key.
fn verified(key: &ServerKey, value: &str) -> Option<Secret> {
    let (secret, signature) = value.split_at_checked(value.len().checked_sub(SIGNATURE_DIGITS)?)?;
    let is_ours = key.verify(Purpose::Cookie, secret.as_bytes(), signature);
    secret.parse().ok().filter(|_| is_ours)
}

/// The secret in a value, without regard to its signature.
fn unverified(value: &str) -> Option<Secret> {
    let length = value.len().checked_sub(SIGNATURE_DIGITS);
    let signed = length.and_then(|length| value.split_at_checked(length));
    signed.map_or(value, |(secret, _)| secret).parse().ok()
}

/// The values of all cookies of this name.
fn cookies<'a>(headers: &'a HeaderMap, name: &'a str) -> impl Iterator<Item = &'a str> {
    let lines = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let pairs = lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.filter(move |(found, _)| *found == name).map(|(_, value)| value)
}

/// The public address of the server, and the proxies in front of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Site {
    /// `https://checkers.example.org`; if missing, whatever address a browser uses.
    pub origin: Option<String>,
    /// How many proxies stand in front and report the addresses of clients in `X-Forwarded-For`.
    pub proxies: usize,
}

impl Site {
    /// Do browsers reach the server over https?
    pub(crate) fn is_secure(&self) -> bool {
        self.origin.as_ref().is_some_and(|origin| origin.starts_with("https:"))
    }

    /// The address of the client that sent a request.
    pub(crate) fn client(&self, extensions: &Extensions, headers: &HeaderMap) -> ClientAddress {
        let peer: Option<IpAddr> = extensions.get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip());
        ClientAddress::of_request(peer, headers, self.proxies)
    }

    /// The base URL of the server for a browser that sends these headers.
    pub(crate) fn address(&self, headers: &HeaderMap) -> String {
        let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or("localhost");
        self.origin.clone().unwrap_or_else(|| format!("http://{host}"))
    }

    /// Rejects requests from pages of other sites, which must not act for their visitors here.
    pub(crate) fn check_origin(&self, headers: &HeaderMap) -> Result<(), ApiError> {
        let Some(origin) = headers.get(header::ORIGIN) else { return Ok(()) };
        let origin = origin.to_str().unwrap_or_default();
        let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
        let is_ours = match &self.origin {
            Some(ours) => ours == origin,
            // The scheme is unknown here, because a proxy may add the encryption.
            None => origin.split_once("://").is_some_and(|(_, place)| Some(place) == host),
        };
        if is_ours { Ok(()) } else { Err(ApiError::OtherOrigin) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_value_that_the_key_signed_is_verified() {
        let (key, secret) = (ServerKey::random(), Secret::random());
        let value = signed(&key, secret);
        assert_eq!(verified(&key, &value), Some(secret));
        assert_eq!(verified(&ServerKey::random(), &value), None);
        let other = signed(&key, Secret::random());
        let mixed = [&value[..22], &other[22..]].concat();
        for wrong in ["", &value[..22], &value[1..], &mixed, "é".repeat(27).as_str()] {
            assert_eq!(verified(&key, wrong), None, "{wrong}");
        }
    }

    #[test]
    fn all_cookies_of_a_name_are_found_and_no_others() {
        let lines = ["a=1; crownhead=x;crownhead=y", "crownhead = z; __Host-crownhead=w; crownhead=="];
        let lines = lines.map(|line| (header::COOKIE, HeaderValue::from_static(line)));
        let headers = HeaderMap::from_iter(lines);
        assert_eq!(cookies(&headers, COOKIE).collect::<Vec<_>>(), ["x", "y", "="]);
        assert_eq!(cookies(&headers, SECURE_COOKIE).collect::<Vec<_>>(), ["w"]);
    }
}
