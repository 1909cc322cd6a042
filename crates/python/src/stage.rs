//! A program as Python sees it.

use crate::{
    errors::{self, Class, Problem},
    findings::{Diagnostic, diagnostics},
    html, json,
    manner::{self, Wanted, manner},
    shared::{Named, Shared},
    sources::Decompiled,
};
use pyo3::{
    exceptions::PyValueError,
    prelude::*,
    types::{PyBytes, PyDict},
};
use std::sync::Arc;
use unshade::{
    CompiledFor, ListingOptions, Manner, Origin, Source, apply_profile, apply_state,
    report::{self, StageVerdict},
    run_json::{self, Document},
};

/// A program of a file, or bare code.
#[pyclass(frozen, module = "unshade")]
pub(crate) struct Stage {
    named: Named,
    file: Option<Arc<Shared>>,
}

impl Stage {
    pub(crate) fn new(named: Named, file: Option<Arc<Shared>>) -> Self {
        Self { named, file }
    }

    pub(crate) fn stage(&self) -> &unshade::Stage<'static> {
        &self.named.1
    }

    /// What the file is called.
    fn file_name(&self) -> &str {
        self.file.as_ref().map_or("", |file| &file.place.file)
    }

    /// File and place, for messages.
    fn whole_name(&self) -> String {
        format!("{}{}", self.file_name(), self.named.0)
    }
}

#[pymethods]
impl Stage {
    /// What stands behind the file to name it: `#0`, `:0x80#1`, `#model/12/fragment`.
    #[getter]
    fn item(&self) -> &str {
        &self.named.0
    }

    /// Which step of the pipeline it is for: `vertex`, `tess-control`, `tess-eval`, `geometry`, `fragment`, `compute`.
    #[getter]
    fn kind(&self) -> &str {
        self.stage().kind.name()
    }

    /// Instruction set: `pica200`, `mali-gp`, `mali-pp`, `latte`, `maxwell`.
    #[getter]
    fn isa(&self) -> &str {
        self.stage().isa.name()
    }

    /// Name of the entry point, where the file has one.
    #[getter]
    fn name(&self) -> Option<&str> {
        let code = &self.stage().code;
        code.labels.iter().find(|label| label.word == code.entry).map(|label| label.name.as_str())
    }

    /// XXH3-64 over everything that decides what it computes, 16 hexadecimal digits: programs of equal hash do the same.
    #[getter]
    fn hash(&self, py: Python<'_>) -> String {
        py.detach(|| format!("{:016x}", report::code_hash(self.stage())))
    }

