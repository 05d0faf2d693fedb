//! Builds the page into the server: compiles the WebAssembly core, compresses every file, and writes a table of them.

mod core_wasm;
mod pack;
mod slim;

use std::path::PathBuf;
use std::process::ExitCode;
use std::{env, fs};

/// What the page is made of, from the root of the workspace. A change in any of it builds the page anew.
const SOURCES: [&str; 9] = [
    "web",
    "Cargo.toml",
    "Cargo.lock",
    "crates/engine",
    "crates/game",
    "crates/pdn",
    "crates/rules",
    "crates/tablebase",
    "crates/wasm",
];

fn main() -> ExitCode {
    match build() {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => {
            println!("cargo::error={}", sentence.replace('\n', " "));
            ExitCode::FAILURE
        }
    }
}

fn build() -> Result<(), String> {
    let variable = |name| env::var_os(name).map(PathBuf::from).ok_or(format!("cargo did not set {name}"));
    let (out, here) = (variable("OUT_DIR")?, variable("CARGO_MANIFEST_DIR")?);
    let root = here.ancestors().nth(2).ok_or("the server is not in crates/ of the workspace")?;
    println!("cargo::rerun-if-changed=build");
    for source in SOURCES {
        println!("cargo::rerun-if-changed={}", root.join(source).display());
    }
    let wasm = core_wasm::compile(root, &out)?;
    let mut files = pack::read_folder(&root.join("web"), "")?;
    files.extend(pack::read_folder(&root.join("crates/tablebase/data"), "tables/")?);
    files.push((
        "crownhead.wasm".to_owned(),
        fs::read(&wasm).map_err(|error| format!("{}: {error}", wasm.display()))?,
    ));
    pack::write(files, &out)
}
