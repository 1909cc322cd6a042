//! From text to naga's module: languages, what GLSL needs on the way, and what its messages mean.

mod compatibility;
mod glsl;
mod messages;
mod nesting;
mod offsets;
mod preprocess;
mod repair;
mod sampled;
mod scan;
mod wgsl;

pub use offsets::Offsets;
pub(crate) use preprocess::{Expanded, Map, expand, is_name};
pub use preprocess::{File, Files, Include};
pub(crate) use repair::all as all_problems;
pub(crate) use sampled::sampled;

use naga::{
    AddressSpace, Binding, Expression, Function, Handle, Module, ScalarKind, ShaderStage, TypeInner,
    front::Typifier,
    proc::ResolveContext,
    valid::{Capabilities, FunctionError, ModuleInfo, ValidationError, ValidationFlags, Validator},
};
use std::collections::HashSet;
use unshade_bytes::problem::{Problem, Result};

/// What a source is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// GLSL, desktop or ES.
    Glsl,
    /// WGSL.
    Wgsl,
}

impl Language {
    /// The language that the name of a file says.
    pub fn of_name(name: &str) -> Option<Self> {
        match name.rsplit_once('.')?.1.to_ascii_lowercase().as_str() {
            "wgsl" => Some(Self::Wgsl),
            "glsl" | "vert" | "vs" | "vsh" => Some(Self::Glsl),
            _ => None,
        }
    }
}

/// A text that naga has read.
pub(crate) struct Parsed {
    pub module: Module,
    pub info: ModuleInfo,
    /// What runs.
    pub entry: Handle<Function>,
    /// What its arguments and its result are bound to, which other functions cannot have.
    pub bindings: Bindings,
    /// What only the text says.
    pub hints: Hints,
    /// From naga's places to those of the text.
    pub offsets: Offsets,
}

/// What the arguments and the result of an entry point are bound to.
#[derive(Debug, Default)]
pub(crate) struct Bindings {
    pub arguments: Vec<Option<Binding>>,
    pub result: Option<Binding>,
}

/// What naga's module does not hold.
#[derive(Debug, Default)]
pub(crate) struct Hints {
    /// Names of uniforms that stand alone, which naga has as variables.
    pub loose: HashSet<String>,
    /// Names of instances of blocks of uniforms; an empty one for blocks without.
    pub blocks: HashSet<String>,
    /// Names of inputs and outputs whose location stands in the text; `None` where all do.
    pub located: Option<HashSet<String>>,
    /// Names of what the text writes for a part of the pipeline that the machine does not have.
    pub nowhere: Vec<&'static str>,
    /// The text holds other entry points as well, so that variables may be theirs alone.
    pub shared: bool,
}

/// Texts may have so many bytes: far more than fits into the machine.
const BYTES: usize = 1 << 18;

/// Reads a text. naga stops at some texts that are wrong in ways that it does not expect; here these are refused like others.
pub(crate) fn parse(
    text: &str,
    language: Language,
    entry: Option<&str>,
) -> std::result::Result<Parsed, Vec<Problem>> {
    std::panic::catch_unwind(|| read(text, language, entry)).unwrap_or_else(|_| {
        let message = "the text is wrong in a way that its reader has no words for";
        Err(vec![*Problem::new("compile.syntax", 0..0, message).note(
            "constants can only be made of constants; look at declarations outside of functions first",
        )])
    })
}

fn read(text: &str, language: Language, entry: Option<&str>) -> std::result::Result<Parsed, Vec<Problem>> {
    let one = |problem: Box<Problem>| vec![*problem];
    if text.len() > BYTES {
        let message = format!("the text has {} bytes; at most {BYTES} are read", text.len());
        return Err(one(Problem::new("compile.size", 0..0, message)));
    }
    nesting::check(text).map_err(one)?;
    let (mut module, mut hints, offsets) = match language {
        Language::Glsl => glsl::parse(text)?,
        Language::Wgsl => (wgsl::parse(text).map_err(one)?, Hints::default(), Offsets::default()),
    };
    hints.shared = module.entry_points.len() > 1;
    let (entry, bindings) = take_entry(&mut module, entry, text).map_err(one)?;
    if language == Language::Glsl {
        // Uniforms of any type: naga knows only those that other machines can have.
        for (_, variable) in module.global_variables.iter_mut() {
            if variable.space == AddressSpace::Uniform {
                (variable.space, variable.binding) = (AddressSpace::Private, None);
            }
        }
    }
    let flags = ValidationFlags::EXPRESSIONS | ValidationFlags::BLOCKS | ValidationFlags::CONSTANTS;
    let validated = Validator::new(flags, Capabilities::empty()).validate(&module);
    let info = validated.map_err(|error| one(invalid(&module, &error, text, &offsets)))?;
    Ok(Parsed { module, info, entry, bindings, hints, offsets })
}

/// Names of outputs: elements of an array, which all have its name, with their numbers behind it.
pub(crate) fn numbered<'n>(names: impl Iterator<Item = &'n str>) -> Vec<String> {
    let names: Vec<&str> = names.collect();
    let mut numbers: std::collections::HashMap<&str, usize> = std::collections::HashMap::new();
    let count = |name: &str| names.iter().filter(|other| **other == name).take(2).count();
    let mut list = Vec::with_capacity(names.len());
    for name in &names {
        if count(name) < 2 {
            list.push((*name).to_owned());
            continue;
        }
        let number = numbers.entry(name).or_default();
        list.push(format!("{name}[{number}]"));
        *number += 1;
    }
    list
}

