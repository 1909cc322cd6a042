//! What is legal to encode but does otherwise than it looks: values that are not there any more or not there
//! yet, units that are off, places that do not exist.

use super::inst::{Source, SourceKind};
use super::names::{Area, Names};
use super::print::usual_unknown;
use super::table::{INSTRUCTIONS, MEMORY, MulOp, Unit};
use super::{Inst, decode, instructions, stats};
use unshade_bytes::{Diagnostic, Location, Severity};
use unshade_stage::Stage;

/// Findings of a code after which no more are looked for.
const MOST_FINDINGS: usize = 1000;

/// Something about one instruction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// How bad it is.
    pub severity: Severity,
    /// Stable name of the kind of finding.
    pub code: &'static str,
    /// Index of the instruction.
    pub instruction: u32,
    /// What the line starts with that it is about: a unit, `branch`, `store`.
    pub line: Option<&'static str>,
    /// A sentence without full stop.
    pub message: String,
    /// Further sentences.
    pub notes: Vec<String>,
}

/// Checks a stage: its code, and what the file declares about it.
pub fn lint(stage: &Stage<'_>) -> Vec<Diagnostic> {
    let (all, rest) = instructions(&stage.code.words);
    let insts: Vec<Inst> = all.map(decode).collect();
    let names = Names::of_symbols(&stage.interface.symbols);
    let mut out: Vec<Diagnostic> = code(&insts, &names)
        .into_iter()
        .map(|finding| {
            let location = Location::Word(finding.instruction.saturating_mul(4));
            let path = finding.line.unwrap_or_default();
            let mut out = Diagnostic::new(finding.severity, finding.code, location, path, finding.message);
            out.notes = finding.notes;
            out
        })
        .collect();
    if !rest.is_empty() {
        out.push(Diagnostic::new(
            Severity::Error,
            "mali-gp.lint.partial",
            Location::Word((insts.len() * 4) as u32),
            "",
            format!("the code ends with {} words that make no instruction of four", rest.len()),
        ));
    }
    if let Some((count, prefetch)) = stats::declared(&stage.interface) {
        let (counted, loads) = stats::declaration(&stage.code.words);
        if count != counted {
            let message = format!("the file declares {count} instructions, the code has {counted}");
            out.push(Diagnostic::new(
                Severity::Error,
                "mali-gp.lint.instruction-count",
                Location::Whole,
                "declared.instructions",
                message,
            ));
        }
        if prefetch != loads {
            let message = format!(
                "the file declares {prefetch} instructions up to the last load of an attribute, the code has {loads}"
            );
            out.push(Diagnostic::new(
                Severity::Warning,
                "mali-gp.lint.attribute-prefetch",
                Location::Whole,
                "declared.attribute_prefetch",
                message,
            ));
        }
    }
    out
}

/// Checks instructions. `names` says which places of memory hold uniforms.
pub fn code(insts: &[Inst], names: &Names) -> Vec<Finding> {
    let mut lint = Lint { insts, names, findings: Vec::new(), blocks: blocks(insts) };
    if insts.len() > INSTRUCTIONS {
        let message = format!("{} instructions; the machine holds {INSTRUCTIONS}", insts.len());
        lint.find(Severity::Error, "mali-gp.lint.length", INSTRUCTIONS, None, message);
    }
    for index in 0..insts.len() {
        if lint.findings.len() >= MOST_FINDINGS {
            break;
        }
        lint.instruction(index);
        lint.distances(index);
    }
    lint.findings
}

/// Instructions that may follow others than the one in front of them, or that follow a branch.
fn blocks(insts: &[Inst]) -> Vec<bool> {
    let mut starts = vec![false; insts.len() + 1];
    for (index, inst) in insts.iter().enumerate().filter(|(_, inst)| inst.branch) {
        starts[index + 1] = true;
        if let Some(start) = starts.get_mut(usize::from(inst.target)) {
            *start = true;
        }
    }
    starts
}

struct Lint<'a> {
    insts: &'a [Inst],
    names: &'a Names,
    findings: Vec<Finding>,
    /// Where blocks start.
    blocks: Vec<bool>,
}

/// What an instruction writes that a later one may miss.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Late {
    /// A component of a register: visible three instructions later.
    Register(u8, u8),
    /// Some place of temporary memory: four.
    Temporary,
    /// An address register for loads: four.
    Address(u8),
}

impl Late {
    fn distance(self) -> usize {
        match self {
            Self::Register(..) => 3,
            Self::Temporary | Self::Address(_) => 4,
        }
    }
}

