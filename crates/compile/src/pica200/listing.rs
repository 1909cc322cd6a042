//! The listing of a program, in the language of the reference assembler: what is assembled, and what people can read.

use super::{
    Generated,
    code::{Address, Operation},
    emit::{Do, Line, Place, Source, Target},
    pool::Pool,
};
use crate::{
    front::interface::{Interface, Uniform},
    vector::{Relation, Span, Table},
};
use smallvec::SmallVec;
use std::{collections::HashMap, fmt::Write as _};

/// A listing and where its lines come from.
#[derive(Debug, Clone, Default)]
pub struct Listing {
    /// The text.
    pub text: String,
    /// For each line of it a place in the source.
    pub spans: Vec<Span>,
}

/// What a program is named in its listing: several go into one file, and names of procedures are common to all.
#[derive(Debug, Clone, Copy)]
pub struct Names<'a> {
    /// Index of the source.
    pub index: usize,
    /// First register of each float uniform, by name: sources share those with the same name.
    pub bases: &'a HashMap<String, u16>,
}

/// A uniform that nobody sees, in front of all others: an array that is read from one in front of its first element must not
/// start in the first register.
pub const FIRST: &str = "_first";

struct Write<'a> {
    listing: Listing,
    program: &'a Generated,
    interface: &'a Interface,
    tables: &'a [Vec<[u32; 4]>],
    pool: Pool,
    loops: Vec<[u8; 4]>,
    names: &'a Names<'a>,
    /// Rows in front of each constant array.
    padding: Vec<usize>,
    depth: usize,
}

/// Writes a listing.
pub fn listing(program: &Generated, interface: &Interface, names: &Names<'_>) -> Listing {
    let tables = &program.tables;
    let mut sets: Vec<SmallVec<[u32; 4]>> = Vec::new();
    let mut loops: Vec<[u8; 4]> = Vec::new();
    let mut padding: Vec<usize> = vec![0; tables.len()];
    for line in program.all_lines() {
        match line {
            Line::Do(instruction) => {
                for source in &instruction.sources {
                    if let Place::Table(Table::Constant(table), row, _) = source.place
                        && let Some(rows) = padding.get_mut(usize::from(table))
                    {
                        *rows = usize::try_from(-row).unwrap_or(0).max(*rows);
                    }
                    if let Place::Constant(_) = &source.place {
                        sets.push(numbers(source));
                    }
                }
            }
            Line::Loop(values) if !loops.contains(values) => loops.push(*values),
            _ => {}
        }
    }
    let pool = Pool::new(&sets);
    let mut write = Write {
        listing: Listing::default(),
        program,
        interface,
        tables,
        pool,
        loops,
        names,
        padding,
        depth: 0,
    };
    write.declarations();
    let entry = write.procedure();
    write.line(Span::default(), &format!(".entry {entry}"));
    write.line(Span::default(), &format!(".proc {entry}"));
    write.depth = 1;
    for line in &program.lines {
        write.one(line);
    }
    write.line(Span::default(), "end");
    write.depth = 0;
    write.line(Span::default(), ".end");
    for (index, (_, lines)) in program.procedures.iter().enumerate() {
        // One that nobody calls any more.
        let calls = |line: &Line| match line {
            Line::Call(of) | Line::CallIf(_, of) | Line::CallTruth(_, of) => *of == index,
            _ => false,
        };
        if !program.all_lines().any(calls) {
            continue;
        }
        let name = write.called(index);
        write.line(Span::default(), &format!(".proc {name}"));
        write.depth = 1;
        for line in lines {
            write.one(line);
        }
        write.depth = 0;
        write.line(Span::default(), ".end");
    }
    write.listing
}

/// The numbers that an operand reads, each once.
fn numbers(source: &Source) -> SmallVec<[u32; 4]> {
    let Place::Constant(all) = &source.place else { return SmallVec::new() };
    let mut read: SmallVec<[u32; 4]> = SmallVec::new();
    for lane in (0..4).filter(|lane| source.reads >> lane & 1 != 0) {
        if let Some(number) = all.get(usize::from(source.swizzle[lane]))
            && !read.contains(number)
        {
            read.push(*number);
        }
    }
    read
}

