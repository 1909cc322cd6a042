//! What a program hands on: the vectors of its outputs, and the places that they take.

use super::{
    Walk,
    interface::{Meaning, Output, Part},
    links::{Leaf, builtin_name},
    places::{Choice, Place, Wanted, base, places},
    shape::{Kind, Shape},
    value::Value,
};
use crate::vector::{Lanes, Written};
use naga::{Binding, BuiltIn};
use smallvec::SmallVec;
use unshade_bytes::problem::Result;

/// A vector that the program writes.
struct Vector {
    name: String,
    kind: Kind,
    lanes: Lanes,
    is_position: bool,
    number: Option<u32>,
}

/// Vectors that an output may consist of: more than there are places for.
const VECTORS: usize = 64;

impl Walk<'_> {
    pub(super) fn outputs(&mut self, leaves: Vec<Leaf>, result: Option<Value>) -> Result<Vec<Written>> {
        let Some(result) = result else { return self.unexpected() };
        let values = match result {
            Value::List(list) => list,
            other => vec![other],
        };
        let vectors = self.vectors(leaves, values)?;
        let wanted: Vec<Wanted<'_>> = vectors
            .iter()
            .map(|vector| Wanted {
                name: &vector.name,
                width: u8::try_from(vector.lanes.len()).unwrap_or(4),
                is_position: vector.is_position,
                number: vector.number,
            })
            .collect();
        let found = places(&wanted, self.asked, self.sampled);
        let has_position = vectors.iter().any(|vector| vector.is_position);
        let mut written = Vec::new();
        let mut has_place = false;
        for (vector, place) in vectors.iter().zip(found) {
            self.interface.declared.push(vector.name.clone());
            match place {
                Place::At(parts, reason) => {
                    has_place |= parts.iter().any(|part| part.meaning == Meaning::Position);
                    let used = self.used(vector, &parts);
                    let output = u16::try_from(self.interface.outputs.len()).unwrap_or(u16::MAX);
                    written.push(Written {
                        output,
                        lanes: vector.lanes.iter().take(used.into()).map(|lane| Some(*lane)).collect(),
                        span: self.builder.span,
                    });
                    let name = vector.name.clone();
                    self.interface.outputs.push(Output {
                        name,
                        parts,
                        width: used,
                        register: 0,
                        first: 0,
                        reason,
                    });
                }
                Place::Dropped => self.interface.dropped.push(vector.name.clone()),
                Place::Taken(meaning) => {
                    let message =
                        format!("`{}` is a second output that shall be {}", vector.name, meaning.name());
                    let problem = self.named(base(&vector.name), "compile.output", message);
                    self.errors.push(*problem);
                }
                Place::None => {
                    let problem = self.no_place(vector);
                    self.errors.push(*problem);
                }
            }
        }
        self.interface.place_outputs();
        let drops_position = self.asked.iter().any(|(_, choice)| *choice == Choice::Drop) && has_position;
        if !has_place && self.errors.is_empty() {
            let message = "the program writes no position, so nothing could be drawn";
            let problem = self.named("main", "compile.no-position", message);
            return Err(match drops_position {
                true => problem.note("the position cannot be dropped"),
                false => problem.note("write `gl_Position`, or an output with the name `position`"),
            });
        }
        Ok(written)
    }

    /// How many components of an output go somewhere; says what goes nowhere.
    fn used(&mut self, vector: &Vector, parts: &[Part]) -> u8 {
        let used = parts.iter().map(|part| part.first + part.count).max().unwrap_or(0);
        let width = u8::try_from(vector.lanes.len()).unwrap_or(4);
        let names: Vec<&str> = parts.iter().map(|part| part.meaning.name()).collect();
        let name = names.first().copied().unwrap_or_default();
        if used < width {
            let message = format!(
                "the machine takes {used} components of {name}, so {} of `{}` go nowhere",
                width - used,
                vector.name
            );
            let warning = self.named(base(&vector.name), "compile.output-width", message);
            self.warnings.push(*warning);
        }
        if name == Meaning::Position.name() && width < 4 {
            let message = format!("`{}` is the position, which needs four components", vector.name);
            let problem = self.named(base(&vector.name), "compile.output", message);
            self.errors.push(*problem.note("put a 1.0 behind it: `vec4(p, 1.0)`"));
        }
        if vector.kind != Kind::Float {
            let message = format!(
                "`{}` holds no floats: the machine goes evenly from vertex to vertex with all that it hands on",
                vector.name
            );
            let warning = self.named(base(&vector.name), "compile.output-kind", message);
            self.warnings.push(*warning);
        }
        used
    }

    /// An output for which nothing is left.
    fn no_place(&self, vector: &Vector) -> Box<unshade_bytes::Problem> {
        let width = vector.lanes.len();
        let message = format!(
            "there is no place left for the output `{}`{}",
            vector.name,
            if width > 1 { format!(" with its {width} components") } else { String::new() }
        );
        let taken: Vec<String> = self
            .interface
            .outputs
            .iter()
            .flat_map(|output| output.parts.iter().map(move |part| (part, output)))
            .map(|(part, output)| format!("{} `{}`", part.meaning.name(), output.name))
            .collect();
        let of: Vec<&str> = Meaning::ALL.iter().skip(1).map(|meaning| meaning.name()).collect();
        self.named(base(&vector.name), "compile.output", message)
            .note(format!("beside the position the machine hands on: {}", of.join(", ")))
            .note(format!("taken: {}", taken.join(", ")))
            .note("leave out what is not needed with `--drop NAME`, or say what goes where with `--output NAME=PLACE`")
    }

    /// Warns of what the text writes for a part of the pipeline that is not there.
    pub(super) fn say_nowhere(&mut self) {
        for name in &self.hints.nowhere {
            let message = format!("the machine has no `{name}`, so what is written to it goes nowhere");
            let warning = self.named(name, "compile.builtin", message);
            self.warnings.push(*warning);
        }
    }

    /// The vectors of all outputs: elements of arrays and columns of matrices one by one.
    fn vectors(&mut self, leaves: Vec<Leaf>, values: Vec<Value>) -> Result<Vec<Vector>> {
        let names = crate::source::numbered(leaves.iter().map(|leaf| leaf.name.as_str()));
        let mut vectors = Vec::new();
        for ((leaf, name), value) in leaves.into_iter().zip(names).zip(values) {
            let is_position = matches!(leaf.binding, Some(Binding::BuiltIn(BuiltIn::Position { .. })));
            let number = match &leaf.binding {
                Some(Binding::BuiltIn(builtin)) if !is_position => {
                    let message = format!(
                        "the machine has no `{}`, so what is written to it goes nowhere",
                        builtin_name(*builtin)
                    );
                    let warning = self.builtin(*builtin, message);
                    self.warnings.push(*warning);
                    continue;
                }
                Some(Binding::Location { location, .. }) => {
                    let known = self.hints.located.as_ref();
                    known.is_none_or(|known| known.contains(&leaf.name)).then_some(*location)
                }
                _ => None,
            };
            let one = |name: String, kind: Kind, lanes: Lanes, number: Option<u32>| Vector {
                name,
                kind,
                lanes,
                is_position,
                number,
            };
            match (&leaf.shape, value) {
                (Shape::Vector { kind, .. }, Value::Vector(lanes)) => {
                    vectors.push(one(name, *kind, lanes, number));
                }
                (Shape::Matrix { .. }, Value::Matrix(matrix)) => {
                    let columns: SmallVec<[Lanes; 4]> = matrix.columns(&mut self.builder);
                    for (index, lanes) in columns.into_iter().enumerate() {
                        vectors.push(one(format!("{name}[{index}]"), Kind::Float, lanes, None));
                    }
                }
                _ => {
                    let message = format!(
                        "the output `{}` is no vector, and nothing that is made of vectors",
                        leaf.name
                    );
                    let problem = self.named(&leaf.name, "compile.output", message);
                    self.errors.push(*problem);
                }
            }
            if vectors.len() > VECTORS {
                let message =
                    format!("the output `{}` is larger than all that the machine hands on", leaf.name);
                return Err(self.named(&leaf.name, "compile.output", message));
            }
        }
        Ok(vectors)
    }
}
