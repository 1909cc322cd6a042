//! What a program declares because the file names it, though nothing reads it.

use super::{GlobalRef, Program, walk};
use crate::Space;
use std::collections::BTreeSet;

/// A program with what it reads alone.
#[derive(Debug, Clone, PartialEq)]
pub struct Read {
    /// The program.
    pub program: Program,
    /// Names of what it does not have any more.
    pub unread: Vec<String>,
    /// Where each of its globals stands in the program that has all.
    pub places: Vec<usize>,
}

impl Program {
    /// The program without the inputs, loose uniforms, textures, images and whole blocks that nothing reads;
    /// `None`: everything is read. For languages that lack the type of one: what is declared for its name alone must
    /// not cost the program.
    pub fn without_unread(&self) -> Option<Read> {
        let mut program = self.clone();
        let mut used = vec![false; self.globals.len()];
        for function in &mut program.functions {
            walk::for_each_global(&mut function.body, &mut |global| {
                if let Some(used) = used.get_mut(global.0 as usize) {
                    *used = true;
                }
            });
        }
        let of_block = |binding: u32| self.blocks.iter().position(|block| block.binding == binding);
        let read: BTreeSet<usize> = self
            .globals
            .iter()
            .zip(&used)
            .filter(|(variable, used)| **used && variable.global.space == Space::Uniform)
            .filter_map(|(variable, _)| of_block(variable.global.binding))
            .collect();
        let stays = |index: usize| {
            let Some(variable) = self.globals.get(index) else { return true };
            let block = match variable.global.space {
                Space::Uniform => of_block(variable.global.binding),
                Space::Input | Space::Texture | Space::Image => None,
                _ => return true,
            };
            used.get(index) == Some(&true) || block.is_some_and(|block| read.contains(&block))
        };
        let mut numbers = Vec::with_capacity(self.globals.len());
        let (mut unread, mut places) = (Vec::new(), Vec::new());
        program.globals.clear();
        for (index, variable) in self.globals.iter().enumerate() {
            numbers.push(program.globals.len() as u32);
            if stays(index) {
                program.globals.push(variable.clone());
                places.push(index);
            } else {
                unread.push(variable.global.name.clone());
            }
        }
        if unread.is_empty() {
            return None;
        }
        program.blocks = (0..)
            .zip(&self.blocks)
            .filter(|(at, _)| read.contains(at))
            .map(|(_, block)| block.clone())
            .collect();
        for function in &mut program.functions {
            walk::for_each_global(&mut function.body, &mut |global: &mut GlobalRef| {
                global.0 = numbers.get(global.0 as usize).copied().unwrap_or(global.0);
            });
        }
        Some(Read { program, unread, places })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ast::raise::{Mode, raise};
    use crate::build::FunctionBuilder;
    use crate::{Access, Global, Module, Op, Shape, UniformBlock, ssa};

    #[test]
    fn only_what_is_read_stays() {
        let float = |components| Shape::Float { components, elements: 0 };
        let mut builder = FunctionBuilder::new("main");
        let access = |space, binding, offset| Access { space, binding, offset, stride: 0 };
        let loose = builder.value(Op::Load(access(Space::Uniform, 0, 4)), &[]);
        let member = builder.value(Op::Load(access(Space::Uniform, 1, 0)), &[]);
        builder.effect(Op::Store(access(Space::Output, 0, 0)), &[loose]);
        builder.effect(Op::Store(access(Space::Output, 0, 1)), &[member]);
        builder.returns(&[]);
        let global = |name: &str, space, binding, offset| Global::new(name, space, binding, offset, float(4));
        let globals = vec![
            global("normal", Space::Input, 0, 0),
            global("unread", Space::Uniform, 0, 0),
            global("read", Space::Uniform, 0, 4),
            global("tint", Space::Uniform, 1, 0),
            global("beside", Space::Uniform, 1, 4),
            global("bones", Space::Uniform, 2, 0),
            global("colour", Space::Output, 0, 0),
        ];
        let mut module = Module { globals, ..Module::default() };
        let block = |name: &str, binding| UniformBlock { name: name.into(), named: true, binding, words: 8 };
        module.blocks = vec![block("Skin", 2), block("Mat", 1)];
        module.push_function(builder.finish());
        ssa::run(&mut module);
        let whole = raise(&module, Mode::Readable).unwrap().program;
        let found = whole.without_unread().unwrap();
        let names = |program: &Program| -> Vec<String> {
            program.globals.iter().map(|variable| variable.global.name.clone()).collect()
        };
        assert_eq!(found.unread, ["normal", "unread", "bones"]);
        assert_eq!(names(&found.program), ["read", "tint", "beside", "colour"]);
        let places = found.places.iter().map(|place| whole.globals[*place].global.name.clone());
        assert!(places.eq(names(&found.program)));
        assert_eq!(found.program.blocks.len(), 1);
        // The code says the same by the new numbers.
        let said = |program: &Program| {
            let (mut copy, mut said) = (program.clone(), Vec::new());
            let names = names(program);
            for function in &mut copy.functions {
                walk::for_each_global(&mut function.body, &mut |global| {
                    said.push(names[global.0 as usize].clone());
                });
            }
            said
        };
        assert_eq!(said(&found.program), said(&whole));
        assert!(said(&whole).len() >= 3);
        assert_eq!(found.program.without_unread(), None);
    }
}
