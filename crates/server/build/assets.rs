//! Minifies and compresses the files of the page and writes a Rust table of them.
//!
//! Files in [`AT_ROOT`] are served from the root of the site and name the others by `/v/dev/`, which is replaced by the
//! folder of this build. All others are served from that folder, whose name is a hash of all files, so that browsers
//! can cache them for ever and they find each other by relative paths.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::{fs, io};

use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};

use crate::minify;

/// Served from the root: the page itself, and what a browser looks for only there.
const AT_ROOT: [&str; 4] = ["index.html", "404.html", "manifest.webmanifest", "service-worker.js"];
/// In the folder, but not part of the page.
const LEFT_OUT: [&str; 1] = ["tests"];
/// The name by which files at the root refer to the folder of the others.
const FOLDER_MARK: &str = "/v/dev/";
const HASH_DIGITS: usize = 16;

/// A file by its path from the folder.
type File = (String, Vec<u8>);

/// All files of a folder that belong to the page, in the order of their paths.
pub(crate) fn read_folder(folder: &Path, prefix: &str) -> Result<Vec<File>, String> {
    let mut files = Vec::new();
    collect(folder, prefix, &mut files)
        .map_err(|error| format!("cannot read {}: {error}", folder.display()))?;
    files.sort();
    files.into_iter().map(minified).collect()
}

/// Minifies scripts and style sheets, and leaves all other files unchanged.
fn minified((path, bytes): File) -> Result<File, String> {
    let minify = match path.rsplit('.').next() {
        Some("js") => minify::javascript,
        Some("css") => minify::css,
        _ => return Ok((path, bytes)),
    };
    let text = String::from_utf8(bytes).map_err(|error| format!("{path} is not UTF-8: {error}"))?;
    match minify(&text) {
        Ok(minified) => Ok((path, minified.into_bytes())),
        Err(error) => Err(format!("cannot minify {path}: {error}")),
    }
}

fn collect(folder: &Path, prefix: &str, files: &mut Vec<File>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with('.') || name.ends_with(".d.ts") || LEFT_OUT.contains(&name.as_str()) {
            continue;
        }
        let path = format!("{prefix}{name}");
        if entry.file_type()?.is_dir() {
            collect(&entry.path(), &format!("{path}/"), files)?;
        } else {
            files.push((path, fs::read(entry.path())?));
        }
    }
    Ok(())
}

/// Writes `assets.rs` and the compressed files beside it.
pub(crate) fn write(mut files: Vec<File>, out: &Path) -> Result<(), String> {
    let mut all = Sha256::new();
    for (path, bytes) in &files {
        all.update(path);
        all.update(Sha256::digest(bytes));
    }
    let version = hex(&all.finalize());
    let folder = format!("/v/{version}/");
    let kept = files.iter().filter(|(path, _)| !AT_ROOT.contains(&path.as_str()));
    let list: Vec<String> = kept.map(|(path, _)| format!("\"{folder}{path}\"")).collect();
    // The list of files that the service worker caches for use without a network.
    files.push(("assets.json".to_owned(), format!("[{}]", list.join(",")).into_bytes()));

    let mut table = format!("const VERSION: &str = {version:?};\nstatic ASSETS: &[Asset] = &[\n");
    let packed = out.join("assets");
    fs::create_dir_all(&packed).map_err(|error| format!("cannot make {}: {error}", packed.display()))?;
    for (i, (path, bytes)) in files.into_iter().enumerate() {
        let at_root = AT_ROOT.contains(&path.as_str());
        let bytes = if at_root { with_folder(bytes, &path, &folder)? } else { bytes };
        let address = if at_root { format!("/{path}") } else { format!("{folder}{path}") };
        let entry = entry(&packed.join(i.to_string()), &address, &bytes, !at_root)
            .map_err(|error| format!("cannot pack {path}: {error}"))?;
        table.push_str(&entry);
    }
    table.push_str("];\n");
    fs::write(out.join("assets.rs"), table)
        .map_err(|error| format!("cannot write the table of files: {error}"))
}

fn with_folder(bytes: Vec<u8>, path: &str, folder: &str) -> Result<Vec<u8>, String> {
    let text = String::from_utf8(bytes).map_err(|error| format!("web/{path} is not UTF-8: {error}"))?;
    Ok(text.replace(FOLDER_MARK, folder).into_bytes())
}

/// Writes a file in three encodings and returns its line of the table.
fn entry(file: &Path, address: &str, bytes: &[u8], lasting: bool) -> io::Result<String> {
    let mut forms = String::new();
    for (name, content) in [("raw", bytes.to_vec()), ("brotli", brotli(bytes)?), ("gzip", gzip(bytes)?)] {
        let form = file.with_extension(name);
        fs::write(&form, content)?;
        let form = form.display().to_string();
        write!(forms, "{name}: include_bytes!({form:?}), ").expect("writing to a string");
    }
    let (mime, etag) = (mime(address), hex(&Sha256::digest(bytes)));
    Ok(format!(
        "    Asset {{ address: {address:?}, mime: {mime:?}, etag: \"\\\"{etag}\\\"\", lasting: {lasting}, {forms}}},\n"
    ))
}

fn brotli(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let parameters =
        ::brotli::enc::BrotliEncoderParams { quality: 11, size_hint: bytes.len(), ..Default::default() };
    let mut compressed = Vec::new();
    ::brotli::BrotliCompress(&mut &*bytes, &mut compressed, &parameters)?;
    Ok(compressed)
}

fn gzip(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    encoder.finish()
}

fn hex(digest: &[u8]) -> String {
    let mut text = String::new();
    for byte in digest.iter().take(HASH_DIGITS / 2) {
        write!(text, "{byte:02x}").expect("writing to a string");
    }
    text
}

/// The MIME type of a file, by its extension.
fn mime(path: &str) -> &'static str {
    match path.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "json" => "application/json",
        "webmanifest" => "application/manifest+json",
        "wasm" => "application/wasm",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}
