//! A program as picasso source: the language that the reference assembler takes, without our additions.
//!
//! Assembled, the source gives the same instructions with the same operands and the same tables. What a
//! source cannot fix is left to the assembler: order and sharing of descriptors, bits without effect. What
//! it cannot say at all is reported, and a `nop` with a remark stands in its place.

use super::{
    Block, BlockKind, CodeText, Layout, Remarks, blocks,
    stage::{class_of, stage_names},
    write_code,
};
use crate::{
    Compare, Descriptor, Format, Index, Inst, Opcode, Operands,
    asm::operand::Class,
    decode,
    inst::RegKind,
    lint::sources,
    names::{is_free_name, to_code_name},
    print::Form,
    reach::{Flow, reach},
    view::Shape,
};
use unshade_bytes::{Diagnostic, F24, Location, Severity};
use unshade_isa_common::text::{Line, Listing, Part, PartKind, Sink};
use unshade_stage::{ConstantValue, GeometryMode, Space, Stage, StageKind, Variable};

/// Writes a program as picasso source and gives what could not be said.
pub fn write_picasso(sink: &mut impl Sink, stage: &Stage<'_>) -> Vec<Diagnostic> {
    let mut text = CodeText::of_stage(stage);
    text.runs = uncovered(&text);
    let layout = text.layout();
    let mut notes = Vec::new();
    declarations(sink, stage, &layout, &mut notes);
    sink.end_line();
    code(sink, stage, &text, &layout, &mut notes);
    notes
}

fn note(notes: &mut Vec<Diagnostic>, at: Option<u32>, message: impl Into<String>) {
    let location = at.map_or(Location::Whole, Location::Word);
    notes.push(Diagnostic::new(Severity::Warning, "pica200.picasso.unsaid", location, "", message));
}

/// The words outside all procedures, in runs that cut no block: the language wants them in procedures.
fn uncovered(text: &CodeText<'_>) -> Vec<(u32, u32)> {
    let length = text.words.len() as u32;
    let mains = text.mains();
    let entry = text.roots.first().map_or(0, |root| root.entry);
    let mut runs = Vec::new();
    let mut from = 0;
    let mut flush = |from: u32, to: u32| {
        if from < entry && entry < to {
            runs.extend([(from, entry), (entry, to)]);
        } else if from < to {
            runs.push((from, to));
        }
    };
    for Block { start, end, kind } in blocks(text.words, &mains) {
        if kind == BlockKind::Procedure && start >= from {
            flush(from, start);
            from = end;
        }
    }
    flush(from, length);
    runs
}

fn line(sink: &mut impl Sink, directive: &str, rest: &[(PartKind, &str)]) {
    sink.put(PartKind::Directive, directive);
    for (kind, text) in rest {
        sink.put(*kind, text);
    }
    sink.end_line();
}