    /// The bytes of its code, each word with the least significant byte first.
    #[getter]
    fn code<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let words = self.stage().code.words.iter();
        PyBytes::new(py, &words.flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>())
    }

    /// The words of its code.
    #[getter]
    fn words(&self) -> Vec<u32> {
        self.stage().code.words.to_vec()
    }

    /// Where its code starts in the innermost file, in bytes.
    #[getter]
    fn offset(&self) -> u64 {
        self.stage().code.file_offset
    }

    /// How many instructions it has.
    #[getter]
    fn instructions(&self, py: Python<'_>) -> u64 {
        py.detach(|| report::instruction_count(self.stage()))
    }

    /// What the file says of its inputs, outputs, uniforms and tables.
    #[getter]
    fn interface<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json::objects(py, &self.stage().interface)
    }

    /// Options or macros that it was compiled for, with their values.
    #[getter]
    fn options<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let choices = py.detach(|| {
            self.file.as_ref().map(|file| file.compiled_for().choices(&self.named.0)).unwrap_or_default()
        });
        let dict = PyDict::new(py);
        for (name, value) in choices {
            dict.set_item(name, value)?;
        }
        Ok(dict)
    }

    /// Its listing: our own, which can be assembled again, or the text of another tool (`picasso`, `lima`, `decaf`, `nvdisasm`).
    /// `words`, `offsets`: behind each instruction its word, its place in the file. `control`: what the control words of Maxwell say.
    #[pyo3(signature = (syntax=None, *, words=false, offsets=false, control=true))]
    fn disassemble(
        &self,
        py: Python<'_>,
        syntax: Option<&str>,
        words: bool,
        offsets: bool,
        control: bool,
    ) -> PyResult<Py<PyAny>> {
        let syntax = manner::syntax(syntax)?;
        let options = ListingOptions { words, offsets, no_control: !control };
        let text = py.detach(|| match syntax {
            Some(syntax) => unshade::foreign_text_plain(self.stage(), syntax)
                .map_err(|error| PyValueError::new_err(format!("{}: {error}", self.whole_name()))),
            None => Ok(unshade::disassemble_stage_to_text(self.stage(), &options)),
        })?;
        html::listing(py, text)
    }

    /// Its source in another language: `glsl` (`glsl="450"`, `"330"`, `"es300"`, `"es100"`), `wgsl`, `hlsl`, `msl`, `spirv`, `ir`.
    ///
    /// `strict`: bit-exact instead of readable.
    /// `layout`: whose rules GLSL says by where resources are, `"gl"` or `"vulkan"`.
    /// `profile`: who numbers resources (Wii U: `gx2`, `mesa`, `cemu`) or fills constants (Switch: `nvn`, `uam`).
    /// `beside`: hold a program that the file names nothing of against those beside it in the archive, for names. Takes as long as
    /// there are programs; done by itself where the file was opened for one item.
    ///
    /// Raises `DecompileError`.
    #[pyo3(signature = (target="glsl", *, strict=false, glsl=None, layout=None, profile=None, beside=None))]
    #[expect(clippy::too_many_arguments, reason = "each has a name in Python")]
    fn decompile(
        &self,
        py: Python<'_>,
        target: &str,
        strict: bool,
        glsl: Option<&str>,
        layout: Option<&str>,
        profile: Option<&str>,
        beside: Option<bool>,
    ) -> PyResult<Decompiled> {
        let one = self.file.as_ref().is_some_and(|file| file.place.item.is_some());
        let how = manner(&Wanted { target, strict, glsl, layout })?;
        let how = Manner { beside: beside.unwrap_or(one), one_text: false, ..how };
        let profile = profile.map(manner::profile).transpose()?;
        py.detach(|| {
            let surrounded;
            let member = match profile {
                None => &*self.named,
                Some(profile) => {
                    let mut stage = self.stage().clone();
                    apply_profile(&mut stage, profile);
                    surrounded = (self.named.0.clone(), stage);
                    &surrounded
                }
            };
            let bare = CompiledFor::default();
            let origin = match &self.file {
                Some(file) => Origin {
                    name: file.short_name(),
                    source: file.source(),
                    inner: &file.place.inner,
                    compiled_for: file.compiled_for(),
                },
                None => {
                    Origin { name: "code", source: Source::from(&[][..]), inner: &[], compiled_for: &bare }
                }
            };
            let made = origin.decompile(&self.named.0, &[member], how);
            Decompiled::of_program(self.file_name(), self.named.0.clone(), &[member], made, how).alone()
        })
    }

    /// Executes it on the CPU. `inputs`: what stands behind `in` in docs/run-json.md, or a whole document, as a dictionary or as
    /// JSON; without, all inputs are 0. `float`: `f32`, `f24` or `f16` instead of what they ask for. `fuel`: instructions that a
    /// case may take. Gives the document with the outputs; a case that did not end says so in `unfinished`.
    ///
    /// Raises `RunError` for inputs that make no sense.
    #[pyo3(signature = (inputs=None, *, float=None, fuel=1_000_000))]
    fn run<'py>(
        &self,
        py: Python<'py>,
        inputs: Option<Bound<'py, PyAny>>,
        float: Option<String>,
        fuel: u64,
    ) -> PyResult<Bound<'py, PyAny>> {
        let text = json::text(py, inputs)?;
        let failed = |error: run_json::RunJsonError| Problem {
            path: Some(error.path.clone()).filter(|path| !path.is_empty()),
            code: Some("run-json".to_owned()),
            ..Problem::new(Class::Run, format!("{}: {error}", self.whole_name())).of(self.file_name())
        };
        let done = py.detach(|| {
            let mut document = Document::inputs(&text).map_err(failed)?;
            document.float = float.or(document.float);
            let runs = run_json::run(self.stage(), &document, fuel).map_err(failed)?;
            PyResult::Ok(document.with_outputs(&runs))
        })?;
        py.import("json")?.call_method1("loads", (done,))
    }

    /// Inputs of chance for `run`, the same for the same seed: of ordinary size, such that the program ends where there are such.
    #[pyo3(signature = (seed=1, *, cases=1))]
    fn random_inputs<'py>(&self, py: Python<'py>, seed: u64, cases: u16) -> PyResult<Bound<'py, PyAny>> {
        let drawn = py.detach(|| run_json::drawn(self.stage(), seed, cases.into()));
        py.import("json")?.call_method1("loads", (drawn.unwrap_or_else(|| "{}".to_owned()),))
    }

    /// Holds the machine's interpreter against everything that is made from the program, on `cases` inputs.
    #[pyo3(signature = (*, cases=4096, seed=1))]
    fn verify(&self, py: Python<'_>, cases: u32, seed: u64) -> PyResult<Verdict> {
        let stages = [(self.named.0.clone(), self.stage().clone())];
        let report = py.detach(|| report::verify_stages(stages, cases, seed));
        let verdict = report.stages.into_iter().next();
        verdict.map(Verdict::new).ok_or_else(|| PyValueError::new_err("nothing was verified"))
    }

    /// Instruction mix, registers, limits, and what a run costs. What `unshade stats --json` prints of it.
    fn stats<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let stages = [(self.named.0.clone(), self.stage().clone())];
        let report = py.detach(|| report::stats_stages(stages));
        json::objects(py, &report.stages.first())
    }

    /// What is wrong with its code.
    fn check(&self, py: Python<'_>) -> Vec<Diagnostic> {
        diagnostics(&py.detach(|| report::lint(self.stage())))
    }

    /// The same with other surroundings than the file says. `profile`: as `decompile` takes it; `state`: registers, tables and
    /// texture dimensions of a Wii U program, as a dictionary or as JSON.
    #[pyo3(signature = (*, profile=None, state=None))]
    fn surrounded(
        &self,
        py: Python<'_>,
        profile: Option<&str>,
        state: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let mut stage = self.stage().clone();
        if state.is_some() {
            let text = json::text(py, state)?;
            apply_state(&mut stage, &text).map_err(|error| Problem {
                path: Some(error.field.clone()).filter(|field| !field.is_empty()),
                ..Problem::new(Class::Run, format!("{}: {error}", self.whole_name())).of(self.file_name())
            })?;
        }
        if let Some(profile) = profile {
            apply_profile(&mut stage, manner::profile(profile)?);
        }
        Ok(Self { named: Arc::new((self.named.0.clone(), stage)), file: self.file.clone() })
    }

    fn __repr__(&self) -> String {
        let words = self.stage().code.words.len();
        format!("<unshade.Stage {}, {} {}, {words} words>", self.whole_name(), self.isa(), self.kind())
    }

    fn _repr_html_(&self, py: Python<'_>) -> String {
        let text = py.detach(|| unshade::disassemble_stage_to_text(self.stage(), &ListingOptions::default()));
        format!("{}{}", html::paragraph(&self.__repr__()), html::code(&text))
    }
}

