//! Random sources in the language, from a seed: mostly right, in all its corners; now and then wrong.

use std::fmt::Write;

/// Sources of one assembly.
pub struct Case {
    /// Name and text of each.
    pub texts: Vec<(String, String)>,
    /// Whether to leave the padding out.
    pub no_nop: bool,
}

/// A small generator of random numbers (splitmix64), the same on every platform.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    /// Below `count`.
    pub fn below(&mut self, count: usize) -> usize {
        (self.next() % count as u64) as usize
    }

    /// Once in `count` times.
    pub fn once_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    pub fn pick<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }
}

/// What a source knows by name.
#[derive(Default)]
struct Names {
    /// Readable in narrow places: one input at most, and temporaries.
    narrow: Vec<String>,
    /// Float uniforms and constants with their sizes.
    wide: Vec<(String, usize)>,
    outputs: Vec<String>,
    bools: Vec<(String, usize)>,
    ints: Vec<(String, usize)>,
}

struct Writer {
    random: Random,
    text: String,
    names: Names,
    swizzles: Vec<String>,
    procedures: Vec<String>,
    labels: usize,
    words: usize,
    geometry: bool,
    prefix: String,
}

const LETTERS: [&[u8; 4]; 3] = [b"xyzw", b"rgba", b"stpq"];

/// The sources of a seed.
pub fn case(seed: u64) -> Case {
    let mut random = Random(seed);
    let count = *random.pick(&[1, 1, 1, 2, 3]);
    let no_nop = random.once_in(5);
    let mut procedures = Vec::new();
    for file in 0..count {
        let own = 1 + random.below(4);
        procedures.push((0..own).map(|n| format!("proc{file}_{n}")).collect::<Vec<_>>());
    }
    let all: Vec<String> = procedures.concat();
    let mut texts = Vec::new();
    for (file, own) in procedures.iter().enumerate() {
        let mut writer = Writer {
            random: Random(random.next()),
            text: String::new(),
            names: Names::default(),
            swizzles: Vec::new(),
            procedures: all.clone(),
            labels: 0,
            words: 0,
            geometry: false,
            prefix: format!("f{file}"),
        };
        writer.file(own, file == 0);
        texts.push((format!("{file}.pica"), writer.text));
    }
    Case { texts, no_nop }
}

impl Writer {
    fn line(&mut self, line: &str) {
        let indent = *self.random.pick(&["", "\t", "  ", " \t "]);
        let end = *self.random.pick(&["\n", "\n", "\n", " ; note: x\n", "\r\n", "\t\n", "\n\n; [.,:\n"]);
        self.text += indent;
        self.text += line;
        self.text += end;
    }

    fn word(&mut self, word: &str) -> String {
        match self.random.below(8) {
            0 => word.to_ascii_uppercase(),
            1 => {
                let (first, rest) = word.split_at(1);
                first.to_ascii_uppercase() + rest
            }
            _ => word.to_string(),
        }
    }

    fn swizzle(&mut self) -> String {
        if self.random.once_in(12) {
            let case = *self.random.pick(&LETTERS);
            let letters: String =
                (0..=self.random.below(4)).map(|_| char::from(*self.random.pick(case))).collect();
            return if self.random.once_in(4) { letters.to_ascii_uppercase() } else { letters };
        }
        self.random.pick(&self.swizzles).clone()
    }

    fn mask(&mut self) -> String {
        let case = *self.random.pick(&LETTERS);
        let bits = self.random.pick(&[15, 15, 7, 8, 4, 12, 3, 1, 2, 5]);
        let mask: String =
            (0..4).filter(|lane| bits >> (3 - lane) & 1 != 0).map(|lane| char::from(case[lane])).collect();
        if *bits == 15 && self.random.once_in(2) { String::new() } else { format!(".{mask}") }
    }

    fn number(&mut self) -> String {
        let random = &mut self.random;
        let sign = *random.pick(&["", "", "-", "+"]);
        let body = match random.below(16) {
            0 => "inf".into(),
            1 => "NaN".into(),
            2 => format!("0x{:X}.{:x}p{}", random.below(99), random.next(), random.below(160) as i32 - 80),
            3 => format!("{}e{}", random.below(1000), random.below(80) as i32 - 40),
            4 => format!("{}.{}e{}", random.below(100), random.next(), random.below(48) as i32 - 24),
            // Exactly between two numbers of 24 bits of mantissa, or just beside.
            5 => format!(
                "{}.{}",
                16_777_217 + random.below(4),
                random.pick(&["0", "5", "49999999", "50000001"])
            ),
            6 => format!("{}", f32::from_bits(random.next() as u32)),
            7 => format!("{:e}", f64::from_bits(random.next())),
            8 => format!("{}f", random.below(9)),
            9 => format!("{}/{}", random.below(9), random.below(9)),
            10 => format!("0x{:x}", random.next()),
            11 => ".5".into(),
            _ => format!("{}.{}", random.below(10), random.below(10_000)),
        };
        if body.starts_with('-') { body } else { format!("{sign}{body}") }
    }

