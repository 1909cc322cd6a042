//! What is wrong with records that archives share.

use super::model::{Array, Block, Macro, Record, Symbol, SymbolKind};
use super::raw;
use crate::shared::Strings;
use crate::shared::findings::{Findings, inside};
use crate::shared::opaque::escape;
use std::collections::BTreeSet;
use unshade_bytes::Limits;

/// What findings are called in the room of a format: `sharcfb.count`.
#[derive(Debug)]
pub(crate) struct Codes {
    /// Of the size of an array.
    pub array_size: &'static str,
    /// Of the count of an array.
    pub count: &'static str,
    /// Of a record whose parts do not fit.
    pub damaged: &'static str,
    /// Of a default of a macro.
    pub default: &'static str,
    /// Of the length of the default value of a symbol.
    pub default_size: &'static str,
    /// Of a name that is there twice.
    pub duplicate: &'static str,
    /// Of a flag that is none.
    pub flags: &'static str,
    /// Of bytes in an array that are no record.
    pub stray: &'static str,
    /// Of a string without NUL.
    pub string: &'static str,
    /// Of a string that ends early.
    pub string_length: &'static str,
    /// Of bytes behind what is known.
    pub tail: &'static str,
    /// Of an empty value.
    pub value_empty: &'static str,
    /// Of the number of values.
    pub values: &'static str,
    /// Of the number of flags.
    pub variations: &'static str,
    /// Macros may have no other name at all.
    pub without_ids: bool,
}

/// The codes of a room.
macro_rules! codes {
    ($room:literal) => {
        $crate::formats::agl::check::Codes {
            array_size: concat!($room, ".array-size"),
            count: concat!($room, ".count"),
            damaged: concat!($room, ".damaged"),
            default: concat!($room, ".default"),
            default_size: concat!($room, ".default-size"),
            duplicate: concat!($room, ".duplicate"),
            flags: concat!($room, ".flags"),
            stray: concat!($room, ".stray"),
            string: concat!($room, ".string"),
            string_length: concat!($room, ".string-length"),
            tail: concat!($room, ".tail"),
            value_empty: concat!($room, ".value-empty"),
            values: concat!($room, ".values"),
            variations: concat!($room, ".variations"),
            without_ids: false,
        }
    };
}
pub(crate) use codes;

/// Looks at records and adds what is wrong to the findings of their file. Offsets are those of the file; what goes over
/// records returns where they end.
pub(crate) struct Records<'c> {
    pub found: &'c mut Findings,
    pub codes: &'static Codes,
}

