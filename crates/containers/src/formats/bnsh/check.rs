//! What is wrong with a BNSH that could be read. The instructions are not looked at.

use super::model::{Bnsh, Language, Object};
use super::raw::{CodeType, Program, STAGES, StageCode};
use crate::formats::nvn::check_pair;
use crate::formats::nvn::control::{Control, MAGIC};
use crate::formats::switch::check::{self, Findings};
use crate::formats::switch::{Pointer, Texts};
use unshade_bytes::{Diagnostic, Severity};
use unshade_stage::StageKind;

use Severity::{Error, Warning};

/// Versions whose files are described.
const VERSIONS: [(u8, u8); 8] = [(1, 2), (1, 4), (1, 5), (1, 10), (1, 11), (1, 12), (2, 1), (3, 1)];
/// Code sections start at multiples of this in the pool.
const CODE_ALIGNMENT: u64 = 0x100;
/// The pool, and the file in memory, start at multiples of this.
const POOL_ALIGNMENT: u64 = 0x1000;

/// The stages of the pipeline in the order of [`STAGES`].
pub(crate) const KINDS: [StageKind; 6] = [
    StageKind::Vertex,
    StageKind::TessControl,
    StageKind::TessEval,
    StageKind::Geometry,
    StageKind::Fragment,
    StageKind::Compute,
];

impl Bnsh {
    /// All findings, most severe first, then by place.
    pub fn check(&self) -> Vec<Diagnostic> {
        let texts = self.image.texts();
        let mut findings = Findings::default();
        if let Err(error) = check::check(&self.image, &texts, &mut findings) {
            findings.inside(vec![error.diagnostic()], 0, "");
        }
        self.check_container(&texts, &mut findings);
        let mut seen = std::collections::BTreeSet::new();
        for index in 0..self.variation_count() {
            let Some(at) = self.variation_place(index) else { break };
            // Variations may share a program; it is looked at once.
            self.check_variation(index, at, &mut seen, &texts, &mut findings);
        }
        if !self.trailing.is_empty() {
            let size = self.trailing.len() as u64;
            let message = format!("expected the end of the file, found {size} more bytes");
            findings.report(Warning, "bnsh.trailing", (self.image.len, size), "trailing", message);
        }
        findings.finish()
    }

    fn check_container(&self, texts: &Texts<'_>, findings: &mut Findings) {
        let Some(header) = self.header() else { return };
        let file = &header.file;
        if file.major != 2 || !VERSIONS.contains(&(file.minor, file.micro)) {
            let message = format!(
                "expected one of the versions 2.1.2 to 2.3.1 that are described, found {}: read like these",
                file.version()
            );
            findings.report(Warning, "bnsh.version", (8, 4), "header.version", message);
        }
        if texts.get(Pointer(file.name.0.saturating_sub(2))).is_none() {
            let message = format!("expected the characters of a string, found none at {:#x}", file.name.0);
            findings.report(Error, "bnsh.name", (0x10, 4), "header.name", message);
        }
        let Some((at, container)) = self.container() else { return };
        if container.variation_count > 0 && container.variations.is_null() {
            let place = (at.saturating_add(0x20), 8);
            let message = format!("expected a place of {} variations, found none", container.variation_count);
            findings.report(Error, "bnsh.variations", place, "container.variations", message);
        }
        let strings = self.image.strings().map(|(strings, _)| strings.saturating_sub(at));
        let next = u64::from(container.block.next);
        if strings != Some(next) {
            let message = format!("expected the way to the strings, found {next:#x}");
            findings.report(Error, "bnsh.block", (at.saturating_add(4), 4), "container.next_block", message);
        } else if u64::from(container.block.size) > next {
            let size = container.block.size;
            let message = format!("expected a block that ends before the strings, found {size:#x} bytes");
            findings.report(Error, "bnsh.block", (at.saturating_add(8), 4), "container.block_size", message);
        }
        if container.api_type != 4 {
            let message = format!("expected the graphics interface 4 (NVN), found {}", container.api_type);
            findings.report(Warning, "bnsh.api", (at.saturating_add(0x10), 2), "container.api_type", message);
        }
        let Some(pool) = self.pool() else { return };
        let place = (container.pool.0, 0x10);
        let end = pool.memory.0.saturating_add(pool.size.into());
        if end > self.image.len {
            let message = format!("expected an end before {:#x}, found {end:#x}", self.image.len);
            findings.report(Error, "bnsh.pool", place, "pool.size", message);
        }
        if pool.memory.0 % POOL_ALIGNMENT != 0 {
            let message = format!("expected a multiple of 0x1000, found {:#x}", pool.memory.0);
            findings.report(Error, "bnsh.pool-alignment", place, "pool.memory", message);
        }
        if pool.current != 0 {
            let message = format!("expected nothing, which a console fills in, found {:#x}", pool.current);
            let place = (container.pool.0.saturating_add(0x30), 8);
            findings.report(Warning, "bnsh.runtime", place, "pool.current", message);
        }
    }

