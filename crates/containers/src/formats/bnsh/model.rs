//! A BNSH: its structures, each at its place, and the ways through them.

use super::raw::{
    CodeType, Container, Decomposed, Extension, Header, MemoryPool, Program, Reflection, SourceArray,
    SourceCode, StageCode, StageReflection, TextTable, Variation,
};
use crate::formats::nvn::Group;
use crate::formats::switch::{Dictionary, Image, Pointer, Relocation, StringPool, Texts};
use crate::shared::{Name, Opaque};

/// Shaders of the Switch, compiled (`BNSH`).
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Bnsh {
    /// The file up to the end that its header says.
    pub image: Image<Object>,
    /// What follows on it.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Opaque::is_empty"))]
    pub trailing: Opaque,
}

/// What bytes without fields are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Role {
    /// What the driver reads of a stage.
    Control,
    /// A part of a control section.
    Part,
    /// What the GPU reads of a stage.
    Code,
    /// Source text.
    Source,
    /// Room for the object that a console makes of a program.
    ProgramObject,
    /// Room for the object that a console makes of the memory pool.
    PoolObject,
}

impl Role {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Control => "control",
            Self::Part => "part",
            Self::Code => "code",
            Self::Source => "source",
            Self::ProgramObject => "program_object",
            Self::PoolObject => "pool_object",
        }
    }
}

/// A structure of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Object {
    /// File header.
    Header(Box<Header>),
    /// The block `grsc`.
    Container(Box<Container>),
    /// A shader.
    Variation(Box<Variation>),
    /// A program.
    Program(Box<Program>),
    /// A stage in machine code.
    StageCode(Box<StageCode>),
    /// A control section in parts.
    Decomposed(Box<Decomposed>),
    /// A stage as text.
    SourceCode(SourceCode),
    /// A stage as several texts.
    SourceArray(Box<SourceArray>),
    /// Sizes of several texts.
    Sizes(Vec<u32>),
    /// Pointers to several texts.
    TextTable(Box<TextTable>),
    /// Reflection of the stages.
    Reflection(Box<Reflection>),
    /// Reflection of a stage.
    StageReflection(Box<StageReflection>),
    /// More reflection of a stage.
    Extension(Box<Extension>),
    /// Names.
    Dictionary(Dictionary),
    /// Slots of names, -1 for none.
    Slots(Vec<i32>),
    /// The memory that code lies in.
    Pool(Box<MemoryPool>),
    /// The strings.
    Strings(StringPool),
    /// A string outside of the pool.
    Text(Name),
    /// Which words are pointers.
    Relocation(Relocation),
    /// Bytes without fields.
    Blob(Role, Opaque),
    /// A record whose fields are not known.
    Raw(Opaque),
    /// Bytes that nothing leads to.
    Unknown(Opaque),
}

/// The three programs that a variation may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Language {
    /// As source.
    Source,
    /// In an intermediate language.
    Intermediate,
    /// As machine code.
    Binary,
}

impl Language {
    /// All of them, in the order of the record.
    pub const ALL: [Self; 3] = [Self::Source, Self::Intermediate, Self::Binary];

    /// `source`, `intermediate` or `binary`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Source => "source",
            Self::Intermediate => "intermediate",
            Self::Binary => "binary",
        }
    }
}

/// A name of a stage with its slot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slot {
    /// The name as it is shown.
    pub name: String,
    /// Where it is bound; -1: nowhere. `None` where the file has no slot for it.
    pub slot: Option<i32>,
}

macro_rules! getters {
    ($($name:ident: $variant:ident -> $ty:ty, $what:literal;)*) => {
        $(
            #[doc = concat!("The ", $what, " at a place.")]
            pub fn $name(&self, at: Pointer) -> Option<&$ty> {
                match self.image.get(at)? {
                    Object::$variant(found) => Some(found),
                    _ => None,
                }
            }
        )*
    };
}

impl Bnsh {
    getters! {
        variation_at: Variation -> Variation, "variation";
        program: Program -> Program, "program";
        stage_code: StageCode -> StageCode, "stage in machine code";
        decomposed: Decomposed -> Decomposed, "control section in parts";
        source_code: SourceCode -> SourceCode, "stage as text";
        source_array: SourceArray -> SourceArray, "stage as several texts";
        sizes: Sizes -> Vec<u32>, "list of sizes";
        text_table: TextTable -> TextTable, "list of texts";
        reflection: Reflection -> Reflection, "reflection of a program";
        stage_reflection: StageReflection -> StageReflection, "reflection of a stage";
        extension: Extension -> Extension, "extension of a reflection";
        dictionary: Dictionary -> Dictionary, "dictionary";
        slots: Slots -> Vec<i32>, "list of slots";
        pool_at: Pool -> MemoryPool, "memory pool";
    }

    /// The file header.
    pub fn header(&self) -> Option<&Header> {
        match self.image.objects.get(&0)? {
            Object::Header(header) => Some(header),
            _ => None,
        }
    }

    /// The block `grsc` with its place.
    pub fn container(&self) -> Option<(u64, &Container)> {
        let at = u64::from(self.header()?.file.first_block);
        match self.image.objects.get(&at)? {
            Object::Container(container) => Some((at, container)),
            _ => None,
        }
    }

    /// The memory that code lies in.
    pub fn pool(&self) -> Option<&MemoryPool> {
        self.pool_at(self.container()?.1.pool)
    }

    /// How many variations there are; none where their place is missing, whatever the file says.
    pub fn variation_count(&self) -> u32 {
        self.container().map_or(0, |(_, container)| container.variations_held())
    }

