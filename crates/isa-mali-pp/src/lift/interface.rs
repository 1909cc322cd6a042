//! Names of inputs, uniforms, samplers and the colour: what the loads and stores of the module mean to a person.
//!
//! Names come from the file where it has any. Members of a structure are called after both, `light.color`;
//! of an array of structures `lights[2].color`, or, where the code reaches into it with an index, `lights[].color`: an
//! array over the structures for each member that is a plain vector. What the code uses and the file does not name is called after its vector:
//! `varying3`, `uniform20`, `sampler0`.

use super::{
    COLOR_BINDING, FRAG_COORD_BINDING, FRAMEBUFFER_COLOR_BINDING, FRAMEBUFFER_DEPTH_BINDING,
    FRONT_FACING_BINDING, POINT_COORD_BINDING, UNIFORM_BINDING, VARYING_BINDING,
};
use std::collections::{BTreeMap, BTreeSet};
use unshade_ir::{Global, Module, Op, Precision, Shape, Space, Texel, TextureShape};
use unshade_stage::{Precision as Declared, Space as Registers, Stage, Symbol, SymbolType};

/// Vectors behind the last one named that an address with a register in it is taken to mean.
const BEHIND: u32 = 16;
/// Globals that are named, and instances of a member; more than any program has, so that hostile tables stay small.
const MOST: usize = 2048;
/// Elements of an array of structures whose members cannot be arrays themselves.
const APART: u16 = 64;

/// Globals of a lifted program.
pub(super) fn globals(stage: &Stage<'_>, module: &Module) -> Vec<Global> {
    let used = Used::new(module);
    let mut globals = Vec::new();
    named(stage, Registers::Input, &used, &mut globals);
    vectors(&used, Space::Input, VARYING_BINDING, "varying", &mut globals);
    special(&used, &mut globals);
    named(stage, Registers::Float, &used, &mut globals);
    vectors(&used, Space::Uniform, UNIFORM_BINDING, "uniform", &mut globals);
    samplers(&used, &mut globals);
    let color = Shape::Float { components: 4, elements: 0 };
    globals.push(Global {
        named: false,
        semantic: Some("color".to_owned()),
        precision: Some(Precision::Medium),
        ..Global::new("color", Space::Output, COLOR_BINDING, 0, color)
    });
    for space in [Space::Input, Space::Uniform, Space::Texture] {
        locations(space, &mut globals);
    }
    globals
}

/// What the code reads.
#[derive(Default)]
struct Used {
    /// Words at fixed addresses, by space and binding.
    words: BTreeSet<(Space, u32, u32)>,
    /// Bases of addresses with a register in them.
    bases: BTreeSet<(Space, u32, u32)>,
    /// Textures, with their shape.
    units: BTreeMap<u32, TextureShape>,
}

impl Used {
    fn new(module: &Module) -> Self {
        let mut used = Self::default();
        for inst in module.functions.iter().flat_map(|function| &function.insts) {
            match inst.op {
                Op::Load(access) => {
                    let set = if access.is_indexed() { &mut used.bases } else { &mut used.words };
                    set.insert((access.space, access.binding, access.offset));
                }
                Op::Texture(texture) => {
                    used.units.entry(texture.unit).or_insert(texture.shape);
                }
                _ => {}
            }
        }
        used
    }

    /// Whether an address with a register in it starts in an array of structures; of those in other structures, whose
    /// places are several, anywhere.
    fn reaches_into(&self, owner: &Symbol) -> bool {
        let (space, binding) = match owner.space {
            Registers::Input => (Space::Input, VARYING_BINDING),
            _ => (Space::Uniform, UNIFORM_BINDING),
        };
        let start = u32::from(owner.offset.unwrap_or_default());
        let words = match owner.parent {
            None => start..start + u32::from(owner.elements) * u32::from(owner.stride),
            Some(_) => 0..u32::MAX,
        };
        self.bases.range((space, binding, words.start)..(space, binding, words.end)).next().is_some()
    }
}

/// Whether a word lies in a global that is there already.
fn is_covered(globals: &[Global], space: Space, binding: u32, word: u32) -> bool {
    globals.iter().filter(|global| global.space == space && global.binding == binding).any(|global| {
        let Some(rest) = word.checked_sub(global.offset) else { return false };
        let columns = match global.shape {
            Shape::Matrix { columns, .. } => columns.into(),
            _ => global.shape.elements().max(1),
        };
        let elements = match global.shape {
            Shape::Matrix { elements, .. } => elements.max(1),
            _ => 1,
        };
        let element = rest.checked_div(global.element_stride().max(1)).unwrap_or(0);
        let rest = match global.shape {
            Shape::Matrix { .. } if element < elements => rest - element * global.element_stride(),
            _ => rest,
        };
        let column = rest.checked_div(global.stride.max(1)).unwrap_or(0).min(columns.saturating_sub(1));
        rest - column * global.stride < global.shape.components().into()
    })
}

