//! What the original GLSL of the Switch's sample programs computes (`corpus/maxwell/vectors`), all cases, put to the
//! compiled programs: locations, bindings and built-in variables become the machine's attributes, constants and
//! addresses here, by the rules of the compiler's interface. `run_vectors.rs` runs files that were converted before,
//! of which four hold fewer cases.

use serde_json::{Map, Value, json};
use std::path::PathBuf;
use unshade::run_json::{self, Document};

fn corpus() -> Option<PathBuf> {
    let folder = unshade_corpus::shared("corpus");
    if folder.join("maxwell/vectors").is_dir() {
        return Some(folder);
    }
    println!("skipped: no corpus at {}", folder.display());
    None
}

/// Programs of which some cases differ, and how many: the reasons are those of `run_vectors.rs`.
const DIFFERENT: &[(&str, usize)] = &[
    ("f02_alltex.frag", 1),
    ("f03_shadow.frag", 1),
    ("f04_lodbias.frag", 3),
    ("f05_grad.frag", 13),
    ("f07_fetch_query.frag", 21),
    ("f09_interp.frag", 11),
    ("f15_ssbo.frag", 24),
    ("f22_earlyret.frag", 2),
    ("v02_skin.vert", 1),
    ("v07_noise_loop.vert", 1),
];

/// Images that the compiled programs do not change as the source does: the compiler left atomic operations on images
/// out.
const LEFT_OUT: &[(&str, &[&str])] = &[("f16_image.frag", &["0", "1", "4"]), ("k03_image.comp", &["2"])];

/// Byte of attribute space of a location or a built-in variable.
fn address(key: &str) -> String {
    let byte = match key {
        "gl_Position" => 0x70,
        "gl_PointSize" => 0x6c,
        "gl_Layer" => 0x64,
        "gl_ViewportIndex" => 0x68,
        "gl_PrimitiveID" => 0x60,
        "gl_ClipDistance" => 0x2c0,
        location => 0x80 + 16 * location.parse::<u32>().unwrap(),
    };
    format!("{byte:x}")
}

/// Byte of bank 0 from which a stage's constants of the driver lie.
fn base(stage: &str) -> u32 {
    match stage {
        "vert" => 0x10,
        "tesc" => 0x1b0,
        "tese" => 0x350,
        "geom" => 0x4f0,
        "frag" => 0x690,
        _ => 0xa0,
    }
}

fn hex(words: &[u32]) -> Value {
    let words: Vec<String> = words.iter().map(|word| format!("{word:08x}")).collect();
    words.join(" ").into()
}

fn buffer(binding: &str) -> u64 {
    0x1_0000_0000 + 0x10_0000 * binding.parse::<u64>().unwrap()
}

fn object(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
}

fn count(words: &Value) -> usize {
    words.as_str().unwrap().split(' ').count()
}

/// A program's vectors.
struct Vectors<'a> {
    name: &'a str,
    stage: &'a str,
    file: &'a Value,
}

