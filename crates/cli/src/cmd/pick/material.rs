//! What `pick --material` says: why a material is drawn as it is, or not at all.

use super::model;
use crate::style::{self, paint};
use std::collections::BTreeMap;
use unshade::report::{MaterialPick, MaterialProgram, MaterialSkin, UnknownValue};

pub fn text(report: &MaterialPick) -> String {
    let archive = &report.archive;
    let mut text = format!(
        "{}: {} of {}, {} programs\n",
        paint(style::BOLD, &report.material),
        paint(style::NAME, &report.model),
        archive.name,
        report.programs
    );
    if archive.by != "name" {
        let why = if archive.by == "file name" { "its file has that name" } else { "there is no other" };
        let wanted = paint(style::WARN, format_args!("the material wants the archive `{}`", archive.wanted));
        text.push_str(&format!("  {wanted}; `{}` was taken, as {why}\n", archive.name));
    }
    if archive.in_models {
        let note = "no archive of that name in the given file: taken from the model's own";
        text.push_str(&format!("  {}\n", paint(style::WARN, note)));
    }
    for value in &report.unknown {
        text.push_str(&unknown(value));
    }
    for skin in &report.skins {
        text.push_str(&of_skin(skin));
    }
    text
}

fn unknown(value: &UnknownValue) -> String {
    let what = match &value.choices {
        None => "the shading model has no such option, the value is not used".to_owned(),
        Some(choices) => {
            let shown: Vec<&str> = choices.iter().take(20).map(String::as_str).collect();
            let more = choices.len().saturating_sub(shown.len());
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            format!("no such choice, its default was taken; there is {}{more}", shown.join(", "))
        }
    };
    format!("  {}={}: {}\n", value.name, value.value, paint(style::WARN, what))
}

fn of_skin(skin: &MaterialSkin) -> String {
    let bones = match skin.skin {
        None => "no shape has this material; any number of bones".to_owned(),
        Some(bones) => {
            let plural = if bones == 1 { "" } else { "s" };
            let shapes = if skin.shapes.len() == 1 { "shape" } else { "shapes" };
            format!("{shapes} {}, {bones} bone{plural} to a vertex", skin.shapes.join(", "))
        }
    };
    let found = match skin.grade.as_str() {
        "exact" => paint(style::GOOD, count(skin.found, "program")).to_string(),
        "relaxed" => {
            let found =
                format!("no program for exactly these options, {} near", count(skin.found, "program"));
            paint(style::WARN, found).to_string()
        }
        _ => paint(style::BAD, "no program").to_string(),
    };
    let mut text = format!("{bones}: {found}\n");
    // What is not the default says what was asked.
    let said = skin.wanted.iter().filter(|wanted| wanted.from != "default");
    let mut by_origin: Vec<(&str, Vec<String>)> = Vec::new();
    for wanted in said {
        let pair = format!("{}={}", wanted.name, wanted.value);
        match by_origin.iter_mut().find(|(origin, _)| *origin == wanted.from) {
            Some((_, pairs)) => pairs.push(pair),
            None => by_origin.push((wanted.from.as_str(), vec![pair])),
        }
    }
    for (origin, pairs) in by_origin {
        text.push_str(&format!("  by {origin}: {}\n", pairs.join(" ")));
    }
    for program in &skin.programs {
        text.push_str(&of_program(program, &skin.grade));
    }
    if let Some(more) = skin.found.checked_sub(skin.programs.len() as u64).filter(|more| *more > 0) {
        text.push_str(&format!("  and {}\n", count(more, "more program")));
    }
    if skin.grade == "none" {
        text.push_str(&model::fallback(skin.fallback));
    }
    text
}

fn of_program(program: &MaterialProgram, grade: &str) -> String {
    let pass = program.pass.as_ref().map(|pass| format!("pass {pass}: ")).unwrap_or_default();
    let near = if grade == "none" { "nearest: " } else { "" };
    let differs = match program.differences.len() {
        0 => String::new(),
        differences => format!(" differs in {}", count(differences as u64, "option")),
    };
    let mut text = format!(
        "  {near}{pass}program {}{}{differs}\n",
        paint(style::BOLD, program.program),
        model::variation(program.variation)
    );
    text.push_str(&model::differences(&program.differences, "    "));
    if grade == "none" {
        return text;
    }
    for stage in &program.stages {
        text.push_str(&format!("    {}\n", paint(style::NAME, &stage.item)));
    }
    for attribute in &program.attributes {
        let from = attribute.vertex_attribute.as_deref().unwrap_or("not bound by the material");
        text.push_str(&format!("    attribute {} at {}: {from}\n", attribute.name, attribute.location));
    }
    for sampler in &program.samplers {
        let from = match (&sampler.sampler, &sampler.texture) {
            (Some(sampler), Some(texture)) => format!("{sampler}, texture {texture}"),
            (Some(sampler), None) => format!("{sampler}, without a texture"),
            (None, _) => paint(style::WARN, "not bound by the material").to_string(),
        };
        text.push_str(&format!("    sampler {} in {}: {from}\n", sampler.name, slots(&sampler.slots)));
    }
    for block in &program.blocks {
        text.push_str(&format!("    block {} in {}\n", block.name, slots(&block.slots)));
    }
    for parameter in &program.parameters {
        text.push_str(&format!(
            "    parameter {} at {:#x} of the material's block, from {:#x} of its data\n",
            parameter.name, parameter.offset, parameter.source
        ));
    }
    text
}

/// `vertex 3, fragment 5`
fn slots(slots: &BTreeMap<String, i32>) -> String {
    let slots: Vec<_> = slots.iter().map(|(stage, slot)| format!("{stage} {slot}")).collect();
    slots.join(", ")
}

fn count(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}
