//! The Wii U: its control-flow instructions, each with the clause that it starts, as one pixel goes through them.

use super::{Step, WayKind, follow};
use crate::latte::{CfOp, Program};
use std::collections::BTreeMap;

/// Control-flow instructions from a unit of 64 bits on.
pub(super) fn steps(words: &[u32], entry: u32) -> (BTreeMap<u32, Step>, Vec<u32>) {
    let program = Program::new(words);
    follow(entry.saturating_mul(2), |word| {
        let at = word / 2;
        let cf = program.cf(at)?;
        let op = cf.op()?;
        let normal = cf.normal();
        let mut step = Step { words: word..word + 2, ways: Vec::new() };
        let (to, behind) = (Some(normal.addr().saturating_mul(2)), Some(word + 2));
        let go = |step: &mut Step, kind: WayKind| match cf.ends_program() {
            true => step.add(WayKind::End, None),
            false => step.add(kind, behind),
        };
        if op.is_alu() || op.is_fetch() || op.is_export() || op.is_memory() {
            go(&mut step, WayKind::Next);
            return Some(step);
        }
        match op {
            CfOp::EndProgram => step.add(WayKind::End, None),
            CfOp::Return => {
                step.add(WayKind::Return, None);
                if normal.cond() != 0 {
                    go(&mut step, WayKind::NotTaken);
                }
            }
            CfOp::Call => {
                step.add(WayKind::Call, to);
                go(&mut step, WayKind::Next);
            }
            CfOp::Kill => {
                step.add(WayKind::End, None);
                go(&mut step, WayKind::NotTaken);
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
                step.add(WayKind::Taken, to);
                go(&mut step, WayKind::NotTaken);
            }
            CfOp::Push | CfOp::PopPush if normal.cond() != 0 && to != behind => {
                step.add(WayKind::Taken, to);
                go(&mut step, WayKind::NotTaken);
            }
            _ => go(&mut step, WayKind::Next),
        }
        Some(step)
    })
}
