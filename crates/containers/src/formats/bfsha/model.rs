//! A BFSHA: its structures, each at its place, and the ways through them.

use super::raw::{
    Archive, Attribute, Block, Header, Model, OptionRecord, Program, Resource, Sampler, SymbolInfo, Variable,
};
use super::wiiu::{
    WiiUAttribute, WiiUBlock, WiiUHeader, WiiUModel, WiiUOption, WiiUProgram, WiiUSampler, WiiUShader,
    WiiUVariable,
};
use crate::formats::bnsh::Bnsh;
use crate::formats::switch::{Dictionary, Image, Pointer, Relocation, StringPool, Texts};
use crate::shared::{Name, Opaque};

/// An archive of shading models (`FSHA`).
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Bfsha {
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
    /// Default values of a block.
    Defaults,
    /// Code of a Wii U program.
    Code,
}

/// A structure of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Object {
    /// File header.
    Header(Box<Header>),
    /// The archive.
    Archive(Box<Archive>),
    /// A shading model.
    Model(Box<Model>),
    /// An option.
    Option(Box<OptionRecord>),
    /// Numbers of the choices of an option.
    Values(Vec<u32>),
    /// Vertex attributes.
    Attributes(Vec<Attribute>),
    /// A sampler or an image.
    Sampler(Sampler),
    /// A uniform or storage block.
    Block(Box<Block>),
    /// A variable of a block.
    Variable(Variable),
    /// A program.
    Program(Box<Program>),
    /// What each program was compiled for.
    Keys(Vec<u32>),
    /// Where names in the shaders are.
    SymbolInfo(Box<SymbolInfo>),
    /// Names in the shaders, one for each stage of each resource.
    Symbols(Vec<Pointer>),
    /// Where resources are bound, in each stage; -1: not used.
    Locations(Vec<i32>),
    /// Names.
    Dictionary(Dictionary),
    /// The strings.
    Strings(StringPool),
    /// A string outside of the pool.
    Text(Name),
    /// Which words are pointers.
    Relocation(Relocation),
    /// Shaders.
    Bnsh(Box<Bnsh>),
    /// Bytes without fields.
    Blob(Role, Opaque),
    /// A record whose fields are not known.
    Raw(Opaque),
    /// Bytes that nothing leads to.
    Unknown(Opaque),
    /// File header of the Wii U.
    WiiUHeader(Box<WiiUHeader>),
    /// A shading model of the Wii U.
    WiiUModel(Box<WiiUModel>),
    /// An option of the Wii U.
    WiiUOption(Box<WiiUOption>),
    /// Vertex attributes of the Wii U.
    WiiUAttributes(Vec<WiiUAttribute>),
    /// A sampler of the Wii U.
    WiiUSampler(WiiUSampler),
    /// A uniform block of the Wii U.
    WiiUBlock(Box<WiiUBlock>),
    /// A variable of the Wii U.
    WiiUVariable(Box<WiiUVariable>),
    /// A program of the Wii U.
    WiiUProgram(Box<WiiUProgram>),
    /// Where resources are bound on the Wii U, in each stage; -1: not used.
    WiiULocations(Vec<i8>),
    /// A GX2 structure.
    WiiUShader(Box<WiiUShader>),
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

impl Bfsha {
    getters! {
        model_at: Model -> Model, "shading model";
        option_at: Option -> OptionRecord, "option";
        values: Values -> Vec<u32>, "list of choice numbers";
        attributes: Attributes -> Vec<Attribute>, "list of attributes";
        sampler: Sampler -> Sampler, "sampler";
        block: Block -> Block, "block";
        variable: Variable -> Variable, "variable";
        program_at: Program -> Program, "program";
        keys: Keys -> Vec<u32>, "table of keys";
        symbol_info: SymbolInfo -> SymbolInfo, "record of symbols";
        symbols: Symbols -> Vec<Pointer>, "list of symbols";
        locations: Locations -> Vec<i32>, "table of locations";
        dictionary: Dictionary -> Dictionary, "dictionary";
        bnsh: Bnsh -> Bnsh, "BNSH";
        wiiu_model_at: WiiUModel -> WiiUModel, "Wii U shading model";
        wiiu_option: WiiUOption -> WiiUOption, "Wii U option";
        wiiu_attributes: WiiUAttributes -> Vec<WiiUAttribute>, "list of Wii U attributes";
        wiiu_sampler: WiiUSampler -> WiiUSampler, "Wii U sampler";
        wiiu_block: WiiUBlock -> WiiUBlock, "Wii U block";
        wiiu_variable: WiiUVariable -> WiiUVariable, "Wii U variable";
        wiiu_program: WiiUProgram -> WiiUProgram, "Wii U program";
        wiiu_locations: WiiULocations -> Vec<i8>, "Wii U table of locations";
        wiiu_shader: WiiUShader -> WiiUShader, "GX2 structure";
    }

    /// A table of locations of the Wii U, as it is stored.
    pub(super) fn wiiu_table(&self, at: Pointer) -> Option<&Object> {
        let found = self.image.get(at)?;
        matches!(found, Object::WiiULocations(_) | Object::Locations(_)).then_some(found)
    }

    /// The locations in a table of the Wii U.
    pub fn wiiu_slots(&self, at: Pointer) -> Vec<i32> {
        match self.wiiu_table(at) {
            Some(Object::WiiULocations(bytes)) => bytes.iter().map(|slot| i32::from(*slot)).collect(),
            Some(Object::Locations(words)) => words.clone(),
            _ => Vec::new(),
        }
    }

