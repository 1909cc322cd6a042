//! Computed outputs, and how they compare with expected ones.

use super::document::{Document, small_number};
use super::words::{self, OpenWords, object, open_words, text};
use super::{CaseRun, RunJsonError};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::fmt;

/// Outputs by space, in the order in which the machine lists them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Outputs {
    /// Name of the space and what is in it.
    pub spaces: Vec<(&'static str, Output)>,
}

/// One output space.
#[derive(Debug, Clone, PartialEq)]
pub enum Output {
    /// Registers by number. One that a full document does not list is zero.
    Registers(BTreeMap<u32, Vec<u32>>),
    /// Registers by number, each with its words in every lane; nothing for a lane that was dropped. Those that
    /// a document does not list are not compared.
    Lanes(BTreeMap<u32, Vec<Option<Vec<u32>>>>),
    /// The same, by name, in the order in which they are listed.
    Named(Vec<(String, Vec<Option<Vec<u32>>>)>),
    /// Lists of words, one for each emitted vertex.
    Items(Vec<Vec<u32>>),
    /// Truth values, one for each lane.
    Flags(Vec<bool>),
    /// Words that stand alone.
    Words(Vec<u32>),
    /// Truth values, written as one digit each.
    Digits(String),
    /// Emitted vertices.
    Vertices(Vec<OutputVertex>),
    /// Memory by byte address, for each lane; nothing for a lane that was dropped. A document names the address of
    /// the first of the words that it lists, in hexadecimal. Those that it does not list are not compared.
    Memory(Vec<Option<Memory>>),
    /// The same for each emitted vertex. Limits named for the space `a` hold for them.
    Vertex(Vec<Memory>),
}

/// Words that were written, by byte address.
pub type Memory = BTreeMap<u64, u32>;

/// A vertex of [`Output::Vertices`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutputVertex {
    /// The outputs that count, four words each.
    pub outputs: Vec<Vec<u32>>,
    /// It belongs to a triangle with inverted winding.
    pub inverted: bool,
}

impl Outputs {
    /// How many vertices were emitted.
    pub fn vertices(&self) -> usize {
        let count = |(_, output): &(&str, Output)| match output {
            Output::Vertices(vertices) => vertices.len(),
            Output::Items(items) => items.len(),
            Output::Vertex(vertices) => vertices.len(),
            _ => 0,
        };
        self.spaces.iter().map(count).sum()
    }

    /// As the `out` of a case; registers that are zero are left out.
    pub fn to_json(&self) -> Map<String, Value> {
        let space = |(name, output): &(&'static str, Output)| {
            let value = match output {
                Output::Registers(registers) => {
                    let listed = registers.iter().filter(|(_, words)| words.iter().any(|&word| word != 0));
                    Value::Object(listed.map(|(n, w)| (n.to_string(), words::print(w).into())).collect())
                }
                Output::Lanes(registers) => Value::Object(
                    registers.iter().map(|(n, lanes)| (n.to_string(), lanes_to_json(lanes))).collect(),
                ),
                Output::Named(named) => Value::Object(
                    named.iter().map(|(name, lanes)| (name.clone(), lanes_to_json(lanes))).collect(),
                ),
                Output::Items(items) => items.iter().map(|w| Value::from(words::print(w))).collect(),
                Output::Flags(flags) => flags.iter().map(|flag| Value::from(u8::from(*flag))).collect(),
                Output::Words(words) => words::print(words).into(),
                Output::Digits(digits) => digits.as_str().into(),
                Output::Vertices(vertices) => vertices.iter().map(OutputVertex::to_json).collect(),
                Output::Memory(lanes) => memory_to_json(lanes),
                Output::Vertex(vertices) => {
                    let vertex = |memory: &Memory| memory_to_json(&[Some(memory.clone())]);
                    vertices.iter().map(vertex).collect()
                }
            };
            ((*name).to_owned(), value)
        };
        self.spaces.iter().map(space).collect()
    }
}

