//! Questions to catalogs: which programs look like one, held against every program side by side with every other; and the
//! page of a report, held against what a browser takes for a page.

use std::{collections::BTreeMap, fs, path::Path};
use unshade::{Dictionaries, Stage, StageKind};
use unshade_catalog::{
    Catalog,
    fingerprint::{Instruction, instructions},
    load,
    report::report,
    row::Row,
    scan::{Options, scan},
    similar::{Aligned, Relation, Subject, similar},
    table,
};
use unshade_tests::{corpus, tree::plant};

/// A catalog of the samples and, where it is there, the corpus.
fn catalog(folder: &Path) -> (Catalog, Vec<Row>) {
    let mut roots = vec![corpus::root().join("samples")];
    roots.extend(
        corpus::shared("programs of the corpus among those that are alike")
            .map(|shared| shared.join("corpus")),
    );
    let out = folder.join("catalog.parquet");
    scan(&roots, &out, &Options::default(), &mut |_| true).unwrap();
    let rows: Vec<Row> = table::read(&out).unwrap().map(Result::unwrap).filter(Row::is_stage).collect();
    (Catalog::open(&out, &Dictionaries::default()).unwrap(), rows)
}

/// The distinct programs of a table, each with its instructions.
fn distinct(rows: &[Row]) -> Vec<(&Row, Stage<'static>, Vec<Instruction>)> {
    let first: BTreeMap<&str, &Row> = rows.iter().rev().map(|row| (row.code_hash.as_str(), row)).collect();
    let loaded = first.into_values().map(|row| (row, load::stage(row).unwrap()));
    loaded.map(|(row, stage)| (row, stage.clone(), instructions(&stage))).collect()
}

/// What `similar` finds by signatures is what comparing every program with every other finds.
#[test]
fn the_nearest_programs_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let (catalog, rows) = catalog(folder.path());
    let programs = distinct(&rows);
    let (mut asked, mut best, mut ten_of, mut ten_found) = (0, 0, 0, 0);
    // Every so many programs of each instruction set, since a question reads the whole table.
    for (row, stage, own) in programs.iter().step_by((programs.len() / 120).max(1)) {
        let mut shares: Vec<f64> = programs
            .iter()
            .filter(|(other, _, _)| other.isa == row.isa && other.code_hash != row.code_hash)
            .map(|(_, _, other)| Aligned::new(own, other).share())
            .collect();
        shares.sort_by(|one, other| other.total_cmp(one));
        let report = similar(&Subject::new(stage), std::slice::from_ref(&catalog), 10).unwrap();
        assert_eq!(report.compared as usize, rows.iter().filter(|one| one.isa == row.isa).count());
        let (itself, others) = report.found.split_first().unwrap();
        let places = rows.iter().filter(|one| one.code_hash == row.code_hash);
        assert_eq!(
            (itself.relation, itself.share, itself.count),
            (Relation::Same, 1.0, places.count() as u64)
        );
        assert!(others.iter().all(|one| one.unread.is_none() && one.relation != Relation::Same));
        for one in others {
            let there = programs.iter().find(|(other, _, _)| other.code_hash == one.code_hash).unwrap();
            assert_eq!(one.aligned, Some(Aligned::new(own, &there.2)));
            assert_eq!(one.relation == Relation::Renamed, there.0.normal_hash == row.normal_hash);
        }
        // A program that shares next to nothing with any other has no nearest one.
        let Some(&nearest) = shares.first().filter(|share| **share > 0.5) else { continue };
        asked += 1;
        let found = others.iter().map(|one| one.share).fold(0.0, f64::max);
        best += usize::from(found >= nearest - 1e-9);
        let tenth = shares.get(9).copied().unwrap_or(0.5).max(0.5);
        ten_of += shares.iter().filter(|share| **share >= tenth).count().min(10);
        ten_found += others.iter().filter(|one| one.share >= tenth - 1e-9).count().min(10);
    }
    println!("{asked} programs: the nearest found of {best}, of their nearest ten {ten_found} of {ten_of}");
    assert!(
        asked > 10 && best * 100 >= asked * 98 && ten_found * 100 >= ten_of * 95,
        "{best}/{asked}, {ten_found}/{ten_of}"
    );
}

/// A program and the one that differs in a constant or a register are one step apart.
#[test]
fn a_changed_program_is_near() {
    let bytes = fs::read(corpus::root().join("samples/lighting.shbin")).unwrap();
    let opened = unshade::open(&bytes).unwrap();
    let (_, stage) = opened.stages(None).find(|(_, stage)| stage.kind == StageKind::Vertex).unwrap();
    let own = instructions(&stage);
    let mut changed = stage.clone().into_owned();
    let mut words = changed.code.words.to_vec();
    // The destination of one instruction that computes something: another register.
    let at = (0..words.len())
        .find(|at| {
            let mut other = words.clone();
            other[*at] ^= 1 << 21;
            let mut changed = stage.clone().into_owned();
            changed.code.words = other.into();
            let aligned = Aligned::new(&own, &instructions(&changed));
            aligned.alike == aligned.here && aligned.equal + 1 == aligned.here
        })
        .expect("a word that holds a destination");
    words[at] ^= 1 << 21;
    changed.code.words = words.into();
    let aligned = Aligned::new(&own, &instructions(&changed));
    assert_eq!((aligned.share(), aligned.here - aligned.equal), (1.0, 1));
}

