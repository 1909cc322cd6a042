//! Every function that C calls. What a parameter that is a null pointer means, each says; nothing else is asked of pointers
//! than that they point to what their types say. No panic crosses: those that do anything go through `door`, `give` or
//! `free`, which catch it, and the others only look at a number or a pointer.
#![allow(unsafe_code)]

use crate::{
    check::Findings,
    code::CodeOptions,
    decompile::decompile,
    disassemble::disassemble,
    error::{Error, Failure, Finding, Status, door, free, give},
    file::{File, OpenOptions, program},
    pointers,
    run::run,
    stage::StageInfo,
    text::Buffer,
};
use std::{ffi::c_char, mem::MaybeUninit};

/// Version of the interface that the library has: `UNSHADE_ABI_VERSION` of the header that it was built with.
#[unsafe(no_mangle)]
pub extern "C" fn unshade_abi_version() -> u32 {
    crate::UNSHADE_ABI_VERSION
}

/// Version of the library, as in `0.1.0`. Lives for ever.
#[unsafe(no_mangle)]
pub extern "C" fn unshade_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

/// Opens the `len` bytes of a file: a container, an archive or a compressed file around such, or a file in which they lie.
/// The bytes are copied and may go when this returns. That there are no programs in it is no error; `unshade_check` says
/// what else there is, and which files in an archive are damaged.
///
/// `options` may be null. `*file` gets the file, which `unshade_close` frees, or null. `error` may be null, as everywhere;
/// `*error` gets why it failed, which `unshade_error_free` frees, or null where it did not.
///
/// # Safety
///
/// `bytes` points to `len` bytes, `options` to a structure of its `size` or nothing, its pointers to what it says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn unshade_open(
    bytes: *const u8,
    len: usize,
    options: *const OpenOptions,
    file: Option<&mut MaybeUninit<Option<Box<File>>>>,
    error: Option<&mut MaybeUninit<Option<Box<Error>>>>,
) -> Status {
    give("file", file, error, || {
        // SAFETY: asked of the caller above.
        let (bytes, wanted) = unsafe { (pointers::bytes(bytes, len)?, pointers::open_options(options)?) };
        File::open(bytes, &wanted)
    })
}

/// Opens bare code of an instruction set (an `unshade_isa`): `len` bytes, the least significant byte of each word first.
/// What is open then has one program. Otherwise as `unshade_open`.
///
/// # Safety
///
/// As `unshade_open`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn unshade_open_code(
    isa: u32,
    bytes: *const u8,
    len: usize,
    options: *const CodeOptions,
    file: Option<&mut MaybeUninit<Option<Box<File>>>>,
    error: Option<&mut MaybeUninit<Option<Box<Error>>>>,
) -> Status {
    give("file", file, error, || {
        // SAFETY: asked of the caller above.
        let (bytes, known) = unsafe { (pointers::bytes(bytes, len)?, pointers::code_options(options)?) };
        File::code(isa, bytes, &known)
    })
}

/// Closes a file, and frees all that was told of it by `unshade_stage_get`. What it gave away (buffers, findings, errors)
/// stays. A null pointer is fine.
#[unsafe(no_mangle)]
pub extern "C" fn unshade_close(file: Option<Box<File>>) {
    free(file);
}

/// How many programs are open; 0 for a null pointer.
#[unsafe(no_mangle)]
pub extern "C" fn unshade_stage_count(file: Option<&File>) -> usize {
    file.map_or(0, |file| file.programs.len())
}

/// Tells what the program at an index is. The texts in `*info` live until the file is closed.
///
/// # Safety
///
/// `info` points to a structure of its `size`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn unshade_stage_get(
    file: Option<&File>,
    index: usize,
    info: *mut StageInfo,
    error: Option<&mut MaybeUninit<Option<Box<Error>>>>,
) -> Status {
    door(error, || {
        let found = StageInfo::of(program(file, index)?);
        // SAFETY: asked of the caller above.
        unsafe { pointers::stage_info(info, &found) }
    })
}

/// Checks the container and the code of all that is open. `*findings` gets the list, empty where nothing is wrong, which
/// `unshade_findings_free` frees.
#[unsafe(no_mangle)]
pub extern "C" fn unshade_check(
    file: Option<&File>,
    findings: Option<&mut MaybeUninit<Option<Box<Findings>>>>,
    error: Option<&mut MaybeUninit<Option<Box<Error>>>>,
) -> Status {
    give("findings", findings, error, || Ok(Findings::of(file.ok_or_else(|| Failure::null("file"))?)))
}

/// How many findings there are; 0 for a null pointer.
#[unsafe(no_mangle)]
pub extern "C" fn unshade_findings_count(findings: Option<&Findings>) -> usize {
    findings.map_or(0, Findings::len)
}

