//! Compiles `crownhead-wasm` for the browser, in a target folder of its own, so that two cargos do not block each
//! other.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

const TARGET: &str = "wasm32-unknown-unknown";

/// Variables that cargo or the user sets for the native build, and that are useless or wrong for the browser.
const FOREIGN: [&str; 5] = [
    "CARGO_BUILD_TARGET",
    "CARGO_ENCODED_RUSTFLAGS",
    "CARGO_TARGET_DIR",
    "RUSTC_WORKSPACE_WRAPPER",
    "RUSTFLAGS",
];

/// The modules of the page, and the feature that makes each.
const MODULES: [(&str, &str); 2] = [("game.wasm", "core"), ("engine.wasm", "thinker")];

/// The compiled modules by name.
pub(crate) fn compile(root: &Path, out: &Path) -> Result<Vec<(String, Vec<u8>)>, String> {
    ensure_target(root)?;
    MODULES.iter().map(|&(name, feature)| Ok((name.to_owned(), module(root, out, feature)?))).collect()
}

fn module(root: &Path, out: &Path, feature: &str) -> Result<Vec<u8>, String> {
    // OUT_DIR is target/PROFILE/build/NAME/out.
    let target_dir = out.ancestors().nth(4).ok_or("OUT_DIR is not where it used to be")?.join("page");
    let profile = if env::var("PROFILE").as_deref() == Ok("release") { "wasm" } else { "wasm-dev" };
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root).args(["build", "--quiet", "--locked", "--package", "crownhead-wasm", "--lib"]);
    cargo.args(["--no-default-features", "--features", feature]);
    cargo.args(["--target", TARGET, "--profile", profile, "--target-dir"]).arg(&target_dir);
    if feature == "core" {
        // Only the search needs fast moves; beside the board small ones are better.
        cargo.arg("--config").arg(format!("profile.{profile}.package.crownhead-rules.opt-level='z'"));
    }
    for name in FOREIGN {
        cargo.env_remove(name);
    }
    let output = cargo.output().map_err(|error| format!("cannot start cargo for the page: {error}"))?;
    if !output.status.success() {
        let reason = String::from_utf8_lossy(&output.stderr);
        eprintln!("{reason}");
        return Err(format!("the page's core does not compile for {TARGET}; its errors stand below"));
    }
    let path = target_dir.join(TARGET).join(profile).join("crownhead_wasm.wasm");
    fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))
}

/// Installs the compiler's target for the browser if it is missing.
fn ensure_target(root: &Path) -> Result<(), String> {
    if has_target() {
        return Ok(());
    }
    let rustup = Command::new("rustup").current_dir(root).args(["target", "add", TARGET]).status();
    if rustup.is_ok_and(|status| status.success()) && has_target() {
        return Ok(());
    }
    Err(format!(
        "the page needs Rust's target {TARGET}, which is not installed. Run `rustup target add {TARGET}` (or \
         install your distribution's package of it) and build again."
    ))
}

fn has_target() -> bool {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).args(["--print", "target-libdir", "--target", TARGET]).output();
    output.is_ok_and(|output| Path::new(String::from_utf8_lossy(&output.stdout).trim()).is_dir())
}
