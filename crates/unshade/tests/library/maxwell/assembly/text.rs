//! The assembly text that the console's compiler leaves beside its code (`!!NVfp5.0`, `!!NVvp5.0`), read and run. This
//! knows the statements of that language by its specification (NV_gpu_program4, NV_gpu_program5), and nothing of the
//! machine.

use std::collections::BTreeMap;

/// Four components; those of a 64-bit number are its two words.
pub type Vector = [u32; 4];

/// A place to read.
#[derive(Debug, Clone, PartialEq)]
pub enum Source {
    /// A variable.
    Register(String),
    /// An attribute of the vertex or pixel.
    Attribute(usize),
    /// Four numbers, as floats and as integers.
    Literal([f32; 4], [i32; 4]),
    /// Bytes from the start of a buffer.
    Buffer(usize, usize),
}

#[derive(Debug, Clone, PartialEq)]
pub struct Operand {
    pub source: Source,
    pub negated: bool,
    pub swizzle: [usize; 4],
}

/// What is written.
#[derive(Debug, Clone, PartialEq)]
pub struct Target {
    /// `R0`, `result.position`, `result.attrib[1]`.
    pub name: String,
    pub mask: [bool; 4],
    /// Only components of which the condition code says that the last result was not zero.
    pub not_equal: bool,
}

impl Target {
    pub fn components(&self) -> usize {
        self.mask.iter().filter(|written| **written).count()
    }
}

#[derive(Debug, Clone, PartialEq)]
pub enum Statement {
    If,
    Else,
    EndIf,
    Do {
        /// `MUL`.
        operation: String,
        /// `F32`, `S`, `CC`.
        modifiers: Vec<String>,
        target: Target,
        operands: Vec<Operand>,
    },
    /// A fetch: target, coordinates, byte of the handle in the buffer of handles.
    Texture(Target, Operand, String),
}

fn swizzle(text: &str) -> Option<[usize; 4]> {
    let letters: Option<Vec<usize>> = text.chars().map(|letter| "xyzw".find(letter)).collect();
    match letters?[..] {
        [x] => Some([x; 4]),
        [x, y, z, w] => Some([x, y, z, w]),
        _ => None,
    }
}

fn mask(text: &str) -> [bool; 4] {
    ["x", "y", "z", "w"].map(|letter| text.contains(letter))
}

fn numbers(text: &str) -> Source {
    let parts: Vec<&str> = text.split(',').map(str::trim).collect();
    let part = |n: usize| *parts.get(n).unwrap_or(&"0");
    let float = |n| part(n).parse().unwrap();
    let int = |n| part(n).parse().unwrap_or(0);
    Source::Literal([0, 1, 2, 3].map(float), [0, 1, 2, 3].map(int))
}

fn indexed(text: &str, front: &str) -> Option<usize> {
    text.strip_prefix(front)?.strip_suffix(']')?.parse().ok()
}

fn operand(text: &str) -> Operand {
    let text = text.trim();
    let (negated, text) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    // A swizzle stands behind the last bracket, or behind the point of a variable.
    let cut = match text.rfind([']', '}']) {
        Some(end) => text.split_at(end + 1),
        None => text.split_once('.').map_or((text, ""), |(name, letters)| (name, letters)),
    };
    let (place, letters) = (cut.0, cut.1.trim_start_matches('.'));
    let swizzle = if letters.is_empty() { [0, 1, 2, 3] } else { swizzle(letters).unwrap() };
    let buffer = || {
        let (number, byte) = place.strip_prefix("buf")?.strip_suffix(']')?.split_once('[')?;
        Some(Source::Buffer(number.parse().ok()?, byte.parse().ok()?))
    };
    let source = match place.strip_prefix('{') {
        Some(literal) => numbers(literal.trim_end_matches('}')),
        None => indexed(place, "fragment.attrib[")
            .or_else(|| indexed(place, "vertex.attrib["))
            .map(Source::Attribute)
            .or_else(buffer)
            .unwrap_or_else(|| Source::Register(place.to_owned())),
    };
    Operand { source, negated, swizzle }
}

