//! The native listing of a program.

use super::decode::Program;
use super::fields::CfAlu;
use super::inst::Cf;
use super::layout::{Clause, Layout, Policy};
use super::print::{ClauseText, GroupText, fetch, flow, group, unused_source, usual_fill};
use super::table::CfOp;
use std::ops::Range;
use unshade_isa_common::Remarks;
use unshade_isa_common::text::{PartKind, Sink};
use unshade_stage::Code;

/// Deepest loop that lines are still moved to the right for.
pub(super) const DEEPEST: usize = 16;

/// Writes the whole code, so that [`super::asm::assemble`] makes the same words of it.
///
/// ```
/// use unshade_isa_common::{Remarks, text::PlainText};
/// use unshade_isa_latte::{asm::assemble, listing::list_code};
/// use unshade_stage::Code;
/// let words = [0xC000_0000, 0x9420_0688];
/// let mut text = PlainText::default();
/// list_code(&Code { words: (&words[..]).into(), ..Code::default() }, Remarks::default(), &mut text);
/// assert_eq!(text.text(), "00 EXP_DONE: PIX0, R0.xyzw ELEM_SIZE(3)\nEND_OF_PROGRAM\n");
/// assert_eq!(assemble(text.text()).unwrap().words, words);
/// ```
pub fn list_code(code: &Code<'_>, remarks: Remarks, sink: &mut impl Sink) {
    let words = &*code.words;
    let program = Program::new(words);
    let layout = Layout::new(&program);
    let (policy, explicit) = places(&layout);
    if policy != Policy::default() {
        sink.put(PartKind::Directive, ".layout ");
        sink.put(PartKind::Name, policy.name());
        sink.end_line();
    }
    let unused = unused_source(&program, &layout);
    if unused != 0 {
        sink.put(PartKind::Directive, ".unused ");
        sink.decimal(PartKind::Immediate, unused);
        sink.end_line();
    }
    let fill = usual_fill(&program, &layout);
    if fill != 0 {
        sink.put(PartKind::Directive, ".fetch_fill ");
        sink.hex(PartKind::Immediate, fill, 8);
        sink.end_line();
    }
    let mut writer = Writer {
        program,
        layout: &layout,
        explicit,
        remarks,
        unused,
        fill,
        next_clause: 0,
        group: 0,
        depth: 0,
    };
    let mut ended = false;
    let mut last = None;
    for run in &layout.runs {
        if last.unwrap_or(0) != run.start {
            at(sink, run.start);
        }
        for address in run.clone() {
            let Some(cf) = program.cf(address) else { break };
            writer.instruction(sink, address, cf);
            ended |= cf.ends_program();
        }
        last = Some(run.end);
    }
    let returns = last.and_then(|end| program.cf(end.checked_sub(1)?)).and_then(Cf::op) == Some(CfOp::Return);
    if last.is_some() && !ended && !returns {
        sink.put(PartKind::Directive, ".unended");
        sink.end_line();
    }
    writer.strays(sink);
}

/// The same with a head that says which instruction set it is.
pub fn list_bare(code: &Code<'_>, remarks: Remarks, sink: &mut impl Sink) {
    sink.put(PartKind::Directive, ".isa ");
    sink.put(PartKind::Name, "latte");
    sink.end_line();
    list_code(code, remarks, sink);
}

/// The policy that fits best, and for each clause whether its address must be said.
fn places(layout: &Layout) -> (Policy, Vec<bool>) {
    let flow = layout.runs.first().map_or(0, |run| if run.start == 0 { run.end } else { 0 });
    let clauses: Vec<_> = layout.clauses.iter().map(|clause| (clause.fetches, clause.units)).collect();
    let [aligned, packed] = Policy::ALL.map(|policy| {
        let mut explicit = vec![false; clauses.len()];
        let mut count = 0_u32;
        policy.place(flow, &clauses, |number, free| {
            let first = layout.clauses.get(number).map_or(free, |clause| clause.first);
            if let Some(place) = explicit.get_mut(number).filter(|_| first != free) {
                *place = true;
                count += 1;
            }
            first
        });
        (count, policy, explicit)
    });
    let (_, policy, explicit) = if packed.0 < aligned.0 { packed } else { aligned };
    (policy, explicit)
}

fn at(sink: &mut impl Sink, address: u32) {
    sink.put(PartKind::Directive, ".at ");
    sink.decimal(PartKind::Label, address);
    sink.end_line();
}

struct Writer<'a> {
    program: Program<'a>,
    layout: &'a Layout,
    /// For each clause whether its address must be said.
    explicit: Vec<bool>,
    remarks: Remarks,
    /// What the second source of an instruction with one source holds.
    unused: u32,
    /// What the fourth word of a fetch holds.
    fill: u32,
    /// Number of the next clause of the layout.
    next_clause: usize,
    /// Number of the next group.
    group: u32,
    /// Loops around the current instruction.
    depth: usize,
}

