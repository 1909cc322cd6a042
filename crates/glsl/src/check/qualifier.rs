//! Qualifiers: which go together, and where each may stand.

use super::Checker;
use crate::errors::{Kind, Problem};
use crate::language::{Stage, since_or};
use crate::parse::syntax::{LayoutItem, Qualifier, QualifierKind};
use crate::place::Span;
use crate::tree::{Auxiliary, Interpolation, MemoryQualifiers};
use crate::types::Precision;

/// The word that says where a variable lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Word {
    In,
    Out,
    InOut,
    Attribute,
    Varying,
    Uniform,
    Buffer,
    Shared,
}

impl Word {
    pub fn text(self) -> &'static str {
        match self {
            Self::In => "in",
            Self::Out => "out",
            Self::InOut => "inout",
            Self::Attribute => "attribute",
            Self::Varying => "varying",
            Self::Uniform => "uniform",
            Self::Buffer => "buffer",
            Self::Shared => "shared",
        }
    }
}

/// All qualifiers of a declaration.
#[derive(Debug, Default)]
pub(super) struct Qualifiers<'s> {
    pub word: Option<(Word, Span)>,
    pub is_const: Option<Span>,
    pub precision: Precision,
    pub interpolation: Interpolation,
    pub auxiliary: Auxiliary,
    pub is_invariant: bool,
    pub is_precise: bool,
    pub memory: MemoryQualifiers,
    /// Where the first of `coherent` and the like stands.
    pub memory_span: Option<Span>,
    /// Where the first of `flat`, `centroid` and the like stands.
    pub interpolation_span: Option<Span>,
    pub layout: Vec<&'s LayoutItem>,
    /// All of them.
    pub span: Span,
}

