//! A writer of archives by chance that knows nothing of the crate's: it makes bytes, and says what they hold in the words of
//! the dumps beside the corpus.

use serde_json::{Value, json};

/// Numbers by chance, the same for a seed on any system.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub fn next(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 32) as u32
    }

    /// A number below `end`, which is not 0.
    pub fn below(&mut self, end: u32) -> u32 {
        self.next() % end
    }

    pub fn one_in(&mut self, of: u32) -> bool {
        self.below(of) == 0
    }

    pub fn name(&mut self, front: &str) -> String {
        let len = self.below(12);
        let letters = (0..len).map(|_| char::from(b'a' + self.below(26) as u8));
        let letters: String = letters.collect();
        format!("{front}{letters}")
    }

    fn bytes(&mut self, len: u32) -> Vec<u8> {
        (0..len).map(|_| self.next() as u8).collect()
    }
}

/// Bytes in one byte order.
#[derive(Clone, Copy)]
struct Order {
    big: bool,
}

impl Order {
    fn words(self, words: &[u32]) -> Vec<u8> {
        let word = |word: &u32| if self.big { word.to_be_bytes() } else { word.to_le_bytes() };
        words.iter().flat_map(word).collect()
    }

    fn record(self, body: &[u8]) -> Vec<u8> {
        [self.words(&[body.len() as u32 + 4]), body.to_vec()].concat()
    }

    fn array(self, records: &[Vec<u8>]) -> Vec<u8> {
        self.record(&[self.words(&[records.len() as u32]), records.concat()].concat())
    }
}

fn string(text: &str) -> Vec<u8> {
    [text.as_bytes(), &[0]].concat()
}

/// Macros with values, and one default each.
struct Macros {
    names: Vec<(String, Option<String>, Vec<String>, usize)>,
}

impl Macros {
    fn by_chance(dice: &mut Dice, ids: bool) -> Self {
        let count = [0, 0, 1, 2, 3][dice.below(5) as usize];
        let one = |index: usize, dice: &mut Dice| {
            let values: Vec<String> = (0..1 + dice.below(3)).map(|value| format!("{value}")).collect();
            let default = dice.below(values.len() as u32) as usize;
            let id = (ids || dice.one_in(2)).then(|| dice.name(&format!("id{index}")));
            (dice.name(&format!("c{index}")), id, values, default)
        };
        Self { names: (0..count).map(|index| one(index, dice)).collect() }
    }

    fn variations(&self) -> u32 {
        self.names.iter().map(|(_, _, values, _)| values.len() as u32).product()
    }

