//! Archives of sources in every question: listed, shown, compared, changed, put beside what was compiled of them; and stages of
//! the Switch in archives, whose code may be shared.

use unshade::{
    Container, Source, Sources, StageKind,
    change::{self, Addition, Replacement},
    diff::{self, ProgramFate},
    report, source_texts, sources_named,
};

fn sample(name: &str) -> Vec<u8> {
    std::fs::read(unshade_corpus::sample(name)).unwrap()
}

fn text(text: &str) -> Replacement {
    Replacement::Text { name: "folder/new.vsh".to_owned(), text: text.to_owned() }
}

/// The only source of a stage, in a file that was changed.
fn source(bytes: &[u8], item: &str) -> String {
    let opened = unshade::open(bytes).unwrap();
    let found = source_texts(&opened, Some(item));
    assert_eq!(found.len(), 1, "{item}");
    found[0].text.clone()
}

#[test]
fn sources_are_listed_and_shown() {
    let bytes = sample("surface.sharc");
    let opened = unshade::open(&bytes).unwrap();
    let items = report::items(&opened, None);
    let [archive] = items.source_archives.as_slice() else { panic!("{items:?}") };
    assert!(items.items.is_empty());
    let programs: Vec<&str> = archive.programs.iter().map(|program| program.item.as_str()).collect();
    assert_eq!(programs, ["#surface", "#blocks"]);
    assert_eq!(archive.programs[0].variations, Some(4));
    let listed = report::each_item(&bytes, &[], None, |_| true).unwrap();
    assert_eq!(listed.source_archives, items.source_archives);
    let all = sources_named(&opened, Some("surface")).unwrap();
    let names: Vec<&str> = all.iter().map(|source| source.name.as_str()).collect();
    assert_eq!(names, ["surface.vsh", "surface.fsh"]);
    assert_eq!(all[0].stages, ["surface/vertex"]);
    // A comment in Shift-JIS, decoded.
    assert!(all[1].text.contains("表面"), "{}", all[1].text);
    assert_eq!(all[1].encoding.name(), "shift-jis");
    let error = sources_named(&opened, Some("surfaces")).unwrap_err().to_string();
    assert!(error.contains("#surface"), "{error}");
}

#[test]
fn macros_choose_sources() {
    let bytes = sample("surface.sharc");
    let options = report::options(&bytes, &[], Some("surface")).unwrap();
    let binaries = report::options(sample("surface.sharcfb").as_slice(), &[], Some("surface")).unwrap();
    assert_eq!(options.programs[0].macros, binaries.programs[0].macros);
    let picked =
        report::pick(&bytes, &[], Some("surface"), &[("SURFACE", "textured"), ("KILL", "*")]).unwrap();
    let numbers: Vec<u64> = picked.picked.iter().map(|one| one.variation).collect();
    assert_eq!(numbers, [2, 3]);
    let stages: Vec<&str> = picked.picked[0].stages.iter().map(|stage| stage.item.as_str()).collect();
    assert_eq!(stages, ["#surface/vertex", "#surface/pixel"]);
}

#[test]
fn sources_stand_beside_compiled_programs() {
    let sources = Sources::open(sample("surface.sharc").as_slice(), &[], "surface.sharc").unwrap();
    let opened = unshade::open(sample("surface.sharcfb").as_slice()).unwrap();
    let mut found = 0;
    for (inner, stage) in opened.stages(None) {
        let item = inner.item_name(&stage.id);
        let source = sources.of(&item, stage.kind).unwrap_or_else(|| panic!("{item}"));
        let ending = if stage.kind == StageKind::Vertex { ".vsh" } else { ".fsh" };
        assert!(source.name.ends_with(ending) && source.text.contains("void main"), "{item}");
        found += 1;
    }
    assert!(found >= 8);
    let text =
        sources.text([("#surface/0/vertex", StageKind::Vertex), ("#surface/0/pixel", StageKind::Fragment)]);
    let text = text.unwrap();
    assert!(
        text.starts_with("// Source surface.vsh of surface.sharc, for #surface/0/vertex (vertex)\n"),
        "{text}"
    );
    assert!(text.contains("// Source surface.fsh of surface.sharc"), "{text}");
    assert_eq!(sources.of("#nothing/0/vertex", StageKind::Vertex), None);
    let error = Sources::open(sample("surface.sharcfb").as_slice(), &[], "x").unwrap_err().to_string();
    assert!(error.contains("one archive of sources"), "{error}");
}