/// Words of memory that stand together, and in one vector of four where addresses are those of vectors.
fn runs(memory: &Memory) -> Vec<(u64, Vec<u32>)> {
    let mut runs: Vec<(u64, Vec<u32>)> = Vec::new();
    for (&address, &word) in memory {
        match runs.last_mut() {
            Some((start, words)) if *start + 4 * words.len() as u64 == address && address % 16 != 0 => {
                words.push(word);
            }
            _ => runs.push((address, vec![word])),
        }
    }
    runs
}

/// Memory of all lanes: by address, and there by lane.
fn memory_to_json(lanes: &[Option<Memory>]) -> Value {
    let mut starts: BTreeMap<u64, Vec<Option<Vec<u32>>>> = BTreeMap::new();
    for (n, lane) in lanes.iter().enumerate() {
        for (start, words) in lane.iter().flat_map(runs) {
            let places = starts.entry(start).or_insert_with(|| vec![None; lanes.len()]);
            if let Some(place) = places.get_mut(n) {
                *place = Some(words);
            }
        }
    }
    starts.iter().map(|(start, lanes)| (format!("{start:x}"), lanes_to_json(lanes))).collect()
}

/// One text where all lanes are the same.
fn lanes_to_json(lanes: &[Option<Vec<u32>>]) -> Value {
    let lane = |words: &Option<Vec<u32>>| words.as_deref().map_or(Value::Null, |w| words::print(w).into());
    match lanes.split_first() {
        Some((first, rest)) if rest.iter().all(|other| other == first) => lane(first),
        _ => lanes.iter().map(lane).collect(),
    }
}

impl OutputVertex {
    fn to_json(&self) -> Value {
        let mut vertex = Map::new();
        let outputs: Vec<Value> = self.outputs.iter().map(|w| words::print(w).into()).collect();
        vertex.insert("o".to_owned(), outputs.into());
        if self.inverted {
            vertex.insert("inv".to_owned(), 1.into());
        }
        Value::Object(vertex)
    }
}

/// When two words are equal enough. A word passes when any given limit holds; any NaN equals any NaN.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Rules {
    /// Units in the last place of binary32. 0 as the only limit: the words must be the same.
    pub ulp: u32,
    /// Relative to the larger of 1 and the expected magnitude.
    pub rel: f64,
    /// Absolute.
    pub abs: f64,
    /// Outputs (`space:key`) that compare as integers.
    pub exact: Vec<String>,
    /// +0 equals -0. So it does under any limit that is not zero.
    pub zero_unsigned: bool,
    /// Only the listed outputs are compared.
    pub partial: bool,
}

impl Rules {
    pub(super) fn read(header: &Map<String, Value>) -> Result<Self, RunJsonError> {
        let mut rules = Self::default();
        let limit = |value: &Value, path: &str| match value.as_f64() {
            Some(limit) if limit >= 0.0 => Ok(limit),
            _ => Err(RunJsonError::new(path, format!("expected a number from 0, found {value}"))),
        };
        if let Some(tol) = header.get("tol") {
            for (key, value) in object(tol, "tol")? {
                let path = format!("tol.{key}");
                match key.as_str() {
                    "ulp" => rules.ulp = small_number(value, &path)?,
                    "rel" => rules.rel = limit(value, &path)?,
                    "abs" => rules.abs = limit(value, &path)?,
                    "exact" => rules.exact = names(value, &path)?,
                    _ => return Err(RunJsonError::new(path, "expected ulp, rel, abs or exact")),
                }
            }
        }
        if let Some(exact) = header.get("exact") {
            rules.exact.extend(names(exact, "exact")?);
        }
        match header.get("zero").map(|zero| text(zero, "zero")).transpose()? {
            None => {}
            Some("unsigned") => rules.zero_unsigned = true,
            Some(other) => {
                return Err(RunJsonError::new("zero", format!("expected \"unsigned\", found {other:?}")));
            }
        }
        rules.partial = header.get("partial").is_some_and(|partial| truth(partial) == Some(true));
        Ok(rules)
    }

