//! The tables of an executable, entry by entry.

use super::{Check, Names};
use crate::formats::shbin::layout::{Part, Scope, Section};
use crate::formats::shbin::model::{
    Constant, ConstantValue, Executable, GeometryWord, Label, Output, Uniform,
};
use crate::formats::shbin::register::{Unified, class_size, letter, mask_letters, semantic_name};
use crate::shared::Strings;
use unshade_bytes::Severity;
use unshade_stage::Space;

impl Check {
    pub(super) fn executable(&mut self, executable: &Executable, words: usize, entry: u32, scope: Scope) {
        self.kind(executable, scope);
        let names = Names::new(&executable.symbols);
        let part = |section| Part { scope, section };
        let used = executable.labels.len().saturating_add(executable.uniforms.len());
        let missing = executable.symbols.0.is_empty() && used > 0;
        if missing {
            let at = (self.plan.start(part(Section::Symbols)), 0);
            let path = || part(Section::Symbols).to_string();
            self.report(Severity::Error, "shbin.symbols-missing", at, path, || {
                format!("expected strings for {used} names, found none")
            });
        } else if names.unterminated() {
            let tail = executable.symbols.terminated() as u64;
            let at = (self.plan.start(part(Section::Symbols)).saturating_add(tail), 1);
            let path = || part(Section::Symbols).to_string();
            self.report(Severity::Warning, "shbin.symbols-unterminated", at, path, || {
                "expected a NUL at the end of the strings, found none".to_owned()
            });
        }

        let mut registers = Registers::default();
        for (index, constant) in executable.constants.iter().enumerate() {
            self.constant(constant, executable.kind, &mut registers, (part(Section::Constants), index));
        }
        for (index, label) in executable.labels.iter().enumerate() {
            let place = (part(Section::Labels), index);
            self.label(label, words, place);
            if !missing {
                self.name("shbin.label-name", names, label.name, (place.0, index, 12), "name");
            }
        }
        self.entry_label(executable, entry, part(Section::Labels));
        let mut components = [0_u16; 16];
        for (index, output) in executable.outputs.iter().enumerate() {
            let place = (part(Section::Outputs), index);
            self.output(output, executable.output_mask, &mut components, place);
        }
        for (index, uniform) in executable.uniforms.iter().enumerate() {
            let place = (part(Section::Uniforms), index);
            self.uniform(uniform, &registers, place);
            if !missing {
                self.name("shbin.uniform-name", names, uniform.name, (place.0, index, 0), "name");
            }
        }
    }

    fn kind(&mut self, executable: &Executable, scope: Scope) {
        // Offsets of the kind and of the geometry word differ between the two headers.
        let (start, geometry_at) = match scope {
            Scope::Object => (0, 0xC),
            _ => (self.plan.start(Part { scope, section: Section::Header }), 0x14),
        };
        let kind = executable.kind;
        if kind > 1 {
            let at = (start.saturating_add(6), 1);
            self.report(
                Severity::Error,
                "shbin.kind",
                at,
                || format!("{scope}.kind"),
                || format!("expected 0 (vertex) or 1 (geometry), found {kind}"),
            );
        }
        if executable.flags > 1 {
            let at = (start.saturating_add(7), 1);
            self.report(
                Severity::Note,
                "shbin.flags",
                at,
                || format!("{scope}.flags"),
                || format!("expected only bit 0, found {:#x}", executable.flags),
            );
        }
        let word = executable.geometry;
        if matches!(scope, Scope::Object) && word == GeometryWord::UNSET {
            return;
        }
        let at = (start.saturating_add(geometry_at), 4);
        let path = || format!("{scope}.geometry");
        if kind == 0 && word != GeometryWord::default() {
            self.report(Severity::Warning, "shbin.geometry-unused", at, path, || {
                "expected zeros in a vertex program, found geometry parameters".to_owned()
            });
        } else if kind == 1 && word.mode > 2 {
            self.report(Severity::Error, "shbin.geometry-mode", at, path, || {
                format!("expected mode 0 (point), 1 (variable) or 2 (fixed), found {}", word.mode)
            });
        } else if kind == 1 && word.mode == 2 && u32::from(word.first_uniform) >= class_size(Space::Float) {
            self.report(Severity::Error, "shbin.geometry-uniform", at, path, || {
                format!("expected a first uniform c0 to c95, found c{}", word.first_uniform)
            });
        } else if kind == 1 && word.mode == 2 && word.vertices == 0 {
            self.report(Severity::Warning, "shbin.geometry-vertices", at, path, || {
                "expected at least one vertex per primitive, found 0".to_owned()
            });
        }
    }