    fn four(&mut self, float: bool) -> String {
        let values: Vec<String> = (0..4)
            .map(|_| if float { self.number() } else { format!("{}", self.random.below(600) as i64 - 100) })
            .collect();
        let comma = *self.random.pick(&[",", ", ", " , "]);
        format!("({})", values.join(comma))
    }

    fn declarations(&mut self) {
        let prefix = self.prefix.clone();
        for n in 0..self.random.below(4) {
            let name = format!("{prefix}in{n}");
            let line = if self.random.once_in(3) {
                format!(".in {name} v{}", self.random.below(15))
            } else {
                format!(".in {name}")
            };
            self.line(&line);
            if n == 0 {
                self.names.narrow.push(name);
            }
        }
        for n in 0..self.random.below(5) {
            let name = format!("{prefix}out{n}");
            let property = *self.random.pick(&[
                "position",
                "pos",
                "clr",
                "texcoord0",
                "tcoord0w",
                "view",
                "nquat",
                "dummy",
            ]);
            let line = match self.random.below(4) {
                0 => format!(".out {name} {property}{}", self.mask()),
                1 => format!(".out {name} {property} o{n}{}", self.mask()),
                2 if n > 0 => format!(".out - {property} o{n}{}", self.mask()),
                _ => format!(".out  {name}\t{property}"),
            };
            if !line.starts_with(".out -") {
                self.names.outputs.push(name);
            }
            self.line(&line);
        }
        for n in 0..self.random.below(6) {
            // The same names in several sources are one uniform.
            let owner = if self.random.once_in(3) { "shared" } else { &prefix };
            let hidden = *self.random.pick(&["", "", "_", "a$"]);
            let size = 1 + n % 4;
            let array = if size > 1 { format!("[{size}]") } else { String::new() };
            let (kind, list) = match self.random.below(5) {
                0 => ("bool", &mut self.names.bools),
                1 => ("ivec", &mut self.names.ints),
                _ => ("fvec", &mut self.names.wide),
            };
            let name = format!("{hidden}{owner}{kind}{n}");
            let size = if kind == "ivec" { 1 } else { size };
            list.push((name.clone(), size));
            let array = if kind == "ivec" { String::new() } else { array };
            let head = self.word(kind);
            self.line(&format!(".{head} {name}{array}"));
        }
        for n in 0..self.random.below(4) {
            let (name, values) = (format!("{prefix}const{n}"), self.four(true));
            self.line(&format!(".constf {name}{values}"));
            self.names.wide.push((name, 1));
        }
        if self.random.once_in(2) {
            let (name, values) = (format!("{prefix}loop"), self.four(false));
            self.line(&format!(".consti {name} {values}"));
            self.names.ints.push((name, 1));
        }
        if self.random.once_in(3) {
            let rows = 1 + self.random.below(4);
            let size = if self.random.once_in(2) {
                String::new()
            } else {
                format!("{}", rows + self.random.below(3))
            };
            self.line(&format!(".constfa {prefix}array[{size}]"));
            for _ in 0..rows {
                let values = self.four(true);
                self.line(&format!(".constfa {values}"));
            }
            self.line(".end");
            self.names.wide.push((format!("{prefix}array"), rows));
        }
        if self.random.once_in(3) {
            let (number, values) = (self.random.below(96), self.four(true));
            self.line(&format!(".setf c{number}{values}"));
            let (number, values) = (self.random.below(4), self.four(false));
            self.line(&format!(".seti i{number}{values}"));
            let (number, value) =
                (self.random.below(16), *self.random.pick(&["true", "OFF", "1", "0", "on", "False"]));
            self.line(&format!(".setb b{number} {value}"));
        }
        for n in 0..self.random.below(3) {
            let (sign, swizzle) = (*self.random.pick(&["", "-"]), self.swizzle());
            let name = format!("{prefix}alias{n}");
            if self.random.once_in(2) {
                let number = self.random.below(16);
                self.line(&format!(".alias {name} {sign}r{number}.{swizzle}"));
                self.names.narrow.push(name);
            } else {
                let number = self.random.below(90);
                self.line(&format!(".alias {name} {sign}c{number}.{swizzle}"));
                self.names.wide.push((name, 5));
            }
        }
    }

