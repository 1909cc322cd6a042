//! Views as text.

use crate::style::{self, paint};
use unshade::debug::{
    Listing, Number, NumberFormat, Position, RegisterFile, RegisterKind, RegisterView, Stopped, VariableView,
    View,
};

const LETTERS: [&str; 4] = ["x", "y", "z", "w"];

/// Which lanes a text tells of.
#[derive(Clone, Copy)]
pub enum Shown {
    /// All that are shown.
    All,
    /// The first of them.
    #[cfg(feature = "debug")]
    First,
}

impl Shown {
    fn of<T>(self, lanes: &[T]) -> &[T] {
        match self {
            Self::All => lanes,
            #[cfg(feature = "debug")]
            Self::First => lanes.get(..1).unwrap_or(lanes),
        }
    }
}

/// Where the run is, what the last step changed, what the next one reads.
pub fn place(view: &View, format: NumberFormat) -> String {
    let mut text = String::new();
    if view.stop.reason == Stopped::Breakpoint
        && let Some(id) = view.stop.breakpoint
    {
        text.push_str(&format!("{}\n", paint(style::WARN, format_args!("breakpoint {id}"))));
    }
    for change in changes(view, format, Shown::All) {
        text.push_str(&format!("      {}\n", paint(style::NAME, change)));
    }
    let differs = |variable: &&VariableView| variable.changed.iter().any(|mask| *mask != 0);
    for variable in view.variables.iter().filter(differs) {
        text.push_str(&format!("      {} {}\n", paint(style::DIM, "var"), assigned(variable, format)));
    }
    for output in &view.outputs_changed {
        text.push_str(&format!("      {} {output}\n", paint(style::DIM, "out")));
    }
    let step = paint(style::BOLD, format_args!("#{}", view.step));
    match (&view.next, &view.ended) {
        (Some(next), _) => {
            text.push_str(&format!("{step}  {}\n", position(next)));
            let reads: Vec<String> = reads(view, format, Shown::All);
            if !reads.is_empty() {
                text.push_str(&format!("      {} {}\n", paint(style::DIM, "reads"), reads.join(", ")));
            }
        }
        (None, ended) => text.push_str(&format!("{step}  {}\n", end(ended.as_ref()))),
    }
    text
}

/// How the run ended, in words.
pub fn end(ended: Option<&unshade::debug::Ended>) -> String {
    match ended.and_then(|ended| ended.why.as_ref()) {
        Some(why) => paint(style::WARN, why),
        None => paint(style::GOOD, "the end of the program"),
    }
}

/// A place in the code: word, line, instruction, and what is at work there.
pub fn position(position: &Position) -> String {
    let word = position.word.map_or_else(|| "---".to_owned(), |word| format!("{word:03x}"));
    let line = position.line.map_or_else(String::new, |line| format!(" :{line}"));
    let mut text = format!("{} {}", paint(style::DIM, format_args!("{word}{line}")), position.text);
    if position.active.len() > 1 {
        let lanes: String = position.active.iter().map(|at_work| if *at_work { '#' } else { '.' }).collect();
        text.push_str(&format!("  {}", paint(style::DIM, format_args!("[{lanes}]"))));
    }
    if let Some(warp) = position.warp {
        text.push_str(&format!("  {}", paint(style::DIM, format_args!("warp {warp}"))));
    }
    if let Some(group) = position.group {
        text.push_str(&format!("  {}", paint(style::DIM, format_args!("group {group}"))));
    }
    text
}

/// What the last step changed in registers, one text for each.
pub fn changes(view: &View, format: NumberFormat, shown: Shown) -> Vec<String> {
    let differs = |register: &&RegisterView| shown.of(&register.changed).iter().any(|mask| *mask != 0);
    let changed = view.registers.iter().filter(differs);
    changed
        .map(|register| {
            let mask = shown.of(&register.changed).iter().fold(0, |all, mask| all | mask);
            let components = components(mask, register.values.first().map_or(1, Vec::len));
            let shown = lanes(shown.of(&register.values), register.kind, mask, format);
            format!("{}{components} = {shown}", named(&register.name, register.label.as_deref()))
        })
        .collect()
}

/// What the next step reads, one text for each.
pub fn reads(view: &View, format: NumberFormat, shown: Shown) -> Vec<String> {
    view.reads
        .iter()
        .map(|read| {
            let dot = if read.components.is_empty() { "" } else { "." };
            let shown = lanes(shown.of(&read.values), read.kind, 15, format);
            format!("{}{dot}{} = {shown}", named(&read.name, read.label.as_deref()), read.components)
        })
        .collect()
}

