//! What a source means: naga's module computed statement by statement, with a bound on how far a machine of 24 bits may be
//! off. It shares nothing with the compiler but naga, so that tests can hold compiled programs against it.

mod expression;
mod functions;
mod number;
mod statement;

pub use number::{Number, Undecided};

use crate::source::{Files, Language, Parsed, expand, numbered, parse};
use naga::{AddressSpace, Binding, BuiltIn, Function, Handle, Type, TypeInner};
use std::collections::HashMap;

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoAnswer {
    /// Something hangs on the last bit, or is infinite.
    Undecided,
    /// The program does something that is not known here, or too much.
    Unknown(String),
}

impl From<Undecided> for NoAnswer {
    fn from(_: Undecided) -> Self {
        Self::Undecided
    }
}

type Answer<T> = Result<T, NoAnswer>;

/// A value.
#[derive(Debug, Clone, PartialEq)]
enum Value {
    /// A number, truth or vector.
    Vector(Vec<Number>),
    /// Columns.
    Matrix(Vec<Vec<Number>>),
    /// Elements or members.
    List(Vec<Self>),
    /// A place: a variable and the way into it.
    Pointer(usize, Vec<usize>),
}

/// A source that can be computed.
pub struct Reference {
    parsed: Parsed,
}

/// Results by name of the output: components with bounds.
pub type Outputs = Vec<(String, Vec<Number>)>;

/// A run.
struct Run<'r> {
    parsed: &'r Parsed,
    memory: Vec<Value>,
    globals: Vec<Option<usize>>,
    fuel: u32,
}

/// A function that runs.
struct Frame<'r> {
    function: &'r Function,
    handle: Handle<Function>,
    values: Vec<Option<Value>>,
    arguments: Vec<Value>,
    locals: Vec<usize>,
}

/// Statements and expressions of one run.
const FUEL: u32 = 1 << 22;

impl Reference {
    /// Reads a source; `None` for one that is wrong.
    pub fn new(text: &str, language: Language) -> Option<Self> {
        let files = &mut Files::none();
        let text = match language {
            Language::Glsl => expand((0, "", text), 1, &[], files).text,
            Language::Wgsl => text.to_owned(),
        };
        Some(Self { parsed: parse(&text, language, None).ok()? })
    }

    /// Computes the outputs. Attributes and uniforms are given by name, element after element, column after column; what is
    /// not given is zero.
    ///
    /// # Errors
    /// [`NoAnswer`].
    pub fn run(&self, inputs: &HashMap<String, Vec<f32>>) -> Result<Outputs, NoAnswer> {
        let mut run = Run { parsed: &self.parsed, memory: Vec::new(), globals: Vec::new(), fuel: FUEL };
        run.globals(inputs)?;
        let module = &self.parsed.module;
        let entry = &module.functions[self.parsed.entry];
        let mut arguments = Vec::new();
        for argument in &entry.arguments {
            let name = argument.name.clone().unwrap_or_default();
            arguments.push(match &module.types[argument.ty].inner {
                TypeInner::Struct { members, .. } => {
                    let part = |member: &naga::StructMember| {
                        given(module, member.ty, member.name.as_deref().unwrap_or_default(), inputs)
                    };
                    Value::List(members.iter().map(part).collect())
                }
                _ => given(module, argument.ty, &name, inputs),
            });
        }
        let result = run.call(self.parsed.entry, arguments)?;
        let (Some(result), Some(of)) = (result, &entry.result) else { return Ok(Vec::new()) };
        let names: Vec<String> = match &module.types[of.ty].inner {
            TypeInner::Struct { members, .. } => {
                let names: Vec<String> = members.iter().map(output_name).collect();
                numbered(names.iter().map(String::as_str))
            }
            _ => vec!["position".to_owned()],
        };
        let values = match result {
            Value::List(list) => list,
            other => vec![other],
        };
        let vectors = names.into_iter().zip(values).flat_map(|(name, value)| match value {
            Value::Vector(lanes) => vec![(name, lanes)],
            Value::Matrix(columns) => {
                (0..).zip(columns).map(|(index, lanes)| (format!("{name}[{index}]"), lanes)).collect()
            }
            _ => Vec::new(),
        });
        Ok(vectors.collect())
    }
}

