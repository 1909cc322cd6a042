use super::*;
use unshade_containers::{
    Name,
    mbs::{Code, ProgramChunk, TableEntry},
};

/// The bits of a field of an instruction.
fn field(instruction: &[u32], first: u32, len: u32) -> u128 {
    let bits = instruction.iter().enumerate().fold(0, |bits, (n, word)| bits | u128::from(*word) << (32 * n));
    bits >> first & ((1 << len) - 1)
}

fn with(fields: &[(u32, u128)]) -> Vec<u32> {
    // Units off, as compilers leave them.
    let empty: u128 = 0x000a_d500_0007_ff80_0380_02b5_ad4a_d6b5;
    let bits = fields.iter().fold(empty, |bits, (first, value)| {
        let mask = if matches!(first, 58 | 90 | 95) { 0xF } else { 1 };
        bits & !(mask << first) | value << first
    });
    (0..4).map(|n| (bits >> (32 * n)) as u32).collect()
}

fn symbol(name: &str, components: u16, offset: u16) -> TableEntry {
    TableEntry::Symbol(Box::new(Symbol {
        name: Name::from(name),
        kind: 1,
        component_count: components,
        component_size: 4,
        src_stride: 4,
        offset: Some(offset),
        ..Symbol::default()
    }))
}

fn file(kind: ProgramKind, core: u32, tables: Vec<ProgramChunk>, words: Vec<u32>) -> Mbs {
    let code = ProgramChunk::Code(Code { words, ..Code::default() });
    let chunks = tables.into_iter().chain([code]).collect();
    let program = Program { kind, core, chunks, stray: Default::default() };
    Mbs { chunks: vec![FileChunk::Program(program)], ..Mbs::default() }
}

fn table(entries: Vec<TableEntry>) -> Table {
    Table { entries, ..Table::default() }
}

/// Position and three varyings; loads attribute 1, stores varying 1 and 3, a temporary, and a register.
fn vertex() -> Mbs {
    let varyings =
        vec![symbol("gl_Position", 4, 0), symbol("a", 2, 4), symbol("b", 4, 8), symbol("c", 3, 12)];
    let attributes = vec![symbol("p", 4, 0), symbol("n", 3, 4), symbol("t", 2, 8)];
    let code = [
        with(&[(58, 1), (62, 1), (90, 1), (94, 1), (95, 3), (99, 1)]),
        with(&[(58, 1), (62, 0), (90, 1), (94, 0), (95, 3), (68, 1), (99, 1)]),
        with(&[(58, 15), (62, 1), (90, 0), (94, 1), (95, 15), (99, 1)]),
    ];
    let tables = vec![ProgramChunk::Attributes(table(attributes)), ProgramChunk::Varyings(table(varyings))];
    file(ProgramKind::Vertex, 6, tables, code.concat())
}

fn fragment(varyings: Vec<TableEntry>) -> Mbs {
    file(ProgramKind::Fragment, 7, vec![ProgramChunk::Varyings(table(varyings))], vec![1])
}

fn numbers_now(variables: &[LinkedVariable]) -> Vec<(&str, Option<u32>)> {
    variables.iter().map(|variable| (variable.name.as_str(), variable.number)).collect()
}

#[test]
fn what_is_in_order_stays() {
    let reads = fragment(vec![symbol("c", 3, 4), symbol("a", 2, 0)]);
    let linked = link(&vertex(), &reads, &LinkOptions::default()).unwrap();
    assert_eq!(linked.file.program(ProgramKind::Vertex), vertex().program(ProgramKind::Vertex));
    assert_eq!(linked.file.program(ProgramKind::Fragment), reads.program(ProgramKind::Fragment));
    let codes: Vec<_> = linked.findings.iter().map(|finding| &*finding.code).collect();
    assert_eq!(codes, ["link.varying-unread"]);
    assert_eq!(linked.varyings[1].fragment, Some(0));
    assert_eq!(linked.varyings[2].fragment, None);
}

