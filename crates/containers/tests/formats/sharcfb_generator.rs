//! Against a writer and reader of SHARCFB archives that knows nothing of this one: what `show --json` prints agrees
//! with its description of an archive in every field, for the corpus and for a thousand random archives, and the
//! binaries of every variation are those of the formula that the format's first description gives.
//!
//! Needs the generator beside the checkout and Python 3; passed over, with a line that says so, without.
#![allow(clippy::indexing_slicing)]

use crate::common;
use serde_json::{Map, Value, json};
use std::process::Command;
use unshade_bytes::Severity;
use unshade_containers::{
    Container, build, extract,
    gx2::{Form, Shader, ShaderKind, TableKind},
    opaque::{from_hex, to_hex, unescape},
    sharcfb::{Archive, SymbolKind},
};
use unshade_stage::StageId;

/// What a script that knows the generator as `m` prints, a JSON document a line.
fn generator(script: &str, arguments: &[&str]) -> Option<Vec<Value>> {
    let tools = common::shared("tools/make_sharcfb.py")?;
    let r700 = common::shared("corpus/gfd/r700")?;
    let head = "import sys, json, hashlib\nsys.path.insert(0, sys.argv[1])\nimport make_sharcfb as m\nR = sys.argv[2]\n";
    let output = Command::new("python3")
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .args(["-c", &format!("{head}{script}")])
        .arg(tools.parent().unwrap())
        .arg(r700)
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

fn text(node: &Value) -> &str {
    node["value"].as_str().unwrap_or_else(|| panic!("no value in {node}"))
}

fn children(node: &Value) -> impl Iterator<Item = &Value> {
    node["children"].as_array().into_iter().flatten()
}

fn field<'v>(node: &'v Value, name: &str) -> Option<&'v Value> {
    children(node).find(|child| child["name"] == name)
}

fn get<'v>(node: &'v Value, name: &str) -> &'v Value {
    field(node, name).unwrap_or_else(|| panic!("no field {name} in {node}"))
}

/// The number that a value starts with: decimal, with a sign, or hexadecimal.
fn parse(value: &str) -> i64 {
    let first = value.split([' ', ':']).next().unwrap();
    match first.strip_prefix("0x") {
        Some(digits) => i64::from_str_radix(digits, 16).unwrap(),
        None => first.parse().unwrap_or_else(|_| panic!("no number: {value}")),
    }
}

fn number(node: &Value, name: &str) -> i64 {
    parse(text(get(node, name)))
}

fn quoted(value: &str) -> String {
    let inner = value.strip_prefix('"').unwrap();
    let inner = &inner[..inner.rfind('"').unwrap()];
    String::from_utf8(unescape(inner).unwrap()).unwrap()
}

fn name(node: &Value, which: &str) -> String {
    quoted(text(get(node, which)))
}

/// Bytes that are shown as padding or as opaque; none where there is no such field.
fn bytes(node: Option<&Value>) -> Vec<u8> {
    let Some(node) = node else { return Vec::new() };
    if let Some(hex) = node["opaque"].as_str() {
        return from_hex(hex).unwrap();
    }
    let (_, byte) = text(node).rsplit_once("0x").unwrap();
    vec![u8::from_str_radix(byte, 16).unwrap(); node["size"].as_u64().unwrap() as usize]
}

fn records(node: &Value, array: &str) -> Vec<Value> {
    let array = get(node, array);
    let records: Vec<Value> =
        children(array).filter(|child| child["name"].as_str().unwrap().starts_with('[')).cloned().collect();
    assert_eq!(number(array, "count"), records.len() as i64);
    assert_eq!(number(array, "size"), array["size"].as_i64().unwrap());
    records
}

/// Rows of hexadecimal words.
fn words(node: Option<&Value>) -> Vec<u32> {
    node.map(children)
        .into_iter()
        .flatten()
        .flat_map(|row| text(row).split(' '))
        .map(|word| u32::from_str_radix(word, 16).unwrap())
        .collect()
}

/// The tree as the generator describes an archive; hashes of code are of the bytes that the tree shows.
fn document(tree: &Value) -> Value {
    let magic = text(get(tree, "magic"));
    let endian = match magic {
        "\"SHAB\"" => "big",
        "\"BAHS\"" => "little",
        other => panic!("{other}"),
    };
    json!({
        "format": "SHARCFB",
        "endian": endian,
        "version": number(tree, "version"),
        "file_size": number(tree, "file_size"),
        "endian_word": number(tree, "endian"),
        "resolved": number(tree, "resolved"),
        "name": name(tree, "name"),
        "name_length": number(tree, "name_length"),
        "binary_array_size": number(get(tree, "binaries"), "size"),
        "program_array_size": number(get(tree, "programs"), "size"),
        "binaries": records(tree, "binaries").iter().map(binary).collect::<Vec<_>>(),
        "programs": records(tree, "programs").iter().map(program).collect::<Vec<_>>(),
        "broken": [],
    })
}

