//! Leaves out of scripts and style sheets the lines that are only comment: browsers need none, and they are a third.

/// The text without comments that have lines to themselves, and without blank lines. What stands inside a template
/// literal stays as it is.
pub(crate) fn slim(text: &str) -> String {
    let mut slimmed = String::with_capacity(text.len());
    let mut in_comment = false;
    let mut in_template = false;
    for line in text.lines() {
        let code = line.trim();
        if in_comment {
            in_comment = !code.ends_with("*/");
            continue;
        }
        if !in_template {
            if code.starts_with("/*") && (code.ends_with("*/") || !code.contains("*/")) {
                in_comment = !code.ends_with("*/");
                continue;
            }
            if code.is_empty() || code.starts_with("//") {
                continue;
            }
        }
        in_template ^= unescaped_backticks(line) % 2 == 1;
        slimmed.push_str(line);
        slimmed.push('\n');
    }
    slimmed
}

fn unescaped_backticks(line: &str) -> usize {
    let bytes = line.as_bytes();
    (0..bytes.len()).filter(|&i| bytes[i] == b'`' && (i == 0 || bytes[i - 1] != b'\\')).count()
}
