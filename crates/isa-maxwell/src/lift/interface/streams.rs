//! The streams of a geometry program: no file says which output goes to which. A vertex of a stream is emitted with all
//! outputs as they are, so an output belongs to the stream that is emitted first after it got a value.

use std::collections::BTreeMap;
use unshade_ir::cfg::Cfg;
use unshade_ir::{Module, Op, Space};

/// Gives outputs of geometry programs their streams. `words`: in a vertex.
pub(super) fn name(module: &mut Module, words: u32) {
    let emits = |op: &Op| matches!(op, Op::EmitVertex(1..));
    if !module.functions.iter().flat_map(|function| &function.insts).any(|inst| emits(&inst.op)) {
        return;
    }
    let mut streams: BTreeMap<u32, u32> = BTreeMap::new();
    for function in &module.functions {
        let mut open: Vec<u32> = Vec::new();
        for block in &Cfg::new(function).order {
            let Some(block) = function.blocks.get(block.index()) else { continue };
            for inst in block.insts.iter().filter_map(|id| function.insts.get(id.index())) {
                match inst.op {
                    Op::Store(access) if access.space == Space::Output => {
                        let word = access.offset % words.max(1);
                        if !streams.contains_key(&word) {
                            open.push(word);
                        }
                    }
                    Op::EmitVertex(stream) => {
                        for word in open.drain(..) {
                            streams.entry(word).or_insert(stream);
                        }
                    }
                    _ => {}
                }
            }
        }
    }
    for global in module.globals.iter_mut().filter(|global| global.space == Space::Output) {
        let mut own = streams.iter().filter(|(word, _)| global.locate(**word).is_some());
        // What the pipeline knows belongs to the first.
        if let (Some((_, stream)), None) = (own.next(), &global.semantic) {
            global.stream = *stream;
        }
    }
}
