//! Shader caches of emulators that mean harm: each is refused clearly or understood soundly, quickly, and without taking more
//! memory than its size allows. What is packed in a few bytes may come to very many.
#![allow(clippy::indexing_slicing)]

use crate::{cost, hostile};
use unshade_containers::{
    Format,
    ryujinx::{Files, join},
};

const KIB: usize = 1 << 10;
/// The longest of them: four times that tells no more about what grows with the size.
const LONG: usize = 1 << 18;

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// Deflate: a block of stored bytes that is one byte, and a block with the fixed codes that repeats it `times` times 258.
fn bomb(times: usize) -> Vec<u8> {
    let mut bits: Vec<u8> = Vec::new();
    let mut put = |value: u32, count: u32| (0..count).for_each(|bit| bits.push((value >> bit & 1) as u8));
    // The last block, fixed codes; the literal 0; lengths of 258 at a distance of 1.
    put(0b011, 3);
    put(0b0000_1100, 8);
    for _ in 0..times {
        put(0b1010_0011, 8);
        put(0, 5);
    }
    put(0, 7);
    bits.chunks(8).map(|bits| bits.iter().enumerate().fold(0, |byte, (n, bit)| byte | bit << n)).collect()
}

/// zstd: blocks that are one byte `len` times each.
fn zstd_bomb(blocks: usize, len: u32, dictionary: Option<u32>) -> Vec<u8> {
    let mut out = vec![0x28, 0xb5, 0x2f, 0xfd, if dictionary.is_some() { 3 } else { 0 }, 7 << 3];
    out.extend(dictionary.iter().flat_map(|id| id.to_le_bytes()));
    for n in 0..blocks {
        let head = u32::from(n + 1 == blocks) | 1 << 1 | len << 3;
        out.extend(&head.to_le_bytes()[..3]);
        out.push(0);
    }
    out
}

#[test]
fn hostile_ryujinx() {
    let _alone = cost::alone();
    let mut files = Vec::new();
    let header = [b"TOCG".to_vec(), words(&[0x1_0001, 0, 0, 0, 0, 0, 0])].concat();
    let shared = [b"TOCS".to_vec(), words(&[0x1_0002, 0, 0, 0, 0, 0, 0])].concat();
    for len in [KIB, 64 * KIB, LONG] {
        let count = len / 32;
        let mut cache = |name: &str, entry: &dyn Fn(u32) -> [u32; 4], data: Vec<u8>| {
            let entries: Vec<u8> = (0..count as u32).flat_map(|n| words(&entry(n))).collect();
            let guest_toc = [&header[..], &entries].concat();
            let name = format!("{name} in {len:#x}");
            files.push((name, join(Files { guest_toc: &guest_toc, guest_data: &data, ..Files::default() })));
        };
        let half = (len / 2) as u32;
        cache("entries of nothing", &|_| [0; 4], Vec::new());
        cache("entries that are all of the data", &|_| [0, half - 1, 0, 0], vec![0; len / 2]);
        cache("entries with all of the data for constants", &|_| [0, 0, half - 1, 0], vec![0; len / 2]);
        cache("entries that are each the rest", &|n| [n % half, half - n % half - 1, 0, 0], vec![0; len / 2]);
        cache("entries behind the end", &|n| [half + n, 8, 0, 0], vec![0; len / 2]);
        cache("entries that wrap around", &|n| [u32::MAX - n, u32::MAX, u32::MAX, 0], vec![0; len / 2]);
        cache("entries of 4 GiB", &|_| [0, u32::MAX, 0, 0], vec![0; len / 2]);
        cache("entries of unknown algorithms", &|n| [n % half, 8, 0, 0], vec![9; len / 2]);
        for size in [1 << 12, 1 << 16, 1 << 20] {
            let stream = [&[1][..], &bomb(1 << 12)].concat();
            cache(&format!("deflate of {size} bytes again and again"), &|_| [0, size, 0, 0], stream.clone());
            let short = [&[1][..], &bomb(16)].concat();
            cache(&format!("deflate that ends before {size} bytes"), &|_| [0, size, 0, 0], short);
            // A meta-block that is stored, and nothing behind it.
            cache(
                &format!("Brotli that ends before {size}"),
                &|_| [0, size, 0, 0],
                vec![2, 0x0c, 2, 0x80, 1],
            );
            cache(&format!("Brotli of chance, {size}"), &|n| [n % half, size, 0, 0], vec![2; len / 2]);
        }
        // Descriptions that are all the same, or claim to have more than they have.
        let mut programs = |name: &str, state: &[u8]| {
            let offsets = vec![0; 8 * count];
            let shared_toc = [&shared[..], &offsets].concat();
            let entries = words(&[0, 8, 0, 0]);
            let guest_toc = [&header[..], &entries].concat();
            let guest_data = [&[0][..], &[0; 8]].concat();
            let files_of = Files {
                guest_toc: &guest_toc,
                guest_data: &guest_data,
                shared_toc: &shared_toc,
                shared_data: state,
            };
            files.push((format!("programs {name} in {len:#x}"), join(files_of)));
        };
        programs("of nothing", &[]);
        programs("with all stages", &[&[0][..], &words(&[0x3f, 0, 0, 0, 0, 0, 0])].concat());
        programs(
            "with stages that do not exist",
            &[&[0][..], &words(&[0xffff_ffff, 0, 0, 0, 0, 0, 0])].concat(),
        );
        programs("in a bomb", &[&[1][..], &bomb(1 << 10)].concat());
        programs(
            "with a block of 4 GiB",
            &[&[0][..], &words(&[0, 0, 0]), &[1], b"COMS", &[0xff; 4]].concat(),
        );
        let many =
            [&[0][..], &words(&[0, 0, 0]), &[1], b"COMS", &words(&[20, 1, 1, 1, 0, 0, 0]), &[0, 0xff, 0xff]];
        programs("with 65,535 textures", &many.concat());
    }
    files.push(("a header cut short".into(), b"TOCG\x01\0\x01\0".to_vec()));
    files.push(("shared.data alone".into(), {
        join(Files { guest_toc: &header, shared_data: &[1, 2, 3], ..Files::default() })
    }));
    hostile::cost_their_size(Format::Ryujinx, &files);
}

