//! What must hold for any bytes. The fuzz targets call these, and so do ordinary tests over samples, corpus,
//! cut files and flipped bits. A property that does not hold panics.
#![allow(clippy::panic, clippy::expect_used, reason = "a property that does not hold must stop the test")]

pub mod catalog;
pub mod compile;
pub mod debug;
pub mod draw;
pub mod glsl;
pub mod latte;
pub mod latte_exec;
pub mod mali_pp;
pub mod maxwell;
pub mod maxwell_exec;
pub mod patch;
pub mod texts;
pub mod translated;
pub mod views;
pub mod wrappers;

use unshade::assembly::Source;
use unshade::pica200::asm::Options;
use unshade::verify::Failure;
use unshade::{
    Code, Container, DecompileOptions, GlslVersion, Interface, Isa, LinkOptions, ListingOptions, Location,
    Severity, Stage, StageId, StageKind, Target, mali_gp, pica200, report,
};

/// A DKSH, see `container`.
pub fn dksh(data: &[u8]) {
    container(data);
}

/// A shader cache of Ryujinx, see `container`; and any bytes as each of its files.
pub fn ryujinx(data: &[u8]) {
    container(data);
    let mut parts = data.split(|byte| *byte == b'|');
    let mut next = || parts.next().unwrap_or_default();
    let guest_toc = [&b"TOCG"[..], &[0; 28], next()].concat();
    let (guest_data, shared) = (next(), next());
    let shared_toc = [&b"TOCS"[..], &[0; 28], shared].concat();
    let shared_toc = if shared.is_empty() { &[][..] } else { &shared_toc };
    let shared_data = if shared.is_empty() { &[] } else { next() };
    container(&unshade::ryujinx::join(unshade::ryujinx::Files {
        guest_toc: &guest_toc,
        guest_data,
        shared_toc,
        shared_data,
    }));
}

/// A shader cache of yuzu, see `container`; and any bytes as its pipelines.
pub fn yuzu(data: &[u8]) {
    container(data);
    container(&[&b"yuzucach\x63\0\0\0"[..], data].concat());
}

/// A shader cache of Cemu, see `container`.
pub fn cemu(data: &[u8]) {
    container(data);
}

/// A shader cache of Citra, see `container`; and any bytes behind a sound start.
pub fn citra(data: &[u8]) {
    container(data);
    let start = [1_u32, 0, 7, 0, 0, 0x300, 0].map(u32::to_le_bytes).concat();
    container(&[&start, data].concat());
}

/// A shader cache of Azahar for Vulkan, see `container`; and any bytes behind a sound start.
pub fn vkch(data: &[u8]) {
    container(data);
    let mut start = [&[0x42, 0, 0, 0, 36, 0, 0, 0][..], &[0; 8], b"VKCH"].concat();
    start.extend([&[0x24, 0, 0, 0, 36, 0, 0, 0][..], &[0; 8]].concat());
    container(&[start, data.to_vec()].concat());
}

/// A pair of stages or a code section of the Switch, see `container`.
pub fn nvn(data: &[u8]) {
    container(data);
}

/// A SHBIN, see `container`.
pub fn shbin(data: &[u8]) {
    container(data);
}

/// An MBS, see `container`; and any bytes as the contents of one, since few bytes start with the right four.
/// What reads can be linked with itself, or it is said why not.
pub fn mbs(data: &[u8]) {
    container(data);
    let contents = data.get(..1 << 16).unwrap_or(data);
    let size = (contents.len() as u32).to_le_bytes();
    container(&[b"MBS1".as_slice(), &size, contents].concat());
    if let Ok(Container::Mbs(file)) = Container::read(data) {
        match unshade::link(&file, &file, &LinkOptions::default()) {
            Ok(linked) => {
                let bytes = linked.file.write().expect("a linked file can be written");
                assert!(linked.findings.iter().all(|finding| finding.severity < Severity::Error));
                container(&bytes);
            }
            Err(findings) => {
                assert_eq!(findings.first().map(|finding| finding.severity), Some(Severity::Error))
            }
        }
    }
}

