//! Declarations: variables, structures, blocks, functions, qualifiers.

use super::syntax::{
    Block, Declaration, Declarator, ItemKind, LayoutItem, Name, Parameter, Prototype, Qualifier,
    QualifierKind, Ref, StructBody, TypeBase, TypeName,
};
use super::{Parsed, Parser};
use crate::errors::{Kind, Problem};
use crate::language::word::{Keyword, Word};
use crate::lex::{Sign, TokenKind};
use crate::place::Span;
use crate::types::{Precision, Type};

impl Parser<'_> {
    /// A declaration outside of functions.
    pub(super) fn item(&mut self) -> Parsed<ItemKind> {
        if self.is(Sign::LeftBracket) && self.peek(1) == TokenKind::Sign(Sign::LeftBracket) {
            self.attributes()?;
        }
        let start = self.token().span;
        if self.is_keyword(Keyword::Precision) {
            let (precision, ty) = self.default_precision()?;
            return Ok(ItemKind::Precision(precision, ty));
        }
        let qualifiers = self.qualifiers()?;
        if !qualifiers.is_empty() {
            if self.take(Sign::Semicolon) {
                return Ok(ItemKind::Qualifiers(qualifiers, Vec::new(), start.to(self.before())));
            }
            // A block, or names whose qualifiers change.
            if self.word(0) == Some(Word::Name) {
                match self.peek(1) {
                    TokenKind::Sign(Sign::LeftBrace) => {
                        return self.block(qualifiers, start).map(ItemKind::Block);
                    }
                    TokenKind::Sign(Sign::Semicolon | Sign::Comma) => {
                        let names = self.name_list()?;
                        return Ok(ItemKind::Qualifiers(qualifiers, names, start.to(self.before())));
                    }
                    _ => {}
                }
            }
        }
        let ty = self.type_name("a declaration")?;
        if self.take(Sign::Semicolon) {
            let span = start.to(self.before());
            return Ok(ItemKind::Declaration(Declaration { qualifiers, ty, declarators: Vec::new(), span }));
        }
        let name = self.name("the name of a variable or function")?;
        if self.is(Sign::LeftParenthesis) {
            let place = self.syntax.wrong.len();
            self.syntax.wrong.push(name);
            let prototype = self.prototype(qualifiers, ty, name, start)?;
            self.syntax.wrong.truncate(place);
            if self.take(Sign::Semicolon) {
                return Ok(ItemKind::Prototype(prototype));
            }
            if self.is(Sign::LeftBracket) && self.peek(1) == TokenKind::Sign(Sign::LeftBracket) {
                self.attributes()?;
            }
            let opened = self.token().span;
            if !self.take(Sign::LeftBrace) {
                return Err(self.unexpected("`{` or `;` behind a function's first line"));
            }
            let (body, end) = self.statements_to_brace(opened)?;
            return Ok(ItemKind::Function(prototype, body, end));
        }
        self.declarators(qualifiers, ty, name, start).map(ItemKind::Declaration)
    }

    fn name_list(&mut self) -> Parsed<Vec<Name>> {
        let mut names = vec![self.name("the name of a variable")?];
        while self.take(Sign::Comma) {
            names.push(self.name("the name of a variable")?);
        }
        self.expect(Sign::Semicolon)?;
        Ok(names)
    }

    /// `precision highp float;`
    pub(super) fn default_precision(&mut self) -> Parsed<(Precision, TypeName)> {
        self.advance();
        let precision = match self.word(0) {
            Some(Word::Keyword(Keyword::Lowp)) => Precision::Low,
            Some(Word::Keyword(Keyword::Mediump)) => Precision::Medium,
            Some(Word::Keyword(Keyword::Highp)) => Precision::High,
            _ => return Err(self.unexpected("`lowp`, `mediump` or `highp`")),
        };
        self.advance();
        let ty = self.type_name("a type")?;
        self.expect(Sign::Semicolon)?;
        Ok((precision, ty))
    }

    /// Names of one type, from behind the first one to the semicolon.
    pub(super) fn declarators(
        &mut self,
        qualifiers: Vec<Qualifier>,
        ty: TypeName,
        mut name: Name,
        start: Span,
    ) -> Parsed<Declaration> {
        let mut declarators = Vec::new();
        loop {
            // Where the rest is wrong, the name is known all the same, and its uses are not reported.
            let place = self.syntax.wrong.len();
            self.syntax.wrong.push(name);
            let (arrays, _) = self.array_sizes()?;
            let initial = match self.take(Sign::Assign) {
                true => Some(self.initializer()?),
                false => None,
            };
            declarators.push(Declarator { name, arrays, initial });
            if !self.take(Sign::Comma) {
                self.semicolon()?;
                self.syntax.wrong.truncate(place.saturating_sub(declarators.len().saturating_sub(1)));
                break;
            }
            name = self.name("the name of a variable")?;
        }
        Ok(Declaration { qualifiers, ty, declarators, span: start.to(self.before()) })
    }

    /// What stands before a type.
    pub(super) fn qualifiers(&mut self) -> Parsed<Vec<Qualifier>> {
        let mut list = Vec::new();
        while let Some(Word::Keyword(keyword)) = self.word(0) {
            let span = self.token().span;
            let kind = match keyword {
                Keyword::Const => QualifierKind::Const,
                Keyword::In => QualifierKind::In,
                Keyword::Out => QualifierKind::Out,
                Keyword::Inout => QualifierKind::InOut,
                Keyword::Attribute => QualifierKind::Attribute,
                Keyword::Varying => QualifierKind::Varying,
                Keyword::Uniform => QualifierKind::Uniform,
                Keyword::Buffer => QualifierKind::Buffer,
                Keyword::Shared => QualifierKind::Shared,
                Keyword::Centroid => QualifierKind::Centroid,
                Keyword::Sample => QualifierKind::Sample,
                Keyword::Patch => QualifierKind::Patch,
                Keyword::Smooth => QualifierKind::Smooth,
                Keyword::Flat => QualifierKind::Flat,
                Keyword::Noperspective => QualifierKind::NoPerspective,
                Keyword::Invariant => QualifierKind::Invariant,
                Keyword::Precise => QualifierKind::Precise,
                Keyword::Nonuniform => QualifierKind::NonUniform,
                Keyword::Coherent => QualifierKind::Coherent,
                Keyword::Volatile => QualifierKind::Volatile,
                Keyword::Restrict => QualifierKind::Restrict,
                Keyword::Readonly => QualifierKind::ReadOnly,
                Keyword::Writeonly => QualifierKind::WriteOnly,
                Keyword::Lowp => QualifierKind::Precision(Precision::Low),
                Keyword::Mediump => QualifierKind::Precision(Precision::Medium),
                Keyword::Highp => QualifierKind::Precision(Precision::High),
                Keyword::Subroutine => {
                    let problem = Problem::error(Kind::Unsupported, span, "subroutines are not read");
                    return Err(
                        self.report(problem.help("call the functions in a `switch` over a uniform instead"))
                    );
                }
                Keyword::Layout => {
                    self.advance();
                    let items = self.layout()?;
                    list.push(Qualifier { kind: QualifierKind::Layout(items), span: span.to(self.before()) });
                    continue;
                }
                _ => break,
            };
            self.advance();
            list.push(Qualifier { kind, span });
        }
        Ok(list)
    }

    fn layout(&mut self) -> Parsed<Vec<LayoutItem>> {
        let opened = self.expect(Sign::LeftParenthesis)?;
        let mut items = Vec::new();
        loop {
            let token = self.token();
            // `shared` is a word of the grammar too.
            let TokenKind::Word(symbol) = token.kind else {
                return Err(self.unexpected("the name of a layout"));
            };
            self.advance();
            let value = match self.take(Sign::Assign) {
                true => Some(self.selected()?),
                false => None,
            };
            items.push(LayoutItem { name: Name { symbol, span: token.span }, value });
            if !self.take(Sign::Comma) {
                break;
            }
        }
        self.close(Sign::RightParenthesis, opened)?;
        Ok(items)
    }

    /// A type with its array sizes.
    pub(super) fn type_name(&mut self, expected: &str) -> Parsed<TypeName> {
        let token = self.token();
        let base = match token.kind {
            TokenKind::Word(symbol) => match self.class(symbol) {
                Word::Type(ty) => {
                    self.advance();
                    TypeBase::Known(ty)
                }
                Word::Keyword(Keyword::Struct) => TypeBase::Struct(Box::new(self.structure()?)),
                Word::Name => {
                    self.advance();
                    TypeBase::Name(symbol)
                }
                _ => return Err(self.unexpected(expected)),
            },
            _ => return Err(self.unexpected(expected)),
        };
        let span = token.span.to(self.before());
        let (arrays, end) = self.array_sizes()?;
        Ok(TypeName { base, arrays, span: span.to(end) })
    }

    /// `[4][]`, and the place of the last bracket.
    pub(super) fn array_sizes(&mut self) -> Parsed<(Vec<Option<Ref>>, Span)> {
        let mut sizes = Vec::new();
        let mut end = self.before();
        while self.is(Sign::LeftBracket) {
            let opened = self.token().span;
            self.advance();
            sizes.push(match self.is(Sign::RightBracket) {
                true => None,
                false => Some(self.expression()?),
            });
            end = self.close(Sign::RightBracket, opened)?;
            if sizes.len() > self.limits.nesting {
                let message = format!("arrays more than {} deep (limit `nesting`)", self.limits.nesting);
                return Err(self.report(Problem::error(Kind::Limit, end, message)));
            }
        }
        Ok((sizes, end))
    }

    fn structure(&mut self) -> Parsed<StructBody> {
        let start = self.token().span;
        self.advance();
        let name = match self.is(Sign::LeftBrace) {
            true => None,
            false => Some(self.name("the name of a structure")?),
        };
        let opened = self.expect(Sign::LeftBrace)?;
        let members = self.members(opened, "a structure")?;
        Ok(StructBody { name, members, span: start.to(self.before()) })
    }

    /// Members up to the closing brace, which is taken.
    fn members(&mut self, opened: Span, of: &str) -> Parsed<Vec<Declaration>> {
        self.enter()?;
        let mut members = Vec::new();
        while !self.is(Sign::RightBrace) {
            if self.is_end() {
                self.close(Sign::RightBrace, opened)?;
            }
            let start = self.token().span;
            let qualifiers = self.qualifiers()?;
            let ty = self.type_name("a member")?;
            let name = self.name("the name of a member")?;
            let member = self.declarators(qualifiers, ty, name, start)?;
            if let Some(value) = member.declarators.iter().find_map(|declarator| declarator.initial) {
                let span = self.span_of(value);
                self.problems.push(Problem::error(Kind::Syntax, span, "members have no initial values"));
            }
            members.push(member);
        }
        self.advance();
        self.leave();
        if members.is_empty() {
            let message = format!("{of} without members");
            self.problems.push(Problem::error(Kind::Syntax, opened.to(self.before()), message));
        }
        Ok(members)
    }

    fn block(&mut self, qualifiers: Vec<Qualifier>, start: Span) -> Parsed<Block> {
        let name = self.name("the name of a block")?;
        let opened = self.expect(Sign::LeftBrace)?;
        let members = self.members(opened, "a block")?;
        let instance = match self.is(Sign::Semicolon) {
            true => None,
            false => {
                let name = self.name("`;` or the name of the block's instance")?;
                Some((name, self.array_sizes()?.0))
            }
        };
        self.expect(Sign::Semicolon)?;
        Ok(Block { qualifiers, name, members, instance, span: start.to(self.before()) })
    }

    /// A function's first line from its parameters on.
    pub(super) fn prototype(
        &mut self,
        qualifiers: Vec<Qualifier>,
        result: TypeName,
        name: Name,
        start: Span,
    ) -> Parsed<Prototype> {
        let opened = self.expect(Sign::LeftParenthesis)?;
        let mut parameters = Vec::new();
        let is_void = self.word(0) == Some(Word::Type(Type::Void))
            && self.peek(1) == TokenKind::Sign(Sign::RightParenthesis);
        if is_void {
            self.advance();
        } else if !self.is(Sign::RightParenthesis) {
            loop {
                let start = self.token().span;
                let qualifiers = self.qualifiers()?;
                let ty = self.type_name("a parameter")?;
                let name = match self.peek(0) {
                    TokenKind::Sign(Sign::Comma | Sign::RightParenthesis | Sign::LeftBracket) => None,
                    _ => Some(self.name("the name of a parameter")?),
                };
                let (arrays, _) = self.array_sizes()?;
                if self.is(Sign::Assign) {
                    let span = self.token().span;
                    let problem = Problem::error(Kind::Syntax, span, "parameters have no default values");
                    return Err(
                        self.report(problem.help("write a second function of the same name without it"))
                    );
                }
                let span = start.to(self.before());
                parameters.push(Parameter { qualifiers, ty, name, arrays, span });
                if !self.take(Sign::Comma) {
                    break;
                }
            }
        }
        self.close(Sign::RightParenthesis, opened)?;
        Ok(Prototype { qualifiers, result, name, parameters, span: start.to(self.before()) })
    }
}
