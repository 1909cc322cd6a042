//! The rows of a catalog, and its columns: what each is called, holds and means stands once, here.

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{IgnoredAny, MapAccess, Visitor},
    ser::SerializeMap,
};
use std::fmt;

/// Version of the columns. It goes up when a column goes or means something else; new columns alone do not change it.
pub const SCHEMA: u32 = 1;

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Text in UTF-8.
    Text,
    /// A number that is not negative.
    Number,
}

/// The value of a column in a row.
type Get<T> = fn(&Row) -> &T;
/// Where that value is kept.
type Place<T> = fn(&mut Row) -> &mut T;

/// A column.
#[derive(Debug, Clone, Copy)]
pub struct Column {
    /// Its name.
    pub name: &'static str,
    /// What it holds.
    pub kind: Kind,
    /// What it means.
    pub meaning: &'static str,
    text: Option<(Get<str>, Place<String>)>,
    number: Option<(Get<u64>, Place<u64>)>,
}

impl Column {
    /// Its text in a row; `None` where it has none, or holds numbers.
    pub fn text<'r>(&self, row: &'r Row) -> Option<&'r str> {
        let (get, _) = self.text?;
        Some(get(row)).filter(|text| !text.is_empty())
    }

    /// Its number in a row; `None` in rows that are no program's, or where it holds text.
    pub fn number(&self, row: &Row) -> Option<u64> {
        let (get, _) = self.number?;
        row.is_stage().then(|| *get(row))
    }

    /// Sets its text.
    pub fn set_text(&self, row: &mut Row, text: String) {
        if let Some((_, place)) = self.text {
            *place(row) = text;
        }
    }

    /// Sets its number.
    pub fn set_number(&self, row: &mut Row, number: u64) {
        if let Some((_, place)) = self.number {
            *place(row) = number;
        }
    }
}

macro_rules! columns {
    ($($name:ident: $kind:ident = $meaning:literal,)*) => {
        /// A row. Text that there is none of is empty here and NULL in the table; numbers are NULL in rows that are no
        /// program's.
        #[derive(Debug, Clone, PartialEq, Eq, Default)]
        pub struct Row {
            $(
                #[doc = $meaning]
                pub $name: columns!(@type $kind),
            )*
        }

        /// The columns, in the order of the table.
        pub const COLUMNS: &[Column] = &[$(columns!(@column $kind $name $meaning),)*];
    };
    (@type Text) => { String };
    (@type Number) => { u64 };
    (@column Text $name:ident $meaning:literal) => {
        Column {
            name: stringify!($name),
            kind: Kind::Text,
            meaning: $meaning,
            text: Some((|row| &row.$name, |row| &mut row.$name)),
            number: None,
        }
    };
    (@column Number $name:ident $meaning:literal) => {
        Column {
            name: stringify!($name),
            kind: Kind::Number,
            meaning: $meaning,
            text: None,
            number: Some((|row| &row.$name, |row| &mut row.$name)),
        }
    };
}

