//! Row B10: scanning a tree of files, nine tenths of which are other bytes and one tenth containers, half of them of the
//! Switch's machine by size; bare, and packed with Yaz0. And questions to a large catalog.

use crate::measure::{Row, row, text_of};
use std::{
    fs::{self, File},
    path::Path,
};
use unshade::{
    Dictionaries, Stage,
    wrap::yaz0::{self, Level, Yaz0},
};
use unshade_catalog::{
    Catalog,
    report::report,
    row::Row as CatalogRow,
    scan::{Options, scan},
    similar::{Subject, similar},
    table::{Format, Writer},
};

/// Bytes of one file, as a game's archives have.
const FILE: usize = 16 << 20;
/// Files of the tree; `UNSHADE_BENCH_FILES` says another number. 64 are 1 GiB.
const FILES: usize = 16;

/// Containers of the Switch.
const MAXWELL: [&[u8]; 4] = [
    include_bytes!("../../samples/options.bfsha"),
    include_bytes!("../../samples/two_stages.bnsh"),
    include_bytes!("../../samples/texture.frag.dksh"),
    include_bytes!("../../samples/options_v5.bfsha"),
];
/// Others.
const OTHERS: [&[u8]; 6] = [
    include_bytes!("../../samples/lighting.shbin"),
    include_bytes!("../../samples/surface.sharcfb"),
    include_bytes!("../../samples/blur.gsh"),
    include_bytes!("../../samples/phong.frag.mbs"),
    include_bytes!("../../samples/linked.mbs"),
    include_bytes!("../../samples/wiiu.bfsha"),
];

/// A file: between two containers nine times as many other bytes.
fn file(number: usize) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(FILE + (1 << 20));
    let mut state = number as u64 + 1;
    let mut noise = |bytes: &mut Vec<u8>, count: usize| {
        for _ in 0..count / 8 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            // Runs of one byte between words without order, as data has them.
            let word = if state >> 62 == 0 { 0 } else { state ^ state >> 29 };
            bytes.extend_from_slice(&word.to_le_bytes());
        }
    };
    noise(&mut bytes, 4096);
    let (mut maxwell, mut others) = ((0, number), (0, number));
    while bytes.len() < FILE {
        let (kind, all): (&mut (usize, usize), &[&[u8]]) =
            if maxwell.0 <= others.0 { (&mut maxwell, &MAXWELL) } else { (&mut others, &OTHERS) };
        let container = all[kind.1 % all.len()];
        *kind = (kind.0 + container.len(), kind.1 + 1);
        bytes.extend_from_slice(container);
        noise(&mut bytes, container.len() * 9);
        bytes.resize(bytes.len().next_multiple_of(16), 0);
    }
    bytes
}

/// The rows.
pub fn scanning() -> Result<(), String> {
    let files =
        std::env::var("UNSHADE_BENCH_FILES").ok().and_then(|count| count.parse().ok()).unwrap_or(FILES);
    let folder = tempfile::tempdir().map_err(text_of)?;
    let (bare, packed) = (folder.path().join("bare"), folder.path().join("packed"));
    for folder in [&bare, &packed] {
        fs::create_dir(folder).map_err(text_of)?;
    }
    let mut total = 0;
    for number in 0..files {
        let bytes = file(number);
        total += bytes.len();
        fs::write(bare.join(format!("{number:04}.bin")), &bytes).map_err(text_of)?;
        let stream = yaz0::encode(&bytes, Level::Fast).into();
        let file = Yaz0 { alignment: 0, reserved: 0, stream, tail: Vec::new().into(), data: bytes };
        fs::write(packed.join(format!("{number:04}.szs")), file.write().map_err(text_of)?)
            .map_err(text_of)?;
    }
    let megabytes = total as f64 / 1e6;
    let mut stages = None;
    for (folder, what, target, stretch) in
        [(&bare, "bare", 400.0, 1000.0), (&packed, "under Yaz0", 200.0, 500.0)]
    {
        let table = folder.with_extension("parquet");
        let name = Row {
            id: "B10",
            task: format!("scan {} MB, a tenth of it shaders, {what}", megabytes as u64),
            unit: "MB/s",
            target,
            stretch,
        };
        row(&name, || scanned(folder, &table, &mut stages).map(|()| megabytes))?;
    }
    Ok(())
}

