//! What needs all the text: jumps to labels, calls to procedures, entry points.

use super::assembler::Assembler;
use super::program::{Executable, Program};
use super::{Assembly, Origin, Procedure};
use crate::{Inst, Opcode, Operands, decode};
use std::collections::BTreeSet;
use unshade_bytes::{Diagnostic, Location, Severity};
use unshade_isa_common::assembly::Problem;
use unshade_stage::StageKind;

impl<'a> Assembler<'a> {
    /// Labels belong to one source.
    pub(super) fn link_labels(&mut self) {
        for jump in std::mem::take(&mut self.file.jumps) {
            self.statement = jump.name;
            match self.file.labels.get(jump.name.text) {
                Some(&target) => self.set_target(jump.word, target),
                None => {
                    let message = format!("there is no label `{}` in this source", jump.name.text);
                    let mut problem = Problem::new("pica200.asm.unknown-label", jump.name.span(), message);
                    if self.procedures.contains_key(jump.name.text) {
                        problem = problem.note("a procedure has that name; jumps need a label");
                    }
                    self.findings.error(problem);
                }
            }
        }
    }

    /// Procedures are known to all sources.
    fn link_calls(&mut self) {
        for call in std::mem::take(&mut self.calls) {
            self.findings.source = call.source;
            self.statement = call.name;
            let procedure = self.procedures.get(call.name.text);
            let procedure = procedure.and_then(|&index| self.procedure_list.get(index));
            match procedure.map(|procedure| (procedure.start as usize, procedure.length as usize)) {
                Some((start, length)) => {
                    self.set_target(call.word, start);
                    self.set_length(call.word, length, call.name.span());
                }
                None => {
                    let message = format!("there is no procedure `{}`", call.name.text);
                    self.findings.error(Problem::new(
                        "pica200.asm.unknown-procedure",
                        call.name.span(),
                        message,
                    ));
                }
            }
        }
    }

    /// Ends the assembly.
    pub(super) fn finish(mut self) -> Result<Assembly, Vec<Diagnostic>> {
        self.link_calls();
        let first_kind = self.units.first().map(|unit| unit.kind());
        let executables = self.executables();
        if executables.is_empty() && self.findings.errors.is_empty() {
            let message = "no source makes an executable";
            self.findings.errors.push(Diagnostic::new(
                Severity::Error,
                "pica200.asm.no-executable",
                Location::Whole,
                "",
                message,
            ));
        }
        if !self.findings.errors.is_empty() {
            let mut all = self.findings.errors;
            all.append(&mut self.findings.warnings);
            return Err(all);
        }
        Ok(Assembly {
            program: Program {
                words: self.words,
                descriptors: self.pool.words(),
                executables,
                shared: self.shared.into_iter().map(|(uniform, _)| uniform).collect(),
                first_kind,
            },
            warnings: self.findings.warnings,
            origins: self.origins,
            procedures: self.procedure_list,
        })
    }

    fn executables(&mut self) -> Vec<Executable> {
        let mut executables = Vec::new();
        for unit in std::mem::take(&mut self.units) {
            if unit.no_executable {
                continue;
            }
            self.findings.source = unit.source;
            let entry_name = unit.entry.map_or("main", |entry| entry.text);
            let span = unit.entry.map_or(0..0, |entry| entry.span());
            let Some(procedure) =
                self.procedures.get(entry_name).and_then(|&index| self.procedure_list.get(index))
            else {
                let message = format!("there is no procedure `{entry_name}` to start with");
                self.findings.error(
                    Problem::new("pica200.asm.unknown-entry", span, message)
                        .note("`.entry` names another one, `.nodvle` says that this source has none"),
                );
                continue;
            };
            if !self.reaches_end(procedure) {
                let message = format!("no `end` stops the program that starts in `{entry_name}`");
                let span = if procedure.source == unit.source { procedure.span.clone() } else { span };
                self.findings.warn("pica200.asm.no-end", span, message);
            }
            let mut uniforms = unit.uniforms;
            uniforms.sort_by_key(|uniform| uniform.register);
            executables.push(Executable {
                source: unit.source,
                kind: if unit.geometry { StageKind::Geometry } else { StageKind::Vertex },
                entry_name: entry_name.to_string(),
                entry: procedure.start,
                end: procedure.start.saturating_add(procedure.length),
                input_mask: unit.input_mask,
                output_mask: unit.output_mask,
                geometry: unit.geometry.then_some(unit.mode),
                merge: unit.merge,
                constants: unit.constants,
                outputs: unit.outputs,
                uniforms,
            });
        }
        executables
    }

    /// Whether an END stands in the procedure or in one that it calls. A program that jumps out of its
    /// procedures is taken to know what it does.
    fn reaches_end(&self, procedure: &Procedure) -> bool {
        let mut open = vec![(procedure.start as usize, procedure.length as usize)];
        let mut seen = BTreeSet::new();
        while let Some((start, length)) = open.pop() {
            if !seen.insert(start) {
                continue;
            }
            let end = start.saturating_add(length).min(self.words.len());
            for &word in self.words.get(start..end).unwrap_or_default().iter().rev() {
                let Inst::Known { opcode, operands } = decode(word) else { continue };
                let (target, length) = match operands {
                    Operands::FlowCondition { dst, num, unused, .. }
                    | Operands::FlowUniform { dst, num, unused, .. } => {
                        (usize::from(dst), usize::from(unused) << 8 | usize::from(num))
                    }
                    _ if opcode == Opcode::End => return true,
                    _ => continue,
                };
                match opcode {
                    Opcode::Call | Opcode::Callc | Opcode::Callu => open.push((target, length)),
                    Opcode::Jmpc | Opcode::Jmpu if !(start..end).contains(&target) => return true,
                    _ => {}
                }
            }
        }
        false
    }
}

impl Origin {
    /// As a place in the sources.
    pub fn location(self) -> Location {
        let at = self.at as usize;
        Location::Text { source: self.source as usize, span: at..at }
    }
}
