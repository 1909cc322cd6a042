//! Structures that point at each other as a tree: each is shown under the first that leads to it.

use super::image::{Image, Object, Target, Texts};
use crate::shared::fields::{Form, Meaning, Number, Pointer, Style, Use, Visitor, grow};
use crate::shared::{FieldEncoding, Node, Opaque};
use std::collections::BTreeSet;
use unshade_bytes::{Owner, Result};

/// How deep structures may lead on; those of real files reach 8.
const DEPTH: usize = 64;

/// What a format adds to its tree.
pub trait Shape: Object {
    /// A line about a structure.
    fn summary(&self, _at: u64, _image: &Image<Self>, _texts: &Texts<'_>) -> Option<String> {
        None
    }

    /// The tree of what is nothing but bytes, or of a file of its own.
    ///
    /// # Errors
    /// When it cannot be written.
    fn contents(&self, _node: Node, _image: &Image<Self>) -> Result<Node>;

    /// The names of what `name` leads to, where another list of the file has them.
    fn entry_name(
        &self,
        _name: &'static str,
        _index: u64,
        _image: &Image<Self>,
        _texts: &Texts<'_>,
    ) -> Option<String> {
        None
    }
}

/// The tree of a file that starts at `base` of a larger one.
///
/// # Errors
/// When a structure cannot be visited.
pub fn tree<O: Shape>(image: &Image<O>, name: &str, base: u64, roots: &[Target<O::Kind>]) -> Result<Node> {
    let texts = image.texts();
    let mut growth = Growth { image, texts: &texts, shown: BTreeSet::new(), base };
    let mut root = Node::new(name, base);
    for target in roots {
        growth.hang(&mut root, target.name.to_owned(), target.at, 0)?;
    }
    let mut reached = 0;
    let mut unknown = 0_u64;
    let mut fill = Vec::new();
    for (&at, object) in &image.objects {
        fill.push((reached, at));
        reached = at.saturating_add(super::image::object_len(object, image.form)?);
        if !growth.shown.contains(&at) {
            let name = format!("{}[{unknown}]", object.label());
            unknown = unknown.saturating_add(1);
            growth.hang(&mut root, name, at, 0)?;
        }
    }
    fill.push((reached, image.len));
    let mut count = 0_u64;
    for (start, end) in fill {
        if start < end {
            let mut node = Node::new(format!("padding[{count}]"), base.saturating_add(start));
            node.size = end.saturating_sub(start);
            node.value = Some(format!("{} bytes of 0x00", node.size));
            node.owner = Owner::Padding(0);
            root.children.push(node);
            count = count.saturating_add(1);
        }
    }
    root.size = image.len;
    Ok(root)
}

struct Growth<'a, O> {
    image: &'a Image<O>,
    texts: &'a Texts<'a>,
    shown: BTreeSet<u64>,
    base: u64,
}

impl<O: Shape> Growth<'_, O> {
    fn hang(&mut self, parent: &mut Node, name: String, at: u64, depth: usize) -> Result<()> {
        let Some(object) = self.image.objects.get(&at).filter(|_| depth < DEPTH) else { return Ok(()) };
        if !self.shown.insert(at) {
            return Ok(());
        }
        let place = self.base.saturating_add(at);
        let mut node = Node::new(name, place);
        if object.bytes().is_some() || object.embedded_len().is_some() {
            node = object.contents(node, self.image)?;
        } else {
            let mut maker =
                Maker { form: self.image.form, texts: self.texts, base: self.base, stack: vec![node] };
            object.clone().visit(&mut maker)?;
            while maker.stack.len() > 1 {
                maker.leave();
            }
            node = maker.stack.pop().unwrap_or_else(|| Node::new("", place));
        }
        if let Some(summary) = object.summary(at, self.image, self.texts) {
            node.value = Some(summary);
        }
        let mut targets = Vec::new();
        object.targets(at, self.image, &mut targets);
        for target in targets {
            let named =
                target.index.and_then(|index| object.entry_name(target.name, index, self.image, self.texts));
            let name = match (target.index, named) {
                (_, Some(named)) => format!("{}[{named}]", target.name),
                (Some(index), None) => format!("{}[{index}]", target.name),
                (None, None) => target.name.to_owned(),
            };
            self.hang(&mut node, name, target.at, depth.saturating_add(1))?;
        }
        parent.children.push(node);
        Ok(())
    }
}

/// Makes nodes of fields.
struct Maker<'a> {
    form: Form,
    texts: &'a Texts<'a>,
    base: u64,
    stack: Vec<Node>,
}

impl Maker<'_> {
    fn node(&mut self) -> Option<&mut Node> {
        self.stack.last_mut()
    }
}

impl Visitor for Maker<'_> {
    fn form(&self) -> Form {
        self.form
    }

    fn number(&mut self, name: &'static str, size: u8, style: Style, value: &mut u64) -> Result<()> {
        let form = self.form;
        if let Some(node) = self.node() {
            grow::number(node, form, &Number::new(name).style(style), size, *value);
        }
        Ok(())
    }

    fn pointer(&mut self, name: &'static str, target: Use, value: &mut Pointer) -> Result<()> {
        let size = target.size(self.form);
        let text = match target {
            Use::Text if !value.is_null() => self.texts.get(*value),
            Use::Characters => {
                let word = if self.form.relative { 0 } else { 2 };
                self.texts.get(Pointer(value.0.saturating_sub(word)))
            }
            _ => None,
        };
        let coding = if text.is_some() { FieldEncoding::Text } else { FieldEncoding::Follows };
        let text = match text {
            Some(text) => format!("\"{}\"", crate::shared::opaque::escape(text)),
            None if value.is_null() => "none".to_owned(),
            None if target == Use::End => format!("{:#x}", value.0),
            None => format!("{:#x}", self.base.saturating_add(value.0)),
        };
        if let Some(node) = self.node() {
            node.coded(name, size, text, coding);
        }
        Ok(())
    }

    fn bytes(&mut self, name: &'static str, size: u64, meaning: Meaning, value: &mut Opaque) -> Result<()> {
        if let Some(node) = self.node() {
            grow::bytes(node, name, size, meaning, value);
        }
        Ok(())
    }

    fn magic(&mut self, name: &'static str, value: &mut [u8]) -> Result<()> {
        if let Some(node) = self.node() {
            grow::magic(node, name, value);
        }
        Ok(())
    }

    fn string(&mut self, name: &'static str, size: u64, _: &mut Opaque, text: &[u8]) -> Result<()> {
        let text = format!("\"{}\"", crate::shared::opaque::escape(text));
        if let Some(node) = self.node() {
            node.field(name, size, text);
        }
        Ok(())
    }

    fn enter(&mut self, name: &'static str, index: u64) {
        let at = self.node().map_or(0, |node| node.end());
        self.stack.push(Node::new(format!("{name}[{index}]"), at));
    }

    fn leave(&mut self) {
        if let (Some(child), Some(parent)) = (self.stack.pop(), self.stack.last_mut()) {
            parent.push(child);
        }
    }
}