#[test]
fn sources_are_replaced_added_and_removed() {
    let bytes = sample("surface.sharc");
    let new = "// other\nvoid main() {}\n";
    let replaced = change::replace_program(&bytes, &[], Some("surface/vertex"), text(new), false).unwrap();
    assert_eq!(replaced.programs[0].item, "#surface.vsh");
    let changed = replaced.rewritten.bytes;
    assert_eq!(source(&changed, "surface/vertex"), new);
    assert_eq!(source(&changed, "surface/pixel"), source(&bytes, "surface/pixel"));
    // The text that was there, out of the old archive.
    let old = change::replacement(&bytes, ("surface.sharc", &[], Some("surface.vsh")), false).unwrap();
    let back = change::replace_program(&changed, &[], Some("surface.vsh"), old, false).unwrap();
    assert_eq!(back.rewritten.bytes, bytes);
    // Bytes that are no UTF-8 go in as they are.
    let odd = change::replacement(b"// \x95\x5c\x96\xca\n".as_slice(), ("x.fsh", &[], None), false).unwrap();
    let other = change::replace_program(&bytes, &[], Some("surface.fsh"), odd, false).unwrap();
    assert_eq!(source(&other.rewritten.bytes, "surface.fsh"), "// 表面\n");
    let addition = || Addition { programs: vec![text(new)], ..Addition::default() };
    let added = change::add_program(&bytes, &[], addition(), false).unwrap();
    assert_eq!(added.programs[0].item, "#new.vsh");
    assert_eq!(source(&added.rewritten.bytes, "new.vsh"), new);
    let removed = change::remove_program(&added.rewritten.bytes, &[], "new.vsh").unwrap();
    assert_eq!(removed.rewritten.bytes, bytes);
    let copy =
        Addition { from: Some("surface".into()), name: Some("surface2".into()), ..Addition::default() };
    let copied = change::add_program(&bytes, &[], copy, false).unwrap().rewritten.bytes;
    assert_eq!(source(&copied, "surface2/pixel"), source(&bytes, "surface/pixel"));
    assert_eq!(change::remove_program(&copied, &[], "surface2").unwrap().rewritten.bytes, bytes);
    for (error, expected) in [
        (change::remove_program(&bytes, &[], "surface.vsh").unwrap_err(), "one that `surface` has"),
        (change::remove_program(&bytes, &[], "none").unwrap_err(), "#surface.vsh"),
        (change::replace_program(&bytes, &[], Some("surface"), text("x"), false).unwrap_err(), "single"),
        (
            change::replace_program(&bytes, &[], Some("blocks/pixel"), Replacement::Words(vec![0]), false)
                .unwrap_err(),
            "a text",
        ),
        (change::add_program(&bytes, &[], Addition::default(), false).unwrap_err(), "one text"),
    ] {
        assert!(error.to_string().contains(expected), "{error}: {expected}");
    }
}

#[test]
fn sources_are_compared_line_by_line() {
    let bytes = sample("surface.sharc");
    let old = source(&bytes, "surface.vsh");
    let lines: Vec<String> = old.lines().map(str::to_owned).collect();
    let mut new = lines.clone();
    new[1] = "// changed".to_owned();
    new.push("// at the end".to_owned());
    let changed =
        change::replace_program(&bytes, &[], Some("surface.vsh"), text(&(new.join("\n") + "\n")), false)
            .unwrap();
    let changed = changed.rewritten.bytes;
    let place = |bytes, item| diff::Place { source: Source::from(bytes), names: &[], item };
    let found = unshade::diff(&place(bytes.as_slice(), None), &place(&changed, None)).unwrap();
    let container = &found.files[0].containers[0];
    let [source] = container.sources.as_slice() else { panic!("{container:?}") };
    assert_eq!((source.fate, source.changed, source.added), (ProgramFate::Changed, 1, 1));
    assert!(container.fields.iter().all(|field| !field.path.ends_with(".text")), "{:?}", container.fields);
    let one =
        unshade::diff(&place(&bytes, Some("surface.vsh")), &place(&changed, Some("surface.vsh"))).unwrap();
    assert_eq!(one.sources.len(), 1);
    let same =
        unshade::diff(&place(&bytes, Some("surface.fsh")), &place(&changed, Some("surface.fsh"))).unwrap();
    assert!(same.same);
}

#[test]
fn stages_of_the_switch_have_the_names_of_their_archive() {
    let bytes = sample("tinted.sharcb");
    let opened = unshade::open(&bytes).unwrap();
    let Container::SharcfbNx(_) = &opened.containers[0].container else { panic!("another format") };
    let stages: Vec<_> = opened.stages(None).map(|(_, stage)| stage).collect();
    let names: Vec<&str> = stages.iter().map(|stage| stage.id.0.as_str()).collect();
    assert!(names.contains(&"tinted/0/vertex") && names.contains(&"tinted/1/pixel"), "{names:?}");
    let maxwell = stages[0].interface.maxwell.as_deref().unwrap();
    assert!(!maxwell.inputs.is_empty() || !maxwell.constant_buffers.is_empty());
    for stage in &stages {
        let verdict = unshade::verify(stage, 64, 1);
        assert!(verdict.passed(), "{}: {verdict:?}", stage.id);
        let made = unshade::decompile(stage, &unshade::DecompileOptions::default()).unwrap();
        assert!(made.text.contains("void main"), "{}", stage.id);
    }
    let options = report::options(&bytes, &[], None).unwrap();
    assert_eq!(options.programs[0].variations, 2);
    let picked = report::pick(&bytes, &[], Some("tinted"), &[("TINT", "1")]).unwrap();
    assert_eq!(picked.picked[0].stages[1].item, "#tinted/1/pixel");
}
