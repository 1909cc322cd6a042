//! Models in the words of the generator's descriptions, so that the two can be compared in every field.

use super::sha256;
use serde_json::{Map, Value, json};
use unshade_containers::bfsha::raw::{COLUMNS, Model, Resource};
use unshade_containers::bfsha::{self, Bfsha};
use unshade_containers::bnsh::Group;
use unshade_containers::bnsh::model::{Language, Object};
use unshade_containers::bnsh::raw::{PARTS, Program, STAGES, StageCode};
use unshade_containers::bnsh::{Bnsh, CodeType};
use unshade_containers::nvn::Control;
use unshade_containers::switch::{Dictionary, FileHeader, Image, Object as NxObject, Pointer, Texts};

fn dictionary(at: Pointer, found: Option<&Dictionary>, texts: &Texts<'_>) -> Value {
    let Some(found) = found else { return Value::Null };
    let nodes: Vec<Value> = found
        .nodes
        .iter()
        .map(|node| json!([node.bit as i32, node.children[0], node.children[1], texts.show(node.key)]))
        .collect();
    json!({ "at": at.0, "nodes": nodes })
}

fn text(at: Pointer, texts: &Texts<'_>) -> Value {
    if at.is_null() { Value::Null } else { json!(utf8(texts.get(at).unwrap())) }
}