    fn constant(
        &mut self,
        constant: &Constant,
        kind: u8,
        registers: &mut Registers,
        (part, index): (Part, usize),
    ) {
        let at = |check: &Self, field| check.entry(part, index, field);
        let path = |field: &'static str| move || format!("{part}[{index}]{field}");
        let (space, tail) = match &constant.value {
            ConstantValue::Bool { tail, .. } => (Space::Bool, Some(tail)),
            ConstantValue::Int { tail, .. } => (Space::Int, Some(tail)),
            ConstantValue::Float(_) => (Space::Float, None),
            ConstantValue::Unknown { kind, .. } => {
                let at = at(self, (0, 2));
                return self.report(Severity::Error, "shbin.constant-kind", at, path(".kind"), || {
                    format!("expected 0 (bool), 1 (int) or 2 (float), found {kind}")
                });
            }
        };
        let (register, size, letter) = (u32::from(constant.register), class_size(space), letter(space));
        if register >= size {
            let at = at(self, (2, 1));
            self.report(Severity::Error, "shbin.constant-register", at, path(".register"), || {
                format!("expected {letter}0 to {letter}{}, found {letter}{register}", size.saturating_sub(1))
            });
        } else if !registers.insert(space, register) {
            let at = at(self, (0, 20));
            self.report(Severity::Warning, "shbin.constant-duplicate", at, path(""), || {
                format!("{letter}{register} has a value already; the last one wins")
            });
        }
        if kind == 1 && (space, register) == (Space::Bool, 15) {
            let at = at(self, (0, 20));
            self.report(Severity::Warning, "shbin.constant-b15", at, path(""), || {
                "b15 is set by the hardware after each run of a geometry program".to_owned()
            });
        }
        match &constant.value {
            ConstantValue::Bool { word, .. } if *word > 1 => {
                let at = at(self, (4, 4));
                self.report(Severity::Warning, "shbin.constant-bool", at, path(".value"), || {
                    format!("expected 0 or 1, found {word:#x}; loaders test bit 0")
                });
            }
            ConstantValue::Float(words) if words.iter().any(|word| word >> 24 != 0) => {
                let at = at(self, (4, 16));
                self.report(Severity::Warning, "shbin.constant-float", at, path(""), || {
                    format!("expected floats of 24 bits, found more in {words:#x?}").replace('\n', "")
                });
            }
            _ => {}
        }
        if constant.byte_03 != 0 {
            let at = at(self, (3, 1));
            self.report(Severity::Note, "shbin.constant-byte-03", at, path(".byte_03"), || {
                format!("expected 0, found {:#x}; its meaning is not known", constant.byte_03)
            });
        }
        if tail.is_some_and(|tail| *tail != [0; 12]) {
            let at = at(self, (8, 12));
            self.report(Severity::Note, "shbin.constant-tail", at, path(".tail"), || {
                "expected zeros in the unused bytes, found others".to_owned()
            });
        }
    }

    fn label(&mut self, label: &Label, words: usize, (part, index): (Part, usize)) {
        let words = words as u64;
        let end = u64::from(label.position).saturating_add(match label.size {
            u32::MAX => 0,
            size => size.into(),
        });
        if u64::from(label.position) > words {
            let at = self.entry(part, index, (4, 4));
            let path = || format!("{part}[{index}].position");
            self.report(Severity::Error, "shbin.label-position", at, path, || {
                format!("expected a word up to {words}, found {}", label.position)
            });
        } else if end > words {
            let at = self.entry(part, index, (8, 4));
            let path = || format!("{part}[{index}].size");
            self.report(Severity::Warning, "shbin.label-size", at, path, || {
                format!("expected an end up to word {words}, found {end}")
            });
        }
    }

    /// nihstro's assembler stores the string offset of the entry label as the entry point.
    fn entry_label(&mut self, executable: &Executable, entry: u32, part: Part) {
        let symbols = &executable.symbols;
        let is_main = |label: &Label| is_name(symbols, label.name, b"main");
        let Some((index, label)) = executable.labels.iter().enumerate().find(|(_, label)| is_main(label))
        else {
            return;
        };
        if label.position != entry {
            let at = self.entry(part, index, (4, 4));
            let path = || format!("{part}[{index}].position");
            self.report(Severity::Warning, "shbin.entry-label", at, path, || {
                format!(
                    "expected label `main` at the entry point {entry:#05x}, found it at {:#05x}",
                    label.position
                )
            });
        }
    }

