//! The server's HMAC key: signs cookies, and hashes client addresses before they are stored.

use std::fmt;

use hmac::{Hmac, Mac};
use sha2::Sha256;

use crate::online::address::ClientAddress;
use crate::online::ids::random;

/// A signature has 128 bits, too many to guess.
const SIGNATURE_BYTES: usize = 16;
/// The length of a signature in hexadecimal digits.
pub(crate) const SIGNATURE_DIGITS: usize = 2 * SIGNATURE_BYTES;

/// What a signature is for. A signature for one purpose is not accepted for another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    Cookie,
    Address,
}

impl Purpose {
    /// Part of every signature, so it never changes.
    fn label(self) -> &'static [u8] {
        match self {
            Purpose::Cookie => b"cookie\0",
            Purpose::Address => b"address\0",
        }
    }
}

/// A key for HMAC-SHA256.
#[derive(Clone, PartialEq, Eq)]
pub struct ServerKey([u8; 32]);

impl ServerKey {
    /// A new random key.
    pub fn random() -> ServerKey {
        ServerKey(random())
    }

    /// The form in which the database stores it.
    pub(crate) fn to_text(&self) -> String {
        let (first, second) = self.0.split_at(16);
        [first, second]
            .map(|half| format!("{:032x}", u128::from_be_bytes(half.try_into().expect("a half"))))
            .concat()
    }

    /// Reads a stored key.
    pub(crate) fn from_text(text: &str) -> Option<ServerKey> {
        let halves = [text.get(..32)?, text.get(32..)?].map(read_hexadecimal);
        let [Some(first), Some(second)] = halves else { return None };
        let bytes = [first, second].concat();
        bytes.try_into().ok().map(ServerKey)
    }

    /// The signature of some bytes, as hexadecimal digits.
    pub(crate) fn sign(&self, purpose: Purpose, bytes: &[u8]) -> String {
        let code = self.mac(purpose, bytes).finalize().into_bytes();
        let half = code.first_chunk().expect("it has 256 bits");
        format!("{:032x}", u128::from_be_bytes(*half))
    }

    /// Did this key sign these bytes for this purpose? The comparison takes constant time.
    pub(crate) fn verify(&self, purpose: Purpose, bytes: &[u8], signature: &str) -> bool {
        let Some(signature) = read_hexadecimal(signature) else { return false };
        self.mac(purpose, bytes).verify_truncated_left(&signature).is_ok()
    }

    /// A keyed hash of a client's network: enough to count its games, useless without the key.
    pub(crate) fn address_hash(&self, address: ClientAddress) -> String {
        self.sign(Purpose::Address, address.network().to_string().as_bytes())
    }

    fn mac(&self, purpose: Purpose, bytes: &[u8]) -> Hmac<Sha256> {
        let mac = <Hmac<Sha256> as Mac>::new_from_slice(&self.0).expect("a key may have any length");
        mac.chain_update(purpose.label()).chain_update(bytes)
    }
}

/// Never prints the key, so that it cannot get into logs.
impl fmt::Debug for ServerKey {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("ServerKey")
    }
}

fn read_hexadecimal(text: &str) -> Option<[u8; SIGNATURE_BYTES]> {
    let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    if text.len() != SIGNATURE_DIGITS || !text.bytes().all(is_digit) {
        return None;
    }
    u128::from_str_radix(text, 16).ok().map(u128::to_be_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_key_that_signed_accepts_the_signature_and_only_for_its_purpose() {
        let key = ServerKey([7; 32]);
        let signature = key.sign(Purpose::Cookie, b"word");
        assert_eq!(signature.len(), SIGNATURE_DIGITS);
        assert!(key.verify(Purpose::Cookie, b"word", &signature));
        assert!(ServerKey::from_text(&key.to_text()).expect("a key").verify(
            Purpose::Cookie,
            b"word",
            &signature
        ));
        assert!(!key.verify(Purpose::Cookie, b"work", &signature));
        assert!(!key.verify(Purpose::Address, b"word", &signature));
        assert!(!ServerKey::random().verify(Purpose::Cookie, b"word", &signature));
        for wrong in ["", &signature[1..], &signature.to_uppercase(), &format!("+{}", &signature[1..])] {
            assert!(!key.verify(Purpose::Cookie, b"word", wrong), "{wrong}");
        }
    }

    #[test]
    fn signatures_are_hmac_sha256_and_never_change() {
        // printf 'cookie\0word' | openssl dgst -sha256 -mac HMAC -macopt hexkey:0707…07
        let signature = ServerKey([7; 32]).sign(Purpose::Cookie, b"word");
        assert_eq!(signature, "fb73392636592ccd4976505939d12c50");
    }

    #[test]
    fn an_address_is_stored_by_its_network_and_means_nothing_without_the_key() {
        let (key, other) = (ServerKey([1; 32]), ServerKey([2; 32]));
        let [one, same, next] = ["2001:db8::1", "2001:db8::2", "2001:db8:0:1::1"]
            .map(|text| ClientAddress::new(text.parse().expect("an address")));
        assert_eq!(key.address_hash(one), key.address_hash(same));
        assert_ne!(key.address_hash(one), key.address_hash(next));
        assert_ne!(key.address_hash(one), other.address_hash(one));
        assert_eq!(format!("{key:?}"), "ServerKey");
    }
}
