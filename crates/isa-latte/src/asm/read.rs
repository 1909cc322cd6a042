//! Lines to control-flow instructions with their clauses, to words and directives.

use super::alu::{self, Front};
use super::cursor::Cursor;
use super::fetch;
use super::flow::{self, Flow};
use super::{Findings, MOST_UNITS};
use crate::inst::Cf;
use crate::layout::Policy;
use crate::table::{CfOp, FetchOp};
use std::ops::Range;
use unshade_isa_common::assembly::lexer::{Lines, Piece};
use unshade_isa_common::assembly::{Problem, Result};
use unshade_stage::suggest;

/// A program whose places are not known.
#[derive(Debug, Default)]
pub(super) struct Draft {
    /// Control flow in the order of the text.
    pub(super) flow: Vec<Step>,
    /// Words with the addresses of the units that they start at.
    pub(super) data: Vec<Data>,
    /// Labels with the instruction behind each.
    pub(super) labels: Vec<(String, Range<usize>, usize)>,
    pub(super) policy: Policy,
    /// Units that it has at least.
    pub(super) size: u32,
    /// The text says that it has no end.
    pub(super) unended: bool,
}

/// A control-flow instruction.
#[derive(Debug)]
pub(super) struct Step {
    /// Number in front of it.
    pub(super) number: Option<u32>,
    /// The address at which it stands, where the text says so.
    pub(super) at: Option<u32>,
    pub(super) what: What,
    /// The program ends behind it.
    pub(super) ends: bool,
    pub(super) clause: Clause,
    pub(super) span: Range<usize>,
}

#[derive(Debug)]
pub(super) enum What {
    Flow(Box<Flow>),
    /// Bits as they are.
    Raw(u64),
}

impl What {
    pub(super) fn op(&self) -> Option<CfOp> {
        match self {
            Self::Flow(flow) => Some(flow.op),
            Self::Raw(bits) => Cf(*bits).op(),
        }
    }
}

/// Contents of a clause.
#[derive(Debug, Default)]
pub(super) struct Clause {
    pub(super) units: Vec<u64>,
    /// For each line its unit in the clause, and its place in the text.
    pub(super) origins: Vec<(u32, usize)>,
    /// The clause with equal literals of a group in one place, where that makes a difference.
    shared: Option<Vec<u64>>,
}

impl Clause {
    fn put(&mut self, units: &[u64], shared: Option<&[u64]>) {
        if shared.is_some() && self.shared.is_none() {
            self.shared = Some(self.units.clone());
        }
        self.units.extend(units);
        if let Some(other) = &mut self.shared {
            other.extend(shared.unwrap_or(units));
        }
    }

    /// Chooses the way of placing literals by which the clause is as long as the text says. A listing of decaf
    /// does not tell it otherwise.
    pub(super) fn settle(&mut self, length: u32) {
        if self.units.len() as u32 != length
            && let Some(other) = self.shared.take_if(|other| other.len() as u32 == length)
        {
            self.units = other;
            // Lines of groups behind such literals have moved; their places are only those of the clause.
            self.origins.clear();
        }
    }
}

/// Words at an address.
#[derive(Debug)]
pub(super) struct Data {
    pub(super) at: u32,
    pub(super) words: Vec<u32>,
    pub(super) span: Range<usize>,
}

/// What lines without a control-flow instruction go on with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Inside {
    Nothing,
    Arithmetic,
    Fetches,
    Words,
    /// Something that was wrong; what goes on with it is passed over.
    Broken,
}

struct Reader<'f> {
    draft: Draft,
    findings: &'f mut Findings,
    inside: Inside,
    /// Where the next instruction or word stands, where `.at` said so.
    at: Option<u32>,
    group: Vec<alu::Draft>,
    /// Number of the open group.
    number: Option<u32>,
    front: Front,
    /// What the second source of an operation with one source holds.
    unused: u32,
    /// What the fourth word of a fetch holds.
    fill: u32,
    /// A line of the open group was wrong.
    broken_group: bool,
}

/// Reads a text.
pub(super) fn read(text: &str, findings: &mut Findings) -> Draft {
    let mut reader = Reader {
        draft: Draft::default(),
        findings,
        inside: Inside::Nothing,
        at: None,
        group: Vec::new(),
        number: None,
        front: Front::Start,
        unused: 0,
        fill: 0,
        broken_group: false,
    };
    for line in Lines::new(text) {
        if reader.findings.is_full() {
            break;
        }
        if line.body.is_empty() {
            continue;
        }
        if let Err(problem) = reader.line(Cursor::new(line.body)) {
            reader.findings.error(problem);
        }
    }
    reader.close();
    reader.draft
}