#[test]
fn varyings_come_into_the_order_of_the_fragment_program() {
    let reads = fragment(vec![symbol("a", 2, 4), symbol("c", 3, 0)]);
    let linked = link(&vertex(), &reads, &LinkOptions::default()).unwrap();
    let now = [("gl_Position", Some(0)), ("a", Some(2)), ("b", Some(3)), ("c", Some(1))];
    assert_eq!(numbers_now(&linked.varyings), now);
    let program = linked.file.program(ProgramKind::Vertex).unwrap();
    let words = &program.code().unwrap().words;
    let before = vertex().program(ProgramKind::Vertex).unwrap().code().unwrap().words.clone();
    let stores: Vec<_> =
        words.chunks(4).map(|instruction| (field(instruction, 90, 4), field(instruction, 95, 4))).collect();
    // A register and a temporary keep their numbers, and so does what no table names.
    assert_eq!(stores, [(2, 1), (1, 3), (0, 15)]);
    for (new, old) in words.chunks(4).zip(before.chunks(4)) {
        for (first, len) in [(0, 90), (94, 1), (99, 29)] {
            assert_eq!(field(new, first, len), field(old, first, len));
        }
    }
    let table = program.table(TableKind::Varyings).unwrap();
    let offsets: Vec<_> = table.symbols().map(|(_, symbol)| symbol.offset).collect();
    assert_eq!(offsets, [Some(0), Some(8), Some(12), Some(4)]);
}

#[test]
fn attributes_get_the_numbers_that_were_asked_for() {
    let reads = fragment(Vec::new());
    let bind = |attributes: &[(&str, u32)]| {
        let attributes = attributes.iter().map(|(name, number)| ((*name).to_owned(), *number)).collect();
        link(&vertex(), &reads, &LinkOptions { attributes })
    };
    let linked = bind(&[("t", 0), ("n", 7)]).unwrap();
    assert_eq!(numbers_now(&linked.attributes), [("p", Some(1)), ("n", Some(7)), ("t", Some(0))]);
    let code = linked.file.program(ProgramKind::Vertex).unwrap().code().unwrap();
    let loads: Vec<_> = code.words.chunks(4).map(|instruction| field(instruction, 58, 4)).collect();
    assert_eq!(loads, [7, 1, 15]);
    for (wrong, code) in [
        (&[("x", 0)][..], "link.attribute-missing"),
        (&[("p", 16)], "link.attribute-number"),
        (&[("p", 3), ("t", 3)], "link.attribute-number"),
    ] {
        assert_eq!(bind(wrong).unwrap_err()[0].code, code);
    }
}

#[test]
fn what_does_not_match_is_said() {
    let nothing = Mbs::default();
    let errors = link(&nothing, &nothing, &LinkOptions::default()).unwrap_err();
    assert_eq!(errors.iter().map(|error| &*error.code).collect::<Vec<_>>(), ["link.program-missing"; 2]);
    let codes = |reads: Vec<TableEntry>| {
        let outcome = link(&vertex(), &fragment(reads), &LinkOptions::default());
        let findings = outcome.map_or_else(|errors| errors, |linked| linked.findings);
        findings.iter().map(|finding| finding.to_string()).collect::<Vec<_>>().join("\n")
    };
    assert!(
        codes(vec![symbol("d", 4, 0)])
            .contains("error[link.varying-missing] (fragment.varyings[0]): expected a varying `d`")
    );
    let types = codes(vec![symbol("a", 3, 0)]);
    assert!(
        types.contains("error[link.varying-type]")
            && types.contains("vec2 in the vertex program and vec3 here")
    );
    let mut invariant = symbol("a", 2, 0);
    if let TableEntry::Symbol(symbol) = &mut invariant {
        symbol.invariant = 1;
    }
    assert!(codes(vec![invariant]).contains("warning[link.varying-invariant]"));
    // Declared, but not read: nothing is missing.
    let mut unused = symbol("d", 4, 0);
    if let TableEntry::Symbol(symbol) = &mut unused {
        symbol.offset = None;
    }
    assert!(!codes(vec![unused]).contains("error"));
}

#[test]
fn programs_of_the_corpus_are_linked_as_their_generator_does() {
    let corpus = unshade_corpus::shared("corpus/mbs");
    let read = |name: &str| std::fs::read(corpus.join(format!("{name}.mbs")));
    let Ok(expected) = read("generated/g01_linked_fv") else {
        println!("skipped: no corpus at {}", corpus.display());
        return;
    };
    let file = |name: &str| unshade_containers::mbs::read(&read(name).unwrap()).unwrap();
    let (vertex, fragment) = (file("lima-out/v07_pow_exp_log.vert"), file("lima-out/f01_varying.frag"));
    let linked = link(&vertex, &fragment, &LinkOptions::default()).unwrap();
    assert_eq!(linked.findings, []);
    assert_eq!(linked.file.write().unwrap(), expected);
    assert_eq!(link(&linked.file, &linked.file, &LinkOptions::default()).unwrap().file, linked.file);
}
