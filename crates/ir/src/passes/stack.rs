//! Private arrays whose every access is at a place that is known become variables, word by word: what compilers
//! spill to a stack are values again. Exact.

use crate::{Module, Op, Space, Type, VarId};

/// Longest array that is taken apart.
const LONGEST: u32 = 1024;

/// Takes arrays apart; answers how many. Runs before [`crate::ssa`].
pub(super) fn run(module: &mut Module) -> usize {
    let mut fixed: Vec<bool> = module.arrays.iter().map(|array| array.words <= LONGEST).collect();
    for inst in module.functions.iter().flat_map(|function| &function.insts) {
        if let Op::Load(access) | Op::Store(access) = inst.op
            && access.space == Space::Local
            && access.is_indexed()
            && let Some(fixed) = fixed.get_mut(access.binding as usize)
        {
            *fixed = false;
        }
    }
    if !fixed.contains(&true) {
        return 0;
    }
    // The first variable of each array that goes.
    let mut first: Vec<Option<VarId>> = vec![None; fixed.len()];
    for array in (0..fixed.len()).filter(|array| fixed[*array]) {
        first[array] = Some(VarId(module.variables.len() as u32));
        let (name, words) = (module.arrays[array].name.clone(), module.arrays[array].words);
        for word in 0..words {
            module.push_variable(format!("{name}{}", word / 4), (word % 4) as u8, Type::B32, 0);
        }
    }
    let arrays = &module.arrays;
    for inst in module.functions.iter_mut().flat_map(|function| &mut function.insts) {
        let (Op::Load(access) | Op::Store(access)) = inst.op else { continue };
        let Some(Some(start)) = first.get(access.binding as usize) else { continue };
        if access.space != Space::Local {
            continue;
        }
        // Words that do not exist read as 0; stores to them vanish, which nothing can say here.
        let exists = access.offset < arrays[access.binding as usize].words;
        let variable = VarId(start.0.wrapping_add(access.offset));
        inst.op = match (inst.op, exists) {
            (Op::Load(_), true) => Op::ReadVar(variable),
            (Op::Load(_), false) => Op::B32(0),
            (_, true) => Op::WriteVar(variable),
            (store, false) => store,
        };
    }
    for (array, gone) in first.iter().enumerate() {
        if gone.is_some() {
            module.arrays[array].words = 0;
        }
    }
    drop_empty(module);
    fixed.into_iter().filter(|fixed| *fixed).count()
}

/// Removes arrays that nothing mentions any more and numbers the others anew.
fn drop_empty(module: &mut Module) {
    let mut used = vec![false; module.arrays.len()];
    let locals = |op: &Op| match op {
        Op::Load(access) | Op::Store(access) if access.space == Space::Local => Some(access.binding),
        _ => None,
    };
    for inst in module.functions.iter().flat_map(|function| &function.insts) {
        if let Some(used) = locals(&inst.op).and_then(|binding| used.get_mut(binding as usize)) {
            *used = true;
        }
    }
    let mut numbers = vec![0u32; used.len()];
    let mut next = 0;
    for (number, used) in numbers.iter_mut().zip(&used) {
        *number = next;
        next += u32::from(*used);
    }
    for inst in module.functions.iter_mut().flat_map(|function| &mut function.insts) {
        if let Op::Load(access) | Op::Store(access) = &mut inst.op
            && access.space == Space::Local
            && let Some(number) = numbers.get(access.binding as usize)
        {
            access.binding = *number;
        }
    }
    let mut at = 0;
    module.arrays.retain(|_| {
        at += 1;
        used[at - 1]
    });
}
