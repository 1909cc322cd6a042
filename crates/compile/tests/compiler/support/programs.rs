//! The programs of `tests/compile-programs`: their inputs, and what software OpenGL made of them.

use std::{collections::BTreeMap, fs, path::PathBuf};
use unshade_compile::{Interface, Language, Shape};
use unshade_isa::pica200::exec::State;

/// Where the programs lie.
pub fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/compile-programs")
}

/// A program: its name, file name, text and language.
pub struct Source {
    pub name: String,
    pub file: String,
    pub text: String,
    pub language: Language,
}

/// All programs of some folders, in order of names.
pub fn sources(folders: &[&str]) -> Vec<Source> {
    let mut sources = Vec::new();
    for inner in folders {
        for entry in fs::read_dir(folder().join(inner)).unwrap() {
            let path = entry.unwrap().path();
            let file = path.file_name().unwrap().to_string_lossy().into_owned();
            let Some(language) = Language::of_name(&file) else { continue };
            let name = file.split('.').next().unwrap().to_owned();
            sources.push(Source { name, file, text: fs::read_to_string(&path).unwrap(), language });
        }
    }
    sources.sort_by(|a, b| a.name.cmp(&b.name));
    sources
}

/// A variable of a program as the reference describes it.
pub struct Variable {
    pub name: String,
    pub ty: String,
    low: f64,
    high: f64,
    integer: bool,
    count: usize,
    state: u32,
}