fn declarations(sink: &mut impl Sink, stage: &Stage<'_>, layout: &Layout, notes: &mut Vec<Diagnostic>) {
    use PartKind::{Immediate, Name, Plain, Register};
    let interface = &stage.interface;
    // Where the float uniforms start: a geometry program says so, and its vertices must lie below.
    let mut base = 0;
    if stage.kind == StageKind::Geometry {
        let floats = interface.uniforms.iter().filter(|variable| variable.space == Space::Float);
        let lowest = floats.map(|variable| variable.range.first).min();
        base = lowest.unwrap_or(0);
        let mode = match interface.geometry.map(|geometry| geometry.mode) {
            Some(GeometryMode::Variable { full_vertices }) => format!("variable c{base} {full_vertices}"),
            Some(GeometryMode::Fixed { first_uniform, vertices }) => {
                let start = u32::from(first_uniform);
                if lowest.is_none() {
                    base = (start + 1).min(95);
                } else if start >= base {
                    // The declarations start behind the vertices; what lies below only gets an alias.
                    base = (start + 1).min(95);
                }
                format!("fixed c{base} c{start} {vertices}")
            }
            Some(GeometryMode::Point) | None => format!("point c{base}"),
        };
        line(sink, ".gsh ", &[(Name, &mode)]);
    }
    match layout.places.label_at(stage.code.entry).filter(|name| layout.is_procedure(name)) {
        Some("main") => {}
        Some(name) => line(sink, ".entry ", &[(PartKind::Label, name)]),
        None => note(notes, Some(stage.code.entry), "the entry point is not the start of a procedure"),
    }
    for input in &interface.inputs {
        let Some(name) = to_code_name(&input.name) else {
            note(notes, None, format!("`{}` cannot be the name of an input", input.name));
            continue;
        };
        if input.range.count() > 1 {
            note(notes, None, format!("`{name}` names several inputs; an input is one register"));
        }
        if input.range.first == 15 {
            note(notes, None, "picasso itself refuses v15; this assembler takes it");
        }
        line(sink, ".in ", &[(Name, &name), (Plain, " "), (Register, &format!("v{}", input.range.first))]);
    }
    for (class, directive) in [(Class::Float, ".fvec "), (Class::Int, ".ivec "), (Class::Bool, ".bool ")] {
        let base = if class == Class::Float { base } else { 0 };
        uniforms(sink, stage, class, directive, base, notes);
    }
    let named = stage_names(stage);
    for output in &interface.outputs {
        if output.semantic.starts_with("unknown") {
            note(notes, None, format!("an output with the meaning `{}` cannot be declared", output.semantic));
            continue;
        }
        let name = named.iter().find(|n| n.class == Class::Output && n.first == output.register);
        let name = name.map_or("-", |named| &named.name);
        let letters: String =
            "xyzw".chars().enumerate().filter(|(n, _)| output.mask >> n & 1 != 0).map(|(_, c)| c).collect();
        let register = format!(" o{}.{letters}", output.register);
        line(sink, ".out ", &[(Name, name), (Plain, " "), (Name, &output.semantic), (Register, &register)]);
    }
    for constant in &stage.code.constants {
        let register = constant.register;
        match constant.value {
            ConstantValue::Float(values) => {
                if values
                    .iter()
                    .any(|value| value.is_nan() || (*value != 0.0 && value.abs() < 2f32.powi(-62)))
                {
                    note(notes, None, format!("c{register} holds values that picasso cannot make from text"));
                }
                let values = values.map(|value| format!("{}", F24::from_f32(value).to_f32()));
                line(
                    sink,
                    ".setf ",
                    &[(Register, &format!("c{register}")), (Immediate, &format!("({})", values.join(", ")))],
                );
            }
            ConstantValue::Int(values) => {
                let values = values.map(|value| value.to_string());
                line(
                    sink,
                    ".seti ",
                    &[(Register, &format!("i{register}")), (Immediate, &format!("({})", values.join(", ")))],
                );
            }
            ConstantValue::Bool(value) => {
                let value = if value { " true" } else { " false" };
                line(sink, ".setb ", &[(Register, &format!("b{register}")), (Immediate, value)]);
            }
        }
    }
}

/// Uniforms get their registers in the order of their declaration: gaps are filled with hidden names.
fn uniforms(
    sink: &mut impl Sink,
    stage: &Stage<'_>,
    class: Class,
    directive: &str,
    base: u32,
    notes: &mut Vec<Diagnostic>,
) {
    let of_class = |variable: &&Variable| class_of(variable.space) == Some(class);
    let mut variables: Vec<&Variable> = stage.interface.uniforms.iter().filter(of_class).collect();
    variables.sort_by_key(|variable| (variable.range.first, variable.range.last));
    let mut next = base;
    for variable in variables {
        let (first, count) = (variable.range.first, variable.range.count());
        let name = to_code_name(&variable.name).filter(|name| !name.starts_with('_'));
        let Some(name) = name else {
            note(notes, None, format!("the uniform `{}` cannot be declared", variable.name));
            continue;
        };
        if first < next {
            note(
                notes,
                None,
                format!("`{name}` cannot be declared for its register: it is an alias, which no file keeps"),
            );
            let register = format!(" {}{first}", class.letter());
            line(sink, ".alias ", &[(PartKind::Name, &name), (PartKind::Register, &register)]);
            continue;
        }
        let declare = |sink: &mut _, name: &str, count: u32| {
            let size = if count > 1 { format!("[{count}]") } else { String::new() };
            line(sink, directive, &[(PartKind::Name, name), (PartKind::Immediate, &size)]);
        };
        if first > next {
            declare(sink, &format!("_free_{}{next}", class.letter()), first - next);
        }
        declare(sink, &name, count);
        next = first.saturating_add(count);
    }
}

