//! Writes BFRES of the Switch (versions 3 to 10) and the Wii U after the tables of the format's description, without
//! the reader's code.

use std::collections::BTreeMap;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Switch(u16),
    Cafe,
}

pub struct Sample {
    pub model: String,
    pub archive: String,
    pub shading_model: String,
    pub materials: Vec<Assign>,
    pub shapes: Vec<ShapeOf>,
    pub files: Vec<(String, Vec<u8>)>,
}

pub struct Assign {
    pub name: String,
    pub options: Vec<(String, String)>,
    pub render_info: Vec<(String, String)>,
    /// Flags and the control word of the test of alpha; files of the Switch have none.
    pub render_state: Option<(u32, u32)>,
    pub samplers: Vec<(String, String)>,
    pub textures: Vec<String>,
}

pub struct ShapeOf {
    pub name: String,
    pub material: u16,
    pub skin: u8,
}

/// Bytes with places that are known later.
struct Out {
    bytes: Vec<u8>,
    cafe: bool,
    labels: BTreeMap<String, usize>,
    pointers: Vec<(usize, String)>,
    strings: Vec<String>,
}

impl Out {
    fn at(&self) -> usize {
        self.bytes.len()
    }
    fn raw(&mut self, bytes: &[u8]) {
        self.bytes.extend(bytes);
    }
    fn u8(&mut self, value: u8) {
        self.bytes.push(value);
    }
    fn u16(&mut self, value: usize) {
        let value = value as u16;
        self.raw(&if self.cafe { value.to_be_bytes() } else { value.to_le_bytes() });
    }
    fn u32(&mut self, value: usize) {
        let value = value as u32;
        self.raw(&if self.cafe { value.to_be_bytes() } else { value.to_le_bytes() });
    }
    fn zeros(&mut self, count: usize) {
        self.bytes.resize(self.bytes.len() + count, 0);
    }
    /// Zeros up to an offset of the record that started at `start`.
    fn to(&mut self, start: usize, offset: usize) {
        assert!(self.at() <= start + offset, "{:#x} is past {offset:#x}", self.at() - start);
        self.bytes.resize(start + offset, 0);
    }
    fn align(&mut self, to: usize) {
        self.bytes.resize(self.bytes.len().next_multiple_of(to), 0);
    }
    fn label(&mut self, name: impl Into<String>) {
        let at = self.at();
        assert!(self.labels.insert(name.into(), at).is_none());
    }
    fn pointer(&mut self, name: impl Into<String>) {
        self.pointers.push((self.at(), name.into()));
        self.zeros(if self.cafe { 4 } else { 8 });
    }
    fn null(&mut self) {
        self.zeros(if self.cafe { 4 } else { 8 });
    }
    fn text(&mut self, text: &str) {
        self.strings.push(text.to_owned());
        self.pointer(format!("text {text}"));
    }
    /// The tree of the dictionary is not looked at by readers that go through it in order.
    fn dictionary(&mut self, name: &str, entries: &[(&str, Option<String>)]) {
        self.align(8);
        self.label(name);
        if self.cafe {
            self.u32(8 + 16 * (entries.len() + 1));
        } else {
            self.raw(b"_DIC");
        }
        self.u32(entries.len());
        self.raw(&[0xff; 4]);
        self.zeros(4);
        self.text("");
        if self.cafe {
            self.null();
        }
        for (index, (key, value)) in entries.iter().enumerate() {
            self.u32(index);
            self.zeros(4);
            self.text(key);
            match value {
                Some(value) => self.pointer(value.clone()),
                None if self.cafe => self.null(),
                None => {}
            }
        }
    }
    fn names(&mut self, name: &str, texts: &[String]) {
        self.align(8);
        self.label(name);
        texts.iter().for_each(|text| self.text(text));
    }
    fn finish(mut self) -> Vec<u8> {
        for (at, name) in &self.pointers {
            let target = *self.labels.get(name).unwrap_or_else(|| panic!("no {name}"));
            if self.cafe {
                let away = target as i64 - *at as i64;
                self.bytes[*at..at + 4].copy_from_slice(&(away as i32).to_be_bytes());
            } else {
                self.bytes[*at..at + 8].copy_from_slice(&(target as u64).to_le_bytes());
            }
        }
        self.bytes
    }
    fn pool(&mut self) {
        self.align(8);
        let mut strings = std::mem::take(&mut self.strings);
        strings.sort();
        strings.dedup();
        if !self.cafe {
            self.raw(b"_STR");
            self.zeros(16);
        }
        for text in strings {
            if self.cafe {
                self.align(4);
                self.u32(text.len());
            } else {
                self.align(2);
            }
            self.label(format!("text {text}"));
            if !self.cafe {
                self.u16(text.len());
            }
            self.raw(text.as_bytes());
            self.u8(0);
        }
    }
}