impl Lint<'_> {
    fn find(
        &mut self,
        severity: Severity,
        code: &'static str,
        index: usize,
        line: Option<&'static str>,
        message: impl Into<String>,
    ) {
        if self.findings.len() < MOST_FINDINGS {
            let message = message.into();
            let instruction = index as u32;
            self.findings.push(Finding { severity, code, instruction, line, message, notes: Vec::new() });
        }
    }

    fn warn(
        &mut self,
        code: &'static str,
        index: usize,
        line: Option<&'static str>,
        message: impl Into<String>,
    ) {
        self.find(Severity::Warning, code, index, line, message);
    }

    fn note(&mut self, note: &str) {
        if let Some(last) = self.findings.last_mut() {
            last.notes.push(note.to_owned());
        }
    }

    /// What can be seen in the instruction alone and in the two before it.
    fn instruction(&mut self, index: usize) {
        let Some(inst) = self.insts.get(index).copied() else { return };
        self.unknown(index, &inst);
        for (unit, n, source) in inst.sources() {
            let line = Some(unit.name());
            match source.kind() {
                SourceKind::Result(of, back) => self.result(index, line, of, usize::from(back)),
                SourceKind::Identity => {
                    let neutral = n == 1 && !matches!(unit, Unit::Pass | Unit::Complex);
                    if !neutral {
                        self.result(index, line, Unit::Complex, 1);
                    }
                }
                SourceKind::PreviousReg0(_) if index == 0 => {
                    let message = "the first instruction reads what an instruction before it has loaded";
                    self.warn("mali-gp.lint.before-start", index, line, message);
                }
                SourceKind::PreviousReg0(_) if self.blocks[index] => {
                    let message =
                        "reads what the instruction before has loaded, which may be another one here";
                    self.warn("mali-gp.lint.across-branch", index, line, message);
                }
                SourceKind::Unused => {
                    let message = "reads nothing in a place where its operation has a source";
                    self.warn("mali-gp.lint.missing-source", index, line, message);
                }
                SourceKind::Unknown(n) => {
                    let message =
                        format!("reads source {}, whose meaning is not known", Source::unknown(n).0);
                    self.warn("mali-gp.lint.unknown", index, line, message);
                }
                _ => {}
            }
        }
        for (store, line) in inst.store.iter().zip(["store", "store"]) {
            for source in store.sources.iter().filter(|source| !source.is_none()) {
                match source.unit() {
                    None => {
                        self.warn(
                            "mali-gp.lint.unknown",
                            index,
                            Some(line),
                            "stores source 5, whose meaning is not known",
                        );
                    }
                    Some(unit) if !inst.is_on(unit) => {
                        let message = format!("stores the result of {}, which is off", unit.name());
                        self.warn("mali-gp.lint.unit-off", index, Some(line), message);
                    }
                    Some(unit @ (Unit::Mul0 | Unit::Mul1)) if inst.mul_op == MulOp::Complex1 => {
                        let message = "stores the result of `complex1`, which comes one instruction later";
                        self.warn("mali-gp.lint.complex1", index, Some(unit.name()), message);
                    }
                    Some(Unit::Mul1) if inst.mul_op.is_wide() => {
                        let message = "stores the result of mul1, which is joined to mul0 here";
                        self.warn("mali-gp.lint.unit-off", index, Some(line), message);
                    }
                    Some(_) => {}
                }
            }
        }
        if inst.branch {
            if usize::from(inst.target) >= self.insts.len() {
                let message = format!("goes to instruction {}; there are {}", inst.target, self.insts.len());
                self.find(Severity::Error, "mali-gp.lint.branch-target", index, Some("branch"), message);
            }
            if !inst.is_on(Unit::Pass) {
                let message = "branches on the result of the pass unit, which is off";
                self.warn("mali-gp.lint.unit-off", index, Some("branch"), message);
            }
        }
        let usual = usual_unknown(inst.branch, inst.stores_temporary());
        if inst.unknown_1 != usual {
            let message = format!("bits 116 to 119 are {}; compilers write {usual} here", inst.unknown_1);
            self.warn("mali-gp.lint.unknown", index, Some("fields"), message);
        }
        if inst.reads_memory() {
            if usize::from(inst.load.address) >= MEMORY {
                let message = format!("loads vector {} of memory; there are {MEMORY}", inst.load.address);
                self.warn("mali-gp.lint.memory", index, None, message);
            }
            if !inst.load.is_known() {
                let message =
                    format!("offset code {} of the memory load has no known meaning", inst.load.offset);
                self.warn("mali-gp.lint.unknown", index, None, message);
            }
        }
    }

    /// Operations without known meaning.
    fn unknown(&mut self, index: usize, inst: &Inst) {
        let mut unknown = |line: &'static str, name: &str| {
            let message = format!("what `{name}` does is not known");
            self.warn("mali-gp.lint.unknown", index, Some(line), message);
        };
        let [add, pass] = [inst.add_op.row(), inst.pass_op.row()];
        for (unit, row) in [(Unit::Add0, add), (Unit::Add1, add)] {
            if inst.is_on(unit) && !row.known {
                unknown(unit.name(), row.name);
            }
        }
        if !inst.mul_op.row().known {
            unknown("mul01", inst.mul_op.name());
        }
        if inst.is_on(Unit::Pass) && !pass.known {
            unknown(Unit::Pass.name(), pass.name);
        }
        if !inst.complex_op.row().known {
            unknown(Unit::Complex.name(), inst.complex_op.name());
        }
    }

    /// A result that is read so many instructions later.
    fn result(&mut self, index: usize, line: Option<&'static str>, unit: Unit, back: usize) {
        let Some(before) = index.checked_sub(back) else {
            let message = format!("reads the result of {} from before the first instruction", unit.name());
            return self.warn("mali-gp.lint.before-start", index, line, message);
        };
        if (before + 1..=index).any(|at| self.blocks[at]) {
            let message = format!(
                "reads the result of {} across a branch, where another instruction may have run",
                unit.name()
            );
            return self.warn("mali-gp.lint.across-branch", index, line, message);
        }
        let source = self.insts[before];
        let wide = source.mul_op.is_wide();
        if !source.is_on(unit) || unit == Unit::Mul1 && wide {
            let message =
                format!("reads the result of {} in instruction {before}, where it is off", unit.name());
            self.warn("mali-gp.lint.unit-off", index, line, message);
        } else if unit == Unit::Mul0 && source.mul_op == MulOp::Complex1 && back == 1 {
            let message = "reads the result of `complex1` one instruction too early";
            self.warn("mali-gp.lint.complex1", index, line, message);
            self.note("it is there two instructions later, as `^^mul0`");
        }
    }

    /// Values that are read before they are there.
    fn distances(&mut self, index: usize) {
        let Some(inst) = self.insts.get(index) else { return };
        let mut late = Vec::new();
        for (slot, store) in inst.store.iter().enumerate() {
            if store.temporary && store.is_active() {
                late.push(Late::Temporary);
            } else if !store.varying {
                for (n, _) in store.sources.iter().enumerate().filter(|(_, source)| !source.is_none()) {
                    late.push(Late::Register(store.number, (2 * slot + n) as u8));
                }
            }
        }
        for register in 1..4 {
            if inst.complex_op.addresses() >> register & 1 != 0 {
                late.push(Late::Address(register));
            }
        }
        if late.is_empty() {
            return;
        }
        // At most eight paths of three instructions.
        let mut paths = vec![(index, 0)];
        while let Some((at, distance)) = paths.pop() {
            if distance > 0 {
                self.too_early(index, at, distance, &late);
            }
            if distance < 3 {
                let Some(inst) = self.insts.get(at) else { continue };
                paths.push((at + 1, distance + 1));
                if inst.branch {
                    paths.push((usize::from(inst.target), distance + 1));
                }
            }
        }
    }

    fn too_early(&mut self, from: usize, at: usize, distance: usize, late: &[Late]) {
        let Some(inst) = self.insts.get(at).copied() else { return };
        for &what in late.iter().filter(|late| distance < late.distance()) {
            let reads = |(_, _, source): (Unit, usize, Source)| match (source.kind(), what) {
                (SourceKind::Reg0(c), Late::Register(number, component)) => {
                    !inst.reg0.attribute && (inst.reg0.number, c) == (number, component)
                }
                (SourceKind::Reg1(c), Late::Register(number, component)) => {
                    (inst.reg1, c) == (number, component)
                }
                _ => false,
            };
            let (missed, name) = match what {
                Late::Register(number, component) => {
                    let letter = ["x", "y", "z", "w"][usize::from(component & 3)];
                    (inst.sources().any(reads), format!("${number}.{letter}"))
                }
                Late::Temporary => {
                    let word = u32::from(inst.load.address) * 4;
                    let uniform = (word..word + 4).any(|word| self.names.at(Area::Memory, word).is_some());
                    let may = inst.load.register().is_some() || !uniform;
                    (inst.reads_memory() && may, "temporary memory".to_owned())
                }
                Late::Address(register) => {
                    (inst.reads_memory() && inst.load.register() == Some(register), format!("addr{register}"))
                }
            };
            if missed {
                let message = format!(
                    "reads {name} {distance} after instruction {from} has written it; it is there after {}",
                    what.distance()
                );
                self.warn("mali-gp.lint.latency", at, None, message);
            }
        }
    }
}