/// The words of a text and where they stand, without those of comments.
pub(crate) fn words(text: &str) -> impl Iterator<Item = (&str, std::ops::Range<usize>)> {
    scan::tokens(text).map(|token| (token.text, token.span))
}

/// Makes the entry point a function like others, so that nothing is asked of it that other machines need.
fn take_entry(module: &mut Module, wanted: Option<&str>, text: &str) -> Result<(Handle<Function>, Bindings)> {
    let names: Vec<String> = module
        .entry_points
        .iter()
        .filter(|entry| entry.stage == ShaderStage::Vertex)
        .map(|entry| entry.name.clone())
        .collect();
    let index = module.entry_points.iter().position(|entry| {
        entry.stage == ShaderStage::Vertex && wanted.is_none_or(|wanted| entry.name == wanted)
    });
    let Some(index) = index else {
        let message = match wanted {
            Some(wanted) => format!("there is no vertex program `{wanted}`"),
            None => "there is no vertex program in this text".to_owned(),
        };
        // An entry point of another kind is what was meant.
        let other = text.find("@fragment").or_else(|| text.find("@compute")).unwrap_or(0);
        let problem = Problem::new("compile.entry", other..other, message);
        return Err(match names.is_empty() {
            true if wanted.is_none() => problem.note("mark the function that runs with `@vertex`"),
            true => problem,
            false => problem.note(format!("there are: {}", names.join(", "))),
        });
    };
    if wanted.is_none() && names.len() > 1 {
        let message = format!("there are {} vertex programs: {}", names.len(), names.join(", "));
        return Err(Problem::new("compile.entry", 0..0, message).note("say which with `--entry NAME`"));
    }
    let mut entry = module.entry_points.swap_remove(index);
    module.entry_points.clear();
    let arguments = entry.function.arguments.iter_mut().map(|argument| argument.binding.take()).collect();
    let result = entry.function.result.as_mut().and_then(|result| result.binding.take());
    Ok((module.functions.append(entry.function, naga::Span::default()), Bindings { arguments, result }))
}

/// What naga's validator says, with its innermost reason.
fn invalid(
    module: &Module,
    error: &naga::WithSpan<ValidationError>,
    text: &str,
    offsets: &Offsets,
) -> Box<Problem> {
    let mut message = error.as_inner().to_string();
    let mut source: Option<&dyn std::error::Error> = std::error::Error::source(error.as_inner());
    while let Some(inner) = source {
        message = inner.to_string();
        source = inner.source();
    }
    if let ValidationError::Function { handle, source, .. } = error.as_inner()
        && let FunctionError::InvalidStoreTypes { pointer, value } = source
        && let Some((to, from)) = stored_types(module, *handle, *pointer, *value)
    {
        message = format!("a value of type {from} does not fit into a variable of type {to}");
    }
    let places = error.spans().filter_map(|(span, _)| span.to_range()).filter(|range| !range.is_empty());
    let place = places.min_by_key(|range| range.len());
    let span = place.map_or(0..0, |range| offsets.to_text(range, text.len()));
    Problem::new("compile.invalid", span, messages::valid(message))
}

/// The types of a variable and of what is stored in it.
fn stored_types(
    module: &Module,
    function: Handle<Function>,
    pointer: Handle<Expression>,
    value: Handle<Expression>,
) -> Option<(String, String)> {
    let function = module.functions.try_get(function).ok()?;
    let context = ResolveContext::with_locals(module, &function.local_variables, &function.arguments);
    let mut typifier = Typifier::new();
    for (handle, _) in function.expressions.iter() {
        typifier.grow(handle, &function.expressions, &context).ok()?;
    }
    let name = |handle| {
        let inner = typifier.get(handle, &module.types);
        let inner = match inner {
            TypeInner::Pointer { base, .. } => &module.types[*base].inner,
            other => other,
        };
        type_name(inner)
    };
    Some((name(pointer)?, name(value)?))
}

/// A type as GLSL writes it.
fn type_name(inner: &TypeInner) -> Option<String> {
    let letter = |kind| match kind {
        ScalarKind::Float => ("float", ""),
        ScalarKind::Bool => ("bool", "b"),
        ScalarKind::Uint => ("uint", "u"),
        _ => ("int", "i"),
    };
    Some(match inner {
        TypeInner::Scalar(scalar) | TypeInner::ValuePointer { size: None, scalar, .. } => {
            letter(scalar.kind).0.to_owned()
        }
        TypeInner::Vector { size, scalar } | TypeInner::ValuePointer { size: Some(size), scalar, .. } => {
            format!("{}vec{}", letter(scalar.kind).1, *size as u8)
        }
        TypeInner::Matrix { columns, rows, .. } if columns == rows => format!("mat{}", *columns as u8),
        TypeInner::Matrix { columns, rows, .. } => format!("mat{}x{}", *columns as u8, *rows as u8),
        _ => return None,
    })
}

/// Messages start with a small letter here.
fn lower_first(message: String) -> String {
    let mut letters = message.chars();
    match (letters.next(), letters.clone().next()) {
        (Some(first), Some(second)) if !second.is_uppercase() => {
            first.to_lowercase().chain(letters).collect()
        }
        _ => message,
    }
}