fn keys(pairs: &[(String, String)]) -> Vec<(&str, Option<String>)> {
    pairs.iter().map(|(key, _)| (key.as_str(), None)).collect()
}

fn values(pairs: &[(String, String)]) -> Vec<String> {
    pairs.iter().map(|(_, value)| value.clone()).collect()
}

pub fn write(kind: Kind, sample: &Sample) -> Vec<u8> {
    let cafe = kind == Kind::Cafe;
    let mut out = Out { bytes: vec![], cafe, labels: BTreeMap::new(), pointers: vec![], strings: vec![] };
    match kind {
        Kind::Switch(major) => switch(&mut out, major, sample),
        Kind::Cafe => self::cafe(&mut out, sample),
    }
    out.pool();
    for (index, (_, bytes)) in sample.files.iter().enumerate() {
        out.align(0x1000);
        out.label(format!("file {index}"));
        out.raw(bytes);
    }
    let (size_at, start) = (if cafe { 0xc } else { 0x1c }, out.labels["file 0"]);
    if !cafe {
        out.align(8);
        let table = out.at();
        out.raw(b"_RLT");
        out.u32(table);
        out.u32(5);
        out.u32(0);
        for (position, size) in [(0, start), (0, 0), (0, 0), (0, 0), (start, table - start)] {
            out.zeros(8);
            out.u32(position);
            out.u32(size);
            out.u32(0);
            out.u32(0);
        }
        out.bytes[0x18..0x1c].copy_from_slice(&(table as u32).to_le_bytes());
    }
    let size = out.at() as u32;
    let size = if cafe { size.to_be_bytes() } else { size.to_le_bytes() };
    out.bytes[size_at..size_at + 4].copy_from_slice(&size);
    out.finish()
}