    fn output(
        &mut self,
        output: &Output,
        header_mask: u16,
        components: &mut [u16; 16],
        (part, index): (Part, usize),
    ) {
        let path = |field: &'static str| move || format!("{part}[{index}]{field}");
        if semantic_name(output.semantic).starts_with("unknown") {
            let at = self.entry(part, index, (0, 2));
            self.report(Severity::Note, "shbin.output-semantic", at, path(".semantic"), || {
                format!("the meaning {} is not known", output.semantic)
            });
        }
        if output.mask == 0 || output.mask > 0xF {
            let at = self.entry(part, index, (4, 2));
            self.report(Severity::Warning, "shbin.output-mask", at, path(".mask"), || {
                format!("expected some of the four lowest bits, found {:#x}", output.mask)
            });
        }
        let Some(seen) = components.get_mut(usize::from(output.register)) else {
            let at = self.entry(part, index, (2, 2));
            return self.report(Severity::Error, "shbin.output-register", at, path(".register"), || {
                format!("expected o0 to o15, found o{}", output.register)
            });
        };
        let twice = *seen & output.mask & 0xF;
        *seen |= output.mask;
        if twice != 0 {
            let at = self.entry(part, index, (0, 8));
            self.report(Severity::Warning, "shbin.output-duplicate", at, path(""), || {
                let components = mask_letters(twice);
                format!("o{}.{components} has a meaning already", output.register)
            });
        }
        if header_mask != 0 && header_mask >> output.register & 1 == 0 {
            let at = self.entry(part, index, (2, 2));
            self.report(Severity::Warning, "shbin.output-unused", at, path(".register"), || {
                format!("o{} is not in the output mask {header_mask:#06x}", output.register)
            });
        }
    }

    fn uniform(&mut self, uniform: &Uniform, registers: &Registers, (part, index): (Part, usize)) {
        let (first, last) = (Unified(uniform.first), Unified(uniform.last));
        let at = self.entry(part, index, (4, 4));
        let path = |field: &'static str| move || format!("{part}[{index}]{field}");
        let (Some((space, low)), Some((other, high))) = (first.class(), last.class()) else {
            return self.report(Severity::Error, "shbin.uniform-register", at, path(".first"), || {
                format!("expected registers v0-v15, c0-c95, i0-i3 or b0-b15, found {first} to {last}")
            });
        };
        if first > last {
            return self.report(Severity::Error, "shbin.uniform-range", at, path(".last"), || {
                format!("expected a last register from {first} on, found {last}")
            });
        }
        if space != other {
            return self.report(Severity::Error, "shbin.uniform-range", at, path(".last"), || {
                format!("expected registers of one class, found {first} to {last}")
            });
        }
        if let Some(register) = (low..=high).find(|&register| registers.contains(space, register)) {
            self.report(Severity::Warning, "shbin.constant-uniform", at, path(""), || {
                format!("{}{register} is a uniform here and has a constant as well", letter(space))
            });
        }
    }
}

fn is_name(strings: &Strings, offset: u32, name: &[u8]) -> bool {
    let rest = strings.0.get(offset as usize..).unwrap_or_default();
    rest.strip_prefix(name).is_some_and(|rest| rest.first() == Some(&0))
}

/// Registers that have a constant.
#[derive(Default)]
struct Registers {
    float: u128,
    int: u128,
    bool: u128,
}

impl Registers {
    fn class(&mut self, space: Space) -> &mut u128 {
        match space {
            Space::Int => &mut self.int,
            Space::Bool => &mut self.bool,
            _ => &mut self.float,
        }
    }

    /// Whether it was not there before.
    fn insert(&mut self, space: Space, register: u32) -> bool {
        let bit = 1_u128.checked_shl(register).unwrap_or(0);
        let class = self.class(space);
        let new = *class & bit == 0;
        *class |= bit;
        new
    }

    fn contains(&self, space: Space, register: u32) -> bool {
        let class = match space {
            Space::Int => self.int,
            Space::Bool => self.bool,
            Space::Float => self.float,
            _ => 0,
        };
        class.checked_shr(register).is_some_and(|rest| rest & 1 == 1)
    }
}