impl Vectors<'_> {
    fn put(spaces: &mut Map<String, Value>, space: &str, key: String, value: Value) {
        spaces.entry(space).or_insert_with(|| json!({}))[key] = value;
    }

    /// Words of a result, but for those that depend on the order of execution; `None`: all do.
    fn compared(&self, key: &str, words: &Value) -> Option<Value> {
        let ignored = &self.file["ignore"][key];
        if ignored == "all" {
            return None;
        }
        let mut words: Vec<&str> = words.as_str().unwrap().split(' ').collect();
        for at in ignored.as_array().into_iter().flatten() {
            words[at.as_u64().unwrap() as usize] = "-";
        }
        Some(words.join(" ").into())
    }

    fn memory(&self, case: &Value, out: &mut Map<String, Value>) {
        for (binding, words) in object(&case["out"]["ssbo"]) {
            if let Some(words) = self.compared(&format!("ssbo.{binding}"), words) {
                Self::put(out, "g", format!("{:x}", buffer(binding)), words);
            }
        }
        let left_out = LEFT_OUT.iter().find(|(name, _)| *name == self.name).map_or(&[][..], |(_, left)| left);
        for (binding, words) in object(&case["out"]["img"]) {
            if let Some(words) = self.compared(&format!("img.{binding}"), words)
                && !left_out.contains(&binding.as_str())
            {
                let handle = 0x40 + binding.parse::<u32>().unwrap();
                Self::put(out, "img", format!("{handle:08x}"), words);
            }
        }
    }

    fn vertex(&self, case: &Value, ins: &mut Map<String, Value>, out: &mut Map<String, Value>) {
        let kinds = self.file["interface"]["inputs"].as_array().unwrap();
        for (key, words) in object(&case["in"]) {
            let kind = kinds.iter().find(|input| input["key"] == **key).unwrap()["type"].as_str().unwrap();
            let mut all: Vec<&str> = words.as_str().unwrap().split(' ').collect();
            let one = if kind.starts_with(['i', 'u']) { "00000001" } else { "3f800000" };
            if !kind.starts_with('d') {
                all.extend(["00000000", "00000000", "00000000", one].iter().skip(all.len()));
            }
            Self::put(ins, "a", address(key), all.join(" ").into());
        }
        let system = |name: &str| case["sys"][name].as_i64().unwrap() as u32;
        Self::put(ins, "a", "2f8".into(), hex(&[system("InstanceID"), system("VertexID")]));
        Self::put(ins, "c", "0:0".into(), hex(&[system("BaseVertex"), system("BaseInstance"), 0]));
        for (key, words) in object(&case["out"]).filter(|(key, _)| *key != "ssbo" && *key != "img") {
            Self::put(out, "a", address(key), words.clone());
        }
    }

    fn pixels(&self, case: &Value, ins: &mut Map<String, Value>, out: &mut Map<String, Value>) {
        let system = &case["sys"];
        for (key, lanes) in object(&case["in"]) {
            Self::put(ins, "a", address(key), lanes.clone());
        }
        Self::put(ins, "a", "70".into(), system["FragCoord"].clone());
        let front = if system["FrontFacing"] == 0 { 0 } else { u32::MAX };
        Self::put(ins, "a", "3fc".into(), hex(&[front]));
        Self::put(ins, "a", "60".into(), hex(&[system["PrimitiveID"].as_u64().unwrap() as u32, 0]));
        if !system["PointCoord"].is_null() {
            Self::put(ins, "a", "2e0".into(), system["PointCoord"].clone());
        }
        for (key, lanes) in object(&case["corners"]) {
            Self::put(ins, "corners", address(key), lanes.clone());
        }
        out.insert("discard".into(), case["out"]["discard"].clone());
        let outputs = self.file["interface"]["outputs"].as_array().unwrap();
        let mut colours: Vec<(u64, &str)> = outputs
            .iter()
            .filter_map(|output| Some((output["location"].as_u64()?, output["key"].as_str()?)))
            .filter(|(_, key)| key.parse::<u32>().is_ok())
            .collect();
        colours.sort_unstable();
        for (n, (_, key)) in colours.iter().enumerate() {
            let lanes = &case["out"][*key];
            if !lanes.is_null() {
                Self::put(out, "r", (4 * n).to_string(), lanes.clone());
            }
        }
        if !case["out"]["depth"].is_null() {
            Self::put(out, "r", (4 * colours.len() + 1).to_string(), case["out"]["depth"].clone());
        }
    }

    fn primitives(&self, case: &Value, ins: &mut Map<String, Value>, out: &mut Map<String, Value>) {
        let patch = |key: &str| format!("{:x}", 0x20 + 16 * key.parse::<u32>().unwrap());
        for (key, value) in object(&case["in"]) {
            match (key.as_str(), value) {
                ("gl_TessLevelOuter", _) => Self::put(ins, "p", "0".into(), value.clone()),
                ("gl_TessLevelInner", _) => Self::put(ins, "p", "10".into(), value.clone()),
                (_, Value::Array(_)) => Self::put(ins, "av", address(key), value.clone()),
                _ => Self::put(ins, "p", patch(key), value.clone()),
            }
        }
        let system = |name: &str| case["sys"][name].as_u64().map(|value| value as u32);
        Self::put(ins, "sr", "INVOCATION_INFO".into(), hex(&[0]));
        if let Some(vertices) = system("PatchVerticesIn") {
            Self::put(ins, "sr", "PRIM_TYPE".into(), hex(&[vertices << 8]));
        }
        let primitive = system("PrimitiveIDIn").or(system("PrimitiveID")).unwrap_or(0);
        Self::put(ins, "a", "60".into(), hex(&[primitive]));
        if self.stage == "tesc" {
            let (outer, inner) = match self.file["domain"].as_str() {
                Some("triangles") => (3, 1),
                Some("isolines") => (2, 0),
                _ => (4, 2),
            };
            let first = |value: &Value, count: usize| -> Value {
                value.as_str().unwrap().split(' ').take(count).collect::<Vec<_>>().join(" ").into()
            };
            for (key, value) in object(&case["out"]) {
                match (key.as_str(), value) {
                    ("gl_TessLevelOuter", _) => Self::put(out, "p", "0".into(), first(value, outer)),
                    ("gl_TessLevelInner", _) if inner == 0 => {}
                    ("gl_TessLevelInner", _) => Self::put(out, "p", "10".into(), first(value, inner)),
                    (_, Value::Array(_)) => Self::put(out, "av", address(key), value.clone()),
                    _ => Self::put(out, "p", patch(key), value.clone()),
                }
            }
            return;
        }
        let vertices = case["out"]["vertices"].as_array().unwrap();
        let known = |key: &str| key.starts_with("gl_P") || key.starts_with("gl_C") || !key.starts_with("gl_");
        let known = |key: &String| {
            *key != "tc" && (known(key) || matches!(key.as_str(), "gl_Layer" | "gl_ViewportIndex"))
        };
        if self.stage == "geom" {
            let each = vertices.iter().map(|vertex| -> Value {
                let words = object(vertex).filter(|(key, _)| known(key));
                words.map(|(key, words)| (address(key), words.clone())).collect::<Map<_, _>>().into()
            });
            out.insert("vertices".into(), each.collect());
            return;
        }
        let two =
            |vertex: &Value| vertex["tc"].as_str().unwrap().split(' ').take(2).collect::<Vec<_>>().join(" ");
        let places: Vec<String> = vertices.iter().map(two).collect();
        Self::put(ins, "a", "2f0".into(), places.into());
        for (key, _) in object(&vertices[0]).filter(|(key, _)| known(key)) {
            let lanes: Vec<Value> = vertices.iter().map(|vertex| vertex[key].clone()).collect();
            Self::put(out, "a", address(key), lanes.into());
        }
    }

    /// A case in the machine's words; `None`: nothing is left to compare.
    fn case(&self, n: usize, case: &Value, block: &Value) -> Option<Value> {
        let (mut ins, mut out) = (Map::new(), Map::new());
        for (binding, id) in object(&case["ubo"]) {
            let bank = 2 + binding.parse::<u32>().unwrap();
            Self::put(&mut ins, "c", format!("{bank:x}:0"), format!("@{}", id.as_str().unwrap()).into());
        }
        for (binding, id) in object(&case["ssbo"]) {
            let (at, id) = (buffer(binding), id.as_str().unwrap());
            let table = if self.stage == "comp" { 0x140 } else { base(self.stage) + 0xa0 };
            let place = table + 16 * binding.parse::<u32>().unwrap();
            let size = 4 * count(&self.file["pool"][id]) as u32;
            Self::put(&mut ins, "g", format!("{at:x}"), format!("@{id}").into());
            Self::put(&mut ins, "c", format!("0:{place:x}"), hex(&[at as u32, (at >> 32) as u32, size, 0]));
        }
        self.memory(case, &mut out);
        match self.stage {
            "vert" => self.vertex(case, &mut ins, &mut out),
            "frag" => self.pixels(case, &mut ins, &mut out),
            "comp" => {
                let three = |value: &Value| -> Vec<u32> {
                    value.as_array().unwrap().iter().map(|side| side.as_u64().unwrap() as u32).collect()
                };
                let sizes = [three(block), three(&case["groups"])].concat();
                Self::put(&mut ins, "c", "0:0".into(), hex(&sizes));
            }
            "tese" if case["out"]["vertices"].as_array().unwrap().is_empty() => return None,
            _ => self.primitives(case, &mut ins, &mut out),
        }
        if out.is_empty() {
            return None;
        }
        let mut made =
            json!({ "id": format!("{}{n}", &case["kind"].as_str().unwrap()[..1]), "in": ins, "out": out });
        if self.stage == "tese" {
            made["lanes"] = case["out"]["vertices"].as_array().unwrap().len().into();
        }
        if self.stage == "comp" {
            made["grid"] = case["groups"].clone();
        }
        for key in ["seed", "filter"] {
            if !case[key].is_null() {
                made[key] = case[key].clone();
            }
        }
        Some(made)
    }
}

