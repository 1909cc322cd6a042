//! `diff`: what is different between two files, for people.

use crate::{
    args::Diff,
    input,
    output::{self, Failure, Outcome, Status},
    style::{self, paint},
};
use anstyle::Style;
use unshade::{
    diff::{
        BytesDifference, ContainerDifference, Difference, FieldDifference, FileDifference, FileFate, Hunk,
        PartFate, Place, ProgramDifference, ProgramFate, RowKind, SourceDifference,
    },
    report::DiffReport,
};

/// Ranges of bytes that are printed without `--all`.
const RANGES: usize = 24;
/// Programs under other names that are printed without `--all`.
const MOVED: usize = 24;
/// Values that follow and are printed without `--all`, beside what they follow from.
const FOLLOWING: usize = 3;
/// Names of rows of code that are printed.
const ROWS: usize = 6;
/// Columns where nobody says how many there are.
const WIDTH: usize = 130;

pub fn run(arguments: &Diff, json: bool) -> Outcome {
    compare(arguments, json).or_else(|failure| {
        output::report_failure(&failure);
        Ok(Status::Trouble)
    })
}

fn compare(arguments: &Diff, json: bool) -> Outcome {
    if arguments.old == "-" && arguments.new == "-" {
        return Err(Failure::usage("only one of the files can be standard input"));
    }
    let (old, new) = (input::place(&arguments.old), input::place(&arguments.new));
    let (before, after) = (input::map(&old.file)?, input::map(&new.file)?);
    let difference = unshade::diff(
        &Place { source: input::source(&before), names: &old.inner, item: old.item.as_deref() },
        &Place { source: input::source(&after), names: &new.inner, item: new.item.as_deref() },
    )
    .map_err(|found| {
        Failure::open(if found.new { new.file.clone() } else { old.file.clone() }, found.error)
    })?;
    let status = if difference.same { Status::Good } else { Status::Bad };
    if json {
        output::print_json(&DiffReport::new(&arguments.old, &arguments.new, difference))?;
        return Ok(status);
    }
    for note in &difference.notes {
        output::note(note);
    }
    if !difference.same {
        let mut text = format!(
            "{}\n{}\n",
            paint(style::BAD, format_args!("--- {}", arguments.old)),
            paint(style::GOOD, format_args!("+++ {}", arguments.new))
        );
        Printer { out: &mut text, arguments, width: width() }.all(&difference);
        output::print(&text)?;
    }
    Ok(status)
}

/// Columns of the terminal, or what `COLUMNS` says.
fn width() -> usize {
    let said = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let seen = || terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    said.or_else(seen).unwrap_or(WIDTH).clamp(40, 400)
}

struct Printer<'a> {
    out: &'a mut String,
    arguments: &'a Diff,
    width: usize,
}