/// A name of the source as one of the assembler: one that cannot be taken for a register, and that is not hidden. The table
/// of names gets the name itself again ([`plain_name`]).
pub fn safe_name(name: &str) -> String {
    let is_word = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '.')
        && name.starts_with(|c: char| c.is_ascii_alphabetic());
    let digits = name.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let is_like_register = digits.starts_with(|c: char| c.is_ascii_digit()) && name.len() - digits.len() == 1
        || ["a0", "a1", "a2", "al", "lcnt", "cmp"].contains(&name.to_ascii_lowercase().as_str());
    if is_word && !is_like_register {
        return name.replace('.', "$");
    }
    let mut safe = String::from(MARK);
    for c in name.chars() {
        match c {
            '.' => safe.push('$'),
            c if c.is_ascii_alphanumeric() || c == '_' => safe.push(c),
            c => {
                let _ = write!(safe, "$u{:x}", u32::from(c));
            }
        }
    }
    safe
}

/// In front of names that are not their own.
const MARK: &str = "u$$";

/// The name of the source that a name of the table stands for.
pub fn plain_name(name: &str) -> String {
    let Some(rest) = name.strip_prefix(&MARK.replace('$', ".")) else { return name.to_owned() };
    rest.to_owned()
}

impl Write<'_> {
    fn line(&mut self, span: Span, text: &str) {
        for _ in 0..self.depth {
            self.listing.text.push('\t');
        }
        self.listing.text.push_str(text);
        self.listing.text.push('\n');
        self.listing.spans.push(span);
    }

    /// The name of a procedure: its own and a number, since names are common to all sources of a file.
    fn called(&self, index: usize) -> String {
        let name = self.program.procedures.get(index).map_or("", |(name, _)| name);
        let letters: String = name.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
        format!("$p{}_{index}_{letters}", self.names.index)
    }

    fn procedure(&self) -> String {
        if self.names.index == 0 { "main".to_owned() } else { format!("main{}", self.names.index) }
    }

    fn declarations(&mut self) {
        let interface = self.interface;
        if self.names.bases.contains_key(FIRST) {
            self.line(Span::default(), &format!(".fvec {FIRST}"));
        }
        for (directive, list) in
            [(".fvec", &interface.floats), (".ivec", &interface.wholes), (".bool", &interface.truths)]
        {
            for uniform in list {
                // The elements of an array are declared by its first.
                if uniform.registers > 0 {
                    let text = format!("{directive} {}", declared(uniform));
                    self.line(span_of(uniform), &text);
                }
            }
        }
        let rows = std::mem::take(&mut self.pool.rows);
        for (index, row) in rows.iter().enumerate() {
            let text = format!(".constf $k{index}{}", row_text(row));
            self.line(Span::default(), &text);
        }
        self.pool.rows = rows;
        for (index, table) in self.tables.iter().enumerate() {
            let padding = self.padding.get(index).copied().unwrap_or(0);
            let text = format!(".constfa $t{index}[{}]", table.len() + padding);
            self.line(Span::default(), &text);
            for _ in 0..padding {
                let text = format!(".constfa {}", row_text(&[]));
                self.line(Span::default(), &text);
            }
            for row in table {
                let text = format!(".constfa {}", row_text(row));
                self.line(Span::default(), &text);
            }
            self.line(Span::default(), ".end");
        }
        for (index, [x, y, z, w]) in self.loops.clone().into_iter().enumerate() {
            self.line(Span::default(), &format!(".consti $i{index}({x}, {y}, {z}, {w})"));
        }
        for input in &interface.inputs {
            let text = format!(".in {} v{}", safe_name(&input.name), input.register);
            self.line(Span::default(), &text);
        }
        for output in &interface.outputs {
            for part in &output.parts {
                let letters: String = "xyzw"
                    .chars()
                    .skip(usize::from(output.first + part.first))
                    .take(part.count.into())
                    .collect();
                let text = format!(".out - {} o{}.{letters}", part.meaning.name(), output.register);
                self.line(Span::default(), &text);
            }
        }
    }

    fn one(&mut self, line: &Line) {
        let span = Span::default();
        match line {
            Line::Do(instruction) => {
                let text = self.instruction(instruction);
                self.line(instruction.span, &text);
            }
            Line::If(flags) => self.opened(&format!("ifc {flags}")),
            Line::Ifu(uniform) => {
                let text = format!("ifu {}", self.truth(*uniform));
                self.opened(&text);
            }
            Line::Jump(uniform, label) => {
                let text = format!("jmpu {}, $l{label}", self.truth(*uniform));
                self.line(span, &text);
            }
            Line::Label(label) => {
                let depth = std::mem::take(&mut self.depth);
                self.line(span, &format!("$l{label}:"));
                self.depth = depth;
            }
            Line::Else => {
                self.depth = self.depth.saturating_sub(1);
                self.opened(".else");
            }
            Line::End => {
                self.depth = self.depth.saturating_sub(1);
                self.line(span, ".end");
            }
            Line::Loop(values) => {
                let index = self.loops.iter().position(|known| known == values).unwrap_or(0);
                self.opened(&format!("for $i{index}"));
            }
            Line::LoopUniform(uniform) => {
                let name = register_name(&self.interface.wholes, *uniform);
                self.opened(&format!("for {name}"));
            }
            Line::Break(flags) => self.line(span, &format!("breakc {flags}")),
            Line::Call(index) => {
                let text = format!("call {}", self.called(*index));
                self.line(span, &text);
            }
            Line::CallIf(flags, index) => {
                let text = format!("callc {flags}, {}", self.called(*index));
                self.line(span, &text);
            }
            Line::CallTruth(uniform, index) => {
                let text = format!("callu {}, {}", self.truth(*uniform), self.called(*index));
                self.line(span, &text);
            }
        }
    }

    fn truth(&self, uniform: u16) -> String {
        register_name(&self.interface.truths, uniform)
    }

    fn opened(&mut self, text: &str) {
        self.line(Span::default(), text);
        self.depth += 1;
    }

    fn instruction(&self, instruction: &Do) -> String {
        let mut text = instruction.operation.name().to_owned();
        let mut separator = ' ';
        let mut add = |part: &str| {
            text.push(separator);
            if separator == ',' {
                text.push(' ');
            }
            text.push_str(part);
            separator = ',';
        };
        match instruction.operation {
            Operation::Mova(address) => add(if address == Address::X { "a0.x" } else { "a0.y" }),
            _ => {
                if let Some(target) = instruction.target {
                    add(&target_text(target));
                }
            }
        }
        let mask = match instruction.operation {
            operation if operation.is_lanewise() => instruction.target.map_or(15, |target| target.mask),
            Operation::Dp3 => 7,
            Operation::Dp4 => 15,
            Operation::Cmp(..) => 3,
            Operation::Mova(Address::X) => 1,
            Operation::Mova(_) => 2,
            Operation::Dph => 15,
            _ => 1,
        };
        for (index, source) in instruction.sources.iter().enumerate() {
            // The fourth lane of the first operand of a homogeneous product is not read.
            let mask = if instruction.operation == Operation::Dph && index == 0 { 7 } else { mask };
            add(&self.source(source, mask));
            if let (0, Operation::Cmp(x, y)) = (index, instruction.operation) {
                add(relation(x));
                add(relation(y));
            }
        }
        text
    }

    fn source(&self, source: &Source, mask: u8) -> String {
        let mut swizzle = source.swizzle;
        let mut text = String::new();
        if source.negate {
            text.push('-');
        }
        match &source.place {
            Place::Temporary(number) => {
                let _ = write!(text, "r{number}");
            }
            Place::Input(number) => {
                let _ = write!(text, "v{number}");
            }
            Place::Table(table, row, index) => text.push_str(&self.table(*table, *row, *index)),
            Place::Constant(all) => {
                let set = numbers(source);
                let (row, _) = self.pool.find(&set).unwrap_or_default();
                let known = self.pool.rows.get(row);
                for lane in &mut swizzle {
                    let number = all.get(usize::from(*lane));
                    let place = known
                        .zip(number)
                        .and_then(|(row, number)| row.iter().position(|known| known == number));
                    *lane = place.and_then(|place| u8::try_from(place).ok()).unwrap_or(0);
                }
                let _ = write!(text, "$k{row}");
            }
        }
        text.push_str(&swizzle_text(swizzle, mask));
        text
    }

    fn table(&self, table: Table, row: i32, index: Option<Address>) -> String {
        let (name, count, row) = match table {
            Table::Constant(number) => {
                let padding = self.padding.get(usize::from(number)).copied().unwrap_or(0);
                let count = self.tables.get(usize::from(number)).map_or(1, Vec::len) + padding;
                (format!("$t{number}"), count, row + i32::try_from(padding).unwrap_or(0))
            }
            Table::Uniform(number) => {
                let uniform = self.interface.floats.get(usize::from(number));
                let registers = uniform.map_or(1, |uniform| usize::from(uniform.registers));
                let base = uniform.and_then(|uniform| self.names.bases.get(&uniform.name));
                match (base, row) {
                    // In front of the first element: by the number of the register.
                    (Some(base), ..0) => (format!("c{}", i32::from(*base) + row), 1, 0),
                    _ => {
                        (uniform.map_or_else(String::new, |uniform| safe_name(&uniform.name)), registers, row)
                    }
                }
            }
        };
        let offset = match (row, index) {
            (0, _) => String::new(),
            (row, Some(_)) if row > 0 => format!("+{row}"),
            (row, _) => row.to_string(),
        };
        match index {
            None if count == 1 => name,
            None => format!("{name}[{row}]"),
            Some(Address::X) => format!("{name}[a0.x{offset}]"),
            Some(Address::Y) => format!("{name}[a0.y{offset}]"),
            Some(Address::Counter) => format!("{name}[aL{offset}]"),
        }
    }
}