/// Scans; every time the same programs are found, and nothing is wrong.
fn scanned(folder: &Path, table: &Path, stages: &mut Option<u64>) -> Result<(), String> {
    let options = Options { fresh: true, ..Options::default() };
    let done = scan(&[folder.to_owned()], table, &options, &mut |_| true).map_err(text_of)?;
    match *stages.get_or_insert(done.stages) == done.stages && done.errors == 0 && done.stages > 0 {
        true => Ok(()),
        false => Err(format!("{} programs, {} errors", done.stages, done.errors)),
    }
}

/// Rows of the catalog that questions go to.
const ROWS: u64 = 100_000;

/// A catalog of so many programs, a third of which are there again, with looks made of chance around those of a few.
fn large_catalog(path: &Path, rows: u64) -> Result<Catalog, String> {
    let mut writer = Writer::new(File::create(path).map_err(text_of)?, Format::Parquet).map_err(text_of)?;
    let mut state = 1_u64;
    let mut chance = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 33
    };
    for number in 0..rows {
        let program = if number % 3 == 0 { chance() % (number + 1) } else { number };
        let family = program % 1000;
        let signature: String = (0..64_u64)
            .map(|at| if chance() % 4 == 0 { chance() & 0xff } else { (family * 37 + at * at) & 0xff })
            .map(|byte| format!("{byte:02x}"))
            .collect();
        let row = CatalogRow {
            record: "stage".to_owned(),
            path: format!("games/{:03}/Model/archive{:04}.szs", number / 1000, number / 40),
            inner: ":shaders.bfsha".to_owned(),
            wrappers: "Yaz0, SARC".to_owned(),
            format: "bfsha".to_owned(),
            version: "BFSHA 7.0.0".to_owned(),
            item: format!("model/{}/fragment", number % 40),
            kind: "fragment".to_owned(),
            isa: "maxwell".to_owned(),
            offset: number * 4096,
            code_bytes: 800 + family * 8,
            instructions: 100 + family,
            code_hash: format!("{program:016x}"),
            normal_hash: format!("{family:016x}"),
            signature,
            head_hash: format!("{program:016x}"),
            emulator_hashes: format!("yuzu:{program:016x} ryujinx:{family:08x}"),
            entry: "main".to_owned(),
            inputs: "position normal texcoord0".to_owned(),
            outputs: "color0".to_owned(),
            uniforms: "tint world".to_owned(),
            blocks: "material view".to_owned(),
            samplers: "albedo normal_map".to_owned(),
            options: format!("SKIN={} FOG={}", family % 5, family % 2),
            check: "clean".to_owned(),
            ..CatalogRow::default()
        };
        writer.row(row).map_err(text_of)?;
    }
    writer.finish().map_err(text_of)?;
    Catalog::open(path, &Dictionaries::default()).map_err(text_of)
}

/// Which programs of a large catalog look like one, and a page about it.
pub fn questions() -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(text_of)?;
    let catalog = large_catalog(&folder.path().join("large.parquet"), ROWS)?;
    let opened = unshade::open(MAXWELL[0]).map_err(text_of)?;
    let (_, stage): (_, Stage<'_>) = opened.stages(None).next().ok_or("no program")?;
    let subject = Subject::new(&stage);
    let catalogs = std::slice::from_ref(&catalog);
    let name = |task: &str| Row {
        id: "B10",
        task: task.to_owned(),
        unit: "k rows/s",
        target: 250.0,
        stretch: 1000.0,
    };
    row(&name("similar: 100,000 rows"), || {
        let report = similar(&subject, catalogs, 10).map_err(text_of)?;
        match (report.compared, report.found.len()) {
            (ROWS, 10) => Ok(ROWS as f64 / 1e3),
            (compared, found) => Err(format!("{compared} rows, {found} programs")),
        }
    })?;
    row(&name("report: 100,000 rows"), || {
        let page = report("large", catalogs).map_err(text_of)?.html;
        let programs = page.contains("<b>100\u{202f}000</b><span>programs</span>");
        if programs { Ok(ROWS as f64 / 1e3) } else { Err("not all programs are on the page".to_owned()) }
    })
}