    fn check_variation(
        &self,
        index: u32,
        at: u64,
        seen: &mut std::collections::BTreeSet<u64>,
        texts: &Texts<'_>,
        findings: &mut Findings,
    ) {
        let Some(variation) = self.variation_at(Pointer(at)) else { return };
        let container = self.container().map_or(0, |(at, _)| at);
        if variation.parent.0 != container {
            let message =
                format!("expected the container at {container:#x}, found {:#x}", variation.parent.0);
            let place = (at.saturating_add(0x18), 8);
            findings.report(Error, "bnsh.parent", place, format!("variations[{index}].parent"), message);
        }
        for language in Language::ALL {
            let place = variation.program(language);
            if let Some(program) = self.program(place)
                && seen.insert(place.0)
            {
                let path = format!("variations[{index}].{}", language.name());
                self.check_program(program, (place.0, at), language, &path, texts, findings);
            }
        }
    }

    fn check_program(
        &self,
        program: &Program,
        (at, variation): (u64, u64),
        language: Language,
        path: &str,
        texts: &Texts<'_>,
        findings: &mut Findings,
    ) {
        if program.parent.0 != variation {
            let found = program.parent.0;
            let message = format!("expected the variation at {variation:#x}, found {found:#x}");
            let place = (at.saturating_add(0x70), 8);
            findings.report(Error, "bnsh.parent", place, format!("{path}.parent"), message);
        }
        let code = CodeType::from_number(program.code_type);
        let fits = match language {
            Language::Binary => code == Some(CodeType::Binary),
            Language::Intermediate => code == Some(CodeType::Intermediate),
            Language::Source => matches!(code, Some(CodeType::Source | CodeType::SourceArray)),
        };
        if !fits {
            let message =
                format!("expected code for {}, found code type {}", language.name(), program.code_type);
            let place = (at.saturating_add(1), 1);
            findings.report(Error, "bnsh.code-type", place, format!("{path}.code_type"), message);
        }
        if let Some(bytes) = self.blob(program.object, program.object_size.into())
            && bytes.iter().any(|&byte| byte != 0)
        {
            let place = (program.object.0, program.object_size.into());
            let message = "expected zeros, which a console fills in, found other bytes";
            findings.report(Warning, "bnsh.runtime", place, format!("{path}.object"), message);
        }
        for (index, stage) in program.stages.iter().enumerate() {
            let name = STAGES.get(index).copied().unwrap_or_default();
            let path = format!("{path}.{name}");
            match self.image.get(*stage) {
                Some(Object::StageCode(record)) => {
                    if let Some(kind) = KINDS.get(index) {
                        self.check_stage(record, stage.0, *kind, &path, findings);
                    }
                }
                Some(Object::Raw(bytes)) if code == Some(CodeType::Source) => {
                    let message =
                        "expected one of the two layouts of a record of source, found what fits none or both";
                    let place = (stage.0, bytes.len() as u64);
                    findings.report(Warning, "bnsh.source-record", place, path, message);
                }
                _ => {}
            }
        }
        if let Some(table) = self.reflection(program.reflection) {
            for (index, stage) in table.stages.iter().enumerate() {
                let name = STAGES.get(index).copied().unwrap_or_default();
                if !stage.is_null() {
                    let path = format!("{path}.reflection.{name}");
                    self.check_reflection(*stage, program, index, &path, texts, findings);
                }
            }
        }
    }

