//! Names of uniform blocks, buffers, textures and images.

use super::super::super::address_map::{
    BANK_WORDS, COMPILER_BANK, OTHER_BANKS, handle_bank, image_of, unknown_handle,
};
use super::bounds::Bounds;
use super::kinds::Kinds;
use super::{Used, named};
use std::collections::{BTreeMap, BTreeSet};
use unshade_ir::votes::{Kind, Votes, by_use, is_no_float};
use unshade_ir::{
    Global, Image, ImageFormat, Module, Op, Shape, Space, StorageBuffer, Texel, Texture, TextureQuery,
    UniformBlock,
};
use unshade_stage::{Maxwell, StageKind};

/// Elements of an array of textures, where nothing bounds them.
const MOST_TEXTURES: u32 = 8;
/// Elements of an array of textures that are taken seriously.
const MOST_UNITS: u32 = 64;

pub(super) fn name(_: StageKind, maxwell: &Maxwell, used: &Used, kinds: &Kinds, module: &mut Module) {
    let accesses: BTreeSet<(Space, u32)> = used.words.keys().chain(&used.indexed).copied().collect();
    for (space, binding) in accesses {
        match space {
            Space::Uniform => block(maxwell, used, binding, module),
            Space::Storage => {
                let known = named(&maxwell.storage_buffers, binding);
                let name = known.map_or_else(|| format!("buffer{binding}"), str::to_owned);
                module.buffers.push(StorageBuffer { name, named: known.is_some(), binding });
            }
            _ => {}
        }
    }
    // Those of which only the length is asked.
    let mut counted: BTreeSet<u32> = BTreeSet::new();
    for inst in module.functions.iter().flat_map(|function| &function.insts) {
        if let Op::BufferLength(length) = inst.op {
            counted.insert(length.binding);
        }
    }
    counted.retain(|binding| module.buffers.iter().all(|buffer| buffer.binding != *binding));
    for binding in counted {
        let known = named(&maxwell.storage_buffers, binding);
        let name = known.map_or_else(|| format!("buffer{binding}"), str::to_owned);
        module.buffers.push(StorageBuffer { name, named: known.is_some(), binding });
    }
    textures(maxwell, kinds, module);
}

/// The words of the file's own constants, as long as something reads them by an index: others are numbers already.
fn table(maxwell: &Maxwell, binding: u32, module: &mut Module) {
    let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |word, byte| word << 8 | u32::from(*byte));
    let words: Vec<u32> = maxwell.constants.chunks(4).map(word).collect();
    let mut votes = Votes::default();
    for function in &module.functions {
        let uses = by_use(function);
        for inst in function.blocks.iter().flat_map(|block| &block.insts) {
            if let Some(inst) = function.insts.get(inst.index())
                && let Op::Load(access) = inst.op
                && (access.space, access.binding) == (Space::Uniform, binding)
                && let Some(known) = inst.results.first().and_then(|result| uses.get(result.index()))
            {
                votes.add(*known);
            }
        }
    }
    let integers = votes.is_empty() && words.iter().any(|word| is_no_float(*word));
    let kind = if integers { Kind::Int } else { votes.kind() };
    let elements = words.len() as u32;
    module.globals.push(Global {
        named: false,
        by_use: true,
        stride: 1,
        constant: Some(words),
        ..Global::new(
            "constants",
            Space::Uniform,
            binding,
            0,
            kind.shape(Shape::Float { components: 1, elements }),
        )
    });
}