fn code(
    sink: &mut impl Sink,
    stage: &Stage<'_>,
    text: &CodeText<'_>,
    layout: &Layout,
    notes: &mut Vec<Diagnostic>,
) {
    let mut listing = Listing::default();
    write_code(&mut listing, text, layout, Remarks::default(), |_, _, _| {});
    let mut padding = Padding::default();
    let mut adds_nop = false;
    let foreign = foreign_words(stage, text, layout);
    let mut procedure = Vec::new();
    let mut lines = listing.lines().peekable();
    while let Some(line) = lines.next() {
        // Lines are kept back until the procedure ends, for it may have to go as a whole.
        let ends = line.text == ".end" || lines.peek().is_none();
        procedure.push(line);
        if !ends {
            continue;
        }
        let whole = std::mem::take(&mut procedure);
        let first = whole.iter().find_map(|line| line.words.clone()).map(|words| words.start);
        if first.is_some_and(|first| foreign.get(first as usize) == Some(&true)) {
            let message =
                "a procedure that emits vertices and that this vertex program never runs is left out";
            note(notes, first, message);
            continue;
        }
        for line in whole {
            adds_nop |= code_line(sink, &line, stage, text, layout, &mut padding, notes);
        }
    }
    if adds_nop {
        let message = "picasso would insert a `nop` at the end of some blocks: assemble with --no-nop (-n)";
        note(notes, None, message);
    }
}

/// Words of procedures that belong to another program of the file: by `emit` or `setemit` alone, picasso
/// would take the whole source for a geometry program.
fn foreign_words(stage: &Stage<'_>, text: &CodeText<'_>, layout: &Layout) -> Vec<bool> {
    let mut foreign = vec![false; text.words.len()];
    let reached = reach(text.words, stage.code.entry);
    if stage.kind != StageKind::Vertex || !reached.complete {
        return foreign;
    }
    let mut from = 0;
    for block in layout.blocks.iter().filter(|block| block.kind == BlockKind::Procedure) {
        let range = block.start as usize..block.end as usize;
        if block.start < from {
            continue;
        }
        from = block.end;
        let emits = |word: &u32| matches!(Opcode::of_word(*word), Some(Opcode::Emit | Opcode::Setemit));
        let runs = reached.words.get(range.clone()).is_some_and(|words| words.contains(&true));
        if !runs && text.words.get(range.clone()).is_some_and(|words| words.iter().any(emits)) {
            foreign.get_mut(range).into_iter().flatten().for_each(|word| *word = true);
        }
    }
    foreign
}

/// Writes a line; whether picasso would put a NOP in front of it.
fn code_line(
    sink: &mut impl Sink,
    line: &Line<'_>,
    stage: &Stage<'_>,
    text: &CodeText<'_>,
    layout: &Layout,
    padding: &mut Padding,
    notes: &mut Vec<Diagnostic>,
) -> bool {
    let word =
        line.words.clone().and_then(|words| Some((words.start, *text.words.get(words.start as usize)?)));
    let unsaid = word.and_then(|(at, word)| {
        let form =
            if layout.block_heads.get(at as usize) == Some(&true) { Form::Block } else { Form::Bounds };
        unsayable(word, form, text, layout, stage).map(|reason| (at, word, reason))
    });
    let wants_nop = padding.wants_nop(line.text.trim(), word.map(|(_, word)| word));
    if let Some((at, word, reason)) = unsaid {
        note(notes, Some(at), format!("word {at:#x} cannot be said: {reason}"));
        let blanks = line.text.len() - line.text.trim_start().len();
        sink.put(PartKind::Plain, line.text.get(..blanks).unwrap_or_default());
        sink.put(PartKind::Mnemonic, "nop");
        sink.put(PartKind::Comment, &format!(" ; {word:#010x}: {reason}"));
    } else {
        // Suffixes are ours: what they pin is left to the assembler.
        let is_suffix = |part: &Part<'_>| part.kind == PartKind::Directive && part.text.starts_with('@');
        for part in line.parts().take_while(|part| !is_suffix(part)) {
            sink.put(part.kind, part.text);
        }
    }
    if let Some(words) = line.words.clone() {
        sink.words(words);
    }
    sink.end_line();
    wants_nop
}

