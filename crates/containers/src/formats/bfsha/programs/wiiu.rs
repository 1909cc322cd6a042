//! Whole stages and programs of a BFSHA of the Wii U.
//!
//! What is known of these files allows less than on the Switch. A program's record has ten words that say something of
//! its shaders and that nobody can read: a stage may only be replaced by one with the same registers, or in a program
//! where these words are zero. Tables of a shader have no known place here and are left out: names and places of
//! resources stand in the shading model. Nothing can be moved in a file with parts that nobody can read, since these may
//! hold distances.

use super::super::edit::{missing, unfit};
use super::super::model::{Bfsha, Object, Role};
use super::super::stages::{kind_of, shader_kind};
use super::super::wiiu::{PROGRAM_LEN, WiiUModel, WiiUProgram, WiiUShader, WiiUStage};
use super::{place_of, wanted_key};
use crate::formats::gx2::{self, Blocks, Detached, Parts};
use crate::formats::nvn::detached::same_kind;
use crate::formats::switch::layout::Edit;
use crate::formats::switch::{Pointer, Saver};
use crate::shared::programs::{self, Details, NewProgram, Removed, wrong};
use unshade_bytes::Result;
use unshade_stage::{StageId, StageKind};

/// What a BFSHA of the Wii U says of a program beside its stages and its options.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WiiUDetails {
    /// Its record, without pointers.
    pub record: WiiUProgram,
    /// Where it binds samplers and uniform blocks, stage by stage.
    pub tables: [Option<Object>; 2],
    /// Its row of the key table.
    pub key: Vec<u32>,
    /// Whether it is taken where no program fits.
    pub is_default: bool,
    /// The structures of its stages, without pointers.
    pub shaders: [Option<WiiUShader>; 3],
}

/// A shader with its bytes, ready to be put somewhere.
struct Ready {
    shader: WiiUShader,
    code: Vec<u8>,
    copy: Vec<u8>,
}

fn stage_of(kind: StageKind) -> Option<usize> {
    WiiUStage::ALL.into_iter().position(|stage| kind_of(stage) == kind)
}

impl Bfsha {
    fn wiiu_place(&self, id: &StageId) -> Result<(usize, usize, usize, Pointer)> {
        let found = self.parse(id, &self.image.texts()).and_then(|(model, program, kind)| {
            let stage = stage_of(kind)?;
            let record = self.wiiu_program_of(self.wiiu_model(model)?, program)?;
            let at = *record.shaders.get(stage)?;
            self.wiiu_shader(at).map(|_| (model, program, stage, at))
        });
        found.ok_or_else(|| programs::missing(&id.0))
    }

    /// A structure without pointers.
    fn bare(&self, at: Pointer) -> Option<WiiUShader> {
        let shader = self.wiiu_shader(at)?.clone();
        Some(WiiUShader { code: Pointer::NULL, copy: Pointer::NULL, ..shader })
    }

    fn wiiu_code(&self, at: Pointer, size: u32) -> &[u8] {
        match self.image.get(at) {
            Some(Object::Blob(_, bytes)) => bytes.get(..size as usize).unwrap_or(bytes),
            _ => Default::default(),
        }
    }

    /// The stage of that name of a program of the Wii U: its structure, without tables, and its programs.
    ///
    /// # Errors
    /// [`unshade_bytes::ErrorKind::OutOfBounds`] where no stage has that name;
    /// [`unshade_bytes::ErrorKind::Unrepresentable`] for a structure with tables, which nobody has seen here.
    pub fn take_wiiu(&self, id: &StageId) -> Result<Detached> {
        let (_, _, stage, at) = self.wiiu_place(id)?;
        let (Some(shader), Some(bare)) = (self.wiiu_shader(at), self.bare(at)) else {
            return Err(programs::missing(&id.0));
        };
        if bare.rest.iter().any(|word| *word != 0) {
            let expected = "a structure without tables: nobody has seen where those of these files lead";
            return Err(unfit(expected, "one with some"));
        }
        let mut saver = Saver::new(self.image.form, 0);
        let mut structure = bare;
        structure.visit(&mut saver)?;
        let copy = self.wiiu_code(shader.copy, shader.copy_size);
        let blocks = Blocks {
            header: Some(saver.bytes.into()),
            code: self.wiiu_code(shader.code, shader.code_size).to_vec().into(),
            copy: (!copy.is_empty()).then(|| copy.to_vec().into()),
        };
        let kind = shader_kind(WiiUStage::ALL.get(stage).copied().unwrap_or_default());
        Ok(Detached { kind, parts: Parts::Blocks(blocks) })
    }