fn block(maxwell: &Maxwell, used: &Used, binding: u32, module: &mut Module) {
    if binding == OTHER_BANKS + u32::from(COMPILER_BANK) && !maxwell.constants.is_empty() {
        return table(maxwell, binding, module);
    }
    let known = named(&maxwell.constant_buffers, binding).map(str::to_owned);
    let words =
        used.words.get(&(Space::Uniform, binding)).and_then(BTreeSet::last).map_or(0, |last| last + 1);
    let words = if used.indexed.contains(&(Space::Uniform, binding)) { BANK_WORDS } else { words };
    let name = match (&known, binding.checked_sub(OTHER_BANKS)) {
        (Some(name), _) => name.clone(),
        (None, Some(bank)) => format!("bank{bank}"),
        (None, None) => format!("block{binding}"),
    };
    module.blocks.push(UniformBlock { name: name.clone(), named: known.is_some(), binding, words });
    let Some(block) = known else { return };
    let mut members: Vec<(u32, &str)> = maxwell
        .members
        .iter()
        .filter(|member| member.block == block && member.offset % 4 == 0 && !member.name.is_empty())
        .map(|member| (member.offset / 4, &member.name[..]))
        .collect();
    members.sort_unstable();
    members.dedup_by_key(|(word, _)| *word);
    let first = module.globals.len();
    for (n, (word, member)) in members.iter().enumerate() {
        // Arrays are named by their first entry. The last goes as far as the program reads.
        let (member, last) = match member.strip_suffix("[0]") {
            Some(array) => (array, words.max(word + 4)),
            None => (*member, word + 4),
        };
        let end = members.get(n + 1).map_or(last, |(next, _)| *next);
        let vectors = (end - word).div_ceil(4).max(1);
        let shape = if vectors > 1 && word % 4 == 0 {
            Shape::Float { components: 4, elements: vectors }
        } else {
            Shape::Float { components: (end - word).min(4 - word % 4).clamp(1, 4) as u8, elements: 0 }
        };
        module.globals.push(Global::new(member, Space::Uniform, binding, *word, shape));
    }
    if let Some(read) = used.words.get(&(Space::Uniform, binding))
        && !used.indexed.contains(&(Space::Uniform, binding))
    {
        narrow(&mut module.globals[first..], read);
    }
}

/// Leaves off the last components of vectors that the program does not read: the file says where a member begins, not
/// where it ends. The member behind must lie where it would lie anyway, so that nothing has to be said of it.
fn narrow(members: &mut [Global], read: &BTreeSet<u32>) {
    // From the end, so that what is behind is as it will be.
    for at in (0..members.len()).rev() {
        let Shape::Float { components, elements: 0 } = members[at].shape else { continue };
        let word = members[at].offset;
        let Some(last) = read.range(word..word + u32::from(components)).next_back() else { continue };
        let few = (last - word + 1) as u8;
        let stays = members.get(at + 1).is_none_or(|next| {
            let alignment = match next.shape {
                Shape::Float { components: 1, elements: 0 } => 1,
                Shape::Float { components: 2, elements: 0 } => 2,
                _ => 4,
            };
            (word + u32::from(few)).next_multiple_of(alignment) == next.offset
        });
        if few < components && stays {
            members[at].shape = Shape::Float { components: few, elements: 0 };
        }
    }
}

/// What is known of a texture by all its accesses.
struct Known {
    texture: Texture,
    indexed: bool,
}