/// A GFD, see `container`; and any bytes as the data of a block of each kind, since few bytes start with the right
/// words.
pub fn gfd(data: &[u8]) {
    container(data);
    let Some((&kind, data)) = data.get(..1 << 16).unwrap_or(data).split_first() else { return };
    let words = |words: [u32; 8]| words.map(u32::to_be_bytes).concat();
    let head = words([0x4766_7832, 0x20, 7, 1, 2, 0, 0, 0]);
    let block = |kind: u32, size: usize| words([0x424C_4B7B, 0x20, 1, 0, kind, size as u32, 0, 0]);
    let file = [head, block(u32::from(kind % 17), data.len()), data.to_vec(), block(1, 0)].concat();
    container(&file);
}

/// A SHARCFB, see `container`; and any bytes as what follows on the header of one, in either byte order. The index
/// over its bytes and the model say the same.
pub fn sharcfb(data: &[u8]) {
    container(data);
    archive(data);
    let Some((&first, data)) = data.get(..1 << 16).unwrap_or(data).split_first() else { return };
    let little = first & 1 != 0;
    let words = [0x5348_4142, 8, data.len() as u32 + 0x18, u32::from(little), 0, 0];
    let head = words.map(|word: u32| if little { word.to_le_bytes() } else { word.to_be_bytes() });
    let file = [head.concat(), data.to_vec()].concat();
    container(&file);
    archive(&file);
}

fn archive(data: &[u8]) {
    use unshade::sharcfb::{Archive, raw};
    let (Ok(Container::Sharcfb(file)), Ok(index)) = (Container::read(data), Archive::open(data)) else {
        return;
    };
    for ((number, program), found) in file.programs().zip(index.programs().filter_map(Result::ok)).take(100) {
        assert_eq!((number, raw::text(&program.name.0)), (found.number, found.name()));
        let Ok(list) = found.macro_list() else { continue };
        assert_eq!(program.macro_list(), list);
        let last = list.variations().unwrap_or(0).wrapping_sub(1);
        if let Some(values) = list.values_of(last) {
            assert_eq!(values.len(), list.macros.len());
        }
    }
    for (number, binary) in file.binaries().enumerate().take(100) {
        let found = index.binary(number as u32).ok();
        assert_eq!(binary.map(|binary| &*binary.data), found.map(|found| found.view.data));
    }
}

/// A SHARC, see `container`; and any bytes as what follows on the header of one, of any version and in either byte order.
pub fn sharc(data: &[u8]) {
    container(data);
    let Some((&first, data)) = data.get(..1 << 16).unwrap_or(data).split_first() else { return };
    let little = first & 1 != 0;
    let version = 9 + u32::from(first >> 1) % 6;
    let words = [0x5348_4141, version, data.len() as u32 + 0x14, u32::from(little), 0];
    let head = words.map(|word: u32| if little { word.to_le_bytes() } else { word.to_be_bytes() });
    container(&[head.concat(), data.to_vec()].concat());
}

/// An archive of the Switch, see `container`; and any bytes as the binaries and programs of one and as its memory pool. Its
/// stages keep their code when one of them gets other code.
pub fn sharcfb_nx(data: &[u8]) {
    container(data);
    changed(data);
    let Some((&first, data)) = data.get(..1 << 16).unwrap_or(data).split_first() else { return };
    let (arrays, pool) = data.split_at(data.len() / 4 * 3);
    let pool_at = (0x150 + 0x800 + arrays.len()).next_multiple_of(0x1000);
    let len = (pool_at + pool.len()) as u32;
    let words = [0x5348_4142, 9, len, first.into(), 0, 0x800, pool.len() as u32, pool_at as u32];
    let mut file = words.map(u32::to_le_bytes).concat();
    file.resize(0x150, 0);
    file.extend(b"archive\0Mat\0aPosition\0");
    file.resize(0x150 + 0x800, 0);
    file.extend(arrays);
    file.resize(pool_at, 0);
    file.extend(pool);
    container(&file);
    changed(&file);
}