columns! {
    record: Text = "What the row is: `stage` (a program), `error` (a file, or a file inside one, that could not be read, or of \
        which programs are missing) or `unread` (a file inside a wrapper in a format that is known by name only).",
    path: Text = "The file, as the scan was told of it, with `/` between folders.",
    inner: Text = "What stands behind `FILE` to name what it is about inside of the file: `:Model/x.szs:x.bfsha`, `:0x80`.",
    wrappers: Text = "The wrappers around it, outermost first: `Yaz0, SARC`.",
    format: Text = "Format of the container: `shbin`, `mbs`, `gfd`, `sharcfb`, `sharcfb-nx`, `bnsh`, `bfsha`, `nvn`, `nvn-code`, `dksh`, \
        `ryujinx`, `yuzu`, `cemu`, `citra`, `vkch`; of unread files what they are called.",
    version: Text = "The container in words: variant and version.",
    item: Text = "What stands behind `#` to name the program: `0`, `model/12/fragment`.",
    kind: Text = "Which step of the pipeline it is for: `vertex`, `tess-control`, `tess-eval`, `geometry`, `fragment`, `compute`.",
    isa: Text = "Instruction set: `pica200`, `mali-gp`, `mali-pp`, `latte`, `maxwell`.",
    offset: Number = "Where the code starts in the innermost file, in bytes.",
    code_bytes: Number = "Code size in bytes. Programs of one file may share code.",
    instructions: Number = "Instructions in that code.",
    code_hash: Text = "XXH3-64 over everything that decides what the program computes, 16 hexadecimal digits: programs of equal \
        hash do the same. The column `hash` of `ls`.",
    normal_hash: Text = "XXH3-64 over the listing with registers, names and labels numbered in the order in which they first \
        come, and without the values of constants, 16 hexadecimal digits: equal for programs that differ in nothing but those.",
    signature: Text = "What the program looks like: 64 bytes as 128 hexadecimal digits. The share of bytes in which two \
        signatures agree is about the share of instruction pairs that the programs have in common.",
    head_hash: Text = "XXH3-64 over the first 32 bytes of the code, 16 hexadecimal digits: finds programs by a dump of theirs.",
    emulator_hashes: Text = "What emulators call it: pairs `SCHEME:HEX`, with blanks between.",
    entry: Text = "Name of the entry point, where the file has one.",
    inputs: Text = "Names of the inputs, with blanks between.",
    outputs: Text = "Names of the outputs.",
    uniforms: Text = "Names of uniforms.",
    blocks: Text = "Names of uniform and storage blocks.",
    samplers: Text = "Names of samplers, textures and images.",
    options: Text = "Options or macros that the program was compiled for: `NAME=VALUE`, with blanks between.",
    check: Text = "The most severe finding about the program's code and its container: `error`, `warning`, `note` or `clean`.",
    findings: Number = "How many findings there are about its code.",
    message: Text = "The first of the most severe findings, or why a file could not be read.",
}

impl Row {
    /// Whether it is a program's.
    pub fn is_stage(&self) -> bool {
        self.record == "stage"
    }

    /// What names the program on the command line: `game.szs:Model/x.bfsha#model/0/vertex`.
    pub fn place(&self) -> String {
        match self.item.as_str() {
            "" => format!("{}{}", self.path, self.inner),
            item => format!("{}{}#{item}", self.path, self.inner),
        }
    }
}

/// As a JSON object without the columns that have no value.
impl Serialize for Row {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for column in COLUMNS {
            if let Some(text) = column.text(self) {
                map.serialize_entry(column.name, text)?;
            } else if let Some(number) = column.number(self) {
                map.serialize_entry(column.name, &number)?;
            }
        }
        map.end()
    }
}

/// Columns that this version does not know are passed over.
impl<'de> Deserialize<'de> for Row {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object;
        impl<'de> Visitor<'de> for Object {
            type Value = Row;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object with the columns of a catalog")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Row, A::Error> {
                let mut row = Row::default();
                while let Some(name) = map.next_key::<String>()? {
                    match COLUMNS.iter().find(|column| column.name == name) {
                        Some(column) if column.kind == Kind::Text => {
                            let text = map.next_value::<Option<String>>()?;
                            column.set_text(&mut row, text.unwrap_or_default());
                        }
                        Some(column) => {
                            let number = map.next_value::<Option<u64>>()?;
                            column.set_number(&mut row, number.unwrap_or_default());
                        }
                        None => drop(map.next_value::<IgnoredAny>()?),
                    }
                }
                Ok(row)
            }
        }
        deserializer.deserialize_map(Object)
    }
}

/// Text for a list with blanks between: blanks in it are made visible, so that the list comes apart again.
pub(crate) fn listed(words: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    let mut list = String::new();
    for word in words {
        let word = word.as_ref();
        if word.is_empty() {
            continue;
        }
        if !list.is_empty() {
            list.push(' ');
        }
        match word.contains(char::is_whitespace) {
            true => list.extend(word.chars().map(|letter| if letter.is_whitespace() { '_' } else { letter })),
            false => list.push_str(word),
        }
    }
    list
}
