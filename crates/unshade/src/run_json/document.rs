//! The document: a header that holds for all cases, and the cases.

use super::compare::Rules;
use super::words::{self, object, text};
use super::{CASE_LIMIT, CaseRun, RunJsonError};
use serde_json::{Map, Value};

/// Name and version of the format.
pub const SCHEMA: &str = "unshade-run-1";

/// A document of the format `unshade-run-1`.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    /// Container, relative to the folder that holds the corpus.
    pub file: Option<String>,
    /// Program inside it, as in `dvle:0`.
    pub item: Option<String>,
    /// Instruction set, if the document names it.
    pub isa: Option<String>,
    /// Kind of program, if the document names it.
    pub stage: Option<String>,
    /// Arithmetic for which the tolerance was chosen: `f32`, `f24`, `f16`.
    pub float: Option<String>,
    /// Outputs that the rasteriser sees, bit n = register n (geometry programs).
    pub outmask: Option<u32>,
    /// How outputs compare.
    pub rules: Rules,
    /// Words that inputs and outputs refer to as `@id`.
    pub pool: Map<String, Value>,
    /// The cases, in file order. A document without cases is one case with the inputs of its header.
    pub cases: Vec<Case>,
    /// The whole header as it was read, without the cases.
    pub header: Map<String, Value>,
}

/// One run.
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    /// Its name.
    pub id: String,
    /// Where it stands in the document, as in `cases[3]`.
    pub path: String,
    /// Inputs by space, the header's merged in (the case wins key by key).
    pub input: Map<String, Value>,
    /// Outputs by space, where the document has them.
    pub output: Option<Map<String, Value>>,
    /// The case as it was read.
    pub source: Map<String, Value>,
}

impl Document {
    /// Reads a document. Fields that are not known are kept in the header and have no effect.
    pub fn parse(json: &str) -> Result<Self, RunJsonError> {
        let value: Value = serde_json::from_str(json).map_err(|e| RunJsonError::new("", e.to_string()))?;
        let Value::Object(mut header) = value else {
            return Err(RunJsonError::new("", "expected an object"));
        };
        match header.get("schema") {
            Some(Value::String(schema)) if schema == SCHEMA => {}
            Some(other) => {
                return Err(RunJsonError::new("schema", format!("expected {SCHEMA:?}, found {other}")));
            }
            None => return Err(RunJsonError::new("schema", format!("missing, expected {SCHEMA:?}"))),
        }
        let cases = header.shift_remove("cases");
        let empty = Map::new();
        let common = match header.get("in") {
            Some(input) => object(input, "in")?,
            None => &empty,
        };
        let cases = match cases {
            None => vec![Case::read(Map::new(), "run", "", common)?],
            Some(Value::Array(cases)) if cases.len() > CASE_LIMIT => {
                return Err(RunJsonError::new(
                    "cases",
                    format!("{} cases, at most {CASE_LIMIT}", cases.len()),
                ));
            }
            Some(Value::Array(cases)) => {
                let read = |(n, case): (usize, Value)| {
                    let path = format!("cases[{n}]");
                    let Value::Object(case) = case else {
                        return Err(RunJsonError::new(path, "expected an object"));
                    };
                    Case::read(case, &n.to_string(), &path, common)
                };
                cases.into_iter().enumerate().map(read).collect::<Result<_, _>>()?
            }
            Some(_) => return Err(RunJsonError::new("cases", "expected an array")),
        };
        let string = |key: &str| header.get(key).map(|v| text(v, key).map(str::to_owned)).transpose();
        let pool = match header.get("pool") {
            Some(pool) => object(pool, "pool")?.clone(),
            None => Map::new(),
        };
        Ok(Self {
            file: string("file")?,
            item: string("item")?,
            isa: string("isa")?,
            stage: string("stage")?,
            float: string("float")?,
            outmask: match header.get("outmask") {
                Some(mask) => Some(small_number(mask, "outmask")?),
                None => None,
            },
            rules: Rules::read(&header)?,
            pool,
            cases,
            header,
        })
    }

    /// Reads what a person writes who only wants to run something: a whole document, one without `schema`, or
    /// just the object that stands behind `in`. An empty text is a run with all inputs 0.
    ///
    /// # Errors
    ///
    /// As [`Document::parse`].
    pub fn inputs(json: &str) -> Result<Self, RunJsonError> {
        let json = if json.trim().is_empty() { "{}" } else { json };
        let value: Value = serde_json::from_str(json).map_err(|e| RunJsonError::new("", e.to_string()))?;
        let Value::Object(mut object) = value else {
            return Err(RunJsonError::new("", "expected an object"));
        };
        if !object.contains_key("schema") {
            if !object.contains_key("in") && !object.contains_key("cases") {
                object = Map::from_iter([("in".to_owned(), Value::Object(object))]);
            }
            object.insert("schema".to_owned(), SCHEMA.into());
        }
        Self::parse(&Value::Object(object).to_string())
    }

