//! The text of every form, in the language of [`super::template`].
//!
//! Forms that differ by the kind of a source share one text. In it `{d}` is the destination that may write the
//! condition codes, `{D}` one that may not, `{a}` the first source, `{c}` the third one; the second is `{b}`, `{bu}`
//! (unsigned as immediate), `{bf}` and `{bd}` (a float, a double as immediate).

mod convert;
mod float;
mod flow;
mod half;
mod integer;
mod logic;
mod memory;
mod surface;
mod system;
mod texture;
mod video;

use super::Form;
use super::template::Template;
use std::sync::LazyLock;

/// The text of forms that differ by the kind of a source: register, constant, immediate, and constant as third
/// source.
struct Row {
    forms: [Option<Form>; 4],
    text: &'static str,
}

/// One form.
const fn one(form: Form, text: &'static str) -> Row {
    Row { forms: [Some(form), None, None, None], text }
}

/// Register, constant, immediate.
const fn two(forms: [Form; 3], text: &'static str) -> Row {
    Row { forms: [Some(forms[0]), Some(forms[1]), Some(forms[2]), None], text }
}

/// Register, constant, immediate, and constant as third source.
const fn three(forms: [Form; 4], text: &'static str) -> Row {
    Row { forms: [Some(forms[0]), Some(forms[1]), Some(forms[2]), Some(forms[3])], text }
}

/// The bits of the guard.
const GUARD: u64 = 15 << 16;

/// The text of a form.
#[inline]
pub(super) fn template(form: Form) -> Option<&'static Template> {
    TEMPLATES.get(form as usize)?.as_ref()
}

/// The forms whose name starts with a word, and the texts of all.
pub(super) fn all() -> impl Iterator<Item = (Form, &'static Template)> {
    Form::ALL.iter().filter_map(|form| Some((*form, template(*form)?)))
}

static TEMPLATES: LazyLock<Vec<Option<Template>>> = LazyLock::new(|| {
    let mut all: Vec<Option<Template>> = Form::ALL.iter().map(|_| None).collect();
    let lists: [&[Row]; 11] = [
        convert::ROWS,
        float::ROWS,
        flow::ROWS,
        half::ROWS,
        integer::ROWS,
        logic::ROWS,
        memory::ROWS,
        surface::ROWS,
        system::ROWS,
        texture::ROWS,
        video::ROWS,
    ];
    for row in lists.into_iter().flatten() {
        for (kind, form) in row.forms.iter().enumerate() {
            let Some(form) = *form else { continue };
            // The table lives as long as the program.
            let text: &'static str = Box::leak(expand(row.text, kind).into_boxed_str());
            let template = Template::parse(text).map(|mut template| {
                template.unguarded = !form.has_guard();
                template.told = form.mask() | if template.unguarded { 0 } else { GUARD };
                template
            });
            if let Some(place) = all.get_mut(form as usize) {
                *place = template;
            }
        }
    }
    all
});

/// Puts the operands of a kind of form into a shared text.
fn expand(text: &str, kind: usize) -> String {
    const SHORT: [(&str, [&str; 4]); 8] = [
        ("d", ["r0 cc47"; 4]),
        ("D", ["r0"; 4]),
        ("a", ["r8 u0"; 4]),
        ("b", ["r20 u1", "c20", "s20+19,56", "r39 u1"]),
        ("bu", ["r20 u1", "c20", "x20+19,56", "r39 u1"]),
        ("bf", ["r20 u1", "c20", "f20+19,56", "r39 u1"]),
        ("bd", ["r20 u1", "c20", "g20+19,56", "r39 u1"]),
        ("c", ["r39 u2", "r39 u2", "r39 u2", "c20"]),
    ];
    let mut out = String::new();
    let mut parts = text.split('{');
    out.push_str(parts.next().unwrap_or_default());
    for part in parts {
        out.push('{');
        let end = part.find([' ', '}']).unwrap_or(part.len());
        let (word, rest) = part.split_at(end);
        let long = SHORT.iter().find(|(short, _)| *short == word).and_then(|(_, long)| long.get(kind));
        out.push_str(long.copied().unwrap_or(word));
        out.push_str(rest);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_has_a_text() {
        for form in Form::ALL {
            let template = template(*form).unwrap_or_else(|| panic!("{form:?} has no text"));
            assert!(template.name.text().starts_with(form.name().split('.').next().unwrap()), "{form:?}");
        }
    }
}
