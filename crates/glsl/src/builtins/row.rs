//! The table of built-in functions: rows with generic types, and the signatures that they stand for.

use super::operation::{Level, Operation, Sample};
use super::{atomics, lanes, numbers, sparse, textures};
use crate::language::word::type_since;
use crate::language::{Language, Since, Stage};
use crate::types::{Dimension, Handle, Opaque, Scalar, Type};
use std::collections::HashMap;
use std::sync::OnceLock;

/// A row of the table: functions of one name, shape and meaning.
///
/// The text is a prototype without names of parameters. Its generic words, all of one scalar and one size at a time:
///
/// | word | stands for |
/// |---|---|
/// | `gen` | a scalar or a vector of each of the row's scalars |
/// | `vec` | a vector of 2 to 4 |
/// | `one` | the scalar |
/// | `genb`, `geni`, `genu`, `vecb`, `vecu` and the like | the same size of another scalar |
/// | `mat`, `tam`, `sqm`, `col`, `row` | a matrix, its transpose, a square one, its column, its row |
/// | `gsampler{1D,2D}`, `gimage*`, `gvec4`, `gone` | textures of floats and whole numbers, and their texels |
/// | `P`, `Q`, `I`, `D`, `O`, `S` | of that texture: coordinate with what is compared, coordinate alone, coordinate in whole numbers, derivative, offset, size |
///
/// What stands in brackets at the end may be left out.
#[derive(Debug, Clone, Copy)]
pub struct Row {
    /// The prototype.
    pub text: &'static str,
    /// Scalars of the generic words: a letter for each, as in `fdh`.
    pub scalars: &'static str,
    /// From when on it is there.
    pub since: Since,
    /// Where it was taken out again: of the core profile from a version on; 0 for never.
    pub until_core: u16,
    /// Where it was taken out of GLSL ES.
    pub until_es: u16,
    /// The stages that have it.
    pub stages: &'static [Stage],
    /// Whether Vulkan has it.
    pub is_in_vulkan: bool,
    /// Whether OpenGL has it.
    pub is_in_opengl: bool,
    /// What it means.
    pub operation: Operation,
}

/// A row that all stages have.
pub(super) const fn row(
    text: &'static str,
    scalars: &'static str,
    since: Since,
    operation: Operation,
) -> Row {
    Row {
        text,
        scalars,
        since,
        until_core: 0,
        until_es: 0,
        stages: &Stage::ALL,
        is_in_vulkan: true,
        is_in_opengl: true,
        operation,
    }
}

impl Row {
    pub(super) const fn only(self, stages: &'static [Stage]) -> Self {
        Self { stages, ..self }
    }

    /// Of the compatibility profile, and of core before a version.
    pub(super) const fn until(self, until_core: u16, until_es: u16) -> Self {
        Self { until_core, until_es, ..self }
    }

    pub(super) const fn opengl(self) -> Self {
        Self { is_in_vulkan: false, ..self }
    }

    pub(super) const fn vulkan(self) -> Self {
        Self { is_in_opengl: false, ..self }
    }

    /// The name of the function.
    pub fn name(&self) -> &'static str {
        let head = self.text.split('(').next().unwrap_or("");
        head.rsplit(' ').next().unwrap_or("")
    }

    /// Whether a language has it.
    pub fn is_in(&self, language: &Language) -> bool {
        self.has_api(language) && self.stages.contains(&language.stage) && self.has_version(language)
    }

    fn has_api(&self, language: &Language) -> bool {
        if language.is_vulkan() { self.is_in_vulkan } else { self.is_in_opengl }
    }

    fn has_version(&self, language: &Language) -> bool {
        let version = language.version;
        let is_out = match version.is_es() {
            true => self.until_es != 0 && version.number >= self.until_es,
            false => self.until_core != 0 && version.number >= self.until_core && !version.is_compatible(),
        };
        !is_out && language.has(&self.since)
    }

    /// Why a language does not have it.
    pub fn why_not(&self, language: &Language) -> String {
        if !self.has_api(language) {
            let (other, here) =
                if language.is_vulkan() { ("OpenGL", "Vulkan") } else { ("Vulkan", "OpenGL") };
            return format!("it is one of {other}, and this is for {here}");
        }
        if !self.stages.contains(&language.stage) {
            let stages: Vec<&str> = self.stages.iter().map(|stage| stage.name()).collect();
            return format!("it is one of {} shaders", stages.join(" and "));
        }
        match language.has(&self.since) {
            true => format!("{} does not have it any more", language.version),
            false => language.needs(&self.since),
        }
    }
}

/// A parameter of a built-in function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parameter {
    /// Its type; of an array, the type of an element.
    pub ty: Type,
    /// The length of an array; 0 for none.
    pub array: u32,
    /// Whether the function reads it.
    pub is_in: bool,
    /// Whether the function writes it.
    pub is_out: bool,
}