fn binary(node: &Value) -> Value {
    let data = get(node, "data");
    let kind = number(node, "type");
    let structure: Vec<i64> = children(get(data, "structure")).map(|field| parse(text(field))).collect();
    let mut tables = Map::new();
    for (ours, theirs) in [
        ("uniform_blocks", "blocks"),
        ("uniforms", "vars"),
        ("initial_values", "init"),
        ("loops", "loops"),
        ("samplers", "samplers"),
        ("attributes", "attribs"),
    ] {
        if kind == 0 || theirs != "attribs" {
            let entries = field(data, ours).map(children).into_iter().flatten().map(entry);
            tables.insert(theirs.to_owned(), entries.collect::<Vec<_>>().into());
        }
    }
    let code = |name: &str| {
        let bytes: Vec<u8> = words(field(data, name)).iter().flat_map(|word| word.to_le_bytes()).collect();
        to_hex(&bytes)
    };
    json!({
        "at": node["offset"],
        "size": number(node, "size"),
        "type": kind,
        "data_offset": number(node, "data_offset"),
        "data_size": number(node, "data_size"),
        "tail": to_hex(&bytes(field(node, "tail"))),
        "words": structure,
        "tables": tables,
        "code_at": get(data, "code")["offset"],
        "code": code("code"),
        "copy": if kind == 2 { Value::from(code("copy_code")) } else { Value::Null },
    })
}

fn entry(node: &Value) -> Value {
    let fields: Vec<&Value> = children(node).collect();
    let named = fields[0]["name"] == "name";
    let words: Vec<u32> =
        fields.iter().skip(usize::from(named)).map(|field| parse(text(field)) as u32).collect();
    let name = if named { Value::from(quoted(text(fields[0]))) } else { Value::Null };
    json!({ "name": name, "words": words })
}

fn program(node: &Value) -> Value {
    let macros = |which: &str| -> Vec<Value> {
        let entries = records(node, which);
        let one = |node: &Value| {
            let values: Vec<String> = field(node, "values")
                .map(children)
                .into_iter()
                .flatten()
                .map(|value| quoted(text(value)))
                .collect();
            assert_eq!(number(node, "value_count"), values.len() as i64);
            json!({ "name": name(node, "name"), "id": name(node, "id"), "values": values })
        };
        entries.iter().map(one).collect()
    };
    let symbols = |which: &str| -> Vec<Value> {
        let one = |node: &Value| {
            let default = words(field(node, "default"));
            let flags: Vec<u8> = field(node, "flags")
                .map(children)
                .into_iter()
                .flatten()
                .flat_map(|row| text(row).split(' '))
                .map(|flag| flag.parse().unwrap())
                .collect();
            let default = match which {
                "uniforms" => json!(default),
                _ => to_hex(&default.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<_>>()).into(),
            };
            json!({
                "name": name(node, "name"), "id": name(node, "id"), "offset": number(node, "offset"),
                "default": default, "flags": flags,
            })
        };
        records(node, which).iter().map(one).collect()
    };
    json!({
        "size": number(node, "size"),
        "name": name(node, "name"),
        "name_length": number(node, "name_length"),
        "kind": number(node, "stages"),
        "base": number(node, "first_binary"),
        "macros": macros("macros"),
        "defaults": macros("defaults"),
        "uniforms": symbols("uniforms"),
        "blocks": symbols("blocks"),
        "samplers": symbols("samplers"),
        "attribs": symbols("attributes"),
    })
}

fn shown(container: &Container) -> Value {
    document(&serde_json::to_value(container.tree()).unwrap())
}

/// Puts the code into a description in place of its hashes, which are checked first.
const WITH_CODE: &str = "
def with_code(d, j):
    e = '<' if d[:4] == b'BAHS' else '>'
    for b in j['binaries']:
        a = b['at'] + 16 + b['data_offset']
        c = m.CODE[b['type']] // 4
        for key, k in (('code', 0), ('copy', 2)):
            h = b.pop(key + '_sha256')
            if key == 'copy' and b['type'] != 2:
                b[key] = None
                continue
            n, p = b['words'][c + k], b['words'][c + k + 1]
            raw = d[a + p:a + p + n]
            assert hashlib.sha256(raw).hexdigest() == h
            b[key] = raw.hex()
    return j