/// `r0`, or `v0(position)`.
pub fn named(name: &str, label: Option<&str>) -> String {
    label.map_or_else(|| name.to_owned(), |label| format!("{name}({label})"))
}

/// `.xz`; nothing for a register with one component.
pub fn components(mask: u8, count: usize) -> String {
    if count < 2 {
        return String::new();
    }
    let letters = LETTERS.iter().enumerate().filter(|(n, _)| mask >> n & 1 != 0).map(|(_, letter)| *letter);
    format!(".{}", letters.collect::<String>())
}

/// The components of a mask; of several lanes each in its own brackets, unless all are the same.
fn lanes(values: &[Vec<Number>], kind: RegisterKind, mask: u8, format: NumberFormat) -> String {
    let lane = |values: &Vec<Number>| {
        let shown = values.iter().enumerate().filter(|(n, _)| mask >> n & 1 != 0);
        shown.map(|(_, number)| format.text(number, kind)).collect::<Vec<_>>().join(" ")
    };
    match values.split_first() {
        Some((first, rest)) if rest.iter().all(|other| other == first) => lane(first),
        _ => {
            let each = values.iter().enumerate().map(|(n, values)| format!("{n}[{}]", lane(values)));
            each.collect::<Vec<_>>().join(" ")
        }
    }
}

/// Everything.
pub fn whole(view: &View, format: NumberFormat) -> String {
    let mut text = place(view, format);
    if !view.variables.is_empty() {
        text.push_str(&format!("{}\n", paint(style::BOLD, "variables")));
        for variable in &view.variables {
            let mark = if variable.changed.iter().any(|mask| *mask != 0) { "*" } else { " " };
            text.push_str(&format!("  {mark}{}\n", variable_line(variable, format)));
        }
    }
    let mut file = None;
    for register in &view.registers {
        if file != Some(register.file) {
            file = Some(register.file);
            text.push_str(&format!("{}\n", paint(style::BOLD, file_name(register.file))));
        }
        text.push_str(&format!("  {}\n", register_line(register, format)));
    }
    if !view.stack.is_empty() {
        text.push_str(&format!("{}\n", paint(style::BOLD, "open")));
        for entry in &view.stack {
            text.push_str(&format!("  {} {}\n", entry.kind, entry.text));
        }
    }
    let outputs = outputs(view);
    if !outputs.is_empty() {
        text.push_str(&format!("{}\n", paint(style::BOLD, "out")));
        for (name, value, _) in outputs {
            text.push_str(&format!("  {name} {value}\n"));
        }
    }
    text.push_str(&breakpoints(view));
    text
}

/// A variable with its value and where that is.
pub fn variable_line(variable: &VariableView, format: NumberFormat) -> String {
    let named = format!("{} {}", variable.ty, qualified(variable));
    if variable.available == 0 {
        return format!("{named}: not available");
    }
    if variable.values.iter().flatten().all(Option::is_none) {
        return format!("{named}: not assigned yet");
    }
    let place = if variable.place.is_empty() {
        "in no register any more".to_owned()
    } else {
        format!("in {}", variable.place)
    };
    format!("{named} = {}  {}", variable_values(variable, 15, format), paint(style::DIM, place))
}

/// What the last step assigned to a variable.
fn assigned(variable: &VariableView, format: NumberFormat) -> String {
    let mask = variable.changed.iter().fold(0, |all, mask| all | mask);
    let components = components(mask, variable.values.first().map_or(1, Vec::len));
    format!("{}{components} = {}", qualified(variable), variable_values(variable, mask, format))
}

/// The name, behind that of its function where that is not the entry.
pub fn qualified(variable: &VariableView) -> String {
    match &variable.function {
        Some(function) => format!("{function}.{}", variable.name),
        None => variable.name.clone(),
    }
}

/// The components of a mask as [`lanes`] has them; `-` for those that are not available or not assigned.
fn variable_values(variable: &VariableView, mask: u8, format: NumberFormat) -> String {
    let lane = |values: &Vec<Option<Number>>| {
        let shown = values.iter().enumerate().filter(|(n, _)| mask >> n & 1 != 0);
        let text = |number: &Option<Number>| {
            number.as_ref().map_or_else(|| "-".to_owned(), |number| format.text(number, variable.kind))
        };
        shown.map(|(_, number)| text(number)).collect::<Vec<_>>().join(" ")
    };
    match variable.values.split_first() {
        Some((first, rest)) if rest.iter().all(|other| other == first) => lane(first),
        _ => {
            let each = variable.values.iter().enumerate().map(|(n, values)| format!("{n}[{}]", lane(values)));
            each.collect::<Vec<_>>().join(" ")
        }
    }
}