/// One function that a row stands for.
#[derive(Debug, Clone)]
pub struct Signature {
    /// What it gives.
    pub result: Type,
    /// What it takes.
    pub parameters: Vec<Parameter>,
    /// Its row.
    pub row: &'static Row,
    /// What it means; a bias that is given makes it another operation.
    pub operation: Operation,
}

impl Signature {
    /// Whether a language has it: its row, and the types that it is made of.
    pub fn is_in(&self, language: &Language) -> bool {
        let has = |ty: Type| match ty {
            // Textures and plain types can only be there if they can be declared.
            Type::Opaque(_) | Type::Void => true,
            _ => match ty.scalar() {
                Some(Scalar::Float | Scalar::Int | Scalar::Bool) | None => true,
                Some(scalar) => language.has(&type_since(scalar.name(), Type::Scalar(scalar))),
            },
        };
        self.row.is_in(language) && self.parameters.iter().all(|parameter| has(parameter.ty))
    }
}

/// All functions of a name.
#[derive(Debug)]
pub struct Function {
    /// The name.
    pub name: &'static str,
    /// Its rows.
    pub rows: Vec<&'static Row>,
    signatures: OnceLock<Vec<Signature>>,
}

impl Function {
    /// All signatures of the name in all languages.
    pub fn signatures(&self) -> &[Signature] {
        self.signatures.get_or_init(|| self.rows.iter().flat_map(|row| signatures(row)).collect())
    }
}

fn index() -> &'static HashMap<&'static str, Function> {
    static INDEX: OnceLock<HashMap<&'static str, Function>> = OnceLock::new();
    INDEX.get_or_init(|| {
        let mut index: HashMap<&'static str, Function> = HashMap::new();
        for row in rows() {
            let name = row.name();
            let new = || Function { name, rows: Vec::new(), signatures: OnceLock::new() };
            index.entry(name).or_insert_with(new).rows.push(row);
        }
        index
    })
}

/// All rows.
pub fn rows() -> impl Iterator<Item = &'static Row> {
    [numbers::ROWS, textures::ROWS, textures::OLD_ROWS, atomics::ROWS, lanes::ROWS, sparse::ROWS]
        .into_iter()
        .flatten()
}

/// The functions of a name.
pub fn function(name: &str) -> Option<&'static Function> {
    index().get(name)
}

/// All names.
pub fn function_names() -> impl Iterator<Item = &'static str> {
    index().keys().copied()
}

/// The scalar of a letter.
fn scalar(letter: char) -> Scalar {
    match letter {
        'b' => Scalar::Bool,
        'i' => Scalar::Int,
        'u' => Scalar::Uint,
        'd' => Scalar::Double,
        'h' => Scalar::Float16,
        'l' => Scalar::Int64,
        'm' => Scalar::Uint64,
        's' => Scalar::Int16,
        't' => Scalar::Uint16,
        'c' => Scalar::Int8,
        'e' => Scalar::Uint8,
        _ => Scalar::Float,
    }
}

/// What the generic words stand for at one time.
#[derive(Debug, Clone, Copy)]
struct Bound {
    scalar: Scalar,
    size: u8,
    columns: u8,
    rows: u8,
    texture: Option<Opaque>,
}

/// The functions that a row stands for.
fn signatures(row: &'static Row) -> Vec<Signature> {
    let mut found = Vec::new();
    let words = |word: &str| row.text.split([' ', '(', ')', ',', '[', ']']).any(|other| other == word);
    let any = |list: &[&str]| list.iter().any(|word| words(word));
    let scalars: Vec<Scalar> = row.scalars.chars().map(scalar).collect();
    let scalars = if scalars.is_empty() { vec![Scalar::Float] } else { scalars };
    let sizes: &[u8] = match () {
        () if any(&[
            "gen", "genb", "geni", "genu", "genf", "gend", "genl", "genm", "gens", "gent", "genh",
        ]) =>
        {
            &[1, 2, 3, 4]
        }
        () if any(&["vec", "vecb"]) => &[2, 3, 4],
        () => &[1],
    };
    let matrices: &[(u8, u8)] = match () {
        () if any(&["mat", "tam", "col", "row"]) => {
            &[(2, 2), (2, 3), (2, 4), (3, 2), (3, 3), (3, 4), (4, 2), (4, 3), (4, 4)]
        }
        () if words("sqm") => &[(2, 2), (3, 3), (4, 4)],
        () => &[(1, 1)],
    };
    for texture in opaques(row.text) {
        for scalar in &scalars {
            for size in sizes {
                for (columns, rows) in matrices {
                    let bound =
                        Bound { scalar: *scalar, size: *size, columns: *columns, rows: *rows, texture };
                    instances(row, bound, &mut found);
                }
            }
        }
    }
    found
}

