//! How many connections each network address has.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::error::ApiError;

/// All that are connected, by address.
#[derive(Clone, Default)]
pub(crate) struct Callers(Arc<Mutex<HashMap<String, usize>>>);

/// One connection, counted until it is dropped.
pub(crate) struct Line {
    callers: Callers,
    address: String,
}

impl Callers {
    /// One more connection, if the address may have it.
    pub(crate) fn line(&self, address: &str, most: usize) -> Result<Line, ApiError> {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.entry(address.to_owned()).or_default();
        if *count >= most {
            return Err(ApiError::TooManyConnections);
        }
        *count += 1;
        Ok(Line { callers: self.clone(), address: address.to_owned() })
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        let mut counts = self.callers.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = counts.get_mut(&self.address) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.address);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_gets_so_many_lines_and_no_more() {
        let callers = Callers::default();
        let first = callers.line("::1", 1).expect("the first");
        assert!(callers.line("::1", 1).is_err());
        assert!(callers.line("::2", 1).is_ok());
        drop(first);
        assert!(callers.line("::1", 1).is_ok());
        assert!(callers.0.lock().expect("nobody panicked").is_empty());
    }
}