fn named(stage: &Stage<'_>, space: Registers, used: &Used, globals: &mut Vec<Global>) {
    let symbols: Vec<&Symbol> =
        stage.interface.symbols.iter().filter(|symbol| symbol.space == space).collect();
    let start = globals.len();
    for symbol in symbols.iter().filter(|symbol| symbol.ty != SymbolType::Struct) {
        let Some(offset) = symbol.offset else { continue };
        let mut instances = vec![Instance { name: symbol.name.clone(), offset: offset.into(), array: None }];
        let mut parent = symbol.parent;
        // A parent stands in front of its members in files that make sense; others stop here.
        for _ in 0..8 {
            let Some(owner) = parent.and_then(|index| symbols.get(usize::from(index))) else { break };
            let indexed = used.reaches_into(owner);
            let inside = instances.iter().flat_map(|instance| instance.inside(owner, symbol, indexed));
            instances = inside.take(MOST).collect();
            parent = owner.parent;
        }
        if parent.is_none() && globals.len() < MOST {
            globals.extend(instances.iter().filter_map(|instance| global(symbol, instance)));
        }
    }
    if let Some(new) = globals.get_mut(start..) {
        new.sort_by(|a, b| (a.space, a.offset, &a.name).cmp(&(b.space, b.offset, &b.name)));
    }
}

/// A symbol with the structures around it.
struct Instance {
    name: String,
    offset: u32,
    /// Elements of an array of structures around it, and their distance.
    array: Option<(u16, u16)>,
}

impl Instance {
    /// What becomes of it inside a structure. `indexed`: the code reaches into it with an index.
    fn inside(&self, owner: &Symbol, symbol: &Symbol, indexed: bool) -> Vec<Self> {
        let base = u32::from(owner.offset.unwrap_or_default());
        let named = |name: String, offset: u32, array| Self { name, offset: self.offset + offset, array };
        if owner.elements == 0 {
            return vec![named(format!("{}.{}", owner.name, self.name), base, self.array)];
        }
        let plain = symbol.elements == 0 && symbol.ty != SymbolType::Matrix && !symbol.ty.is_sampler();
        if (indexed || owner.elements > APART) && plain && self.array.is_none() {
            let array = Some((owner.elements, owner.stride));
            return vec![named(format!("{}[].{}", owner.name, self.name), base, array)];
        }
        (0..owner.elements.min(APART))
            .map(|n| {
                let offset = base + u32::from(n) * u32::from(owner.stride);
                named(format!("{}[{n}].{}", owner.name, self.name), offset, self.array)
            })
            .collect()
    }
}

fn global(symbol: &Symbol, instance: &Instance) -> Option<Global> {
    let components = symbol.components.clamp(1, 4) as u8;
    let (count, stride) = match instance.array {
        Some(array) => array,
        None => (symbol.elements, symbol.stride),
    };
    let elements = u32::from(count);
    let shape = match symbol.ty {
        SymbolType::Float => Shape::Float { components, elements },
        SymbolType::Int => Shape::Int { components, elements },
        SymbolType::Bool => Shape::Bool { components, elements },
        SymbolType::Matrix => Shape::Matrix {
            columns: components.max(2),
            rows: components.max(2),
            elements,
            element_stride: if count == 0 { 0 } else { stride.into() },
        },
        SymbolType::Sampler2d => sampler(TextureShape::Plane, elements, false),
        SymbolType::SamplerExternal => sampler(TextureShape::Plane, elements, true),
        SymbolType::SamplerCube => sampler(TextureShape::Cube, elements, false),
        SymbolType::Struct | SymbolType::Unknown(_) => return None,
    };
    let (space, binding) = match (symbol.space, shape) {
        (Registers::Input, _) => (Space::Input, VARYING_BINDING),
        (_, Shape::Sampler { .. }) => (Space::Texture, 0),
        _ => (Space::Uniform, UNIFORM_BINDING),
    };
    // Only what the compiler made itself keeps its value; the application may set everything else.
    let constant = symbol.initial.clone().filter(|_| symbol.name.starts_with('?'));
    Some(Global {
        stride: match symbol.ty {
            SymbolType::Matrix => symbol.component_size.into(),
            _ if count == 0 => shape.stride(),
            _ => stride.into(),
        },
        as_float: true,
        precision: symbol.precision.map(|precision| match precision {
            Declared::Low => Precision::Low,
            Declared::Medium => Precision::Medium,
            Declared::High => Precision::High,
        }),
        constant,
        ..Global::new(instance.name.clone(), space, binding, instance.offset, shape)
    })
}

