//! What a record says of one of its numbers, besides its value.

use crate::shared::encoding::Spelling;
use std::ops::RangeInclusive;
use unshade_bytes::Severity;

/// How a number is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Counts and indices.
    Decimal,
    /// With a sign.
    Signed,
    /// Bits.
    Hex,
}

/// A number of a record: its name in the public documents of the format, and what its values mean.
#[derive(Debug, Clone, Copy)]
pub struct Number {
    /// The name, the same in the tree, in paths, in listings and in manifests.
    pub name: &'static str,
    /// How it is shown.
    pub style: Style,
    /// What it counts, `floats`; nothing for plain numbers.
    pub unit: &'static str,
    /// What a value stands for: `highp` for 3.
    pub meaning: Option<fn(u64) -> String>,
    /// How it is shown in place of a number: `texcoord0`.
    pub text: Option<fn(u64) -> String>,
    /// How such a text is read again.
    pub spelling: Option<&'static dyn Spelling>,
    /// What the highest value says in place of a number: `unused` for 0xFFFF.
    pub ones: Option<&'static str>,
    /// Whether its meaning is known.
    pub known: bool,
    /// Whether its value follows from something else in the file.
    pub follows: bool,
    /// The values that files have.
    pub expected: Option<Expected>,
}

/// The values that a number has in files, and what it is to have another.
#[derive(Debug, Clone, Copy)]
pub struct Expected {
    /// The values.
    pub values: &'static [RangeInclusive<u64>],
    /// The same in words: `1 (lowp), 2 (mediump) or 3 (highp)`.
    pub words: &'static str,
    /// How bad another value is.
    pub severity: Severity,
    /// The code of the finding.
    pub code: &'static str,
}

impl Number {
    /// A decimal number without a unit.
    pub const fn new(name: &'static str) -> Self {
        Self {
            name,
            style: Style::Decimal,
            unit: "",
            meaning: None,
            text: None,
            spelling: None,
            ones: None,
            known: true,
            follows: false,
            expected: None,
        }
    }

    /// One that is shown in another way.
    #[must_use]
    pub const fn style(self, style: Style) -> Self {
        Self { style, ..self }
    }

    /// One that counts something.
    #[must_use]
    pub const fn unit(self, unit: &'static str) -> Self {
        Self { unit, ..self }
    }

    /// One whose values stand for something.
    #[must_use]
    pub const fn meaning(self, meaning: fn(u64) -> String) -> Self {
        Self { meaning: Some(meaning), ..self }
    }

    /// One that is shown and read in a spelling of its own.
    #[must_use]
    pub const fn spelled(self, text: fn(u64) -> String, spelling: &'static dyn Spelling) -> Self {
        Self { text: Some(text), spelling: Some(spelling), ..self }
    }

    /// One that is shown in another way.
    #[must_use]
    pub const fn shown(self, text: fn(u64) -> String) -> Self {
        Self { text: Some(text), ..self }
    }

    /// One whose highest value says that there is none.
    #[must_use]
    pub const fn ones(self, meaning: &'static str) -> Self {
        Self { ones: Some(meaning), ..self }
    }

    /// One whose meaning is not known.
    #[must_use]
    pub const fn unknown(self) -> Self {
        Self { known: false, ..self }
    }

    /// One whose value follows from something else in the file, which has to change instead.
    #[must_use]
    pub const fn follows(self) -> Self {
        Self { follows: true, ..self }
    }

    /// One of which files have few values.
    #[must_use]
    pub const fn expected(
        self,
        values: &'static [RangeInclusive<u64>],
        words: &'static str,
        severity: Severity,
        code: &'static str,
    ) -> Self {
        Self { expected: Some(Expected { values, words, severity, code }), ..self }
    }

    /// A value of `size` bytes as the tree shows it: `3 (highp)`, `16 floats`, `65535 (unused)`.
    pub fn show(&self, size: u8, value: u64) -> String {
        if let Some(text) = self.text {
            return text(value);
        }
        let unused = 64_u32.saturating_sub(u32::from(size).saturating_mul(8));
        let number = match self.style {
            Style::Decimal => value.to_string(),
            Style::Signed => (((value << unused) as i64) >> unused).to_string(),
            Style::Hex => format!("{value:#x}"),
        };
        match (self.ones, self.meaning) {
            (Some(ones), _) if value == u64::MAX >> unused => format!("{number} ({ones})"),
            (_, Some(meaning)) => format!("{number} ({})", meaning(value)),
            _ if self.unit.is_empty() => number,
            _ => format!("{number} {}", self.unit),
        }
    }
}
