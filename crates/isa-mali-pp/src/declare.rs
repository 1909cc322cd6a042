//! The symbols of a program as lines of its own listing, for code that stands without its container.
//!
//! ```text
//! .symbol input, v_uv, float, 2, 2, 0, 0, 4, -
//! ```
//! Space (`input`, `uniform`), name (`-` where a name is no identifier), type, components, room of one element,
//! length of an array, stride, first float, and the structure that it is a member of, each as the file has it;
//! `-` is nothing.

use super::symbols::is_identifier;
use unshade_isa_common::text::{PartKind, Sink};
use unshade_stage::{Space, Symbol, SymbolType};

/// Types by the names that the lines have.
const TYPES: [(&str, SymbolType); 8] = [
    ("float", SymbolType::Float),
    ("int", SymbolType::Int),
    ("bool", SymbolType::Bool),
    ("matrix", SymbolType::Matrix),
    ("sampler2D", SymbolType::Sampler2d),
    ("samplerCube", SymbolType::SamplerCube),
    ("struct", SymbolType::Struct),
    ("samplerExternalOES", SymbolType::SamplerExternal),
];

/// Writes a line for each symbol.
pub(super) fn write(sink: &mut impl Sink, symbols: &[Symbol]) {
    for symbol in symbols {
        let space = match symbol.space {
            Space::Input => "input",
            Space::Float => "uniform",
            _ => continue,
        };
        let known = TYPES.iter().find(|(_, ty)| *ty == symbol.ty);
        let ty = match (known, symbol.ty) {
            (Some((name, _)), _) => (*name).to_owned(),
            (None, SymbolType::Unknown(number)) => format!("type{number}"),
            (None, _) => "-".to_owned(),
        };
        let optional = |value: Option<u16>| value.map_or_else(|| "-".to_owned(), |value| value.to_string());
        sink.put(PartKind::Directive, ".symbol ");
        sink.put(PartKind::Plain, space);
        sink.put(PartKind::Punctuation, ", ");
        sink.put(PartKind::Name, if is_identifier(&symbol.name) { &symbol.name } else { "-" });
        sink.put(PartKind::Punctuation, ", ");
        sink.put(PartKind::Plain, &ty);
        let numbers = [symbol.components, symbol.component_size, symbol.elements, symbol.stride];
        for number in numbers.map(|number| number.to_string()) {
            sink.put(PartKind::Punctuation, ", ");
            sink.put(PartKind::Immediate, &number);
        }
        for number in [symbol.offset, symbol.parent].map(optional) {
            sink.put(PartKind::Punctuation, ", ");
            sink.put(PartKind::Immediate, &number);
        }
        sink.end_line();
    }
}

/// Reads what stands behind `.symbol`; what is wrong with it, in words.
pub(super) fn read(text: &str) -> Result<Symbol, String> {
    let fields: Vec<&str> = text.split(',').map(str::trim).collect();
    let [space, name, ty, components, component_size, elements, stride, offset, parent] = fields[..] else {
        return Err(format!("expected nine fields with commas between, found {}", fields.len()));
    };
    let space = match space {
        "input" => Space::Input,
        "uniform" => Space::Float,
        other => return Err(format!("expected `input` or `uniform`, found `{other}`")),
    };
    let known = TYPES.iter().find(|(name, _)| *name == ty).map(|(_, ty)| *ty);
    let numbered = || ty.strip_prefix("type")?.parse().ok().map(SymbolType::Unknown);
    let Some(ty) = known.or_else(numbered) else { return Err(format!("`{ty}` is no type")) };
    let number = |text: &str| text.parse::<u16>().map_err(|_| format!("expected a number, found `{text}`"));
    let optional = |text: &str| if text == "-" { Ok(None) } else { number(text).map(Some) };
    Ok(Symbol {
        name: name.to_owned(),
        space,
        ty,
        components: number(components)?,
        component_size: number(component_size)?,
        elements: number(elements)?,
        stride: number(stride)?,
        precision: None,
        invariant: false,
        offset: optional(offset)?,
        parent: optional(parent)?,
        initial: None,
    })
}