    /// The place of a variation.
    pub fn variation_place(&self, index: u32) -> Option<u64> {
        let (_, container) = self.container()?;
        let offset = u64::from(index).checked_mul(super::raw::VARIATION_LEN)?;
        (index < container.variations_held()).then(|| container.variations.0.saturating_add(offset))
    }

    /// A variation.
    pub fn variation(&self, index: u32) -> Option<&Variation> {
        self.variation_at(Pointer(self.variation_place(index)?))
    }

    /// The variations in order.
    pub fn variations(&self) -> impl Iterator<Item = &Variation> {
        (0..self.variation_count()).map_while(|index| self.variation(index))
    }

    /// The bytes at a place, `size` of them.
    pub fn blob(&self, at: Pointer, size: u64) -> Option<&[u8]> {
        match self.image.get(at)? {
            Object::Blob(_, bytes) => bytes.get(..usize::try_from(size).ok()?),
            _ => None,
        }
    }

    /// The control section of a stage; of one in parts, the whole that a console puts together.
    pub fn control(&self, stage: &StageCode) -> Vec<u8> {
        let stored = self.blob(stage.control, stage.control_size.into()).unwrap_or_default();
        match self.decomposed(stage.decomposed) {
            Some(parts) => self.compose(parts, stored),
            None => stored.to_vec(),
        }
    }

    /// Puts a control section together as the console's library does: the metadata from its start, then each
    /// part at the place that the metadata gives it.
    fn compose(&self, decomposed: &Decomposed, stored: &[u8]) -> Vec<u8> {
        let mut whole = stored.to_vec();
        let parts = decomposed.sizes(&self.image);
        let metadata = parts.iter().find(|(index, ..)| *index == 0);
        let metadata = metadata.and_then(|(_, at, size)| self.blob(*at, *size)).unwrap_or_default();
        let place = |offset: usize| crate::formats::nvn::Control(metadata).word(offset).unwrap_or(0) as usize;
        let starts = [0, place(0x14), place(0x6F0), place(0x7C8), place(0x20), place(0x7E8)];
        for (index, at, size) in parts {
            let bytes = self.blob(at, size).unwrap_or_default();
            let start = starts.get(index).copied().unwrap_or(0);
            let range = start..start.saturating_add(bytes.len());
            if let Some(room) = whole.get_mut(range) {
                room.copy_from_slice(bytes);
            }
        }
        whole
    }

    /// The code section of a stage.
    pub fn code(&self, stage: &StageCode) -> &[u8] {
        self.blob(stage.code, stage.code_size.into()).unwrap_or_default()
    }

    /// How many stages are kept as source text.
    pub fn source_stages(&self) -> usize {
        let programs = self.image.objects.values().filter_map(|object| match object {
            Object::Program(program) => Some(program),
            _ => None,
        });
        let of_text = programs.filter(|program| {
            let code = CodeType::from_number(program.code_type);
            matches!(code, Some(CodeType::Source | CodeType::SourceArray))
        });
        of_text.map(|program| program.stages.iter().filter(|at| !at.is_null()).count()).sum()
    }

    /// The texts of a stage of a program of source, in order.
    pub fn sources(&self, program: &Program, stage: usize) -> Vec<&[u8]> {
        let Some(&at) = program.stages.get(stage) else { return Vec::new() };
        match CodeType::from_number(program.code_type) {
            Some(CodeType::Source) => match self.source_code(at) {
                Some(SourceCode::Short { size, code, .. }) => {
                    self.blob(*code, u64::from(*size)).into_iter().collect()
                }
                Some(SourceCode::Long(record)) => {
                    let control = self.blob(record.control, record.control_size.into());
                    control.into_iter().chain(self.blob(record.code, record.code_size.into())).collect()
                }
                None => Vec::new(),
            },
            Some(CodeType::SourceArray) => {
                let Some(record) = self.source_array(at) else { return Vec::new() };
                let sizes = self.sizes(record.sizes).map(Vec::as_slice).unwrap_or_default();
                let codes = self.text_table(record.codes).map(|table| &*table.texts).unwrap_or_default();
                let texts = sizes.iter().zip(codes);
                texts.map(|(size, at)| self.blob(*at, u64::from(*size)).unwrap_or_default()).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The names of a group of a stage with their slots.
    pub fn group(&self, stage: &StageReflection, group: Group, texts: &Texts<'_>) -> Vec<Slot> {
        let extension = self.extension(stage.extension);
        let groups = stage.groups().into_iter().chain(extension.into_iter().flat_map(Extension::groups));
        let Some((_, dictionary, first)) = groups.into_iter().find(|(known, ..)| *known == group) else {
            return Vec::new();
        };
        let Some(dictionary) = self.dictionary(dictionary) else { return Vec::new() };
        let slots = self.slots(stage.slots).map(Vec::as_slice).unwrap_or_default();
        let slot = |index: usize| {
            let index = usize::try_from(first).ok()?.checked_add(index)?;
            slots.get(index).copied()
        };
        let names = dictionary.keys().enumerate();
        names.map(|(index, key)| Slot { name: texts.show(key), slot: slot(index) }).collect()
    }

    /// The name of the file, as its header says.
    pub fn name(&self, texts: &Texts<'_>) -> String {
        let at = self.header().map_or(0, |header| header.file.name.0);
        texts.show(Pointer(at.saturating_sub(2)))
    }
}

impl Variation {
    /// The program in one of the three languages.
    pub fn program(&self, language: Language) -> Pointer {
        match language {
            Language::Source => self.source,
            Language::Intermediate => self.intermediate,
            Language::Binary => self.binary,
        }
    }
}