/// What `verify` found. It is true where everything is equal.
#[pyclass(frozen, get_all, module = "unshade")]
pub(crate) struct Verdict {
    /// Everything is equal, and most of the cases could be compared.
    passed: bool,
    /// `pass`, `weak` (equal, but under half of the cases could be compared), `unfinished` (nothing differs, but the program runs
    /// for too long to say much of it) or `fail`.
    standing: String,
    /// The verdict in a sentence.
    verdict: String,
    /// Seed of the inputs.
    seed: u64,
    /// Cases compared bit by bit.
    strict_cases: u64,
    /// Cases compared within a tolerance.
    readable_cases: u64,
    /// Cases beside these outside of what readable mode assumes.
    readable_outside: u64,
    /// Cases of both modes that were not run, since the work of a verify was used up.
    left: u64,
    /// What readable mode assumes.
    assumptions: Vec<String>,
    /// How far the hardware may be from what both sides compute alike.
    accuracy: Option<String>,
    /// What failed, with the inputs that `run` takes.
    details: Vec<String>,
}

impl Verdict {
    fn new(found: StageVerdict) -> Self {
        Self {
            passed: found.passed,
            standing: found.standing,
            verdict: found.verdict,
            seed: found.seed,
            strict_cases: found.strict_cases.into(),
            readable_cases: found.readable_cases.into(),
            readable_outside: found.readable_outside.into(),
            left: u64::from(found.strict_left) + u64::from(found.readable_left),
            assumptions: found.assumptions,
            accuracy: found.accuracy,
            details: found.details,
        }
    }
}

#[pymethods]
impl Verdict {
    fn __bool__(&self) -> bool {
        self.passed
    }

    fn __str__(&self) -> &str {
        &self.verdict
    }

    fn __repr__(&self) -> String {
        format!("<unshade.Verdict, {}>", self.verdict)
    }
}

/// A program of bare code: its bytes, its words, or a pasted dump as text. `isa`: `pica200`, `mali-gp`, `mali-pp`, `latte`,
/// `maxwell`.
#[pyfunction]
pub(crate) fn raw(py: Python<'_>, code: Code, isa: &str) -> PyResult<Stage> {
    let isa = manner::isa(isa)?;
    py.detach(|| {
        let words = match code {
            Code::Text(text) => unshade::words_from_hex(&text),
            Code::Bytes(data) => unshade::words_from_bytes(&data.0),
            Code::Words(words) => Ok(words),
        };
        let stage =
            unshade::raw_stage(isa, words.map_err(|error| errors::format("code", error))?, Vec::new());
        Ok(Stage::new(Arc::new(("#0".to_owned(), stage)), None))
    })
}

/// Code in one of its forms.
#[derive(FromPyObject)]
pub(crate) enum Code {
    Text(String),
    Bytes(crate::given::Data),
    Words(Vec<u32>),
}
