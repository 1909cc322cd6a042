//! What is wrong with a cache that could be read.

use super::model::{Environment, EnvironmentHeader, KeyLengths, Yuzu};
use super::raw::{COMPUTE, HEADER_LEN};
use super::read::pipeline;
use crate::formats::caches::maxwell::graphics_stage;
use crate::shared::fields::{Record, Surprises};
use crate::shared::findings::Findings;
use unshade_bytes::{Diagnostic, Endian, Error, Reader, Severity, Under};

impl Yuzu {
    /// All findings, most severe first, then by place.
    pub fn check(&self) -> Vec<Diagnostic> {
        let mut found = Findings::default();
        let mut at = HEADER_LEN as u64;
        for (index, pipeline) in self.pipelines.iter().enumerate() {
            let mut here = at.saturating_add(4);
            let path = format!("pipelines[{index}]");
            for (stage, environment) in pipeline.stages.iter().enumerate() {
                environment.check(here, &format!("{path}.stages[{stage}]"), &mut found);
                here = here.saturating_add(environment.len());
                let twice = |earlier: &Environment| earlier.header.stage == environment.header.stage;
                if pipeline.stages.get(..stage).unwrap_or_default().iter().any(twice) {
                    found.error("yuzu.stage-twice", (here, 4), &path, || {
                        format!(
                            "expected each stage once, found two for {}",
                            environment.name().unwrap_or("none")
                        )
                    });
                }
            }
            at = at.saturating_add(pipeline.len());
        }
        if let Some(error) = self.rest_error() {
            found.take((vec![error.diagnostic()], 0));
        }
        found.finish("yuzu.more")
    }

    /// Why what is behind the last pipeline is none; `None` where nothing is there.
    pub(super) fn rest_error(&self) -> Option<Error> {
        if self.rest.is_empty() {
            return None;
        }
        let at = self.pipelines.iter().map(super::Pipeline::len).fold(HEADER_LEN as u64, u64::saturating_add);
        let mut reader = Reader::with_base(&self.rest, at, Endian::Little);
        let mut keys: KeyLengths = self.keys;
        let path = format!("pipelines[{}]", self.pipelines.len());
        let error = pipeline(&mut reader, self.cache_version, &mut keys).under(|| path.as_str()).err()?;
        let mut error = error;
        let whole = self.pipelines.len();
        error.found = format!(
            "{}; whole pipelines before it: {whole}, bytes that are not read: {} from {at:#x} on",
            error.found,
            self.rest.len()
        )
        .into();
        Some(error)
    }
}

impl Environment {
    fn check(&self, at: u64, path: &str, found: &mut Findings) {
        let mut surprises = Surprises::new(EnvironmentHeader::FORM);
        let mut header = self.header;
        // Looking at numbers cannot fail.
        let _ = header.visit(&mut surprises);
        found.surprises(&surprises, at, path);
        if self.first().is_none() {
            let (start, lowest) = (self.header.start_address, self.header.cached_lowest);
            found.error("yuzu.start", (at.saturating_add(48), 4), &format!("{path}.start_address"), || {
                format!("expected a first instruction among those that were read from {lowest:#x} on, found a program at {start:#x}")
            });
        }
        if self.header.stage == COMPUTE {
            return;
        }
        let said = graphics_stage(&self.program_header);
        if said != self.kind() {
            let end = at.saturating_add(self.len()).saturating_sub(self.program_header.len() as u64);
            found.report(
                Severity::Warning,
                "yuzu.stage",
                (end, 4),
                &format!("{path}.program_header"),
                || {
                    let wanted = self.kind().map_or("a", |kind| kind.name());
                    let said = said.map_or("none".to_owned(), |kind| format!("that of a {kind} program"));
                    format!("expected the header of a {wanted} program, found {said}")
                },
            );
        }
    }
}