fn switch(out: &mut Out, major: u16, sample: &Sample) {
    let (nine, ten) = (major >= 9, major >= 10);
    out.raw(b"FRES    ");
    out.raw(&[0, 0]);
    out.u16(major.into());
    out.raw(&[0xff, 0xfe, 12, 64]);
    out.to(0, 0x20);
    out.text("sample");
    out.pointer("models");
    out.pointer("model names");
    out.to(0, if nine { 0xb8 } else { 0x98 });
    out.pointer("files");
    out.pointer("file names");
    out.to(0, if nine { 0xdc } else { 0xbc });
    out.u16(1);
    out.to(0, if nine { 0xec } else { 0xc8 });
    out.u16(sample.files.len());
    out.to(0, if nine { 0xf0 } else { 0xd0 });

    out.label("models");
    let start = out.at();
    out.raw(b"FMDL");
    out.to(start, if nine { 8 } else { 0x10 });
    out.text(&sample.model);
    out.text("");
    out.to(start, if nine { 0x28 } else { 0x30 });
    out.pointer("shapes");
    out.pointer("shape names");
    out.pointer("materials");
    out.pointer("material names");
    out.to(start, 0x68);
    out.u16(1);
    out.u16(sample.shapes.len());
    out.u16(sample.materials.len());
    out.to(start, 0x78);
    out.dictionary("model names", &[(&sample.model, None)]);

    out.align(8);
    out.label("shapes");
    for (index, shape) in sample.shapes.iter().enumerate() {
        let start = out.at();
        out.raw(b"FSHP");
        out.to(start, if nine { 8 } else { 0x10 });
        out.text(&shape.name);
        out.to(start, if nine { 0x50 } else { 0x5c });
        out.u16(index);
        out.u16(shape.material.into());
        out.to(start, if nine { 0x5a } else { 0x66 });
        out.u8(shape.skin);
        out.to(start, if nine { 0x60 } else { 0x70 });
    }
    let names: Vec<_> = sample.shapes.iter().map(|shape| (shape.name.as_str(), None)).collect();
    out.dictionary("shape names", &names);

    out.align(8);
    out.label("materials");
    for (index, material) in sample.materials.iter().enumerate() {
        let start = out.at();
        let m = |what: &str| format!("{index} {what}");
        out.raw(b"FMAT");
        let (infos, textures) = (material.render_info.len(), material.textures.len() as u8);
        if ten {
            out.to(start, 8);
            out.text(&material.name);
            out.pointer(m("assign"));
            out.to(start, 0x20);
            out.pointer(m("textures"));
            out.to(start, 0x38);
            out.pointer(m("sampler names"));
            out.pointer(m("info values"));
            out.pointer(m("info counts"));
            out.pointer(m("info offsets"));
            out.to(start, 0xa0);
            out.u16(index);
            out.raw(&[textures, textures]);
            out.to(start, 0xb0);
            continue;
        }
        out.to(start, if nine { 8 } else { 0x10 });
        out.text(&material.name);
        out.pointer(m("infos"));
        out.pointer(m("info names"));
        out.pointer(m("assign"));
        out.null();
        out.pointer(m("textures"));
        out.null();
        out.null();
        out.pointer(m("sampler names"));
        out.to(start, if nine { 0x98 } else { 0xa4 });
        out.u16(index);
        out.u16(infos);
        out.to(start, if nine { 0x9c } else { 0xa8 });
        out.raw(&[textures, textures]);
        out.to(start, if nine { 0xa8 } else { 0xb8 });
    }
    let names: Vec<_> = sample.materials.iter().map(|one| (one.name.as_str(), None)).collect();
    out.dictionary("material names", &names);
    for (index, material) in sample.materials.iter().enumerate() {
        let m = |what: &str| format!("{index} {what}");
        out.names(&m("textures"), &material.textures);
        out.dictionary(&m("sampler names"), &keys(&material.samplers));
        if ten {
            reflected(out, index, material, sample);
            continue;
        }
        out.align(8);
        out.label(m("infos"));
        for (number, (name, _)) in material.render_info.iter().enumerate() {
            out.text(name);
            out.pointer(m(&format!("info {number}")));
            out.u16(1);
            out.u8(2);
            out.zeros(5);
        }
        for (number, (_, value)) in material.render_info.iter().enumerate() {
            out.names(&m(&format!("info {number}")), std::slice::from_ref(value));
        }
        out.dictionary(&m("info names"), &keys(&material.render_info));
        out.align(8);
        out.label(m("assign"));
        out.text(&sample.archive);
        out.text(&sample.shading_model);
        for what in ["attributes", "samplers", "options"] {
            out.pointer(m(what));
            out.pointer(m(&format!("{what} of assign")));
        }
        out.zeros(8);
        for (what, pairs) in
            [("attributes", &vec![]), ("samplers", &material.samplers), ("options", &material.options)]
        {
            out.names(&m(what), &values(pairs));
            out.dictionary(&m(&format!("{what} of assign")), &keys(pairs));
        }
    }
    out.align(8);
    out.label("files");
    for (index, (_, bytes)) in sample.files.iter().enumerate() {
        out.pointer(format!("file {index}"));
        out.u32(bytes.len());
        out.u32(0);
    }
    let names: Vec<_> = sample.files.iter().map(|(name, _)| (name.as_str(), None)).collect();
    out.dictionary("file names", &names);
}