impl Writer<'_> {
    fn indent(&self) -> usize {
        2 * self.depth.min(DEEPEST)
    }

    fn instruction(&mut self, sink: &mut impl Sink, address: u32, cf: Cf) {
        let op = cf.op();
        if op == Some(CfOp::LoopEnd) {
            self.depth = self.depth.saturating_sub(1);
        }
        let clause = self.layout.clauses.get(self.next_clause).copied().filter(|clause| clause.cf == address);
        let text = match clause {
            None => ClauseText::Elsewhere,
            Some(_) if self.explicit.get(self.next_clause) == Some(&true) => ClauseText::Address,
            Some(_) => ClauseText::Usual,
        };
        self.next_clause += usize::from(clause.is_some());
        indent(sink, self.indent());
        if address < 10 {
            sink.put(PartKind::Label, "0");
        }
        sink.decimal(PartKind::Label, address);
        sink.put(PartKind::Plain, " ");
        flow(sink, address, cf, text);
        self.end_line(sink, 2 * address..2 * address + 2);
        if let Some(clause) = clause {
            self.clause(sink, cf, clause);
        }
        if cf.ends_program() && op.is_some() {
            sink.put(PartKind::Mnemonic, "END_OF_PROGRAM");
            sink.end_line();
        }
        if matches!(op, Some(CfOp::LoopStart | CfOp::LoopStartDx10 | CfOp::LoopStartNoAl)) {
            self.depth += 1;
        }
    }

    /// On its own: within what calls it, its inner loop runs out of registers.
    #[inline(never)]
    fn clause(&mut self, sink: &mut impl Sink, cf: Cf, clause: Clause) {
        let blanks = self.indent();
        if clause.fetches {
            for (address, inst) in self.program.fetches(cf.normal()) {
                fetch(sink, inst, self.group, blanks, self.fill);
                self.end_line(sink, 2 * address..2 * address + 4);
                self.group = self.group.wrapping_add(1);
            }
            return;
        }
        let program = self.program;
        let mut first = true;
        for of in program.groups(CfAlu(cf.0)) {
            let text = GroupText { number: self.group, indent: blanks, first, unused: self.unused };
            let bits = |unit: u32| program.unit(of.address.wrapping_add(unit)).unwrap_or(0);
            group(sink, &of, bits, text, |sink, words| {
                self.end_line(sink, 2 * of.address + words.start..2 * of.address + words.end);
            });
            self.group = self.group.wrapping_add(1);
            first = false;
        }
    }

    /// What belongs to nothing, and the size of the whole where that does not follow.
    fn strays(&self, sink: &mut impl Sink) {
        let mut end = self.layout.end();
        for stretch in self.layout.strays(&self.program) {
            at(sink, stretch.start);
            let mut unit = stretch.start;
            while unit < stretch.end {
                let next = (unit + 2).min(stretch.end);
                self.words(sink, 2 * unit..2 * next);
                unit = next;
            }
            end = end.max(stretch.end);
        }
        let units = self.program.units();
        if !self.program.words().len().is_multiple_of(2) {
            at(sink, units);
            self.words(sink, 2 * units..2 * units + 1);
        } else if end < units {
            sink.put(PartKind::Directive, ".size ");
            sink.decimal(PartKind::Immediate, units);
            sink.end_line();
        }
    }

    fn words(&self, sink: &mut impl Sink, words: Range<u32>) {
        sink.put(PartKind::Directive, "    .word ");
        let all = self.program.words().get(words.start as usize..words.end as usize).unwrap_or_default();
        for (number, word) in all.iter().enumerate() {
            if number > 0 {
                sink.put(PartKind::Punctuation, ", ");
            }
            sink.hex(PartKind::Immediate, *word, 8);
        }
        self.end_line(sink, words);
    }

    #[inline]
    fn end_line(&self, sink: &mut impl Sink, words: Range<u32>) {
        if self.remarks != Remarks::default() {
            self.remark(sink, words.clone());
        }
        sink.words(words);
        sink.end_line();
    }

    #[cold]
    fn remark(&self, sink: &mut impl Sink, words: Range<u32>) {
        const COLUMN: usize = 72;
        sink.pad_to(COLUMN);
        sink.put(PartKind::Comment, ";");
        if let Some(first) = self.remarks.offsets {
            sink.put(PartKind::Comment, " ");
            let offset = first.saturating_add(4 * u64::from(words.start));
            sink.hex(PartKind::Comment, offset.min(u32::MAX.into()) as u32, 6);
        }
        if self.remarks.words {
            let all = self.program.words().get(words.start as usize..words.end as usize);
            for word in all.unwrap_or_default() {
                sink.put(PartKind::Comment, " ");
                let digits: [u8; 8] =
                    std::array::from_fn(|n| b"0123456789ABCDEF"[(word >> (28 - 4 * n) & 15) as usize]);
                sink.ascii(PartKind::Comment, &digits);
            }
        }
    }
}

fn indent(sink: &mut impl Sink, count: usize) {
    if count > 0 {
        const BLANKS: &str = "                                ";
        sink.put(PartKind::Plain, BLANKS.get(..count).unwrap_or(BLANKS));
    }
}
