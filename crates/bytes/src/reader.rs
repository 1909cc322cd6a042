//! A window on the bytes of a file that never forgets where in the file it stands.
//!
//! Nothing here allocates unless it fails: a field is named by a `&'static str`, and the path around it is
//! put in front of the error by [`Under`] on the way out.

use crate::{Error, ErrorKind, Result, meter};
use alloc::{borrow::Cow, format, string::String};

/// Order of the bytes of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Endian {
    /// Least significant byte first.
    #[default]
    Little,
    /// Most significant byte first.
    Big,
}

impl Endian {
    /// `little` or `big`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Little => "little",
            Self::Big => "big",
        }
    }
}

/// Reads fields one after the other from a window of a file.
///
/// ```
/// use unshade_bytes::{Endian, Reader};
/// let file = [b'D', b'V', b'L', b'B', 2, 0, 0, 0];
/// let mut reader = Reader::new(&file, Endian::Little);
/// reader.magic(b"DVLB", "magic").unwrap();
/// assert_eq!(reader.u32("count").unwrap(), 2);
/// let error = reader.u16("dvle_offset").unwrap_err();
/// assert_eq!(error.to_string(), "dvle_offset: expected 2 bytes, found the end after 0 at 0x8");
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Reader<'a> {
    data: &'a [u8],
    position: usize,
    base: u64,
    endian: Endian,
}

impl<'a> Reader<'a> {
    /// A reader at the start of a whole file.
    pub fn new(data: &'a [u8], endian: Endian) -> Self {
        Self { data, position: 0, base: 0, endian }
    }

    /// A reader of bytes that were found at `base` in a larger file; offsets in errors count from there.
    pub fn with_base(data: &'a [u8], base: u64, endian: Endian) -> Self {
        Self { data, position: 0, base, endian }
    }

    /// Order of the bytes of a number.
    pub fn endian(&self) -> Endian {
        self.endian
    }