/// A stage with other code leaves that of the others as it was.
fn changed(data: &[u8]) {
    let Ok(before @ Container::SharcfbNx(_)) = Container::read(data) else { return };
    // Code that is cut gets longer where the pool does.
    if before.check().iter().any(|finding| finding.severity == Severity::Error) {
        return;
    }
    let stages: Vec<Stage<'_>> = before.stages().take(8).collect();
    let Some(first) = stages.first() else { return };
    let mut after = before.clone();
    let words: Vec<u32> = first.code.words.iter().copied().chain([1, 2]).collect();
    let code = Code { words: words.into(), ..Code::default() };
    if after.replace(&first.id, &code).is_err() {
        return;
    }
    let bytes = after.write().expect("what was changed can be written");
    let again = Container::read(&bytes).expect("what was changed can be read");
    for old in stages.iter().skip(1).filter(|old| old.id != first.id) {
        // Code that lies across other code has no bytes of its own.
        let apart = |stage: &Stage<'_>| {
            let end = stage.code.file_offset + 4 * stage.code.words.len() as u64;
            first.code.file_offset == stage.code.file_offset
                || end <= first.code.file_offset
                || first.code.file_offset + 4 * first.code.words.len() as u64 <= stage.code.file_offset
        };
        if apart(old) {
            let new = again.stage(&old.id).map(|stage| stage.code.words.len());
            assert_eq!(new, Some(old.code.words.len()), "{}", old.id);
        }
    }
}

/// A container: what reads is written identically, from the model, from its parts and from its listing;
/// check, tree and coverage hold for it.
pub fn container(data: &[u8]) {
    let checked = report::check(data, &[], None);
    for diagnostic in &checked.diagnostics {
        assert!(!diagnostic.code.is_empty() && !diagnostic.message.is_empty(), "{diagnostic:?}");
        if let Location::Bytes(range) = &diagnostic.location {
            assert!(range.start <= range.end, "{diagnostic:?}");
        }
    }
    let Ok(opened) = unshade::open(data) else {
        assert!(!checked.diagnostics.is_empty(), "a file that does not open has a finding");
        return;
    };
    assert!(checked.unowned.is_empty(), "bytes without an owner: {:?}", checked.unowned);
    let roundtrip = report::roundtrip(data, &opened);
    assert!(roundtrip.identical, "{:?}", roundtrip.difference);
    report::info(data, &opened);
    report::show(data, &opened);
    report::items(&opened, None);
    views::owned(data, &opened);
    // The ways through texts take most of the time; where chance is tried, one input of eight goes through them.
    if cfg!(fuzzing) && data.iter().fold(0_u8, |sum, byte| sum.wrapping_mul(31).wrapping_add(*byte)) % 8 != 0
    {
        return;
    }
    let parts = unshade::extract_file(data, &opened).expect("what was read can be extracted");
    assert_eq!(unshade::build_file(&parts).as_deref(), Ok(data), "extract and build of the whole file");
    if opened.containers.len() > 1 {
        let listing = unshade::disassemble_opened(&opened, &ListingOptions::default());
        match unshade::change::replace_by_listing(data, &[], None, ("listing", listing.text())) {
            Ok(same) => assert_eq!(same.rewritten.bytes, data, "disasm and asm --into, all files"),
            Err(error) => panic!("a listing of several files does not assemble: {error}\n{}", listing.text()),
        }
    }
    for inner in &opened.containers {
        let bytes = inner.container.write().expect("what was read can be written");
        let listing = unshade::disassemble_container(&inner.container, &ListingOptions::default());
        if listing.text().is_empty() {
            // Formats of which programs are listed one by one have no listing of the whole.
            continue;
        }
        if unshade::is_archive_listing(listing.text()) {
            // The listing of an archive holds its programs alone.
            let mut same = inner.container.clone();
            match unshade::assemble_into(&mut same, listing.text()) {
                Ok(changed) => {
                    assert!(changed.is_empty(), "{changed:?} change by their listing");
                    assert_eq!(same, inner.container, "disasm and asm --into");
                }
                Err(findings) => panic!("a listing does not assemble: {findings:?}\n{}", listing.text()),
            }
            continue;
        }
        match unshade::assemble_listing(listing.text()) {
            Ok(container) => assert_eq!(container.write().as_ref(), Ok(&bytes), "disasm and asm"),
            Err(findings) => panic!("a listing does not assemble: {findings:?}\n{}", listing.text()),
        }
    }
}

