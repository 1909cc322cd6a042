//! What stands behind the operands of an instruction: a row for each word. Both printers and the assembler go over these rows.

use super::CfOp;
use crate::fields::CfNormal;
use unshade_isa_common::field::{Field, Pattern};

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
    /// The bits that it says.
    pub(crate) mask: u128,
    /// What its first field holds where the word alone says it, or else in a text without the word.
    pattern: Pattern,
}

impl Suffix {
    /// A word that stands for a value of a field.
    pub(super) const fn flag(name: &'static str, field: Field, value: u32) -> Self {
        Self { is: Some((field, value)), ..Self::with(name, Argument::None) }.complete()
    }

    /// A word with an argument.
    pub(super) const fn with(name: &'static str, argument: Argument) -> Self {
        let pattern = Pattern { mask: 0, value: 0 };
        Self { name, alias: None, is: None, argument, usual: 0, shown: Shown::Both, mask: 0, pattern }
            .complete()
    }

    /// The same with an argument.
    pub(super) const fn and(self, argument: Argument) -> Self {
        Self { argument, ..self }.complete()
    }

    /// The same for a field that holds this without the word.
    pub(super) const fn usual(self, usual: u32) -> Self {
        Self { usual, ..self }.complete()
    }

    /// The same in these texts.
    pub(super) const fn shown(self, shown: Shown) -> Self {
        Self { shown, ..self }
    }

    /// The same with another name.
    pub(super) const fn alias(self, name: &'static str) -> Self {
        Self { alias: Some(name), ..self }
    }

    /// The same with the bits that follow from its fields.
    const fn complete(mut self) -> Self {
        let fields = self.argument.fields();
        self.mask = 0;
        let mut at = 0;
        while at < fields.len() {
            self.mask |= fields[at].mask();
            at += 1;
        }
        if let Some((field, value)) = self.is {
            self.mask |= field.mask();
            self.pattern = Pattern { mask: field.mask(), value: field.put(value) };
        } else if let [field, ..] = fields {
            self.pattern = Pattern { mask: field.mask(), value: field.put(self.usual) };
        }
        self
    }

    /// Whether this is its name.
    pub(crate) fn is_named(&self, name: &str) -> bool {
        self.name == name || self.alias == Some(name)
    }

    /// What its bits are in a text without it.
    pub(super) const fn usual_bits(&self) -> u128 {
        match self.is {
            Some((field, _)) => field.put(self.usual),
            None => self.pattern.value,
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
    #[inline]
    pub(crate) fn is_shown(&self, bits: u128, text: Text) -> bool {
        let differs = self.pattern.fits(bits) == self.is.is_some();
        match self.shown {
            Shown::Never => false,
            Shown::Always => true,
            Shown::In(only) => differs && only == text,
            Shown::Both => match self.argument {
                Argument::Constant(_) => {
                    differs && text == Text::Native || is_read(CfNormal(bits as u64), text)
                }
                _ => differs,
            },
        }
    }
}

/// Whether a text says the constant of control flow even if it is 0.
fn is_read(cf: CfNormal, text: Text) -> bool {
    let op = CfOp::of(cf.inst());
    let counts = matches!(op, Some(CfOp::LoopStart | CfOp::LoopEnd));
    cf.cond() != 0 || counts || text == Text::Native && op == Some(CfOp::LoopStartNoAl)
}
