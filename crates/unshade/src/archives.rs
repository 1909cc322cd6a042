//! Shader archives in a file, looked at in their bytes: a file of a hundred megabytes opens at once.

use crate::{OpenError, WithinError, open::UnknownName};
use unshade_bytes::{Error, ErrorKind};
use unshade_containers::{
    Format, Name, bfsha, detect,
    sharcfb::{Archive, archive::Program},
    wrap::nest::{Bounds, Found, Source, walk_within},
};

/// An archive in which options or macros choose programs.
pub(crate) enum ShaderArchive<'a> {
    /// With macros.
    Macros(Archive<'a>),
    /// With shading models.
    Models(bfsha::index::Index<'a>),
}

/// Calls `visit` with every shader archive that `names` choose in a file, and with what stands behind `FILE:` for it.
///
/// # Errors
/// Where an archive or a wrapper cannot be read, where there is no archive, and what `visit` says.
pub(crate) fn each_archive<'f>(
    file: impl Into<Source<'f>>,
    names: &[String],
    mut visit: impl FnMut(Option<String>, &ShaderArchive<'_>) -> Result<(), OpenError>,
) -> Result<(), OpenError> {
    let source = file.into();
    let bytes = source.bytes;
    let (mut archives, mut others) = (0, std::collections::BTreeSet::new());
    for found in walk_within(source, names, Bounds::EVERYTHING) {
        match found {
            Found::Wrapper { .. } => {}
            Found::File { chain, piece, names } => {
                let inside = piece.bytes(bytes);
                let format = detect(inside);
                let failed = |error| WithinError::new(chain.clone(), error);
                let archive = match format {
                    Some(Format::Sharcfb) if names.is_empty() => {
                        ShaderArchive::Macros(Archive::open(inside).map_err(failed)?)
                    }
                    Some(Format::Bfsha) if names.is_empty() => {
                        ShaderArchive::Models(bfsha::index::Index::open(inside).map_err(failed)?)
                    }
                    _ => {
                        others.insert(format.map_or("other files", Format::name));
                        continue;
                    }
                };
                archives += 1;
                visit(chain.name(), &archive)?;
            }
            Found::Failed { chain, error } => return Err(WithinError::new(chain, error).into()),
            Found::Unknown { wanted, known, .. } => {
                let known = known.into_iter().map(|name| format!(":{name}")).collect();
                return Err(UnknownName { wanted: format!(":{wanted}"), known }.into());
            }
        }
    }
    if archives == 0 {
        let expected = "a shader archive with options or macros (bfsha, sharcfb)";
        let found = match others.is_empty() {
            true => "none".to_owned(),
            false => others.into_iter().collect::<Vec<_>>().join(", "),
        };
        let error = Error::new(ErrorKind::Unsupported, 0, "", expected, found).code("options.no-archive");
        return Err(WithinError::new(Default::default(), error).into());
    }
    Ok(())
}

/// The programs of an archive, each with the name that items have: the second of a name is `NAME~1`.
///
/// # Errors
/// That of a damaged program.
pub(crate) fn programs<'a>(archive: &Archive<'a>) -> unshade_bytes::Result<Vec<(String, Program<'a>)>> {
    let mut taken = std::collections::BTreeSet::new();
    let mut programs = Vec::new();
    for program in archive.programs() {
        let program = program?;
        let text = Name(program.name().to_vec()).text();
        let (mut name, mut number) = (text.clone(), 0_u64);
        while !taken.insert(name.clone()) {
            number += 1;
            name = format!("{text}~{number}");
        }
        programs.push((name, program));
    }
    Ok(programs)
}
