//! Built-in variables: made where they are first used, and declared again.

use super::Checker;
use super::layout::Of;
use super::qualifier::{Qualifiers, Word};
use super::scope::Entry;
use crate::builtins::{self, Kind as VariableKind, Meaning, PER_VERTEX, STRUCTURES, VARIABLES};
use crate::errors::{Kind, Problem};
use crate::language::Stage;
use crate::parse::syntax::{Declarator, Name, TypeName};
use crate::place::Span;
use crate::tree::{
    Auxiliary, Block, BlockMember, Id, Interpolation, Layout, MemoryQualifiers, Storage, VariableId,
};
use crate::types::layout::Packing;
use crate::types::{Length, Member, Part, Precision, Struct, Type};

impl Checker<'_> {
    /// The built-in variable of a name; none where the language has none, which is not reported.
    pub(super) fn built_in(&mut self, name: &str, span: Span) -> Option<VariableId> {
        if let Some(id) = self.built_in.get(name) {
            return Some(*id);
        }
        let row = builtins::variable(name, &self.language).ok()?;
        if matches!(row.meaning, Meaning::In | Meaning::Out) {
            let is_output = row.meaning == Meaning::Out;
            let members = self.default_per_vertex(span);
            return Some(self.per_vertex_array(span, &members, is_output, None));
        }
        let ty = self.built_in_type(row.ty)?;
        let storage = match row.kind {
            VariableKind::In => Storage::In,
            VariableKind::Out => Storage::Out,
            VariableKind::Uniform => Storage::Uniform,
            VariableKind::Const => Storage::Global,
        };
        let mut variable = Self::plain_variable(row.name.to_owned(), ty, storage, span);
        variable.meaning = Some(row.meaning);
        variable.is_constant = row.kind == VariableKind::Const;
        if self.is_es() && self.types.has(ty, Part::Float) {
            let is_colour =
                matches!(row.meaning, Meaning::FragColor | Meaning::FragData | Meaning::PointCoord);
            variable.precision = if is_colour { Precision::Medium } else { Precision::High };
        }
        if matches!(row.meaning, Meaning::TessLevelOuter | Meaning::TessLevelInner | Meaning::BoundingBox) {
            variable.auxiliary = Auxiliary::Patch;
        }
        let whole = self.types.has(ty, Part::Integer);
        if whole && self.language.stage == Stage::Fragment && row.kind == VariableKind::In {
            variable.interpolation = Interpolation::Flat;
        }
        let id = self.variables.push(variable);
        self.globals.push(id);
        self.built_in.insert(row.name, id);
        Some(id)
    }

    /// The type of a row: a word, `vec4[32]`, `float[]`, or one of the structures of built-ins.
    fn built_in_type(&mut self, text: &str) -> Option<Type> {
        let (word, size) = match text.split_once('[') {
            Some((word, size)) => (word, Some(size.trim_end_matches(']'))),
            None => (text, None),
        };
        let base = match Type::by_name(word) {
            Some(ty) => ty,
            None => self.built_in_structure(word)?,
        };
        Some(match size {
            None => base,
            Some("") => self.types.array(base, Length::Implicit),
            Some(size) => self.types.array(base, Length::Known(size.parse().ok()?)),
        })
    }

    /// A structure of built-ins, which a text may name as well.
    pub(super) fn built_in_structure(&mut self, name: &str) -> Option<Type> {
        if let Some(ty) = self.built_in_structures.get(name) {
            return Some(*ty);
        }
        let (name, members) = STRUCTURES.iter().find(|(other, _)| *other == name)?;
        let is_high = self.is_es();
        let members = members
            .iter()
            .filter_map(|(name, ty)| {
                let precision = if is_high { Precision::High } else { Precision::Unspecified };
                let ty = Type::by_name(ty)?;
                Some(Member { name: (*name).to_owned(), ty, precision, span: Span::default() })
            })
            .collect();
        let id = self.types.add_struct(Struct {
            name: (*name).to_owned(),
            members,
            span: Span::default(),
            is_block: false,
        });
        self.built_in_structures.insert(name, Type::Struct(id));
        Some(Type::Struct(id))
    }

    /// The members that `gl_PerVertex` has where nobody declares it again.
    fn default_per_vertex(&mut self, span: Span) -> Vec<Member> {
        let compatible = self.language.version.is_compatible() && !self.language.is_vulkan();
        let mut members = Vec::new();
        for (name, ty, meaning, since) in PER_VERTEX {
            let is_old = matches!(
                meaning,
                Meaning::ClipVertex
                    | Meaning::FrontColor
                    | Meaning::BackColor
                    | Meaning::FrontSecondaryColor
                    | Meaning::BackSecondaryColor
                    | Meaning::TexCoord
                    | Meaning::FogFragCoord
            );
            // GLSL ES has the size of points with an extension, which may be enabled later.
            let is_late = *meaning == Meaning::PointSize;
            if !(self.language.has(since) || is_late) || (is_old && !compatible) {
                continue;
            }
            if let Some(ty) = self.built_in_type(ty) {
                let precision = if self.is_es() { Precision::High } else { Precision::Unspecified };
                members.push(Member { name: (*name).to_owned(), ty, precision, span });
            }
        }
        members
    }

    /// `gl_in` or `gl_out` with these members.
    pub(super) fn per_vertex_array(
        &mut self,
        span: Span,
        members: &[Member],
        is_output: bool,
        length: Option<u32>,
    ) -> VariableId {
        let (name, storage, meaning) = match is_output {
            true => ("gl_out", Storage::Out, Meaning::Out),
            false => ("gl_in", Storage::In, Meaning::In),
        };
        if self.built_in.contains_key(name) {
            self.error(Kind::Redeclared, span, format!("`{name}` is declared again behind its first use"));
        }
        let said = members
            .iter()
            .map(|member| BlockMember {
                offset: 0,
                array_stride: 0,
                matrix_stride: 0,
                is_row_major: false,
                layout: Layout::default(),
                interpolation: Interpolation::Unspecified,
                auxiliary: Auxiliary::None,
                is_invariant: false,
                is_precise: false,
                memory: MemoryQualifiers::default(),
                meaning: PER_VERTEX.iter().find(|row| row.0 == member.name).map(|row| row.2),
            })
            .collect();
        let structure = self.types.add_struct(Struct {
            name: "gl_PerVertex".to_owned(),
            members: members.to_vec(),
            span,
            is_block: true,
        });
        let by_stage = self.stage_array_length(is_output);
        let length = length.or(by_stage).map_or(Length::Implicit, Length::Known);
        let ty = self.types.array(Type::Struct(structure), length);
        if let Type::Array(id) = ty {
            self.stage_arrays.push((id, is_output));
        }
        let id = self.next_variable();
        let block = Id::new(self.blocks.len());
        self.blocks.push(Block {
            name: "gl_PerVertex".to_owned(),
            variable: id,
            structure,
            packing: Packing::default(),
            members: said,
            size: 0,
            span,
        });
        let mut variable = Self::plain_variable(name.to_owned(), ty, storage, span);
        variable.meaning = Some(meaning);
        variable.block = Some(block);
        self.variables.push(variable);
        self.globals.push(id);
        self.built_in.insert(name, id);
        id
    }

    /// A built-in variable declared again: `in vec4 gl_FragCoord;`, `out float gl_ClipDistance[4];`.
    pub(super) fn redeclare_built_in(
        &mut self,
        qualifiers: &Qualifiers<'_>,
        base: Type,
        ty_name: &TypeName,
        declarator: &Declarator,
    ) -> Option<()> {
        let name = declarator.name;
        let text = self.text(name.symbol).to_owned();
        let word = qualifiers.word.map(|(word, _)| word);
        let ty = self.arrays_of(base, &ty_name.arrays, &declarator.arrays, ty_name.span)?;
        let row = match builtins::variable(&text, &self.language) {
            Ok(row) => row,
            Err(_) => {
                self.check_name(name);
                return None;
            }
        };
        let is_redeclarable = matches!(
            row.meaning,
            Meaning::FragCoord
                | Meaning::FragDepth
                | Meaning::ClipDistance
                | Meaning::CullDistance
                | Meaning::TexCoord
                | Meaning::SampleMask
                | Meaning::SampleMaskIn
                | Meaning::FrontColor
                | Meaning::BackColor
                | Meaning::FrontSecondaryColor
                | Meaning::BackSecondaryColor
                | Meaning::Color
                | Meaning::SecondaryColor
                | Meaning::FogFragCoord
                | Meaning::LastFragData
                | Meaning::Layer
                | Meaning::ViewportIndex
                | Meaning::FragStencilRef
                | Meaning::Position
                | Meaning::PointSize
                | Meaning::PrimitiveId
        );
        if !is_redeclarable {
            self.error(Kind::Redeclared, name.span, format!("`{text}` cannot be declared again"));
            return None;
        }
        let layout = self.layout_of(qualifiers, Of::Variable(word));
        let storage = if row.kind == VariableKind::In { Word::In } else { Word::Out };
        let fits = match word {
            None => row.meaning == Meaning::TexCoord || row.meaning == Meaning::LastFragData,
            Some(Word::Varying) => true,
            Some(word) => word == storage,
        };
        if !fits {
            let message = format!("`{text}` is `{}` here", storage.text());
            self.error(Kind::Redeclared, name.span, message);
            return None;
        }
        let was_used = self.built_in.contains_key(row.name);
        let id = self.built_in(&text, name.span)?;
        let known = self.variables.get(id)?.ty;
        let is_same = match (known, ty) {
            (Type::Array(a), Type::Array(b)) => {
                let (a, b) = (self.types.get_array(a), self.types.get_array(b));
                self.types.same(a.element, b.element)
            }
            _ => known == ty,
        };
        if !is_same {
            let message = format!("`{text}` is {}, and cannot be {}", self.shown(known), self.shown(ty));
            self.error(Kind::Redeclared, name.span, message);
            return None;
        }
        let is_used = self.variables.get(id).is_some_and(|variable| variable.is_used);
        let was_said = self.variables.get(id).is_some_and(|variable| variable.span != name.span);
        if was_used && is_used && !was_said && matches!(row.meaning, Meaning::FragCoord | Meaning::FragDepth)
        {
            self.error(
                Kind::Redeclared,
                name.span,
                format!("`{text}` is declared again behind its first use"),
            );
        }
        if let (Some(length), Meaning::TexCoord) = (self.types.length(ty), row.meaning)
            && length > 32
        {
            self.error(Kind::Redeclared, name.span, format!("`{text}` has at most 32 elements"));
        }
        if let (Type::Array(array), Some(length)) = (known, self.types.length(ty))
            && let Some(largest) = self.implicit.get(&array.0)
            && *largest >= length
        {
            self.error(Kind::Redeclared, name.span, format!("`{text}` is indexed with {largest} before"));
        }
        self.give_size(id, ty);
        if let Some(variable) = self.variables.get(id) {
            let mut variable = variable.clone();
            variable.layout = layout;
            variable.is_invariant |= qualifiers.is_invariant;
            variable.is_precise |= qualifiers.is_precise;
            if qualifiers.interpolation != Interpolation::Unspecified {
                variable.interpolation = qualifiers.interpolation;
            }
            self.variables[id] = variable;
        }
        Some(())
    }

    /// `invariant a, b;`, `precise a;`, `centroid`...: names that were declared get more qualifiers.
    pub(super) fn requalify(&mut self, qualifiers: &Qualifiers<'_>, names: &[Name]) {
        if qualifiers.is_invariant {
            self.needs_version(120, 100, qualifiers.span, "invariant");
        }
        let nothing = !qualifiers.is_invariant
            && !qualifiers.is_precise
            && qualifiers.interpolation == Interpolation::Unspecified
            && qualifiers.auxiliary == Auxiliary::None
            && qualifiers.memory == MemoryQualifiers::default()
            && qualifiers.layout.is_empty();
        for name in names {
            let text = self.text(name.symbol).to_owned();
            let id = match self.entry(name.symbol) {
                Some(Entry::Variable(id)) => Some(id),
                Some(Entry::Wrong) => continue,
                Some(_) => None,
                None => self.built_in(&text, name.span),
            };
            let Some(id) = id else {
                let problem = Problem::error(
                    Kind::UnknownName,
                    name.span,
                    format!("there is no variable `{text}` here"),
                );
                let problem = problem.help("a type is missing, if a variable is to be declared");
                self.report(problem);
                continue;
            };
            let Some(variable) = self.variables.get(id).cloned() else { continue };
            let mut variable = variable;
            if nothing {
                self.error(Kind::Redeclared, name.span, format!("`{text}` is declared already"));
                continue;
            }
            if qualifiers.is_invariant {
                let is_io = matches!(variable.storage, Storage::Out)
                    || (variable.storage == Storage::In && self.language.stage != Stage::Vertex);
                if !is_io {
                    self.error(
                        Kind::Qualifier,
                        name.span,
                        format!("`{text}` is no output, and cannot be `invariant`"),
                    );
                    continue;
                }
                if !self.scopes.is_global() {
                    self.error(Kind::Qualifier, name.span, "`invariant` stands outside of functions");
                }
                variable.is_invariant = true;
            }
            if variable.is_used
                && (qualifiers.is_invariant || qualifiers.is_precise)
                && variable.meaning.is_none()
            {
                let what = if qualifiers.is_invariant { "invariant" } else { "precise" };
                self.error(
                    Kind::Qualifier,
                    name.span,
                    format!("`{text}` becomes `{what}` behind its first use"),
                );
            }
            variable.is_precise |= qualifiers.is_precise;
            self.variables[id] = variable;
        }
    }

    /// Reports a name that nothing has.
    pub(super) fn unknown_name(&mut self, symbol: crate::lex::Symbol, span: Span) {
        if self.unread.contains(&symbol) && self.problems.has_errors() {
            return;
        }
        let text = self.text(symbol).to_owned();
        let problem = Problem::error(Kind::UnknownName, span, format!("`{text}` is not declared"));
        if let Err(Some(row)) = builtins::variable(&text, &self.language) {
            let why = row.why_not(&self.language);
            self.report(Problem::error(Kind::Version, span, format!("`{text}` is not there: {why}")));
            return;
        }
        if let Some(row) = builtins::CONSTANTS.iter().find(|row| row.name == text) {
            let why = self.language.needs(&row.since);
            self.report(Problem::error(Kind::Version, span, format!("`{text}` is not there: {why}")));
            return;
        }
        if builtins::function(&text).is_some() || self.overloads.contains_key(&symbol) {
            let message = format!("`{text}` is a function");
            self.report(Problem::error(Kind::Type, span, message).help(format!("`{text}(...)` calls it")));
            return;
        }
        let names = self.scopes.all().filter(|(_, entry)| !matches!(entry, Entry::Wrong | Entry::Struct(_)));
        let mut known: Vec<&str> = names.map(|(symbol, _)| self.names.text(symbol)).collect();
        let here = VARIABLES.iter().filter(|row| row.is_in(&self.language));
        known.extend(here.map(|row| row.name));
        let problem = problem.near(&text, known);
        self.report(problem);
    }

    /// What a redeclared `gl_PerVertex` left out cannot be used.
    pub(super) fn is_left_out(&self, name: &str) -> bool {
        let Some(list) = &self.per_vertex else { return false };
        PER_VERTEX.iter().any(|row| row.0 == name) && !list.iter().any(|other| other == name)
    }
}
