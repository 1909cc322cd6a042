//! `build`: an extracted folder to its file.

use crate::{
    args::Build,
    input,
    output::{self, Failure, Outcome, Status},
};
use std::path::Path;
use unshade::{Parts, report::Written};

pub fn run(arguments: &Build, json: bool) -> Outcome {
    let folder = Path::new(&arguments.folder);
    let manifest = folder.join(Parts::MANIFEST);
    let text = input::read_text(&manifest.to_string_lossy())?;
    // The manifest says which files belong to it; nothing outside the folder is read.
    let failure = |error| Failure::file(manifest.display().to_string(), error);
    let mut parts = Parts::from_manifest(text).map_err(failure)?;
    // A manifest inside may ask for more.
    loop {
        let missing = parts.missing();
        if missing.is_empty() {
            break;
        }
        for name in missing {
            let bytes = input::read(&folder.join(&name).to_string_lossy())?;
            parts.insert(name, bytes);
        }
    }
    let bytes = unshade::build_file(&parts).map_err(failure)?;
    let written = arguments.destination.write(bytes)?;
    if json {
        output::print_json(&Written::new([written]))?;
    }
    Ok(Status::Good)
}