    /// Whether a computed word passes.
    pub fn pass(&self, want: u32, got: u32) -> bool {
        let (a, b) = (f32::from_bits(want), f32::from_bits(got));
        let tolerant = self.ulp > 0 || self.rel > 0.0 || self.abs > 0.0;
        if want == got || (a.is_nan() && b.is_nan()) {
            return true;
        }
        if a == 0.0 && b == 0.0 {
            return self.zero_unsigned || tolerant;
        }
        if a.is_nan() || b.is_nan() || !tolerant {
            return false;
        }
        let apart = (f64::from(a) - f64::from(b)).abs();
        let finite = a.is_finite() && b.is_finite();
        i64::abs(place(want) - place(got)) <= i64::from(self.ulp)
            || (finite && apart <= self.rel * f64::from(a).abs().max(1.0))
            || (finite && apart <= self.abs)
    }
}

fn names(value: &Value, path: &str) -> Result<Vec<String>, RunJsonError> {
    let list = value.as_array().ok_or_else(|| RunJsonError::new(path, "expected an array"))?;
    list.iter().map(|name| Ok(text(name, path)?.to_owned())).collect()
}

fn truth(value: &Value) -> Option<bool> {
    value.as_bool().or_else(|| value.as_u64().map(|n| n != 0))
}

/// Position on the line of all binary32 numbers, both zeros at 0.
fn place(word: u32) -> i64 {
    let magnitude = i64::from(word & 0x7FFF_FFFF);
    if word >> 31 == 0 { magnitude } else { -magnitude }
}

/// One output that is not what was expected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// Which: `o:0`, `a`, `emit[3].o[1]`.
    pub place: String,
    /// What was expected, in the notation of the document.
    pub want: String,
    /// What was computed.
    pub got: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: expected {}, got {}", self.place, self.want, self.got)
    }
}

/// Compares computed outputs with the `out` of a case.
pub fn compare(
    expected: &Map<String, Value>,
    run: &CaseRun,
    document: &Document,
    case: &str,
) -> Result<Vec<Difference>, RunJsonError> {
    let at =
        |field: &str| if case.is_empty() { format!("out.{field}") } else { format!("{case}.out.{field}") };
    let outputs = &run.outputs;
    let mut comparison = Comparison { document, uncertain: &run.uncertain, differences: Vec::new() };
    for space in expected.keys() {
        if !outputs.spaces.iter().any(|(name, _)| name == space) {
            return Err(RunJsonError::new(at(space), "this machine has no such output"));
        }
    }
    for (name, output) in &outputs.spaces {
        let path = at(name);
        match (output, expected.get(*name)) {
            (Output::Registers(got), want) => comparison.registers(name, want, got, &path)?,
            (_, None) => {}
            (Output::Lanes(got), Some(want)) => {
                let find = |key: &str, path: &str| {
                    let number = words::register(key, u32::MAX, path)?;
                    Ok(got.get(&number).map(Vec::as_slice))
                };
                comparison.lanes(name, want, find, &path)?;
            }
            (Output::Named(got), Some(want)) => {
                let find = |key: &str, _: &str| {
                    let found = got.iter().find(|(name, _)| name == key);
                    Ok(found.map(|(_, lanes)| lanes.as_slice()))
                };
                comparison.lanes(name, want, find, &path)?;
            }
            (Output::Items(got), Some(want)) => comparison.items(name, want, got, &path)?,
            (Output::Flags(got), Some(want)) => comparison.flags(name, want, got, &path)?,
            (Output::Words(got), Some(want)) => {
                let want = open_words(want, &document.pool, &path)?;
                // Words that stand alone are integers: addresses, counters.
                comparison.words((*name).to_owned(), &want, got, true);
            }
            (Output::Digits(got), Some(want)) => {
                let want = text(want, &path)?;
                comparison.note(want != got.as_str(), (*name).to_owned(), want.to_owned(), got.clone());
            }
            (Output::Vertices(got), Some(want)) => comparison.vertices(name, want, got, &path)?,
            (Output::Memory(got), Some(want)) => {
                let lanes: Vec<Option<&Memory>> = got.iter().map(Option::as_ref).collect();
                comparison.memory(name, want, &lanes, &path)?;
            }
            (Output::Vertex(got), Some(want)) => comparison.memory_items(name, want, got, &path)?,
        }
    }
    Ok(comparison.differences)
}

