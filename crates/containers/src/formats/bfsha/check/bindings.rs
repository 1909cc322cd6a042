//! Tables of locations against the reflection of the shaders: where a program says that a resource is bound, and
//! where its shaders say it is.

use super::super::model::Bfsha;
use super::super::raw::{COLUMNS, Model, Resource};
use super::Findings;
use crate::formats::bnsh::{Bnsh, Group};
use crate::formats::switch::{Pointer, Texts};
use std::collections::HashMap;
use unshade_bytes::Severity::Warning;

/// Index of the stage of a column in the records of a BNSH.
pub(crate) const BNSH_STAGE: [usize; 6] = [0, 3, 4, 5, 1, 2];

/// Where the rows of a table of symbols have a name, in one column.
type Rows<'a> = HashMap<&'a [u8], Vec<usize>>;

/// What one column of a resource's tables has to say.
struct Column<'a> {
    resource: Resource,
    /// Index of the stage in the order of columns.
    stage: usize,
    column: usize,
    rows: Rows<'a>,
}

impl Bfsha {
    pub(super) fn check_bindings(
        &self,
        model: &Model,
        path: &str,
        texts: &Texts<'_>,
        findings: &mut Findings,
    ) {
        let form = self.image.form;
        let Some(bnsh) = self.bnsh(model.bnsh) else { return };
        let names = bnsh.image.texts();
        let columns = usize::from(model.columns(form)).max(1);
        let mut all = Vec::new();
        for &resource in Resource::of(form) {
            for stage in 0..COLUMNS.len() {
                let Some(column) = model.column(form, stage) else { continue };
                let mut rows = Rows::new();
                let symbols = self.symbol_table(model, resource).iter().skip(column).step_by(columns);
                for (row, symbol) in symbols.enumerate() {
                    if let Some(name) = texts.get(*symbol) {
                        rows.entry(name).or_default().push(row);
                    }
                }
                all.push(Column { resource, stage, column, rows });
            }
        }
        let mut wrong = 0_u64;
        let mut first = None;
        let mut wanted: Vec<i32> = Vec::new();
        for index in 0..model.programs_held() {
            let Some(program) = self.program(model, index) else { break };
            let Some(variation) = self.variation_of(model, program) else { continue };
            for Column { resource, stage, column, rows } in &all {
                let table = self.table(program, *resource);
                let symbols = self.symbol_table(model, *resource).len();
                let count = table.len().min(symbols).saturating_sub(*column).div_ceil(columns);
                wanted.clear();
                wanted.resize(count, -1);
                if !reflected(bnsh, &names, (variation, *stage, *resource), rows, &mut wanted) {
                    continue;
                }
                let found = table.iter().skip(*column).step_by(columns);
                for (row, (location, slot)) in found.zip(&wanted).enumerate() {
                    if location != slot {
                        wrong = wrong.saturating_add(1);
                        let at = program.tables.get(resource.index()).map_or(0, |at| at.0);
                        first.get_or_insert((at, index, *resource, row, *stage, *location, *slot));
                    }
                }
            }
        }
        if let Some((at, index, resource, row, stage, location, slot)) = first {
            let stage = COLUMNS.get(stage).copied().unwrap_or_default();
            let size = (columns as u64).saturating_mul(4);
            let at = at.saturating_add((row as u64).saturating_mul(size));
            let path = format!("{path}.programs[{index}].{}[{row}]", resource.name());
            let message = format!(
                "expected the slots of the shaders' reflection, found {wrong} others; the first: {location} in the {stage} stage in place of {slot}"
            );
            findings.report(Warning, "bfsha.location", (at, size), path, message);
        }
    }
}

/// Sets the slots of the names that a stage reflects. Whether the program has reflection.
fn reflected(
    bnsh: &Bnsh,
    texts: &Texts<'_>,
    (variation, stage, resource): (u32, usize, Resource),
    rows: &Rows<'_>,
    wanted: &mut [i32],
) -> bool {
    let table = bnsh
        .variation(variation)
        .and_then(|variation| bnsh.program(variation.binary))
        .and_then(|program| bnsh.reflection(program.reflection));
    let (Some(table), Some(stage)) = (table, BNSH_STAGE.get(stage)) else { return false };
    let at = table.stages.get(*stage).copied().unwrap_or(Pointer::NULL);
    let Some(found) = bnsh.stage_reflection(at) else { return true };
    let group = match resource {
        Resource::Samplers => Group::Samplers,
        Resource::Images => Group::Images,
        Resource::UniformBlocks => Group::ConstantBuffers,
        Resource::StorageBlocks => Group::UnorderedAccessBuffers,
    };
    let known = found.groups().into_iter().find(|(known, ..)| *known == group);
    let Some((_, dictionary, first)) = known else { return false };
    let slots = bnsh.slots(found.slots).map(Vec::as_slice).unwrap_or_default();
    let slots = slots.get(usize::try_from(first).unwrap_or(usize::MAX)..).unwrap_or_default();
    let keys = bnsh.dictionary(dictionary).into_iter().flat_map(|dictionary| dictionary.keys());
    for (key, slot) in keys.zip(slots) {
        for row in texts.get(key).and_then(|name| rows.get(name)).into_iter().flatten() {
            if let Some(place) = wanted.get_mut(*row) {
                *place = *slot;
            }
        }
    }
    true
}
