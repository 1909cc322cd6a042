//! `report`: a page with charts about catalogs.

use crate::{
    args::Report,
    input,
    output::{self, Failure, Outcome, Status},
    style::{self, paint},
};
use unshade::report::Written;
use unshade_catalog::report::report;

pub fn run(arguments: &Report, json: bool) -> Outcome {
    let catalogs = input::catalogs(&arguments.catalogs)?;
    let names: Vec<String> = arguments.catalogs.iter().map(|path| path.display().to_string()).collect();
    let title = arguments.title.clone().unwrap_or_else(|| format!("Shaders of {}", names.join(", ")));
    let page = report(&title, &catalogs).map_err(Failure::catalog("read"))?;
    output::write_file(&arguments.output, page.html.as_bytes())?;
    if json {
        output::print_json(&Written::new([(arguments.output.clone(), page.html.len())]))?;
    } else if arguments.output != "-" {
        let output = paint(style::NAME, &arguments.output);
        let (programs, distinct, files) = (page.programs, page.distinct, page.files);
        let plural = |number, word| format!("{number} {word}{}", if number == 1 { "" } else { "s" });
        let (programs, files) = (plural(programs, "program"), plural(files, "file"));
        output::print(&format!("{output}: {programs}, {distinct} distinct, in {files}\n"))?;
    }
    Ok(Status::Good)
}