impl Variable {
    pub fn of(program: &str, name: &str, entry: &serde_json::Value) -> Self {
        let text = format!("{program}/{name}");
        let state = text
            .bytes()
            .fold(0x811C_9DC5u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
        Self {
            name: name.to_owned(),
            ty: entry["type"].as_str().unwrap().to_owned(),
            low: entry["low"].as_f64().unwrap(),
            high: entry["high"].as_f64().unwrap(),
            integer: entry["integer"].as_bool().unwrap_or(false),
            count: entry["count"].as_u64().unwrap_or(1) as usize,
            state,
        }
    }

    /// Columns and rows of the type.
    pub fn size(&self) -> (usize, usize) {
        let digits: Vec<usize> =
            self.ty.chars().filter_map(|c| c.to_digit(10)).map(|digit| digit as usize).collect();
        match (self.ty.contains("mat"), digits.as_slice()) {
            (true, [n]) => (*n, *n),
            (true, [columns, rows]) => (*columns, *rows),
            (false, [n]) => (1, *n),
            _ => (1, 1),
        }
    }

    /// The next numbers: element after element, column after column.
    pub fn draw(&mut self) -> Vec<f32> {
        let (columns, rows) = self.size();
        (0..self.count * columns * rows)
            .map(|_| {
                self.state = self.state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let number = self.state >> 21;
                let value = match self.integer {
                    true => self.low + f64::from((number * (self.high - self.low + 1.0) as u32) >> 11),
                    false => self.low + f64::from(number) * (self.high - self.low) / 2048.0,
                };
                value as f32
            })
            .collect()
    }
}

/// What the reference holds of a program.
pub struct Expected {
    pub attributes: Vec<Variable>,
    pub uniforms: Vec<Variable>,
    pub cases: usize,
    /// By output and case.
    pub outputs: BTreeMap<String, Vec<Vec<f32>>>,
    pub spread: BTreeMap<String, Vec<f32>>,
}

/// Cases in a row with the same uniforms.
pub const SET: usize = 8;

/// Reads what is expected of a program.
pub fn expected(folder: &std::path::Path, name: &str) -> Option<Expected> {
    let text = fs::read_to_string(folder.join(format!("{name}.json"))).ok()?;
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    let variables = |key: &str| -> Vec<Variable> {
        let entries = json[key].as_object().unwrap();
        entries.iter().map(|(variable, entry)| Variable::of(name, variable, entry)).collect()
    };
    let numbers = |text: &str| -> Vec<f32> { text.split_whitespace().map(|x| x.parse().unwrap()).collect() };
    let outputs = json["outputs"].as_object().unwrap().iter();
    let outputs = outputs.map(|(name, cases)| {
        (name.clone(), cases.as_array().unwrap().iter().map(|case| numbers(case.as_str().unwrap())).collect())
    });
    let spread = json["spread"].as_object().unwrap().iter();
    Some(Expected {
        attributes: variables("attributes"),
        uniforms: variables("uniforms"),
        cases: json["cases"].as_u64().unwrap() as usize,
        outputs: outputs.collect(),
        spread: spread.map(|(name, text)| (name.clone(), numbers(text.as_str().unwrap()))).collect(),
    })
}

/// A register of a file's table: name, space (`v`, `c`, `i`, `b`) and number.
pub type Table = BTreeMap<String, (char, usize)>;

/// Puts the values of an attribute into its registers.
pub fn put_attribute(state: &mut State, table: &Table, variable: &Variable, values: &[f32]) {
    let (columns, rows) = variable.size();
    for column in 0..columns {
        let name = if columns == 1 { variable.name.clone() } else { format!("{}.{column}", variable.name) };
        let Some(&(space, number)) = table.get(&name) else { continue };
        assert_eq!(space, 'v', "{name}");
        // As the machine fills up what an attribute does not have.
        state.v[number] = [0.0, 0.0, 0.0, 1.0];
        state.v[number][..rows].copy_from_slice(&values[column * rows..(column + 1) * rows]);
    }
}

/// Puts the values of a uniform into its registers, as its shape says.
pub fn put_uniform(
    state: &mut State,
    table: &Table,
    interface: &Interface,
    variable: &Variable,
    values: &[f32],
) {
    let lists = [&interface.floats, &interface.truths, &interface.wholes];
    // The longest name that the variable's starts with: what is left is the way into its shape.
    let declared = lists.into_iter().flatten().filter(|uniform| uniform.registers > 0);
    let declared = declared.filter(|uniform| {
        variable
            .name
            .strip_prefix(&uniform.name)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(['[', '.']))
    });
    let Some(uniform) = declared.max_by_key(|uniform| uniform.name.len()) else {
        panic!("there is no uniform {}", variable.name)
    };
    let Some(&(space, base)) = table.get(&uniform.name) else {
        panic!("{} is not in the table", uniform.name)
    };
    let mut row = 0usize;
    let mut shape = &uniform.shape;
    let way = variable.name[uniform.name.len()..].replace('[', ".").replace(']', "");
    for step in way.split('.').filter(|step| !step.is_empty()) {
        match shape {
            Shape::Array { of, .. } => {
                row += step.parse::<usize>().unwrap() * of.registers() as usize;
                shape = of;
            }
            Shape::Struct { members } => {
                let index = members.iter().position(|(name, _)| name == step).unwrap();
                row += members[..index].iter().map(|(_, shape)| shape.registers() as usize).sum::<usize>();
                shape = &members[index].1;
            }
            _ => panic!("{} has no {step}", uniform.name),
        }
    }
    let (columns, rows) = variable.size();
    let elements = values.len() / (columns * rows);
    for element in 0..elements {
        let values = &values[element * columns * rows..][..columns * rows];
        let is_matrix = columns > 1;
        let registers = if is_matrix { rows } else { 1 };
        for register in 0..registers {
            let number = base + row + element * registers + register;
            match space {
                'c' if is_matrix => {
                    for column in 0..columns {
                        state.c[number][column] = values[column * rows + register];
                    }
                }
                'c' => state.c[number][..rows].copy_from_slice(values),
                'b' => state.b[number] = values[0] != 0.0,
                // A number alone also says that the loop counts from 0 in steps of 1.
                'i' => {
                    state.i[number] = [0, 0, 1, 0];
                    for (place, value) in state.i[number].iter_mut().zip(values) {
                        *place = *value as u8;
                    }
                }
                _ => panic!("{space}"),
            }
        }
    }
}