/// A number in front of an instruction.
fn number_in_front(line: &mut Cursor<'_>) -> Option<u32> {
    let mut ahead = *line;
    let digits = ahead.run(|byte| byte.is_ascii_digit());
    let number = digits.text.parse().ok()?;
    if !matches!(ahead.peek(), Some(b' ' | b'\t')) {
        return None;
    }
    ahead.blank();
    *line = ahead;
    Some(number)
}

impl Reader<'_> {
    fn line(&mut self, mut line: Cursor<'_>) -> Result<()> {
        let start = line.position();
        if line.peek() == Some(b'.') {
            return self.directive(&mut line, None);
        }
        if let Some(label) = label(&line) {
            self.close();
            self.draft.labels.push((label.text.to_owned(), label.span(), self.draft.flow.len()));
            return Ok(());
        }
        let number = number_in_front(&mut line);
        let new_group = number.is_some() || line.eat("- ");
        if line.peek() == Some(b'.') {
            return self.directive(&mut line, number);
        }
        if let Some(unit) = alu::unit(&line) {
            return self.arithmetic(&mut line, unit, number, new_group);
        }
        let name = line.sees_word();
        if name.text == "END_OF_PROGRAM" {
            line.word();
            self.close();
            self.end(name.span())?;
            return if line.is_done() { Ok(()) } else { Err(line.unexpected("the end of the line")) };
        }
        if let Some(op) = flow::operation(name.text) {
            self.close();
            let read = flow::instruction(&mut line, op);
            self.inside = match (&read, op.is_alu(), op.is_fetch()) {
                (Err(_), true, _) | (Err(_), _, true) => Inside::Broken,
                (_, true, _) => Inside::Arithmetic,
                (_, _, true) => Inside::Fetches,
                _ => Inside::Nothing,
            };
            let what = What::Flow(Box::new(read?));
            self.step(number, what, line.since(start));
            return Ok(());
        }
        if let Some(op) = FetchOp::spelled(name.text) {
            self.close();
            match self.inside {
                Inside::Fetches => {}
                Inside::Broken => return Ok(()),
                _ => {
                    let message = "a fetch stands in no clause of fetches";
                    return Err(Problem::new("latte.asm.outside", name.span(), message)
                        .note("start one with `TEX:` or `VTX:`"));
                }
            }
            let bits = fetch::instruction(&mut line, op, self.fill)?;
            if let Some(step) = self.draft.flow.last_mut() {
                let clause = &mut step.clause;
                clause.origins.push((clause.units.len() as u32, start));
                clause.put(&[bits as u64, (bits >> 64) as u64], None);
            }
            return Ok(());
        }
        let problem = if name.is_empty() {
            line.unexpected("an instruction")
        } else {
            let message = format!("`{}` is no instruction", name.text);
            Problem::new("latte.asm.operation", name.span(), message)
        };
        if self.inside == Inside::Broken {
            return Ok(());
        }
        let names = CfOp::ALL.iter().map(|op| op.name()).chain(["END_OF_PROGRAM"]);
        let names = names.chain(FetchOp::ALL.iter().map(|op| op.name()));
        Err(match suggest(name.text, names, 1).first() {
            Some(near) => problem.note(format!("did you mean `{near}`?")),
            None => problem,
        })
    }

    fn step(&mut self, number: Option<u32>, what: What, span: Range<usize>) {
        self.front = Front::Start;
        let at = self.at.take();
        let clause = Clause::default();
        self.draft.flow.push(Step { number, at, what, ends: false, clause, span });
    }

    fn end(&mut self, span: Range<usize>) -> Result<()> {
        self.inside = Inside::Nothing;
        match self.draft.flow.last_mut() {
            None => {
                let message = "there is no instruction in front that could end the program";
                return Err(Problem::new("latte.asm.end", span, message));
            }
            // Arithmetic has no bit for the end, so an instruction that does nothing has it.
            Some(step) if step.what.op().is_some_and(CfOp::is_alu) => {
                let flow = Flow {
                    op: CfOp::Nop,
                    bits: crate::fields::CfNormal(0).with_barrier(1).0,
                    address: None,
                    count: None,
                    parts: Vec::new(),
                };
                self.step(None, What::Flow(Box::new(flow)), span);
            }
            Some(_) => {}
        }
        if let Some(step) = self.draft.flow.last_mut() {
            step.ends = true;
        }
        Ok(())
    }

    fn arithmetic(
        &mut self,
        line: &mut Cursor<'_>,
        unit: crate::decode::Unit,
        number: Option<u32>,
        new_group: bool,
    ) -> Result<()> {
        match self.inside {
            Inside::Arithmetic => {}
            Inside::Broken => return Ok(()),
            _ => {
                let span = line.position()..line.position() + 1;
                let message = "an arithmetic instruction stands in no clause of arithmetic";
                return Err(Problem::new("latte.asm.outside", span, message).note("start one with `ALU:`"));
            }
        }
        if new_group {
            self.close();
            self.number = number;
        }
        match alu::instruction(line, unit, self.unused) {
            Ok(draft) => self.group.push(draft),
            Err(problem) => {
                self.broken_group = true;
                return Err(problem);
            }
        }
        Ok(())
    }

    /// Ends the open group.
    fn close(&mut self) {
        let broken = std::mem::take(&mut self.broken_group);
        let drafts = std::mem::take(&mut self.group);
        let number = self.number.take();
        if drafts.is_empty() && !broken {
            return;
        }
        let front = std::mem::replace(&mut self.front, Front::Group(number));
        if broken {
            return;
        }
        let starts: Vec<usize> = drafts.iter().map(|draft| draft.span.start).collect();
        match alu::close(drafts, front) {
            Ok(closed) => {
                for warning in closed.warnings {
                    self.findings.warn(warning);
                }
                if let Some(step) = self.draft.flow.last_mut() {
                    let first = step.clause.units.len() as u32;
                    step.clause.origins.extend((first..).zip(starts));
                    step.clause.put(&closed.units, closed.shared.as_deref());
                }
            }
            Err(problem) => self.findings.error(problem),
        }
    }

    fn directive(&mut self, line: &mut Cursor<'_>, number: Option<u32>) -> Result<()> {
        let start = line.position();
        line.tight(".");
        let name = line.word();
        let span = start..name.span().end;
        if name.text == "word" {
            return self.words(line, number, start);
        }
        self.close();
        self.inside = Inside::Nothing;
        match name.text {
            "isa" => {
                let word = line.word();
                if word.text != "latte" {
                    return Err(Problem::new("latte.asm.isa", word.span(), "expected `latte`"));
                }
            }
            "layout" => {
                let word = line.word();
                let Some(policy) = Policy::ALL.into_iter().find(|policy| policy.name() == word.text) else {
                    let message = "expected `aligned` or `packed`";
                    return Err(Problem::new("latte.asm.layout", word.span(), message));
                };
                self.draft.policy = policy;
            }
            "at" => {
                self.at = Some(line.number(MOST_UNITS)?);
                line.blank();
                self.inside = Inside::Words;
            }
            "size" => {
                self.draft.size = line.number(MOST_UNITS)?;
                line.blank();
            }
            "unused" => {
                self.unused = line.number(511)?;
                line.blank();
            }
            "fetch_fill" => {
                self.fill = line.number(u32::MAX)?;
                line.blank();
            }
            "unended" => self.draft.unended = true,
            _ => {
                let message = format!("`.{}` is no directive of this listing", name.text);
                return Err(Problem::new("latte.asm.directive", span, message));
            }
        }
        if line.is_done() { Ok(()) } else { Err(line.unexpected("the end of the line")) }
    }

    /// `.word`: with a number in front a control-flow instruction, inside a clause of arithmetic a unit of it,
    /// behind `.at` words.
    fn words(&mut self, line: &mut Cursor<'_>, number: Option<u32>, start: usize) -> Result<()> {
        self.close();
        let mut words = Vec::new();
        loop {
            words.push(line.number(u32::MAX)?);
            line.blank();
            if line.is_done() {
                break;
            }
            line.expect(",")?;
        }
        let span = line.since(start);
        let unit = || match words[..] {
            [low, high] => Ok(u64::from(high) << 32 | u64::from(low)),
            _ => Err(Problem::new(
                "latte.asm.word",
                span.clone(),
                "expected two words: an instruction has 64 bits",
            )),
        };
        if number.is_some() {
            let what = What::Raw(unit()?);
            self.inside = Inside::Nothing;
            self.step(number, what, span);
            return Ok(());
        }
        match self.inside {
            Inside::Broken => Ok(()),
            Inside::Arithmetic => {
                let unit = unit()?;
                self.front = Front::Group(None);
                if let Some(step) = self.draft.flow.last_mut() {
                    step.clause.origins.push((step.clause.units.len() as u32, start));
                    step.clause.put(&[unit], None);
                }
                Ok(())
            }
            Inside::Words => {
                match (self.at.take(), self.draft.data.last_mut()) {
                    (Some(at), _) => self.draft.data.push(Data { at, words, span }),
                    (None, Some(data)) => data.words.extend(words),
                    (None, None) => {}
                }
                Ok(())
            }
            Inside::Nothing | Inside::Fetches => {
                let message = "it does not follow where these words go";
                Err(Problem::new("latte.asm.word", span, message)
                    .note("`.at` in front gives their address; a number in front makes them control flow"))
            }
        }
    }
}

/// A line that is a label alone.
fn label<'a>(line: &Cursor<'a>) -> Option<Piece<'a>> {
    let mut ahead = *line;
    let name = ahead.word();
    (name.is_identifier() && ahead.eat(":") && ahead.is_done() && flow::operation(name.text).is_none())
        .then_some(name)
}
