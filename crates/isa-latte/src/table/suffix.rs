//! What stands behind the operands of an instruction: a row for each word. Both printers and the assembler go over these rows.

use super::CfOp;
use crate::fields::CfNormal;
use unshade_isa_common::field::Field;

/// Which text is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Text {
    /// The one that determines every bit.
    Native,
    /// That of the decaf emulator.
    Decaf,
}

/// Which texts have a word. The assembler reads all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shown {
    /// None: the name of what is usual.
    Never,
    /// One, where the bits are not the usual ones.
    In(Text),
    /// Both, likewise.
    Both,
    /// Both, whatever the bits are.
    Always,
}

/// Names of the values of a field.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Names {
    /// By value.
    pub(crate) texts: [&'static str; 4],
    /// More that are read.
    pub(crate) aliases: &'static [(&'static str, u32)],
    /// A number is read as well.
    pub(crate) numbers: bool,
}

impl Names {
    /// The name of a value of two bits.
    pub(crate) fn text(&self, value: u32) -> &'static str {
        self.texts[value as usize % self.texts.len()]
    }
}

/// What stands in parentheses behind a word.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Argument {
    /// There are none.
    None,
    /// A number.
    Number(Field),
    /// The number of a constant. It is said even if it is 0 where the machine reads that constant.
    Constant(Field),
    /// A number from 1 on, kept minus 1.
    Count(Field),
    /// A signed number, kept as so many steps for each one.
    Steps(Field, u32),
    /// A name.
    Name(Field, &'static Names),
    /// A name that is read where it stands, and not written.
    Optional(Field, &'static Names),
    /// The coordinates whose bits are as given.
    Coordinates(Field, bool),
    /// Lines of a constant cache set: how many (0 for none), their buffer, the first.
    Lock([Field; 3]),
    /// The format of data: its number, how numbers are meant, whether they are signed, how they reach -1.
    Format([Field; 4]),
}

impl Argument {
    /// Its fields.
    const fn fields(&self) -> &[Field] {
        match self {
            Self::None => &[],
            Self::Number(field)
            | Self::Constant(field)
            | Self::Count(field)
            | Self::Steps(field, _)
            | Self::Name(field, _)
            | Self::Optional(field, _)
            | Self::Coordinates(field, _) => std::slice::from_ref(field),
            Self::Lock(fields) => fields,
            Self::Format(fields) => fields,
        }
    }
}

/// A word behind the operands.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Suffix {
    /// The word.
    pub(crate) name: &'static str,
    /// Another one that is read.
    alias: Option<&'static str>,
    /// The field that the word alone gives a value, and which.
    pub(crate) is: Option<(Field, u32)>,
    /// What stands behind it.
    pub(crate) argument: Argument,
    /// What its first field holds in a text without the word.
    usual: u32,
    shown: Shown,
}

impl Suffix {
    /// A word that stands for a value of a field.
    pub(super) const fn flag(name: &'static str, field: Field, value: u32) -> Self {
        Self { is: Some((field, value)), ..Self::with(name, Argument::None) }
    }

    /// A word with an argument.
    pub(super) const fn with(name: &'static str, argument: Argument) -> Self {
        Self { name, alias: None, is: None, argument, usual: 0, shown: Shown::Both }
    }

    /// The same with an argument.
    pub(super) const fn and(self, argument: Argument) -> Self {
        Self { argument, ..self }
    }

    /// The same for a field that holds this without the word.
    pub(super) const fn usual(self, usual: u32) -> Self {
        Self { usual, ..self }
    }

    /// The same in these texts.
    pub(super) const fn shown(self, shown: Shown) -> Self {
        Self { shown, ..self }
    }

    /// The same with another name.
    pub(super) const fn alias(self, name: &'static str) -> Self {
        Self { alias: Some(name), ..self }
    }

    /// Whether this is its name.
    pub(crate) fn is_named(&self, name: &str) -> bool {
        self.name == name || self.alias == Some(name)
    }

    const fn first(&self) -> Option<Field> {
        match (self.is, self.argument.fields()) {
            (Some((field, _)), _) => Some(field),
            (None, [field, ..]) => Some(*field),
            (None, []) => None,
        }
    }

    /// The bits that it says.
    pub(crate) const fn mask(&self) -> u128 {
        let mut mask = match self.is {
            Some((field, _)) => field.mask(),
            None => 0,
        };
        let fields = self.argument.fields();
        let mut at = 0;
        while at < fields.len() {
            mask |= fields[at].mask();
            at += 1;
        }
        mask
    }

    /// What its bits are in a text without it.
    pub(super) const fn usual_bits(&self) -> u128 {
        match self.first() {
            Some(field) => field.put(self.usual),
            None => 0,
        }
    }

    /// Whether it can stand behind an instruction that is as usual.
    pub(super) const fn is_frequent(&self) -> bool {
        match (self.shown, self.is) {
            (Shown::Never, _) => false,
            (Shown::Always, _) => true,
            (_, Some((_, value))) => value == self.usual,
            (_, None) => false,
        }
    }

    /// Whether the text of an instruction has it.
    pub(crate) fn is_shown(&self, bits: u128, text: Text) -> bool {
        match self.shown {
            Shown::Never => return false,
            Shown::In(only) if only != text => return false,
            _ => {}
        }
        match (self.is, self.argument) {
            (Some((field, value)), _) => field.get(bits) == value,
            _ if self.shown == Shown::Always => true,
            (None, Argument::Constant(field)) => {
                let cf = CfNormal(bits as u64);
                cf.cond() != 0
                    || match CfOp::of(cf.inst()) {
                        Some(CfOp::LoopStart | CfOp::LoopEnd) => true,
                        Some(CfOp::LoopStartNoAl) if text == Text::Native => true,
                        _ => text == Text::Native && field.get(bits) != 0,
                    }
            }
            (None, _) => self.first().is_some_and(|field| field.get(bits) != self.usual),
        }
    }
}