/// The textures of a text: `gsampler{1D,2DArray}` is six of them.
fn opaques(text: &str) -> Vec<Option<Opaque>> {
    let Some(open) = text.find('{') else { return vec![None] };
    let start = text.get(..open).unwrap_or("");
    let head = start.rsplit([' ', '(', ',']).next().unwrap_or("");
    let rest = text.get(open + 1..).unwrap_or("");
    let shapes = rest.split('}').next().unwrap_or("");
    let mut list = Vec::new();
    for shape in shapes.split(',') {
        let prefixes: &[&str] = match head.starts_with('g') {
            true if head.ends_with("image") => &["", "i", "u", "i64", "u64"],
            true => &["", "i", "u"],
            false => &[""],
        };
        let head = head.strip_prefix('g').unwrap_or(head);
        for prefix in prefixes {
            list.extend(Opaque::by_name(&format!("{prefix}{head}{shape}")).map(Some));
        }
    }
    list
}

/// One row with its generic words bound: with and without each parameter that may be left out.
fn instances(row: &'static Row, bound: Bound, found: &mut Vec<Signature>) {
    let text = row.text;
    let Some((head, rest)) = text.split_once('(') else { return };
    let result = head.split(' ').next().unwrap_or("");
    let Some(result) = resolve(result, bound) else { return };
    let rest = rest.trim_end_matches(')');
    let (needed, optional) = rest.split_once('[').unwrap_or((rest, ""));
    // The braces of a texture hold commas of their own.
    let whole = match (needed.find('{'), needed.find('}')) {
        (Some(open), Some(close)) if open < close => {
            format!("{}{}", needed.get(..open).unwrap_or(""), needed.get(close + 1..).unwrap_or(""))
        }
        _ => needed.to_owned(),
    };
    let read = |text: &str| -> Option<Vec<Parameter>> {
        text.split(',')
            .map(str::trim)
            .filter(|word| !word.is_empty())
            .map(|word| parameter(word, bound))
            .collect()
    };
    let Some(mut parameters) = read(&whole) else { return };
    // Image functions name the sample of a multisampled image behind the coordinate.
    if let Some(texture) = bound.texture
        && texture.handle == Handle::Image
        && texture.is_multisampled
        && parameters.len() > 1
    {
        parameters.insert(2, Parameter { ty: Type::INT, array: 0, is_in: true, is_out: false });
    }
    found.push(Signature { result, parameters: parameters.clone(), row, operation: row.operation });
    let Some(more) = read(optional.trim_end_matches(']')).filter(|more| !more.is_empty()) else { return };
    parameters.extend(more);
    let operation = match row.operation {
        Operation::Sample(sample) if sample.level == Level::Implicit && !sample.is_gather => {
            Operation::Sample(Sample { level: Level::Bias, ..sample })
        }
        other => other,
    };
    found.push(Signature { result, parameters, row, operation });
}

fn parameter(text: &str, bound: Bound) -> Option<Parameter> {
    let (is_in, is_out, word) = match text.split_once(' ') {
        Some(("out", word)) => (false, true, word),
        Some(("inout", word)) => (true, true, word),
        _ => (true, false, text),
    };
    let (word, array) = match word.strip_suffix("*4") {
        Some(word) => (word, 4),
        None => (word, 0),
    };
    Some(Parameter { ty: resolve(word, bound)?, array, is_in, is_out })
}

fn resolve(word: &str, bound: Bound) -> Option<Type> {
    let Bound { scalar: one, size, columns, rows, texture } = bound;
    let of = |kind: Scalar, size: u8| Some(Type::of(kind, size));
    match word {
        "gen" | "vec" => return of(one, size),
        "one" => return of(one, 1),
        "mat" | "sqm" => return Some(Type::Matrix(one, columns, rows)),
        "tam" => return Some(Type::Matrix(one, rows, columns)),
        "col" => return of(one, rows),
        "row" => return of(one, columns),
        "gsampler" | "gtexture" | "gimage" | "sampler" | "texture" | "image" | "gsubpassInput"
            if texture.is_some() =>
        {
            return texture.map(Type::Opaque);
        }
        _ => {}
    }
    if let Some(letter) = word.strip_prefix("gen").or_else(|| word.strip_prefix("vec"))
        && let (Some(letter), 1) = (letter.chars().next(), letter.len())
        && letter.is_ascii_lowercase()
    {
        return of(scalar(letter), size);
    }
    if let Some(texture) = texture {
        let exact = texture.coordinates();
        let cube_array = texture.dimension == Dimension::Cube && texture.is_array;
        let compared = match texture.is_shadow {
            true if cube_array => 4,
            true => (exact + 1).max(3),
            false => exact,
        };
        let flat = match texture.dimension {
            Dimension::Cube => 2,
            _ => texture.offsets(),
        };
        match word {
            "P" => return of(Scalar::Float, compared),
            "Q" => return of(Scalar::Float, exact),
            "I" => return of(Scalar::Int, exact),
            "D" => return of(Scalar::Float, texture.offsets()),
            "O" => return of(Scalar::Int, texture.offsets()),
            "S" => return of(Scalar::Int, flat + u8::from(texture.is_array)),
            "gvec4" => return of(texture.component, 4),
            "gone" => return of(texture.component, 1),
            _ => {}
        }
    }
    Type::by_name(word)
}