    /// Puts another stage of the same kind in the place of that name. Tables and names of the shader are left out.
    ///
    /// # Errors
    /// [`unshade_bytes::ErrorKind::OutOfBounds`] where no stage has that name;
    /// [`unshade_bytes::ErrorKind::BadValue`] for a stage of another kind;
    /// [`unshade_bytes::ErrorKind::Unrepresentable`] for one with other registers where the program says what nobody
    /// can read of them, and for code of another length in a file that cannot be moved.
    pub fn put_wiiu(&mut self, id: &StageId, stage: &Detached) -> Result<()> {
        let (model, program, position, at) = self.wiiu_place(id)?;
        let kind = WiiUStage::ALL.get(position).copied().unwrap_or_default();
        same_kind(id, kind_of(kind), stage.stage_kind())?;
        let ready = ready(kind, stage)?;
        let old = self.wiiu_shader(at).ok_or_else(|| programs::missing(&id.0))?.clone();
        let [code, copy] = [(old.code, old.code_size), (old.copy, old.copy_size)]
            .map(|(at, size)| self.wiiu_code(at, size).to_vec());
        let bare = self.bare(at).unwrap_or_default();
        let same_code = code == ready.code && copy == ready.copy;
        if same_code && bare == (WiiUShader { rest: bare.rest.clone(), ..ready.shader.clone() }) {
            return Ok(());
        }
        let found = self.wiiu_model(model).ok_or_else(|| programs::missing(&id.0))?;
        let record = self.wiiu_program_of(found, program).ok_or_else(|| programs::missing(&id.0))?.clone();
        fits(&record, &bare, &ready.shader)?;
        let place = self.wiiu_program_place(found, program);
        let users = |of: &dyn Fn(&Object) -> bool| self.image.objects.values().filter(|o| of(o)).count();
        let shared = users(&|object| match object {
            Object::WiiUProgram(program) => program.shaders.contains(&at),
            _ => false,
        }) > 1;
        let mut edit = Edit::new(self.image.clone())?;
        let mut shader = WiiUShader { rest: old.rest.clone(), ..ready.shader.clone() };
        let mut moved = shared;
        for (which, new, was, to) in [
            (old.code, &ready.code, &code, &mut shader.code),
            (old.copy, &ready.copy, &copy, &mut shader.copy),
        ] {
            *to = which;
            if new == was {
                continue;
            }
            let others = users(&|object| match object {
                Object::WiiUShader(other) => other.code == which || other.copy == which,
                _ => false,
            });
            let blob = Object::Blob(Role::Code, new.clone().into());
            moved |= new.len() != was.len() || others != 1;
            if new.is_empty() {
                *to = Pointer::NULL;
            } else if others == 1 && !shared && !which.is_null() {
                edit.image.objects.insert(which.0, blob);
            } else {
                *to = edit.insert(self.last_code().unwrap_or(at.0), blob);
            }
        }
        if shared {
            let new = edit.insert(at.0, Object::WiiUShader(Box::new(shader)));
            let mut record = record;
            if let Some(stage) = record.shaders.get_mut(position) {
                *stage = new;
            }
            edit.image.objects.insert(place.0, Object::WiiUProgram(Box::new(record)));
        } else {
            edit.image.objects.insert(at.0, Object::WiiUShader(Box::new(shader)));
        }
        if !moved {
            self.image = edit.image;
            return Ok(());
        }
        self.movable()?;
        edit.collect(vec![Self::root()]);
        self.place_all(edit)
    }

    fn last_code(&self) -> Option<u64> {
        let is_code = |object: &Object| matches!(object, Object::Blob(Role::Code, _));
        self.image.objects.iter().rev().find(|(_, object)| is_code(object)).map(|(at, _)| *at)
    }

    /// Refuses to move what parts that nobody can read may point to.
    fn movable(&self) -> Result<()> {
        let unread =
            self.image.objects.values().any(|object| matches!(object, Object::Raw(_) | Object::Unknown(_)));
        if !unread {
            return Ok(());
        }
        let expected =
            "a file without parts that nobody can read: they may hold distances to what would move";
        Err(unfit(expected, "one with such parts"))
    }