/// What a material of version 10 says: `0` and `1` as bits, everything else but defaults as texts.
fn reflected(out: &mut Out, index: usize, material: &Assign, sample: &Sample) {
    let m = |what: &str| format!("{index} {what}");
    let is_bit = |value: &str| value == "0" || value == "1";
    let position = |name: &str| material.options.iter().position(|(known, _)| known == name).unwrap();
    let bits: Vec<_> = material.options.iter().filter(|(_, value)| is_bit(value)).collect();
    let texts: Vec<_> =
        material.options.iter().filter(|(_, value)| !is_bit(value) && value != "<Default Value>").collect();
    out.align(8);
    out.label(m("assign"));
    let start = out.at();
    out.pointer(m("reflection"));
    out.null();
    out.null();
    out.pointer(m("samplers"));
    out.null();
    out.pointer(m("bits"));
    out.pointer(m("texts"));
    out.pointer(m("indices"));
    out.to(start, 0x44);
    out.raw(&[0, material.samplers.len() as u8]);
    out.u16(bits.len());
    out.u16(bits.len() + texts.len());
    out.to(start, 0x50);
    out.names(&m("samplers"), &values(&material.samplers));
    out.align(8);
    out.label(m("bits"));
    let mask =
        bits.iter().enumerate().fold(0, |mask, (bit, (_, value))| mask | u8::from(value == "1") << bit);
    out.raw(&[mask, 0, 0, 0, 0, 0, 0, 0]);
    let list: Vec<String> = texts.iter().map(|(_, value)| value.clone()).collect();
    out.names(&m("texts"), &list);
    out.align(8);
    out.label(m("indices"));
    for (name, _) in bits.iter().chain(&texts) {
        out.u16(position(name));
    }
    out.align(8);
    out.label(m("reflection"));
    let start = out.at();
    out.text(&sample.archive);
    out.text(&sample.shading_model);
    out.pointer(m("descriptors"));
    out.pointer(m("info names"));
    out.null();
    out.null();
    out.null();
    out.pointer(m("keys of samplers"));
    out.pointer(m("keys of options"));
    out.u16(material.render_info.len());
    out.to(start, 0x58);
    out.dictionary(&m("keys of samplers"), &keys(&material.samplers));
    out.dictionary(&m("keys of options"), &keys(&material.options));
    out.align(8);
    out.label(m("descriptors"));
    for (name, _) in &material.render_info {
        out.text(name);
        out.u8(2);
        out.zeros(7);
    }
    out.dictionary(&m("info names"), &keys(&material.render_info));
    out.names(&m("info values"), &values(&material.render_info));
    out.label(m("info counts"));
    material.render_info.iter().for_each(|_| out.u16(1));
    out.label(m("info offsets"));
    (0..material.render_info.len()).for_each(|number| out.u16(8 * number));
}

