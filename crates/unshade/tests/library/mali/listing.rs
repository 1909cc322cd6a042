//! MBS files to listings and back.

use std::path::{Path, PathBuf};
use unshade::{
    Container, Location,
    listing::{ListingOptions, assemble_listing, disassemble_container, disassemble_container_to_text},
};

/// The samples, and the files of the corpus next to the checkout, if it is there.
fn corpus() -> Vec<(PathBuf, Vec<u8>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let corpus = unshade_corpus::shared("corpus/mbs");
    if !corpus.is_dir() {
        println!("skipped but for the samples: no {}", corpus.display());
    }
    let folders = ["real", "lima-out", "generated"].map(|name| corpus.join(name));
    let mut files = Vec::new();
    for folder in folders.into_iter().chain([root.join("samples")]) {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            if entry.path().extension().is_some_and(|ending| ending == "mbs") {
                files.push((entry.path(), std::fs::read(entry.path()).unwrap()));
            }
        }
    }
    files.sort();
    files
}

fn comes_back(container: &Container, bytes: &[u8], what: &str) {
    let options = ListingOptions::default();
    let text = disassemble_container_to_text(container, &options);
    assert_eq!(disassemble_container(container, &options).text(), text);
    let back = assemble_listing(&text).unwrap_or_else(|e| panic!("{what}: {}\n{text}", e[0]));
    assert_eq!(&back, container, "{what}\n{text}");
    assert_eq!(back.write().unwrap(), bytes, "{what}");
}

#[test]
fn every_file_comes_back_from_its_listing() {
    let files = corpus();
    let mut count = 0;
    for (path, bytes) in &files {
        let Ok(container) = Container::read(bytes) else { continue };
        comes_back(&container, bytes, &path.display().to_string());
        count += 1;
    }
    println!("{count} files");
    assert!(count >= 3);
}

#[test]
fn damaged_files_come_back_too() {
    let samples: Vec<_> =
        corpus().into_iter().filter(|(path, _)| path.to_string_lossy().contains("samples")).collect();
    for (path, bytes) in samples {
        for len in (8..bytes.len()).step_by(7) {
            let container = Container::read(&bytes[..len]).unwrap();
            comes_back(&container, &bytes[..len], &format!("{} cut to {len}", path.display()));
        }
        let mut damaged = bytes.clone();
        for bit in (32..bytes.len() * 8).step_by(3) {
            damaged[bit / 8] ^= 1 << (bit % 8);
            let container = Container::read(&damaged).unwrap();
            comes_back(&container, &damaged, &format!("{} bit {bit}", path.display()));
            damaged[bit / 8] ^= 1 << (bit % 8);
        }
    }
}

fn sample(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples").join(name);
    let container = Container::read(&std::fs::read(path).unwrap()).unwrap();
    disassemble_container_to_text(&container, &ListingOptions::default())
}

#[test]
fn what_is_left_out_is_worked_out() {
    let text = sample("linked.mbs");
    let file =
        |text: &str| assemble_listing(text).unwrap_or_else(|findings| panic!("{}\n{text}", findings[0]));
    // A variable without a place goes behind the others, and the space grows.
    let added = "    .uniforms\n        .uniform    highp mat3 added[2]\n";
    let edited = text.replacen("    .uniforms\n", added, 2);
    assert_ne!(edited, text);
    let made = disassemble_container_to_text(&file(&edited), &ListingOptions::default());
    assert!(made.contains(".uniform    highp mat3 added[2] at 0\n"), "{made}");
    assert!(made.contains(".uniform    highp mat3 added[2] at 16\n"), "{made}");
    assert!(file(&edited).check().is_empty(), "{:?}", file(&edited).check());
    // The number of instructions follows the code: here the last one is gone.
    let (code, end) = text.rsplit_once("    .end_code").unwrap();
    let mut shorter = code.trim_end();
    while let Some((before, _)) = shorter.rsplit_once('\n') {
        shorter = before;
        let made = assemble_listing(&format!("{shorter}\n    .end_code{end}"));
        let Ok(Container::Mbs(made)) = made else { continue };
        let program = made.program(unshade::mbs::ProgramKind::Vertex).unwrap();
        if program.code().unwrap().words.len() < 18 * 4 {
            assert_eq!(program.instructions().unwrap().instruction_count, 17);
            return;
        }
    }
    panic!("no instruction could be taken away");
}

#[test]
fn mistakes_are_found_where_they_are() {
    let text = sample("linked.mbs");
    for (from, to, at) in [
        (".container mbs", ".container mbs @wrong=1", "wrong"),
        (".container mbs", ".container mbz", "mbz"),
        (".program fragment @core=7", ".program fragment", ".program"),
        (".program fragment", ".program geometry", "geometry"),
        ("    .stack", "    .stak", ".stak"),
        ("    .stack", "    nop", "nop"),
        ("mediump vec4", "middlep vec4", "middlep"),
        ("mediump vec4", "mediump vec5", "vec5"),
        (" at 0", " on 0", "on"),
        (" at 0", " at 65536", "65536"),
        (".varying ", ".attribute ", ".attribute"),
        ("@index=-,-,-", "@index=-,-", "-,-"),
        ("@index=-,-,-", "@initial=1.0,x", "x"),
        ("writes_color", "writes_colour", "writes_colour"),
        ("    .code\n", "    .code\n    nonsense here\n", "nonsense"),
        ("    .end_code\n", "", ".program"),
    ] {
        let wrong = text.replacen(from, to, 1);
        assert_ne!(wrong, text, "{from}");
        let findings = assemble_listing(&wrong).unwrap_err();
        let Location::Text { span, .. } = findings[0].location.clone() else { panic!("{}", findings[0]) };
        assert!(wrong[span.clone()].starts_with(at), "{}: {:?}", findings[0], &wrong[span]);
    }
}
