//! `link`: a vertex program and a fragment program as one file.

use crate::{
    args::Link,
    input,
    output::{self, Failure, Outcome, Status},
    style,
    table::{Cell, Table},
};
use unshade::{Container, LinkOptions, Linked, mbs::Mbs, report::LinkReport};

pub fn run(arguments: &Link, json: bool) -> Outcome {
    let mut attributes = Vec::new();
    for text in &arguments.attributes {
        let bound =
            text.rsplit_once('=').and_then(|(name, number)| Some((name.to_owned(), number.parse().ok()?)));
        attributes.push(
            bound.ok_or_else(|| Failure::usage(format!("--attribute wants NAME=NUMBER, found `{text}`")))?,
        );
    }
    let (vertex, fragment) = (mbs(&arguments.vertex)?, mbs(&arguments.fragment)?);
    let linked = match unshade::link(&vertex, &fragment, &LinkOptions { attributes }) {
        Ok(linked) => linked,
        Err(findings) => {
            for finding in &findings {
                output::print_diagnostic(&arguments.fragment, finding);
            }
            return Ok(Status::Bad);
        }
    };
    let path = arguments.destination.path();
    let bytes = linked.file.write().map_err(|error| Failure::file(path.clone(), error))?;
    let (path, size) = arguments.destination.write(bytes)?;
    if json {
        output::print_json(&LinkReport::new(&linked, path, size))?;
        return Ok(Status::Good);
    }
    for finding in &linked.findings {
        output::print_diagnostic(&path, finding);
    }
    output::print(&summary(&linked))?;
    Ok(Status::Good)
}

/// The file of that name, if it is a Mali shader binary.
fn mbs(argument: &str) -> Outcome<Mbs> {
    let mut input = input::open(argument)?;
    match input.opened.containers.pop().map(|inner| inner.container) {
        Some(Container::Mbs(file)) => Ok(file),
        _ => Err(Failure::usage(format!("{argument}: only Mali shader binaries (mbs) can be linked"))),
    }
}

fn summary(linked: &Linked) -> String {
    let mut table = Table::new(&["varying", "type", "vertex", "fragment"]);
    let number = |number: Option<u32>| number.map_or("-".to_owned(), |number| number.to_string());
    for varying in &linked.varyings {
        let moved = varying.before != varying.number;
        let before = if moved { format!("{} -> ", number(varying.before)) } else { String::new() };
        table.row(vec![
            Cell::text(varying.name.clone()).styled(style::NAME),
            Cell::text(varying.ty.clone()),
            Cell::number(format!("{before}{}", number(varying.number))),
            Cell::number(varying.fragment.map_or("-".to_owned(), |float| format!("float {float}"))),
        ]);
    }
    let mut text = table.render();
    for attribute in linked.attributes.iter().filter(|attribute| attribute.before != attribute.number) {
        let (name, before, now) = (&attribute.name, number(attribute.before), number(attribute.number));
        text.push_str(&format!("attribute {name}: {before} -> {now}\n"));
    }
    text
}