";

#[test]
fn every_field_of_the_corpus_agrees() {
    let files = common::sharcfb();
    let paths: Vec<&str> = files.iter().map(|(path, _)| path.as_str()).collect();
    let script = format!(
        "{WITH_CODE}
for p in sys.argv[3:]:
    d = open(p, 'rb').read()
    print(json.dumps(with_code(d, m.read_sharcfb(d))))
"
    );
    let Some(expected) = generator(&script, &paths) else { return };
    assert_eq!(expected.len(), files.len());
    for ((path, bytes), expected) in files.iter().zip(expected) {
        assert_eq!(shown(&Container::read(bytes).unwrap()), expected, "{path}");
    }
    println!("{} archives", files.len());
}

/// The descriptions that come with the corpus, which were made by the writer.
#[test]
fn every_field_of_the_stored_descriptions_agrees() {
    let Some(folder) = common::shared("corpus/sharcfb") else { return };
    for name in ["own_tables_le", "own_tables_opt_be"] {
        let path = |end: &str| folder.join(format!("{name}.{end}")).to_string_lossy().into_owned();
        let script = format!(
            "{WITH_CODE}
import gzip
d = open(sys.argv[3], 'rb').read()
print(json.dumps(with_code(d, json.load(gzip.open(sys.argv[4], 'rt')))))
"
        );
        let Some(expected) = generator(&script, &[&path("sharcfb"), &path("json.gz")]) else { return };
        let container = Container::read(&std::fs::read(path("sharcfb")).unwrap()).unwrap();
        assert_eq!(shown(&container), expected[0], "{name}");
    }
}

/// Everything that must hold for an archive that follows the rules.
fn holds(bytes: &[u8], expected: &Value, seed: &str) {
    let container = Container::read(bytes).unwrap();
    assert!(container.write().unwrap() == bytes, "{seed}: {:?}", container.difference(bytes));
    assert_eq!(shown(&container), *expected, "{seed}");
    let coverage = container.coverage();
    assert_eq!((coverage.len, coverage.unowned().count()), (bytes.len() as u64, 0), "{seed}");
    assert_eq!(coverage.shared().count(), 0, "{seed}: {:?}", coverage.shared().next());
    let back: Container = serde_json::from_value(serde_json::to_value(&container).unwrap()).unwrap();
    assert_eq!(back, container, "{seed}");
    let parts = extract(&container).unwrap();
    let back = build(&parts).unwrap_or_else(|error| panic!("{seed}: {error}\n{}", parts.manifest()));
    assert_eq!(back, container, "{seed}\n{}", parts.manifest());
    for finding in container.check() {
        assert_ne!(finding.severity, Severity::Error, "{seed}: {finding}");
    }
    lazily(bytes, expected, seed);
}

/// The index over the bytes says the same as the description.
fn lazily(bytes: &[u8], expected: &Value, seed: &str) {
    let archive = Archive::open(bytes).unwrap();
    assert_eq!(String::from_utf8_lossy(archive.name()), expected["name"].as_str().unwrap());
    let programs: Vec<_> = archive.programs().map(Result::unwrap).collect();
    assert_eq!(programs.len(), expected["programs"].as_array().unwrap().len(), "{seed}");
    for (program, expected) in programs.iter().zip(expected["programs"].as_array().unwrap()) {
        assert_eq!(String::from_utf8_lossy(program.name()), expected["name"].as_str().unwrap());
        assert_eq!(archive.program_named(expected["name"].as_str().unwrap()).unwrap().number, program.number);
        for (kind, theirs) in [
            (SymbolKind::Uniforms, "uniforms"),
            (SymbolKind::Blocks, "blocks"),
            (SymbolKind::Samplers, "samplers"),
            (SymbolKind::Attributes, "attribs"),
        ] {
            let symbols: Vec<_> = program.symbols(kind).map(Result::unwrap).collect();
            let theirs = expected[theirs].as_array().unwrap();
            assert_eq!(symbols.len(), theirs.len());
            for (symbol, theirs) in symbols.iter().zip(theirs) {
                assert_eq!(
                    symbol.name.strip_suffix(b"\0").unwrap(),
                    theirs["name"].as_str().unwrap().as_bytes()
                );
                assert_eq!(json!(symbol.flags), theirs["flags"]);
            }
        }
    }
    for (number, expected) in expected["binaries"].as_array().unwrap().iter().enumerate() {
        let binary = archive.binary(number as u32).unwrap();
        assert_eq!(json!(binary.offset), expected["at"]);
        let shader = binary.shader().unwrap();
        let uniforms: Vec<_> = shader
            .entries(TableKind::Uniforms)
            .map(|entry| String::from_utf8_lossy(shader.text(entry.word(0)).unwrap()).into_owned())
            .collect();
        let theirs: Vec<_> = expected["tables"]["vars"]
            .as_array()
            .unwrap()
            .iter()
            .map(|var| var["name"].as_str().unwrap())
            .collect();
        assert_eq!(uniforms, theirs, "{seed}");
    }
    assert!(archive.binary(archive.binary_count()).is_err());
}