fn declared(uniform: &Uniform) -> String {
    let name = safe_name(&uniform.name);
    if uniform.registers == 1 { name } else { format!("{name}[{}]", uniform.registers) }
}

/// A register of bool or integer uniforms, each of which has an entry of its own: elements of arrays stand behind the first.
fn register_name(list: &[Uniform], index: u16) -> String {
    let index = usize::from(index);
    let first =
        (0..=index).rev().find(|at| list.get(*at).is_some_and(|uniform| uniform.registers > 0)).unwrap_or(0);
    let Some(uniform) = list.get(first) else { return String::new() };
    let name = safe_name(&uniform.name);
    if uniform.registers == 1 { name } else { format!("{name}[{}]", index - first) }
}

fn span_of(uniform: &Uniform) -> Span {
    let word = |at: usize| u32::try_from(at).unwrap_or(0);
    Span { start: word(uniform.span.start), end: word(uniform.span.end) }
}

/// Four numbers as the assembler reads them: exactly those of the machine, rounded to nearest.
fn row_text(row: &[u32]) -> String {
    let number = |at: usize| {
        let value = row.get(at).map_or(0.0, |bits| f32::from_bits(*bits));
        super::number::text(value)
    };
    format!("({}, {}, {}, {})", number(0), number(1), number(2), number(3))
}

