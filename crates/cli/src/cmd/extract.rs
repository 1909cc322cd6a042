//! `extract`: a folder with a manifest and one file per part.

use crate::{
    args::Extract,
    input,
    output::{self, Failure, Outcome, Status},
};
use std::{fs, path::Path};
use unshade::report::Written;

pub fn run(arguments: &Extract, json: bool) -> Outcome {
    let place = input::place(&arguments.file);
    let bytes = input::read(&place.file)?;
    let parts = unshade::extract_at(input::source(&bytes), &place.inner)
        .map_err(|error| Failure::open(place.file, error))?;
    let folder = Path::new(&arguments.output);
    let io = |error| Failure::Io { path: arguments.output.clone(), action: "write", error };
    fs::create_dir_all(folder).map_err(io)?;
    for (name, bytes) in parts.files() {
        let path = folder.join(name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(io)?;
        }
        output::write_file(&path.to_string_lossy(), bytes)?;
    }
    let renamed = parts.files().filter(|(name, _)| name.contains("files/unnamed/")).count();
    if renamed > 0 {
        let files = output::other_files(renamed as u64).replace("other ", "");
        output::note(&format!("{files} without a name that can be a path: see the manifest"));
    }
    if json {
        let files = parts.files().map(|(name, bytes)| (folder.join(name).display().to_string(), bytes.len()));
        output::print_json(&Written::new(files))?;
    } else {
        let mut text = String::new();
        for (name, bytes) in parts.files() {
            text.push_str(&format!("{}  {} bytes\n", folder.join(name).display(), bytes.len()));
        }
        output::print(&text)?;
    }
    Ok(Status::Good)
}
