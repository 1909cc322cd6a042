//! Shader archives in a file. Those with binaries are looked at in their bytes: a file of a hundred megabytes opens at once.

use crate::{OpenError, WithinError, open::UnknownName};
use std::collections::{BTreeMap, BTreeSet};
use unshade_bytes::{Error, ErrorKind, Result};
use unshade_containers::{
    Format, Name,
    agl::variation::MacroList,
    bfsha, detect,
    gx2::ShaderKind,
    sharc, sharcfb, sharcfb_nx,
    wrap::nest::{Bounds, Found, Source, walk_within},
};

/// An archive in which options or macros choose programs.
pub(crate) enum ShaderArchive<'a> {
    /// With macros.
    Macros(sharcfb::Archive<'a>),
    /// With macros, of the Switch.
    Switch(Box<sharcfb_nx::SharcfbNx>),
    /// Of sources, with macros.
    Sources(Box<sharc::Sharc>),
    /// With shading models.
    Models(bfsha::index::Index<'a>),
}

/// A program with macros.
pub(crate) enum MacroProgram<'a> {
    /// Of an archive of binaries, by its bytes.
    Binary(&'a sharcfb::Archive<'a>, sharcfb::archive::Program<'a>),
    /// Of an archive of the Switch, with its number.
    Switch(&'a sharcfb_nx::SharcfbNx, usize, &'a sharcfb_nx::Program),
    /// Of an archive of sources.
    Source(&'a sharc::Sharc, &'a sharc::Program),
}

/// Calls `visit` with every shader archive that `names` choose in a file, and with what stands behind `FILE:` for it.
///
/// # Errors
/// Where an archive or a wrapper cannot be read, where there is no archive, and what `visit` says.
pub(crate) fn each_archive<'f>(
    file: impl Into<Source<'f>>,
    names: &[String],
    mut visit: impl FnMut(Option<String>, &ShaderArchive<'_>) -> std::result::Result<(), OpenError>,
) -> std::result::Result<(), OpenError> {
    let source = file.into();
    let bytes = source.bytes;
    let (mut archives, mut others) = (0, BTreeSet::new());
    for found in walk_within(source, names, Bounds::EVERYTHING) {
        match found {
            Found::Wrapper { .. } => {}
            Found::File { chain, piece, names } => {
                let inside = piece.bytes(bytes);
                let failed = |error| WithinError::new(chain.clone(), error);
                let archive = if names.is_empty() { ShaderArchive::open(inside) } else { None };
                let Some(archive) = archive else {
                    others.insert(detect(inside).map_or("other files", Format::name));
                    continue;
                };
                archives += 1;
                visit(chain.name(), &archive.map_err(failed)?)?;
            }
            Found::Failed { chain, error } => return Err(WithinError::new(chain, error).into()),
            Found::Unknown { wanted, known, .. } => {
                let known = known.into_iter().map(|name| format!(":{name}")).collect();
                return Err(UnknownName { wanted: format!(":{wanted}"), known }.into());
            }
        }
    }
    if archives == 0 {
        let expected = "a shader archive with options or macros (bfsha, sharcfb, sharcfb-nx, sharc)";
        let found = match others.is_empty() {
            true => "none".to_owned(),
            false => others.into_iter().collect::<Vec<_>>().join(", "),
        };
        let error = Error::new(ErrorKind::Unsupported, 0, "", expected, found).code("options.no-archive");
        return Err(WithinError::new(Default::default(), error).into());
    }
    Ok(())
}

impl<'a> ShaderArchive<'a> {
    /// The archive that these bytes are; `None` where they are of another format.
    pub(crate) fn open(bytes: &'a [u8]) -> Option<Result<Self>> {
        Some(match detect(bytes)? {
            Format::Sharcfb => sharcfb::Archive::open(bytes).map(Self::Macros),
            Format::SharcfbNx => sharcfb_nx::read(bytes).map(Box::new).map(Self::Switch),
            Format::Sharc => sharc::read(bytes).map(Box::new).map(Self::Sources),
            Format::Bfsha => bfsha::index::Index::open(bytes).map(Self::Models),
            _ => return None,
        })
    }

    /// The programs with macros, each with the name that items have; none where shading models choose.
    ///
    /// # Errors
    /// That of a damaged program.
    pub(crate) fn programs(&self) -> Result<Vec<(String, MacroProgram<'_>)>> {
        match self {
            Self::Macros(archive) => {
                let programs = programs(archive)?.into_iter();
                Ok(programs.map(|(name, program)| (name, MacroProgram::Binary(archive, program))).collect())
            }
            Self::Sources(archive) => {
                let all = archive.programs().map(|(_, program)| (program.text(), program));
                let all = distinct(all).into_iter();
                Ok(all.map(|(name, program)| (name, MacroProgram::Source(archive, program))).collect())
            }
            Self::Switch(archive) => {
                let all = archive.programs().map(|(number, program)| (program.text(), (number, program)));
                let all = distinct(all).into_iter();
                let named =
                    |(name, (number, program))| (name, MacroProgram::Switch(archive, number, program));
                Ok(all.map(named).collect())
            }
            Self::Models(_) => Ok(Vec::new()),
        }
    }
}

impl<'a> MacroProgram<'a> {
    /// Its macros with their values and defaults.
    pub(crate) fn macro_list(&self) -> Result<MacroList<'a>> {
        match self {
            Self::Binary(_, program) => program.macro_list(),
            Self::Switch(_, _, program) => Ok(program.macro_list()),
            Self::Source(_, program) => Ok(program.macro_list()),
        }
    }

    /// How many variations it has.
    pub(crate) fn variation_count(&self) -> Result<u64> {
        match self {
            Self::Binary(_, program) => program.variation_count(),
            Self::Switch(_, _, program) => program.variation_count().ok_or_else(too_many),
            Self::Source(_, program) => program.variation_count().ok_or_else(too_many),
        }
    }

    /// Of each symbol a byte for each variation: not 0 where it uses the symbol.
    pub(crate) fn symbol_flags(&self) -> Result<Vec<&'a [u8]>> {
        let mut all = Vec::new();
        match self {
            Self::Binary(_, program) => {
                for kind in sharcfb::SymbolKind::ALL {
                    for symbol in program.symbols(kind) {
                        all.push(symbol?.flags);
                    }
                }
            }
            // Programs of the Switch do not say which variations use what.
            Self::Switch(..) => {}
            Self::Source(_, program) => {
                for kind in sharcfb::SymbolKind::ALL {
                    let known = program.symbols(kind).items.iter().filter_map(|record| record.known());
                    all.extend(known.map(|symbol| &*symbol.flags.0));
                }
            }
        }
        Ok(all)
    }

    /// What a variation consists of: what stands behind the program's name to name each part, and the number of its binary.
    /// Of a source that is the same for all variations.
    pub(crate) fn parts(&self, variation: u64) -> Vec<(String, Option<u32>)> {
        match self {
            Self::Binary(archive, program) => {
                let kinds = [
                    (ShaderKind::Vertex, "vertex"),
                    (ShaderKind::Pixel, "pixel"),
                    (ShaderKind::Geometry, "geometry"),
                ];
                let part = |(kind, word)| {
                    let binary = program.binary_number(variation, kind).ok()?;
                    (binary < archive.binary_count()).then(|| (format!("/{variation}/{word}"), Some(binary)))
                };
                kinds.into_iter().filter_map(part).collect()
            }
            Self::Switch(archive, number, program) => {
                let part = |kind| {
                    let binary = archive.binary_number(*number, program, variation, kind)?;
                    let there = (binary as usize) < archive.binary_count();
                    there.then(|| {
                        (format!("/{variation}/{}", sharcfb_nx::raw::stage_word(kind)), Some(binary))
                    })
                };
                program.kinds().filter_map(part).collect()
            }
            Self::Source(archive, program) => {
                let stages = sharc::Stage::ALL.into_iter();
                let stages = stages.filter(|stage| archive.source_of(program, *stage).is_some());
                stages.map(|stage| (format!("/{}", stage.name()), None)).collect()
            }
        }
    }
}