impl Printer<'_> {
    fn line(&mut self, text: impl std::fmt::Display) {
        self.out.push_str(&text.to_string());
        self.out.push('\n');
    }

    fn all(&mut self, difference: &Difference) {
        for file in &difference.files {
            self.file(file);
        }
        for program in &difference.programs {
            self.program(program);
        }
        for source in &difference.sources {
            self.source(source);
        }
        if difference.files.is_empty() && difference.programs.is_empty() && difference.sources.is_empty() {
            self.line("what is inside is the same; the wrappers around it are packed in another way");
        }
    }

    fn file(&mut self, file: &FileDifference) {
        let name = |name: &Option<String>| name.as_ref().map(|name| format!(":{name}")).unwrap_or_default();
        let (old, new) = (name(&file.old), name(&file.new));
        let size = |bytes: Option<u64>| {
            bytes.map(|bytes| format!(" ({})", counted(bytes, "byte"))).unwrap_or_default()
        };
        if let Some(kind) = &file.wrapper {
            let gone =
                |name: &str, bytes| format!("{kind} around{} {name}", size(bytes)).trim_end().to_owned();
            match file.fate {
                FileFate::Removed => {
                    self.line(paint(style::BAD, format_args!("- {}", gone(&old, file.old_bytes))))
                }
                FileFate::Added => {
                    self.line(paint(style::GOOD, format_args!("+ {}", gone(&new, file.new_bytes))))
                }
                _ => {
                    let name = if old.is_empty() { String::new() } else { format!("{old} ") };
                    self.line(format_args!("{}{}", paint(style::BOLD, name), paint(style::DIM, kind)));
                    file.containers.iter().for_each(|container| self.container(container));
                }
            }
            return;
        }
        match file.fate {
            FileFate::Changed if old.is_empty() && new.is_empty() => {}
            FileFate::Changed if old == new => self.line(paint(style::BOLD, old)),
            FileFate::Changed => self.line(paint(style::BOLD, format_args!("{old} -> {new}"))),
            FileFate::Renamed => self.line(paint(style::WARN, format_args!("moved {old} -> {new}"))),
            FileFate::Removed => {
                self.line(paint(style::BAD, format_args!("- file {old}{}", size(file.old_bytes))));
                return;
            }
            FileFate::Added => {
                self.line(paint(style::GOOD, format_args!("+ file {new}{}", size(file.new_bytes))));
                return;
            }
        }
        for container in &file.containers {
            self.container(container);
        }
        self.ranges(&file.bytes);
    }

    fn container(&mut self, container: &ContainerDifference) {
        let (old, new) = (&container.old_format, &container.new_format);
        match (container.old_offset, container.new_offset) {
            (Some(offset), None) => {
                return self.line(paint(style::BAD, format_args!("- {old} at {offset:#x}")));
            }
            (None, Some(offset)) => {
                return self.line(paint(style::GOOD, format_args!("+ {new} at {offset:#x}")));
            }
            (Some(x), Some(y)) if x != 0 || y != 0 => {
                self.line(paint(style::DIM, format_args!("at {x:#x} -> {y:#x}")));
            }
            _ => {}
        }
        if old != new {
            let (old, new) = (paint(style::BAD, old), paint(style::GOOD, new));
            self.line(format_args!("{old} -> {new}"));
        }
        let (code, fields): (Vec<_>, Vec<_>) = container.fields.iter().partition(|field| field.code);
        for field in fields {
            self.field(field);
        }
        for part in &container.parts {
            let path = |path: &Option<String>| path.clone().unwrap_or_default();
            let value = match part.value.as_str() {
                "" => String::new(),
                value => format!(" {value}"),
            };
            let size =
                if part.bytes == 0 { String::new() } else { format!(" ({})", counted(part.bytes, "byte")) };
            let (old, new) = (path(&part.old_path), path(&part.new_path));
            match part.fate {
                PartFate::Removed => self.line(paint(style::BAD, format_args!("- {old}{value}{size}"))),
                PartFate::Added => self.line(paint(style::GOOD, format_args!("+ {new}{value}{size}"))),
                PartFate::Moved => self.line(format_args!(
                    "{} {old} -> {new}{value}{}",
                    paint(style::WARN, "moved"),
                    paint(style::DIM, size)
                )),
                PartFate::MovedAndChanged => {
                    self.line(format_args!(
                        "{} {old} -> {new}{value}",
                        paint(style::WARN, "moved and changed")
                    ));
                }
            }
        }
        self.code(&code);
        let mut moved = 0;
        for program in &container.programs {
            moved += usize::from(program.fate == ProgramFate::Moved);
            // One program in front of the others moves all of them.
            if program.fate != ProgramFate::Moved || moved <= MOVED || self.arguments.all {
                self.program(program);
            }
        }
        if let Some(more) = moved.checked_sub(MOVED).filter(|more| *more > 0 && !self.arguments.all) {
            self.line(format_args!("and {} more moved (--all)", counted(more as u64, "program")));
        }
        container.sources.iter().for_each(|source| self.source(source));
        self.ranges(&container.bytes);
        self.follows(container);
    }

    fn field(&mut self, field: &FieldDifference) {
        let path = match &field.new_path {
            Some(new) => both_paths(&field.path, new),
            None => field.path.clone(),
        };
        let (old, new) = shortened(&field.old, &field.new);
        let (old, new) = (paint(style::BAD, old), paint(style::GOOD, new));
        self.line(format_args!("{path}: {old} -> {new}"));
    }

    /// Rows of code are only named: the instructions follow.
    fn code(&mut self, rows: &[&FieldDifference]) {
        let mut left = rows;
        while let Some((first, _)) = left.split_first() {
            let parent = |field: &FieldDifference| {
                let end = field.path.rfind(['.', '[']).unwrap_or_default();
                (field.path[..end].to_owned(), field.path[end..].to_owned())
            };
            let (table, _) = parent(first);
            let count = left.iter().take_while(|field| parent(field).0 == table).count();
            let names: Vec<_> = left[..count].iter().take(ROWS).map(|field| parent(field).1).collect();
            let more = if count > ROWS { ", ..." } else { "" };
            let table = if table.is_empty() { String::new() } else { format!("{table}: ") };
            let what = counted(count as u64, "row");
            self.line(format_args!("{table}code in {what} ({}{more})", names.join(", ")));
            left = &left[count..];
        }
    }

    fn program(&mut self, program: &ProgramDifference) {
        let (old, new) =
            (program.old_item.clone().unwrap_or_default(), program.new_item.clone().unwrap_or_default());
        let kind = paint(style::DIM, format_args!("{} {}", program.kind, program.isa));
        let name = if old == new { old.clone() } else { format!("{old} -> {new}") };
        let lines = counts(program);
        match program.fate {
            ProgramFate::Removed => {
                self.line(paint(
                    style::BAD,
                    format_args!("- program {old}, {}", counted(program.removed, "line")),
                ));
            }
            ProgramFate::Added => {
                self.line(paint(
                    style::GOOD,
                    format_args!("+ program {new}, {}", counted(program.added, "line")),
                ));
            }
            ProgramFate::Moved => {
                self.line(format_args!("{} {name} {kind}", paint(style::WARN, "moved program")))
            }
            ProgramFate::Changed | ProgramFate::MovedAndChanged => {
                self.line(format_args!(
                    "{} {kind}: {lines}",
                    paint(style::BOLD, format_args!("program {name}"))
                ));
            }
        }
        self.hunks(&program.hunks);
    }

    fn source(&mut self, source: &SourceDifference) {
        let (old, new) =
            (source.old_item.clone().unwrap_or_default(), source.new_item.clone().unwrap_or_default());
        let name = if old == new { old.clone() } else { format!("{old} -> {new}") };
        let lines = told_lines(source.changed, source.removed, source.added, source.rough);
        match source.fate {
            ProgramFate::Removed => {
                let count = counted(source.removed, "line");
                self.line(paint(style::BAD, format_args!("- source {old}, {count}")));
            }
            ProgramFate::Added => {
                let count = counted(source.added, "line");
                self.line(paint(style::GOOD, format_args!("+ source {new}, {count}")));
            }
            ProgramFate::Moved => self.line(format_args!("{} {name}", paint(style::WARN, "renamed source"))),
            ProgramFate::Changed | ProgramFate::MovedAndChanged => {
                let lines = lines.unwrap_or_else(|| "how its lines end".to_owned());
                self.line(format_args!("{}: {lines}", paint(style::BOLD, format_args!("source {name}"))));
            }
        }
        self.hunks(&source.hunks);
    }

    fn hunks(&mut self, hunks: &[Hunk]) {
        for hunk in hunks {
            let place = format!("@@ -{} +{} @@", hunk.old_line, hunk.new_line);
            self.line(paint(style::NAME, place));
            match self.arguments.side_by_side {
                true => self.side_by_side(hunk),
                false => self.unified(hunk),
            }
        }
    }

    fn unified(&mut self, hunk: &Hunk) {
        for row in &hunk.rows {
            let (old, new) = (row.old.as_deref().unwrap_or_default(), row.new.as_deref().unwrap_or_default());
            match row.kind {
                RowKind::Same | RowKind::Renumbered => {
                    self.line(format_args!(" {new}").to_string().trim_end())
                }
                RowKind::Changed => {
                    self.line(paint(style::BAD, format_args!("-{old}")));
                    self.line(paint(style::GOOD, format_args!("+{new}")));
                }
                RowKind::Removed => self.line(paint(style::BAD, format_args!("-{old}"))),
                RowKind::Added => self.line(paint(style::GOOD, format_args!("+{new}"))),
            }
        }
    }

    fn side_by_side(&mut self, hunk: &Hunk) {
        let column = (self.width - 3) / 2;
        for row in &hunk.rows {
            let cell = |text: &Option<String>| fitted(text.as_deref().unwrap_or_default(), column);
            let (old, new) = (cell(&row.old), cell(&row.new));
            let fill = " ".repeat(column - old.chars().count());
            let plain = Style::new();
            let (sign, left, right) = match row.kind {
                RowKind::Same => (' ', plain, plain),
                RowKind::Renumbered => (' ', style::DIM, style::DIM),
                RowKind::Changed => ('|', style::BAD, style::GOOD),
                RowKind::Removed => ('<', style::BAD, plain),
                RowKind::Added => ('>', plain, style::GOOD),
            };
            let line = match new.is_empty() {
                true => format!("{}{fill} {sign}", paint(left, old)),
                false => format!("{}{fill} {sign} {}", paint(left, old), paint(right, new)),
            };
            self.line(line.trim_end());
        }
    }

    fn ranges(&mut self, ranges: &[BytesDifference]) {
        let shown = if self.arguments.all { ranges.len() } else { RANGES };
        for range in ranges.iter().take(shown) {
            let place = |start: u64, len: u64| format!("{start:#06x}..{:#06x}", start.saturating_add(len));
            let old = place(range.old_offset, range.old_bytes);
            let new = place(range.new_offset, range.new_bytes);
            let path = if range.path.is_empty() { String::new() } else { format!("  {}", range.path) };
            let size = match (range.old_bytes, range.new_bytes) {
                (0, added) => format!("{} more", counted(added, "byte")),
                (removed, 0) => format!("{} less", counted(removed, "byte")),
                (old, new) if old == new => format!("{} other", counted(new, "byte")),
                (old, new) => format!("{old} -> {}", counted(new, "byte")),
            };
            let places = if old == new { old } else { format!("{old} -> {new}") };
            self.line(format_args!("{}{path}: {size}", paint(style::DIM, format_args!("bytes {places}"))));
        }
        if let Some(more) = ranges.len().checked_sub(shown).filter(|more| *more > 0) {
            self.line(format_args!("and {} more (--all)", counted(more as u64, "range")));
        }
    }

    fn follows(&mut self, container: &ContainerDifference) {
        let others = container.fields.len()
            + container.parts.len()
            + container.programs.len()
            + container.sources.len()
            + container.bytes.len();
        let follows = &container.follows;
        if follows.is_empty() {
            return;
        }
        if self.arguments.all || others == 0 {
            follows.iter().for_each(|field| self.field(field));
            return;
        }
        let shown: Vec<_> = follows
            .iter()
            .take(FOLLOWING)
            .map(|field| format!("{} {} -> {}", field.path, field.old, field.new))
            .collect();
        let more = if follows.len() > FOLLOWING { ", ... (--all)" } else { "" };
        let what = counted(follows.len() as u64, "value");
        let follow = if follows.len() == 1 { "follows" } else { "follow" };
        self.line(paint(style::DIM, format_args!("{what} {follow}: {}{more}", shown.join(", "))));
    }
}