fn output_name(member: &naga::StructMember) -> String {
    match &member.binding {
        Some(Binding::BuiltIn(BuiltIn::Position { .. })) => "position".to_owned(),
        _ => member.name.clone().unwrap_or_default(),
    }
}

impl<'r> Run<'r> {
    /// Gives all global variables their values.
    fn globals(&mut self, inputs: &HashMap<String, Vec<f32>>) -> Answer<()> {
        let module = &self.parsed.module;
        for (_, variable) in module.global_variables.iter() {
            let name = variable.name.clone().unwrap_or_default();
            let hints = &self.parsed.hints;
            let is_block = hints.blocks.contains(&name) || variable.space == AddressSpace::Uniform;
            let value = match (&module.types[variable.ty].inner, variable.init) {
                (TypeInner::Struct { members, .. }, None) if is_block && !hints.loose.contains(&name) => {
                    let part = |member: &naga::StructMember| {
                        given(module, member.ty, member.name.as_deref().unwrap_or_default(), inputs)
                    };
                    Value::List(members.iter().map(part).collect())
                }
                (_, Some(init)) => self.constant(init, 64)?,
                (_, None) if is_block || hints.loose.contains(&name) => {
                    given(module, variable.ty, &name, inputs)
                }
                (_, None) => zero(module, variable.ty),
            };
            self.memory.push(value);
            self.globals.push(Some(self.memory.len() - 1));
        }
        Ok(())
    }

    fn burn(&mut self) -> Answer<()> {
        match self.fuel.checked_sub(1) {
            Some(fuel) => {
                self.fuel = fuel;
                Ok(())
            }
            None => Err(NoAnswer::Unknown("it runs too long".to_owned())),
        }
    }
}

fn unknown<T>(what: impl std::fmt::Debug) -> Answer<T> {
    Err(NoAnswer::Unknown(format!("{what:?}")))
}

/// A value of a type out of what is given for a name.
fn given(module: &naga::Module, ty: Handle<Type>, name: &str, inputs: &HashMap<String, Vec<f32>>) -> Value {
    if let Some(numbers) = inputs.get(name) {
        return filled(module, ty, &mut numbers.iter().copied());
    }
    match &module.types[ty].inner {
        TypeInner::Struct { members, .. } => {
            let part = |member: &naga::StructMember| {
                let member_name = member.name.as_deref().unwrap_or_default();
                given(module, member.ty, &format!("{name}.{member_name}"), inputs)
            };
            Value::List(members.iter().map(part).collect())
        }
        TypeInner::Array { base, size: naga::ArraySize::Constant(count), .. } => {
            let element = |index| given(module, *base, &format!("{name}[{index}]"), inputs);
            Value::List((0..count.get().min(4096)).map(element).collect())
        }
        _ => zero(module, ty),
    }
}

/// A value of a type out of numbers in order; zero where they end.
fn filled(module: &naga::Module, ty: Handle<Type>, numbers: &mut impl Iterator<Item = f32>) -> Value {
    let mut next = |count: usize| -> Vec<Number> {
        (0..count).map(|_| Number::exact(f64::from(numbers.next().unwrap_or(0.0)))).collect()
    };
    match &module.types[ty].inner {
        TypeInner::Vector { size, .. } => Value::Vector(next(*size as usize)),
        TypeInner::Matrix { columns, rows, .. } => {
            Value::Matrix((0..*columns as usize).map(|_| next(*rows as usize)).collect())
        }
        TypeInner::Array { base, size: naga::ArraySize::Constant(count), .. } => {
            let count = count.get().min(4096);
            Value::List((0..count).map(|_| filled(module, *base, numbers)).collect())
        }
        TypeInner::Struct { members, .. } => {
            Value::List(members.iter().map(|member| filled(module, member.ty, numbers)).collect())
        }
        _ => Value::Vector(next(1)),
    }
}

fn zero(module: &naga::Module, ty: Handle<Type>) -> Value {
    filled(module, ty, &mut std::iter::empty())
}