/// Every element of a page that is opened is closed, in order, and nothing in it loads or runs anything.
fn is_a_page(html: &str) {
    const VOID: [&str; 3] = ["meta", "br", "!doctype"];
    let mut open: Vec<&str> = Vec::new();
    let style = html.find("<style>").unwrap()..html.find("</style>").unwrap();
    let text = format!("{}<style>{}", &html[..style.start], &html[style.end..]);
    for tag in text.split('<').skip(1) {
        let (tag, _) = tag.split_once('>').expect("a tag ends");
        let name = tag.split([' ', '/']).find(|name| !name.is_empty()).unwrap();
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "in {tag}");
        } else if !VOID.contains(&name) && !tag.ends_with('/') {
            assert!(name.chars().all(|letter| letter.is_ascii_alphanumeric()), "<{tag}>");
            assert!(!["script", "img", "link", "iframe", "object", "embed", "a"].contains(&name), "<{tag}>");
            open.push(name);
        }
        // What stands in quotes is closed, so nothing that a file said is an attribute.
        assert_eq!(tag.matches('"').count() % 2, 0, "<{tag}>");
        let outside: String = tag.split('"').step_by(2).collect();
        assert!(!outside.contains(" on") && !outside.contains("src") && !outside.contains("href"), "<{tag}>");
    }
    assert!(open.is_empty(), "{open:?}");
    assert!(text.contains("default-src 'none'") && !html.contains("url(") && !html.contains("@import"));
}

#[test]
fn the_report_is_a_page_by_itself() {
    let folder = tempfile::tempdir().unwrap();
    let (catalog, rows) = catalog(folder.path());
    let page = report("Shaders & <more>", std::slice::from_ref(&catalog)).unwrap();
    let html = page.html;
    is_a_page(&html);
    assert!(html.contains("<h1>Shaders &amp; &lt;more&gt;</h1>"));
    let number = |number: usize| {
        let digits = number.to_string();
        let (front, back) = digits.split_at(digits.len().saturating_sub(3));
        if front.is_empty() { back.to_owned() } else { format!("{front}\u{202f}{back}") }
    };
    let distinct: std::collections::BTreeSet<_> =
        rows.iter().map(|row| (&row.code_hash, &row.kind)).collect();
    assert!(html.contains(&format!("<b>{}</b><span>programs</span>", number(rows.len()))));
    assert!(html.contains(&format!("<b>{}</b><span>distinct</span>", number(distinct.len()))));
    assert_eq!((page.programs, page.distinct), (rows.len() as u64, distinct.len() as u64));
    // The same again, and from lines, whatever made them.
    let lines = folder.path().join("catalog.jsonl");
    let mut roots = vec![corpus::root().join("samples")];
    roots.extend(corpus::shared("the corpus in a report").map(|shared| shared.join("corpus")));
    scan(&roots, &lines, &Options { threads: 1, ..Options::default() }, &mut |_| true).unwrap();
    let lines = Catalog::open(&lines, &Dictionaries::default()).unwrap();
    assert!(report("Shaders & <more>", &[lines]).unwrap().html == html);
}

/// Names that mean harm stay names.
#[test]
fn names_from_strangers_stay_text() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows.jsonl");
    let evil = "\"><script>alert(1)</script><img src=x onerror=alert(2)>'\u{202e}\u{0}";
    let mut lines = String::new();
    for number in 0..40 {
        let mut row =
            Row { record: if number % 4 == 3 { "error" } else { "stage" }.to_owned(), ..Row::default() };
        for column in unshade_catalog::row::COLUMNS.iter().skip(1) {
            column.set_text(&mut row, format!("{evil}{number}={evil} {evil}"));
            column.set_number(&mut row, u64::MAX >> (number + 8));
        }
        row.signature = format!("{:0128x}", number / 3);
        row.record = if number % 4 == 3 { "error" } else { "stage" }.to_owned();
        lines.push_str(&serde_json::to_string(&row).unwrap());
        lines.push('\n');
    }
    fs::write(&path, lines).unwrap();
    let catalog = Catalog::open(&path, &Dictionaries::default()).unwrap();
    let html = report(evil, &[catalog]).unwrap().html;
    is_a_page(&html);
    assert!(
        !html.contains("<script")
            && !html.contains("<img")
            && !html.contains('\u{202e}')
            && !html.contains('\0')
    );
}

/// Of nothing there is a page too, and of files that are all damaged.
#[test]
fn empty_catalogs_have_a_page() {
    let folder = tempfile::tempdir().unwrap();
    let empty = folder.path().join("empty");
    fs::create_dir(&empty).unwrap();
    let catalog = Catalog::open(&empty, &Dictionaries::default()).unwrap();
    is_a_page(&report("nothing", &[catalog]).unwrap().html);
    let tree = folder.path().join("tree");
    plant(&tree, 60).unwrap();
    let catalog = Catalog::open(&tree.join(unshade_tests::tree::HOSTILE), &Dictionaries::default()).unwrap();
    is_a_page(&report("damaged", &[catalog]).unwrap().html);
}