#[test]
fn a_thousand_random_archives() {
    let script = format!(
        "{WITH_CODE}
for seed in range(int(sys.argv[3]), int(sys.argv[4])):
    e = ('little', 'big')[seed % 2]
    b, j = m.build(m.random_recipe(seed, R), e, 'random%d' % seed, R)
    print(json.dumps([b.hex(), with_code(b, j)]))
"
    );
    let (mut picked, mut edits) = (0, common::edits::Done::default());
    for first in (0..1000).step_by(50) {
        let (from, to) = (first.to_string(), (first + 50).to_string());
        let Some(files) = generator(&script, &[&from, &to]) else { return };
        assert_eq!(files.len(), 50);
        for (seed, file) in (first..).zip(files) {
            let bytes = from_hex(file[0].as_str().unwrap()).unwrap();
            holds(&bytes, &file[1], &format!("seed {seed}"));
            picked += every_variation(&bytes, &format!("seed {seed}"));
            if seed % 20 == 0 {
                let mut random = common::edits::Random(seed + 1);
                common::edits::undone(&format!("seed {seed}"), &bytes, &mut random, 6, &mut edits);
            }
        }
    }
    println!("1000 archives, {picked} variations, {edits:?}");
    assert!(edits.texts > 30 && edits.renames > 30 && edits.values > 30, "{edits:?}");
    assert!(picked > 2000);
}

/// The function that the format's first description gives, over its own reading of the archive.
fn first_description(
    macros: &[(String, Vec<String>)],
    settings: &[String],
    base: i64,
    geometry: bool,
) -> i64 {
    let mut index = 0_i64;
    for ((_, possible_values), setting) in macros.iter().zip(settings) {
        index *= possible_values.len() as i64;
        index += possible_values.iter().position(|value| value == setting).unwrap() as i64;
    }
    if geometry { base + index * 3 } else { base + index * 2 }
}

/// Looks every combination of macro values up; how many there were.
fn every_variation(bytes: &[u8], seed: &str) -> usize {
    let archive = Archive::open(bytes).unwrap();
    let container = Container::read(bytes).unwrap();
    let tree = shown(&container);
    let mut count = 0;
    for (program, theirs) in archive.programs().map(Result::unwrap).zip(tree["programs"].as_array().unwrap())
    {
        let macros: Vec<(String, Vec<String>)> = theirs["macros"]
            .as_array()
            .unwrap()
            .iter()
            .map(|of| {
                let values =
                    of["values"].as_array().unwrap().iter().map(|value| value.as_str().unwrap().to_owned());
                (of["name"].as_str().unwrap().to_owned(), values.collect())
            })
            .collect();
        let list = program.macro_list().unwrap();
        let mut combinations: Vec<Vec<String>> = vec![Vec::new()];
        for (_, values) in &macros {
            combinations = combinations
                .iter()
                .flat_map(|front| values.iter().map(|value| [front.clone(), vec![value.clone()]].concat()))
                .collect();
        }
        assert_eq!(program.variation_count().unwrap(), combinations.len() as u64, "{seed}");
        let geometry = program.has(ShaderKind::Geometry);
        let base = theirs["base"].as_i64().unwrap();
        for settings in &combinations {
            let given: Vec<(&str, &str)> = macros
                .iter()
                .zip(settings)
                .map(|((name, _), value)| (name.as_str(), value.as_str()))
                .collect();
            let variation = list.variation_of(&given).unwrap();
            let values = list.values_of(variation).unwrap();
            assert!(
                values.iter().zip(settings).all(|(value, setting)| *value == setting.as_bytes()),
                "{seed}"
            );
            if base == -1 {
                assert!(program.binary_number(variation, ShaderKind::Vertex).is_err());
                continue;
            }
            let first = first_description(&macros, settings, base, geometry);
            let stages = [ShaderKind::Vertex, ShaderKind::Pixel, ShaderKind::Geometry];
            for (stage, kind) in stages.into_iter().enumerate().take(if geometry { 3 } else { 2 }) {
                let number = program.binary_number(variation, kind).unwrap();
                assert_eq!(i64::from(number), first + stage as i64, "{seed}: {given:?}");
                let shader = archive.binary(number).unwrap().shader().unwrap();
                assert_eq!(shader.kind, kind, "{seed}");
                let id = format!("{}/{variation}/{}", theirs["name"].as_str().unwrap(), kind.name());
                let stage = container.stage(&StageId(id)).unwrap();
                let at = tree["binaries"][number as usize]["code_at"].as_u64().unwrap();
                assert_eq!(stage.code.file_offset, at, "{seed}");
            }
            count += 1;
        }
    }
    count
}