    fn file(&mut self, own: &[String], first: bool) {
        let palette = *self.random.pick(&[2, 4, 10, 40]);
        self.swizzles = (0..palette)
            .map(|_| (0..4).map(|_| char::from(*self.random.pick(b"xyzw"))).collect::<String>())
            .chain(["xyzw".into(), "x".into()])
            .collect();
        if self.random.once_in(6) {
            self.line("# 40 \"some file.h\"");
        }
        if !first && self.random.once_in(3) {
            self.line(".nodvle");
        }
        if self.random.once_in(3) {
            self.geometry = true;
            let line = match self.random.below(4) {
                0 => ".gsh point c0".into(),
                1 => format!(".gsh variable c{} {}", 30 + self.random.below(20), self.random.below(256)),
                2 => format!(
                    ".gsh fixed c{} c{} {}",
                    30 + self.random.below(20),
                    self.random.below(30),
                    self.random.below(9)
                ),
                _ => ".gsh".into(),
            };
            self.line(&line);
        }
        let entry = self.random.pick(own).clone();
        self.line(&format!(".entry {entry}"));
        for n in 0..1 + self.random.below(8) {
            self.names.narrow.push(format!("r{n}"));
        }
        self.names.wide.push(("c0".into(), 90));
        self.names.bools.push(("b0".into(), 15));
        self.names.ints.push(("i0".into(), 4));
        self.names.outputs.push("o0".into());
        self.declarations();
        let per_procedure = *self.random.pick(&[3, 8, 30]);
        for name in own {
            self.line(&format!(".proc {name}"));
            let count = self.random.below(per_procedure);
            self.statements(count, 0);
            if self.random.once_in(2) {
                let end = self.word("end");
                self.line(&end);
            }
            self.line(".end");
        }
    }

    fn statements(&mut self, count: usize, depth: usize) {
        for _ in 0..count {
            if self.words > 400 {
                return;
            }
            self.statement(depth);
        }
    }

    fn offset(&mut self, size: usize) -> String {
        match self.random.below(size.min(8) + 1) {
            0 => String::new(),
            n if n <= size => format!("[{}]", n - 1),
            _ => String::new(),
        }
    }

    fn narrow(&mut self) -> String {
        let mut name = self.random.pick(&self.names.narrow).clone();
        if name.starts_with('r') && self.random.once_in(8) {
            name += *self.random.pick(&["[1]", "[ 3 ]", "[0]"]);
        }
        self.signed(name)
    }

    fn signed(&mut self, name: String) -> String {
        let sign = if self.random.once_in(5) { "-" } else { "" };
        let swizzle = if self.random.once_in(2) { format!(".{}", self.swizzle()) } else { String::new() };
        format!("{sign}{name}{swizzle}")
    }

    fn wide(&mut self) -> String {
        let (name, size) = self.random.pick(&self.names.wide).clone();
        let index = if self.random.once_in(5) {
            let index = *self.random.pick(&["a0.x", "a0.y", "aL", "A0", "a1", "a2", "lcnt", "AL"]);
            match self.random.below(3) {
                0 => format!("[{index}]"),
                1 => format!("[{index}+{}]", self.random.below(size.min(5))),
                _ => format!("[ {index} + {} ]", self.random.below(size.min(5))),
            }
        } else {
            self.offset(size)
        };
        self.signed(name + &index)
    }

    fn any(&mut self) -> String {
        if self.random.once_in(2) { self.wide() } else { self.narrow() }
    }

    fn dest(&mut self) -> String {
        let name = if self.random.once_in(3) {
            self.random.pick(&self.names.outputs).clone()
        } else {
            format!("r{}", self.random.below(16))
        };
        name + &self.mask()
    }

    fn bool_name(&mut self) -> String {
        let (name, size) = self.random.pick(&self.names.bools).clone();
        name + &self.offset(size)
    }