#[test]
fn every_case_of_the_original_glsl() {
    let Some(corpus) = corpus() else { return };
    let mut names: Vec<String> = std::fs::read_dir(corpus.join("maxwell/vectors"))
        .unwrap()
        .filter_map(|entry| Some(entry.unwrap().file_name().to_str()?.strip_suffix(".json")?.to_owned()))
        .filter(|name| !name.starts_with('_'))
        .collect();
    names.sort();
    let (mut cases, mut unexpected) = (0, Vec::new());
    for name in &names {
        let read = |folder: &str| -> Value {
            let path = corpus.join(folder).join(format!("{name}.json"));
            serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
        };
        let (file, converted) = (read("maxwell/vectors"), read("run/maxwell"));
        // The head, with handles, textures and limits, is that of the file that was converted before.
        let mut document = converted.clone();
        if let Some(spaces) = document.get_mut("in").and_then(Value::as_object_mut) {
            for space in ["a", "av", "p", "g", "corners", "sr"] {
                spaces.remove(space);
            }
        }
        document["pool"] = file["pool"].clone();
        let vectors = Vectors { name, stage: file["stage"].as_str().unwrap(), file: &file };
        let all = file["cases"].as_array().unwrap().iter().enumerate();
        let made = all.filter_map(|(n, case)| vectors.case(n, case, &document["block"]));
        document["cases"] = made.collect::<Vec<_>>().into();
        assert!(document["cases"].as_array().unwrap().len() >= converted["cases"].as_array().unwrap().len());

        let document = Document::parse(&document.to_string()).unwrap();
        let code = std::fs::read(corpus.join(document.file.as_deref().unwrap())).unwrap();
        let opened = unshade::open(&code).unwrap();
        let (_, stage) = opened.require(document.item.as_deref()).unwrap().remove(0);
        let mut differ = 0;
        for report in run_json::check(&stage, &document, run_json::DEFAULT_FUEL).unwrap() {
            cases += 1;
            if !report.passes() {
                differ += 1;
                println!("{name} {}: {:?}", report.run.id, report.run.unfinished);
                report.differences.iter().take(1).for_each(|difference| println!("  {difference}"));
            }
        }
        let known = DIFFERENT.iter().find(|(known, _)| known == name).map_or(0, |(_, known)| *known);
        if differ != known {
            unexpected.push(format!("{name}: {differ}, not {known}"));
        }
    }
    println!("{} programs, {cases} cases", names.len());
    assert_eq!(unexpected, [""; 0]);
    assert!(names.len() >= 42 && cases >= 990, "{cases}");
}
