//! Static evaluation of quiet positions, by the network or by the handcrafted terms.

mod features;
mod handcrafted;
mod network;
mod weights;

use std::sync::{Arc, LazyLock};

use crownhead_rules::Position;

use crate::score::Score;
pub use features::Features;
use network::Accumulator;
pub use network::{HiddenLayer, Network, Weights};
pub use weights::WeightsError;

/// The network that is part of every build. `docs/strength.md` says how it was trained.
static EMBEDDED: LazyLock<Arc<Network>> = LazyLock::new(|| {
    let network = Network::from_bytes(include_bytes!("../data/evaluation.weights"));
    Arc::new(network.expect("the tests read the embedded weights"))
});

/// How positions are evaluated.
#[derive(Clone, Debug)]
pub enum Evaluation {
    /// Handcrafted terms.
    Handcrafted,
    /// A network trained on self-play games.
    Network(Arc<Network>),
}

impl Default for Evaluation {
    /// The embedded network.
    fn default() -> Evaluation {
        Evaluation::Network(Arc::clone(&EMBEDDED))
    }
}

/// The evaluator of one thread. Keeps an accumulator for each ply, because the next position there differs little.
pub(crate) struct Evaluator<'a> {
    evaluation: &'a Evaluation,
    accumulators: Vec<Accumulator>,
}

impl<'a> Evaluator<'a> {
    pub(crate) fn new(evaluation: &'a Evaluation) -> Evaluator<'a> {
        Evaluator { evaluation, accumulators: Vec::new() }
    }

    /// The evaluation for the side to move. Meaningful only if no capture is due.
    #[inline]
    pub(crate) fn evaluate(&mut self, position: &Position, ply: usize) -> Score {
        Score::men(match self.evaluation {
            Evaluation::Handcrafted => handcrafted::evaluate(position),
            Evaluation::Network(network) => {
                if ply >= self.accumulators.len() {
                    self.accumulators.resize_with(ply + 1, || network.empty_accumulator());
                }
                network.update_and_evaluate(Features::of(position), &mut self.accumulators[ply])
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_weights_can_be_read() {
        assert!(matches!(Evaluation::default(), Evaluation::Network(_)));
    }

    #[test]
    fn an_updated_accumulator_evaluates_like_a_fresh_one() {
        let evaluation = Evaluation::default();
        let Evaluation::Network(network) = &evaluation else { panic!("the network is the default") };
        let mut used = Evaluator::new(&evaluation);
        for fen in ["B:W21-32:B1-12", "W:W9,K12,22,30:BK2,5,14,K20", "B:WK1,27:B4,11", "B:W30,31:B1,2,3"] {
            let position: Position = fen.parse().unwrap();
            assert_eq!(
                used.evaluate(&position, 3),
                Evaluator::new(&evaluation).evaluate(&position, 0),
                "{fen}"
            );
            assert_eq!(used.evaluate(&position, 3), used.evaluate(&position.turned(), 3), "{fen} turned");
            let from_scratch = network.evaluate(Features::of(&position));
            assert_eq!(used.evaluate(&position, 3), Score::men(from_scratch), "{fen}");
        }
    }

    #[test]
    fn a_piece_more_is_an_advantage() {
        let evaluation = Evaluation::default();
        let mut evaluator = Evaluator::new(&evaluation);
        let mut value = |fen: &str| evaluator.evaluate(&fen.parse().unwrap(), 0).hundredths();
        assert!(value("B:W21-32:B1-12").abs() < 20);
        assert!(value("B:W21-23,25-32:B1-12") > 50);
        assert!(value("B:W29-32,21,22:B1-4") < -100);
        assert!(value("B:WK32:BK14,K15") > 50 && value("B:WK14,K15:BK32") < -50);
    }
}
