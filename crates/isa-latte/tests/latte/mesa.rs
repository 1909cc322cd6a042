//! What Mesa lists beside the hex words of its programs against what we make of the words: operations and operands.

use crate::corpus::folder;
use unshade_isa_latte::{Alu, Cf, CfOp, Fetch, Source, ports};

/// Mesa has its own names for registers that live in clauses, and for some operations.
fn register(number: u32) -> String {
    if (124..128).contains(&number) { format!("T{}", number - 124) } else { format!("R{number}") }
}

fn letters(selects: [u32; 4]) -> String {
    selects.iter().map(|select| "xyzw01?_".chars().nth(*select as usize).unwrap()).collect()
}

fn source(inst: Alu, index: usize, literals: &[u32]) -> String {
    let operand = inst.operand(index);
    let letter = ["x", "y", "z", "w"][usize::from(operand.channel)];
    let moved = |name: &str, number: u32| {
        if operand.relative { format!("{name}[{number}+AR]") } else { format!("{name}{number}") }
    };
    let text = match operand.source {
        Source::Gpr(number) if operand.relative => moved("R", number.into()),
        Source::Gpr(number) => register(number.into()),
        Source::Kcache(set, number) if operand.relative => format!("KC{set}[{number}+AR]"),
        Source::Kcache(set, number) => format!("KC{set}[{number}]"),
        Source::Constant(number) => moved("C", number.into()),
        Source::Zero => "0".into(),
        Source::One => "1.0".into(),
        Source::IntOne => "1".into(),
        Source::IntMinusOne => "-1".into(),
        Source::Half => "0.5".into(),
        Source::Literal => format!("[0x{:08X}]", literals.get(usize::from(operand.channel)).unwrap_or(&0)),
        Source::PreviousVector => "PV".into(),
        Source::PreviousScalar => "PS".into(),
        Source::Other(number) => format!("SRC{number}"),
    };
    let has_letter = matches!(
        operand.source,
        Source::Gpr(_) | Source::Kcache(..) | Source::Constant(_) | Source::PreviousVector
    );
    let text = if has_letter { format!("{text}.{letter}") } else { text };
    let text = if operand.absolute { format!("|{text}|") } else { text };
    if operand.negate { format!("-{text}") } else { text }
}

/// An arithmetic instruction in Mesa's words, without blanks.
fn arithmetic(inst: Alu, literals: &[u32]) -> (String, Vec<String>) {
    let op = inst.op().expect("a known operation");
    let name = match op.name() {
        "NOP" => "ALU_NOP",
        "DOT4_IEEE" => "DOT4_IEEE",
        name => name,
    };
    let name = format!(
        "{name}{}{}",
        ["", "*2", "*4", "/2"][inst.omod() as usize],
        if inst.op2().clamp() != 0 { "_sat" } else { "" }
    );
    let letter = ["x", "y", "z", "w"][inst.dst_chan() as usize];
    let dst = if !inst.writes() {
        format!("__.{letter}")
    } else if inst.op2().dst_rel() != 0 {
        format!("R[{}+AR].{letter}", inst.dst_gpr())
    } else {
        format!("{}.{letter}", register(inst.dst_gpr()))
    };
    let sources = (0..usize::from(op.info().sources)).map(|index| source(inst, index, literals));
    (name, std::iter::once(dst).chain(sources).collect())
}

/// Operands of Mesa's text: between commas, without blanks; of a literal the bits only.
fn operands(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    for piece in text.split(',') {
        let mut piece = piece.trim().to_owned();
        if let Some(start) = piece.find("[0x") {
            let sign = piece[..start].to_owned();
            // Older parts of Mesa have small letters here.
            piece = format!("{sign}[0x{}]", piece[start + 3..start + 11].to_uppercase());
        }
        all.push(piece);
    }
    all
}

