//! A made-up tree of files with programs in known places: samples and the corpus, bare and wrapped up to four deep, each
//! several times, among files that are nothing and files that are damaged.

use crate::corpus;
use std::{collections::BTreeSet, fs, io, path::Path};
use unshade::{
    Container, Format, detect,
    wrap::{
        sarc::{File, HASH_KEY, pack},
        yaz0::{self, Level, Yaz0},
        zstd,
    },
};
use unshade_bytes::Endian;
use unshade_containers::Name;

/// A program in the tree: file, what stands behind it, item.
pub type Planted = (String, String, String);

/// Names of folders in it.
pub const HOSTILE: &str = "hostile";

/// A file that is put into the tree, with what its own bytes hold.
struct Seed {
    name: String,
    bytes: Vec<u8>,
    /// What stands behind the file's name, and items.
    programs: Vec<(String, String)>,
    /// Whether it is found in bytes that nobody knows.
    in_bytes: bool,
}

/// A sequence of numbers that look random and are the same every time.
pub struct Numbers(u64);

impl Numbers {
    /// A sequence.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next one below `limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let high = (self.0 >> 33) as usize;
        high % limit.max(1)
    }

    fn bytes(&mut self, len: usize) -> Vec<u8> {
        (0..len).map(|_| self.below(256) as u8).collect()
    }
}

/// The files that are planted. What each holds is what its reader says of it, bare.
fn seeds() -> io::Result<Vec<Seed>> {
    let mut files = corpus::files(&corpus::root().join("samples"));
    if let Some(shared) = corpus::shared("files of the corpus in the tree of the scan") {
        files.extend(corpus::files(&shared.join("corpus")));
    }
    let mut seeds = Vec::new();
    for path in files {
        let bytes = fs::read(&path)?;
        if bytes.len() > 100_000 {
            continue;
        }
        let Some(format) = detect(&bytes) else { continue };
        let Ok(container) = Container::read(&bytes) else { continue };
        let programs = container.stages().map(|stage| (String::new(), stage.id.0)).collect();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        // Raw stages have nothing by which they are told from other bytes; a file that ends early has an end only where
        // the file has one.
        let in_bytes = !matches!(format, Format::Nvn | Format::NvnCode)
            && unshade::wrap::scan::scan(&[&bytes[..], &[0xa5; 64]].concat())
                .next()
                .is_some_and(|found| found.offset == 0 && found.container == container);
        seeds.push(Seed { name, bytes, programs, in_bytes });
    }
    Ok(seeds)
}

/// Puts a wrapper around a file.
fn wrapped(seed: Seed, numbers: &mut Numbers, kind: usize) -> Seed {
    let Seed { name, bytes, programs, in_bytes } = seed;
    let behind = |front: &str| {
        programs.iter().map(|(inner, item)| (format!("{front}{inner}"), item.clone())).collect()
    };
    match kind {
        0 => {
            let stream = yaz0::encode(&bytes, Level::Fast).into();
            let file = Yaz0 { alignment: 0, reserved: 0, stream, tail: Vec::new().into(), data: bytes };
            let bytes = file.write().unwrap_or_default();
            Seed { name: format!("{name}.szs"), bytes, programs, in_bytes: true }
        }
        1 => Seed { name: format!("{name}.zs"), bytes: zstd::encode(&bytes), programs, in_bytes: true },
        2 => {
            let note = numbers.bytes(50);
            let path = format!("Model/{name}");
            let files = [
                File { name: Ok(Name::from("note.txt")), data: &note, alignment: 0 },
                File { name: Ok(Name::from(path.as_str())), data: &bytes, alignment: 0 },
            ];
            let endian = if numbers.below(2) == 0 { Endian::Big } else { Endian::Little };
            let archive = pack(endian, HASH_KEY, &files).and_then(|archive| archive.write());
            let front = format!(":{path}");
            Seed {
                name: format!("{name}.sarc"),
                bytes: archive.unwrap_or_default(),
                programs: behind(&front),
                in_bytes: true,
            }
        }
        _ if in_bytes => {
            // An image: bytes, the file at a multiple of 32, bytes.
            let mut image = numbers.bytes(96);
            image.extend_from_slice(&bytes);
            image.extend(numbers.bytes(40));
            Seed { name: format!("{name}.img"), bytes: image, programs: behind(":0x60"), in_bytes: false }
        }
        _ => Seed { name, bytes, programs, in_bytes },
    }
}

/// Writes a tree of `count` files into a folder. Gives the programs that are in it; of damaged files, which lie in a folder
/// of their own, nothing is known.
///
/// # Errors
/// What the system says.
pub fn plant(folder: &Path, count: usize) -> io::Result<BTreeSet<Planted>> {
    let seeds = seeds()?;
    let mut numbers = Numbers::new(7);
    let mut planted = BTreeSet::new();
    for index in 0..count {
        let place = format!("{:02}/{:02}", index % 37, index % 11);
        match index % 10 {
            // Junk: nothing, noise, text.
            7 => {
                let bytes = match numbers.below(3) {
                    0 => Vec::new(),
                    1 => {
                        let len = numbers.below(4000);
                        numbers.bytes(len)
                    }
                    _ => b"... Yaz0 is a word, and so is DVLB; SARC as well. ".repeat(1 + numbers.below(20)),
                };
                write(folder, &format!("{place}/junk{index}.bin"), &bytes)?;
            }
            // Damaged: cut, or with some bits changed.
            8 => {
                let seed = &seeds[numbers.below(seeds.len())];
                let seed = Seed {
                    name: seed.name.clone(),
                    bytes: seed.bytes.clone(),
                    programs: Vec::new(),
                    in_bytes: false,
                };
                let kind = numbers.below(4);
                let mut bytes = wrapped(seed, &mut numbers, kind).bytes;
                if numbers.below(2) == 0 {
                    bytes.truncate(numbers.below(bytes.len()));
                } else {
                    for _ in 0..1 + numbers.below(6) {
                        let at = numbers.below(bytes.len());
                        bytes[at] ^= 1 << numbers.below(8);
                    }
                }
                write(folder, &format!("{HOSTILE}/{place}/bad{index}.bin"), &bytes)?;
            }
            _ => {
                let seed = &seeds[numbers.below(seeds.len())];
                let mut seed = Seed {
                    name: seed.name.clone(),
                    bytes: seed.bytes.clone(),
                    programs: seed.programs.clone(),
                    in_bytes: seed.in_bytes,
                };
                for _ in 0..numbers.below(5) {
                    let kind = numbers.below(4);
                    seed = wrapped(seed, &mut numbers, kind);
                }
                let name = format!("{place}/{index}_{}", seed.name);
                write(folder, &name, &seed.bytes)?;
                planted.extend(seed.programs.into_iter().map(|(inner, item)| (name.clone(), inner, item)));
            }
        }
    }
    Ok(planted)
}

fn write(folder: &Path, name: &str, bytes: &[u8]) -> io::Result<()> {
    let path = folder.join(name);
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    fs::write(path, bytes)
}