/// What leaves the program: name, words as the format of `run` has them, whether the last step changed it.
pub fn outputs(view: &View) -> Vec<(String, String, bool)> {
    let plain = |value: &serde_json::Value| match value {
        serde_json::Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let changed = |name: &str| view.outputs_changed.iter().any(|changed| changed == name);
    let mut all = Vec::new();
    for (space, value) in &view.outputs {
        match value {
            serde_json::Value::Object(fields) => {
                for (key, value) in fields {
                    let name = format!("{space}.{key}");
                    let is_new = changed(&name);
                    match value {
                        serde_json::Value::Array(lanes) => {
                            let each = lanes.iter().enumerate();
                            all.extend(each.map(|(n, lane)| (format!("{name}@{n}"), plain(lane), is_new)));
                        }
                        value => all.push((name, plain(value), is_new)),
                    }
                }
            }
            serde_json::Value::Array(items) if items.iter().any(serde_json::Value::is_string) => {
                let each = items.iter().enumerate();
                all.extend(each.map(|(n, item)| (format!("{space}[{n}]"), plain(item), changed(space))));
            }
            value => all.push((space.clone(), plain(value), changed(space))),
        }
    }
    all
}

/// The heading of a file of registers.
pub fn file_name(file: RegisterFile) -> &'static str {
    match file {
        RegisterFile::Input => "inputs",
        RegisterFile::Temporary => "registers",
        RegisterFile::Result => "results",
        RegisterFile::Address => "addresses",
        RegisterFile::Flag => "flags",
        RegisterFile::Output => "outputs",
        RegisterFile::Uniform => "uniforms",
        RegisterFile::Memory => "memory",
    }
}

fn register_line(register: &RegisterView, format: NumberFormat) -> String {
    let mark = if register.changed.iter().any(|mask| *mask != 0) { "*" } else { " " };
    let shown = lanes(&register.values, register.kind, 15, format);
    format!("{mark}{} = {shown}", named(&register.name, register.label.as_deref()))
}

/// A register in all three ways.
pub fn printed(view: &View, format: NumberFormat) -> String {
    let Some(register) = &view.printed else { return String::new() };
    let name = named(&register.name, register.label.as_deref());
    if format != NumberFormat::Auto {
        return format!("{name} = {}\n", lanes(&register.values, register.kind, 15, format));
    }
    let mut text = format!("{name}\n");
    for format in [NumberFormat::Float, NumberFormat::Int, NumberFormat::Hex] {
        text.push_str(&format!(
            "  {:<5} {}\n",
            format.name(),
            lanes(&register.values, register.kind, 15, format)
        ));
    }
    text
}

/// The breakpoint that was set last.
pub fn new_breakpoint(view: &View) -> String {
    view.breakpoints.last().map_or_else(String::new, breakpoint)
}

/// All breakpoints.
pub fn breakpoints(view: &View) -> String {
    view.breakpoints.iter().map(breakpoint).collect()
}

fn breakpoint(breakpoint: &unshade::debug::BreakpointView) -> String {
    let line = breakpoint.line.map_or_else(String::new, |line| format!(" :{line}"));
    let condition =
        breakpoint.condition.as_ref().map_or_else(String::new, |condition| format!(" if {condition}"));
    let off = if breakpoint.enabled { "" } else { ", off" };
    format!("breakpoint {} at {:03x}{line}{condition}{off}\n", breakpoint.id, breakpoint.word)
}

/// The listing around the place where the run is.
pub fn listing(listing: &Listing, view: &View, around: usize) -> String {
    let here = view.next.as_ref().or(view.last.as_ref()).and_then(|position| position.line).unwrap_or(1);
    let here = here as usize;
    let first = here.saturating_sub(around).max(1);
    let mut text = String::new();
    let shown = listing.lines.iter().enumerate().skip(first - 1).take(2 * around + 1);
    for (n, line) in shown {
        let mark = if n + 1 == here { "->" } else { "  " };
        let stops = view.breakpoints.iter().any(|breakpoint| breakpoint.line == Some(n as u32 + 1));
        let dot = if stops { "*" } else { " " };
        let word = line.word.map_or_else(|| "   ".to_owned(), |word| format!("{word:03x}"));
        text.push_str(&format!("{dot}{mark} {:>4} {word}  {}\n", n + 1, line.text()));
    }
    text
}
