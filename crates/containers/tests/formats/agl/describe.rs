//! What an archive holds, in the words of the dumps beside the corpus: made from the model, to be held against what others say.

use serde_json::{Map, Value, json};
use unshade_containers::{
    Container, Node,
    agl::model::{Array, Block, Macro, Record, Symbol},
    opaque::to_hex,
    sharc, sharcfb, sharcfb_nx,
};

/// A description of an archive of any version; `bytes` is its file.
pub fn describe(container: &Container, bytes: &[u8]) -> Value {
    match container {
        Container::Sharc(file) => source(file),
        Container::Sharcfb(file) => cafe(file, &container.tree(), bytes),
        Container::SharcfbNx(file) => switch(file),
        other => panic!("no archive: {}", other.describe()),
    }
}

/// Characters of bytes: the few that are not ASCII in the corpus are Shift-JIS.
fn text(bytes: &[u8]) -> String {
    let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
    let mut text = String::new();
    let mut rest = &bytes[..end];
    while let Some((&first, behind)) = rest.split_first() {
        match (first, behind.first()) {
            (0x90, Some(0x46)) => {
                text.push('色');
                rest = &behind[1..];
            }
            _ => {
                text.push(char::from(first));
                rest = behind;
            }
        }
    }
    text
}

fn known<T>(array: &Array<Record<T>>) -> impl Iterator<Item = &T> {
    assert!(array.size.is_none() && array.count.is_none() && array.stray.is_empty());
    array.items.iter().map(|record| record.known().expect("a record that is understood"))
}

fn macros(array: &Array<Record<Macro>>) -> Value {
    let one = |of: &Macro| {
        let values: Vec<String> = of.values().map(text).collect();
        let id = (!of.id.0.is_empty()).then(|| text(&of.id.0));
        json!({ "name": text(&of.name.0), "values": values, "id": id })
    };
    known(array).map(one).collect()
}

fn symbols(array: &Array<Record<Symbol>>) -> Value {
    let one = |symbol: &Symbol| {
        json!({
            "name": text(&symbol.name.0), "id": text(&symbol.id.0), "offset": symbol.offset,
            "default": to_hex(&symbol.default), "flags": symbol.flags.0,
        })
    };
    known(array).map(one).collect()
}

fn blocks(array: &Array<Record<Block>>) -> Value {
    let one = |block: &Block| {
        let uniforms: Vec<Value> =
            known(&block.uniforms).map(|uniform| json!([text(&uniform.name.0), uniform.location])).collect();
        json!([text(&block.name.0), block.location, uniforms])
    };
    known(array).map(one).collect()
}

fn order(endian: unshade_bytes::Endian) -> &'static str {
    endian.name()
}

fn source(file: &sharc::Sharc) -> Value {
    let rules = file.rules();
    let program = |program: &sharc::Program| {
        let sources: Vec<i64> = sharc::Stage::ALL
            .into_iter()
            .take(rules.stages)
            .map(|stage| file.source_number(program, stage).map_or(-1, i64::from))
            .collect();
        let stage_macros: Vec<Vec<Value>> = program
            .stage_macros
            .iter()
            .map(|array| known(array).map(|of| json!([text(&of.name.0), text(&of.value.0)])).collect())
            .collect();
        let mut told = Map::new();
        told.insert("name".into(), json!(text(&program.name.0)));
        told.insert("sources".into(), json!(sources));
        told.insert("stage_macros".into(), json!(stage_macros));
        told.insert("macros".into(), macros(&program.macros));
        told.insert("defaults".into(), if rules.defaults { macros(&program.defaults) } else { Value::Null });
        if rules.blocks {
            told.insert("register_blocks".into(), blocks(&program.blocks));
        } else {
            for kind in sharcfb::SymbolKind::ALL {
                told.insert(kind.name().into(), symbols(program.symbols(kind)));
            }
        }
        Value::Object(told)
    };
    let programs: Vec<Value> = known(file.programs.as_ref().unwrap()).map(|one| program(one)).collect();
    let sources = known(file.sources.as_ref().unwrap()).map(|source| {
        let raw = source.raw_len.unwrap_or(source.text.0.len() as u32);
        json!({ "name": text(&source.name.0), "text": text(source.bytes()), "raw_length": raw })
    });
    let mut told = json!({
        "kind": format!("src{}", file.version), "endian": order(file.endian), "name": text(&file.name.0),
        "programs": programs, "sources": sources.collect::<Vec<_>>(),
    });
    if rules.blocks {
        let info: Vec<Value> =
            known(file.info.as_ref().unwrap()).map(|sharc::Info(words)| json!(words)).collect();
        told["info"] = json!(info);
    }
    told
}

