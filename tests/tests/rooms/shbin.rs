//! The promises about SHBIN files, over the samples and the corpus: identical from the model, from the extracted
//! parts and from the listing; every byte owned; every defect reported under a code that names it.

use std::fs;
use unshade::{Severity, report};
use unshade_tests::{corpus, properties};

#[test]
fn well_formed_files_come_back() {
    for path in corpus::well_formed_shbin("identical rewrite over the corpus") {
        let bytes = fs::read(&path).unwrap();
        let opened = unshade::open(&bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert!(opened.stages(None).count() > 0, "{}", path.display());
        properties::shbin(&bytes);
        let checked = report::check(&bytes, &[], None);
        assert_eq!(checked.count(Severity::Error), 0, "{}: {:?}", path.display(), checked.diagnostics);
    }
}

/// File name and the code of the error that names its defect.
const DEFECTS: &[(&str, &str)] = &[
    ("bad_dvlp_magic", "shbin.dvlp.magic"),
    ("bad_magic", "container.unknown-format"),
    ("call_outside", "pica200.call-outside"),
    ("code_count_overflow", "shbin.dvlp.code"),
    ("code_offset_wrap", "shbin.dvlp.code"),
    ("const_count_huge", "shbin.dvle.constant-table"),
    ("const_reg_outside", "shbin.constant-register"),
    ("const_type_unknown", "shbin.constant-kind"),
    ("desc_count_too_big", "shbin.dvlp.descriptors"),
    ("desc_index_outside", "pica200.descriptor-outside"),
    ("dvle_count_huge", "shbin.dvlb.dvle-count"),
    ("dvle_offset_outside", "shbin.dvle.offset"),
    ("dvle_offset_unaligned", "shbin.dvle.offset"),
    ("dvoj_code_outside", "shbin.dvoj.code"),
    ("dvoj_label_name_outside", "shbin.label-name"),
    ("dvoj_reloc_count_overflow", "shbin.dvoj.relocation-table"),
    ("empty", "container.empty"),
    ("entry_outside", "shbin.entry"),
    ("magic_only", "shbin.dvlb.truncated"),
    ("name_offset_outside", "shbin.uniform-name"),
    ("overlapping_tables", "shbin.overlap"),
    ("symbol_size_zero", "shbin.symbols-missing"),
    ("truncated_in_code", "shbin.dvlp.code"),
    ("truncated_in_symbols", "shbin.dvle.symbols"),
    ("uniform_range_reversed", "shbin.uniform-range"),
    ("unknown_opcode", "pica200.unknown-opcode"),
];

/// File name and the code of the warning; no errors.
const ODDITIES: &[(&str, &str)] =
    &[("recursive_call", "pica200.recursive-call"), ("trailing_garbage", "shbin.trailing")];

#[test]
fn defects_are_named() {
    let Some(shared) = corpus::shared("defects of damaged SHBIN files") else { return };
    for path in corpus::files(&shared.join("corpus/shbin/synthetic/malformed")) {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let checked = report::check(&fs::read(&path).unwrap(), &[], None);
        let has = |severity, code: &str| {
            checked.diagnostics.iter().any(|found| found.severity == severity && found.code == code)
        };
        if let Some((_, code)) = DEFECTS.iter().find(|(file, _)| *file == name) {
            assert!(has(Severity::Error, code), "{name}: {:?}", checked.diagnostics);
        } else if let Some((_, code)) = ODDITIES.iter().find(|(file, _)| *file == name) {
            assert_eq!(checked.count(Severity::Error), 0, "{name}: {:?}", checked.diagnostics);
            assert!(has(Severity::Warning, code), "{name}: {:?}", checked.diagnostics);
        } else {
            panic!("{name}: a damaged file that this test does not know");
        }
    }
}

#[test]
fn cut_and_flipped_files_are_survived() {
    for name in ["passthrough.shbin", "particles.shbin", "object.dvoj"] {
        let bytes = fs::read(corpus::root().join("samples").join(name)).unwrap();
        for length in 0..bytes.len() {
            everything(&bytes[..length]);
        }
        let step = if name == "passthrough.shbin" { 1 } else { 7 };
        for bit in (0..bytes.len() * 8).step_by(step) {
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            everything(&flipped);
        }
    }
}

/// What a user could do with a file, damaged or not.
fn everything(bytes: &[u8]) {
    properties::shbin(bytes);
    let Ok(opened) = unshade::open(bytes) else { return };
    report::stats(&opened, None);
    for (_, stage) in opened.stages(None) {
        properties::program(&stage, 2);
    }
}
