//! Decompiled programs of the Switch on software OpenGL, on the inputs of recorded runs, beside what the original
//! shaders gave: as uam's files have them, and as BNSH and BFSHA do, there with the names of the original. The corpus
//! with its script lies next to the checkout, and the script needs python3 with EGL and llvmpipe; without one of them
//! the tests say so and pass. `ONLY` names the programs to draw, `KEEP` keeps what was drawn.

use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use unshade::{DecompileOptions, Stage};

/// How a program must be run for the compiled code to do what the source does, and why.
const SETTINGS: &[(&str, &str, &str)] = &[
    (
        "c02_tcs_tri.tesc",
        "sequential",
        "an invocation that sets one level writes all four back: right only where the others are not at work",
    ),
    ("f08_deriv.frag", "window", WINDOW),
    ("f09_interp.frag", "window", WINDOW),
    ("f16_image.frag", "handle", HANDLE),
];
const WINDOW: &str = "the factor of y in the compiler's constants, which deko3d sets, is 0 in the file";
/// 0x1c8 is image 4 there, and signed numbers are kind 1: the word has 0x1c9.
const HANDLE: &str =
    "the kind of the numbers of an atomic operation lies on the lowest bits of the image's handle";

/// How a patch is divided is in no file for the console's own driver.
const UNDIVIDED: &str = "layout";

/// What uam-nvn, a younger relative of the compiler, does otherwise: programs in the containers.
const OF_UAM_NVN: &[(&str, &str, &str)] = &[
    ("v04_clip.vert", "gl_PointSize", NARROW_CLAMP),
    ("c02_tcs_tri.tesc", "gl_TessLevelOuter", NARROW_CLAMP),
    ("v08_layer.vert", "gl_ViewportIndex", "the code never stores it"),
];
const NARROW_CLAMP: &str = "a clamp to 1 and 64 is one to 0 and 1 in the code";

/// Programs of uam-nvn that read handles from where none are, and why: they are not drawn.
const ASTRAY: &[(&str, &str)] = &[
    ("f07_fetch_query.frag", "the handle of textureSamples is looked for half way"),
    ("f19_dynidx.frag", "handles by an index come from the bank of the driver"),
];

/// Cases in which the original itself gives something else when an input moves by its last bit, and why.
const DELICATE: &[(&str, &str, u64, &str)] = &[(
    "v07_noise_loop.vert",
    "strict",
    1,
    "the sine of a sum of thousands, 43758 times: how the sum is rounded decides",
)];

/// Programs that are not right yet, by mode, and what is known of the reason.
const OPEN: &[(&str, &str, &str)] = &[
    ("f02_alltex.frag", "strict", FACES),
    ("f03_shadow.frag", "strict", FACES),
    ("f04_lodbias.frag", "strict", FACES),
    ("f16_image.frag", "strict", RAW),
    ("k03_image.comp", "strict", RAW),
];
const FACES: &str =
    "directions are divided as in the code, which moves the level of quads on two faces of a cube";
const RAW: &str = "texels are read as the bits that they are, which OpenGL does only in their own format";

fn shared() -> Option<PathBuf> {
    let folder = unshade_corpus::shared("");
    let sample = folder.join("corpus/maxwell/glsl/v01_transform.vert");
    let works = sample.exists()
        && Command::new("python3")
            .arg(folder.join("tools/glslrun.py"))
            .arg("info")
            .arg(&sample)
            .output()
            .is_ok_and(|output| output.status.success());
    if !works {
        println!("skipped: no corpus with a software renderer at {}", folder.display());
    }
    works.then_some(folder)
}

fn files(folder: &Path, end: &str) -> Vec<(String, Vec<u8>)> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<PathBuf> = entries.filter(|path| path.to_str().unwrap().ends_with(end)).collect();
    paths.sort();
    let name =
        |path: &Path| path.file_name().unwrap().to_str().unwrap().strip_suffix(end).unwrap().to_owned();
    paths.iter().map(|path| (name(path), std::fs::read(path).unwrap())).collect()
}

/// A program to be drawn.
struct Task<'s> {
    /// Where it comes from, which is its name in messages.
    place: String,
    /// The source that it was compiled from, `f01_tex2d.frag`.
    program: &'s str,
    strict: bool,
    /// Which names must be those of the source: `slots`, or `members` of blocks as well.
    names: Option<&'static str>,
    settings: Vec<&'static str>,
    excluded: Vec<&'static str>,
    /// One of the settings or outputs, left out to see that it is needed.
    without: Option<&'static str>,
}

