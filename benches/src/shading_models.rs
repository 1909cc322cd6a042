//! Archives of shading models: opened, checked, rewritten, searched.
//!
//! The archive of 4,000 programs and about 25 MB comes from the generator beside the checkout, where there is one; it is
//! kept in the folder for temporary files.

use crate::measure::{Row, row, text_of};
use std::{fs, hint::black_box, process::Command};
use unshade::{
    Container, Severity,
    bfsha::{
        index::{Index, ModelRecord},
        options::{OptionTable, ShaderOption, packing},
        pick::{Picker, Query},
    },
};

const PROGRAMS: usize = 4000;

fn archive() -> Result<Option<Vec<u8>>, String> {
    archive_of(PROGRAMS)
}

/// An archive of so many programs; `None` with a line that says so.
///
/// # Errors
/// Where the generator fails.
pub fn archive_of(programs: usize) -> Result<Option<Vec<u8>>, String> {
    let tool = unshade_corpus::shared("tools/make_bfsha.py");
    let file = std::env::temp_dir().join(format!("unshade-bench-{programs}-48.bfsha"));
    if !file.exists() {
        if !tool.exists() {
            #[allow(clippy::print_stderr, reason = "who asked is at a terminal")]
            {
                eprintln!("B2, B3: skipped, no generator beside the checkout ({})", tool.display());
            }
            return Ok(None);
        }
        let mut command = Command::new("python3");
        command.arg(&tool).arg("bfsha").arg(&file);
        command.args(["--version", "7.0.0", "--programs", &programs.to_string(), "--static-options", "48"]);
        let output = command.output().map_err(text_of)?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into_owned());
        }
    }
    fs::read(&file).map(Some).map_err(text_of)
}

fn milliseconds(id: &'static str, task: String, target: f64, stretch: f64) -> Row {
    Row { id, task, unit: "ms", target, stretch }
}

/// B2: open and list the programs.
pub fn open() -> Result<(), String> {
    let Some(bytes) = archive()? else { return Ok(()) };
    let task = format!("open {:.1} MB of {PROGRAMS} programs, list them", bytes.len() as f64 / 1e6);
    row(&milliseconds("B2", task, 2.0, 0.5), || {
        let index = Index::open(black_box(&bytes)).map_err(text_of)?;
        let mut stages = 0;
        for model in &index.models {
            let shaders = match &model.record {
                ModelRecord::Switch(record) => Some(index.bnsh(record).map_err(text_of)?),
                ModelRecord::WiiU(_) => None,
            };
            for program in 0..model.programs {
                stages += index.stage_names(model, shaders.as_ref(), program).map_err(text_of)?.len();
            }
        }
        if index.program_count() == PROGRAMS && stages >= PROGRAMS {
            Ok(1.0)
        } else {
            Err("programs are missing".into())
        }
    })
}

/// B3: check all of it, and write it from the model.
pub fn check() -> Result<(), String> {
    let Some(bytes) = archive()? else { return Ok(()) };
    let container = Container::read(&bytes).map_err(text_of)?;
    row(&milliseconds("B3", "check all of that container".into(), 60.0, 30.0), || {
        let found = black_box(&container).check();
        let errors = found.iter().filter(|finding| finding.severity == Severity::Error).count();
        if errors == 0 { Ok(1.0) } else { Err(format!("{errors} errors")) }
    })?;
    row(&milliseconds("B3", "write it from the model, identical".into(), 30.0, 10.0), || {
        let written = black_box(&container).write().map_err(text_of)?;
        if written == bytes { Ok(1.0) } else { Err("other bytes".into()) }
    })
}

/// B11: a thousand questions with open options about 6,000 programs.
pub fn pick() -> Result<(), String> {
    let mut ask = picking(6000, 1000)?;
    row(&milliseconds("B11", "1,000 questions with open options, 6,000 programs".into(), 10.0, 2.0), || {
        ask()?;
        Ok(1.0)
    })
}

/// Asks so many questions about so many programs, each for the options of a program, ten of them open.
///
/// # Errors
/// Where a question cannot be asked; what comes out fails where the program is not found.
pub fn picking(programs: usize, questions: usize) -> Result<impl FnMut() -> Result<(), String>, String> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut below = |limit: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as usize % limit
    };
    // As many options as the measured archives have.
    let counts: Vec<u32> = (0..250).map(|_| [1, 2, 2, 2, 3, 4, 7, 9][below(8)]).collect();
    let (packed, words) = packing(&counts, 0);
    let options: Vec<ShaderOption> = packed
        .into_iter()
        .zip(&counts)
        .enumerate()
        .map(|(index, (packed, count))| ShaderOption {
            name: format!("option_{index}"),
            is_static: true,
            choices: (0..*count).map(|choice| choice.to_string()).collect(),
            values: Vec::new(),
            default: 0,
            packed,
            branch_offset: None,
            flags: 0,
        })
        .collect();
    let mut rows = std::collections::BTreeSet::new();
    while rows.len() < programs {
        let mut key = vec![0; words as usize];
        for option in &options {
            if below(4) == 0 {
                option.packed.set(&mut key, below(option.choices.len()) as u32);
            }
        }
        rows.insert(key);
    }
    let table = OptionTable {
        model: "bench".into(),
        options,
        words: words as usize,
        keys: rows.into_iter().flatten().collect(),
        programs,
        default_program: None,
    };
    let mut queries = Vec::new();
    for _ in 0..questions {
        let program = below(programs);
        let mut query = Query::default();
        for (index, (name, choice)) in table.choices(program).into_iter().enumerate() {
            let choice = if index % 25 == 7 { "*" } else { choice.as_str() };
            query.want(&table, name, choice).map_err(text_of)?;
        }
        queries.push((program, query));
    }
    Ok(move || {
        let picker = Picker::new(black_box(&table));
        for (program, query) in &queries {
            if !picker.pick(query).programs.contains(program) {
                return Err("a program was not found".into());
            }
        }
        Ok(())
    })
}