fn target(text: &str) -> Target {
    let text = text.trim();
    let (text, not_equal) = text.strip_suffix("(NE)").map_or((text, false), |rest| (rest, true));
    let (name, letters) = match text.rsplit_once('.') {
        Some((name, letters)) if letters.chars().all(|letter| "xyzw".contains(letter)) => (name, letters),
        _ => (text, "xyzw"),
    };
    Target { name: name.to_owned(), mask: mask(letters), not_equal }
}

/// Splits at commas outside of braces.
fn split(text: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut depth = 0;
    for letter in text.chars() {
        depth += i32::from(letter == '{') - i32::from(letter == '}');
        if letter == ',' && depth == 0 {
            parts.push(String::new());
        } else {
            parts.last_mut().unwrap().push(letter);
        }
    }
    parts
}

/// The statements of a text.
pub fn parse(text: &str) -> Vec<Statement> {
    let mut statements = Vec::new();
    for line in text.split([';', '\n']).map(str::trim) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let mut parts = word.split('.');
        let operation = parts.next().unwrap();
        let modifiers: Vec<String> = parts.map(str::to_owned).collect();
        statements.push(match operation {
            "IF" => {
                assert_eq!(rest, "NE.x");
                Statement::If
            }
            "ELSE" => Statement::Else,
            "ENDIF" => Statement::EndIf,
            "TEX" => {
                let parts = split(rest);
                assert_eq!(parts[3].trim(), "2D");
                let handle = parts[2].trim().strip_prefix("handle(").unwrap().strip_suffix(")").unwrap();
                Statement::Texture(target(&parts[0]), operand(&parts[1]), handle.to_owned())
            }
            "LDC" | "SEQ" | "SLT" | "MOV" | "MUL" | "ADD" | "MAD" | "POW" | "TRUNC" => {
                let parts = split(rest);
                Statement::Do {
                    operation: operation.to_owned(),
                    modifiers,
                    target: target(&parts[0]),
                    operands: parts[1..].iter().map(|part| operand(part)).collect(),
                }
            }
            // Declarations.
            _ if operation.starts_with("!!NV") || operation.is_empty() => continue,
            "OPTION" | "CBUFFER" | "ATTRIB" | "TEMP" | "LONG" | "SHORT" | "OUTPUT" | "END" => continue,
            other => panic!("the statement {other} is not known here"),
        });
    }
    statements
}

/// What a program runs on.
pub struct World<'w> {
    pub attributes: Vec<Vector>,
    pub buffers: BTreeMap<usize, Vec<u32>>,
    /// Number of the buffer with handles, each with eight bytes; what texture a handle is.
    pub texture: &'w dyn Fn(usize, [u32; 2]) -> Vector,
}

#[derive(Default)]
struct State {
    registers: BTreeMap<String, Vector>,
    /// Byte of the buffer that a handle was loaded from.
    handles: BTreeMap<String, usize>,
    condition: Vector,
}

/// Runs a program; answers what it wrote, by name.
pub fn run(statements: &[Statement], world: &World<'_>) -> BTreeMap<String, Vector> {
    let mut state = State::default();
    let mut skipped = Vec::new();
    for statement in statements {
        match statement {
            Statement::If => {
                let taken = state.condition[0] != 0;
                skipped.push(!taken);
            }
            Statement::Else => {
                let last = skipped.last_mut().unwrap();
                *last = !*last;
            }
            Statement::EndIf => {
                skipped.pop().unwrap();
            }
            _ if skipped.contains(&true) => {}
            Statement::Texture(target, coordinates, handle) => {
                let [x, y, ..] = value(&state, world, coordinates);
                let texture = state.handles[handle] / 8;
                let texel = (world.texture)(texture, [x, y]);
                write(&mut state, target, texel);
            }
            Statement::Do { operation, modifiers, target, operands } => {
                step(&mut state, world, operation, modifiers, target, operands);
            }
        }
    }
    assert!(skipped.is_empty());
    state.registers
}

