//! Control-flow instructions, each with the clause that it starts, as one pixel goes through them.

use crate::{CfOp, Program};
use unshade_isa_common::successors::{Reached, Step, Transfer, follow};
use unshade_stage::Code;

/// Control-flow instructions from a unit of 64 bits on.
pub fn steps(code: &Code<'_>) -> Reached {
    let (words, entry) = (&code.words, code.entry);
    let program = Program::new(words);
    follow(entry.saturating_mul(2), |word| {
        let at = word / 2;
        let cf = program.cf(at)?;
        let op = cf.op()?;
        let normal = cf.normal();
        let mut step = Step { words: word..word + 2, successors: Vec::new() };
        let (to, behind) = (Some(normal.addr().saturating_mul(2)), Some(word + 2));
        let go = |step: &mut Step, kind: Transfer| match cf.ends_program() {
            true => step.add(Transfer::End, None),
            false => step.add(kind, behind),
        };
        if op.is_alu() || op.is_fetch() || op.is_export() || op.is_memory() {
            go(&mut step, Transfer::Next);
            return Some(step);
        }
        match op {
            CfOp::EndProgram => step.add(Transfer::End, None),
            CfOp::Return => {
                step.add(Transfer::Return, None);
                if normal.cond() != 0 {
                    go(&mut step, Transfer::NotTaken);
                }
            }
            CfOp::Call => {
                step.add(Transfer::Call, to);
                go(&mut step, Transfer::Next);
            }
            CfOp::Kill => {
                step.add(Transfer::End, None);
                go(&mut step, Transfer::NotTaken);
            }
            CfOp::LoopStart
            | CfOp::LoopStartNoAl
            | CfOp::LoopStartDx10
            | CfOp::LoopEnd
            | CfOp::LoopContinue
            | CfOp::LoopBreak
            | CfOp::Jump
            | CfOp::PushElse
            | CfOp::PopPushElse
            | CfOp::Else
            | CfOp::PopJump
                if to != behind =>
            {
                step.add(Transfer::Taken, to);
                go(&mut step, Transfer::NotTaken);
            }
            CfOp::Push | CfOp::PopPush if normal.cond() != 0 && to != behind => {
                step.add(Transfer::Taken, to);
                go(&mut step, Transfer::NotTaken);
            }
            _ => go(&mut step, Transfer::Next),
        }
        Some(step)
    })
}