    fn wiiu_program_place(&self, model: &WiiUModel, program: usize) -> Pointer {
        Pointer(model.programs.0.saturating_add((program as u64).saturating_mul(PROGRAM_LEN)))
    }

    fn wiiu_found(&self, index: usize) -> Result<(WiiUModel, Pointer)> {
        let form = self.image.form;
        if (form.major, form.minor) >= (3, 5) {
            let expected = "a version before 3.5: nobody can read the programs of later ones";
            return Err(unfit(expected, format!("version {}.{}", form.major, form.minor)));
        }
        let found = self.wiiu_model(index).ok_or_else(|| missing("a shading model", index.to_string()))?;
        Ok((found.clone(), self.model_place(index).unwrap_or_default()))
    }

    /// A program as it stands here, with the choices that it was compiled for.
    ///
    /// # Errors
    /// As [`Bfsha::copy_of`].
    pub fn copy_of_wiiu(&self, item: &str) -> Result<NewProgram> {
        let (index, program) = self.program_named(item)?;
        let (model, _) = self.wiiu_found(index)?;
        let texts = self.image.texts();
        let table = self.options(index, &texts).ok_or_else(|| programs::missing(item))?;
        let record = self.wiiu_program_of(&model, program).ok_or_else(|| programs::missing(item))?;
        let mut stages = Vec::new();
        for id in self.wiiu_ids(index, program) {
            stages.push(self.take_wiiu(&id)?.into());
        }
        let details = WiiUDetails {
            record: WiiUProgram {
                tables: Default::default(),
                shaders: Default::default(),
                parent: Pointer::NULL,
                ..record.clone()
            },
            tables: record.tables.map(|at| self.wiiu_table(at).cloned()),
            key: table.key(program).to_vec(),
            is_default: table.default_program == Some(program),
            shaders: record.shaders.map(|at| self.bare(at)),
        };
        Ok(NewProgram {
            values: table.values(program),
            stages,
            into: Some(table.model),
            details: Details::new(details),
            ..NewProgram::default()
        })
    }

    /// Adds a program that is a copy of another one for other choices of options.
    ///
    /// # Errors
    /// As [`Bfsha::add`]; also for what is no copy of a program, since ten words of its record cannot be made.
    pub fn add_wiiu(&mut self, what: &NewProgram) -> Result<Vec<StageId>> {
        if let Some(name) = &what.name {
            return Err(wrong("", "no name: programs of a shading model have none", format!("`{name}`")));
        }
        let Some(details) = what.details.get::<WiiUDetails>() else {
            let expected = "a copy of a program: ten words of a program's record on the Wii U are not known, and \
                cannot be made anew";
            return Err(unfit(expected, "stages alone"));
        };
        self.movable()?;
        let index = self.model_named(what.into.as_deref())?;
        let (model, model_at) = self.wiiu_found(index)?;
        let [_, _, count] = model.counts;
        if count == u16::MAX || count == 0 {
            return Err(unfit("a model with 1 to 65534 programs", count.to_string()));
        }
        let texts = self.image.texts();
        let table =
            self.options(index, &texts).ok_or_else(|| missing("a shading model", index.to_string()))?;
        drop(texts);
        let key = wanted_key(&table, Some(&details.key), &what.values)?;
        let place = place_of(&table, &key, what.at)?;
        let mut record = details.record.clone();
        record.parent = model_at;
        let last = self.wiiu_program_place(&model, usize::from(count).saturating_sub(1));
        let end = self.image.strings().map_or(last.0, |(at, _)| at);
        // Tables and structures stand in front of the strings.
        let behind = self.image.objects.range(..end).next_back().map_or(last.0, |(at, _)| *at);
        let mut edit = Edit::new(self.image.clone())?;
        for (to, wanted) in record.tables.iter_mut().zip(&details.tables) {
            let Some(wanted) = wanted else { continue };
            let known = self.image.objects.iter().find(|(_, object)| *object == wanted);
            *to = match known {
                Some((at, _)) => Pointer(*at),
                None => edit.insert(behind, wanted.clone()),
            };
        }
        let mut stages = Vec::new();
        for stage in &what.stages {
            stages.push(stage.wanted::<Detached>("stages for latte")?);
        }
        for (position, (to, known)) in record.shaders.iter_mut().zip(&details.shaders).enumerate() {
            let kind = WiiUStage::ALL.get(position).copied().unwrap_or_default();
            let mut of_kind = stages.iter().filter(|stage| stage.stage_kind() == kind_of(kind));
            match (known, of_kind.next(), of_kind.next()) {
                (None, None, _) => {}
                (Some(known), Some(stage), None) => {
                    let ready = ready(kind, stage)?;
                    fits(&details.record, known, &ready.shader)?;
                    *to = self.wiiu_settled(&mut edit, behind, known, ready);
                }
                (_, found, more) => {
                    let count = usize::from(found.is_some()).saturating_add(usize::from(more.is_some()));
                    let expected = format!(
                        "the stages of the program that is copied: {} {}",
                        usize::from(known.is_some()),
                        kind_of(kind)
                    );
                    return Err(wrong("", expected, count.to_string()));
                }
            }
        }
        if stages.iter().any(|stage| stage_of(stage.stage_kind()).is_none()) {
            return Err(wrong("", "vertex, geometry and fragment stages", "another"));
        }
        let mut all = self.wiiu_programs(&model);
        all.insert(place.min(all.len()), record);
        self.set_wiiu_programs(&mut edit, &model, all);
        if let Some(Object::Keys(keys)) = edit.image.objects.get_mut(&model.keys.0) {
            let start = place.saturating_mul(table.words).min(keys.len());
            keys.splice(start..start, key);
        }
        if let Some(Object::WiiUModel(record)) = edit.image.objects.get_mut(&model_at.0) {
            let [_, _, count] = &mut record.counts;
            *count = count.saturating_add(1);
            let index = i32::try_from(place).unwrap_or(i32::MAX);
            if record.default_program >= index {
                record.default_program = record.default_program.saturating_add(1);
            }
            if details.is_default && record.default_program < 0 {
                record.default_program = index;
            }
        }
        self.place_all(edit)?;
        Ok(self.wiiu_ids(index, place))
    }

