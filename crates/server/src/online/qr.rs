//! The QR code of a game's link, for a phone to scan from the screen.

use std::fmt::Write as _;

use qrcodegen::{QrCode, QrCodeEcc};

/// The width of the quiet zone around the code, in modules, as the standard requires.
const EDGE: i32 = 4;

/// The QR code of a text as SVG, dark on light; `None` if the text is too long.
pub(crate) fn svg(text: &str) -> Option<String> {
    let code = QrCode::encode_text(text, QrCodeEcc::Medium).ok()?;
    let size = code.size() + 2 * EDGE;
    let mut path = String::new();
    for y in 0..code.size() {
        for x in (0..code.size()).filter(|&x| code.get_module(x, y)) {
            write!(path, "M{} {}h1v1h-1z", x + EDGE, y + EDGE).expect("writing to a string");
        }
    }
    Some(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {size} {size}\" shape-rendering=\"crispEdges\">\
         <path fill=\"#fff\" d=\"M0 0h{size}v{size}h-{size}z\"/><path d=\"{path}\"/></svg>"
    ))
}

#[cfg(test)]
mod tests {
    use super::svg;

    #[test]
    fn a_link_becomes_a_picture_and_a_book_does_not() {
        let picture = svg("https://checkers.example.org/game/0123456789abcdefghijkl").expect("a short link");
        // Version 4 has 33 modules a side, and an edge of 4 on each.
        assert!(picture.contains("viewBox=\"0 0 41 41\""), "{picture}");
        assert!(svg(&"x".repeat(10_000)).is_none());
    }
}