/// Code words: decode and encode are inverse, the listing assembles back; lints and statistics end.
pub fn pica200_words(data: &[u8]) {
    let words = words(data);
    for &word in &words {
        assert_eq!(pica200::encode(pica200::decode(word)), word);
    }
    let stage = unshade::raw_stage(Isa::Pica200, words.clone(), Vec::new());
    let listing = unshade::disassemble_stage(&stage, &ListingOptions::default());
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    match unshade::assemble_code(Isa::Pica200, listing.text()) {
        Ok(assembled) => assert_eq!(assembled, bytes),
        Err(findings) => panic!("a listing does not assemble: {findings:?}\n{}", listing.text()),
    }
    pica200::lint::lint(&stage);
    pica200::stats::stats(&stage);
}

/// Assembler text: a file, or findings that point into the text.
pub fn pica200_text(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let findings = if unshade::is_container_listing(text) {
        match unshade::assemble_listing(text) {
            Ok(container) => {
                // What a person wrote may be more than a file can hold; then the writer says so.
                let _ = container.write();
                return;
            }
            Err(findings) => findings,
        }
    } else {
        match unshade::assemble_shbin(&[Source { name: "text.v.pica", text }], Options::default()) {
            Ok(assembled) => {
                shbin(&assembled.shbin.write().expect("an assembled file can be written"));
                assembled.assembly.warnings
            }
            Err(findings) => {
                assert!(!findings.is_empty());
                findings
            }
        }
    };
    for finding in findings {
        if let Location::Text { source, span } = finding.location {
            assert!(source == 0 && span.start <= span.end && span.end <= text.len());
            assert!(text.is_char_boundary(span.start) && text.is_char_boundary(span.end));
        }
    }
}

/// Mali vertex code: decode and encode are inverse, the listing assembles back, the text of Mesa's disassembler
/// ends, lints and counts end, and the interpreter ends in both timings.
pub fn mali_gp_words(data: &[u8]) {
    let words = words(data);
    for word in mali_gp::instructions(&words).0 {
        assert_eq!(mali_gp::encode(&mali_gp::decode(word)), word);
    }
    let stage = Stage {
        id: StageId("vertex".into()),
        kind: StageKind::Vertex,
        isa: Isa::MaliGp,
        code: Code { words: words.as_slice().into(), ..Code::default() },
        interface: Interface::default(),
    };
    let mut listing = unshade::text::PlainText::default();
    mali_gp::listing::list_code(&mut listing, &stage.code, &[], Default::default());
    match mali_gp::asm::assemble(listing.text(), &[]) {
        Ok(assembled) => assert_eq!(assembled.words, words),
        Err(findings) => panic!("a listing does not assemble: {findings:?}\n{}", listing.text()),
    }
    mali_gp::lima::list(&words, &mut unshade::text::PlainText::default());
    mali_gp::lint::lint(&stage);
    mali_gp::stats::stats(&stage);
    let program = mali_gp::exec::Program::new(&stage);
    for timing in [mali_gp::exec::Timing::Relaxed, mali_gp::exec::Timing::Strict] {
        let mut state = mali_gp::exec::cases::case(&stage, 1, 3, mali_gp::exec::cases::Kind::Full);
        let outcome = program.run_with(&mut state, 1000, timing, &mut mali_gp::exec::NoTrace);
        assert!(outcome.steps <= 1000);
    }
    if let Ok(mut module) = mali_gp::lift::lift(&stage) {
        mali_gp::lift::viewport::run(&mut module);
    }
}

/// Mali vertex code, or text behind a zero.
pub fn mali_gp(data: &[u8]) {
    match data.split_first() {
        Some((0, text)) => mali_gp_text(text),
        Some((_, words)) => mali_gp_words(words),
        None => {}
    }
}