/// Why picasso has no words for an instruction.
fn unsayable(
    word: u32,
    form: Form,
    text: &CodeText<'_>,
    layout: &Layout,
    stage: &Stage<'_>,
) -> Option<&'static str> {
    let Inst::Known { opcode, operands } = decode(word) else { return Some("no known instruction") };
    let descriptor = |desc: u8| text.descriptors.get(usize::from(desc)).map(|&low| Descriptor(low));
    let desc = match operands {
        Operands::One { desc, .. }
        | Operands::Two { desc, .. }
        | Operands::Mad { desc, .. }
        | Operands::Compare { desc, .. } => Some(desc),
        _ => None,
    };
    if let (Some(shape), Some(desc)) = (Shape::of(opcode), desc) {
        let Some(descriptor) = descriptor(desc) else { return Some("its descriptor is outside the table") };
        if shape.mask_bits() != 0 && descriptor.0 & shape.mask_bits() == 0 {
            return Some("it writes no component");
        }
        let mut input = None;
        for (register, index) in sources(opcode, &operands).into_iter().flatten() {
            match register.kind() {
                RegKind::Float(_) => {}
                _ if index != Index::None => return Some("only c registers can be indexed"),
                RegKind::Input(15) => return Some("picasso does not know v15"),
                RegKind::Input(number) if input.is_some_and(|other| other != number) => {
                    return Some("it reads two inputs");
                }
                RegKind::Input(number) => input = Some(number),
                RegKind::Temp(_) => {}
            }
        }
        if let Operands::One { dst, .. } | Operands::Two { dst, .. } | Operands::Mad { dst, .. } = operands
            && opcode != Opcode::Mova
            && stage.kind == StageKind::Geometry
            && dst.output().is_some_and(|register| register > 6)
        {
            return Some("a geometry program has no such output");
        }
    }
    match operands {
        Operands::Compare { x, y, .. }
            if [x, y].iter().any(|c| matches!(c, Compare::True6 | Compare::True7)) =>
        {
            Some("it has a comparison without a name")
        }
        Operands::SetEmit { vertex: 3, .. } => Some("picasso knows the slots 0 to 2"),
        _ if matches!(opcode.format(), Format::FlowCondition | Format::FlowUniform) => match Flow::of(word) {
            Flow::If { .. } | Flow::Loop { .. } if form == Form::Bounds => Some("its block does not nest"),
            Flow::Loop { .. } if word >> 22 & 0xF > 3 => Some("there is no such integer register"),
            Flow::Call { begin, end } => {
                let long = end + (word & 0x300) - begin;
                let procedure = layout.places.procedure_at(begin, long);
                procedure.is_none().then_some("what it calls is no procedure")
            }
            Flow::Jump { to } => match layout.places.label_at(to) {
                Some(label) if is_free_name(label) => None,
                _ => Some("it jumps out of the code"),
            },
            _ => None,
        },
        _ => None,
    }
}

/// Where picasso pads with a NOP, followed line by line.
#[derive(Default)]
struct Padding {
    after_end: bool,
    /// Whether each open block is a loop.
    open: Vec<bool>,
    /// The last instruction, and whether it was the head of the block or there was none yet.
    last: Option<Opcode>,
    empty: bool,
}

impl Padding {
    /// Whether a NOP would be inserted in front of this line.
    fn wants_nop(&mut self, line: &str, word: Option<u32>) -> bool {
        if let Some(word) = word {
            let opcode = Opcode::of_word(word);
            self.after_end = false;
            self.last = opcode;
            self.empty = false;
            // A head that names its bounds opens nothing.
            if matches!(opcode, Some(Opcode::Ifc | Opcode::Ifu | Opcode::Loop)) && !line.contains("..") {
                self.open.push(opcode == Some(Opcode::Loop));
                self.empty = true;
            }
            return false;
        }
        if line.starts_with(".proc") {
            self.open.push(false);
            self.empty = true;
            return false;
        }
        let (is_end, is_else) = (line == ".end", line == ".else");
        if !is_end && !is_else {
            return false;
        }
        let in_loop = self.open.last() == Some(&true);
        let transfer = match self.last {
            Some(Opcode::Jmpc | Opcode::Jmpu | Opcode::Call | Opcode::Callc | Opcode::Callu) => true,
            Some(Opcode::Break | Opcode::Breakc) => in_loop,
            _ => false,
        };
        let wants = self.after_end || self.empty || transfer;
        self.after_end = is_end;
        // An else part without instructions is not filled.
        self.empty = false;
        if is_end {
            self.open.pop();
        } else {
            self.last = None;
        }
        wants
    }
}
