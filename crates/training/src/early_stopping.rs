//! Early stopping: the losses of all epochs, the best checkpoint, and when training ends.

use crownhead_engine::{Network, WeightsError};

use crate::trainer::Losses;

/// Training ends after this many epochs without a lower validation loss.
const PATIENCE: usize = 3;

/// The epochs so far.
#[derive(Default)]
pub struct EarlyStopping {
    losses: Vec<Losses>,
    best: Option<Checkpoint>,
}

/// The network of the epoch with the lowest validation loss.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    /// The epoch, from 0.
    pub epoch: usize,
    /// The network after it.
    pub network: Network,
}

/// Does training go on after an epoch?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// The loss may still fall.
    Continue,
    /// The validation loss has not fallen for several epochs.
    NoImprovement,
    /// The weights have grown too large to be quantized, and do not recover from there.
    Diverged,
}

impl EarlyStopping {
    /// Adds an epoch. `network` is called only if its validation loss is the lowest so far.
    ///
    /// # Errors
    /// If the weights are too large to be quantized after the very first epoch.
    pub fn add(
        &mut self,
        losses: Losses,
        network: impl FnOnce() -> Result<Network, WeightsError>,
    ) -> Result<Progress, WeightsError> {
        let epoch = self.losses.len();
        self.losses.push(losses);
        let Some(best) = &mut self.best else {
            self.best = Some(Checkpoint { epoch, network: network()? });
            return Ok(Progress::Continue);
        };
        if losses.validation < self.losses[best.epoch].validation {
            let Ok(network) = network() else { return Ok(Progress::Diverged) };
            *best = Checkpoint { epoch, network };
        }
        Ok(if epoch - best.epoch < PATIENCE { Progress::Continue } else { Progress::NoImprovement })
    }

    /// The losses of all epochs.
    pub fn losses(&self) -> &[Losses] {
        &self.losses
    }

    /// The best checkpoint; none before the first epoch.
    pub fn best(&self) -> Option<&Checkpoint> {
        self.best.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use crownhead_rules::Rng;

    use super::*;
    use crate::parameters::Parameters;

    fn network(seed: u64) -> Result<Network, WeightsError> {
        Parameters::random(&mut Rng::new(seed)).quantized()
    }

    /// What follows each of these validation losses.
    fn train(validation: &[f64]) -> (EarlyStopping, Vec<Progress>) {
        let mut stopping = EarlyStopping::default();
        let add = |(epoch, &validation): (usize, &f64)| {
            stopping.add(Losses { training: 0.5, validation }, || network(epoch as u64)).unwrap()
        };
        let progress = validation.iter().enumerate().map(add).collect();
        (stopping, progress)
    }

    #[test]
    fn the_checkpoint_with_the_lowest_validation_loss_is_kept() {
        let (stopping, progress) = train(&[0.6, 0.5, 0.55, 0.4, 0.41]);
        assert_eq!(progress, [Progress::Continue; 5]);
        assert_eq!(stopping.losses().len(), 5);
        assert_eq!(stopping.best(), Some(&Checkpoint { epoch: 3, network: network(3).unwrap() }));
    }

    #[test]
    fn training_without_improvement_ends() {
        let (stopping, progress) = train(&[0.5, 0.6, 0.5, f64::NAN]);
        assert_eq!(progress[..3], [Progress::Continue; 3]);
        assert_eq!(progress[3], Progress::NoImprovement);
        assert_eq!(stopping.best().unwrap().epoch, 0);
    }

    #[test]
    fn weights_that_grow_too_large_end_training_and_leave_the_best_checkpoint() {
        let losses = Losses { training: 0.4, validation: 0.4 };
        let (mut stopping, _) = train(&[0.5, 0.6]);
        assert_eq!(stopping.add(losses, || Err(WeightsError::TooLarge)), Ok(Progress::Diverged));
        assert_eq!(stopping.best(), Some(&Checkpoint { epoch: 0, network: network(0).unwrap() }));
        let first = EarlyStopping::default().add(losses, || Err(WeightsError::TooLarge));
        assert_eq!(first, Err(WeightsError::TooLarge));
    }
}