/// Tells a finding. The texts in `*finding` live until the list is freed.
///
/// # Safety
///
/// `finding` points to a structure of its `size`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn unshade_findings_get(
    findings: Option<&Findings>,
    index: usize,
    finding: *mut Finding,
) -> Status {
    door(None, || {
        let findings = findings.ok_or_else(|| Failure::null("findings"))?;
        let found = findings.get(index).ok_or_else(|| Failure::argument("index", "too large"))?;
        // SAFETY: asked of the caller above.
        unsafe { pointers::finding(finding, &found.view()) }
    })
}

/// Frees findings. A null pointer is fine.
#[unsafe(no_mangle)]
pub extern "C" fn unshade_findings_free(findings: Option<Box<Findings>>) {
    free(findings);
}

/// Lists the instructions of the program at an index, in the text that `unshade disasm` prints and `unshade asm` takes.
/// `flags` are `UNSHADE_LIST_...`, or'ed together. `*text` gets the listing, which `unshade_buffer_free` frees.
#[unsafe(no_mangle)]
pub extern "C" fn unshade_disassemble(
    file: Option<&File>,
    index: usize,
    flags: u32,
    text: Option<&mut MaybeUninit<Option<Box<Buffer>>>>,
    error: Option<&mut MaybeUninit<Option<Box<Error>>>>,
) -> Status {
    give("text", text, error, || disassemble(program(file, index)?, flags))
}

/// Decompiles the program at an index. `target` is an `unshade_target`, `flags` are `UNSHADE_DECOMPILE_...`, or'ed together.
/// `*source` gets the text, or the bytes of a SPIR-V binary, which `unshade_buffer_free` frees.
#[unsafe(no_mangle)]
pub extern "C" fn unshade_decompile(
    file: Option<&File>,
    index: usize,
    target: u32,
    flags: u32,
    source: Option<&mut MaybeUninit<Option<Box<Buffer>>>>,
    error: Option<&mut MaybeUninit<Option<Box<Error>>>>,
) -> Status {
    give("source", source, error, || decompile(program(file, index)?, target, flags))
}

/// Runs the program at an index on the CPU. `inputs` is a JSON document `unshade-run-1` (docs/run-json.md), or only the
/// object behind its `in`; null: all inputs are 0. Each case may take `fuel` instructions, 0 stands for a million. `*outputs`
/// gets the document with the results, which `unshade_buffer_free` frees; a case that did not end says why in `unfinished`.
///
/// # Safety
///
/// `inputs` points to a text with a zero byte behind it, or nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn unshade_run(
    file: Option<&File>,
    index: usize,
    inputs: *const c_char,
    fuel: u64,
    outputs: Option<&mut MaybeUninit<Option<Box<Buffer>>>>,
    error: Option<&mut MaybeUninit<Option<Box<Error>>>>,
) -> Status {
    give("outputs", outputs, error, || {
        let program = program(file, index)?;
        // SAFETY: asked of the caller above.
        let inputs = unsafe { pointers::text(inputs, "inputs")? };
        run(program, inputs.unwrap_or_default(), fuel)
    })
}

/// The bytes of a buffer, with a zero byte behind them that `unshade_buffer_len` does not count. An empty text for a null
/// pointer.
#[unsafe(no_mangle)]
pub extern "C" fn unshade_buffer_data(buffer: Option<&Buffer>) -> *const c_char {
    buffer.map_or(c"".as_ptr(), |buffer| buffer.view().data)
}

/// How many bytes a buffer has; 0 for a null pointer.
#[unsafe(no_mangle)]
pub extern "C" fn unshade_buffer_len(buffer: Option<&Buffer>) -> usize {
    buffer.map_or(0, |buffer| buffer.view().len)
}

/// Frees a buffer. A null pointer is fine.
#[unsafe(no_mangle)]
pub extern "C" fn unshade_buffer_free(buffer: Option<Box<Buffer>>) {
    free(buffer);
}

/// Tells why a call failed. The texts in `*finding` live until the error is freed.
///
/// # Safety
///
/// `finding` points to a structure of its `size`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn unshade_error_get(error: Option<&Error>, finding: *mut Finding) -> Status {
    door(None, || {
        let error = error.ok_or_else(|| Failure::null("error"))?;
        // SAFETY: asked of the caller above.
        unsafe { pointers::finding(finding, &error.view()) }
    })
}

/// Frees an error. A null pointer is fine.
#[unsafe(no_mangle)]
pub extern "C" fn unshade_error_free(error: Option<Box<Error>>) {
    free(error);
}