    fn condition(&mut self) -> String {
        (*self.random.pick(&[
            "cmp.x",
            "cmp.y",
            "!cmp.x",
            "!CMP.Y",
            "cmp.x && cmp.y",
            "!cmp.x||cmp.y",
            "cmp.y & !cmp.x",
            "cmp.y|!!cmp.x",
        ]))
        .to_string()
    }

    fn statement(&mut self, depth: usize) {
        self.words += 2;
        let comma = *self.random.pick(&[", ", ",", " ,\t"]);
        let kind = self.random.below(if depth < 4 { 20 } else { 14 });
        let (head, arguments): (&str, Vec<String>) = match kind {
            0..=3 => {
                let head = *self.random.pick(&["add", "dp3", "dp4", "mul", "max", "min"]);
                (head, vec![self.dest(), self.any(), self.narrow()])
            }
            4 => {
                let head = *self.random.pick(&["dph", "dst", "sge", "slt", "dphi", "dsti", "sgei", "slti"]);
                let (a, b) = if self.random.once_in(2) {
                    (self.any(), self.narrow())
                } else {
                    (self.narrow(), self.any())
                };
                (head, vec![self.dest(), a, b])
            }
            5 | 6 => {
                let head = *self.random.pick(&["mov", "ex2", "lg2", "litp", "flr", "rcp", "rsq", "mov"]);
                (head, vec![self.dest(), self.any()])
            }
            7 | 8 => {
                let head = *self.random.pick(&["mad", "mad", "madi"]);
                let (b, c) = if self.random.once_in(2) {
                    (self.any(), self.narrow())
                } else {
                    (self.narrow(), self.any())
                };
                (head, vec![self.dest(), self.narrow(), b, c])
            }
            9 => {
                let target = *self.random.pick(&["a0.x", "a0.y", "a0.xy", "a0", "A1", "a01"]);
                ("mova", vec![target.into(), self.any()])
            }
            10 => {
                let compare = ["eq", "ne", "lt", "le", "gt", "GE"];
                let (x, y) = (*self.random.pick(&compare), *self.random.pick(&compare));
                ("cmp", vec![self.any(), x.into(), y.into(), self.narrow()])
            }
            11 => {
                let procedure = self.random.pick(&self.procedures).clone();
                match self.random.below(3) {
                    0 => ("call", vec![procedure]),
                    1 => ("callc", vec![self.condition(), procedure]),
                    _ => ("callu", vec![self.bool_name(), procedure]),
                }
            }
            12 => {
                // The label stands behind some more statements.
                let label = format!("{}label{}", self.prefix, self.labels);
                self.labels += 1;
                let jump = if self.random.once_in(2) {
                    format!("jmpc {}{comma}{label}", self.condition())
                } else {
                    let negation = *self.random.pick(&["", "!"]);
                    format!("JMPU {negation}{}{comma}{label}", self.bool_name())
                };
                self.line(&jump);
                let count = self.random.below(3);
                self.statements(count, depth);
                let end = *self.random.pick(&["\n", " ", ": "]);
                let line =
                    if end == ": " { format!("{label}:{label}x: nop\n") } else { format!("{label}:{end}") };
                self.text += &line;
                return;
            }
            13 if self.geometry && self.random.once_in(2) => {
                let flags = *self.random.pick(&["", ", prim", ",primitive inv", ", invert", ", inv  prim"]);
                let vertex = self.random.below(3);
                self.line(&format!("setemit {vertex}{flags}"));
                ("emit", vec![])
            }
            13 => (*self.random.pick(&["nop", "end", "break"]), vec![]),
            14..=16 => {
                let head = if self.random.once_in(2) {
                    format!("ifc {}", self.condition())
                } else {
                    format!("ifu {}", self.bool_name())
                };
                self.line(&head);
                let count = self.random.below(4);
                self.statements(count, depth + 1);
                if self.random.once_in(2) {
                    self.line(".else");
                    let count = self.random.below(4);
                    self.statements(count, depth + 1);
                }
                self.line(".end");
                return;
            }
            _ => {
                let (name, size) = self.random.pick(&self.names.ints).clone();
                let register = name + &self.offset(size);
                self.line(&format!("for {register}"));
                let count = self.random.below(4);
                self.statements(count, depth + 1);
                if self.random.once_in(4) {
                    let condition = self.condition();
                    self.line(&format!("breakc {condition}"));
                }
                self.line(".end");
                return;
            }
        };
        let mut line = self.word(head);
        if !arguments.is_empty() {
            let _ = write!(line, " {}", arguments.join(comma));
        }
        self.line(&line);
    }
}