fn utf8(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn latin1(bytes: &[u8]) -> String {
    bytes.iter().map(|&byte| char::from(byte)).collect()
}

fn header(file: &FileHeader, texts: &Texts<'_>) -> Map<String, Value> {
    let name = utf8(texts.get(Pointer(file.name.0 - 2)).unwrap());
    json!({
        "version": [file.major, file.minor, file.micro], "bom": file.byte_order_mark,
        "align_shift": file.alignment_shift, "address_size": file.address_size, "name": name,
        "name_at": file.name.0, "flags": file.flags, "first_block": file.first_block,
        "relocation_at": file.relocation.0, "file_size": file.file_size.0,
    })
    .as_object()
    .unwrap()
    .clone()
}

fn strings<O: NxObject>(image: &Image<O>) -> Value {
    let (at, pool) = image.strings().unwrap();
    let (block, count) = pool.block.unwrap();
    let list: Vec<Value> = pool
        .places(at, image.form)
        .zip(&pool.texts)
        .map(|(place, text)| json!([place, utf8(text)]))
        .collect();
    json!({ "at": at, "size": block.size, "count": count, "list": list })
}

fn relocation<O: NxObject>(image: &Image<O>) -> (Value, Value) {
    let (at, table) = image.relocation().unwrap();
    let sections: Vec<Value> = table
        .sections
        .iter()
        .map(|s| json!({ "position": s.position, "size": s.size, "first": s.first, "count": s.count }))
        .collect();
    let entries: Vec<Value> =
        table.entries.iter().map(|e| json!([e.position, e.structs, e.pointers, e.gap])).collect();
    let slots: Vec<Vec<u64>> = table
        .sections
        .iter()
        .map(|section| {
            let mut slots: Vec<u64> = table.of(section).iter().flat_map(|entry| entry.slots()).collect();
            slots.sort_unstable();
            slots
        })
        .collect();
    let count: usize = slots.iter().map(Vec::len).sum();
    let none: [u64; 0] = [];
    let checks = json!({
        "pointers": count, "unlisted": none, "unknown": none, "null": none, "wrong_section": none,
        "duplicate": none, "reserved": none, "dictionaries": none, "bad": none,
    });
    (json!({ "at": at, "sections": sections, "entries": entries, "slots": slots }), checks)
}

/// A BNSH as the generator describes it.
pub fn bnsh(file: &Bnsh, size: u64) -> Value {
    let texts = file.image.texts();
    let (at, container) = file.container().unwrap();
    let variations: Vec<Value> = (0..file.variation_count())
        .map(|index| {
            let variation = file.variation(index).unwrap();
            let mut row = json!({ "at": file.variation_place(index), "parent_at": variation.parent.0 });
            for (language, name) in Language::ALL.into_iter().zip(["source", "il", "binary"]) {
                let at = variation.program(language);
                row[name] = file.program(at).map_or(Value::Null, |found| program(file, at, found, &texts));
            }
            row
        })
        .collect();
    let pool = file.pool().map(|pool| {
        json!({
            "at": container.pool.0, "property": pool.property, "size": pool.size, "memory_at": pool.memory.0,
            "object_at": pool.object.0,
        })
    });
    let (relocation, checks) = relocation(&file.image);
    json!({
        "format": "BNSH", "size": size, "header": header(&file.header().unwrap().file, &texts),
        "container": {
            "at": at, "next": container.block.next, "size": container.block.size,
            "api_type": container.api_type, "api_version": container.api_version,
            "code_type": container.code_type, "compiler_version": container.compiler_version,
            "variation_count": container.variation_count, "variations_at": container.variations.0,
            "pool_at": container.pool.0,
            "low_level_compiler_version": container.low_level_compiler_version,
        },
        "pool": pool, "variations": variations, "strings": strings(&file.image), "relocation": relocation,
        "checks": checks,
    })
}

fn program(file: &Bnsh, at: Pointer, found: &Program, texts: &Texts<'_>) -> Value {
    let mut stages = Map::new();
    for (index, (name, place)) in STAGES.iter().zip(found.stages).enumerate() {
        if !place.is_null() {
            stages.insert((*name).to_owned(), stage(file, found, index, place));
        }
    }
    let reflection = file.reflection(found.reflection).map(|table| {
        let mut rows = Map::new();
        for (name, place) in STAGES.iter().zip(table.stages) {
            if !place.is_null() {
                rows.insert((*name).to_owned(), reflection(file, place, texts));
            }
        }
        rows
    });
    json!({
        "at": at.0, "flags": found.flags, "code_type": found.code_type, "source_format": found.source_format,
        "binary_format": found.binary_format, "object_size": found.object_size, "object_at": found.object.0,
        "parent_at": found.parent.0, "reflection_at": found.reflection.0,
        "tool_reflection_at": found.tool_reflection.0, "stages": stages, "reflection": reflection,
    })
}

fn control(bytes: &[u8]) -> Value {
    let Some(control) = Control::new(bytes) else { return Value::Null };
    let (major, minor) = control.version();
    let word = |at| control.word(at).unwrap();
    json!({
        "major": major, "minor": minor, "arch": word(0xC), "impl": word(0x10), "asm": [word(0x14), word(0x18)],
        "program_size": control.program().1, "program_offset": control.program().0,
        "const": [control.constants().0, control.constants().1], "code_size": control.code_size(),
        "registers": control.registers(), "scratch": control.scratch(), "stage": control.stage().0,
    })
}

fn stage(file: &Bnsh, program: &Program, index: usize, at: Pointer) -> Value {
    match CodeType::from_number(program.code_type).unwrap() {
        CodeType::Binary => binary(file, at, file.stage_code(at).unwrap()),
        CodeType::Intermediate => {
            // Nobody knows this record; the generator models it on that of source.
            let Some(Object::Raw(bytes)) = file.image.get(at) else { panic!("no record at {at:?}") };
            let fold = |sum: u64, byte: &u8| sum << 8 | u64::from(*byte);
            let number = |from: usize, len: usize| {
                let field = bytes[from..from + len].iter();
                if file.image.form.big_endian { field.fold(0, fold) } else { field.rev().fold(0, fold) }
            };
            let (size, code) = (number(0, 4), number(8, 8));
            let whole = file.write().unwrap();
            let text = &whole[code as usize..(code + size) as usize];
            json!({
                "at": at.0, "size": size, "decompressed_size": number(4, 4), "code_at": code,
                "text": latin1(text),
            })
        }
        CodeType::Source => {
            let found = file.source_code(at).unwrap();
            let unshade_containers::bnsh::raw::SourceCode::Short { size, decompressed_size, code, .. } =
                found
            else {
                panic!("another layout of source at {at:?}")
            };
            let text = file.sources(program, index).concat();
            json!({
                "at": at.0, "size": size, "decompressed_size": decompressed_size, "code_at": code.0,
                "text": latin1(&text),
            })
        }
        CodeType::SourceArray => {
            let found = file.source_array(at).unwrap();
            let codes: Vec<u64> = file.text_table(found.codes).unwrap().texts.iter().map(|at| at.0).collect();
            let texts: Vec<String> = file.sources(program, index).into_iter().map(latin1).collect();
            json!({
                "at": at.0, "count": found.count, "sizes_at": found.sizes.0, "table_at": found.codes.0,
                "sizes": file.sizes(found.sizes).unwrap(), "codes_at": codes, "texts": texts,
            })
        }
    }
}

fn binary(file: &Bnsh, at: Pointer, found: &StageCode) -> Value {
    let stored = file.blob(found.control, found.control_size.into()).unwrap();
    let decomposed = file.decomposed(found.decomposed).map(|decomposed| {
        let mut parts: Map<String, Value> =
            PARTS.iter().map(|name| ((*name).to_owned(), Value::Null)).collect();
        for (index, at, size) in decomposed.sizes(&file.image) {
            let bytes = file.blob(at, size).unwrap_or_default();
            parts[PARTS[index]] = json!({ "at": at.0, "size": size, "sha256": sha256::hex(bytes) });
        }
        parts
    });
    json!({
        "at": at.0, "control_at": found.control.0, "code_at": found.code.0, "code_size": found.code_size,
        "control_size": found.control_size, "decomposed_at": found.decomposed.0,
        "scratch_recommended": found.scratch_recommended, "scratch_per_warp": found.scratch_per_warp,
        "code_sha256": sha256::hex(file.code(found)), "control_sha256": sha256::hex(stored),
        "control": control(stored), "decomposed": decomposed,
    })
}

fn reflection(file: &Bnsh, at: Pointer, texts: &Texts<'_>) -> Value {
    let found = file.stage_reflection(at).unwrap();
    let extension = file.extension(found.extension);
    let mut row = json!({
        "at": at.0, "slots_at": found.slots.0, "work_group": found.work_group,
        "extension_at": found.extension.0, "dictionaries": {}, "first": {},
    });
    for group in Group::ALL {
        let slots: Vec<Value> =
            file.group(found, group, texts).into_iter().map(|slot| json!([slot.name, slot.slot])).collect();
        row[group.name()] = json!(slots);
        row["dictionaries"][group.name()] = Value::Null;
    }
    let groups = found.groups().into_iter().chain(extension.into_iter().flat_map(|e| e.groups()));
    for (group, at, first) in groups {
        row["dictionaries"][group.name()] = dictionary(at, file.dictionary(at), texts);
        if group != Group::Inputs {
            row["first"][group.name()] = json!(first);
        }
    }
    row
}

/// A BFSHA of the Switch as the generator describes it.
pub fn bfsha(file: &Bfsha, size: u64) -> Value {
    let texts = file.image.texts();
    let head = file.header().unwrap();
    let mut header = header(&head.file, &texts);
    header.insert("archive_at".to_owned(), json!(head.archive.0));
    header.insert("strings_at".to_owned(), json!(head.strings.0));
    header.insert("strings_size".to_owned(), json!(head.strings_size));
    let archive = file.archive().unwrap();
    let models: Vec<Value> = (0..file.model_count()).map(|index| model(file, index, &texts)).collect();
    let (relocation, checks) = relocation(&file.image);
    json!({
        "format": "BFSHA", "size": size, "header": header,
        "archive": {
            "at": head.archive.0, "name": text(archive.name, &texts), "path": text(archive.path, &texts),
            "models_at": archive.models.0, "model_count": archive.model_count, "flags": archive.flags,
            "dictionary": dictionary(archive.dictionary, file.dictionary(archive.dictionary), &texts),
        },
        "models": models, "strings": strings(&file.image), "relocation": relocation, "checks": checks,
    })
}

fn rows<T: Copy>(table: &[T], columns: usize) -> Vec<Vec<T>> {
    if columns == 0 { Vec::new() } else { table.chunks(columns).map(<[T]>::to_vec).collect() }
}

fn model(file: &Bfsha, index: usize, texts: &Texts<'_>) -> Value {
    let form = file.image.form;
    let found = file.model(index).unwrap();
    let columns = usize::from(found.columns(form));
    let has = Resource::of(form);
    let mut arrays = json!({
        "static_options": found.static_options[0].0, "dynamic_options": found.dynamic_options[0].0,
        "attributes": found.attributes[0].0, "uniforms": found.uniforms.0, "programs": found.programs.0,
        "keys": found.keys.0,
    });
    let dict = |at: Pointer| dictionary(at, file.dictionary(at), texts);
    let mut dictionaries = json!({
        "static_options": dict(found.static_options[1]), "dynamic_options": dict(found.dynamic_options[1]),
        "attributes": dict(found.attributes[1]),
    });
    let mut counts = json!({
        "static_options": found.static_option_count, "dynamic_options": found.dynamic_option_count,
        "programs": found.program_count, "attributes": found.attribute_count,
    });
    let mut symbols = json!({});
    for &resource in has {
        let [array, names] = found.resource(resource);
        arrays[resource.name()] = json!(array.0);
        dictionaries[resource.name()] = dict(names);
        counts[resource.name()] = json!(found.resource_count(resource));
        let names: Vec<Value> =
            file.symbol_table(found, resource).iter().map(|at| text(*at, texts)).collect();
        let names: Vec<Vec<Value>> =
            if columns == 0 { Vec::new() } else { names.chunks(columns).map(<[Value]>::to_vec).collect() };
        symbols[resource.name()] = json!(names);
    }
    let mut row = json!({
        "at": file.model_place(index).unwrap().0, "name": text(found.name, texts),
        "parent_at": found.parent.0, "symbols_at": found.symbols.0, "bnsh_at": found.bnsh.0,
        "uniform_count": found.uniform_count, "default_program": found.default_program,
        "static_words": found.static_words, "dynamic_words": found.dynamic_words, "symbols": symbols,
        "block_index": {
            "material": found.block_index[0], "shape": found.block_index[1],
            "skeleton": found.block_index[2], "option": found.block_index[3],
        },
    });
    if form.major < 7 {
        row["max_gs_ring"] = json!(found.max_geometry_ring);
        row["max_vs_ring"] = json!(found.max_vertex_ring);
    } else {
        arrays["storage_members"] = json!(found.storage_members.0);
        row["storage_member_count"] = json!(found.storage_member_count);
        row["further_block_index"] = json!(found.further_block_index);
    }
    if form.major >= 8 {
        row["stage_columns"] = json!(found.stage_columns);
        row["column_count"] = json!(found.column_count);
        assert_eq!(COLUMNS.len(), found.stage_columns.len());
    }
    row["arrays"] = arrays;
    row["dictionaries"] = dictionaries;
    row["counts"] = counts;
    for (name, [array, _], count) in [
        ("static_options", found.static_options, found.static_option_count),
        ("dynamic_options", found.dynamic_options, found.dynamic_option_count),
    ] {
        row[name] =
            (0..u64::from(count)).map(|index| option(file, Pointer(array.0 + 40 * index), texts)).collect();
    }
    let names = |at: Pointer| file.dictionary(at).map(|d| d.names(texts)).unwrap_or_default();
    let attributes = file.attributes(found.attributes[0]).map(Vec::as_slice).unwrap_or_default();
    row["attributes"] = attributes
        .iter()
        .zip(names(found.attributes[1]))
        .map(|(a, name)| json!({ "index": a.index, "location": a.location, "name": name }))
        .collect();
    for &resource in has {
        let [array, dictionary_at] = found.resource(resource);
        let names = names(dictionary_at);
        row[resource.name()] = match resource {
            Resource::Samplers | Resource::Images => names
                .into_iter()
                .enumerate()
                .map(|(index, name)| {
                    let sampler = file.sampler(Pointer(array.0 + 16 * index as u64)).unwrap();
                    json!({
                        "name": name, "annotation": text(sampler.annotation, texts), "index": sampler.index,
                    })
                })
                .collect(),
            Resource::UniformBlocks | Resource::StorageBlocks => names
                .into_iter()
                .enumerate()
                .map(|(index, name)| block(file, Pointer(array.0 + 32 * index as u64), &name, texts))
                .collect(),
        };
    }
    row["programs"] = (0..usize::from(found.program_count))
        .map(|index| shading_program(file, found, index, columns))
        .collect();
    let inner = file.bnsh(found.bnsh).unwrap();
    row["bnsh"] = bnsh(inner, inner.image.len);
    row
}

fn option(file: &Bfsha, at: Pointer, texts: &Texts<'_>) -> Value {
    let found = file.option_at(at).unwrap();
    let choices = file.dictionary(found.choices).map(|d| d.names(texts)).unwrap_or_default();
    json!({
        "at": at.0, "name": text(found.name, texts), "choices": choices,
        "choice_dictionary": dictionary(found.choices, file.dictionary(found.choices), texts),
        "values_at": found.values.0, "values": file.values(found.values).cloned().unwrap_or_default(),
        "count": found.choice_count, "default": found.default_choice, "branch": found.branch_offset,
        "flags": found.flags, "key_offset": found.key_offset, "mask": found.mask, "word": found.word,
        "shift": found.shift,
    })
}

fn block(file: &Bfsha, at: Pointer, name: &str, texts: &Texts<'_>) -> Value {
    let found = file.block(at).unwrap();
    let names = file.dictionary(found.dictionary).map(|d| d.names(texts)).unwrap_or_default();
    let variables: Vec<Value> = names
        .into_iter()
        .enumerate()
        .map(|(index, name)| {
            let variable = file.variable(Pointer(found.variables.0 + 16 * index as u64)).unwrap();
            json!({
                "name": name, "converter": text(variable.converter, texts), "index": variable.index,
                "offset_plus_1": variable.offset_plus_1, "block": variable.block,
            })
        })
        .collect();
    let default = match file.image.get(found.defaults) {
        Some(bfsha::Object::Blob(_, bytes)) => json!(bytes.to_hex()),
        _ => Value::Null,
    };
    json!({
        "at": at.0, "name": name, "variables_at": found.variables.0,
        "dictionary": dictionary(found.dictionary, file.dictionary(found.dictionary), texts),
        "default_at": found.defaults.0, "index": found.index, "type": found.kind, "size": found.size,
        "count": found.count, "default": default, "variables": variables,
    })
}

fn shading_program(file: &Bfsha, model: &Model, index: usize, columns: usize) -> Value {
    let form = file.image.form;
    let found = file.program(model, index).unwrap();
    let words = usize::try_from(model.words()).unwrap();
    let keys = file.keys(model.keys).map(Vec::as_slice).unwrap_or_default();
    let mut row = json!({
        "at": file.program_place(model, index).unwrap().0, "key": keys[words * index..words * (index + 1)],
        "variation_at": found.variation.0, "parent_at": found.parent.0,
        "active_attributes": found.active_attributes, "flags": found.flags, "counts": {},
        "variation": file.variation_of(model, found),
    });
    for &resource in Resource::of(form) {
        let name = resource.name();
        row[format!("{name}_at")] = json!(found.tables[resource.index()].0);
        row[name] = json!(rows(file.table(found, resource), columns));
        row["counts"][name] = json!(found.counts[resource.index()]);
    }
    if (5..7).contains(&form.major) {
        row["extra"] = json!(found.extra.0);
    }
    row
}

/// A BFSHA of the Wii U as the generator describes it.
pub fn cafe(file: &Bfsha) -> Value {
    let texts = file.image.texts();
    let head = file.wiiu_header().unwrap();
    let nodes = |at: Pointer| -> Value {
        let Some(found) = file.dictionary(at) else { return Value::Null };
        let row = |node: &unshade_containers::switch::DictionaryNode| {
            json!([node.bit, node.children[0], node.children[1], text(node.key, &texts)])
        };
        json!({ "at": at.0, "nodes": found.nodes.iter().map(row).collect::<Vec<_>>() })
    };
    let names = |at: Pointer| file.dictionary(at).map(|d| d.names(&texts)).unwrap_or_default();
    let mut models = Vec::new();
    for index in 0..file.model_count() {
        let model = file.wiiu_model(index).unwrap();
        let [fixed, moving, samplers, attributes, blocks] =
            [model.arrays[0], model.arrays[1], model.arrays[3], model.arrays[2], model.arrays[4]];
        let mut row = json!({
            "at": file.model_place(index).unwrap().0, "static_words": model.words[0],
            "dynamic_words": model.words[1],
            "counts": {
                "static_options": model.counts[0], "dynamic_options": model.counts[1],
                "programs": model.counts[2], "attributes": model.small_counts[0],
                "samplers": model.small_counts[1], "uniform_blocks": model.small_counts[2],
            },
            "byte_B": model.unknown_0b, "max_vs_ring": model.max_ring[0], "max_ring": model.max_ring[1],
            "bytes_10": model.unknown_10, "uniform_count": model.uniform_count,
            "block_index": model.block_index, "default_program": model.default_program,
            "name": text(model.name, &texts), "symbols_at": model.symbols.0,
            "arrays": {
                "static_options": fixed[0].0, "dynamic_options": moving[0].0, "attributes": attributes[0].0,
                "samplers": samplers[0].0, "uniform_blocks": blocks[0].0, "uniforms": model.uniforms.0,
                "programs": model.programs.0, "keys": model.keys.0,
            },
            "dictionaries": {
                "static_options": nodes(fixed[1]), "dynamic_options": nodes(moving[1]),
                "attributes": nodes(attributes[1]), "samplers": nodes(samplers[1]),
                "uniform_blocks": nodes(blocks[1]),
            },
        });
        for (name, array, count) in
            [("static_options", fixed[0], model.counts[0]), ("dynamic_options", moving[0], model.counts[1])]
        {
            row[name] = (0..u64::from(count))
                .map(|index| {
                    let at = Pointer(array.0 + 0x18 * index);
                    let o = file.wiiu_option(at).unwrap();
                    json!({
                        "at": at.0, "choices": names(o.choices), "values": file.values(o.values),
                        "count": o.choice_count, "default": o.default_choice, "branch": o.branch_offset,
                        "flags": o.flags, "key_offset": o.key_offset, "word": o.word, "shift": o.shift,
                        "mask": o.mask, "name": text(o.name, &texts), "values_at": o.values.0,
                        "choice_dictionary": nodes(o.choices),
                    })
                })
                .collect();
        }
        row["attributes"] = file
            .wiiu_attributes(attributes[0])
            .unwrap()
            .iter()
            .zip(names(attributes[1]))
            .map(|(a, name)| {
                json!({
                    "index": a.index, "type": a.kind, "count": a.count, "location": a.location, "name": name,
                })
            })
            .collect();
        row["samplers"] = names(samplers[1])
            .into_iter()
            .enumerate()
            .map(|(index, name)| {
                let s = file.wiiu_sampler(Pointer(samplers[0].0 + 8 * index as u64)).unwrap();
                json!({ "index": s.index, "type": s.kind, "count": s.count, "name": name })
            })
            .collect();
        row["uniform_blocks"] = names(blocks[1])
            .into_iter()
            .enumerate()
            .map(|(index, name)| {
                let b = file.wiiu_block(Pointer(blocks[0].0 + 16 * index as u64)).unwrap();
                let default = match file.image.get(b.defaults) {
                    Some(bfsha::Object::Blob(_, bytes)) => json!(bytes.to_hex()),
                    _ => Value::Null,
                };
                let variables: Vec<Value> = file
                    .dictionary(b.dictionary)
                    .into_iter()
                    .flat_map(|d| d.nodes.iter().skip(1))
                    .map(|node| {
                        let u = file.wiiu_variable(node.value).unwrap();
                        json!({
                            "name": text(node.key, &texts), "index": u.index, "count": u.count,
                            "type": u.kind, "block": u.block, "offset_plus_1": u.offset_plus_1,
                            "param_type": u.parameter_type,
                        })
                    })
                    .collect();
                json!({
                    "name": name, "index": b.index, "type": b.kind, "size": b.size, "count": b.count,
                    "dictionary": nodes(b.dictionary), "default": default, "variables": variables,
                })
            })
            .collect();
        let words = usize::from(model.words[0]) + usize::from(model.words[1]);
        let keys = file.keys(model.keys).map(Vec::as_slice).unwrap_or_default();
        row["programs"] = (0..usize::from(model.counts[2]))
            .map(|index| {
                let p = file.wiiu_program_of(model, index).unwrap();
                let shader = |which: usize| {
                    let s = file.wiiu_shader(p.shaders[which])?;
                    let Some(bfsha::Object::Blob(_, code)) = file.image.get(s.code) else {
                        panic!("no code")
                    };
                    Some(json!({
                        "words": s.registers, "size": s.code_size, "code_at": s.code.0, "mode": s.mode,
                        "sha256": sha256::hex(&code[..s.code_size as usize]),
                    }))
                };
                let table = |at| rows(&file.wiiu_slots(at), 3);
                json!({
                    "key": keys[words * index..words * (index + 1)],
                    "at": model.programs.0 + 56 * index as u64, "flags": p.flags,
                    "active_attributes": p.active_attributes, "gx2_words": p.gx2_words,
                    "vertex_at": p.shaders[0].0, "geometry_at": p.shaders[1].0, "pixel_at": p.shaders[2].0,
                    "samplers": table(p.tables[0]), "uniform_blocks": table(p.tables[1]),
                    "vertex": shader(0), "pixel": shader(2),
                })
            })
            .collect();
        models.push(row);
    }
    let (_, pool) = file.image.strings().unwrap();
    json!({
        "format": "FSHA-WIIU",
        "header": {
            "version": head.version, "bom": head.byte_order_mark, "header_size": head.header_size,
            "file_size": head.file_size.0, "alignment": head.alignment, "name": text(head.name, &texts),
            "strings_size": head.strings_size, "strings_at": head.strings.0, "path": text(head.path, &texts),
            "model_count": head.model_count, "flags": head.flags, "dictionary_at": head.models.0,
        },
        "dictionary": nodes(head.models), "models": models,
        "strings": pool.texts.iter().map(|text| utf8(text)).collect::<Vec<_>>(),
    })
}
