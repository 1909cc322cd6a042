//! Records of fixed size whose layout is the same in all files.

use super::{Fill, Form, List, Listed, Loader, Saver, Visitor};
use unshade_bytes::Result;

/// A record whose fields are said once, in the order of the file.
pub trait Record: Clone + Default {
    /// How its numbers are stored.
    const FORM: Form;

    /// Goes through its fields.
    ///
    /// # Errors
    /// Those of the visitor.
    fn visit(&mut self, v: &mut dyn Visitor) -> Result<()>;

    /// The record in exactly these bytes.
    fn read(bytes: &[u8]) -> Option<Self> {
        let mut record = Self::default();
        let mut loader = Loader::new(Self::FORM, bytes, 0);
        record.visit(&mut loader).ok()?;
        (loader.position() == bytes.len() as u64).then_some(record)
    }

    /// Appends its bytes.
    ///
    /// # Errors
    /// [`ErrorKind::Unrepresentable`](unshade_bytes::ErrorKind::Unrepresentable) for a value that its field has no room for.
    fn write(mut self, out: &mut Vec<u8>) -> Result<()> {
        let mut saver = Saver::behind(Self::FORM, std::mem::take(out));
        self.visit(&mut saver)?;
        *out = saver.bytes;
        Ok(())
    }

    /// Its numbers, by the names of their fields.
    fn numbers(&self) -> Vec<Listed> {
        let mut list = List::new(Self::FORM);
        // A list has room for every number.
        let _ = self.clone().visit(&mut list);
        list.found
    }

    /// Gives the number of that name another value. Returns whether the record has such a field, and room for the value.
    fn set_number(&mut self, name: &str, value: u64) -> bool {
        let mut fill = Fill::new(Self::FORM, name, value);
        self.visit(&mut fill).is_ok() && fill.is_done()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shared::Node;
    use crate::shared::fields::{Fields, Grow, Number, Style, Surprises};
    use unshade_bytes::{Endian, ErrorKind, Severity};

    /// A made-up record: what is said in `visit` is all that anything below knows of it.
    #[derive(Debug, Clone, Default, PartialEq)]
    struct Made {
        kind: u8,
        flags: u8,
        stride: u32,
        parent: Option<u16>,
    }

    impl Record for Made {
        const FORM: Form = Form::plain(Endian::Big);

        fn visit(&mut self, v: &mut dyn Visitor) -> Result<()> {
            let kind = |kind: u64| if kind == 1 { "float" } else { "unknown" }.to_owned();
            v.field(&Number::new("kind").meaning(kind), &mut self.kind)?;
            v.field(&Number::new("flags").style(Style::Hex).unknown(), &mut self.flags)?;
            let known: &[_] = &[0..=16, 32..=32];
            let known: &'static [_] = Box::leak(known.to_vec().into_boxed_slice());
            let stride = Number::new("stride").unit("floats");
            v.sized(
                &stride.expected(known, "up to 16, or 32", Severity::Warning, "made.stride"),
                2,
                &mut self.stride,
            )?;
            v.optional(&Number::new("parent").ones("none"), &mut self.parent)
        }
    }

    #[test]
    fn one_list_reads_writes_and_shows() {
        let bytes = [1, 0x80, 0, 20, 0xFF, 0xFF];
        let mut made = Made::read(&bytes).unwrap();
        assert_eq!(made, Made { kind: 1, flags: 0x80, stride: 20, parent: None });
        assert_eq!((Made::read(&bytes[..5]), Made::read(&[0; 7])), (None, None));
        let mut written = vec![7];
        made.clone().write(&mut written).unwrap();
        assert_eq!(written, [&[7], &bytes[..]].concat());

        let mut node = Node::new("made", 8);
        made.visit(&mut Grow::new(Made::FORM, &mut node)).unwrap();
        let shown: Vec<_> =
            node.children.iter().map(|child| (&*child.name, child.offset, child.value.as_deref())).collect();
        let expected = [
            ("kind", 8, Some("1 (float)")),
            ("flags", 9, Some("0x80")),
            ("stride", 10, Some("20 floats")),
            ("parent", 12, Some("65535 (none)")),
        ];
        assert_eq!(shown, expected);
        assert_eq!((node.size, node.children[1].opaque.is_some()), (6, true));
    }

    #[test]
    fn values_are_checked_listed_and_set() {
        let mut made = Made { stride: 20, ..Made::default() };
        let mut surprises = Surprises::new(Made::FORM);
        made.visit(&mut surprises).unwrap();
        let found: Vec<_> = surprises
            .found
            .iter()
            .map(|found| (found.field.name, found.field.offset, found.expected.code))
            .collect();
        assert_eq!(found, [("stride", 2, "made.stride")]);

        let names: Vec<_> =
            made.numbers().iter().map(|number| (number.name, number.size, number.value)).collect();
        assert_eq!(names, [("kind", 1, 0), ("flags", 1, 0), ("stride", 2, 20), ("parent", 2, 0xFFFF)]);
        assert!(made.set_number("parent", 3) && made.set_number("kind", 255));
        assert_eq!((made.parent, made.kind), (Some(3), 255));
        // What the field has no room for, and what is not there.
        assert!(
            !made.set_number("kind", 256)
                && !made.set_number("stride", 0x1_0000)
                && !made.set_number("size", 1)
        );
        assert_eq!(made.kind, 255);
        made.stride = 0x1_0000;
        let refused = made.write(&mut Vec::new()).unwrap_err();
        assert_eq!((refused.kind, &*refused.path), (ErrorKind::Unrepresentable, "stride"));
    }
}
