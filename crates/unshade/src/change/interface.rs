//! What a program shares with what is around it, by name, in the same words for every machine.

use std::collections::BTreeMap;
use unshade_isa::maxwell::header::Header;
use unshade_isa::{latte, mali_gp, mali_pp, maxwell, pica200, with_machine};
use unshade_stage::{Interface, Space, Stage, StageKind, Symbol, SymbolType};

/// What kind of thing is shared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Group {
    /// Vertex attributes, and what a later stage gets from the one in front.
    Input,
    /// What the next stage or the rasteriser gets.
    Output,
    /// Values that are the same for all runs.
    Uniform,
    /// Buffers of such values.
    Block,
    /// Textures and samplers.
    Sampler,
    /// Storage buffers.
    Storage,
    /// Images.
    Image,
}

impl Group {
    /// The word for one of it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Input => "input",
            Self::Output => "output",
            Self::Uniform => "uniform",
            Self::Block => "uniform block",
            Self::Sampler => "sampler",
            Self::Storage => "storage buffer",
            Self::Image => "image",
        }
    }
}

/// Something shared.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Place {
    /// What it is made of, where the file says so: `vec4`, `mat3[2]`.
    pub(super) ty: String,
    /// Where it is: `c4-c7`, `word 16 of block 0`. Empty where names alone bring both sides together.
    pub(super) at: String,
}

/// All that a program shares.
pub(super) type Shared = BTreeMap<(Group, String), Place>;

/// A machine whose programs share names with other programs and with what draws.
trait Shares {
    /// Adds what a program shares.
    fn share(interface: &Interface, kind: StageKind, shared: &mut Shared);
}

/// What a stage shares.
pub(super) fn shared(stage: &Stage<'_>) -> Shared {
    let mut shared = Shared::new();
    with_machine!(stage.isa, M => M::share(&stage.interface, stage.kind, &mut shared), _ => {});
    shared
}

impl Shares for pica200::Pica200 {
    fn share(interface: &Interface, _: StageKind, shared: &mut Shared) {
        let letter = |space| match space {
            Space::Input => 'v',
            Space::Output => 'o',
            Space::Float => 'c',
            Space::Int => 'i',
            Space::Bool => 'b',
            _ => '?',
        };
        let variables = interface.inputs.iter().map(|variable| (Group::Input, variable));
        for (group, variable) in variables.chain(interface.uniforms.iter().map(|u| (Group::Uniform, u))) {
            let (letter, range) = (letter(variable.space), variable.range);
            let at = match range.first == range.last {
                true => format!("{letter}{}", range.first),
                false => format!("{letter}{}-{letter}{}", range.first, range.last),
            };
            shared.insert((group, variable.name.clone()), Place { ty: String::new(), at });
        }
        for output in &interface.outputs {
            // What the rasteriser gets goes by its meaning; where it lies is the program's own affair.
            shared.entry((Group::Output, output.semantic.clone())).or_default();
        }
    }
}

fn share_mali(interface: &Interface, kind: StageKind, shared: &mut Shared) {
    for symbol in interface.symbols.iter().filter(|symbol| symbol.parent.is_none()) {
        let group = match symbol.space {
            Space::Input => Group::Input,
            Space::Output => Group::Output,
            _ if symbol.ty.is_sampler() => Group::Sampler,
            _ => Group::Uniform,
        };
        // Constants of the compiler travel with the program.
        if symbol.initial.is_some() || (symbol.offset.is_none() && group != Group::Uniform) {
            continue;
        }
        // Drivers bring varyings and uniforms together by name; attributes are bound by number.
        let at = match (group, kind, symbol.offset) {
            (Group::Input, StageKind::Vertex, Some(offset)) => format!("attribute {}", offset / 4),
            _ => String::new(),
        };
        shared.insert((group, symbol.name.clone()), Place { ty: mali_type(symbol), at });
    }
}

impl Shares for mali_gp::MaliGp {
    fn share(interface: &Interface, kind: StageKind, shared: &mut Shared) {
        share_mali(interface, kind, shared);
    }
}

impl Shares for mali_pp::MaliPp {
    fn share(interface: &Interface, kind: StageKind, shared: &mut Shared) {
        share_mali(interface, kind, shared);
    }
}

fn mali_type(symbol: &Symbol) -> String {
    let vector = |scalar: &str, prefix: &str| match symbol.components {
        1 => scalar.to_owned(),
        count => format!("{prefix}vec{count}"),
    };
    let ty = match symbol.ty {
        SymbolType::Float => vector("float", ""),
        SymbolType::Int => vector("int", "i"),
        SymbolType::Bool => vector("bool", "b"),
        SymbolType::Matrix => format!("mat{}", symbol.components),
        SymbolType::Sampler2d => "sampler2D".to_owned(),
        SymbolType::SamplerCube => "samplerCube".to_owned(),
        SymbolType::SamplerExternal => "samplerExternalOES".to_owned(),
        SymbolType::Struct => format!("struct of {}", symbol.components),
        SymbolType::Unknown(number) => format!("type {number}"),
    };
    if symbol.elements > 0 { format!("{ty}[{}]", symbol.elements) } else { ty }
}