fn sampler(shape: TextureShape, elements: u32, external: bool) -> Shape {
    Shape::Sampler { shape, elements, external, shadow: false, texel: Texel::Float }
}

/// Vectors that the code uses and the file does not name.
fn vectors(used: &Used, space: Space, binding: u32, name: &str, globals: &mut Vec<Global>) {
    let here = |set: &BTreeSet<(Space, u32, u32)>| -> Vec<u32> {
        let of_binding = set.iter().filter(|(s, b, _)| (*s, *b) == (space, binding));
        of_binding.map(|(_, _, word)| *word).collect()
    };
    let words: Vec<u32> =
        here(&used.words).into_iter().filter(|word| !is_covered(globals, space, binding, *word)).collect();
    let mut free = BTreeMap::<u32, u8>::new();
    for word in words {
        let components = free.entry(word / 4).or_default();
        *components = (*components).max(word as u8 % 4 + 1);
    }
    for (vector, components) in free {
        // A vector whose front the file names is only what is behind it.
        let taken =
            (0..u32::from(components)).rev().find(|n| is_covered(globals, space, binding, 4 * vector + n));
        let from = taken.map_or(0, |n| n + 1);
        let suffix =
            if from == 0 { String::new() } else { ["", "_y", "_z", "_w"][from as usize & 3].to_owned() };
        let shape = Shape::Float { components: components.saturating_sub(from as u8).max(1), elements: 0 };
        globals.push(unnamed(format!("{name}{vector}{suffix}"), space, binding, 4 * vector + from, shape));
    }
    let bases: Vec<u32> =
        here(&used.bases).into_iter().filter(|word| !is_covered(globals, space, binding, *word)).collect();
    if let (Some(first), Some(last)) = (bases.first(), bases.last()) {
        let first = first / 4;
        let shape = Shape::Float { components: 4, elements: last / 4 - first + BEHIND };
        globals.push(unnamed(format!("{name}s_{first}"), space, binding, 4 * first, shape));
    }
}

fn unnamed(name: String, space: Space, binding: u32, offset: u32, shape: Shape) -> Global {
    Global {
        named: false,
        precision: Some(Precision::Medium),
        ..Global::new(name, space, binding, offset, shape)
    }
}

/// Inputs that the hardware itself gives.
fn special(used: &Used, globals: &mut Vec<Global>) {
    let inputs = [
        (FRAG_COORD_BINDING, "gl_FragCoord", "frag-coord", 4),
        (POINT_COORD_BINDING, "gl_PointCoord", "point-coord", 2),
        (FRONT_FACING_BINDING, "gl_FrontFacing", "front-facing", 1),
        (FRAMEBUFFER_COLOR_BINDING, "framebuffer_color", "framebuffer-color", 4),
        (FRAMEBUFFER_DEPTH_BINDING, "framebuffer_depth", "framebuffer-depth", 1),
    ];
    for (binding, name, semantic, components) in inputs {
        if used.words.iter().any(|(space, b, _)| (*space, *b) == (Space::Input, binding)) {
            let shape = Shape::Float { components, elements: 0 };
            globals.push(Global {
                semantic: Some(semantic.to_owned()),
                ..unnamed(name.to_owned(), Space::Input, binding, 0, shape)
            });
        }
    }
}

fn samplers(used: &Used, globals: &mut Vec<Global>) {
    for (unit, shape) in &used.units {
        let is_there = globals.iter().filter(|global| global.space == Space::Texture).any(|global| {
            let count = global.shape.elements().max(1) * global.stride.max(1);
            (global.offset..global.offset.saturating_add(count)).contains(unit)
        });
        if !is_there {
            let shape = sampler(*shape, 0, false);
            globals.push(unnamed(format!("sampler{unit}"), Space::Texture, 0, *unit, shape));
        }
    }
}

/// Numbers for the declarations, in the order of the places; matrices and arrays take several.
fn locations(space: Space, globals: &mut [Global]) {
    let mut next = 0_u32;
    let mut order: Vec<&mut Global> =
        globals.iter_mut().filter(|global| global.space == space && global.semantic.is_none()).collect();
    order.sort_by_key(|global| (global.binding, global.offset));
    for global in order {
        global.location = next;
        let columns = match global.shape {
            Shape::Matrix { columns, .. } => columns.into(),
            _ => 1,
        };
        next = next.saturating_add(global.shape.elements().max(1).saturating_mul(columns));
    }
}