impl<'s> Task<'s> {
    fn new(place: String, program: &'s str, strict: bool, names: Option<&'static str>) -> Self {
        let of = |list: &[(&'static str, &'static str, &'static str)]| -> Vec<&'static str> {
            list.iter().filter(|(of, ..)| *of == program).map(|(_, what, _)| *what).collect()
        };
        let mut settings = of(SETTINGS);
        let mut excluded = Vec::new();
        if names.is_some() {
            excluded.extend(of(OF_UAM_NVN));
            if program.ends_with(".tese") {
                settings.push(UNDIVIDED);
            }
        }
        Self { place, program, strict, names, settings, excluded, without: None }
    }

    /// The same without each setting and each exclusion.
    fn without_each(&self) -> Vec<Self> {
        let all = self.settings.iter().chain(&self.excluded);
        all.map(|dropped| {
            let rest = |list: &[&'static str]| list.iter().filter(|word| *word != dropped).copied().collect();
            Self {
                place: format!("{} without {dropped}", self.place),
                settings: rest(&self.settings),
                excluded: rest(&self.excluded),
                without: Some(dropped),
                ..*self
            }
        })
        .collect()
    }

    fn mode(&self) -> &'static str {
        if self.strict { "strict" } else { "readable" }
    }
}

/// What is drawn, and what went wrong.
struct Drawing {
    shared: PathBuf,
    folder: PathBuf,
    jobs: Vec<Value>,
    failures: Vec<String>,
    /// What was looked at, by program and mode.
    seen: BTreeSet<(String, &'static str)>,
    /// What of that is wrong as [`OPEN`] says.
    open: BTreeSet<(String, &'static str)>,
}

impl Drawing {
    fn new(shared: &Path, name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("unshade-maxwell-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Self {
            shared: shared.to_owned(),
            folder,
            jobs: Vec::new(),
            failures: Vec::new(),
            seen: BTreeSet::new(),
            open: BTreeSet::new(),
        }
    }

    fn fail(&mut self, task: &str, program: &str, mode: &'static str, what: &str) {
        if let Some((.., why)) = OPEN.iter().find(|(of, at, _)| *of == program && *at == mode) {
            println!("{task} ({mode}): open: {why}: {what}");
            self.open.insert((program.to_owned(), mode));
        } else {
            println!("{task} ({mode}): {what}");
            self.failures.push(format!("{task} ({mode})"));
        }
    }

    /// How far results may lie from those of the original: `MUFU` has 22 bits, textures are filtered.
    fn limit(&self, program: &str) -> f64 {
        let text = self.shared.join(format!("corpus/maxwell/uam-out/{program}.sass"));
        let text = std::fs::read_to_string(text).unwrap();
        let is_rough = ["MUFU", " TEX", " TLD", " TXD"].iter().any(|word| text.contains(word));
        if is_rough { 1e-4 } else { 1e-6 }
    }

    fn add(&mut self, task: &Task<'_>, stage: &Stage<'_>) {
        let mut stage = stage.clone();
        self.seen.insert((task.program.to_owned(), task.mode()));
        if task.settings.contains(&"window") {
            let constants = &mut stage.interface.maxwell.as_deref_mut().unwrap().constants;
            assert!(constants.iter().all(|byte| *byte == 0));
            constants[..4].copy_from_slice(&1.0_f32.to_le_bytes());
        }
        let options = DecompileOptions { strict: task.strict, ..DecompileOptions::default() };
        let made = match unshade::decompile(&stage, &options) {
            Ok(made) => made,
            Err(error) => return self.fail(&task.place, task.program, task.mode(), &error.to_string()),
        };
        if made.structure.dispatchers > 0 {
            self.fail(&task.place, task.program, task.mode(), "a dispatcher");
        }
        let ending = task.program.rsplit('.').next().unwrap();
        let shader = self.folder.join(format!("{}.{ending}.glsl", self.jobs.len()));
        std::fs::write(&shader, made.bytes()).unwrap();
        let corpus = self.shared.join("corpus/maxwell");
        self.jobs.push(json!({
            "name": task.place,
            "program": task.program,
            "mode": task.mode(),
            "shader": shader,
            "original": corpus.join("glsl").join(task.program),
            "vectors": corpus.join("vectors").join(format!("{}.json", task.program)),
            "limit": self.limit(task.program),
            "settings": task.settings,
            "excluded": task.excluded,
            "names": task.names,
            "without": task.without,
        }));
    }

    /// Draws, and answers how many programs there were.
    fn draw(mut self) -> usize {
        let list = self.folder.join("jobs.json");
        std::fs::write(&list, Value::from(self.jobs.clone()).to_string()).unwrap();
        let output = Command::new("python3")
            .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/library/maxwell/drawn.py"))
            .arg(self.shared.join("tools"))
            .arg(&list)
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let jobs = std::mem::take(&mut self.jobs);
        assert_eq!(text.lines().count(), jobs.len(), "{}", String::from_utf8_lossy(&output.stderr));
        let mut cases = 0;
        for (job, line) in jobs.iter().zip(text.lines()) {
            let result: Value = serde_json::from_str(line).unwrap();
            let text = |key: &str| job[key].as_str().unwrap();
            let (name, program) = (text("name"), text("program"));
            let mode = if text("mode") == "strict" { "strict" } else { "readable" };
            if job["without"].is_string() {
                if result["differs"].is_null() {
                    self.fail(name, program, mode, "agrees all the same: it is not needed");
                }
                continue;
            }
            cases += result["cases"].as_u64().unwrap();
            println!(
                "{name} ({mode}): {} cases, error {:.1e}",
                result["cases"],
                result["worst"].as_f64().unwrap()
            );
            if let Some(difference) = result["differs"].as_str() {
                self.fail(name, program, mode, difference);
                continue;
            }
            let delicate = DELICATE
                .iter()
                .find(|(of, when, ..)| (*of, *when) == (program, mode))
                .map_or(0, |(_, _, count, _)| *count);
            if result["delicate"] != delicate {
                self.fail(
                    name,
                    program,
                    mode,
                    &format!("{} delicate cases, not {delicate}", result["delicate"]),
                );
            }
            for wrong in result["names"].as_array().unwrap() {
                self.fail(name, program, mode, wrong.as_str().unwrap());
            }
        }
        for (program, mode, _) in OPEN {
            let place = ((*program).to_owned(), *mode);
            if self.seen.contains(&place) && !self.open.contains(&place) {
                self.failures.push(format!("{program} ({mode}) is right: it is not open any more"));
            }
        }
        if std::env::var_os("KEEP").is_none() {
            std::fs::remove_dir_all(&self.folder).unwrap();
        }
        println!("{} drawn, {cases} cases, {} differ", jobs.len(), self.failures.len());
        assert!(self.failures.is_empty(), "{:#?}", self.failures);
        jobs.len()
    }
}

fn is_asked_for(program: &str) -> bool {
    std::env::var("ONLY").map_or(true, |only| program.contains(&only))
}

#[test]
fn programs_give_what_the_original_gives() {
    let Some(shared) = shared() else { return };
    let mut drawing = Drawing::new(&shared, "drawn");
    let programs = files(&shared.join("corpus/maxwell/uam-out"), ".dksh");
    assert!(programs.len() >= 42);
    for (program, bytes) in programs.iter().filter(|(program, _)| is_asked_for(program)) {
        let opened = unshade::open(bytes).unwrap();
        let (_, stage) = opened.stages(None).next().unwrap();
        for strict in [false, true] {
            let task = Task::new(program.clone(), program, strict, None);
            drawing.add(&task, &stage);
            if !strict {
                task.without_each().iter().for_each(|task| drawing.add(task, &stage));
            }
        }
    }
    drawing.draw();
}

/// The instructions of the code sections that uam-nvn made, each with the name of its source.
fn made_for_nvn(shared: &Path) -> BTreeMap<Vec<u32>, String> {
    let sections = files(&shared.join("corpus/maxwell/uam-out"), ".nvncode");
    let code = |(name, section): (String, Vec<u8>)| {
        let opened = unshade::open(&section).unwrap();
        let (_, stage) = opened.stages(None).next().unwrap();
        (stage.code.words.to_vec(), name)
    };
    sections.into_iter().map(code).collect()
}

#[test]
fn programs_in_containers_keep_names_and_meaning() {
    let Some(shared) = shared() else { return };
    let programs = made_for_nvn(&shared);
    let mut drawing = Drawing::new(&shared, "named");
    let mut drawn = BTreeSet::new();
    let mut stages = 0;
    // Members of blocks are told by BFSHA alone; in a file of all programs several have blocks of one name. Storage
    // blocks are printed as words, under the name of the block.
    for (folder, end) in [("corpus/bnsh/generated", ".bnsh"), ("corpus/bfsha/generated", ".bfsha")] {
        for (file, bytes) in files(&shared.join(folder), end) {
            if !file.starts_with("real_") {
                continue;
            }
            let opened = unshade::open(&bytes).unwrap();
            for (_, stage) in opened.stages(None) {
                let program = &programs[&*stage.code.words];
                if !is_asked_for(program) {
                    continue;
                }
                stages += 1;
                if let Some((_, why)) = ASTRAY.iter().find(|(of, _)| of == program) {
                    println!("{file}{end}#{} {program} is not drawn: {why}", stage.id);
                    continue;
                }
                // The same program with the same names needs no second drawing.
                let around = stage.interface.maxwell.as_deref().cloned().unwrap();
                if !drawn.insert((program, format!("{around:?}"))) {
                    continue;
                }
                let members = matches!(&file[..], "real_v5" | "real_stages_v8");
                let names = Some(if members { "members" } else { "slots" });
                let place = format!("{file}{end}#{} {program}", stage.id);
                drawing.add(&Task::new(place, program, false, names), &stage);
            }
        }
    }
    println!("{stages} stages");
    drawing.draw();
}
