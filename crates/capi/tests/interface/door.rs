//! The doors as C goes through them, for tests.
#![allow(unsafe_code, dead_code)]

use std::{ffi::CString, mem::MaybeUninit, path::Path, ptr};
use unshade_capi::{doors::*, *};

/// Where a door puts what it gives away.
pub type Out<'a, T> = Option<&'a mut MaybeUninit<Option<Box<T>>>>;

/// Why a call failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Why {
    pub status: Status,
    pub severity: u32,
    pub place: u32,
    pub offset: u64,
    pub code: String,
    pub path: String,
    pub message: String,
    pub notes: String,
}

/// A text as C reads it.
pub fn told(text: Text) -> String {
    assert!(!text.data.is_null());
    // SAFETY: the library promises `len` bytes and a zero byte behind them.
    let bytes = unsafe { std::slice::from_raw_parts(text.data.cast::<u8>(), text.len + 1) };
    assert_eq!(bytes[text.len], 0);
    std::str::from_utf8(&bytes[..text.len]).expect("UTF-8").to_owned()
}

pub fn no_text() -> Text {
    Text { data: ptr::null(), len: 0 }
}

pub fn empty_finding(size: usize) -> Finding {
    Finding {
        size,
        severity: 77,
        place: 77,
        offset: 77,
        end: 77,
        code: no_text(),
        path: no_text(),
        message: no_text(),
        notes: no_text(),
    }
}

pub fn empty_info(size: usize) -> StageInfo {
    StageInfo {
        size,
        kind: 77,
        isa: 77,
        hash: 77,
        code_offset: 77,
        code_bytes: 77,
        instructions: 77,
        item: no_text(),
        name: no_text(),
    }
}

pub fn finding(status: Status, get: impl FnOnce(*mut Finding) -> Status) -> Why {
    let mut found = empty_finding(size_of::<Finding>());
    assert_eq!(get(&mut found), Status::Ok);
    assert_eq!(found.size, size_of::<Finding>());
    assert!(found.place <= 3 && found.severity <= 2 && found.end >= found.offset);
    assert_eq!(found.place == 0, found.offset == UNSHADE_NO_OFFSET);
    Why {
        status,
        severity: found.severity,
        place: found.place,
        offset: found.offset,
        code: told(found.code),
        path: told(found.path),
        message: told(found.message),
        notes: told(found.notes),
    }
}

/// What a call that gives an object came to. Exactly one of object and error is there.
pub fn out<T>(call: impl FnOnce(Out<'_, T>, Out<'_, Error>) -> Status) -> Result<Box<T>, Why> {
    let (mut made, mut error) = (MaybeUninit::uninit(), MaybeUninit::uninit());
    let status = call(Some(&mut made), Some(&mut error));
    // SAFETY: every door writes both places, whatever happens.
    let (made, error) = unsafe { (made.assume_init(), error.assume_init()) };
    assert_eq!((made.is_some(), error.is_none()), (status == Status::Ok, status == Status::Ok));
    match (made, error) {
        (Some(made), _) => Ok(made),
        (None, error) => {
            // SAFETY: the place is ours.
            let why = finding(status, |to| unsafe { unshade_error_get(error.as_deref(), to) });
            unshade_error_free(error);
            assert_ne!(status, Status::Internal, "{why:?}");
            assert!(!why.code.is_empty() && !why.message.is_empty(), "{why:?}");
            Err(why)
        }
    }
}

pub fn options() -> OpenOptions {
    OpenOptions {
        size: size_of::<OpenOptions>(),
        place: ptr::null(),
        profile: ptr::null(),
        state: ptr::null(),
        dictionary: ptr::null(),
        dictionary_size: 0,
    }
}

pub fn code_options() -> CodeOptions {
    CodeOptions {
        size: size_of::<CodeOptions>(),
        flags: 0,
        kind: 0,
        entry: 0,
        reserved: 0,
        descriptors: ptr::null(),
        descriptor_count: 0,
        profile: ptr::null(),
        state: ptr::null(),
    }
}

