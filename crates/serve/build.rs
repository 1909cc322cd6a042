//! Packs the files of the built page for `src/page.rs`, with the feature `page`; without it there are none. Packed together they
//! are a fifth of their size: the second module has much of what is in the first.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a build script says what is wrong by stopping")]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let dist = Path::new(&env::var("CARGO_MANIFEST_DIR").unwrap()).join("../../web/dist");
    println!("cargo::rerun-if-changed=build.rs");
    let out = PathBuf::from(env::var("OUT_DIR").unwrap());
    let mut list = String::from("&[\n");
    let mut together = Vec::new();
    if env::var_os("CARGO_FEATURE_PAGE").is_some() {
        println!("cargo::rerun-if-changed={}", dist.display());
        let mut files = Vec::new();
        find(&dist, "", &mut files);
        files.sort();
        if !files.iter().any(|(name, _)| name == "index.html") {
            println!(
                "cargo::error=the feature `page` puts the built page into the binary, and web/dist/index.html is not there: \
                 run tools/web first, or build without the feature"
            );
            return;
        }
        for (name, path) in files {
            println!("cargo::rerun-if-changed={}", path.display());
            let start = together.len();
            together.extend(fs::read(path).unwrap());
            writeln!(list, "    ({name:?}, {start}..{}),", together.len()).unwrap();
        }
    }
    list.push(']');
    fs::write(out.join("page.rs"), list).unwrap();
    fs::write(out.join("page.zst"), pack(&together)).unwrap();
}

/// As one frame of zstd.
#[cfg(feature = "page")]
fn pack(bytes: &[u8]) -> Vec<u8> {
    zstd::bulk::compress(bytes, 22).unwrap()
}

/// Without a page there is nothing to pack.
#[cfg(not(feature = "page"))]
fn pack(bytes: &[u8]) -> Vec<u8> {
    bytes.to_vec()
}

/// All files below a folder, each with its address.
fn find(folder: &Path, address: &str, files: &mut Vec<(String, PathBuf)>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.filter_map(Result::ok) {
        let address = format!("{address}{}", entry.file_name().to_string_lossy());
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => find(&entry.path(), &format!("{address}/"), files),
            Ok(kind) if kind.is_file() => files.push((address, entry.path().canonicalize().unwrap())),
            _ => {}
        }
    }
}
