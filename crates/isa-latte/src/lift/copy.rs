//! What a copy program does with the words of a vertex: behind a geometry program it reads them from the ring and exports
//! them, so that it alone says which are the position and which are parameters.
//!
//! The program is lifted as every other, and what is left of it behind the passes has to be loads from the ring and
//! stores to outputs, one behind the other. One that computes, chooses or loops is none of these: then nothing is known.
//! The interpreter does not go by this: it runs the copy program on the words of each vertex.

use super::super::bindings::{EXPORT_BINDING, RING_INPUT_BINDING, export_name};
use super::super::ring::copy_program;
use super::lift;
use std::collections::BTreeMap;
use unshade_ir::{BlockId, Function, Inst, Op, Space, Terminator, Value, passes};
use unshade_stage::latte::PositionExports;
use unshade_stage::{Latte, Stage};

/// Where an output word comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Copied {
    /// A word of the vertex.
    Word(u32),
    /// Always these bits.
    Constant(u32),
}

/// The output words that a copy program writes, by output binding and word ([`super::super::bindings`]).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Copy {
    words: BTreeMap<(u32, u32), Copied>,
}

impl Copy {
    /// Of the copy program beside a geometry program; nothing where there is none, or one that does more than copy.
    pub fn beside(geometry: &Latte) -> Option<Self> {
        Self::of(&copy_program(geometry)?)
    }

    /// Of a copy program.
    pub fn of(stage: &Stage<'_>) -> Option<Self> {
        let mut module = lift(stage).ok()?;
        passes::run(&mut module, passes::strict(), None);
        let function = module.functions.get(module.entry.index())?;
        let mut copy = Self::default();
        let mut at = BlockId(0);
        for _ in 0..=function.blocks.len() {
            let block = function.blocks.get(at.index())?;
            for id in &block.insts {
                let inst = function.insts.get(id.index())?;
                match inst.op {
                    Op::Load(access) if access.space == Space::Input && access.stride == 0 => {}
                    Op::B32(_) => {}
                    Op::Store(access) if access.space == Space::Output && access.stride == 0 => {
                        let value = copied(function, *inst.args.first()?)?;
                        copy.words.insert((access.binding, access.offset), value);
                    }
                    _ => return None,
                }
            }
            match &block.terminator {
                Terminator::Jump(target) => at = target.block,
                Terminator::End | Terminator::Return(_) => {
                    return Some(copy).filter(|copy| !copy.words.is_empty());
                }
                _ => return None,
            }
        }
        None
    }

    /// Output binding and word of all that it writes, with where that comes from, in order.
    pub fn words(&self) -> impl Iterator<Item = ((u32, u32), Copied)> {
        self.words.iter().map(|(place, from)| (*place, *from))
    }

    /// Words of a vertex that it takes.
    pub fn taken(&self) -> impl Iterator<Item = u32> {
        self.words.values().filter_map(|from| match from {
            Copied::Word(word) => Some(*word),
            Copied::Constant(_) => None,
        })
    }

    /// What it does, a line for each output vector: `words 4 to 7 are gl_Position (POS60)`.
    pub fn lines(&self, position: PositionExports) -> Vec<String> {
        let mut vectors: BTreeMap<(u32, u32), [Option<Copied>; 4]> = BTreeMap::new();
        for ((binding, word), from) in self.words() {
            vectors.entry((binding, word / 4)).or_default()[word as usize % 4] = Some(from);
        }
        vectors.into_iter().map(|(place, lanes)| line(place, lanes, position)).collect()
    }
}

fn line((binding, vector): (u32, u32), lanes: [Option<Copied>; 4], position: PositionExports) -> String {
    let name = match binding {
        EXPORT_BINDING => match (vector, position.misc) {
            (0, _) => "gl_Position (POS60)".to_owned(),
            (1, true) => "point size, edge flag, layer and viewport (POS61)".to_owned(),
            _ => export_name(4 * vector),
        },
        stream => format!("vector {vector} of stream {}", stream - super::super::bindings::STREAM_BINDING),
    };
    let present: Vec<_> = lanes.iter().flatten().collect();
    let mask: String =
        ["x", "y", "z", "w"].iter().zip(lanes).filter_map(|(c, lane)| lane.map(|_| *c)).collect();
    let name = if present.len() == 4 { name } else { format!("{name}.{mask}") };
    // Words that follow each other are said once.
    if let (Some(Copied::Word(first)), Some(Copied::Word(last))) = (present.first(), present.last())
        && (*first..).zip(&present).all(|(word, at)| **at == Copied::Word(word))
    {
        return match first == last {
            true => format!("word {first} is {name}"),
            false => format!("words {first} to {last} are {name}"),
        };
    }
    let each: Vec<String> = present
        .iter()
        .map(|from| match from {
            Copied::Word(word) => format!("word {word}"),
            Copied::Constant(bits) => format!("{:?}", f32::from_bits(*bits)),
        })
        .collect();
    format!("{} are {name}", each.join(", "))
}

fn copied(function: &Function, value: Value) -> Option<Copied> {
    match function.definition(value)? {
        Inst { op: Op::B32(bits), .. } => Some(Copied::Constant(*bits)),
        Inst { op: Op::Load(access), .. } if access.binding == RING_INPUT_BINDING => {
            Some(Copied::Word(access.offset))
        }
        _ => None,
    }
}