    fn array(&self, order: Order, defaults: bool) -> (Vec<u8>, Value) {
        let (mut records, mut told) = (Vec::new(), Vec::new());
        for (name, id, values, default) in &self.names {
            let values = if defaults { vec![values[*default].clone()] } else { values.clone() };
            let (own, other) = (string(name), id.as_deref().map(string).unwrap_or_default());
            let head = order.words(&[own.len() as u32, values.len() as u32, other.len() as u32]);
            let texts: Vec<u8> = values.iter().flat_map(|value| string(value)).collect();
            records.push(order.record(&[head, own, texts, other].concat()));
            told.push(json!({ "name": name, "values": values, "id": id }));
        }
        (order.array(&records), json!(told))
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn symbols(dice: &mut Dice, order: Order, kind: &str, variations: u32) -> (Vec<u8>, Value) {
    let (mut records, mut told) = (Vec::new(), Vec::new());
    for index in 0..dice.below(4) {
        let (name, id) = (dice.name(&format!("u{index}")), dice.name(&format!("_p{index}")));
        let (offset, default) = match kind {
            "uniforms" => {
                let words = dice.below(5);
                (dice.below(99) as i32 - 1, dice.bytes(4 * words))
            }
            "blocks" => {
                let size = dice.below(40);
                (size as i32, dice.bytes(size))
            }
            _ => (-1, Vec::new()),
        };
        let flags: Vec<u8> = (0..variations).map(|_| dice.below(2) as u8).collect();
        let (own, other) = (string(&name), string(&id));
        let head = [offset as u32, own.len() as u32, other.len() as u32, default.len() as u32, variations];
        records
            .push(order.record(&[order.words(&head), own, other, default.clone(), flags.clone()].concat()));
        told.push(
            json!({ "name": name, "id": id, "offset": offset, "default": hex(&default), "flags": flags }),
        );
    }
    (order.array(&records), json!(told))
}

fn blocks(dice: &mut Dice, order: Order) -> (Vec<u8>, Value) {
    let (mut records, mut told) = (Vec::new(), Vec::new());
    for index in 0..dice.below(3) {
        let (mut inner, mut uniforms) = (Vec::new(), Vec::new());
        for number in 0..dice.below(4) {
            let (name, location) = (dice.name(&format!("u{number}")), dice.below(64) as i32 - 1);
            let own = string(&name);
            inner.push(order.record(&[order.words(&[location as u32, own.len() as u32]), own].concat()));
            uniforms.push(json!([name, location]));
        }
        let (name, location) = (dice.name(&format!("Block{index}")), dice.below(9) as i32 - 1);
        let own = string(&name);
        let head = order.words(&[location as u32, own.len() as u32]);
        records.push(order.record(&[head, own, order.array(&inner)].concat()));
        told.push(json!([name, location, uniforms]));
    }
    (order.array(&records), json!(told))
}

/// An archive of sources of a version, and what it holds.
pub fn sources(version: u32, seed: u64) -> (Vec<u8>, Value) {
    let mut dice = Dice::new(seed * 4 + u64::from(version));
    let dice = &mut dice;
    let order = Order { big: dice.one_in(2) };
    let (mut texts, mut told_texts) = (Vec::new(), Vec::new());
    let count = dice.below(5);
    for index in 0..count {
        let name = dice.name(&format!("s{index}_"));
        let lines = (0..dice.below(4)).map(|_| dice.name("line ") + "\n").collect::<String>();
        let (own, text) = (string(&name), string(&lines));
        let raw = if dice.one_in(3) { dice.next() } else { text.len() as u32 };
        let head = order.words(&[own.len() as u32, text.len() as u32, raw]);
        texts.push(order.record(&[head, own, text].concat()));
        told_texts.push(json!({ "name": name, "text": lines, "raw_length": raw }));
    }
    let stages = if version >= 13 { 4 } else { 3 };
    let (mut programs, mut told_programs) = (Vec::new(), Vec::new());
    for index in 0..dice.below(4) {
        let name = dice.name(&format!("p{index}"));
        let own = string(&name);
        let (mut words, mut indices) = (Vec::new(), Vec::new());
        for _ in 0..stages {
            let source = if count == 0 || dice.one_in(3) { -1 } else { dice.below(count) as i64 };
            indices.push(source);
            words.push(match (version >= 13, source) {
                (true, source) => (source as u32 & 0xFFFF) | dice.below(0x1_0000) << 16,
                (false, source) => source as u32,
            });
        }
        let mut body = [order.words(&[own.len() as u32]), order.words(&words), own].concat();
        let mut told_macros = Vec::new();
        for _ in 0..stages {
            let (mut records, mut told) = (Vec::new(), Vec::new());
            for number in 0..dice.below(4) {
                let (name, value) = (dice.name(&format!("M{number}")), dice.name(""));
                let (own, text) = (string(&name), string(&value));
                let head = order.words(&[own.len() as u32, text.len() as u32]);
                records.push(order.record(&[head, own, text].concat()));
                told.push(json!([name, value]));
            }
            body.extend(order.array(&records));
            told_macros.push(told);
        }
        let macros = Macros::by_chance(dice, true);
        let (bytes, told_values) = macros.array(order, false);
        body.extend(bytes);
        let mut told = json!({
            "name": name, "sources": indices, "stage_macros": told_macros, "macros": told_values, "defaults": null,
        });
        if version >= 11 {
            let (bytes, defaults) = macros.array(order, true);
            body.extend(bytes);
            told["defaults"] = defaults;
        }
        if version >= 13 {
            let (bytes, known) = blocks(dice, order);
            body.extend(bytes);
            told["register_blocks"] = known;
        } else {
            for kind in ["uniforms", "blocks", "samplers", "attributes"] {
                let (bytes, known) = symbols(dice, order, kind, macros.variations());
                body.extend(bytes);
                told[kind] = known;
            }
        }
        programs.push(order.record(&body));
        told_programs.push(told);
    }
    let name = dice.name("archive");
    let own = string(&name);
    let mut rest = [order.array(&programs), order.array(&texts)].concat();
    let mut told = json!({
        "kind": format!("src{version}"), "endian": if order.big { "big" } else { "little" }, "name": name,
        "programs": told_programs, "sources": told_texts,
    });
    if version >= 13 {
        let info: Vec<[u32; 3]> = (0..dice.below(3)).map(|_| [dice.next(), dice.next(), 7]).collect();
        let records: Vec<Vec<u8>> = info.iter().map(|words| order.record(&order.words(words))).collect();
        rest.extend(order.array(&records));
        told["info"] = json!(info);
    }
    let len = (0x14 + own.len() + rest.len()) as u32;
    let head = order.words(&[0x5348_4141, version, len, u32::from(!order.big), own.len() as u32]);
    ([head, own, rest].concat(), told)
}

/// An archive of binaries of the Wii U whose binaries are of no known type, and what it holds.
pub fn cafe(version: u32, seed: u64) -> (Vec<u8>, Value) {
    let mut dice = Dice::new(seed * 4 + u64::from(version));
    let dice = &mut dice;
    let order = Order { big: dice.one_in(2) };
    let (mut programs, mut told_programs) = (Vec::new(), Vec::new());
    let mut base = 0;
    for index in 0..dice.below(4) {
        let name = dice.name(&format!("p{index}"));
        let own = string(&name);
        let macros = Macros::by_chance(dice, true);
        let kind = if dice.one_in(4) { 7 } else { 3 };
        let first = if dice.one_in(5) { -1 } else { base };
        if first >= 0 {
            base += (macros.variations() * if kind == 7 { 3 } else { 2 }) as i32;
        }
        let mut body = [order.words(&[own.len() as u32, kind, first as u32]), own].concat();
        let (bytes, values) = macros.array(order, false);
        body.extend(bytes);
        let (bytes, defaults) = macros.array(order, true);
        body.extend(bytes);
        let mut told =
            json!({ "name": name, "kind": kind, "base": first, "macros": values, "defaults": defaults });
        for kind in ["uniforms", "blocks", "samplers", "attributes"] {
            let (bytes, known) = symbols(dice, order, kind, macros.variations());
            body.extend(bytes);
            told[kind] = known;
            if kind == "uniforms" && version >= 9 {
                let extra = match dice.one_in(3) {
                    true => {
                        let len = dice.below(40);
                        order.record(&dice.bytes(len))
                    }
                    false => blocks(dice, order).0,
                };
                told["extra"] = json!(hex(&extra[4..]));
                body.extend(extra);
            }
        }
        programs.push(order.record(&body));
        told_programs.push(told);
    }
    let (mut binaries, mut told_binaries) = (Vec::new(), Vec::new());
    for _ in 0..base {
        let (kind, gap, len) = (3 + dice.below(9), dice.below(3), dice.below(50));
        let head = order.words(&[kind, gap, len]);
        let contents = dice.bytes(gap + len);
        binaries.push(order.record(&[head, contents].concat()));
        told_binaries.push(json!({ "stage": kind, "word8": gap }));
    }
    let name = dice.name("archive");
    let own = string(&name);
    let rest = [order.array(&binaries), order.array(&programs)].concat();
    let len = (0x18 + own.len() + rest.len()) as u32;
    let native = u32::from(!order.big);
    let head = order.words(&[0x5348_4142, version, len, native, 0, own.len() as u32]);
    let told = json!({
        "kind": format!("cafe{version}"), "endian": if order.big { "big" } else { "little" }, "flags": native,
        "name": name, "binaries": told_binaries, "programs": told_programs,
    });
    ([head, own, rest].concat(), told)
}

/// Tables of an info block: name and whether entries have a size.
const TABLES: [(&str, bool); 6] = [
    ("blocks", true),
    ("buffers", true),
    ("attributes", false),
    ("uniforms", false),
    ("samplers", false),
    ("images", false),
];

/// A control section for code of that many bytes.
fn control(dice: &mut Dice, stage: u32, code: usize) -> Vec<u8> {
    let mut control = vec![0; 0x7C8 + 4 * dice.below(3) as usize];
    let mut set = |at: usize, word: u32| control[at..at + 4].copy_from_slice(&word.to_le_bytes());
    // Vertex, pixel, geometry and compute have other numbers in control sections.
    let number = [0, 1, 2, 5][stage as usize];
    for (at, word) in [(0, 0x9876_1234), (4, 1), (8, 5), (0xC, 0x120), (0x10, 0xB), (0x714, number)] {
        set(at, word);
    }
    for (at, word) in [(0x6F8, code as u32 - 0x30), (0x704, code as u32), (0x708, 0x30), (0x70C, 8)] {
        set(at, word);
    }
    control
}

/// An archive of the Switch, and what it holds.
pub fn switch(seed: u64) -> (Vec<u8>, Value) {
    let mut dice = Dice::new(seed * 4 + 1);
    let dice = &mut dice;
    let order = Order { big: false };
    let pooled = !dice.one_in(3);
    let flags = if pooled { 5 } else { 1 };
    let name = dice.name("Archive");
    let mut names = string(&name);
    let mut programs = Vec::new();
    let mut told_programs = Vec::new();
    let mut stages: Vec<u32> = Vec::new();
    for index in 0..dice.below(4) {
        let own_name = dice.name(&format!("p{index}"));
        let own = string(&own_name);
        let macros = Macros::by_chance(dice, false);
        let kind = [3, 3, 7, 8][dice.below(4) as usize];
        let first = if dice.one_in(5) { -1 } else { stages.len() as i32 };
        if first >= 0 {
            for _ in 0..macros.variations() {
                stages.extend(match kind {
                    3 => [0, 1].as_slice(),
                    7 => &[0, 1, 2],
                    _ => &[3],
                });
            }
        }
        let mut body = [order.words(&[own.len() as u32, kind, first as u32]), own].concat();
        let (bytes, values) = macros.array(order, false);
        body.extend(bytes);
        let (bytes, defaults) = match dice.one_in(2) {
            true => macros.array(order, true),
            false => (order.array(&[]), json!([])),
        };
        body.extend(bytes);
        let (bytes, known) = blocks(dice, order);
        body.extend(bytes);
        programs.push(order.record(&body));
        told_programs.push(json!({
            "name": own_name, "kind": kind, "base": first, "macros": values, "defaults": defaults,
            "register_blocks": known,
        }));
    }
    // A few codes that binaries share.
    let codes: Vec<Vec<u8>> = (0..1 + dice.below(4))
        .map(|_| {
            let mut code = vec![0; 0x100 * (1 + dice.below(3)) as usize];
            code[..4].copy_from_slice(&0x1234_5678_u32.to_le_bytes());
            let random = dice.bytes(code.len() as u32 - 0x30);
            code[0x30..].copy_from_slice(&random);
            code
        })
        .collect();
    let mut pool: Vec<u8> = Vec::new();
    let mut places: Vec<(usize, usize)> = Vec::new();
    let (mut binaries, mut told_binaries) = (Vec::new(), Vec::new());
    for &stage in &stages {
        let which = dice.below(codes.len() as u32) as usize;
        let place = match places.iter().find(|(code, _)| *code == which) {
            Some((_, place)) => *place,
            None => {
                pool.resize(pool.len().next_multiple_of(0x80), 0);
                places.push((which, pool.len()));
                pool.extend(&codes[which]);
                pool.len() - codes[which].len()
            }
        };
        let control = control(dice, stage, codes[which].len());
        let mut tail = [vec![0; 4], control.clone()].concat();
        tail.resize(tail.len().next_multiple_of(4), 0);
        let rows: Vec<Vec<(String, i32, u32)>> = TABLES
            .iter()
            .map(|(table, _)| {
                let count = [0, 0, 1, 2][dice.below(4) as usize];
                let row = |index| {
                    let name = dice.name(&format!("{}{index}", &table[..1]));
                    (name, dice.below(20) as i32 - 1, dice.below(999))
                };
                (0..count).map(row).collect()
            })
            .collect();
        let lens =
            TABLES.iter().zip(&rows).map(|((_, sized), rows)| rows.len() * if *sized { 16 } else { 12 });
        let names_at = 0x5C + tail.len() + lens.sum::<usize>();
        let mut info = [(place as u64).to_le_bytes().to_vec(), order.words(&[control.len() as u32])].concat();
        info.extend(0x60_u64.to_le_bytes());
        let (mut tables, mut own): (Vec<u8>, Vec<u8>) = (Vec::new(), Vec::new());
        let front: String = hex(&control).chars().take(32).collect();
        let mut told = json!({
            "stage": stage, "word8": 0, "control": format!("{front}..{}", control.len()), "code_offset": place,
        });
        for ((table, sized), rows) in TABLES.iter().zip(&rows) {
            let at = if rows.is_empty() { 0 } else { (0x5C + tail.len() + tables.len()) as u64 };
            info.extend(order.words(&[rows.len() as u32]));
            info.extend(at.to_le_bytes());
            let mut known = Vec::new();
            for (name, location, size) in rows {
                let at = match pooled {
                    true => pooled_name(&mut names, name),
                    false => {
                        own.extend(string(name));
                        names_at + own.len() - name.len() - 1
                    }
                };
                tables.extend((at as u64).to_le_bytes());
                tables.extend(order.words(&[*location as u32]));
                if *sized {
                    tables.extend(order.words(&[*size]));
                    known.push(json!([name, location, size]));
                } else {
                    known.push(json!([name, location]));
                }
            }
            told[*table] = json!(known);
        }
        let mut data = [info, tail, tables, own].concat();
        data.resize(data.len().next_multiple_of(8), 0);
        let head = order.words(&[stage, 0, data.len() as u32]);
        binaries.push(order.record(&[head, data].concat()));
        told_binaries.push(told);
    }
    names.resize(names.len().next_multiple_of(0x1000), 0);
    pool.resize(pool.len().next_multiple_of(0x1000), 0);
    let mut rest = [order.array(&binaries), order.array(&programs)].concat();
    let pool_at = (0x150 + names.len() + rest.len()).next_multiple_of(0x1000);
    rest.resize(pool_at - 0x150 - names.len(), 0);
    let len = (pool_at + pool.len()) as u32;
    let words = [0x5348_4142, 9, len, flags, 0, names.len() as u32, pool.len() as u32, pool_at as u32];
    let mut file = order.words(&words);
    file.resize(0x150, 0);
    let pool_len = pool.len();
    let file = [file, names, rest, pool].concat();
    let told = json!({
        "kind": "nx9", "endian": "little", "flags": flags, "name": name, "pool": [pool_at, pool_len],
        "binaries": told_binaries, "programs": told_programs,
    });
    (file, told)
}

/// The place of a name among those of the archive, which it comes in behind where it is new.
fn pooled_name(names: &mut Vec<u8>, name: &str) -> usize {
    let mut at = 0;
    for string in names.split_inclusive(|&byte| byte == 0) {
        if string.strip_suffix(&[0]) == Some(name.as_bytes()) {
            return at;
        }
        at += string.len();
    }
    names.extend(string(name));
    at
}
