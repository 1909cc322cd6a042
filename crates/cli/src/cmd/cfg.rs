//! `cfg`: the control-flow graph of programs, to be drawn.

use crate::{
    args::{Cfg, Picture},
    input,
    output::{self, Failure, Outcome},
};
use unshade::{
    cfg,
    report::{CfgReport, ItemGraph},
};

pub fn run(arguments: &Cfg, json: bool) -> Outcome {
    let programs = input::programs_or_code(&arguments.file, &arguments.bare)?;
    let mut items = Vec::new();
    for (item, stage) in &programs.stages {
        match ItemGraph::new(item, stage) {
            Some(graph) => items.push(graph),
            None => output::note(&format!(
                "{}{item}: {} instructions are not read by this version",
                programs.place.file, stage.isa
            )),
        }
    }
    if json {
        output::print_json(&CfgReport::new(&arguments.file, items))?;
        return Ok(programs.status);
    }
    let name = |item: &ItemGraph| format!("{}{}", programs.place.file, item.item);
    let text = match (arguments.to, &items[..]) {
        (Picture::Svg, [only]) => cfg::svg(&only.graph, &name(only)),
        (Picture::Svg, _) => {
            return Err(Failure::usage(format!(
                "--to svg is a picture of one program, and {} has {}: name one with #ITEM",
                arguments.file,
                items.len()
            )));
        }
        (Picture::Dot, items) => items.iter().map(|item| cfg::dot(&item.graph, &name(item))).collect(),
    };
    match &arguments.output {
        Some(path) => output::write_file(path, text.as_bytes())?,
        None => output::print(&text)?,
    }
    Ok(programs.status)
}