fn too_many() -> Error {
    let found = "more variations than can be counted, or a damaged macro";
    Error::new(ErrorKind::LimitExceeded, 0, "", "macros whose variations can be counted", found)
        .code("agl.variations")
}

/// The programs of an archive, each with the name that items have: the second of a name is `NAME~1`.
///
/// # Errors
/// That of a damaged program.
pub(crate) fn programs<'a>(
    archive: &sharcfb::Archive<'a>,
) -> Result<Vec<(String, sharcfb::archive::Program<'a>)>> {
    let named = |program: sharcfb::archive::Program<'a>| (Name(program.name().to_vec()).text(), program);
    let programs: Vec<_> = archive.programs().map(|program| program.map(named)).collect::<Result<_>>()?;
    Ok(distinct(programs))
}

/// Things by names that are all different: the second of a name is `NAME~1`.
fn distinct<T>(all: impl IntoIterator<Item = (String, T)>) -> Vec<(String, T)> {
    let mut taken = BTreeSet::new();
    let mut numbers: BTreeMap<String, u64> = BTreeMap::new();
    let named = |(text, thing): (String, T)| {
        let mut name = text.clone();
        while !taken.insert(name.clone()) {
            let number = numbers.entry(text.clone()).or_default();
            *number += 1;
            name = format!("{text}~{number}");
        }
        (name, thing)
    };
    all.into_iter().map(named).collect()
}