    /// A structure like this one with this code, where there is one; else it comes in.
    fn wiiu_settled(
        &self,
        edit: &mut Edit<Object>,
        behind: u64,
        known: &WiiUShader,
        ready: Ready,
    ) -> Pointer {
        let wanted = WiiUShader { rest: known.rest.clone(), ..ready.shader };
        let same = self.image.objects.iter().find(|(at, object)| match object {
            Object::WiiUShader(found) => {
                self.bare(Pointer(**at)).as_ref() == Some(&wanted)
                    && self.wiiu_code(found.code, found.code_size) == ready.code
                    && self.wiiu_code(found.copy, found.copy_size) == ready.copy
            }
            _ => false,
        });
        if let Some((at, _)) = same {
            return Pointer(*at);
        }
        let last = self.last_code().unwrap_or(behind);
        let mut put = |bytes: Vec<u8>| {
            let equal = self.image.objects.iter().find(|(_, object)| match object {
                Object::Blob(Role::Code, found) => **found == *bytes,
                _ => false,
            });
            match equal {
                _ if bytes.is_empty() => Pointer::NULL,
                Some((at, _)) => Pointer(*at),
                None => edit.insert(last, Object::Blob(Role::Code, bytes.into())),
            }
        };
        let (code, copy) = (put(ready.code), put(ready.copy));
        edit.insert(behind, Object::WiiUShader(Box::new(WiiUShader { code, copy, ..wanted })))
    }

    /// Takes a program out, and what no other program needs.
    ///
    /// # Errors
    /// As [`Bfsha::remove`].
    pub fn remove_wiiu(&mut self, item: &str) -> Result<Removed> {
        self.movable()?;
        let (index, program) = self.program_named(item)?;
        let (model, model_at) = self.wiiu_found(index)?;
        let again = NewProgram { at: Some(program), ..self.copy_of_wiiu(item)? };
        let stages = self.wiiu_ids(index, program);
        let mut all = self.wiiu_programs(&model);
        if all.len() < 2 || program >= all.len() {
            return Err(unfit("a program that stays", "none"));
        }
        all.remove(program);
        let mut edit = Edit::new(self.image.clone())?;
        self.set_wiiu_programs(&mut edit, &model, all);
        let words = usize::from(model.words[0]).saturating_add(model.words[1].into());
        if let Some(Object::Keys(keys)) = edit.image.objects.get_mut(&model.keys.0) {
            let start = program.saturating_mul(words).min(keys.len());
            let end = start.saturating_add(words).min(keys.len());
            keys.drain(start..end);
        }
        if let Some(Object::WiiUModel(record)) = edit.image.objects.get_mut(&model_at.0) {
            let [_, _, count] = &mut record.counts;
            *count = count.saturating_sub(1);
            match i32::try_from(program).map(|program| record.default_program.cmp(&program)) {
                Ok(std::cmp::Ordering::Equal) => record.default_program = -1,
                Ok(std::cmp::Ordering::Greater) => {
                    record.default_program = record.default_program.saturating_sub(1);
                }
                _ => {}
            }
        }
        edit.collect(vec![Self::root()]);
        self.place_all(edit)?;
        Ok(Removed { stages, again })
    }

