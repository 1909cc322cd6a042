//! A wrapper of any kind does what its own kind does; names of formats and paths.

use super::sample;
use unshade_bytes::Endian;
use unshade_containers::{
    bfres,
    wrap::{
        layer::Layer,
        nest::{Wrapper, wrapper},
        path::refused,
        recognise::{Unread, recognise},
        sarc, yaz0, zstd,
    },
};

#[test]
fn layers_answer_as_their_kind() {
    let none = zstd::Dictionaries::default();
    // Each with something to find: bytes behind it, or a version that is not known.
    let yaz0_file = b"Yaz0\0\0\0\x01\0\0\0\0\0\0\0\0\x80xtail".to_vec();
    let frame = [&zstd::encode(b"something")[..], b"tail"].concat();
    let mut archive = sarc::pack(Endian::Big, 0x65, &[]).unwrap();
    archive.version = 0x200;
    let archive = archive.write().unwrap();
    let models = sample("model.bfres");
    let read = |kind, bytes| Layer::read(kind, bytes, &none).unwrap();
    for (kind, bytes) in [
        (Wrapper::Yaz0, &yaz0_file),
        (Wrapper::Zstd, &frame),
        (Wrapper::Sarc, &archive),
        (Wrapper::Bfres, &models),
    ] {
        assert_eq!(wrapper(bytes), Some(kind));
        let layer = read(kind, bytes);
        assert_eq!(layer.write().unwrap(), *bytes, "{kind}");
        let (tree, found, told) = match kind {
            Wrapper::Yaz0 => {
                let file = yaz0::read(bytes).unwrap();
                (file.tree(), file.check(), file.describe())
            }
            Wrapper::Zstd => {
                let file = zstd::read(bytes, &none).unwrap();
                (file.tree(), file.check(), file.describe())
            }
            Wrapper::Sarc => {
                let file = sarc::read(bytes).unwrap();
                (file.tree(), file.check(), file.describe())
            }
            Wrapper::Bfres => {
                let file = bfres::read(bytes).unwrap();
                (file.tree(), file.check(), file.describe())
            }
        };
        assert_eq!((layer.tree(), layer.check(), layer.describe()), (tree, found.clone(), told.clone()));
        assert!(told.contains(kind.name()), "{told}");
        assert!(kind == Wrapper::Bfres || found.len() == 1, "{found:?}");
    }
    let names = [Wrapper::Yaz0, Wrapper::Sarc, Wrapper::Zstd, Wrapper::Bfres];
    assert_eq!(names.map(|kind| format!("{kind:6}")), ["Yaz0  ", "SARC  ", "zstd  ", "BFRES "]);
    assert_eq!((wrapper(b"Yaz"), wrapper(b"Yaz1"), wrapper(b"")), (None, None, None));
}

#[test]
fn formats_are_known_by_their_first_bytes() {
    for (bytes, kind, name, told) in [
        (&b"\x28\xb5\x2f\xfd"[..], Unread::Zstd, "zstd", "a file compressed with zstd"),
        (b"\x50\x2a\x4d\x18", Unread::Zstd, "zstd", "a file compressed with zstd"),
        (b"\x5f\x2a\x4d\x18", Unread::Zstd, "zstd", "a file compressed with zstd"),
        (b"MCPK", Unread::MeshCodec, "MeshCodec", "a MeshCodec package of compressed models (MCPK)"),
        (
            b"FRES",
            Unread::Bfres,
            "BFRES",
            "a BFRES model archive (FRES) of a version whose layout is not known",
        ),
        (b"VFXB", Unread::Effects, "effect", "an effect file"),
        (b"EFTB", Unread::Effects, "effect", "an effect file"),
        (b"EFTF", Unread::Effects, "effect", "an effect file"),
        (b"SPBD", Unread::Effects, "effect", "an effect file"),
        (b"EFFN", Unread::EffectPack, "EFFN", "a pack of effects (EFFN)"),
        (b"GFLXPACK", Unread::Gfpak, "GFPAK", "a GFPAK archive (GFLXPACK)"),
        (b"FSHA", Unread::Bfsha, "BFSHA", "a BFSHA shader archive (FSHA)"),
        (b"BNSH", Unread::Bnsh, "BNSH", "a BNSH shader file"),
        (b"Yaz1", Unread::Yaz1, "Yaz1", "a file of the Yaz1 kind"),
        (
            b"TOCH",
            Unread::HostCache,
            "host cache",
            "a cache of an emulator for the machine that it runs on, without programs of a console",
        ),
        (
            b"yuzuvkch",
            Unread::HostCache,
            "host cache",
            "a cache of an emulator for the machine that it runs on, without programs of a console",
        ),
        (
            b"TOCS",
            Unread::SharedToc,
            "shared.toc",
            "a list of programs (TOCS), which is read with guest.toc beside it",
        ),
    ] {
        let behind = [bytes, b"and more"].concat();
        assert_eq!((recognise(bytes), recognise(&behind)), (Some(kind), Some(kind)));
        assert_eq!((kind.name(), kind.describe()), (name, told));
        assert_eq!(format!("{kind:>10}"), format!("{name:>10}"));
        assert_eq!(recognise(&bytes[..bytes.len() - 1]), None);
    }
    for bytes in [&b"Yaz0"[..], b"SARC", b"GFLX", b"\x60\x2a\x4d\x18", b""] {
        assert_eq!(recognise(bytes), None);
    }
}

#[test]
fn names_have_a_length() {
    let part = |len: usize| "a".repeat(len);
    assert_eq!(refused(part(255).as_bytes()), None);
    assert_eq!(refused(part(256).as_bytes()), Some("a part of it is longer than 255 bytes"));
    let long = [part(255), part(255), part(255), part(255), "a".to_owned()].join("/");
    assert_eq!((long.len(), refused(&long.as_bytes()[..1024])), (1025, Some("it has an empty part")));
    let whole = [part(255), part(255), part(255), part(252), "aaa".to_owned()].join("/");
    assert_eq!((whole.len(), refused(whole.as_bytes())), (1024, None));
    assert_eq!(refused(long.as_bytes()), Some("it is longer than 1024 bytes"));
    for (name, why) in [
        ("", "it is empty"),
        ("/a", "it starts at the root"),
        ("a\\b", "it has characters that mean something else on some system"),
        ("a\u{7f}", "it has characters that mean something else on some system"),
        ("a//b", "it has an empty part"),
        ("a/..", "it leaves its folder"),
        ("./a", "it leaves its folder"),
        ("a./b", "a part of it ends with a dot or a blank"),
        ("COM0", "it names a device on Windows"),
        ("lpt9.txt.gz", "it names a device on Windows"),
        ("a/CON", "it names a device on Windows"),
        ("prn.x", "it names a device on Windows"),
    ] {
        assert_eq!(refused(name.as_bytes()), Some(why), "{name:?}");
    }
    assert_eq!(refused(b"\xff"), Some("it is no UTF-8 text"));
    for name in ["com", "comx", "com12", "lpt", "console", "nullify.txt", ".a", "a b", "a.b/c"] {
        assert_eq!(refused(name.as_bytes()), None, "{name}");
    }
}
