//! Builds the page into the server: compiles the WebAssembly core, compresses every file, and writes a table of them.

mod assets;
mod minify;
mod wasm;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs, io};

/// The sources of the page, from the root of the workspace. A change in any of them rebuilds the page.
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

/// Folders within those that do not go into the page, such as the packages that its tests install.
const IGNORED: [&str; 2] = ["benches", "tests"];

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
        watch(&root.join(source)).map_err(|error| format!("cannot read {source}: {error}"))?;
    }
    let mut files = assets::read_folder(&root.join("web"), "")?;
    files.extend(assets::read_folder(&root.join("crates/tablebase/data"), "tables/")?);
    files.extend(wasm::compile(root, &out)?);
    assets::write(files, &out)
}

/// Tells cargo which files to watch. Cargo watches whole folders, so the entries of a folder are named one by one; a
/// new entry is noticed through the change in the file that uses it.
fn watch(source: &Path) -> io::Result<()> {
    if source.is_file() {
        println!("cargo::rerun-if-changed={}", source.display());
        return Ok(());
    }
    for entry in fs::read_dir(source)? {
        let entry = entry?;
        if !IGNORED.iter().any(|name| entry.file_name() == *name) {
            println!("cargo::rerun-if-changed={}", entry.path().display());
        }
    }
    Ok(())
}
