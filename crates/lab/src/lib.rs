//! Reviews of whole games: what each move was worth.

pub mod review;