    fn check_stage(&self, stage: &StageCode, at: u64, kind: StageKind, path: &str, findings: &mut Findings) {
        if stage.address != 0 {
            let message = format!("expected nothing, which a console fills in, found {:#x}", stage.address);
            findings.report(Warning, "bnsh.runtime", (at, 8), format!("{path}.address"), message);
        }
        let (start, size) = (stage.code.0, u64::from(stage.code_size));
        let place = (at.saturating_add(0x10), 8);
        match self.pool() {
            None => {
                let message = "expected a memory pool that holds the code, found none";
                findings.report(Error, "bnsh.code-pool", place, format!("{path}.code"), message);
            }
            Some(pool) => {
                let end = pool.memory.0.saturating_add(pool.size.into());
                let offset = start.checked_sub(pool.memory.0);
                if offset.is_none() || start.saturating_add(size) > end {
                    let message = format!(
                        "expected a place in the memory pool from {:#x} to {end:#x}, found {size:#x} bytes at {start:#x}",
                        pool.memory.0
                    );
                    findings.report(Error, "bnsh.code-pool", place, format!("{path}.code"), message);
                } else if offset.is_some_and(|offset| offset % CODE_ALIGNMENT != 0) {
                    let message =
                        format!("expected a multiple of 0x100 in the memory pool, found {start:#x}");
                    findings.report(Error, "bnsh.code-alignment", place, format!("{path}.code"), message);
                }
            }
        }
        let control = self.control(stage);
        let code = self.code(stage);
        let Some(control) = Control::new(&control) else {
            let found = Control(&control).word(0).unwrap_or(0);
            let message = format!("expected a control section that starts with {MAGIC:#x}, found {found:#x}");
            let place = (stage.control.0, 4);
            findings.report(Warning, "bnsh.control-magic", place, format!("{path}.control"), message);
            return;
        };
        check_pair(control, code, kind, (stage.control.0, start), path, findings);
    }

    fn check_reflection(
        &self,
        at: Pointer,
        program: &Program,
        index: usize,
        path: &str,
        texts: &Texts<'_>,
        findings: &mut Findings,
    ) {
        let Some(stage) = self.stage_reflection(at) else { return };
        if program.stages.get(index).is_none_or(|stage| stage.is_null()) {
            let message = "expected a stage that it reflects, found none";
            findings.report(Warning, "bnsh.reflection-stage", (at.0, 0x60), path, message);
        }
        let slots = self.slots(stage.slots).map_or(0, Vec::len);
        let extension = self.extension(stage.extension);
        let groups = stage.groups().into_iter().chain(extension.into_iter().flat_map(|found| found.groups()));
        let mut reached = 0_usize;
        for (group, dictionary, first) in groups {
            let count = self.dictionary(dictionary).map_or(0, |dictionary| dictionary.len());
            if count == 0 {
                continue;
            }
            let path = format!("{path}.{}", group.name());
            let first = usize::try_from(first).ok();
            let end = first.and_then(|first| first.checked_add(count));
            if end.is_none_or(|end| end > slots) {
                let message = format!(
                    "expected {count} slots from index {} on, found {slots} slots",
                    first.map_or("a negative".to_owned(), |first| first.to_string())
                );
                findings.report(Error, "bnsh.reflection-slots", (at.0, 0x60), path, message);
            } else if first.is_some_and(|first| first < reached) {
                let message =
                    format!("expected a first slot from {reached} on, found {}", first.unwrap_or(0));
                findings.report(Warning, "bnsh.reflection-order", (at.0, 0x60), path, message);
            }
            reached = reached.max(end.unwrap_or(0));
        }
        let [x, y, z] = stage.work_group;
        let is_compute = STAGES.get(index) == Some(&"compute");
        if is_compute && (x == 0 || y == 0 || z == 0) {
            let message = format!("expected a work group of 1 or more each way, found {x} x {y} x {z}");
            let place = (at.0.saturating_add(0x40), 12);
            findings.report(Warning, "bnsh.work-group", place, format!("{path}.work_group"), message);
            if x == 0 && y > 0 && z > 0 {
                let message = "sizes stand one field late: the mark of ShaderLibrary and effect_library, which read the record so";
                findings.report(Severity::Note, "nx.known-writer", place, path, message);
            }
        }
        if is_compute {
            let stage = program.stages.get(index).and_then(|at| self.stage_code(*at));
            let control = stage.map(|stage| self.control(stage)).unwrap_or_default();
            let built = Control::new(&control).map(Control::work_group).unwrap_or_default();
            if built != [0; 3] && built != [x, y, z] {
                let [a, b, c] = built;
                let message =
                    format!("expected {a} x {b} x {c}, as the control section says, found {x} x {y} x {z}");
                let place = (at.0.saturating_add(0x40), 12);
                findings.report(Warning, "bnsh.work-group", place, format!("{path}.work_group"), message);
            }
        }
        let _ = texts;
    }
}