pub fn open_with(bytes: &[u8], options: *const OpenOptions) -> Result<Box<File>, Why> {
    // SAFETY: a slice, and options of our own.
    out(|file, error| unsafe { unshade_open(bytes.as_ptr(), bytes.len(), options, file, error) })
}

pub fn open(bytes: &[u8]) -> Result<Box<File>, Why> {
    open_with(bytes, ptr::null())
}

pub fn open_at(bytes: &[u8], place: &str) -> Result<Box<File>, Why> {
    let place = CString::new(place).unwrap();
    open_with(bytes, &OpenOptions { place: place.as_ptr(), ..options() })
}

pub fn open_code(isa: u32, bytes: &[u8], options: *const CodeOptions) -> Result<Box<File>, Why> {
    // SAFETY: as above.
    out(|file, error| unsafe { unshade_open_code(isa, bytes.as_ptr(), bytes.len(), options, file, error) })
}

/// What is in a buffer, which is freed.
pub fn taken(buffer: Box<Buffer>) -> Vec<u8> {
    let (data, len) = (unshade_buffer_data(Some(&buffer)), unshade_buffer_len(Some(&buffer)));
    // SAFETY: the library promises `len` bytes and a zero byte behind them.
    let bytes = unsafe { std::slice::from_raw_parts(data.cast::<u8>(), len + 1) };
    assert_eq!(bytes[len], 0);
    let bytes = bytes[..len].to_vec();
    unshade_buffer_free(Some(buffer));
    bytes
}

pub fn text(buffer: Box<Buffer>) -> String {
    String::from_utf8(taken(buffer)).expect("UTF-8")
}

pub fn info(file: &File, index: usize) -> Result<StageInfo, Status> {
    let mut info = empty_info(size_of::<StageInfo>());
    // SAFETY: the place is ours.
    match unsafe { unshade_stage_get(Some(file), index, &mut info, None) } {
        Status::Ok => Ok(info),
        other => Err(other),
    }
}

pub fn check(file: &File) -> Vec<Why> {
    let findings = out(|list, error| unshade_check(Some(file), list, error)).unwrap();
    let count = unshade_findings_count(Some(&findings));
    let get = |index| {
        // SAFETY: the place is ours.
        finding(Status::Ok, |to| unsafe { unshade_findings_get(Some(&findings), index, to) })
    };
    let all = (0..count).map(get).collect();
    unshade_findings_free(Some(findings));
    all
}

pub fn disassemble(file: &File, index: usize, flags: u32) -> Result<String, Why> {
    out(|text, error| unshade_disassemble(Some(file), index, flags, text, error)).map(text)
}

pub fn decompile(file: &File, index: usize, target: u32, flags: u32) -> Result<Vec<u8>, Why> {
    out(|text, error| unshade_decompile(Some(file), index, target, flags, text, error)).map(taken)
}

pub fn run(file: &File, index: usize, inputs: &str, fuel: u64) -> Result<String, Why> {
    let inputs = CString::new(inputs).unwrap();
    // SAFETY: a text of our own.
    out(|text, error| unsafe { unshade_run(Some(file), index, inputs.as_ptr(), fuel, text, error) }).map(text)
}

/// Everything that can be asked of a file, in one text.
pub fn everything(file: &File, targets: &[u32]) -> String {
    let mut all = format!("{:?}\n", check(file));
    for index in 0..unshade_stage_count(Some(file)) {
        let info = info(file, index).unwrap();
        all += &format!("{} {} {} {:x}\n", told(info.item), told(info.name), info.kind, info.hash);
        all += &format!("{:?}\n", disassemble(file, index, UNSHADE_LIST_OFFSETS));
        for target in targets {
            all += &format!("{:?}\n", decompile(file, index, *target, 0));
        }
        all += &format!("{:?}\n", run(file, index, "", 1000));
    }
    all
}

pub fn sample(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples").join(name);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
