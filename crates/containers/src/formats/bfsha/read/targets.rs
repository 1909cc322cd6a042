//! Where the records of shading models lead.

use super::super::raw::{self, Model, Program, Resource};
use super::super::wiiu::{self, WiiUModel};
use super::Kind;
use crate::formats::switch::{Look, Pointer, Target};

/// The entries of a table. A count that leads out of the file is found by the first entry behind its end.
pub(super) fn entries(
    name: &'static str,
    first: Pointer,
    count: u64,
    len: u64,
    kind: Kind,
    look: &dyn Look,
    out: &mut Vec<Target<Kind>>,
) {
    let Some(first) = first.get() else { return };
    for index in 0..count {
        let at = first.saturating_add(index.saturating_mul(len));
        out.push(Target::entry(name, index, at, kind));
        if look.is_behind(at) {
            break;
        }
    }
}

/// How many of a resource there are, where count and names do not agree the fewer: tables go no further.
fn named(model: &Model, resource: Resource, look: &dyn Look) -> u8 {
    let [_, dictionary] = model.resource(resource);
    let names = u8::try_from(look.dictionary_len(dictionary)).unwrap_or(u8::MAX);
    model.resource_count(resource).min(names)
}

pub(super) fn model_targets(model: &Model, look: &dyn Look, out: &mut Vec<Target<Kind>>) {
    let form = look.form();
    for (name, names, [array, dictionary], count) in [
        ("static_options", "static_option_names", model.static_options, model.static_option_count),
        ("dynamic_options", "dynamic_option_names", model.dynamic_options, model.dynamic_option_count),
    ] {
        entries(name, array, count.into(), raw::OPTION_LEN, Kind::Option, look, out);
        out.extend(Target::one(names, dictionary, Kind::Dictionary));
    }
    let [array, dictionary] = model.attributes;
    out.extend(Target::one("attributes", array, Kind::Attributes(model.attribute_count.into())));
    out.extend(Target::one("attribute_names", dictionary, Kind::Dictionary));
    for resource in Resource::of(form) {
        let [array, dictionary] = model.resource(*resource);
        let count = named(model, *resource, look).into();
        let (len, kind) = match resource {
            Resource::Samplers | Resource::Images => (raw::SAMPLER_LEN, Kind::Sampler),
            Resource::UniformBlocks | Resource::StorageBlocks => (raw::BLOCK_LEN, Kind::Block),
        };
        entries(resource.name(), array, count, len, kind, look, out);
        let names = match resource {
            Resource::Samplers => "sampler_names",
            Resource::Images => "image_names",
            Resource::UniformBlocks => "uniform_block_names",
            Resource::StorageBlocks => "storage_block_names",
        };
        out.extend(Target::one(names, dictionary, Kind::Dictionary));
    }
    let (count, len) = (model.uniform_count.into(), raw::VARIABLE_LEN);
    entries("uniforms", model.uniforms, count, len, Kind::Variable, look, out);
    let count = model.storage_member_count.into();
    entries("storage_members", model.storage_members, count, len, Kind::Variable, look, out);
    let counts = [Resource::Samplers, Resource::Images, Resource::UniformBlocks, Resource::StorageBlocks];
    let kind = Kind::Program(model.columns(form), counts.map(|resource| named(model, resource, look)));
    entries("programs", model.programs, model.program_count.into(), Program::len(form), kind, look, out);
    let words = (model.programs_held() as u64).saturating_mul(model.words());
    out.extend(Target::one("keys", model.keys, Kind::Keys(words)));
    let columns = u16::from(model.columns(form));
    let count = |resource| u16::from(named(model, resource, look)).saturating_mul(columns);
    out.extend(Target::one("symbols", model.symbols, Kind::SymbolInfo(counts.map(count))));
    out.extend(Target::one("bnsh", model.bnsh, Kind::Bnsh));
}

/// What the nodes of a Wii U dictionary name.
pub(in crate::formats::bfsha) fn dictionary_values(at: Pointer, look: &dyn Look) -> Vec<Pointer> {
    let Some(start) = at.get() else { return Vec::new() };
    let len = look.dictionary_len(at);
    let size = usize::try_from(len.saturating_mul(16)).unwrap_or(usize::MAX);
    let first = start.saturating_add(24);
    let nodes = look.record(first, size).unwrap_or_default();
    let value = |(index, node): (usize, &[u8; 16])| {
        let place = first.saturating_add((index as u64).saturating_mul(16)).saturating_add(12);
        let away = i32::from_be_bytes([node[12], node[13], node[14], node[15]]);
        match away {
            0 => Pointer::NULL,
            away => Pointer(place.saturating_add_signed(away.into())),
        }
    };
    nodes.as_chunks::<16>().0.iter().enumerate().map(value).collect()
}

pub(super) fn wiiu_model_targets(model: &WiiUModel, look: &dyn Look, out: &mut Vec<Target<Kind>>) {
    let form = look.form();
    let [options, dynamic, programs] = model.counts;
    let [attributes, samplers, blocks] = model.small_counts;
    let names = ["static_options", "dynamic_options", "attributes", "samplers", "uniform_blocks"];
    let dictionaries = [
        "static_option_names",
        "dynamic_option_names",
        "attribute_names",
        "sampler_names",
        "uniform_block_names",
    ];
    let counts: [u64; 5] =
        [options.into(), dynamic.into(), attributes.into(), samplers.into(), blocks.into()];
    for (index, [array, dictionary]) in model.arrays.into_iter().enumerate() {
        let count = counts.get(index).copied().unwrap_or(0);
        let name = names.get(index).copied().unwrap_or_default();
        match index {
            0 | 1 => entries(name, array, count, wiiu::OPTION_LEN, Kind::WiiUOption, look, out),
            2 => out.extend(Target::one(name, array, Kind::WiiUAttributes(count))),
            3 => entries(name, array, count, wiiu::SAMPLER_LEN, Kind::WiiUSampler, look, out),
            _ => entries(name, array, count, wiiu::BLOCK_LEN, Kind::WiiUBlock, look, out),
        }
        let name = dictionaries.get(index).copied().unwrap_or_default();
        out.extend(Target::one(name, dictionary, Kind::Dictionary));
    }
    let (count, len) = (model.uniform_count.into(), wiiu::VARIABLE_LEN);
    entries("uniforms", model.uniforms, count, len, Kind::WiiUVariable, look, out);
    // From 3.5 on programs have another record, which is not known.
    if (form.major, form.minor) < (3, 5) {
        let len = wiiu::PROGRAM_LEN;
        entries("programs", model.programs, programs.into(), len, Kind::WiiUProgram, look, out);
    }
    let [fixed, moving] = model.words;
    let programs = model.programs_held() as u64;
    let words = programs.saturating_mul(u64::from(fixed).saturating_add(moving.into()));
    out.extend(Target::one("keys", model.keys, Kind::Keys(words)));
    out.extend(Target::one("symbols", model.symbols, Kind::Raw(None)));
}