impl Shares for latte::Latte {
    fn share(interface: &Interface, kind: StageKind, shared: &mut Shared) {
        let Some(latte) = &interface.latte else { return };
        let array = |name: String, count: u32| if count > 1 { format!("{name}[{count}]") } else { name };
        for attribute in &latte.attributes {
            let place = Place {
                ty: array(attribute.ty.name(), attribute.count),
                at: format!("{}", attribute.location),
            };
            shared.insert((Group::Input, attribute.name.clone()), place);
        }
        for block in &latte.blocks {
            let place = Place { ty: format!("{} bytes", block.size), at: format!("buffer {}", block.buffer) };
            shared.insert((Group::Block, block.name.clone()), place);
        }
        for variable in latte.variables().list {
            let block = variable.block.and_then(|index| latte.blocks.get(usize::try_from(index).ok()?));
            let at = match block {
                Some(block) => format!("word {} of `{}`", variable.offset, block.name),
                None => format!("word {}", variable.offset),
            };
            let place = Place { ty: variable.type_name(), at };
            shared.insert((Group::Uniform, variable.name.to_owned()), place);
        }
        for sampler in &latte.samplers {
            let ty = sampler.dimension.map(|dimension| format!("{dimension:?}")).unwrap_or_default();
            let place = Place { ty, at: format!("unit {}", sampler.location) };
            shared.insert((Group::Sampler, sampler.name.clone()), place);
        }
        match kind {
            StageKind::Fragment => {
                for input in latte.inputs.iter().filter(|input| !input.point_coord) {
                    shared.entry((Group::Input, format!("parameter {}", input.semantic))).or_default();
                }
            }
            _ => {
                for semantic in latte.parameters.iter().flatten() {
                    shared.entry((Group::Output, format!("parameter {semantic}"))).or_default();
                }
            }
        }
    }
}

/// Where the attribute space holds what one stage makes for the next: 32 vectors.
const VARYINGS: std::ops::Range<u32> = 0x80..0x280;

impl Shares for maxwell::Maxwell {
    fn share(interface: &Interface, kind: StageKind, shared: &mut Shared) {
        let Some(maxwell) = &interface.maxwell else { return };
        let tables = [
            (Group::Sampler, &maxwell.samplers),
            (Group::Sampler, &maxwell.separate_textures),
            (Group::Sampler, &maxwell.separate_samplers),
            (Group::Block, &maxwell.constant_buffers),
            (Group::Storage, &maxwell.storage_buffers),
            (Group::Image, &maxwell.images),
        ];
        for (group, table) in tables {
            for binding in table {
                let at =
                    if binding.slot < 0 { "nowhere".to_owned() } else { format!("binding {}", binding.slot) };
                shared.insert((group, binding.name.clone()), Place { ty: String::new(), at });
            }
        }
        // Stages find each other by location; the header says which ones, names are a help for people.
        let Some(header) = Header::read(&maxwell.header) else { return };
        let mut vectors =
            |group, words: &mut dyn Iterator<Item = u32>, names: &[unshade_stage::maxwell::Binding]| {
                let mut masks: BTreeMap<u32, u32> = BTreeMap::new();
                for address in words.filter(|address| VARYINGS.contains(address)) {
                    *masks.entry((address - VARYINGS.start) / 16).or_default() |= 1 << (address / 4 % 4);
                }
                for (location, mask) in masks {
                    let named = names.iter().find(|name| u32::try_from(name.slot) == Ok(location));
                    let name = match (named, group, kind) {
                        // An attribute is known to the application by its name.
                        (Some(named), Group::Input, StageKind::Vertex) => named.name.clone(),
                        _ => format!("location {location}"),
                    };
                    let letters: String = "xyzw"
                        .chars()
                        .enumerate()
                        .filter(|(bit, _)| mask >> bit & 1 != 0)
                        .map(|(_, c)| c)
                        .collect();
                    let at = if name.starts_with("location ") {
                        String::new()
                    } else {
                        format!("location {location}")
                    };
                    shared.insert((group, name), Place { ty: letters, at });
                }
            };
        vectors(Group::Input, &mut header.inputs(), &maxwell.inputs);
        if kind != StageKind::Fragment {
            vectors(Group::Output, &mut header.outputs(), &maxwell.outputs);
        }
    }
}
