//! The computer at the board: carries out what a game asks of an engine, analyses positions and reviews games.

pub mod review;