    /// The whole window, whatever was read of it.
    pub fn data(&self) -> &'a [u8] {
        self.data
    }

    /// Length of the window in bytes.
    pub fn window(&self) -> u64 {
        self.data.len() as u64
    }

    /// Where the next field is, counted from the start of the window.
    pub fn position(&self) -> u64 {
        self.position as u64
    }

    /// Where the next field is, counted from the start of the whole file.
    pub fn offset(&self) -> u64 {
        self.base.saturating_add(self.position as u64)
    }

    /// The bytes that were not read yet.
    pub fn rest(&self) -> &'a [u8] {
        self.data.get(self.position..).unwrap_or_default()
    }

    /// How many bytes were not read yet.
    pub fn remaining(&self) -> u64 {
        self.rest().len() as u64
    }

    /// The same window, read from `position` (counted from its start) on.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfBounds`] when `position` lies behind the end of the window.
    pub fn at(&self, position: u64, what: &'static str) -> Result<Self> {
        match usize::try_from(position) {
            Ok(position) if position <= self.data.len() => Ok(Self { position, ..*self }),
            _ => Err(self.outside(position, 0, what)),
        }
    }

    /// A window of its own: `len` bytes from `position`, both counted in this window.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfBounds`] when it does not lie inside this window.
    pub fn sub(&self, position: u64, len: u64, what: &'static str) -> Result<Self> {
        let data = self.slice(position, len, what)?;
        Ok(Self { data, position: 0, base: self.base.saturating_add(position), endian: self.endian })
    }

    /// `len` bytes from `position` of the window, without moving.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfBounds`] when they do not lie inside this window.
    pub fn slice(&self, position: u64, len: u64, what: &'static str) -> Result<&'a [u8]> {
        meter::charge(1);
        let range = position
            .checked_add(len)
            .and_then(|end| Some(usize::try_from(position).ok()?..usize::try_from(end).ok()?));
        range.and_then(|range| self.data.get(range)).ok_or_else(|| self.outside(position, len, what))
    }

    /// The bytes of a table of `count` entries of `size` bytes each, from `position` of the window.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfBounds`] when the table does not lie inside this window, also when
    /// `count * size` does not fit 64 bits.
    pub fn counted(&self, position: u64, count: u64, size: u64, what: &'static str) -> Result<&'a [u8]> {
        match count.checked_mul(size) {
            Some(len) => self.slice(position, len, what).map_err(|mut error| {
                error.found = Cow::Owned(format!(
                    "{count} entries of {size} bytes from {:#x} to {:#x}, and the end at {:#x}",
                    self.base.saturating_add(position),
                    self.base.saturating_add(position).saturating_add(len),
                    self.base.saturating_add(self.window()),
                ));
                error
            }),
            None => Err(self.outside(position, u64::MAX, what)),
        }
    }

    /// The next `len` bytes.
    ///
    /// # Errors
    /// [`ErrorKind::Truncated`] when the window ends before.
    pub fn bytes(&mut self, len: u64, what: &'static str) -> Result<&'a [u8]> {
        meter::charge(1);
        let rest = self.rest();
        match usize::try_from(len).ok().and_then(|len| rest.get(..len)) {
            Some(bytes) => {
                self.position = self.position.saturating_add(bytes.len());
                Ok(bytes)
            }
            None => Err(self.truncated(len, what)),
        }
    }

    /// The next `N` bytes as an array.
    ///
    /// # Errors
    /// [`ErrorKind::Truncated`] when the window ends before.
    #[inline]
    pub fn array<const N: usize>(&mut self, what: &'static str) -> Result<[u8; N]> {
        meter::charge(1);
        match self.rest().first_chunk::<N>() {
            Some(bytes) => {
                self.position = self.position.saturating_add(N);
                Ok(*bytes)
            }
            None => Err(self.truncated(N as u64, what)),
        }
    }

    /// Checks that the next bytes are a magic number, and moves past it.
    ///
    /// # Errors
    /// [`ErrorKind::BadMagic`] when other bytes stand here, [`ErrorKind::Truncated`] at the end.
    #[inline]
    pub fn magic<const N: usize>(&mut self, magic: &[u8; N], what: &'static str) -> Result<()> {
        let here = self.offset();
        let found = self.array::<N>(what)?;
        if found == *magic { Ok(()) } else { Err(bad_magic(here, what, magic, &found)) }
    }

    /// The next byte.
    ///
    /// # Errors
    /// [`ErrorKind::Truncated`] when the window ends before.
    #[inline]
    pub fn u8(&mut self, what: &'static str) -> Result<u8> {
        self.array::<1>(what).map(u8::from_le_bytes)
    }

    /// The next 2 bytes as a number in the reader's byte order.
    ///
    /// # Errors
    /// [`ErrorKind::Truncated`] when the window ends before.
    #[inline]
    pub fn u16(&mut self, what: &'static str) -> Result<u16> {
        let bytes = self.array(what)?;
        Ok(match self.endian {
            Endian::Little => u16::from_le_bytes(bytes),
            Endian::Big => u16::from_be_bytes(bytes),
        })
    }

    /// The next 4 bytes as a number in the reader's byte order.
    ///
    /// # Errors
    /// [`ErrorKind::Truncated`] when the window ends before.
    #[inline]
    pub fn u32(&mut self, what: &'static str) -> Result<u32> {
        let bytes = self.array(what)?;
        Ok(match self.endian {
            Endian::Little => u32::from_le_bytes(bytes),
            Endian::Big => u32::from_be_bytes(bytes),
        })
    }

    /// The next 8 bytes as a number in the reader's byte order.
    ///
    /// # Errors
    /// [`ErrorKind::Truncated`] when the window ends before.
    #[inline]
    pub fn u64(&mut self, what: &'static str) -> Result<u64> {
        let bytes = self.array(what)?;
        Ok(match self.endian {
            Endian::Little => u64::from_le_bytes(bytes),
            Endian::Big => u64::from_be_bytes(bytes),
        })
    }

    /// The bytes up to the next NUL, which is passed over but not returned.
    ///
    /// # Errors
    /// [`ErrorKind::Truncated`] when no NUL follows in the window.
    pub fn cstr(&mut self, what: &'static str) -> Result<&'a [u8]> {
        let rest = self.rest();
        match rest.iter().position(|&byte| byte == 0) {
            Some(len) => {
                self.position = self.position.saturating_add(len).saturating_add(1);
                Ok(rest.get(..len).unwrap_or_default())
            }
            None => Err(Error::new(
                ErrorKind::Truncated,
                self.offset(),
                what,
                "a string that ends with a NUL byte",
                format!("{} bytes without one", rest.len()),
            )),
        }
    }

    #[cold]
    fn truncated(&self, needed: u64, what: &'static str) -> Error {
        let expected = if needed == 1 { "1 byte".into() } else { format!("{needed} bytes") };
        let found = format!("the end after {}", self.remaining());
        Error::new(ErrorKind::Truncated, self.offset(), what, expected, found)
    }

    #[cold]
    fn outside(&self, position: u64, len: u64, what: &'static str) -> Error {
        let start = self.base.saturating_add(position);
        let end = self.base.saturating_add(self.window());
        Error::new(
            ErrorKind::OutOfBounds,
            start,
            what,
            format!("a place before {end:#x}"),
            format!("{len} bytes from {start:#x}"),
        )
    }
}

#[cold]
fn bad_magic(offset: u64, what: &'static str, expected: &[u8], found: &[u8]) -> Error {
    Error::new(
        ErrorKind::BadMagic,
        offset,
        what,
        format!("\"{}\"", expected.escape_ascii()),
        format!("\"{}\"", found.escape_ascii()),
    )
}

/// Puts the name of what is being read in front of the path of an error; costs nothing on success.
pub trait Under {
    /// The same result, an error's path prefixed with `parent` and a dot.
    #[must_use]
    fn under<S: Into<String>>(self, parent: impl FnOnce() -> S) -> Self;

    /// The same result, an error with the diagnostic code `code` unless it has one already.
    #[must_use]
    fn code(self, code: &'static str) -> Self;
}

impl<T> Under for Result<T> {
    #[inline]
    fn under<S: Into<String>>(self, parent: impl FnOnce() -> S) -> Self {
        self.map_err(|mut error| {
            let mut path: String = parent().into();
            if !error.path.is_empty() && !error.path.starts_with('[') && !path.is_empty() {
                path.push('.');
            }
            path.push_str(&error.path);
            error.path = path;
            error
        })
    }

    #[inline]
    fn code(self, code: &'static str) -> Self {
        self.map_err(|error| if error.code.is_empty() { error.code(code) } else { error })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn numbers_in_both_orders() {
        let bytes = [1, 2, 3, 4, 5, 6, 7, 8, 9];
        let mut little = Reader::new(&bytes, Endian::Little);
        let mut big = Reader::new(&bytes, Endian::Big);
        assert_eq!((little.u16("a").unwrap(), big.u16("a").unwrap()), (0x0201, 0x0102));
        assert_eq!((little.u32("b").unwrap(), big.u32("b").unwrap()), (0x0605_0403, 0x0304_0506));
        assert_eq!((little.u8("c").unwrap(), big.u8("c").unwrap()), (7, 7));
        assert_eq!(little.remaining(), 2);
        let (little, big) = (Reader::new(&bytes, Endian::Little), Reader::new(&bytes, Endian::Big));
        assert_eq!(little.at(1, "d").unwrap().u64("d").unwrap(), 0x0908_0706_0504_0302);
        assert_eq!(big.at(1, "d").unwrap().u64("d").unwrap(), 0x0203_0405_0607_0809);
    }

    #[test]
    fn windows_keep_the_offset_in_the_file() {
        let bytes = [0; 32];
        let outer = Reader::with_base(&bytes, 0x100, Endian::Little);
        let mut inner = outer.sub(8, 4, "inner").unwrap();
        assert_eq!((inner.offset(), inner.position(), inner.window()), (0x108, 0, 4));
        inner.u16("first").unwrap();
        let error = inner.u32("second").under(|| "dvle[1]").unwrap_err();
        assert_eq!(error.to_string(), "dvle[1].second: expected 4 bytes, found the end after 2 at 0x10a");
        assert_eq!(error.kind, ErrorKind::Truncated);
    }

    #[test]
    fn tables_of_strangers_do_not_overflow() {
        let bytes = [0; 16];
        let reader = Reader::new(&bytes, Endian::Little);
        assert_eq!(reader.counted(8, 2, 4, "table").unwrap().len(), 8);
        for (position, count, size) in
            [(8, 3, 4), (u64::MAX, 1, 1), (0, u64::MAX, 2), (8, 0x4000_0001, 4), (17, 0, 4)]
        {
            let error = reader.counted(position, count, size, "table").unwrap_err();
            assert_eq!((error.kind, error.path.as_str()), (ErrorKind::OutOfBounds, "table"));
        }
        assert_eq!(reader.counted(16, 0, 20, "empty").unwrap().len(), 0);
        assert!(reader.at(16, "end").is_ok() && reader.at(17, "behind").is_err());
        assert!(reader.sub(10, 7, "window").is_err());
    }

    #[test]
    fn strings_end_with_nul() {
        let mut reader = Reader::new(b"main\0end", Endian::Little);
        assert_eq!(reader.cstr("name").unwrap(), b"main");
        assert_eq!(reader.position(), 5);
        assert_eq!(reader.cstr("name").unwrap_err().kind, ErrorKind::Truncated);
    }

    #[test]
    fn a_wrong_magic_shows_both() {
        let error = Reader::new(b"DVLX", Endian::Little).magic(b"DVLE", "magic").unwrap_err();
        assert_eq!(error.to_string(), "magic: expected \"DVLE\", found \"DVLX\" at 0x0");
    }

    #[test]
    fn codes_and_paths_nest() {
        let error = || Error::new(ErrorKind::BadValue, 4, "[3].type", "a", "b");
        let result: Result<()> = Err(error());
        let error = result.code("x.inner").code("x.outer").under(|| "constants").under(|| "dvle[0]");
        let error = error.unwrap_err();
        assert_eq!((error.path.as_str(), error.code), ("dvle[0].constants[3].type", "x.inner"));
    }

    #[test]
    fn tables_that_do_not_fit_say_where_they_would_end() {
        let file = [0; 16];
        let reader = Reader::with_base(&file, 0x100, Endian::Big);
        assert_eq!(
            (reader.endian(), reader.endian().name(), Endian::Little.name()),
            (Endian::Big, "big", "little")
        );
        assert_eq!(reader.counted(4, 3, 4, "table").map(<[u8]>::len), Ok(12));
        let error = reader.counted(4, 4, 4, "table").unwrap_err();
        assert_eq!(error.found, "4 entries of 4 bytes from 0x104 to 0x114, and the end at 0x110");
    }
}
