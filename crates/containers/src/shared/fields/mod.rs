//! Structures said once: each record lists its fields in order, and who goes through that list reads them,
//! writes them, names them, collects their pointers or moves them.

pub(crate) mod grow;
mod load;
mod look;
mod number;
mod record;
mod save;

pub use grow::Grow;
pub use load::Loader;
pub use look::{DirtyField, DirtyFields, Fill, List, Listed, Slot, Surprise, Surprises, Walk};
pub use number::{Expected, Number, Style};
pub use record::Record;
pub use save::{Numbers, Saver};

use crate::shared::Opaque;
use unshade_bytes::{Endian, Error, ErrorKind, Result};

/// A place in the file, counted from its start; 0 points at nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(transparent))]
pub struct Pointer(pub u64);

impl Pointer {
    /// Points at nothing.
    pub const NULL: Self = Self(0);

    /// Whether it points at nothing.
    pub fn is_null(self) -> bool {
        self.0 == 0
    }

    /// The place, if it points at one.
    pub fn get(self) -> Option<u64> {
        (self.0 != 0).then_some(self.0)
    }
}

/// How numbers and pointers are stored in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Form {
    /// Most significant byte first.
    pub big_endian: bool,
    /// Pointers have 32 bits and count from where they stand (Wii U); else 64 bits from the start (Switch).
    pub relative: bool,
    /// First number of the version, which decides the layout of records.
    pub major: u16,
    /// Second number of the version.
    pub minor: u8,
}

impl Form {
    /// A file without pointers, whose layout is the same in all versions.
    pub const fn plain(endian: Endian) -> Self {
        Self { big_endian: matches!(endian, Endian::Big), relative: false, major: 0, minor: 0 }
    }

    /// Order of the bytes of a number.
    pub fn endian(self) -> Endian {
        if self.big_endian { Endian::Big } else { Endian::Little }
    }

    /// Bytes of a pointer.
    pub fn pointer_size(self) -> u64 {
        if self.relative { 4 } else { 8 }
    }
}

/// What a pointer leads to, and how it is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Use {
    /// A structure or bytes.
    Object,
    /// A string: the word of its length (Switch), its first character (Wii U).
    Text,
    /// A structure, as a plain number of 32 bits that no relocation table lists.
    Offset,
    /// The first character of a string, as a plain number of 32 bits.
    Characters,
    /// The end of something, as a plain number of 32 bits.
    End,
}

impl Use {
    /// Bytes that the pointer takes in a file.
    pub fn size(self, form: Form) -> u64 {
        match self {
            Self::Object | Self::Text => form.pointer_size(),
            Self::Offset | Self::Characters | Self::End => 4,
        }
    }
}

/// What bytes without a type are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meaning {
    /// Not used by the format: zero in files of the console's tools.
    Reserved,
    /// Used for something that is not known.
    Unknown,
}

/// Goes through the fields of a record in their order.
pub trait Visitor {
    /// How the file is stored.
    fn form(&self) -> Form;