fn cafe(out: &mut Out, sample: &Sample) {
    out.raw(b"FRES");
    out.raw(&[3, 4, 0, 4, 0xfe, 0xff, 0, 0x10]);
    out.to(0, 0x10);
    out.u32(0x2000);
    out.text("sample");
    out.to(0, 0x20);
    out.pointer("models");
    out.to(0, 0x4c);
    out.pointer("files");
    out.u16(1);
    out.to(0, 0x66);
    out.u16(sample.files.len());
    out.to(0, 0x6c);
    out.dictionary("models", &[(&sample.model, Some("model".into()))]);
    out.align(4);
    out.label("model");
    let start = out.at();
    out.raw(b"FMDL");
    out.text(&sample.model);
    out.text("");
    out.to(start, 0x14);
    out.pointer("shapes");
    out.pointer("materials");
    out.to(start, 0x20);
    out.u16(1);
    out.u16(sample.shapes.len());
    out.u16(sample.materials.len());
    out.to(start, 0x30);
    let shapes: Vec<_> = sample
        .shapes
        .iter()
        .enumerate()
        .map(|(n, one)| (one.name.as_str(), Some(format!("shape {n}"))))
        .collect();
    out.dictionary("shapes", &shapes);
    for (index, shape) in sample.shapes.iter().enumerate() {
        out.align(4);
        out.label(format!("shape {index}"));
        let start = out.at();
        out.raw(b"FSHP");
        out.text(&shape.name);
        out.to(start, 0xc);
        out.u16(index);
        out.u16(shape.material.into());
        out.to(start, 0x16);
        out.u8(shape.skin);
        out.to(start, 0x40);
    }
    let materials: Vec<_> = sample
        .materials
        .iter()
        .enumerate()
        .map(|(n, one)| (one.name.as_str(), Some(format!("material {n}"))))
        .collect();
    out.dictionary("materials", &materials);
    for (index, material) in sample.materials.iter().enumerate() {
        let m = |what: &str| format!("{index} {what}");
        out.align(4);
        out.label(format!("material {index}"));
        let start = out.at();
        let textures = material.textures.len() as u8;
        out.raw(b"FMAT");
        out.text(&material.name);
        out.to(start, 0xc);
        out.u16(index);
        out.u16(material.render_info.len());
        out.raw(&[textures, textures]);
        out.to(start, 0x1c);
        out.pointer(m("infos"));
        match material.render_state {
            Some(_) => out.pointer(m("state")),
            None => out.null(),
        }
        out.pointer(m("assign"));
        out.pointer(m("textures"));
        out.null();
        out.pointer(m("sampler names"));
        out.to(start, 0x4c);
        let infos: Vec<_> = (0..material.render_info.len()).map(|n| Some(m(&format!("info {n}")))).collect();
        let infos: Vec<_> =
            material.render_info.iter().zip(infos).map(|((name, _), place)| (name.as_str(), place)).collect();
        out.dictionary(&m("infos"), &infos);
        for (number, (name, value)) in material.render_info.iter().enumerate() {
            out.label(m(&format!("info {number}")));
            out.u16(1);
            out.raw(&[2, 0]);
            out.text(name);
            out.text(value);
        }
        if let Some((flags, alpha_control)) = material.render_state {
            out.align(4);
            out.label(m("state"));
            let start = out.at();
            out.u32(flags as usize);
            out.to(start, 0xc);
            out.u32(alpha_control as usize);
            out.to(start, 0x30);
        }
        out.align(4);
        out.label(m("textures"));
        for texture in &material.textures {
            out.text(texture);
            out.null();
        }
        out.dictionary(&m("sampler names"), &keys(&material.samplers));
        out.align(4);
        out.label(m("assign"));
        let start = out.at();
        out.text(&sample.archive);
        out.text(&sample.shading_model);
        out.to(start, 0x10);
        out.null();
        out.pointer(m("samplers"));
        out.pointer(m("options"));
        for (what, pairs) in [("samplers", &material.samplers), ("options", &material.options)] {
            let entries: Vec<_> =
                pairs.iter().map(|(key, value)| (key.as_str(), Some(format!("text {value}")))).collect();
            pairs.iter().for_each(|(_, value)| out.strings.push(value.clone()));
            out.dictionary(&m(what), &entries);
        }
    }
    let files: Vec<_> = sample
        .files
        .iter()
        .enumerate()
        .map(|(n, (name, _))| (name.as_str(), Some(format!("record {n}"))))
        .collect();
    out.dictionary("files", &files);
    for (index, (_, bytes)) in sample.files.iter().enumerate() {
        out.label(format!("record {index}"));
        out.pointer(format!("file {index}"));
        out.u32(bytes.len());
    }
}
