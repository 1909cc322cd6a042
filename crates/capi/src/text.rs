//! Texts that C reads, and bytes that it takes away.

use std::ffi::c_char;

/// Text in UTF-8 that belongs to the object it was asked of, and lives as long as that.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Text {
    /// The bytes, with a zero byte behind them. Never a null pointer. Names in files may hold zero bytes too; `len` counts
    /// them.
    pub data: *const c_char,
    /// How many bytes there are, without the zero byte behind them.
    pub len: usize,
}

/// Text with a zero byte behind it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Owned(Box<[u8]>);

impl Owned {
    pub(crate) fn new(text: impl Into<String>) -> Self {
        let mut bytes = text.into().into_bytes();
        bytes.reserve_exact(1);
        bytes.push(0);
        Self(bytes.into())
    }

    /// How C sees it.
    pub(crate) fn view(&self) -> Text {
        Text { data: self.0.as_ptr().cast(), len: self.0.len().saturating_sub(1) }
    }
}

/// Bytes that were made for the caller: a text, or the words of a SPIR-V binary.
#[derive(Debug)]
pub struct Buffer(Owned);

impl Buffer {
    pub(crate) fn text(text: impl Into<String>) -> Self {
        Self(Owned::new(text))
    }

    pub(crate) fn bytes(mut bytes: Vec<u8>) -> Self {
        bytes.reserve_exact(1);
        bytes.push(0);
        Self(Owned(bytes.into()))
    }

    pub(crate) fn view(&self) -> Text {
        self.0.view()
    }
}
