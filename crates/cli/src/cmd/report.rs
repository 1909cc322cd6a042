//! `report`: a page with charts about catalogs.

use crate::{
    args::Report,
    input,
    output::{self, Failure, Outcome, Status},
    style::{self, paint},
};
use indicatif::BinaryBytes;
use unshade::report::Written;
use unshade_catalog::report::report;

pub fn run(arguments: &Report, json: bool) -> Outcome {
    let catalogs = input::catalogs(&arguments.catalogs)?;
    let names: Vec<String> = arguments.catalogs.iter().map(|path| path.display().to_string()).collect();
    let title = arguments.title.clone().unwrap_or_else(|| format!("Shaders of {}", names.join(", ")));
    let page = report(&title, &catalogs).map_err(Failure::catalog("read"))?;
    output::write_file(&arguments.output, page.as_bytes())?;
    if json {
        output::print_json(&Written::new([(arguments.output.clone(), page.len())]))?;
    } else if arguments.output != "-" {
        let size = BinaryBytes(page.len() as u64);
        output::print(&format!("{}: {size}\n", paint(style::NAME, &arguments.output)))?;
    }
    Ok(Status::Good)
}