    /// The kind and number of the item, as in `dvle` and 0 for `dvle:0`.
    pub fn item_number(&self) -> Option<(&str, usize)> {
        let (kind, number) = self.item.as_deref()?.split_once(':')?;
        Some((kind, number.parse().ok()?))
    }

    /// The document with the outputs that were computed, one line for the header and one for each case.
    pub fn with_outputs(&self, runs: &[CaseRun]) -> String {
        let mut json = String::from("{");
        for (key, value) in &self.header {
            json += &format!("{}:{value},", Value::from(key.as_str()));
        }
        json += "\n\"cases\":[\n";
        for (n, (case, run)) in self.cases.iter().zip(runs).enumerate() {
            let mut line = case.source.clone();
            if !line.contains_key("id") {
                line.insert("id".to_owned(), case.id.as_str().into());
            }
            line.insert("out".to_owned(), Value::Object(run.outputs.to_json()));
            if let Some(why) = &run.unfinished {
                line.insert("unfinished".to_owned(), why.as_str().into());
            }
            json += if n == 0 { "" } else { ",\n" };
            json += &Value::Object(line).to_string();
        }
        json += "\n]}\n";
        json
    }
}

impl Case {
    fn read(
        source: Map<String, Value>,
        id: &str,
        path: &str,
        common: &Map<String, Value>,
    ) -> Result<Self, RunJsonError> {
        let at = |field: &str| if path.is_empty() { field.to_owned() } else { format!("{path}.{field}") };
        let id = match source.get("id") {
            Some(id) => text(id, &at("id"))?.to_owned(),
            None => id.to_owned(),
        };
        let mut input = common.clone();
        if let Some(own) = source.get("in") {
            for (space, value) in object(own, &at("in"))? {
                match (input.get_mut(space), value) {
                    (Some(Value::Object(registers)), Value::Object(own)) => {
                        registers.extend(own.iter().map(|(key, value)| (key.clone(), value.clone())));
                    }
                    _ => {
                        input.insert(space.clone(), value.clone());
                    }
                }
            }
        }
        let output = match source.get("out") {
            Some(output) => Some(object(output, &at("out"))?.clone()),
            None => None,
        };
        Ok(Self { id, path: path.to_owned(), input, output, source })
    }

    /// The registers of an input space, `count` of them, each with its words; missing ones are left out.
    pub fn registers(
        &self,
        space: &str,
        count: u32,
        pool: &Map<String, Value>,
    ) -> Result<Vec<(u32, Vec<u32>)>, RunJsonError> {
        let Some(value) = self.input.get(space) else { return Ok(Vec::new()) };
        let path = self.input_path(space);
        let register = |(key, value): (&String, &Value)| {
            let path = format!("{path}.{key}");
            let number = words::register(key, count, &path)?;
            Ok((number, words::words(value, pool, &path)?))
        };
        object(value, &path)?.iter().map(register).collect()
    }

    /// The words of an input space in one lane, by the number of their register, below `count`; missing ones
    /// are left out.
    ///
    /// # Errors
    /// Where the space is no object, or an entry is neither words nor a list of them by lane.
    pub fn lane(
        &self,
        space: &str,
        lane: usize,
        count: u32,
        pool: &Map<String, Value>,
    ) -> Result<Vec<(u32, Vec<u32>)>, RunJsonError> {
        let Some(value) = self.input.get(space) else { return Ok(Vec::new()) };
        let path = self.input_path(space);
        let register = |(key, value): (&String, &Value)| {
            let path = format!("{path}.{key}");
            let number = words::register(key, count, &path)?;
            Ok((number, words::words(of_lane(value, lane, &path)?, pool, &path)?))
        };
        object(value, &path)?.iter().map(register).collect()
    }

    /// The words of an input space that has no registers, in one lane.
    ///
    /// # Errors
    /// Where it holds neither words nor a list of them by lane.
    pub fn lane_words(
        &self,
        space: &str,
        lane: usize,
        pool: &Map<String, Value>,
    ) -> Result<Option<Vec<u32>>, RunJsonError> {
        let Some(value) = self.input.get(space) else { return Ok(None) };
        let path = self.input_path(space);
        words::words(of_lane(value, lane, &path)?, pool, &path).map(Some)
    }

    /// How many lanes run in lockstep: what the case says, or its document.
    ///
    /// # Errors
    /// Where the number is not 1 or 4.
    pub fn lanes(&self, document: &Document) -> Result<usize, RunJsonError> {
        let (value, path) = match self.source.get("lanes") {
            Some(value) => (Some(value), format!("{}.lanes", self.path)),
            None => (document.header.get("lanes"), "lanes".to_owned()),
        };
        match value.map(|value| value.as_u64().ok_or(value)) {
            None => Ok(1),
            Some(Ok(lanes @ (1 | 4))) => Ok(lanes as usize),
            Some(Ok(other)) => Err(RunJsonError::new(path, format!("expected 1 or 4 lanes, found {other}"))),
            Some(Err(value)) => Err(RunJsonError::new(path, format!("expected a number, found {value}"))),
        }
    }