#[test]
fn hostile_yuzu() {
    let _alone = cost::alone();
    let mut files = vec![("no version".to_owned(), b"yuzucach".to_vec())];
    /// A record: counts, then local memory, bank, start, lowest, highest, viewport, stage.
    fn record(counts: [u64; 5], rest: [u32; 7]) -> Vec<u8> {
        [counts.iter().flat_map(|count| count.to_le_bytes()).collect(), words(&rest)].concat()
    }
    for len in [KIB, 64 * KIB, LONG] {
        for version in [11_u32, 10, 99] {
            let mut add = |name: &str, body: Vec<u8>| {
                let mut bytes = [&b"yuzucach"[..], &version.to_le_bytes(), &body].concat();
                bytes.resize(len, 0);
                files.push((format!("{name}, version {version}, in {len:#x}"), bytes));
            };
            add("nothing", Vec::new());
            add("six stages and nothing", words(&[6]));
            add("4 billion stages", words(&[u32::MAX]));
            let one = |counts, rest| [words(&[1]), record(counts, rest)].concat();
            add("code of everything", one([1 << 60, 0, 0, 0, 0], [0, 2, 0, 0, u32::MAX, 1, 0]));
            add("code of 4 GiB", one([1 << 32, 0, 0, 0, 0], [0, 2, 0, 0, u32::MAX - 7, 1, 0]));
            for at in 1..5 {
                let mut counts = [8, 0, 0, 0, 0];
                counts[at] = u64::MAX;
                add(&format!("list {at} without an end"), one(counts, [0, 2, 0, 0, 0, 1, 0]));
                counts[at] = 0xffff;
                add(&format!("list {at} of 65,535"), one(counts, [0, 2, 0, 0, 0, 1, 0]));
            }
            // As many small pipelines as there is room for, each with the shortest key that can be.
            let small = [one([8, 0, 0, 0, 0], [0, 2, 0, 0, 0, 1, 5]), vec![0; 8 + 16 + 24]].concat();
            add("compute pipelines", small.repeat(len / small.len()));
            let graphics = [one([8, 0, 0, 0, 0], [0, 2, 0, 0, 0, 1, 4]), vec![0; 8 + 0x50 + 24]].concat();
            add("graphics pipelines", graphics.repeat(len / graphics.len()));
            // Every number that is looked at for a key is nearly a pipeline.
            add("ones", [one([8, 0, 0, 0, 0], [0, 2, 0, 0, 0, 1, 4]), vec![1; len]].concat());
        }
    }
    hostile::cost_their_size(Format::Yuzu, &files);
}

