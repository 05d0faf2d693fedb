//! Minifies scripts and style sheets: comments and whitespace go, everything else stays as it is written.

use oxc_allocator::Allocator;
use oxc_codegen::{Codegen, CodegenOptions};
use oxc_parser::Parser;
use oxc_span::SourceType;

/// An ES module without comments and whitespace. Names stay, so that errors in browsers can be read.
pub(crate) fn javascript(text: &str) -> Result<String, String> {
    let allocator = Allocator::default();
    let parsed = Parser::new(&allocator, text, SourceType::mjs()).parse();
    if let Some(error) = parsed.errors.first() {
        return Err(error.to_string());
    }
    Ok(Codegen::new().with_options(CodegenOptions::minify()).build(&parsed.program).code)
}

/// A style sheet without comments and whitespace.
pub(crate) fn css(text: &str) -> Result<String, String> {
    minifier::css::minify(text).map(|minified| minified.to_string()).map_err(str::to_owned)
}