fn child<'n>(node: &'n Node, name: &str) -> Option<&'n Node> {
    node.children.iter().find(|child| child.name == name)
}

fn cafe(file: &sharcfb::Sharcfb, tree: &Node, bytes: &[u8]) -> Value {
    let records = child(tree, "binaries").unwrap().children.iter().skip(2);
    let binaries = known(file.binaries.as_ref().unwrap()).zip(records).map(|(binary, node)| {
        let mut told = json!({ "stage": binary.kind, "word8": binary.gap.len() });
        let data = child(node, "data");
        let code = data.and_then(|data| data.children.iter().find(|child| child.name == "code"));
        if let (Some(code), true) = (code, binary.shader_kind().is_some()) {
            told["code_bytes"] = json!(code.size);
            told["code_place"] = json!(code.offset);
        }
        told
    });
    let nodes = child(tree, "programs").unwrap().children.iter().skip(2);
    let programs = known(file.programs.as_ref().unwrap()).zip(nodes).map(|(program, node)| {
        let mut told = json!({
            "name": text(&program.name.0), "kind": program.stages, "base": program.base.cast_signed(),
            "macros": macros(&program.macros), "defaults": macros(&program.defaults),
        });
        for kind in sharcfb::SymbolKind::ALL {
            told[kind.name()] = symbols(program.symbols(kind));
        }
        if let Some(extra) = child(node, "extra") {
            let start = extra.offset as usize;
            told["extra"] = json!(to_hex(&bytes[start + 4..start + extra.size as usize]));
        }
        told
    });
    json!({
        "kind": format!("cafe{}", file.version), "endian": order(file.endian), "flags": file.endian_word(),
        "name": text(&file.name.0), "binaries": binaries.collect::<Vec<_>>(), "programs": programs.collect::<Vec<_>>(),
    })
}

fn switch(file: &sharcfb_nx::SharcfbNx) -> Value {
    let tree = Container::SharcfbNx(file.clone()).tree();
    let number = |name: &str| {
        let text = child(&tree, name).unwrap().value.clone().unwrap();
        match text.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16).unwrap(),
            None => text.parse().unwrap(),
        }
    };
    let binaries = known(file.binaries.as_ref().unwrap()).map(|binary| {
        let info = binary.info().unwrap();
        let control = info.control_in(&binary.data);
        let front: String = to_hex(control).chars().take(32).collect();
        let mut told = json!({
            "stage": binary.stage, "word8": binary.numbers, "control": format!("{front}..{}", control.len()),
            "code_offset": info.code,
        });
        for table in sharcfb_nx::Table::ALL {
            let rows: Vec<Value> = file
                .slots(binary, table)
                .map(|slot| match slot.size {
                    Some(size) => json!([text(&slot.name), slot.location, size]),
                    None => json!([text(&slot.name), slot.location]),
                })
                .collect();
            told[table.name()] = json!(rows);
        }
        told
    });
    let programs = known(file.programs.as_ref().unwrap()).map(|program| {
        json!({
            "name": text(&program.name.0), "kind": program.stages, "base": program.base.cast_signed(),
            "macros": macros(&program.macros), "defaults": macros(&program.defaults),
            "register_blocks": blocks(&program.blocks),
        })
    });
    json!({
        "kind": format!("nx{}", file.version), "endian": "little", "flags": file.flags, "name": text(file.name()),
        "pool": [number("pool_offset"), number("pool_size")],
        "binaries": binaries.collect::<Vec<_>>(), "programs": programs.collect::<Vec<_>>(),
    })
}