#[test]
fn hostile_cemu() {
    let _alone = cost::alone();
    let mut files = vec![("a header cut short".to_owned(), words(&[0x8371_b695, 0]))];
    for len in [KIB, 64 * KIB, LONG] {
        for version in [1_u32, 2, 3] {
            let mut add = |name: &str,
                           table: [u64; 2],
                           size: u32,
                           entry: [u64; 3],
                           bytes: u32,
                           flags: u8,
                           data: &[u8]| {
                let mut file = words(&[0x8371_b693 + version, 2]);
                table.iter().for_each(|word| file.extend(word.to_le_bytes()));
                file.extend(size.to_le_bytes());
                file.resize(128, 0);
                file.extend_from_slice(data);
                while file.len() + 32 <= len / 2 + data.len() {
                    entry.iter().for_each(|word| file.extend(word.to_le_bytes()));
                    file.extend(bytes.to_le_bytes());
                    file.extend([flags, 0, 0, 0]);
                }
                file.resize(len.max(file.len()), 0);
                files.push((format!("{name}, version {version}, in {len:#x}"), file));
            };
            let all = (len / 2) as u32 & !31;
            let table = all.saturating_sub(160);
            add("a table behind the end", [128, u64::MAX], 32, [1, 1, 0], 8, 0, &[]);
            add("a table that wraps around", [u64::MAX, 130], 32, [1, 1, 0], 8, 0, &[]);
            add("a table in the header", [0, 8], 32, [1, 1, 0], 8, 0, &[]);
            add("a table of 4 GiB", [128, 0], u32::MAX, [1, 1, 0], 8, 0, &[]);
            add("records of everything", [128, 0], table, [1, 1, u64::from(table)], table, 0, &[]);
            add("records that wrap around", [128, 0], table, [1, 1, u64::MAX], u32::MAX, 1, &[]);
            add("records in the table", [128, 0], table, [1, 1, 0], 64, 0, &[]);
            // A record of a pixel program with frames that come to more than they are.
            let registers = zstd_bomb(1, 0xffff, Some(0x6318_73d9));
            let program = zstd_bomb(64, 0x1_ffff, Some(0x149f_2e51));
            let record = [
                vec![0x21],
                vec![7; 17],
                [&[1][..], &(registers.len() as u16).to_be_bytes(), &registers].concat(),
                [&[1][..], &0x0040_0000_u32.to_be_bytes(), &(program.len() as u32).to_be_bytes(), &program]
                    .concat(),
            ]
            .concat();
            let data = [record.clone(), vec![0; 512 - record.len() % 512]].concat();
            let at = data.len() as u64;
            add("one record by all names", [128, at], table, [1, 1, 0], record.len() as u32, 0, &data);
            let stream = [&[0, 0xff, 0xff, 0xff, 0x78, 0x9c][..], &bomb(1 << 11)].concat();
            let data = [stream.clone(), vec![0; 512 - stream.len() % 512]].concat();
            let at = data.len() as u64;
            add("a zlib bomb by all names", [128, at], table, [1, 1, 0], stream.len() as u32, 1, &data);
        }
    }
    hostile::cost_their_size(Format::Cemu, &files);
}

#[test]
fn hostile_citra() {
    let _alone = cost::alone();
    let mut files = Vec::new();
    for len in [KIB, 64 * KIB, LONG] {
        for id in 0..8_u32 {
            let start = words(&[1, 0, id, 0, id % 3, 0x300, 0]);
            for fill in [0_u8, 1, 0xff] {
                let mut bytes = start.clone();
                bytes.resize(len, fill);
                files.push((format!("entries of {fill} for {}, in {len:#x}", id % 3), bytes));
            }
        }
        let other = [words(&[1, 0, 0, 0, 0, 0x300, 1]), vec![0; len]].concat();
        files.push((format!("registers without an end in {len:#x}"), other));
    }
    hostile::cost_their_size(Format::Citra, &files);
}

#[test]
fn hostile_vkch() {
    let _alone = cost::alone();
    let mut files = Vec::new();
    let entry = |kind: u16, flags: u8, size: u32, payload: &[u8]| {
        let mut out = vec![0x42, flags];
        out.extend(kind.to_le_bytes());
        out.extend(size.to_le_bytes());
        out.extend([5; 8]);
        out.extend_from_slice(payload);
        out.extend(words(&[0x24, size, 0, 0]));
        out
    };
    let info = entry(0, 0, 36, b"VKCH");
    files.push(("cut in its first entry".to_owned(), info[..20].to_vec()));
    for len in [KIB, 64 * KIB, LONG] {
        let mut add = |name: &str, entry: Vec<u8>| {
            let mut bytes = info.clone();
            while bytes.len() + entry.len() <= len {
                bytes.extend(&entry);
            }
            files.push((format!("{name} in {len:#x}"), bytes));
        };
        for kind in [1_u16, 2, 3, 4, 7, 8, 99] {
            add(&format!("empty entries of type {kind}"), entry(kind, 0, 32, &[]));
            add(&format!("empty frames of type {kind}"), entry(kind, 1, 32, &[]));
            for (blocks, size) in [(1, 0x1_ffff), (30, 0x1_ffff), (1, 8)] {
                let frame = zstd_bomb(blocks, size, None);
                let whole = entry(kind, 1, frame.len() as u32 + 32, &frame);
                add(&format!("frames of {blocks} times {size} bytes of type {kind}"), whole);
            }
        }
        add("entries of 4 GiB", entry(2, 0, u32::MAX, &[]));
        add("entries that are too short", entry(2, 0, 31, &[]));
    }
    hostile::cost_their_size(Format::Vkch, &files);
}