#[test]
fn the_formula_counts_from_the_base() {
    // Two and three stages, three macros, the second program's base not 0.
    let script = "
import random
rnd = random.Random(7)
f = [x for x in sorted(m.os.listdir(R)) if x.endswith('.bin')]
pick = {'vertex': [x for x in f if '.vs.' in x], 'pixel': [x for x in f if '.ps.' in x], 'geometry': [x for x in f if '.gs.' in x]}
for e in ('little', 'big'):
    progs = []
    for name, stages in (('first', ['vertex', 'pixel']), ('second', ['vertex', 'pixel', 'geometry']), ('third', ['vertex', 'pixel'])):
        macros = [['A', 'a', ['0', '1'], '1'], ['B', 'b', ['x', 'y', 'z'], 'x'], ['C', 'c', ['one', 'two'], 'two']]
        rows = [[m.random_binary(rnd, R, rnd.choice(pick[s]), s, pick) for s in stages] for _ in range(12)]
        one = [1] * 12
        progs.append({'name': name, 'macros': macros, 'binaries': rows, 'uniforms': [], 'blocks': [], 'samplers': [], 'attribs': []})
    b, j = m.build({'programs': progs}, e, 'formula', R)
    print(json.dumps([b.hex(), [p['base'] for p in j['programs']]]))
";
    let Some(files) = generator(script, &[]) else { return };
    for file in &files {
        assert_eq!(file[1], json!([0, 24, 60]));
        let bytes = from_hex(file[0].as_str().unwrap()).unwrap();
        assert_eq!(every_variation(&bytes, "formula"), 36);
        let archive = Archive::open(&bytes).unwrap();
        let second = archive.program_named("second").unwrap();
        let list = second.macro_list().unwrap();
        // What is not given has its default; ids are names too.
        assert_eq!(list.variation_of(&[("b", "z")]).unwrap(), 6 + 4 + 1);
        let error = list.variation_of(&[("B", "w")]).unwrap_err().to_string();
        assert!(error.contains("x, y, z") && error.contains("`w`"), "{error}");
        let error = list.variation_of(&[("D", "w")]).unwrap_err().to_string();
        assert!(error.contains("A, B, C") && error.contains("`D`"), "{error}");
        let error = archive.program_named("fourth").unwrap_err().to_string();
        assert!(error.contains("first, second, third"), "{error}");
        assert_eq!(second.binary_number(11, ShaderKind::Geometry).unwrap(), 24 + 33 + 2);
        assert!(archive.program_named("first").unwrap().binary_number(0, ShaderKind::Geometry).is_err());
    }
}

#[test]
fn structures_of_both_kinds_of_file_agree() {
    // The same shader in a GFD file and in an archive that was made of it.
    let Some(folder) = common::shared("corpus/sharcfb") else { return };
    let archive = std::fs::read(folder.join("homebrew_le.sharcfb")).unwrap();
    let archive = Archive::open(&archive).unwrap();
    let recipe: Value =
        serde_json::from_slice(&std::fs::read(folder.join("homebrew.recipe.json")).unwrap()).unwrap();
    let mut number = 0;
    for row in recipe["programs"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|program| program["binaries"].as_array().unwrap())
    {
        let mut row: Vec<&Value> = row.as_array().unwrap().iter().collect();
        row.sort_by_key(|of| of["stage"] != "vertex");
        for of in row {
            let bytes = std::fs::read(folder.join(of["gsh"].as_str().unwrap())).unwrap();
            let Container::Gfd(file) = Container::read(&bytes).unwrap() else { panic!() };
            let kind = if of["stage"] == "vertex" { ShaderKind::Vertex } else { ShaderKind::Pixel };
            let ours: Shader<'_> = file.shader(kind, 0).unwrap();
            let theirs = archive.binary(number).unwrap().shader().unwrap();
            assert_ne!(theirs.form, Form::GFD);
            assert_eq!(ours.latte(), theirs.latte(), "{of}");
            number += 1;
        }
    }
    assert_eq!(number, archive.binary_count());
}
