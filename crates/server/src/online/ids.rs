//! Unguessable ids: game ids for links, browser secrets for cookies, and the stored hashes of secrets.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// 128 bits take this many characters of the alphabet.
const LENGTH: usize = 22;
/// Logs show only this many of them.
const LOGGED: usize = 8;
const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// 128 random bits as letters and digits, which need no escaping in links and cookies.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Token([u8; LENGTH]);

/// The id of a game. The game cannot be found without it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct GameId(Token);

/// The secret in a browser's cookie. It gives access to the browser's seats.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Secret(Token);

/// The stored hash of a secret: enough to recognise it, not enough to take a seat.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Owner(pub(crate) String);

/// The text is not an id, which has 22 letters and digits.
#[derive(Debug, thiserror::Error)]
#[error("{0:?} is not an id of {LENGTH} letters and digits")]
pub struct InvalidId(String);

impl GameId {
    /// A new id, unique and unguessable.
    pub fn random() -> GameId {
        GameId(Token::random())
    }
}

impl Secret {
    /// A new secret, unique and unguessable.
    pub fn random() -> Secret {
        Secret(Token::random())
    }

    /// The hash that is stored of it.
    pub fn owner(&self) -> Owner {
        Owner(hash(&self.0.0))
    }

    /// The stored hash as text.
    pub fn owner_text(&self) -> String {
        self.owner().0
    }

    /// The secret as text, for the cookie and for nothing else.
    pub(crate) fn reveal(&self) -> String {
        self.0.to_string()
    }
}

/// The first 128 bits of SHA-256 as hexadecimal digits: as hard to guess as the secret itself.
pub(crate) fn hash(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    let half = digest.first_chunk().expect("it has 256 bits");
    format!("{:032x}", u128::from_be_bytes(*half))
}

/// Unguessable bytes from the system's random generator.
pub(crate) fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the system has random numbers");
    bytes
}

impl Token {
    fn random() -> Token {
        let mut rest = u128::from_le_bytes(random());
        let mut code = [0; LENGTH];
        for letter in &mut code {
            *letter = ALPHABET[(rest % ALPHABET.len() as u128) as usize];
            rest /= ALPHABET.len() as u128;
        }
        Token(code)
    }
}

impl FromStr for Token {
    type Err = InvalidId;

    fn from_str(text: &str) -> Result<Token, InvalidId> {
        let fits = text.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let code = text.as_bytes().try_into().ok().filter(|_| fits);
        code.map(Token).ok_or_else(|| InvalidId(text.chars().take(2 * LENGTH).collect()))
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(std::str::from_utf8(&self.0).expect("letters and digits"))
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Readers of a log can tell which lines are about the same game, but cannot join it.
impl fmt::Debug for GameId {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let whole = self.0.to_string();
        write!(f, "{}…", &whole[..LOGGED])
    }
}

/// Never prints the secret, so that it cannot get into logs.
impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("Secret")
    }
}

impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for GameId {
    type Err = InvalidId;

    fn from_str(text: &str) -> Result<GameId, InvalidId> {
        text.parse().map(GameId)
    }
}

impl TryFrom<String> for GameId {
    type Error = InvalidId;

    fn try_from(text: String) -> Result<GameId, InvalidId> {
        text.parse()
    }
}

impl From<GameId> for String {
    fn from(id: GameId) -> String {
        id.to_string()
    }
}

impl FromStr for Secret {
    type Err = InvalidId;

    fn from_str(text: &str) -> Result<Secret, InvalidId> {
        text.parse().map(Secret)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_read_back_and_other_text_is_rejected() {
        let id = GameId::random();
        assert_eq!(id.to_string().parse::<GameId>().expect("a code"), id);
        assert_ne!(GameId::random(), id);
        for text in ["", "short", "ümlautümlautümlau", "0123456789012345678901234", "012345678901234567890/"]
        {
            assert!(text.parse::<GameId>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_log_does_not_tell_the_name_of_a_game() {
        let id: GameId = "0123456789abcdefghijkl".parse().expect("a code");
        assert_eq!(format!("{id:?}"), "01234567…");
    }

    #[test]
    fn a_secret_is_neither_printed_nor_stored() {
        let secret = Secret::random();
        assert!(!format!("{secret:?}").contains(&secret.reveal()));
        assert!(!secret.owner().0.contains(&secret.reveal()));
        assert_eq!(secret.owner(), secret.reveal().parse::<Secret>().expect("a code").owner());
    }
}