fn target_text(target: Target) -> String {
    let letter = if target.is_output { 'o' } else { 'r' };
    let mut text = format!("{letter}{}", target.number);
    if target.mask != 15 {
        text.push('.');
        text.extend(
            "xyzw".chars().enumerate().filter(|(lane, _)| target.mask >> lane & 1 != 0).map(|(_, c)| c),
        );
    }
    text
}

/// The letters of a swizzle, as few as say it. Lanes that do not matter take their own component.
fn swizzle_text(swizzle: [u8; 4], mask: u8) -> String {
    let needed = |lane: usize| mask >> lane & 1 != 0;
    if (0..4).all(|lane| !needed(lane) || usize::from(swizzle[lane]) == lane) {
        return String::new();
    }
    let letter = |component: u8| match component {
        0 => 'x',
        1 => 'y',
        2 => 'z',
        _ => 'w',
    };
    let first = (0..4).find(|lane| needed(*lane)).map_or(0, |lane| swizzle[lane]);
    if (0..4).all(|lane| !needed(lane) || swizzle[lane] == first) {
        return format!(".{}", letter(first));
    }
    let last = (0..4).rev().find(|lane| needed(*lane)).unwrap_or(3);
    let letters =
        (0..=last).map(|lane| if needed(lane) { letter(swizzle[lane]) } else { letter(lane as u8) });
    format!(".{}", letters.collect::<String>())
}

fn relation(relation: Relation) -> &'static str {
    match relation {
        Relation::Eq => "eq",
        Relation::Ne => "ne",
        Relation::Lt => "lt",
        Relation::Le => "le",
        Relation::Gt => "gt",
        Relation::Ge => "ge",
    }
}