    /// The single word of an input space.
    pub fn word(&self, space: &str, pool: &Map<String, Value>) -> Result<Option<u32>, RunJsonError> {
        let Some(value) = self.input.get(space) else { return Ok(None) };
        let path = self.input_path(space);
        match words::words(value, pool, &path)?.as_slice() {
            [word] => Ok(Some(*word)),
            other => Err(RunJsonError::new(path, format!("expected one word, found {}", other.len()))),
        }
    }

    /// Path of an input space, for messages.
    pub fn input_path(&self, space: &str) -> String {
        if self.path.is_empty() { format!("in.{space}") } else { format!("{}.in.{space}", self.path) }
    }
}

/// What a lane gets of a value: its entry of a list, or the value that all lanes share.
fn of_lane<'a>(value: &'a Value, lane: usize, path: &str) -> Result<&'a Value, RunJsonError> {
    match value {
        Value::Array(lanes) => lanes.get(lane).ok_or_else(|| {
            RunJsonError::new(path, format!("expected words for lane {lane}, found {} lanes", lanes.len()))
        }),
        all => Ok(all),
    }
}

pub(super) fn small_number(value: &Value, path: &str) -> Result<u32, RunJsonError> {
    let number = value.as_u64().and_then(|n| u32::try_from(n).ok());
    number.ok_or_else(|| RunJsonError::new(path, format!("expected a number of 32 bits, found {value}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(json: &str) -> String {
        Document::parse(json).unwrap_err().to_string()
    }

    #[test]
    fn header_and_case_inputs_merge_key_by_key() {
        let json = r#"{"schema":"unshade-run-1","pool":{"p":"00000007 -"},"later":1,
            "in":{"v":{"0":"00000001","1":"00000002"},"b":"000000ff"},
            "cases":[{"id":"x","in":{"v":{"1":"00000003","2":"@p"},"b":"00000000"}},{}]}"#;
        let document = Document::parse(json).unwrap();
        let [first, second] = &document.cases[..] else { panic!() };
        assert_eq!((first.id.as_str(), second.id.as_str()), ("x", "1"));
        assert_eq!(first.word("b", &document.pool), Ok(Some(0)));
        assert_eq!(second.word("b", &document.pool), Ok(Some(0xFF)));
        let v = second.registers("v", 16, &document.pool).unwrap();
        assert_eq!(v, [(0, vec![1]), (1, vec![2])]);
        let open = first.registers("v", 16, &document.pool).unwrap_err();
        assert_eq!(open.to_string(), "cases[0].in.v.2: an input word cannot be left open with '-'");
        assert_eq!(document.header["later"], 1);
        assert!(first.output.is_none());
    }

    #[test]
    fn a_document_without_cases_is_one_case() {
        let document = Document::parse(r#"{"schema":"unshade-run-1","in":{"b":"1"}}"#).unwrap();
        assert_eq!(document.cases.len(), 1);
        assert_eq!(document.cases[0].word("b", &document.pool), Ok(Some(1)));
        assert_eq!(document.cases[0].input_path("b"), "in.b");
    }

    #[test]
    fn errors_name_the_place() {
        assert!(error("[").contains("line 1"));
        assert_eq!(error("[]"), "expected an object");
        assert_eq!(error("{}"), "schema: missing, expected \"unshade-run-1\"");
        assert_eq!(error(r#"{"schema":"unshade-run-1","cases":{}}"#), "cases: expected an array");
        assert_eq!(
            error(r#"{"schema":"unshade-run-1","cases":[{"in":3}]}"#),
            "cases[0].in: expected an object"
        );
        assert_eq!(
            error(r#"{"schema":"unshade-run-1","outmask":-1}"#),
            "outmask: expected a number of 32 bits, found -1"
        );
        let many = format!(r#"{{"schema":"unshade-run-1","cases":[{}{{}}]}}"#, "{},".repeat(CASE_LIMIT));
        assert_eq!(error(&many), "cases: 65537 cases, at most 65536");
    }

    #[test]
    fn registers_and_words_are_checked() {
        let case = |json: &str| {
            let document = Document::parse(json).unwrap();
            document.cases[0].registers("v", 16, &document.pool).unwrap_err().to_string()
        };
        let document = |v: &str| case(&format!(r#"{{"schema":"unshade-run-1","in":{{"v":{v}}}}}"#));
        assert_eq!(document(r#"{"16":"0"}"#), "in.v.16: \"16\" is no register number below 16");
        assert_eq!(document(r#"{"1":"xyz"}"#), "in.v.1: word 0 is \"xyz\", expected up to 8 hex digits");
        assert_eq!(document(r#"{"1":"@q"}"#), "in.v.1: no pool entry \"q\"");
        assert_eq!(document(r#"{"1":["0"]}"#), "in.v.1: expected a string, found [\"0\"]");
        assert_eq!(document("7"), "in.v: expected an object");
    }
}
