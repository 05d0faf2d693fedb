//! The files that come with the program. A test builds all of them anew and compares.

/// Win, draw and loss up to 4 pieces and distances up to 3 and, except in the browser, which fetches them when it needs
/// them, distances of 4.
pub(crate) const FILES: &[&[u8]] = &[
    include_bytes!("../data/2-pieces.wdl"),
    include_bytes!("../data/2-pieces.plies"),
    include_bytes!("../data/3-pieces.wdl"),
    include_bytes!("../data/3-pieces.plies"),
    include_bytes!("../data/4-pieces.wdl"),
    #[cfg(not(target_family = "wasm"))]
    include_bytes!("../data/4-pieces.plies"),
];
