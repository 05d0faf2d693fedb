//! The course of a fit: the losses of its passes, the network of the best one, and when to stop.

use crownhead_engine::{Network, WeightsError};

use super::fit::Losses;

/// After so many passes that have not improved the loss on what was held out, no other will.
const PATIENCE: usize = 3;

/// The passes so far.
#[derive(Default)]
pub struct Course {
    losses: Vec<Losses>,
    best: Option<Best>,
}

/// The pass that does best on what was held out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Best {
    /// Its place among all passes, from 0 on.
    pub pass: usize,
    /// What it came to.
    pub network: Network,
}

/// Does a fit go on after a pass?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// There may be a better network.
    Goes,
    /// There was none for so long that none will come.
    NoBetter,
    /// The numbers have grown too large for a network, and do not come back from there.
    TooLarge,
}

impl Course {
    /// Adds a pass. Its network is asked for only if it is the best so far.
    ///
    /// # Errors
    /// If the numbers are too large for a network before there was any.
    pub fn add(
        &mut self,
        losses: Losses,
        network: impl FnOnce() -> Result<Network, WeightsError>,
    ) -> Result<Next, WeightsError> {
        let pass = self.losses.len();
        self.losses.push(losses);
        let Some(best) = &mut self.best else {
            self.best = Some(Best { pass, network: network()? });
            return Ok(Next::Goes);
        };
        if losses.held_out < self.losses[best.pass].held_out {
            let Ok(network) = network() else { return Ok(Next::TooLarge) };
            *best = Best { pass, network };
        }
        Ok(if pass - best.pass < PATIENCE { Next::Goes } else { Next::NoBetter })
    }

    /// The losses of all passes.
    pub fn losses(&self) -> &[Losses] {
        &self.losses
    }

    /// The best pass; none before the first.
    pub fn best(&self) -> Option<&Best> {
        self.best.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use crownhead_rules::Rng;

    use super::super::parameters::Parameters;
    use super::*;

    fn network(seed: u64) -> Result<Network, WeightsError> {
        Parameters::random(&mut Rng::new(seed)).network()
    }

    /// What comes after each of these losses on what was held out.
    fn course(held_out: &[f64]) -> (Course, Vec<Next>) {
        let mut course = Course::default();
        let add = |(pass, &held_out): (usize, &f64)| {
            course.add(Losses { learnt: 0.5, held_out }, || network(pass as u64)).unwrap()
        };
        let next = held_out.iter().enumerate().map(add).collect();
        (course, next)
    }

    #[test]
    fn the_best_pass_on_what_was_held_out_is_kept() {
        let (course, next) = course(&[0.6, 0.5, 0.55, 0.4, 0.41]);
        assert_eq!(next, [Next::Goes; 5]);
        assert_eq!(course.losses().len(), 5);
        assert_eq!(course.best(), Some(&Best { pass: 3, network: network(3).unwrap() }));
    }

    #[test]
    fn a_fit_that_gets_no_better_ends() {
        let (course, next) = course(&[0.5, 0.6, 0.5, f64::NAN]);
        assert_eq!(next, [Next::Goes, Next::Goes, Next::Goes, Next::NoBetter]);
        assert_eq!(course.best().unwrap().pass, 0);
    }

    #[test]
    fn numbers_that_grow_too_large_end_a_fit_and_leave_the_best_network() {
        let (mut course, _) = course(&[0.5, 0.6]);
        let next = course.add(Losses { learnt: 0.4, held_out: 0.4 }, || Err(WeightsError::TooLarge));
        assert_eq!(next, Ok(Next::TooLarge));
        assert_eq!(course.best(), Some(&Best { pass: 0, network: network(0).unwrap() }));
        let first =
            Course::default().add(Losses { learnt: 0.4, held_out: 0.4 }, || Err(WeightsError::TooLarge));
        assert_eq!(first, Err(WeightsError::TooLarge));
    }
}