impl Records<'_> {
    /// Size, count and what is left of an array at `at`, and the records that were not understood.
    pub(crate) fn array<T>(&mut self, array: &Array<Record<T>>, path: &str, at: u64) {
        if let Some(size) = array.size {
            self.found.error(self.codes.array_size, (at, 4), &inside(path, "size"), || {
                format!("expected 8 and the size of the records within the parent, found {size}")
            });
        }
        if let Some(count) = array.count {
            let records = array.items.len();
            self.found.error(self.codes.count, (at.saturating_add(4), 4), &inside(path, "count"), || {
                format!("expected {records}, the number of records that fit, found {count}")
            });
        }
        if !array.stray.is_empty() {
            let len = array.stray.len();
            self.found.error(self.codes.stray, (at, 8), &inside(path, "stray"), || {
                format!("expected records up to the end of the array, found {len} bytes that are none")
            });
        }
    }

    pub(crate) fn damaged(&mut self, bytes: &[u8], at: u64, path: &str, expected: &str) {
        let len = bytes.len();
        self.found.error(self.codes.damaged, (at, (len as u64).saturating_add(4)), path, || {
            format!("expected {expected} inside of the record, found sizes that do not fit in {len} bytes")
        });
    }

    /// A string with its length.
    pub(crate) fn string(&mut self, text: &Strings, at: u64, path: &str) {
        let bytes = &text.0;
        let place = (at, bytes.len() as u64);
        match bytes.iter().position(|&byte| byte == 0) {
            None => self.found.error(self.codes.string, place, path, || {
                format!("expected a NUL among {} bytes, found none", bytes.len())
            }),
            Some(nul) if nul.saturating_add(1) < bytes.len() => {
                self.found.warning(self.codes.string_length, place, path, || {
                    format!("expected the NUL at the end of {} bytes, found it at {nul}", bytes.len())
                });
            }
            Some(_) => {}
        }
    }

    pub(crate) fn macros(
        &mut self,
        array: &Array<Record<Macro>>,
        defaults: bool,
        at: u64,
        path: &str,
    ) -> u64 {
        self.array(array, path, at);
        let mut at = at.saturating_add(8);
        let mut names = BTreeSet::new();
        for (index, record) in array.items.iter().enumerate() {
            let path = format!("{path}[{index}]");
            let of = match record {
                Record::Known(of) => of,
                Record::Damaged(bytes) => {
                    self.damaged(bytes, at, &path, "name, values and id");
                    at = at.saturating_add(4).saturating_add(bytes.len() as u64);
                    continue;
                }
            };
            let name_at = at.saturating_add(raw::MACRO as u64);
            let values_at = name_at.saturating_add(of.name.0.len() as u64);
            let id_at = values_at.saturating_add(of.values.0.len() as u64);
            self.string(&of.name, name_at, &inside(&path, "name"));
            if !of.id.0.is_empty() || !self.codes.without_ids {
                self.string(&of.id, id_at, &inside(&path, "id"));
            }
            if !names.insert(of.name()) {
                self.found.warning(self.codes.duplicate, (name_at, 1), &inside(&path, "name"), || {
                    format!(
                        "expected a name of its own, found {} again: the first is taken",
                        shown(of.name())
                    )
                });
            }
            self.values(of, values_at, &inside(&path, "values"));
            if defaults && of.stated_count() != 1 {
                self.found.error(
                    self.codes.default,
                    (at.saturating_add(8), 4),
                    &inside(&path, "value_count"),
                    || format!("expected one default value, found {}", of.stated_count()),
                );
            }
            at = id_at.saturating_add(of.id.0.len() as u64);
        }
        at.saturating_add(array.stray.len() as u64)
    }

    pub(crate) fn values(&mut self, of: &Macro, at: u64, path: &str) {
        let place = (at, of.values.0.len() as u64);
        if let Some(count) = of.count {
            self.found.error(self.codes.values, place, path, || {
                format!("expected {count} strings, found {}", of.values.iter().count())
            });
        }
        if of.values.terminated() != of.values.0.len() {
            self.found
                .error(self.codes.string, place, path, || "expected a NUL behind each value".to_owned());
        }
        let mut seen = BTreeSet::new();
        for value in of.values() {
            if value.is_empty() {
                self.found.warning(self.codes.value_empty, place, path, || {
                    "expected values of at least one byte, found an empty one, which the console passes over".to_owned()
                });
            }
            if !seen.insert(value) {
                self.found.warning(self.codes.duplicate, place, path, || {
                    format!("expected each value once, found {} again: the first is taken", shown(value))
                });
            }
        }
    }

    /// The defaults name the same macros in the same order, and one of their values each.
    pub(crate) fn defaults(
        &mut self,
        macros: &Array<Record<Macro>>,
        defaults: &Array<Record<Macro>>,
        at: u64,
        path: &str,
    ) {
        let path = inside(path, "defaults");
        let (macros, defaults) = (&macros.items, &defaults.items);
        if macros.len() != defaults.len() {
            return self.found.error(self.codes.default, (at, 8), &path, || {
                format!("expected a default for each of {} macros, found {}", macros.len(), defaults.len())
            });
        }
        for (index, (of, default)) in macros.iter().zip(defaults).enumerate() {
            let (Some(of), Some(default)) = (of.known(), default.known()) else { continue };
            let path = format!("{path}[{index}]");
            if of.name() != default.name() {
                self.found.error(self.codes.default, (at, 8), &inside(&path, "name"), || {
                    format!(
                        "expected {}, the macro at this place, found {}",
                        shown(of.name()),
                        shown(default.name())
                    )
                });
            } else if let Some(value) = default.values().next()
                && of.values().all(|known| known != value)
            {
                self.found.error(self.codes.default, (at, 8), &inside(&path, "values"), || {
                    format!("expected one of the values of {}, found {}", shown(of.name()), shown(value))
                });
            }
        }
    }

    pub(crate) fn symbols(
        &mut self,
        array: &Array<Record<Symbol>>,
        kind: SymbolKind,
        variations: Option<u64>,
        at: u64,
        path: &str,
    ) -> u64 {
        self.array(array, path, at);
        let mut at = at.saturating_add(8);
        let mut ids = BTreeSet::new();
        for (index, record) in array.items.iter().enumerate() {
            let path = format!("{path}[{index}]");
            let symbol = match record {
                Record::Known(symbol) => symbol,
                Record::Damaged(bytes) => {
                    self.damaged(bytes, at, &path, "names, default value and flags");
                    at = at.saturating_add(4).saturating_add(bytes.len() as u64);
                    continue;
                }
            };
            let name_at = at.saturating_add(raw::SYMBOL as u64);
            let id_at = name_at.saturating_add(symbol.name.0.len() as u64);
            let default_at = id_at.saturating_add(symbol.id.0.len() as u64);
            let flags_at = default_at.saturating_add(symbol.default.len() as u64);
            self.string(&symbol.name, name_at, &inside(&path, "name"));
            self.string(&symbol.id, id_at, &inside(&path, "id"));
            if !ids.insert(raw::text(&symbol.id.0)) {
                self.found.warning(self.codes.duplicate, (id_at, 1), &inside(&path, "id"), || {
                    format!(
                        "expected an id of its own, found {} again: the first is taken",
                        shown(&symbol.id.0)
                    )
                });
            }
            let stated = (at.saturating_add(0x14), 4);
            if variations.is_some_and(|count| count != symbol.flags.len() as u64) {
                self.found.error(self.codes.variations, stated, &inside(&path, "variation_count"), || {
                    let count = variations.unwrap_or(0);
                    format!("expected {count}, the variations of the program, found {}", symbol.flags.len())
                });
            }
            if symbol.flags.iter().any(|&flag| flag > 1) {
                let place = (flags_at, symbol.flags.len() as u64);
                self.found.note(self.codes.flags, place, &inside(&path, "flags"), || {
                    "expected 0 or 1 for each variation, found another number".to_owned()
                });
            }
            let (len, size) = (symbol.default.len(), symbol.offset);
            let fits = match kind {
                SymbolKind::Uniforms => len.is_multiple_of(4),
                SymbolKind::Blocks => len == 0 || i64::from(size) == len as i64,
                SymbolKind::Samplers | SymbolKind::Attributes => len == 0 && size == -1,
            };
            if !fits {
                self.found.warning(
                    self.codes.default_size,
                    (default_at, len as u64),
                    &inside(&path, "default"),
                    || match kind {
                        SymbolKind::Uniforms => format!("expected words, found {len} bytes"),
                        SymbolKind::Blocks => {
                            format!("expected {size} bytes, the size of the block, found {len}")
                        }
                        _ => format!("expected no default value and offset -1, found {len} bytes and {size}"),
                    },
                );
            }
            let tail_at = flags_at.saturating_add(symbol.flags.len() as u64);
            at = self.tail(&symbol.tail, tail_at, &path, "the flags");
        }
        at.saturating_add(array.stray.len() as u64)
    }

    /// An array of blocks at `at`, with their uniforms.
    pub(crate) fn blocks(&mut self, array: &Array<Record<Block>>, at: u64, path: &str) -> u64 {
        self.array(array, path, at);
        let mut at = at.saturating_add(8);
        for (index, record) in array.items.iter().enumerate() {
            let path = format!("{path}[{index}]");
            let block = match record {
                Record::Known(block) => block,
                Record::Damaged(bytes) => {
                    self.damaged(bytes, at, &path, "a name and an array of uniforms");
                    at = at.saturating_add(4).saturating_add(bytes.len() as u64);
                    continue;
                }
            };
            at = at.saturating_add(raw::BLOCK as u64);
            self.string(&block.name, at, &inside(&path, "name"));
            at = at.saturating_add(block.name.0.len() as u64);
            let uniforms = inside(&path, "uniforms");
            self.array(&block.uniforms, &uniforms, at);
            at = at.saturating_add(8);
            for (index, record) in block.uniforms.items.iter().enumerate() {
                let path = format!("{uniforms}[{index}]");
                match record {
                    Record::Known(uniform) => {
                        at = at.saturating_add(raw::UNIFORM as u64);
                        self.string(&uniform.name, at, &inside(&path, "name"));
                        at = at.saturating_add(uniform.name.0.len() as u64);
                        at = self.tail(&uniform.tail, at, &path, "the name");
                    }
                    Record::Damaged(bytes) => {
                        self.damaged(bytes, at, &path, "a name");
                        at = at.saturating_add(4).saturating_add(bytes.len() as u64);
                    }
                }
            }
            at = at.saturating_add(block.uniforms.stray.len() as u64);
            at = self.tail(&block.tail, at, &path, "the uniforms");
        }
        at.saturating_add(array.stray.len() as u64)
    }

    /// Bytes at the end of a record, behind `what`.
    pub(crate) fn tail(&mut self, tail: &[u8], at: u64, path: &str, what: &str) -> u64 {
        let len = tail.len() as u64;
        if len > 0 {
            self.found.warning(self.codes.tail, (at, len), &inside(path, "tail"), || {
                format!("expected the end of the record behind {what}, found {len} more bytes")
            });
        }
        at.saturating_add(len)
    }
}

/// A name for people.
pub(crate) fn shown(bytes: &[u8]) -> String {
    let text = raw::text(bytes);
    escape(text.get(..Limits::DEFAULT.name).unwrap_or(text))
}
