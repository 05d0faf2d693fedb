//! The range of seeds that another engine offers in its `param` line.

use crate::line::Line;

/// The parameter from which a program seeds its random choices.
pub(super) const SEED: &str = "seed";
/// The largest seed that fits everywhere, even into a signed 32-bit number.
const MAX_ANYWHERE: u64 = i32::MAX as u64;

/// An inclusive range of seeds. It excludes 0, which means an unknown seed to many programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SeedRange {
    min: u64,
    max: u64,
}

impl SeedRange {
    /// The range that a `param` line offers, if it describes a numeric seed.
    pub(super) fn offered(line: &Line) -> Option<SeedRange> {
        let bound = |name| line.get(name).and_then(|text| text.parse().ok());
        let min = bound("min").unwrap_or(1).max(1);
        let max = bound("max").unwrap_or(MAX_ANYWHERE);
        let is_number = line.get("type").is_none_or(|kind| kind == "int");
        (line.get("name") == Some(SEED) && is_number && min <= max).then_some(SeedRange { min, max })
    }

    /// Maps a number to a seed in the range, always the same one.
    pub(super) fn pick(self, number: u64) -> u64 {
        self.min + number % (self.max - self.min + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offered(line: &str) -> Option<SeedRange> {
        SeedRange::offered(&Line::parse(line).unwrap())
    }

    #[test]
    fn a_picked_seed_is_in_the_range_that_the_program_offers() {
        for (line, min, max) in [
            ("param name=seed value=0 type=int min=0 max=9223372036854775807", 1, i64::MAX as u64),
            ("param name=seed type=int min=-5 max=9", 1, 9),
            ("param name=seed min=7 max=7", 7, 7),
            ("param name=seed min=0 max=18446744073709551615", 1, u64::MAX),
            ("param name=seed", 1, MAX_ANYWHERE),
        ] {
            let seeds = offered(line).unwrap();
            assert_eq!(seeds, SeedRange { min, max }, "{line}");
            for number in [0, 1, 12, max - 1, max, u64::MAX] {
                assert!((min..=max).contains(&seeds.pick(number)), "{number}: {line}");
            }
        }
    }

    #[test]
    fn other_parameters_are_not_taken_for_a_seed() {
        for line in ["param name=hash min=1", "param name=seed type=string", "param name=seed min=0 max=0"] {
            assert_eq!(offered(line), None, "{line}");
        }
    }
}
