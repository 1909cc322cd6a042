//! Dictionaries: what frames may have been packed with.

use std::sync::Arc;
use unshade_bytes::{Error, ErrorKind, Result};

/// First bytes of a dictionary.
pub const DICTIONARY_MAGIC: [u8; 4] = [0x37, 0xa4, 0x30, 0xec];

/// A dictionary: tables and a piece of typical content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dictionary {
    /// The number that frames call it by.
    pub id: u32,
    /// The file, as it is.
    pub bytes: Arc<[u8]>,
}

impl Dictionary {
    /// Takes a dictionary file.
    ///
    /// # Errors
    /// [`ErrorKind::BadMagic`] for another file, [`ErrorKind::BadValue`] for one whose tables cannot be read.
    pub fn read(bytes: &[u8]) -> Result<Self> {
        let Some(([magic, id], _)) = bytes.as_chunks::<4>().0.split_first_chunk() else {
            let found = format!("{} bytes", bytes.len());
            return Err(
                Error::new(ErrorKind::Truncated, 0, "", "a dictionary", found).code("zstd.dictionary")
            );
        };
        if *magic != DICTIONARY_MAGIC {
            let found = format!("\"{}\"", magic.escape_ascii());
            return Err(Error::new(
                ErrorKind::BadMagic,
                0,
                "magic",
                "37 a4 30 ec (a zstd dictionary)",
                found,
            )
            .code("zstd.dictionary"));
        }
        ruzstd::decoding::Dictionary::decode_dict(bytes).map_err(|error| {
            Error::new(ErrorKind::BadValue, 8, "tables", "tables of a zstd dictionary", error.to_string())
                .code("zstd.dictionary")
        })?;
        Ok(Self { id: u32::from_le_bytes(*id), bytes: bytes.into() })
    }
}

/// Dictionaries by their ids.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Dictionaries(pub Vec<Dictionary>);

/// As many are kept of one file; nobody has more than three.
const MOST: usize = 64;

impl Dictionaries {
    /// The dictionary of that id.
    pub fn get(&self, id: u32) -> Option<&Dictionary> {
        self.0.iter().find(|known| known.id == id)
    }

    /// Adds one, unless there is one of that id.
    pub fn add(&mut self, dictionary: Dictionary) {
        if self.get(dictionary.id).is_none() && self.0.len() < MOST {
            self.0.push(dictionary);
        }
    }

    /// Adds a file if it is a dictionary.
    pub fn offer(&mut self, bytes: &[u8]) {
        if bytes.starts_with(&DICTIONARY_MAGIC)
            && let Ok(dictionary) = Dictionary::read(bytes)
        {
            self.add(dictionary);
        }
    }
}
