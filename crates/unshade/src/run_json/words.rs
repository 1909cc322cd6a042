//! The notation of values: 32-bit words in hexadecimal.

use super::RunJsonError;
use serde_json::{Map, Value};

/// Words where each may be left open: written `-`, not compared.
pub type OpenWords = Vec<Option<u32>>;

/// Reads words of eight hexadecimal digits with blanks between, `-` for an open one, or `@id` for the entry
/// `id` of the pool.
pub fn open_words(value: &Value, pool: &Map<String, Value>, path: &str) -> Result<OpenWords, RunJsonError> {
    let text = text(value, path)?;
    let text = match text.strip_prefix('@') {
        Some(id) => {
            let entry =
                pool.get(id).ok_or_else(|| RunJsonError::new(path, format!("no pool entry {id:?}")))?;
            self::text(entry, path)?
        }
        None => text,
    };
    let word = |(n, word): (usize, &str)| match word {
        "-" => Ok(None),
        _ if word.len() <= 8 && word.bytes().all(|b| b.is_ascii_hexdigit()) => {
            u32::from_str_radix(word, 16).map(Some).map_err(|e| RunJsonError::new(path, e.to_string()))
        }
        _ => Err(RunJsonError::new(path, format!("word {n} is {word:?}, expected up to 8 hex digits"))),
    };
    text.split_ascii_whitespace().enumerate().map(word).collect()
}

/// Reads words of which none may be left open.
pub fn words(value: &Value, pool: &Map<String, Value>, path: &str) -> Result<Vec<u32>, RunJsonError> {
    let open = open_words(value, pool, path)?;
    let all: Option<Vec<u32>> = open.into_iter().collect();
    all.ok_or_else(|| RunJsonError::new(path, "an input word cannot be left open with '-'"))
}

/// Writes words as eight lower-case digits each, joined by one blank.
pub fn print(words: &[u32]) -> String {
    words.iter().map(|word| format!("{word:08x}")).collect::<Vec<_>>().join(" ")
}

/// As [`print()`], with `-` for open words.
pub fn print_open(words: &[Option<u32>]) -> String {
    let word = |word: &Option<u32>| word.map_or_else(|| "-".to_owned(), |word| format!("{word:08x}"));
    words.iter().map(word).collect::<Vec<_>>().join(" ")
}

pub(super) fn text<'a>(value: &'a Value, path: &str) -> Result<&'a str, RunJsonError> {
    value.as_str().ok_or_else(|| RunJsonError::new(path, format!("expected a string, found {value}")))
}

pub(super) fn object<'a>(value: &'a Value, path: &str) -> Result<&'a Map<String, Value>, RunJsonError> {
    value.as_object().ok_or_else(|| RunJsonError::new(path, "expected an object"))
}

/// A register number of a key, below `count`.
pub(super) fn register(key: &str, count: u32, path: &str) -> Result<u32, RunJsonError> {
    match key.parse() {
        Ok(n) if n < count => Ok(n),
        _ => Err(RunJsonError::new(path, format!("{key:?} is no register number below {count}"))),
    }
}

/// A byte address of a key, in hexadecimal digits.
pub(super) fn address(key: &str, path: &str) -> Result<u64, RunJsonError> {
    let digits = !key.is_empty() && key.len() <= 16 && key.bytes().all(|b| b.is_ascii_hexdigit());
    match u64::from_str_radix(key, 16) {
        Ok(address) if digits && address % 4 == 0 => Ok(address),
        _ => Err(RunJsonError::new(path, format!("{key:?} is no address of a word in hexadecimal digits"))),
    }
}

/// A handle of a key: 32 bits in hexadecimal digits.
pub(super) fn handle(key: &str, path: &str) -> Result<u32, RunJsonError> {
    let digits = !key.is_empty() && key.len() <= 8 && key.bytes().all(|b| b.is_ascii_hexdigit());
    match u32::from_str_radix(key, 16) {
        Ok(handle) if digits => Ok(handle),
        _ => Err(RunJsonError::new(path, format!("{key:?} is no handle in up to 8 hexadecimal digits"))),
    }
}

/// Registers of four words each, by number; those that are all zero are left out.
pub(super) fn registers(words: &[u32]) -> Map<String, Value> {
    let set = words.chunks(4).enumerate().filter(|(_, words)| words.iter().any(|&word| word != 0));
    set.map(|(n, words)| (n.to_string(), print(words).into())).collect()
}
