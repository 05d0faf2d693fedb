//! The table files embedded in the crate. A test rebuilds all of them and compares.

/// WDL of up to 4 pieces and DTW of up to 3. Native builds also embed the DTW of 4 pieces; the browser fetches it when
/// needed.
pub(crate) const FILES: &[&[u8]] = &[
    include_bytes!("../data/2-pieces.wdl"),
    include_bytes!("../data/2-pieces.plies"),
    include_bytes!("../data/3-pieces.wdl"),
    include_bytes!("../data/3-pieces.plies"),
    include_bytes!("../data/4-pieces.wdl"),
    #[cfg(not(target_family = "wasm"))]
    include_bytes!("../data/4-pieces.plies"),
];
