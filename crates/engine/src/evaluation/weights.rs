//! The file format of the network: magic bytes, shape, checksum, quantized weights.

use super::features::Features;
use super::network::{HiddenLayer, Network, Weights};

/// Why weights are rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WeightsError {
    /// The magic bytes are not those of this version.
    #[error("not a weights file of this version; make one with `crownhead train fit`")]
    Foreign,
    /// The network has another shape.
    #[error("these weights are for a network of another size; make new ones with `crownhead train fit`")]
    OtherShape,
    /// The checksum does not match.
    #[error("the weights file is damaged: its checksum does not match; get it again")]
    Damaged,
    /// A sum could overflow.
    #[error("these weights are so large that sums would overflow; train again")]
    TooLarge,
}

const MAGIC: [u8; 8] = *b"CHEVAL01";
const SHAPE: [u16; 3] = [Features::COUNT as u16, Network::HIDDEN as u16, Features::BUCKETS as u16];
/// The magic bytes, the shape and the checksum.
const HEADER_BYTES: usize = 8 + 2 * SHAPE.len() + 4;
const LAYER_BYTES: usize = 2 * Network::HIDDEN;
const BODY_BYTES: usize = (1 + Features::COUNT + Features::BUCKETS) * LAYER_BYTES + 4 * Features::BUCKETS;

impl Network {
    /// Reads a weights file.
    ///
    /// # Errors
    /// If it is another kind of file, damaged, or made for another network.
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, WeightsError> {
        let (header, body) = bytes.split_at_checked(HEADER_BYTES).ok_or(WeightsError::Foreign)?;
        let Some(rest) = header.strip_prefix(&MAGIC) else { return Err(WeightsError::Foreign) };
        let (shape, sum) = rest.split_at(2 * SHAPE.len());
        if shape != SHAPE.map(u16::to_le_bytes).as_flattened() {
            return Err(WeightsError::OtherShape);
        }
        if body.len() != BODY_BYTES || sum != crc32fast::hash(body).to_le_bytes() {
            return Err(WeightsError::Damaged);
        }
        let (units, output_bias) = body.split_at(body.len() - 4 * Features::BUCKETS);
        let mut units = units.chunks_exact(LAYER_BYTES).map(read_layer);
        let mut several = |count: usize| units.by_ref().take(count).collect::<Vec<_>>();
        Network::new(Weights {
            bias: several(1)[0],
            input: several(Features::COUNT),
            output: several(Features::BUCKETS),
            output_bias: output_bias.as_chunks().0.iter().map(|&bytes| i32::from_le_bytes(bytes)).collect(),
        })
    }

    /// The bytes of the weights file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let weights = self.weights();
        let units = [weights.bias].into_iter().chain(weights.input.clone()).chain(weights.output.clone());
        let mut body: Vec<u8> = units.flatten().flat_map(i16::to_le_bytes).collect();
        body.extend(weights.output_bias.iter().flat_map(|bias| bias.to_le_bytes()));
        let mut bytes = MAGIC.to_vec();
        bytes.extend(SHAPE.iter().flat_map(|size| size.to_le_bytes()));
        bytes.extend(crc32fast::hash(&body).to_le_bytes());
        bytes.extend(body);
        bytes
    }

    /// The checksum of the weights, which identifies the network.
    pub fn checksum(&self) -> u32 {
        let bytes = self.to_bytes();
        crc32fast::hash(&bytes[HEADER_BYTES..])
    }
}

fn read_layer(bytes: &[u8]) -> HiddenLayer {
    let mut units = [0; Network::HIDDEN];
    for (unit, &bytes) in units.iter_mut().zip(bytes.as_chunks().0) {
        *unit = i16::from_le_bytes(bytes);
    }
    units
}

#[cfg(test)]
mod tests {
    use super::*;

    const BYTES: &[u8] = include_bytes!("../../data/evaluation.weights");

    #[test]
    fn a_network_is_read_back_as_it_was_written() {
        assert_eq!(Network::from_bytes(BYTES).unwrap().to_bytes(), BYTES);
    }

    #[test]
    fn damaged_weights_are_rejected() {
        let changed = |at: usize| {
            let mut bytes = BYTES.to_vec();
            bytes[at] ^= 1;
            Network::from_bytes(&bytes)
        };
        assert_eq!(changed(0), Err(WeightsError::Foreign));
        assert_eq!(changed(10), Err(WeightsError::OtherShape));
        assert_eq!(changed(HEADER_BYTES + 1000), Err(WeightsError::Damaged));
        assert_eq!(Network::from_bytes(&BYTES[..5000]), Err(WeightsError::Damaged));
        assert_eq!(Network::from_bytes(b""), Err(WeightsError::Foreign));
    }

    #[test]
    fn weights_that_could_overflow_are_rejected() {
        let network = Network::from_bytes(BYTES).unwrap();
        let mut weights = network.weights().clone();
        weights.input[7][3] = i16::MAX;
        assert_eq!(Network::new(weights), Err(WeightsError::TooLarge));
        // Each is small by itself, but their sum overflows the output of one bucket.
        let mut weights = network.weights().clone();
        weights.output[2] = [3 * Network::OUTPUT_ONE as i16; Network::HIDDEN];
        assert_eq!(Network::new(weights), Err(WeightsError::TooLarge));
    }
}