    fn wiiu_programs(&self, model: &WiiUModel) -> Vec<WiiUProgram> {
        (0..model.programs_held()).map_while(|index| self.wiiu_program_of(model, index).cloned()).collect()
    }

    /// Puts programs into the places of an array, of which there may be too few or too many.
    fn set_wiiu_programs(&self, edit: &mut Edit<Object>, model: &WiiUModel, programs: Vec<WiiUProgram>) {
        let [_, _, old] = model.counts;
        let old = usize::from(old);
        let last = self.wiiu_program_place(model, old.saturating_sub(1));
        let new = programs.len();
        for (index, program) in programs.into_iter().enumerate() {
            let object = Object::WiiUProgram(Box::new(program));
            if index < old {
                edit.image.objects.insert(self.wiiu_program_place(model, index).0, object);
            } else {
                edit.insert(last.0, object);
            }
        }
        for index in new..old {
            edit.image.objects.remove(&self.wiiu_program_place(model, index).0);
        }
    }

    /// Names of the stages of a program.
    fn wiiu_ids(&self, model: usize, program: usize) -> Vec<StageId> {
        let names = self.model_names(&self.image.texts());
        let name = names.get(model).cloned().unwrap_or_default();
        let record = self.wiiu_model(model).and_then(|found| self.wiiu_program_of(found, program));
        let shaders = record.into_iter().flat_map(|record| record.shaders.iter().zip(WiiUStage::ALL));
        let there = shaders.filter(|(at, _)| self.wiiu_shader(**at).is_some());
        there.map(|(_, stage)| StageId(format!("{name}/{program}/{}", kind_of(stage)))).collect()
    }
}

/// Refuses other registers where a program says what nobody can read of them.
fn fits(record: &WiiUProgram, old: &WiiUShader, new: &WiiUShader) -> Result<()> {
    let same = old.registers == new.registers && old.mode == new.mode;
    if same || record.gx2_words.iter().all(|word| *word == 0) {
        return Ok(());
    }
    let expected = "a stage with the registers of the one in place: the program's record has ten words on its shaders \
        that nobody can read";
    Err(unfit(expected, "one with others"))
}

/// The structure and the programs of a stage as these files keep them: without tables.
fn ready(stage: WiiUStage, loose: &Detached) -> Result<Ready> {
    let shader = loose.shader().filter(|shader| shader.kind == shader_kind(stage));
    let shader = shader.ok_or_else(|| unfit("a shader with its structure", "code alone"))?;
    let mut made = WiiUShader::new(stage);
    let mut words = (0_u16..).map(|number| shader.word(number));
    for (place, word) in made.registers.iter_mut().zip(&mut words) {
        *place = word;
    }
    // Sizes and places of the programs follow on the registers, then the mode.
    let skipped = if stage == WiiUStage::Geometry { 4 } else { 2 };
    let first = u16::try_from(made.registers.len()).unwrap_or(u16::MAX);
    made.mode = shader.word(first.saturating_add(skipped));
    let [code, copy] = [gx2::edit::Program::Main, gx2::edit::Program::Copy].map(|which| match which {
        gx2::edit::Program::Copy if stage != WiiUStage::Geometry => Vec::new(),
        which => loose.program(which).to_vec(),
    });
    let size = |bytes: &[u8]| u32::try_from(bytes.len()).map_err(|_| unfit("code of 32 bits", "longer code"));
    (made.code_size, made.copy_size) = (size(&code)?, size(&copy)?);
    Ok(Ready { shader: made, code, copy })
}