impl Checker<'_> {
    /// Qualifiers of a declaration, each at most once.
    pub(super) fn qualifiers<'s>(&mut self, list: &'s [Qualifier]) -> Qualifiers<'s> {
        let mut all = Qualifiers::default();
        if let (Some(first), Some(last)) = (list.first(), list.last()) {
            all.span = first.span.to(last.span);
        }
        let any_order = self.language.has(&since_or(420, 310, &["GL_ARB_shading_language_420pack"]));
        for qualifier in list {
            let span = qualifier.span;
            let word = match &qualifier.kind {
                QualifierKind::In => Some(Word::In),
                QualifierKind::Out => Some(Word::Out),
                QualifierKind::InOut => Some(Word::InOut),
                QualifierKind::Attribute => Some(Word::Attribute),
                QualifierKind::Varying => Some(Word::Varying),
                QualifierKind::Uniform => Some(Word::Uniform),
                QualifierKind::Buffer => Some(Word::Buffer),
                QualifierKind::Shared => Some(Word::Shared),
                _ => None,
            };
            if let Some(word) = word {
                match all.word {
                    // `in out` is one of the ways to say `inout` of old versions.
                    Some((Word::In, _)) if word == Word::Out && !self.is_es() => {
                        all.word = Some((Word::InOut, span))
                    }
                    Some((Word::Out, _)) if word == Word::In && !self.is_es() => {
                        all.word = Some((Word::InOut, span))
                    }
                    Some((other, first)) => {
                        let message = format!("`{}` beside `{}`", word.text(), other.text());
                        self.report(
                            Problem::error(Kind::Qualifier, span, message)
                                .note(Some(first), "one of the two must go; the first is here"),
                        );
                    }
                    None => all.word = Some((word, span)),
                }
                continue;
            }
            let mut twice = None;
            match &qualifier.kind {
                QualifierKind::Const => twice = all.is_const.replace(span).map(|_| "const"),
                QualifierKind::Precision(precision) => {
                    if all.precision != Precision::Unspecified {
                        twice = Some("precision");
                    }
                    all.precision = *precision;
                }
                QualifierKind::Smooth | QualifierKind::Flat | QualifierKind::NoPerspective => {
                    if all.interpolation != Interpolation::Unspecified {
                        twice = Some("interpolation");
                    }
                    all.interpolation_span.get_or_insert(span);
                    all.interpolation = match qualifier.kind {
                        QualifierKind::Smooth => Interpolation::Smooth,
                        QualifierKind::Flat => Interpolation::Flat,
                        _ => Interpolation::NoPerspective,
                    };
                }
                QualifierKind::Centroid | QualifierKind::Sample | QualifierKind::Patch => {
                    if all.auxiliary != Auxiliary::None {
                        twice = Some("`centroid`, `sample` or `patch`");
                    }
                    all.interpolation_span.get_or_insert(span);
                    all.auxiliary = match qualifier.kind {
                        QualifierKind::Centroid => Auxiliary::Centroid,
                        QualifierKind::Sample => Auxiliary::Sample,
                        _ => Auxiliary::Patch,
                    };
                }
                QualifierKind::Invariant => {
                    twice = std::mem::replace(&mut all.is_invariant, true).then_some("invariant");
                }
                QualifierKind::Precise => all.is_precise = true,
                QualifierKind::Coherent => all.memory.coherent = true,
                QualifierKind::Volatile => {
                    all.memory.is_volatile = true;
                    all.memory.coherent = true;
                }
                QualifierKind::Restrict => all.memory.is_restrict = true,
                QualifierKind::ReadOnly => all.memory.is_readonly = true,
                QualifierKind::WriteOnly => all.memory.is_writeonly = true,
                QualifierKind::Layout(items) => {
                    if !all.layout.is_empty() {
                        let since = since_or(420, 310, &["GL_ARB_shading_language_420pack"]);
                        self.need(&since, span, "several layouts of one declaration");
                    }
                    all.layout.extend(items);
                }
                _ => {}
            }
            if matches!(
                qualifier.kind,
                QualifierKind::Coherent
                    | QualifierKind::Volatile
                    | QualifierKind::Restrict
                    | QualifierKind::ReadOnly
                    | QualifierKind::WriteOnly
            ) {
                all.memory_span.get_or_insert(span);
            }
            if let Some(what) = twice {
                self.error(Kind::Qualifier, span, format!("{what} is said twice"));
            }
        }
        if !any_order {
            self.check_order(list);
        }
        all
    }

    /// Old versions ask for an order: invariant, interpolation, storage, precision.
    fn check_order(&mut self, list: &[Qualifier]) {
        let rank = |kind: &QualifierKind| match kind {
            QualifierKind::Invariant => 0,
            QualifierKind::Smooth | QualifierKind::Flat | QualifierKind::NoPerspective => 1,
            QualifierKind::Layout(_)
            | QualifierKind::Precise
            | QualifierKind::Coherent
            | QualifierKind::Volatile
            | QualifierKind::Restrict
            | QualifierKind::ReadOnly
            | QualifierKind::WriteOnly => 7,
            QualifierKind::Precision(_) => 4,
            _ => 2,
        };
        let mut last = 0;
        for qualifier in list {
            let rank = rank(&qualifier.kind);
            if rank == 7 {
                continue;
            }
            if rank < last {
                let message = format!(
                    "{} has qualifiers in an order, and this one stands too late",
                    self.language.version
                );
                let problem = Problem::error(Kind::Qualifier, qualifier.span, message);
                self.report(problem.help("`invariant`, then interpolation, then storage, then precision"));
                return;
            }
            last = rank;
        }
    }

    /// Whether what a global declaration says of storage is there in this version and stage.
    pub(super) fn check_storage(&mut self, word: Word, span: Span) -> bool {
        let stage = self.language.stage;
        let version = self.language.version;
        let wrong = |this: &mut Self, message: String, help: &str| {
            this.report(Problem::error(Kind::Qualifier, span, message).help(help));
            false
        };
        match word {
            Word::Attribute | Word::Varying => {
                let text = word.text();
                let is_out = match version.is_es() {
                    true => version.number >= 300,
                    false => version.number >= 420 && !version.is_compatible(),
                };
                if is_out {
                    return wrong(
                        self,
                        format!("{version} has no `{text}` any more"),
                        "`in` and `out` say the same",
                    );
                }
                if word == Word::Attribute && stage != Stage::Vertex {
                    return wrong(
                        self,
                        format!("`attribute` is of vertex shaders, and this is a {stage} shader"),
                        "",
                    );
                }
                if !matches!(stage, Stage::Vertex | Stage::Fragment) {
                    return wrong(
                        self,
                        format!("`{text}` in a {stage} shader"),
                        "`in` and `out` say the same",
                    );
                }
                true
            }
            Word::In | Word::Out => {
                let since = since_or(130, 300, &[]);
                let geometry = stage == Stage::Geometry;
                if !geometry && !self.language.has(&since) {
                    let old =
                        if stage == Stage::Vertex && word == Word::In { "attribute" } else { "varying" };
                    let message = format!("{version} has no `{}` outside of functions", word.text());
                    return wrong(self, message, &format!("`{old}` says it in this version"));
                }
                if stage == Stage::Compute {
                    return wrong(self, format!("a compute shader has no `{}` of its own", word.text()), "");
                }
                true
            }
            Word::InOut => {
                let fetch = self.language.is_enabled("GL_EXT_shader_framebuffer_fetch");
                match fetch && stage == Stage::Fragment {
                    true => true,
                    false => wrong(self, "`inout` is of parameters".to_owned(), "`in` or `out`"),
                }
            }
            Word::Uniform => true,
            Word::Buffer => true,
            Word::Shared => match stage {
                Stage::Compute => true,
                _ => wrong(self, format!("`shared` is of compute shaders, and this is a {stage} shader"), ""),
            },
        }
    }
}