/// Mali vertex assembler text: code that lists and assembles to itself, or findings that point into the text.
pub fn mali_gp_text(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let findings = match mali_gp::asm::assemble(text, &[]) {
        Ok(assembled) => {
            let bytes: Vec<u8> = assembled.words.iter().flat_map(|word| word.to_le_bytes()).collect();
            mali_gp_words(&bytes);
            assembled.warnings
        }
        Err(findings) => {
            assert!(!findings.is_empty());
            findings
        }
    };
    for finding in findings {
        if let Location::Text { source, span } = finding.location {
            assert!(source == 0 && span.start <= span.end && span.end <= text.len());
            assert!(text.is_char_boundary(span.start) && text.is_char_boundary(span.end));
        }
    }
}

/// A program of any words: what the lift takes behaves like the machine at every point of the way, and
/// prints in every language or is refused.
pub fn pica200_lift(data: &[u8]) {
    let Some((&[flags, entry, descriptors, ..], rest)) = data.split_first_chunk::<4>() else { return };
    let mut rest = words(rest);
    let code = rest.split_off(usize::from(descriptors & 31).min(rest.len()));
    if code.is_empty() {
        return;
    }
    let stage = Stage {
        id: StageId("0".into()),
        kind: if flags & 1 == 0 { StageKind::Vertex } else { StageKind::Geometry },
        isa: Isa::Pica200,
        code: Code {
            entry: u32::from(entry) % code.len() as u32,
            words: code.into(),
            descriptors: rest.into(),
            ..Code::default()
        },
        interface: Interface::default(),
    };
    program(&stage, 8);
}

/// The property of [`pica200_lift`] for a stage of any origin, over `cases` inputs.
pub fn program(stage: &Stage<'_>, cases: u32) {
    let verdict = unshade::verify(stage, cases, 1);
    for section in [&verdict.strict, &verdict.readable] {
        assert!(!matches!(section.failure, Some(Failure::Differs(_))), "{verdict:?}");
    }
    for strict in [false, true] {
        for target in [Target::Glsl(GlslVersion::Core450), Target::Glsl(GlslVersion::Es300), Target::Spirv] {
            let _ = unshade::decompile(
                stage,
                &DecompileOptions { target, strict, ..DecompileOptions::default() },
            );
        }
        views::drawn(stage);
        views::linked(stage, &DecompileOptions { strict, ..DecompileOptions::default() });
    }
}

/// Words of little-endian bytes; what is left over is left out.
pub(crate) fn words(data: &[u8]) -> Vec<u32> {
    data.as_chunks::<4>().0.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect()
}

/// A BNSH, see `container`; and the file opened without being read.
pub fn bnsh(data: &[u8]) {
    container(data);
    if let Ok(index) = unshade::bnsh::index::Index::open(data) {
        for number in 0..index.variation_count().min(64) {
            let Ok(variation) = index.variation(number) else { break };
            if let Ok(program) = index.program(variation.binary) {
                for at in program.stages {
                    let _ = index.stage(at);
                }
            }
        }
    }
}

/// A BFSHA, see `container`; and the file opened without being read, its options and a change of one.
pub fn bfsha(data: &[u8]) {
    container(data);
    let _ = unshade::bfsha::index::Index::open(data);
    let Ok(file) = unshade::bfsha::read(data) else { return };
    let texts = file.image.texts();
    for model in 0..file.model_count().min(4) {
        let Some(table) = file.options(model, &texts) else { continue };
        let picker = unshade::bfsha::pick::Picker::new(&table);
        let mut query = unshade::bfsha::pick::Query::default();
        let _ = picker.pick(&query);
        query.open_others(&table);
        let _ = picker.pick(&query);
        if let Some(option) = table.options.first() {
            let mut edited = file.clone();
            if edited.add_choice(model, &option.name, "another choice", 1).is_ok() {
                let bytes = edited.write().expect("an edited file can be written");
                let again = unshade::bfsha::read(&bytes);
                assert!(again.is_ok(), "an edited file cannot be read: {:?}", again.err());
            }
        }
    }
}
