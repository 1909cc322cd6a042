//! What a file calls the registers of a program.

use std::collections::BTreeMap;
use unshade_stage::{Space, Stage, StageKind};

/// Names that a file may give; a hostile one must not cost more.
const NAMES: usize = 1 << 14;
/// Registers that one name may cover.
const RANGE: u32 = 1 << 10;

/// Names by register, of machines whose files name whole registers.
#[derive(Debug, Clone, Default)]
pub(super) struct Registers {
    names: BTreeMap<(Space, u32), String>,
}

impl Registers {
    /// Of the interface of a stage: inputs, uniforms, and what outputs mean.
    pub(super) fn of(stage: &Stage<'_>) -> Self {
        let mut names = BTreeMap::new();
        let interface = &stage.interface;
        for variable in interface.inputs.iter().chain(&interface.uniforms) {
            let range = variable.range.first..=variable.range.last;
            for (n, register) in range.take(RANGE as usize).enumerate() {
                if names.len() >= NAMES {
                    break;
                }
                let text = match variable.range.count() {
                    1 => variable.name.clone(),
                    _ => format!("{}[{n}]", variable.name),
                };
                names.entry((variable.space, register)).or_insert(text);
            }
        }
        for output in interface.outputs.iter().take(NAMES) {
            let text = names.entry((Space::Output, output.register)).or_insert_with(String::new);
            if !text.is_empty() {
                text.push(' ');
            }
            if text.len() < 1 << 8 {
                text.push_str(&output.semantic);
            }
        }
        Self { names }
    }

    pub(super) fn at(&self, space: Space, register: u32) -> Option<String> {
        self.names.get(&(space, register)).cloned()
    }
}

/// Names by float, of the Mali family, whose symbols have places in floats. The registers of four floats are named by
/// what lies in them.
#[derive(Debug, Clone, Default)]
pub(super) struct Floats {
    /// By space and first float: its last float, and the name.
    names: BTreeMap<(Space, u32), (u32, String)>,
}

impl Floats {
    pub(super) fn of(stage: &Stage<'_>) -> Self {
        let mut names = BTreeMap::new();
        for symbol in stage.interface.symbols.iter().filter(|symbol| symbol.parent.is_none()).take(NAMES) {
            let Some(offset) = symbol.offset.filter(|_| !symbol.ty.is_sampler()) else { continue };
            let first = u32::from(offset);
            let element = match symbol.ty {
                unshade_stage::SymbolType::Matrix => {
                    u32::from(symbol.component_size).saturating_mul(symbol.components.into())
                }
                unshade_stage::SymbolType::Struct => u32::from(symbol.stride.max(symbol.component_size)),
                _ => u32::from(symbol.components),
            };
            let rest = u32::from(symbol.elements.max(1) - 1).saturating_mul(symbol.stride.into());
            let last = first.saturating_add(rest).saturating_add(element.max(1) - 1);
            names.entry((symbol.space, first)).or_insert((last, symbol.name.clone()));
        }
        Self { names }
    }

    /// What lies in a row of four floats.
    pub(super) fn row(&self, space: Space, row: u32) -> Option<String> {
        let first = row.saturating_mul(4);
        let mut text = String::new();
        let near = self.names.range((space, first.saturating_sub(RANGE))..(space, first.saturating_add(4)));
        for ((_, start), (last, name)) in near {
            if *last < first || text.len() > 1 << 8 {
                continue;
            }
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(name);
            if *start < first || *last > first + 3 {
                let row = first.saturating_sub(*start).div_ceil(4);
                text.push_str(&format!("[{row}]"));
            }
        }
        (!text.is_empty()).then_some(text)
    }
}

/// Names of registers and constants around a program of the Wii U.
#[derive(Debug, Clone, Default)]
pub(super) struct Latte {
    registers: BTreeMap<u32, String>,
    file: BTreeMap<u32, String>,
    /// By block and vector.
    blocks: BTreeMap<(u32, u32), String>,
}

impl Latte {
    pub(super) fn of(stage: &Stage<'_>, latte: &unshade_stage::Latte) -> Self {
        let mut names = Self::default();
        if stage.kind == StageKind::Vertex {
            for attribute in latte.attributes.iter().take(NAMES) {
                let place = latte
                    .semantics
                    .iter()
                    .position(|known| known.is_some_and(|known| u32::from(known) == attribute.location));
                if let Some(place) = place {
                    names.registers.entry(place as u32 + 1).or_insert(attribute.name.clone());
                }
            }
        }
        let mut put = |block: Option<u32>, vector: u32, name: String| {
            match block {
                Some(block) => names.blocks.entry((block, vector)).or_insert(name),
                None => names.file.entry(vector).or_insert(name),
            };
        };
        let mut budget = NAMES;
        for variable in latte.variables().list.iter().take(NAMES) {
            let first = variable.offset / 4;
            let block = variable.block.and_then(|block| latte.blocks.get(block as usize));
            let columns = variable.ty.shape().map_or(1, |(_, columns, _)| columns).max(1);
            let vectors = columns.saturating_mul(variable.elements.max(1)).min(RANGE);
            for n in 0..vectors {
                let Some(left) = budget.checked_sub(1) else { break };
                budget = left;
                let name = match (variable.elements, columns) {
                    (0, 1) => variable.name.to_owned(),
                    (0, _) | (_, 1) => format!("{}[{n}]", variable.name),
                    _ => format!("{}[{}][{}]", variable.name, n / columns, n % columns),
                };
                put(block.map(|block| block.buffer), first.saturating_add(n), name);
            }
        }
        names
    }

    pub(super) fn register(&self, register: u32) -> Option<String> {
        self.registers.get(&register).cloned()
    }

    pub(super) fn file(&self, register: u32) -> Option<String> {
        self.file.get(&register).cloned()
    }

    pub(super) fn block(&self, block: u32, vector: u32) -> Option<String> {
        self.blocks.get(&(block, vector)).cloned()
    }
}