    /// Whether it is of the Wii U.
    pub fn is_wiiu(&self) -> bool {
        self.image.form.relative
    }

    /// The file header, of the Switch.
    pub fn header(&self) -> Option<&Header> {
        match self.image.objects.get(&0)? {
            Object::Header(header) => Some(header),
            _ => None,
        }
    }

    /// The file header, of the Wii U.
    pub fn wiiu_header(&self) -> Option<&WiiUHeader> {
        match self.image.objects.get(&0)? {
            Object::WiiUHeader(header) => Some(header),
            _ => None,
        }
    }

    /// The archive, of the Switch.
    pub fn archive(&self) -> Option<&Archive> {
        match self.image.get(self.header()?.archive)? {
            Object::Archive(archive) => Some(archive),
            _ => None,
        }
    }

    /// How many shading models there are.
    pub fn model_count(&self) -> usize {
        match self.wiiu_header() {
            Some(header) => header.model_count.into(),
            None => self.archive().map_or(0, |archive| archive.model_count.into()),
        }
    }

    /// The place of a shading model.
    pub fn model_place(&self, index: usize) -> Option<Pointer> {
        if index >= self.model_count() {
            return None;
        }
        if let Some(header) = self.wiiu_header() {
            let node = self.dictionary(header.models)?.nodes.get(index.checked_add(1)?)?;
            return Some(node.value);
        }
        let offset = (index as u64).saturating_mul(Model::len(self.image.form));
        Some(Pointer(self.archive()?.models.0.saturating_add(offset)))
    }

    /// A shading model of the Switch.
    pub fn model(&self, index: usize) -> Option<&Model> {
        self.model_at(self.model_place(index)?)
    }

    /// A shading model of the Wii U.
    pub fn wiiu_model(&self, index: usize) -> Option<&WiiUModel> {
        self.wiiu_model_at(self.model_place(index)?)
    }

    /// Names of the shading models.
    pub fn model_names(&self, texts: &Texts<'_>) -> Vec<String> {
        let name = |index: usize| {
            let at = match self.wiiu_model(index) {
                Some(model) => model.name,
                None => self.model(index)?.name,
            };
            Some(texts.show(at))
        };
        (0..self.model_count()).map(|index| name(index).unwrap_or_default()).collect()
    }

    /// The place of a program of a model of the Switch.
    pub fn program_place(&self, model: &Model, index: usize) -> Option<Pointer> {
        let offset = (index as u64).checked_mul(Program::len(self.image.form))?;
        (index < model.programs_held()).then(|| Pointer(model.programs.0.saturating_add(offset)))
    }

    /// A program of a model of the Switch.
    pub fn program(&self, model: &Model, index: usize) -> Option<&Program> {
        self.program_at(self.program_place(model, index)?)
    }

    /// A program of a model of the Wii U.
    pub fn wiiu_program_of(&self, model: &WiiUModel, index: usize) -> Option<&WiiUProgram> {
        let offset = (index as u64).checked_mul(super::wiiu::PROGRAM_LEN)?;
        let at = Pointer(model.programs.0.saturating_add(offset));
        (index < model.programs_held()).then(|| self.wiiu_program(at)).flatten()
    }

    /// Index of the variation of a model's BNSH that a program points at.
    pub fn variation_of(&self, model: &Model, program: &Program) -> Option<u32> {
        let (_, container) = self.bnsh(model.bnsh)?.container()?;
        let offset = program.variation.0.checked_sub(model.bnsh.0)?.checked_sub(container.variations.0)?;
        let index = u32::try_from(offset / crate::formats::bnsh::raw::VARIATION_LEN).ok()?;
        let whole = offset.checked_rem(crate::formats::bnsh::raw::VARIATION_LEN) == Some(0);
        (whole && index < container.variations_held()).then_some(index)
    }

    /// Names of a resource of a model of the Switch.
    pub fn resource_names(&self, model: &Model, resource: Resource, texts: &Texts<'_>) -> Vec<String> {
        let [_, dictionary] = model.resource(resource);
        self.dictionary(dictionary).map(|dictionary| dictionary.names(texts)).unwrap_or_default()
    }

    /// The blocks of a kind of a model of the Switch.
    pub fn blocks(&self, model: &Model, resource: Resource) -> Vec<&Block> {
        let [array, _] = model.resource(resource);
        let place = |index: u64| Pointer(array.0.saturating_add(index.saturating_mul(super::raw::BLOCK_LEN)));
        (0..u64::from(model.resource_count(resource))).filter_map(|index| self.block(place(index))).collect()
    }

    /// Where a program of the Switch binds a resource, a row for each entry and a column for each stage.
    pub fn table(&self, program: &Program, resource: Resource) -> &[i32] {
        let at = program.tables.get(resource.index()).copied().unwrap_or_default();
        self.locations(at).map(Vec::as_slice).unwrap_or_default()
    }

    /// Names of a resource in the shaders of a model of the Switch, in the shape of [`Bfsha::table`].
    pub fn symbol_table(&self, model: &Model, resource: Resource) -> &[Pointer] {
        let info = self.symbol_info(model.symbols);
        let at = info.and_then(|info| info.tables.get(resource.index())).copied().unwrap_or_default();
        self.symbols(at).map(Vec::as_slice).unwrap_or_default()
    }

    /// The name of the archive.
    pub fn name(&self, texts: &Texts<'_>) -> String {
        match (self.wiiu_header(), self.archive()) {
            (Some(header), _) => texts.show(header.name),
            (None, Some(archive)) => texts.show(archive.name),
            (None, None) => String::new(),
        }
    }
}