fn textures(maxwell: &Maxwell, kinds: &Kinds, module: &mut Module) {
    let bounds = Bounds::new(module);
    let mut textures: BTreeMap<(u32, bool), Known> = BTreeMap::new();
    let mut images: BTreeMap<u32, (Image, bool)> = BTreeMap::new();
    let mut compared: BTreeSet<u32> = BTreeSet::new();
    for inst in module.functions.iter().flat_map(|function| {
        function.blocks.iter().flat_map(|block| &block.insts).filter_map(|id| function.insts.get(id.index()))
    }) {
        match inst.op {
            Op::Texture(texture) => {
                let asks =
                    matches!(texture.query, TextureQuery::Size | TextureQuery::Samples | TextureQuery::Level);
                let known = textures
                    .entry((texture.unit, texture.shadow))
                    .or_insert(Known { texture, indexed: false });
                known.indexed |= texture.indexed;
                if texture.shadow {
                    compared.insert(texture.unit);
                }
                if !asks {
                    known.texture = texture;
                }
            }
            Op::Image(image) => {
                let known = images.entry(image.unit).or_insert((image, false));
                known.1 |= image.indexed;
                if image.query != unshade_ir::ImageQuery::Size {
                    known.0 = image;
                }
            }
            _ => {}
        }
    }
    // Behind those that the driver numbers.
    let taken = |units: &mut dyn Iterator<Item = (u32, bool)>| {
        units
            .filter(|(unit, _)| unknown_handle(*unit).is_none())
            .map(|(unit, indexed)| unit + if indexed { MOST_TEXTURES } else { 1 })
            .max()
            .unwrap_or(0)
    };
    let mut next_texture = taken(&mut textures.iter().map(|((unit, _), known)| (*unit, known.indexed)));
    let mut next_image = taken(&mut images.iter().map(|(unit, (_, indexed))| (image_of(*unit).0, *indexed)));
    let place = |unit: u32, elements: u32, next: &mut u32| match unknown_handle(unit) {
        Some(_) => {
            let location = *next;
            *next += elements.max(1);
            location
        }
        None => unit,
    };
    let units: Vec<u32> = textures.keys().map(|(unit, _)| *unit).collect();
    for ((unit, shadow), known) in &textures {
        let asks =
            matches!(known.texture.query, TextureQuery::Size | TextureQuery::Samples | TextureQuery::Level);
        if asks && !shadow && compared.contains(unit) {
            continue;
        }
        let next = units.iter().find(|other| *other > unit).copied().unwrap_or(u32::MAX);
        let most = bounds.texture(*unit).map_or(MOST_TEXTURES, |count| count.min(MOST_UNITS));
        let elements = if known.indexed { (next - unit).min(most) } else { 0 };
        let texel = match kinds.texture(*unit) {
            _ if *shadow => Texel::Float,
            Kind::Float => Texel::Float,
            Kind::Int => Texel::Int,
            Kind::Uint => Texel::Uint,
        };
        let texel = if asks { Texel::Float } else { texel };
        let shape =
            Shape::Sampler { shape: known.texture.shape, elements, external: false, shadow: *shadow, texel };
        let file = named(&maxwell.samplers, *unit).or_else(|| named(&maxwell.separate_textures, *unit));
        let name = file.map_or_else(
            || match unknown_handle(*unit) {
                Some((bank, word)) if bank == handle_bank(maxwell.driver) => format!("texture_{word:x}"),
                Some((bank, word)) => format!("texture_{bank}_{word:x}"),
                None => format!("texture{unit}"),
            },
            str::to_owned,
        );
        let global = Global::new(name, Space::Texture, 0, *unit, shape);
        let location = place(*unit, elements, &mut next_texture);
        let by_use = !*shadow && !asks;
        module.globals.push(Global { named: file.is_some(), location, by_use, ..global });
    }
    for (unit, (image, indexed)) in images {
        let (number, bytes) = image_of(unit);
        let texel = match kinds.image(unit) {
            _ if bytes.is_some() => Texel::Uint,
            Kind::Float => Texel::Float,
            Kind::Int => Texel::Int,
            Kind::Uint => Texel::Uint,
        };
        let most = bounds.image(unit).map_or(MOST_TEXTURES, |count| count.min(MOST_UNITS));
        let elements = if indexed { most } else { 0 };
        let format = bytes.and_then(|bytes| match bytes {
            1 => Some(ImageFormat::R8ui),
            2 => Some(ImageFormat::R16ui),
            4 => Some(ImageFormat::R32ui),
            8 => Some(ImageFormat::Rg32ui),
            16 => Some(ImageFormat::Rgba32ui),
            _ => None,
        });
        let shape = Shape::Image { shape: image.shape, elements, texel, format };
        let file = named(&maxwell.images, number);
        let name = file.map_or_else(|| format!("image{number}"), str::to_owned);
        let global = Global::new(name, Space::Image, 0, unit, shape);
        let location = place(number, elements, &mut next_image);
        module.globals.push(Global { named: file.is_some(), location, by_use: true, ..global });
    }
}