/// A line: its hex words and what stands behind.
fn parse(line: &str) -> Option<(Vec<u32>, &str)> {
    let mut rest = line.trim_start();
    let (place, behind) = rest.split_once(char::is_whitespace)?;
    if place.len() != 4 || !place.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    rest = behind.trim_start();
    let mut words = Vec::new();
    while let Some(word) = rest.get(..8).and_then(|digits| u32::from_str_radix(digits, 16).ok())
        && rest[8..].chars().next().is_none_or(char::is_whitespace)
    {
        words.push(word);
        rest = rest[8..].trim_start();
    }
    (!words.is_empty()).then_some((words, rest))
}

#[test]
fn operations_and_operands_agree() {
    let Some(folder) = folder() else { return };
    let mut files: Vec<_> = std::fs::read_dir(folder.join("r700"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.to_string_lossy().ends_with(".mesa.txt"))
        .collect();
    files.sort();
    let (mut alu, mut fetches, mut flow) = (0, 0, 0);
    for path in files {
        let text = std::fs::read_to_string(&path).unwrap();
        let lines: Vec<_> =
            text.lines().filter_map(|line| Some((line.starts_with(' '), parse(line)?))).collect();
        for (index, (inside, (words, rest))) in lines.iter().enumerate() {
            let place = || format!("{}: {words:08x?} {rest}", path.display());
            let colon = rest.split_once(':').filter(|(front, _)| {
                front.split_whitespace().all(|word| word.len() < 4)
                    && front.ends_with(['x', 'y', 'z', 'w', 't'])
            });
            if *inside
                && words.len() == 2
                && let Some((_, body)) = colon
            {
                let inst = Alu(u64::from(words[1]) << 32 | u64::from(words[0]));
                // Literals stand on lines of their own behind the last instruction of the group.
                let mut literals = Vec::new();
                let mut at = index;
                while !Alu(u64::from(lines[at].1.0[0])).last() {
                    at += 1;
                }
                while let Some((true, (more, behind))) = lines.get(at + 1)
                    && !behind.contains(':')
                {
                    literals.extend(more);
                    at += 1;
                }
                // An `M` marks what changes the mask of active pixels.
                let body = body.trim_start();
                let body = body.strip_prefix("M ").unwrap_or(body).trim_start();
                let (name, rest) = body.split_once(char::is_whitespace).unwrap_or((body, ""));
                let mut found = operands(rest);
                let last = found.last_mut().unwrap();
                // The bank swizzle stands behind the last operand.
                let swizzles = ports::VECTOR_NAMES.iter().chain(&ports::TRANS_NAMES);
                if let Some(swizzle) = swizzles.copied().find(|swizzle| last.ends_with(swizzle)) {
                    *last = last.trim_end_matches(swizzle).trim_end().to_owned();
                }
                if let Some((front, number)) = last.clone().split_once("BS:") {
                    assert_eq!(number, inst.op2().bank_swizzle().to_string(), "{}", place());
                    *last = front.trim_end().to_owned();
                }
                let expected = arithmetic(inst, &literals);
                assert_eq!((name.to_owned(), found), expected, "{}", place());
                alu += 1;
            } else if *inside && words.len() == 3 {
                let bits = words.iter().rev().fold(0_u128, |bits, word| bits << 32 | u128::from(*word));
                fetch(Fetch(bits), rest, &place());
                fetches += 1;
            } else if !*inside {
                control(Cf(u64::from(words[1]) << 32 | u64::from(words[0])), rest, &place());
                flow += 1;
            }
        }
    }
    assert!(alu > 2000 && fetches > 90 && flow > 500, "{alu} {fetches} {flow}");
}

fn fetch(fetch: Fetch, rest: &str, place: &str) {
    let (name, body) = rest.split_once(char::is_whitespace).unwrap();
    let found = operands(body);
    let tex = fetch.tex();
    if fetch.op().is_buffer() {
        let vtx = fetch.vtx();
        assert_eq!(name, "VFETCH", "{place}");
        assert_eq!(found[0], format!("R{}.{}", vtx.dst_gpr(), letters(vtx.dst_swizzle())), "{place}");
        let letter = ["x", "y", "z", "w"][vtx.src_sel_x() as usize];
        let moved = if vtx.offset() > 0 { format!(" +{}b", vtx.offset()) } else { String::new() };
        assert_eq!(
            found[1].replace("  ", " ").replace("+ ", "+"),
            format!("R{}.{letter}{moved}", vtx.src_gpr()),
            "{place}"
        );
        assert!(body.contains(&format!("RID:{}", vtx.buffer_id())), "{place}");
        assert!(body.contains(&format!("MFC:{}", vtx.mega_fetch_count())), "{place}");
        let format = (vtx.data_format(), vtx.num_format_all(), vtx.format_comp_all(), vtx.srf_mode_all());
        let format = format!("DTA:{} NUM:{} COMP:{} MODE:{}", format.0, format.1, format.2, format.3);
        assert!(body.contains(&format) || vtx.use_const_fields() != 0, "{place}");
        return;
    }
    let expected = match fetch.op().name() {
        "GET_TEXTURE_INFO" => "GET_TEXTURE_RESINFO",
        name => name,
    };
    assert_eq!(name, expected, "{place}");
    assert_eq!(found[0], format!("R{}.{}", tex.dst_gpr(), letters(tex.dst_swizzle())), "{place}");
    assert_eq!(found[1], format!("R{}.{}", tex.src_gpr(), letters(tex.src_swizzle())), "{place}");
    assert_eq!(found[2], format!("RID:{}", tex.resource_id()), "{place}");
    assert!(found[3].starts_with(&format!("SID:{} ", tex.sampler_id())), "{place}");
    let types: String =
        tex.normalized().map(|normalized| if normalized { 'N' } else { 'U' }).iter().collect();
    assert!(body.contains(&format!("CT:{types}")), "{place}");
}

fn control(cf: Cf, rest: &str, place: &str) {
    let words: Vec<&str> = rest.split_whitespace().collect();
    let op = cf.op().unwrap();
    let expected = match op {
        CfOp::Export => "EXPORT",
        CfOp::ExportDone => "EXPORT_DONE",
        op => op.name(),
    };
    assert_eq!(words[0], expected, "{place}");
    assert_eq!(words.contains(&"EOP"), cf.ends_program(), "{place}");
    if op.is_alu() || op.is_fetch() {
        let (address, count) = if op.is_alu() {
            (cf.alu().addr(), cf.alu().count() + 1)
        } else {
            (cf.normal().addr(), cf.normal().clause_length())
        };
        assert_eq!((words[1], words[2]), (&*count.to_string(), &*format!("@{}", 2 * address)), "{place}");
        let lock = format!("KC0[CB{}:{}-", cf.alu().kcache_bank0(), 16 * cf.alu().kcache_addr0());
        assert_eq!(op.is_alu() && cf.alu().kcache_mode0() != 0, rest.contains(&lock), "{place}");
    } else if op.is_export() {
        let export = cf.export();
        let kind = ["PIXEL", "POS", "PARAM", "?"][export.kind() as usize];
        assert_eq!(words[1], kind, "{place}");
        let last = |first: u32| match export.burst_count() {
            0 => first.to_string(),
            more => format!("{first}-{}", first + more),
        };
        assert_eq!(words[2], last(export.array_base()), "{place}");
        assert_eq!(words[3], format!("R{}.{}", last(export.gpr()), letters(export.swizzle())), "{place}");
    } else if op.is_memory() {
        let memory = cf.memory();
        let kind = ["WRITE", "WRITE_IND", "READ", "READ_IND"][memory.kind() as usize];
        assert_eq!((words[1], words[2]), (kind, &*memory.array_base().to_string()), "{place}");
        assert_eq!(words[3].trim_end_matches(','), format!("R{}.xyzw", memory.gpr()), "{place}");
    } else if let Some(target) = words.iter().find_map(|word| word.strip_prefix('@')) {
        assert_eq!(target, (2 * cf.normal().addr()).to_string(), "{place}");
        let pops =
            words.iter().find_map(|word| word.strip_prefix("POP:")).map_or(0, |pops| pops.parse().unwrap());
        assert_eq!(pops, cf.normal().pop_count(), "{place}");
    }
}