/// How many lines of a program differ.
fn counts(program: &ProgramDifference) -> String {
    told_lines(program.changed, program.removed, program.added, program.rough)
        .unwrap_or_else(|| "the same instructions; entry or constants differ".to_owned())
}

/// How many lines differ; nothing where none does.
fn told_lines(changed: u64, removed: u64, added: u64, rough: bool) -> Option<String> {
    let parts = [(changed, "changed"), (removed, "removed"), (added, "added")];
    let told: Vec<_> = parts
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{} {what}", counted(*count, "line")))
        .collect();
    let rough = if rough { " (too different to be aligned throughout)" } else { "" };
    (!told.is_empty()).then(|| told.join(", ") + rough)
}

fn counted(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// Two paths as one, with what is different in braces: `models[0].{a -> b}.count`.
fn both_paths(old: &str, new: &str) -> String {
    let starts = |c: char| matches!(c, '.' | '[');
    let same = old.bytes().zip(new.bytes()).take_while(|(a, b)| a == b).count();
    let front = old.char_indices().rfind(|&(at, c)| at <= same && starts(c)).map_or(0, |(at, _)| at);
    let (a, b) = (&old[front..], &new[front..]);
    let same = a.bytes().rev().zip(b.bytes().rev()).take_while(|(a, b)| a == b).count();
    let back = a.char_indices().find(|&(at, c)| a.len() - at <= same && at > 0 && starts(c));
    let back = back.map_or(0, |(at, _)| a.len() - at);
    match (a.get(..a.len() - back), b.get(..b.len().saturating_sub(back))) {
        (Some(x), Some(y)) => format!("{}{{{x} -> {y}}}{}", &old[..front], &a[a.len() - back..]),
        _ => format!("{{{old} -> {new}}}"),
    }
}

/// Two long values from where they start to differ.
fn shortened(old: &str, new: &str) -> (String, String) {
    const LONG: usize = 120;
    if old.chars().count() <= LONG && new.chars().count() <= LONG {
        return (old.to_owned(), new.to_owned());
    }
    let same = old.chars().zip(new.chars()).take_while(|(a, b)| a == b).count();
    let from = if same > LONG / 2 { same - 16 } else { 0 };
    let cut = |text: &str| {
        let part: String = text.chars().skip(from).take(LONG / 2).collect();
        let front = if from > 0 { "…" } else { "" };
        let back = if text.chars().count() > from + LONG / 2 { "…" } else { "" };
        format!("{front}{part}{back}")
    };
    (cut(old), cut(new))
}

/// A text that fits into a column.
fn fitted(text: &str, column: usize) -> String {
    if text.chars().count() <= column {
        return text.to_owned();
    }
    let mut cut: String = text.chars().take(column.saturating_sub(1)).collect();
    cut.push('…');
    cut
}
