//! Against a reader and writer of MBS files that knows nothing of this one: what `show --json` prints agrees
//! with its description of a file in every field, for the corpus and for a thousand random files, and our
//! layout of declared variables with its.
//!
//! Needs the generator beside the checkout and Python 3; passed over, with a line that says so, without.
#![allow(clippy::indexing_slicing)]

use crate::common;
use serde_json::{Value, json};
use std::process::Command;
use unshade_bytes::Severity;
use unshade_containers::{
    Container, build, extract,
    mbs::layout::{Declaration, StorageClass, lay_out},
    opaque::{from_hex, to_hex, unescape},
};

/// What a script that knows the generator as `m` prints, a JSON document a line.
fn generator(script: &str, arguments: &[&str]) -> Option<Vec<Value>> {
    let tools = common::shared("tools/make_mbs.py")?;
    let head = "import sys, json\nsys.path.insert(0, sys.argv[1])\nimport make_mbs as m\n";
    let output = Command::new("python3")
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .args(["-c", &format!("{head}{script}")])
        .arg(tools.parent().unwrap())
        .args(arguments)
        .output();
    let Ok(output) = output else {
        println!("skipped: no python3");
        return None;
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    Some(text.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

/// The number that a value starts with.
fn number(value: &str) -> u64 {
    let digits = value.split(|c: char| !c.is_ascii_digit()).next().unwrap();
    digits.parse().unwrap_or_else(|_| panic!("no number: {value}"))
}

fn text(node: &Value) -> &str {
    node["value"].as_str().unwrap()
}

fn children(node: &Value) -> impl Iterator<Item = &Value> {
    node["children"].as_array().into_iter().flatten()
}

fn field<'v>(node: &'v Value, name: &str) -> Option<&'v Value> {
    children(node).find(|child| child["name"] == name)
}

fn value(node: &Value, name: &str) -> Value {
    let field = field(node, name).unwrap_or_else(|| panic!("no field {name} in {node}"));
    number(text(field)).into()
}

/// Bytes that are shown as padding or as opaque.
fn bytes(node: &Value) -> Vec<u8> {
    if let Some(hex) = node["opaque"].as_str() {
        return from_hex(hex).unwrap();
    }
    let (_, byte) = text(node).rsplit_once("0x").unwrap();
    vec![u8::from_str_radix(byte, 16).unwrap(); node["size"].as_u64().unwrap() as usize]
}

/// The tree as the generator describes a file.
fn document(tree: &Value) -> Value {
    assert_eq!(text(field(tree, "magic").unwrap()), "\"MBS1\"");
    let mut document = json!({ "magic": "MBS1", "chunks": [] });
    for child in children(tree).filter(|child| child["name"] != "magic" && child["name"] != "size") {
        if child["name"] == "trailing" {
            document["tail"] = to_hex(&bytes(child)).into();
        } else {
            document["chunks"].as_array_mut().unwrap().push(chunk(child));
        }
    }
    document
}

fn tag(node: &Value) -> String {
    let (tag, size) = text(field(node, "chunk").unwrap()).split_once(", ").unwrap();
    assert_eq!(number(size) + 8, node["size"].as_u64().unwrap());
    String::from_utf8(unescape(tag).unwrap()).unwrap()
}

fn chunk(node: &Value) -> Value {
    let tag = tag(node);
    let inner = |first: usize| children(node).skip(first);
    if node["value"].as_str().is_some_and(|value| value.starts_with("chunk ")) {
        let contents = field(node, "contents").map(bytes).unwrap_or_default();
        return json!({ "tag": tag, "hex": to_hex(&contents) });
    }
    let value = |name| value(node, name);
    match tag.as_str() {
        "CFRA" | "CVER" => {
            json!({ "tag": tag, "core": value("core"), "chunks": inner(2).map(chunk).collect::<Vec<_>>() })
        }
        "FSTA" => {
            json!({ "tag": tag, "stack_size": value("stack_size"), "stack_offset": value("stack_offset") })
        }
        "FDIS" => json!({ "tag": tag, "discard": value("has_discard") }),
        "FBUU" => {
            let mut all: Vec<u8> = inner(1).take(6).map(|node| number(text(node)) as u8).collect();
            all.extend(bytes(field(node, "unknown_06").unwrap()));
            json!({ "tag": tag, "bytes": all })
        }
        "FINS" => json!({
            "tag": tag, "unknown": value("unknown_00"), "instructions": value("instruction_count"),
            "attrib_prefetch": value("attrib_prefetch"),
        }),
        "SUNI" | "SATT" | "SVAR" => {
            let first = if tag == "SUNI" { 3 } else { 2 };
            let symbols: Vec<_> = inner(first).map(symbol).collect();
            let mut table = json!({ "tag": tag });
            if value("count") != symbols.len() {
                table["count"] = value("count");
            }
            if tag == "SUNI" {
                table["space"] = value("space");
            }
            table["symbols"] = symbols.into();
            table
        }
        "DBIN" => {
            let words: Vec<_> = inner(1).flat_map(|row| text(row).split(' ')).collect();
            json!({ "tag": tag, "words": words })
        }
        other => panic!("chunk {other}"),
    }
}

fn symbol(node: &Value) -> Value {
    let name_chunk = field(node, "name").unwrap();
    let name = text(field(name_chunk, "text").unwrap());
    let name = unescape(name.strip_prefix('"').unwrap().strip_suffix('"').unwrap()).unwrap();
    let mut symbol = json!({ "name": name.iter().map(|&byte| char::from(byte)).collect::<String>() });
    let padding = bytes(field(name_chunk, "padding").unwrap());
    if padding.len() + name.len() != (name.len() + 4) / 4 * 4 || padding.iter().any(|&byte| byte != 0) {
        symbol["pad"] = to_hex(&padding[1..]).into();
    }
    for (ours, theirs) in [
        ("unknown_0", "unknown_0"),
        ("type", "type"),
        ("component_count", "components"),
        ("component_size", "size"),
        ("entry_count", "entries"),
        ("src_stride", "stride"),
        ("dst_bits", "dst_bits"),
        ("precision", "precision"),
        ("invariant", "invariant"),
        ("offset", "offset"),
    ] {
        symbol[theirs] = value(node, ours);
    }
    if tag(node) != "VATT" {
        symbol["parent"] = value(node, "parent");
    }
    let records = if tag(node) == "VATT" { 12 } else { 13 };
    for child in children(node).skip(records) {
        match tag(child).as_str() {
            "VIDX" => {
                symbol["vidx"] =
                    children(child).skip(1).map(|node| number(text(node))).collect::<Vec<_>>().into();
            }
            "VINI" => {
                let words = children(child).skip(2).map(|node| {
                    let (bits, _) = text(node).split_once(' ').unwrap();
                    u32::from_str_radix(bits.strip_prefix("0x").unwrap(), 16).unwrap()
                });
                symbol["vini"] = words.collect::<Vec<_>>().into();
            }
            _ => {
                symbol["chunks"] = json!([]);
                let other = chunk(child);
                symbol["chunks"].as_array_mut().unwrap().push(other);
            }
        }
    }
    symbol
}

fn shown(container: &Container) -> Value {
    document(&serde_json::to_value(container.tree()).unwrap())
}

#[test]
fn every_field_of_the_corpus_agrees() {
    let files = common::mbs();
    let mut paths = Vec::new();
    for (path, _) in &files {
        paths.push(path.as_str());
    }
    let script = "for p in sys.argv[2:]: print(json.dumps(m.read(open(p, 'rb').read())))";
    let Some(expected) = generator(script, &paths) else { return };
    assert_eq!(expected.len(), files.len());
    for ((path, bytes), expected) in files.iter().zip(expected) {
        assert_eq!(shown(&Container::read(bytes).unwrap()), expected, "{path}");
    }
    println!("{} files", files.len());
}

#[test]
fn a_thousand_random_files() {
    let script = "
for seed in range(int(sys.argv[2]), int(sys.argv[3])):
    b = m.build(m.rand_doc(seed, m.CODE))
    print(json.dumps([b.hex(), m.read(b)]))
";
    let (mut warnings, mut edits) = (0, common::edits::Done::default());
    for first in (0..1000).step_by(250) {
        let (from, to) = (first.to_string(), (first + 250).to_string());
        let Some(files) = generator(script, &[&from, &to]) else { return };
        assert_eq!(files.len(), 250);
        for (seed, file) in (first..).zip(files) {
            let bytes = from_hex(file[0].as_str().unwrap()).unwrap();
            let container = Container::read(&bytes).unwrap();
            assert!(container.write().unwrap() == bytes, "seed {seed}");
            assert_eq!(shown(&container), file[1], "seed {seed}");
            let coverage = container.coverage();
            assert_eq!((coverage.len, coverage.unowned().count()), (bytes.len() as u64, 0), "seed {seed}");
            assert_eq!(coverage.shared().count(), 0, "seed {seed}");
            let parts = extract(&container).unwrap();
            assert_eq!(build(&parts).unwrap(), container, "seed {seed}\n{}", parts.manifest());
            for finding in container.check() {
                assert_ne!(finding.severity, Severity::Error, "seed {seed}: {finding}");
                warnings += usize::from(finding.severity == Severity::Warning);
                // What is odd in these files is the code's own uniforms, not what was declared by the rules.
                let odd = ["mbs.component-size", "mbs.stride"];
                let known = finding.severity == Severity::Note || odd.contains(&&*finding.code);
                assert!(known, "seed {seed}: {finding}");
            }
            if seed % 5 == 0 {
                let mut random = common::edits::Random(seed + 1);
                common::edits::undone(&format!("seed {seed}"), &bytes, &mut random, 8, &mut edits);
            }
        }
    }
    println!("1000 files, {warnings} warnings, {edits:?}");
    assert!(edits.texts > 200 && edits.renames > 200 && edits.values > 200, "{edits:?}");
}

/// Declared variables of all types, nested to three levels, in each kind of memory.
const DECLARATIONS: &str = "
import random
KINDS = ['gp_uniform', 'pp_uniform', 'pp_varying', 'gp_varying', 'attribute']
def decl(r, depth, kind):
    d = {'name': 'v', 'precision': 1}
    if depth and r.random() < 0.3:
        return dict(d, glsl='struct', members=[decl(r, depth - 1, kind) for _ in range(r.randint(1, 5))], array=r.choice([0, 0, 1, 3]))
    types = ['float', 'vec2', 'vec3', 'vec4', 'int', 'ivec2', 'bvec3', 'bool', 'mat2', 'mat3', 'mat4']
    if kind == 'pp_uniform': types += ['sampler2D', 'samplerCube', 'samplerExternalOES']
    return dict(d, glsl=r.choice(types), array=r.choice([0, 0, 0, 1, 2, 5]))
for seed in range(1000):
    r = random.Random(seed)
    kind = KINDS[seed % 5]
    decls = [decl(r, 3 if kind.endswith('uniform') else 0, kind) for _ in range(r.randint(1, 12))]
    start = 4 * r.randint(0, 9)
    table = []
    end = m.declare(decls, kind, start, table)
    print(json.dumps([kind, start, table, end]))
";

#[test]
fn declared_variables_are_laid_out_alike() {
    let Some(tables) = generator(DECLARATIONS, &[]) else { return };
    assert_eq!(tables.len(), 1000);
    for (seed, table) in tables.iter().enumerate() {
        let class = match table[0].as_str().unwrap() {
            "gp_uniform" => StorageClass::VertexUniform,
            "pp_uniform" => StorageClass::FragmentUniform,
            "pp_varying" => StorageClass::FragmentVarying,
            "gp_varying" => StorageClass::VertexVarying,
            _ => StorageClass::Attribute,
        };
        let symbols = table[2].as_array().unwrap();
        let get = |symbol: &Value, name: &str| symbol[name].as_u64().unwrap();
        let declarations: Vec<_> = symbols
            .iter()
            .map(|symbol| {
                Some(Declaration {
                    kind: get(symbol, "type") as u8,
                    component_count: get(symbol, "components") as u16,
                    entry_count: get(symbol, "entries") as u16,
                    parent: Some(get(symbol, "parent") as u16).filter(|&parent| parent != u16::MAX),
                })
            })
            .collect();
        let layout = lay_out(class, &declarations, table[1].as_u64().unwrap() as u32);
        for (index, symbol) in symbols.iter().enumerate() {
            let sizes = layout.sizes[index];
            let ours = (layout.offsets[index], sizes.component_size, sizes.src_stride);
            let theirs = (get(symbol, "offset"), get(symbol, "size") as u32, get(symbol, "stride") as u32);
            assert_eq!(
                ours,
                (Some(theirs.0 as u32), theirs.1, theirs.2),
                "seed {seed} symbol {index}: {table}"
            );
        }
        assert_eq!(u64::from(layout.end), table[3].as_u64().unwrap(), "seed {seed}: {table}");
    }
}
