//! From the model to bytes: record by record, each size filled in when its end is known.

use super::model::{Info, Program, Sharc, Source, StageMacro, symbol_kinds};
use super::raw::{MAGIC, Rules};
use crate::formats::agl::model::Array;
use crate::formats::agl::write::Out;
use unshade_bytes::{Error, ErrorKind, Result, Under};

impl Sharc {
    /// The bytes of the archive.
    ///
    /// # Errors
    /// [`ErrorKind::LimitExceeded`] for an archive that is longer than [`unshade_bytes::Limits::bytes`];
    /// [`ErrorKind::Unrepresentable`] for what its version has no room for, and where an array is missing in front of
    /// another.
    pub fn write(&self) -> Result<Vec<u8>> {
        let mut out = Out { bytes: Vec::new(), endian: self.endian };
        for word in [MAGIC, self.version, 0, self.endian_word(), out.len_of(&self.name.0)] {
            out.word(word);
        }
        out.bytes.extend_from_slice(&self.name.0);
        let rules = self.rules();
        let gap = self.programs.is_none() && self.sources.is_some()
            || self.sources.is_none() && self.info.is_some();
        if gap || self.info.is_some() && !rules.blocks {
            let found = "one without another, or one that the version has not";
            return Err(unfit("", "programs, sources and information in this order", found));
        }
        if let Some(programs) = &self.programs {
            out.array(programs, |out, program| out.source_program(program, rules)).under(|| "programs")?;
        }
        if let Some(sources) = &self.sources {
            out.array(sources, Out::source).under(|| "sources")?;
        }
        if let Some(info) = &self.info {
            let words = |out: &mut Out, Info(words): &Info| {
                words.iter().for_each(|&word| out.word(word));
                Ok(())
            };
            out.array(info, words).under(|| "info")?;
        }
        out.bytes.extend_from_slice(&self.trailing);
        out.limit()?;
        let size = self.file_size.unwrap_or(out.position());
        out.patch(8, size);
        Ok(out.bytes)
    }
}

fn unfit(path: &str, expected: &'static str, found: &'static str) -> Error {
    Error::new(ErrorKind::Unrepresentable, 0, path, expected, found).code("sharc.version")
}

impl Out {
    fn source_program(&mut self, program: &Program, rules: Rules) -> Result<()> {
        if program.sources.len() != rules.stages || program.stage_macros.len() != rules.stages {
            return Err(unfit("sources", "a source and macros for each stage of the version", "others"));
        }
        let absent = [
            (!rules.defaults && program.defaults != Array::default(), "defaults"),
            (!rules.blocks && program.blocks != Array::default(), "blocks"),
            (!rules.block_symbols && program.block_symbols != Array::default(), "blocks"),
            (!rules.symbols && program.uniforms != Array::default(), "uniforms"),
            (!rules.symbols && program.samplers != Array::default(), "samplers"),
            (!rules.symbols && program.attributes != Array::default(), "attributes"),
        ];
        if let Some((_, path)) = absent.into_iter().find(|(wrong, _)| *wrong) {
            return Err(unfit(path, "nothing: the version has no such array", "records"));
        }
        let name_len = self.len_of(&program.name.0);
        self.word(name_len);
        program.sources.iter().for_each(|&word| self.word(word));
        self.bytes.extend_from_slice(&program.name.0);
        for macros in &program.stage_macros {
            self.array(macros, Self::stage_macro).under(|| "stage_macros")?;
        }
        self.array(&program.macros, Self::macro_of).under(|| "macros")?;
        if rules.defaults {
            self.array(&program.defaults, Self::macro_of).under(|| "defaults")?;
        }
        for kind in symbol_kinds(rules) {
            self.array(program.symbols(kind), Self::symbol).under(|| kind.name())?;
        }
        if rules.blocks {
            self.array(&program.blocks, Self::block).under(|| "blocks")?;
        }
        self.bytes.extend_from_slice(&program.tail);
        Ok(())
    }

    fn stage_macro(&mut self, of: &StageMacro) -> Result<()> {
        for word in [self.len_of(&of.name.0), self.len_of(&of.value.0)] {
            self.word(word);
        }
        for part in [&of.name.0, &of.value.0, &of.tail.0] {
            self.bytes.extend_from_slice(part);
        }
        Ok(())
    }

    fn source(&mut self, source: &Source) -> Result<()> {
        for word in [self.len_of(&source.name.0), self.len_of(&source.text.0), source.raw_len()] {
            self.word(word);
        }
        for part in [&source.name.0, &source.text.0, &source.tail.0] {
            self.bytes.extend_from_slice(part);
        }
        Ok(())
    }
}