struct Comparison<'a> {
    document: &'a Document,
    uncertain: &'a [bool],
    differences: Vec<Difference>,
}

impl Comparison<'_> {
    fn note(&mut self, differs: bool, place: String, want: String, got: String) {
        if differs {
            self.differences.push(Difference { place, want, got });
        }
    }

    fn is_uncertain(&self, lane: usize) -> bool {
        self.uncertain.get(lane) == Some(&true)
    }

    fn words(&mut self, place: String, want: &[Option<u32>], got: &[u32], integers: bool) {
        let rules = &self.document.rules;
        let exact = integers || rules.exact.contains(&place);
        let pass = |(want, got): (&Option<u32>, &u32)| match want {
            None => true,
            Some(want) if exact => want == got,
            Some(want) => rules.pass(*want, *got),
        };
        let equal = want.len() == got.len() && want.iter().zip(got).all(pass);
        self.note(!equal, place, words::print_open(want), words::print(got));
    }

    fn registers(
        &mut self,
        space: &str,
        want: Option<&Value>,
        got: &BTreeMap<u32, Vec<u32>>,
        path: &str,
    ) -> Result<(), RunJsonError> {
        let mut listed: BTreeMap<u32, Option<OpenWords>> = BTreeMap::new();
        if let Some(want) = want {
            for (key, value) in object(want, path)? {
                let path = format!("{path}.{key}");
                let number = words::register(key, u32::MAX, &path)?;
                let words = match value {
                    Value::Null => None,
                    _ => Some(open_words(value, &self.document.pool, &path)?),
                };
                listed.insert(number, words);
            }
        }
        if !self.document.rules.partial {
            for (&number, words) in got {
                listed.entry(number).or_insert_with(|| Some(vec![Some(0); words.len()]));
            }
        }
        for (number, want) in listed {
            let place = format!("{space}:{number}");
            match (want, got.get(&number)) {
                (None, _) => {}
                (Some(want), Some(got)) => self.words(place, &want, got, false),
                (Some(want), None) => {
                    self.note(true, place, words::print_open(&want), "no such register".to_owned());
                }
            }
        }
        Ok(())
    }

    fn items(&mut self, space: &str, want: &Value, got: &[Vec<u32>], path: &str) -> Result<(), RunJsonError> {
        let want = want.as_array().ok_or_else(|| RunJsonError::new(path, "expected an array"))?;
        if want.len() != got.len() {
            let count = |n: usize| format!("{n} vertices");
            self.note(true, space.to_owned(), count(want.len()), count(got.len()));
        }
        for (n, (want, got)) in want.iter().zip(got).enumerate() {
            let want = open_words(want, &self.document.pool, &format!("{path}[{n}]"))?;
            self.words(format!("{space}[{n}]"), &want, got, false);
        }
        Ok(())
    }

    fn lanes<'g>(
        &mut self,
        space: &str,
        want: &Value,
        find: impl Fn(&str, &str) -> Result<Option<&'g [Option<Vec<u32>>]>, RunJsonError>,
        path: &str,
    ) -> Result<(), RunJsonError> {
        for (key, want) in object(want, path)? {
            let path = format!("{path}.{key}");
            let found = find(key, &path)?;
            let Some(got) = found else {
                // Where every word is left open there is nothing that could be missing.
                if !self.is_open(want, &path)? {
                    let want = want.to_string();
                    self.note(true, format!("{space}:{key}"), want, "no such register".to_owned());
                }
                continue;
            };
            for (lane, got) in got.iter().enumerate() {
                let want = match want {
                    Value::Array(lanes) => lanes.get(lane).unwrap_or(&Value::Null),
                    all => all,
                };
                if want.is_null() || self.is_uncertain(lane) {
                    continue;
                }
                let want = open_words(want, &self.document.pool, &path)?;
                let rule = format!("{space}:{key}");
                match got {
                    Some(got) => self.lane(&rule, lane, &want, got),
                    None if want.iter().all(Option::is_none) => {}
                    None => {
                        let place = format!("{rule}[{lane}]");
                        self.note(true, place, words::print_open(&want), "dropped".to_owned());
                    }
                }
            }
        }
        Ok(())
    }

    fn memory(
        &mut self,
        space: &str,
        want: &Value,
        lanes: &[Option<&Memory>],
        path: &str,
    ) -> Result<(), RunJsonError> {
        for (key, want) in object(want, path)? {
            let path = format!("{path}.{key}");
            let start = words::address(key, &path)?;
            for (lane, memory) in lanes.iter().enumerate() {
                let want = match want {
                    Value::Array(lanes) => lanes.get(lane).unwrap_or(&Value::Null),
                    all => all,
                };
                if want.is_null() || self.is_uncertain(lane) {
                    continue;
                }
                let want = open_words(want, &self.document.pool, &path)?;
                let rule = format!("{space}:{key}");
                match memory {
                    Some(memory) => {
                        let at = |n: usize| memory.get(&(start + 4 * n as u64)).copied().unwrap_or(0);
                        let got: Vec<u32> = (0..want.len()).map(at).collect();
                        self.lane(&rule, lane, &want, &got);
                    }
                    None if want.iter().all(Option::is_none) => {}
                    None => {
                        let place = format!("{rule}[{lane}]");
                        self.note(true, place, words::print_open(&want), "dropped".to_owned());
                    }
                }
            }
        }
        Ok(())
    }

    fn memory_items(
        &mut self,
        space: &str,
        want: &Value,
        got: &[Memory],
        path: &str,
    ) -> Result<(), RunJsonError> {
        let want = want.as_array().ok_or_else(|| RunJsonError::new(path, "expected an array"))?;
        if want.len() != got.len() {
            let count = |n: usize| format!("{n} vertices");
            self.note(true, space.to_owned(), count(want.len()), count(got.len()));
        }
        for (n, (want, got)) in want.iter().zip(got).enumerate() {
            let before = self.differences.len();
            self.memory("a", want, &[Some(got)], &format!("{path}[{n}]"))?;
            for difference in self.differences.iter_mut().skip(before) {
                difference.place = format!("{space}[{n}].{}", difference.place);
            }
        }
        Ok(())
    }

    /// Whether nothing of a value, in any lane, is compared.
    fn is_open(&self, want: &Value, path: &str) -> Result<bool, RunJsonError> {
        let lanes = match want {
            Value::Array(lanes) => lanes.as_slice(),
            all => std::slice::from_ref(all),
        };
        for lane in lanes.iter().filter(|lane| !lane.is_null()) {
            if open_words(lane, &self.document.pool, path)?.iter().any(Option::is_some) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The words of one lane; what is not listed at the end is not compared.
    fn lane(&mut self, rule: &str, lane: usize, want: &[Option<u32>], got: &[u32]) {
        let before = self.differences.len();
        let got = got.get(..want.len()).unwrap_or(got);
        self.words(rule.to_owned(), want, got, false);
        for difference in self.differences.iter_mut().skip(before) {
            difference.place = format!("{rule}[{lane}]");
        }
    }

    fn flags(&mut self, space: &str, want: &Value, got: &[bool], path: &str) -> Result<(), RunJsonError> {
        let want = want.as_array().ok_or_else(|| RunJsonError::new(path, "expected an array"))?;
        for (lane, (want, got)) in want.iter().zip(got).enumerate() {
            let Some(want) = truth(want) else {
                return Err(RunJsonError::new(format!("{path}[{lane}]"), "expected 0 or 1"));
            };
            if self.is_uncertain(lane) {
                continue;
            }
            let text = |flag: bool| u8::from(flag).to_string();
            self.note(want != *got, format!("{space}[{lane}]"), text(want), text(*got));
        }
        let count = |n: usize| format!("{n} lanes");
        self.note(want.len() != got.len(), space.to_owned(), count(want.len()), count(got.len()));
        Ok(())
    }

    fn vertices(
        &mut self,
        space: &str,
        want: &Value,
        got: &[OutputVertex],
        path: &str,
    ) -> Result<(), RunJsonError> {
        let want = want.as_array().ok_or_else(|| RunJsonError::new(path, "expected an array"))?;
        if want.len() != got.len() {
            let count = |n: usize| format!("{n} vertices");
            self.note(true, space.to_owned(), count(want.len()), count(got.len()));
        }
        for (n, (want, got)) in want.iter().zip(got).enumerate() {
            let (path, place) = (format!("{path}[{n}]"), format!("{space}[{n}]"));
            let want = object(want, &path)?;
            let outputs = match want.get("o") {
                Some(Value::Array(outputs)) => outputs.as_slice(),
                _ => return Err(RunJsonError::new(path, "expected an array \"o\"")),
            };
            for (k, (want, got)) in outputs.iter().zip(&got.outputs).enumerate() {
                let want = open_words(want, &self.document.pool, &format!("{path}.o[{k}]"))?;
                self.words(format!("{place}.o[{k}]"), &want, got, false);
            }
            let inverted = want.get("inv").and_then(truth).unwrap_or(false);
            self.note(
                inverted != got.inverted,
                format!("{place}.inv"),
                inverted.to_string(),
                got.inverted.to_string(),
            );
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(json: &str) -> Result<Rules, RunJsonError> {
        Rules::read(serde_json::from_str::<Value>(json).unwrap().as_object().unwrap())
    }

    const ONE: u32 = 0x3F80_0000;

    #[test]
    fn without_a_limit_words_are_equal_or_not() {
        for json in ["{}", r#"{"tol":{"ulp":0}}"#] {
            let rules = rules(json).unwrap();
            assert!(rules.pass(ONE, ONE));
            assert!(!rules.pass(ONE, ONE + 1));
            assert!(!rules.pass(0, 0x8000_0000));
            assert!(rules.pass(0x7FC0_0000, 0xFF80_0001), "any NaN equals any NaN");
            assert!(!rules.pass(0x7FC0_0000, 0x7F80_0000));
        }
    }

    #[test]
    fn any_limit_lets_pass() {
        let ulp = rules(r#"{"tol":{"ulp":2}}"#).unwrap();
        assert!(ulp.pass(ONE, ONE + 2) && ulp.pass(ONE, ONE - 2) && !ulp.pass(ONE, ONE + 3));
        assert!(ulp.pass(1, 0x8000_0001), "one step on each side of zero");
        assert!(ulp.pass(0, 0x8000_0000));
        let rel = rules(r#"{"tol":{"ulp":0,"rel":1e-3}}"#).unwrap();
        let bits = f32::to_bits;
        assert!(rel.pass(bits(1000.0), bits(1000.9)) && !rel.pass(bits(1000.0), bits(1001.1)));
        assert!(rel.pass(bits(0.001), bits(0.0019)), "relative to at least 1");
        assert!(!rel.pass(bits(f32::INFINITY), bits(f32::MAX)));
        assert!(!rel.pass(bits(f32::INFINITY), bits(f32::NEG_INFINITY)));
        let abs = rules(r#"{"tol":{"abs":0.5}}"#).unwrap();
        assert!(abs.pass(bits(1e3), bits(1000.5)) && !abs.pass(bits(1e3), bits(1000.6)));
    }

    #[test]
    fn zeros_without_sign() {
        let rules = rules(r#"{"zero":"unsigned","tol":{"ulp":0}}"#).unwrap();
        assert!(rules.pass(0, 0x8000_0000) && rules.pass(0x8000_0000, 0));
        assert!(!rules.pass(0, 1));
    }

    #[test]
    fn unknown_rules_are_refused() {
        assert_eq!(rules(r#"{"tol":{"ulps":1}}"#).unwrap_err().path, "tol.ulps");
        assert_eq!(rules(r#"{"zero":"signed"}"#).unwrap_err().path, "zero");
        assert_eq!(rules(r#"{"tol":{"rel":-1}}"#).unwrap_err().path, "tol.rel");
    }
}