fn value(state: &State, world: &World<'_>, operand: &Operand) -> Vector {
    let whole = match &operand.source {
        Source::Register(name) => state.registers[name],
        Source::Attribute(number) => world.attributes[*number],
        Source::Literal(floats, _) => floats.map(f32::to_bits),
        Source::Buffer(..) => panic!("a buffer is read by LDC alone"),
    };
    let chosen = operand.swizzle.map(|component| whole[component]);
    if operand.negated { chosen.map(|bits| bits ^ 0x8000_0000) } else { chosen }
}

/// As [`value`], of integers.
fn integer(state: &State, world: &World<'_>, operand: &Operand) -> Vector {
    let plain = Operand { negated: false, ..operand.clone() };
    let chosen = match &operand.source {
        Source::Literal(_, ints) => operand.swizzle.map(|component| ints[component] as u32),
        _ => value(state, world, &plain),
    };
    if operand.negated { chosen.map(u32::wrapping_neg) } else { chosen }
}

fn write(state: &mut State, target: &Target, value: Vector) {
    let condition = state.condition;
    let register = state.registers.entry(target.name.clone()).or_default();
    for component in 0..4 {
        if target.mask[component] && (!target.not_equal || condition[component] != 0) {
            register[component] = value[component];
        }
    }
}

fn step(
    state: &mut State,
    world: &World<'_>,
    operation: &str,
    modifiers: &[String],
    target: &Target,
    operands: &[Operand],
) {
    let kind = modifiers.first().map_or("F", String::as_str);
    let floats = |state: &State, n: usize| value(state, world, &operands[n]).map(f32::from_bits);
    let one = |wanted: bool| if wanted { 1.0_f32.to_bits() } else { 0 };
    let result = match (operation, kind) {
        ("LDC", kind) => {
            let Source::Buffer(buffer, byte) = operands[0].source else { panic!("{operands:?}") };
            if kind == "U64" {
                state.handles.insert(format!("{}.x", target.name), byte);
                return;
            }
            let words = &world.buffers[&buffer];
            match kind {
                "F32X4" => [0, 1, 2, 3].map(|n| words[byte / 4 + n]),
                "S32" | "F32" => [words[byte / 4]; 4],
                other => panic!("LDC.{other}"),
            }
        }
        ("SEQ", "S") => {
            let [a, b] = [0, 1].map(|n| integer(state, world, &operands[n]));
            [0, 1, 2, 3].map(|n| if a[n] == b[n] { u32::MAX } else { 0 })
        }
        ("SLT", "F32") => {
            let [a, b] = [0, 1].map(|n| floats(state, n));
            [0, 1, 2, 3].map(|n| one(a[n] < b[n]))
        }
        ("MOV", "U") => integer(state, world, &operands[0]),
        ("MOV", "F") => value(state, world, &operands[0]),
        ("TRUNC", "U") => floats(state, 0).map(|float| float as u32),
        ("MUL", "F32") => {
            let [a, b] = [0, 1].map(|n| floats(state, n));
            [0, 1, 2, 3].map(|n| (a[n] * b[n]).to_bits())
        }
        ("ADD", "F32") => {
            let [a, b] = [0, 1].map(|n| floats(state, n));
            [0, 1, 2, 3].map(|n| (a[n] + b[n]).to_bits())
        }
        ("MAD", "F32") => {
            let [a, b, c] = [0, 1, 2].map(|n| floats(state, n));
            [0, 1, 2, 3].map(|n| (a[n] * b[n] + c[n]).to_bits())
        }
        ("POW", "F32") => {
            let [a, b] = [0, 1].map(|n| floats(state, n)[0]);
            [a.powf(b).to_bits(); 4]
        }
        (operation, kind) => panic!("{operation}.{kind}"),
    };
    write(state, target, result);
    if modifiers.iter().any(|modifier| modifier == "CC") {
        for (component, word) in
            result.into_iter().enumerate().filter(|(component, _)| target.mask[*component])
        {
            state.condition[component] = word;
        }
    }
}