    /// A number of `size` bytes (1, 2, 4 or 8).
    ///
    /// # Errors
    /// When it cannot be read, or does not fit.
    fn number(&mut self, name: &'static str, size: u8, style: Style, value: &mut u64) -> Result<()>;

    /// A number of which more is known than its name.
    ///
    /// # Errors
    /// As [`Visitor::number`].
    fn described(&mut self, number: &Number, size: u8, value: &mut u64) -> Result<()> {
        self.number(number.name, size, number.style, value)
    }

    /// A pointer.
    ///
    /// # Errors
    /// When it cannot be read, or does not fit.
    fn pointer(&mut self, name: &'static str, target: Use, value: &mut Pointer) -> Result<()>;

    /// `size` bytes. None at all stand for that many zeros.
    ///
    /// # Errors
    /// When they cannot be read, or there are others than `size`.
    fn bytes(&mut self, name: &'static str, size: u64, meaning: Meaning, value: &mut Opaque) -> Result<()>;

    /// Characters that are always the same, or nearly.
    ///
    /// # Errors
    /// When they cannot be read.
    fn magic(&mut self, name: &'static str, value: &mut [u8]) -> Result<()>;

    /// The bytes of a string with its length and the zeros behind it.
    ///
    /// # Errors
    /// As [`Visitor::bytes`].
    fn string(&mut self, name: &'static str, size: u64, value: &mut Opaque, _text: &[u8]) -> Result<()> {
        self.bytes(name, size, Meaning::Unknown, value)
    }

    /// Bytes that fill up, zero mostly.
    ///
    /// # Errors
    /// As [`Visitor::bytes`].
    fn padding(&mut self, name: &'static str, size: u64, value: &mut Opaque) -> Result<()> {
        self.bytes(name, size, Meaning::Reserved, value)
    }

    /// The fields that follow belong to an entry of a list.
    fn enter(&mut self, _name: &'static str, _index: u64) {}

    /// The end of that entry.
    fn leave(&mut self) {}

    /// While reading: how many bytes are left for the record.
    fn left(&self) -> Option<u64> {
        None
    }
}

/// A whole number that a field can be.
pub trait Whole: Copy {
    /// How many bytes it has in a file.
    const SIZE: u8;

    /// The number that has these bits; higher ones are left out.
    fn of_bits(bits: u64) -> Self;

    /// Its bits.
    fn bits(self) -> u64;
}

macro_rules! whole {
    ($($name:ident),+) => {
        $(impl Whole for $name {
            const SIZE: u8 = size_of::<Self>() as u8;

            fn of_bits(bits: u64) -> Self {
                bits as Self
            }

            fn bits(self) -> u64 {
                self.into()
            }
        })+
    };
}
whole!(u8, u16, u32, u64);

/// Typed fields in terms of [`Visitor::number`].
pub trait Fields: Visitor {
    /// A number of as many bytes as its type has.
    ///
    /// # Errors
    /// As [`Visitor::number`].
    fn field<T: Whole>(&mut self, number: &Number, value: &mut T) -> Result<()> {
        self.sized(number, T::SIZE, value)
    }

    /// A number of fewer bytes than its type has.
    ///
    /// # Errors
    /// As [`Visitor::number`].
    fn sized<T: Whole>(&mut self, number: &Number, size: u8, value: &mut T) -> Result<()> {
        let mut bits = value.bits();
        self.described(number, size, &mut bits)?;
        *value = T::of_bits(bits);
        Ok(())
    }

    /// A number whose highest value stands for none.
    ///
    /// # Errors
    /// As [`Visitor::number`].
    fn optional<T: Whole>(&mut self, number: &Number, value: &mut Option<T>) -> Result<()> {
        let none = T::of_bits(u64::MAX).bits();
        let mut bits = value.map_or(none, T::bits);
        self.described(number, T::SIZE, &mut bits)?;
        *value = (bits != none).then(|| T::of_bits(bits));
        Ok(())
    }

    /// A byte.
    ///
    /// # Errors
    /// As [`Visitor::number`].
    fn u8(&mut self, name: &'static str, value: &mut u8) -> Result<()> {
        let mut wide = u64::from(*value);
        self.number(name, 1, Style::Decimal, &mut wide)?;
        *value = wide as u8;
        Ok(())
    }

    /// A byte of bits.
    ///
    /// # Errors
    /// As [`Visitor::number`].
    fn bits8(&mut self, name: &'static str, value: &mut u8) -> Result<()> {
        let mut wide = u64::from(*value);
        self.number(name, 1, Style::Hex, &mut wide)?;
        *value = wide as u8;
        Ok(())
    }

    /// A byte with a sign.
    ///
    /// # Errors
    /// As [`Visitor::number`].
    fn i8(&mut self, name: &'static str, value: &mut i8) -> Result<()> {
        let mut wide = u64::from(*value as u8);
        self.number(name, 1, Style::Signed, &mut wide)?;
        *value = wide as u8 as i8;
        Ok(())
    }

    /// Two bytes.
    ///
    /// # Errors
    /// As [`Visitor::number`].
    fn u16(&mut self, name: &'static str, value: &mut u16) -> Result<()> {
        let mut wide = u64::from(*value);
        self.number(name, 2, Style::Decimal, &mut wide)?;
        *value = wide as u16;
        Ok(())
    }

    /// Two bytes of bits.
    ///
    /// # Errors
    /// As [`Visitor::number`].
    fn bits16(&mut self, name: &'static str, value: &mut u16) -> Result<()> {
        let mut wide = u64::from(*value);
        self.number(name, 2, Style::Hex, &mut wide)?;
        *value = wide as u16;
        Ok(())
    }

    /// Four bytes.
    ///
    /// # Errors
    /// As [`Visitor::number`].
    fn u32(&mut self, name: &'static str, value: &mut u32) -> Result<()> {
        let mut wide = u64::from(*value);
        self.number(name, 4, Style::Decimal, &mut wide)?;
        *value = wide as u32;
        Ok(())
    }

    /// Four bytes of bits.
    ///
    /// # Errors
    /// As [`Visitor::number`].
    fn bits32(&mut self, name: &'static str, value: &mut u32) -> Result<()> {
        let mut wide = u64::from(*value);
        self.number(name, 4, Style::Hex, &mut wide)?;
        *value = wide as u32;
        Ok(())
    }

    /// Four bytes with a sign.
    ///
    /// # Errors
    /// As [`Visitor::number`].
    fn i32(&mut self, name: &'static str, value: &mut i32) -> Result<()> {
        let mut wide = u64::from(*value as u32);
        self.number(name, 4, Style::Signed, &mut wide)?;
        *value = wide as u32 as i32;
        Ok(())
    }

    /// Eight bytes of bits.
    ///
    /// # Errors
    /// As [`Visitor::number`].
    fn bits64(&mut self, name: &'static str, value: &mut u64) -> Result<()> {
        self.number(name, 8, Style::Hex, value)
    }

    /// A pointer to a structure or bytes.
    ///
    /// # Errors
    /// As [`Visitor::pointer`].
    fn object(&mut self, name: &'static str, value: &mut Pointer) -> Result<()> {
        self.pointer(name, Use::Object, value)
    }

    /// A pointer to a string.
    ///
    /// # Errors
    /// As [`Visitor::pointer`].
    fn text(&mut self, name: &'static str, value: &mut Pointer) -> Result<()> {
        self.pointer(name, Use::Text, value)
    }

    /// Bytes that the format does not use.
    ///
    /// # Errors
    /// As [`Visitor::bytes`].
    fn reserved(&mut self, name: &'static str, size: u64, value: &mut Opaque) -> Result<()> {
        self.bytes(name, size, Meaning::Reserved, value)
    }

    /// While reading, makes room in a list for as many entries of `size` bytes as its count says.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfBounds`] when the file has not as many bytes.
    fn entries<T: Default + Clone>(&mut self, list: &mut Vec<T>, count: u64, size: u64) -> Result<()> {
        let Some(left) = self.left() else { return Ok(()) };
        let fits = count.checked_mul(size).is_some_and(|bytes| bytes <= left);
        let count = usize::try_from(count).ok().filter(|_| fits).ok_or_else(|| {
            let found = format!("{count} entries of {size} bytes, and {left} bytes to the end");
            Error::new(ErrorKind::OutOfBounds, 0, "count", "as many entries as the file has room for", found)
        })?;
        list.resize(count, T::default());
        Ok(())
    }
}

impl<V: Visitor + ?Sized> Fields for V {}
