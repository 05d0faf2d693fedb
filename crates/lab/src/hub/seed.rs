//! The seeds that another program takes.

use super::line::Line;

/// The parameter that says what a program draws its chances from.
pub(super) const SEED: &str = "seed";
/// Fits everywhere, even into a number with a sign.
const MOST_ANYWHERE: u64 = i32::MAX as u64;

/// From one number to another, both included. 0 is left out: to many programs it means one that nobody knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Seeds {
    least: u64,
    most: u64,
}

impl Seeds {
    /// What a `param` line offers, if it is about the seed and that is a number.
    pub(super) fn offered(line: &Line) -> Option<Seeds> {
        let bound = |name| line.get(name).and_then(|text| text.parse().ok());
        let least = bound("min").unwrap_or(1).max(1);
        let most = bound("max").unwrap_or(MOST_ANYWHERE);
        let is_number = line.get("type").is_none_or(|kind| kind == "int");
        (line.get("name") == Some(SEED) && is_number && least <= most).then_some(Seeds { least, most })
    }

    /// One of them, always the same for the same number.
    pub(super) fn pick(self, number: u64) -> u64 {
        self.least + number % (self.most - self.least + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offered(line: &str) -> Option<Seeds> {
        Seeds::offered(&Line::parse(line).unwrap())
    }

    #[test]
    fn a_seed_is_one_that_the_program_takes() {
        for (line, least, most) in [
            ("param name=seed value=0 type=int min=0 max=9223372036854775807", 1, i64::MAX as u64),
            ("param name=seed type=int min=-5 max=9", 1, 9),
            ("param name=seed min=7 max=7", 7, 7),
            ("param name=seed min=0 max=18446744073709551615", 1, u64::MAX),
            ("param name=seed", 1, MOST_ANYWHERE),
        ] {
            let seeds = offered(line).unwrap();
            assert_eq!(seeds, Seeds { least, most }, "{line}");
            for number in [0, 1, 12, most - 1, most, u64::MAX] {
                assert!((least..=most).contains(&seeds.pick(number)), "{number}: {line}");
            }
        }
    }

    #[test]
    fn what_is_no_seed_is_left_alone() {
        for line in ["param name=hash min=1", "param name=seed type=string", "param name=seed min=0 max=0"] {
            assert_eq!(offered(line), None, "{line}");
        }
    }
}
