use super::*;
use proptest::prelude::*;

/// `f11_mrt_depth.frag` of the corpus: colours 0, 1 and 3, a mask of samples, a depth.
const PIXELS: [u32; WORDS] =
    [0x0006_5462, 0, 0, 0, 0x000f_f000, 0x8000_0000, 0xaa, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xf0ff, 3];
/// `c01_tcs.tesc`: four vertices, sixteen words for the patch.
const CONTROL: [u32; WORDS] = [
    0x0006_0861,
    0x1000_0000,
    0x0400_0000,
    0,
    0x2212_0000,
    0xf100_0000,
    7,
    0,
    0,
    0,
    0,
    0,
    0,
    0x0007_f000,
    0,
    0,
    0,
    0,
    0,
    0,
];

proptest! {
    #[test]
    fn every_word_comes_back(words in any::<[u32; WORDS]>()) {
        let header = Header::read(&words).unwrap();
        prop_assert_eq!(header.write(), words);
        // Also when it is put together from its fields alone.
        let mut again = Header([0; WORDS]);
        for field in header.fields() {
            prop_assert!(again.set(&field, header.get(&field)));
        }
        prop_assert_eq!(again.write(), words);
    }

    #[test]
    fn a_field_is_set_and_nothing_else(words in any::<[u32; WORDS]>(), pick in any::<prop::sample::Index>(), value: u32) {
        let header = Header::read(&words).unwrap();
        let fields = header.fields();
        // The first field decides which others there are.
        let field = &fields[1 + pick.index(fields.len() - 1)];
        let mut changed = header;
        let fits = changed.set(field, value);
        for other in &fields {
            let expected = if fits && other == field { value } else { header.get(other) };
            prop_assert_eq!(changed.get(other), expected, "{}", other.path);
        }
    }
}

/// Every bit belongs to one field, and every field has a path of its own.
#[test]
fn fields_go_over_all_bits() {
    for first in 0..4 {
        let mut words = [0; WORDS];
        words[0] = first;
        let fields = Header(words).fields();
        let mut at = 0;
        for field in &fields {
            assert_eq!(field.at, at, "{}", field.path);
            at += field.len;
        }
        assert_eq!(at, 32 * WORDS as u32);
        let mut paths: Vec<_> = fields.iter().map(|field| &field.path).collect();
        paths.sort();
        paths.dedup();
        assert_eq!(paths.len(), fields.len());
    }
}

/// The bits that the queries look at are those of the fields of that name.
#[test]
fn addresses_and_fields_agree() {
    use crate::attribute::Attribute;
    for first in [1, 2] {
        let mut words = [0; WORDS];
        words[0] = first;
        let empty = Header(words);
        for address in (0..0x3C0).step_by(4) {
            let Some(attribute) = Attribute::at(address) else { continue };
            let name = attribute.to_string();
            let name = name.split('.').next().unwrap();
            let (name, place) = match name.strip_prefix("clip_distance[") {
                Some(rest) => ("clip_distance", rest.strip_suffix(']').unwrap().parse().unwrap()),
                None if matches!(attribute, Attribute::PrimitiveId | Attribute::Layer) => (name, 0),
                None => (name, address / 4 % 4),
            };
            for (map, known) in [("imap", empty.reads(address)), ("omap", empty.writes(address))] {
                let Some(field) = empty.field(&format!("{map}.{name}")) else {
                    assert_eq!(known, None, "{map}.{name}");
                    continue;
                };
                assert_eq!(known, Some(false), "{map}.{name}");
                let value = match field.shape {
                    Shape::Flag => 1,
                    Shape::Interpolated => 2 << (2 * place),
                    _ => 1 << place,
                };
                let mut set = empty;
                assert!(set.set(&field, value), "{map}.{name}");
                let found: Vec<u32> =
                    if map == "imap" { set.inputs().collect() } else { set.outputs().collect() };
                assert_eq!(found, [address], "{map}.{name}");
            }
        }
    }
}

#[test]
fn pixels() {
    let header = Header::read(&PIXELS).unwrap();
    assert_eq!((header.layout(), header.stage()), (Layout::Pixels, Some(StageKind::Fragment)));
    assert!(header.multiple_targets() && !header.kills_pixels() && !header.loads_or_stores());
    assert_eq!(header.targets(), [15, 15, 0, 15, 0, 0, 0, 0]);
    assert!(header.writes_sample_mask() && header.writes_depth());
    assert_eq!(header.inputs().collect::<Vec<_>>(), [0x7C, 0x80, 0x84, 0x88, 0x8C]);
    assert_eq!(header.interpolation(0x80), Some(Interpolation::Perspective));
    assert_eq!((header.interpolation(0x7C), header.reads(0x3FC)), (None, None));
    assert_eq!(header.read_back(), None);
    let registers = header.pixel_registers();
    assert_eq!(registers.len(), 14);
    assert_eq!(registers[8], PixelRegister { register: 8, output: PixelOutput::Colour(3, 0) });
    assert_eq!(registers[13], PixelRegister { register: 13, output: PixelOutput::Depth });
    assert_eq!(header.outputs().count(), 0);
}

#[test]
fn vertices() {
    let header = Header::read(&CONTROL).unwrap();
    assert_eq!((header.layout(), header.stage()), (Layout::Vertices, Some(StageKind::TessControl)));
    assert_eq!((header.patch_words(), header.threads(), header.read_back()), (16, 4, Some(0x20..=0x22)));
    let read = [0x60, 0x70, 0x74, 0x78, 0x7C, 0x80, 0x84, 0x88];
    assert_eq!(header.inputs().collect::<Vec<_>>(), read);
    let written = [0x70, 0x74, 0x78, 0x7C, 0x80, 0x84, 0x88];
    assert_eq!(header.outputs().collect::<Vec<_>>(), written);
    assert_eq!(header.topology(), Topology::Other(0));
    assert_eq!(header.pixel_registers(), []);
    assert_eq!(Header::read(&CONTROL[..19]), None);
}

#[test]
fn texts() {
    let header = Header::read(&PIXELS).unwrap();
    let text = |path: &str| {
        let field = header.field(path).unwrap();
        field.text(header.get(&field))
    };
    assert_eq!(text("shader_type"), "fragment");
    assert_eq!(text("imap.generic[0]"), "xyzw perspective");
    assert_eq!(text("imap.generic[1]"), "none");
    assert_eq!(text("imap.position"), "w");
    assert_eq!(text("omap.target[3]"), "xyzw");
    assert_eq!(text("omap.depth"), "true");
}
