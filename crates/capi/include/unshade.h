/* The C interface of Unshade: compiled shaders of consoles and mobile GPUs opened, listed, checked, disassembled, decompiled
 * and run. Made from the Rust sources by cbindgen; docs/c.md says what holds. MIT or Apache-2.0. */


#ifndef UNSHADE_H
#define UNSHADE_H

#include <stddef.h>
#include <stdint.h>

/**
 * Version of the interface. It changes only when something that compiles or runs with an older header would no longer
 * do so; functions, values and fields at the end of structures come without a new one.
 */
#define UNSHADE_ABI_VERSION 1

/**
 * Maxwell: the program header of 80 bytes is in front of the code, as the GPU finds it in memory. It says which stage the
 * program is for and what it reads and writes.
 */
#define UNSHADE_CODE_HEADER 1

/**
 * Bit-exact instead of readable.
 */
#define UNSHADE_DECOMPILE_STRICT 1

/**
 * GLSL says by OpenGL's rules where resources are.
 */
#define UNSHADE_DECOMPILE_OPENGL 2

/**
 * GLSL 4.50 says by Vulkan's rules where resources are.
 */
#define UNSHADE_DECOMPILE_VULKAN 4

/**
 * Instead of the source the document of `unshade decompile --json`: the source with its inputs, outputs and uniforms, and
 * the machine words that they stand for.
 */
#define UNSHADE_DECOMPILE_JSON 8

/**
 * Behind each instruction the offset of its word in the file.
 */
#define UNSHADE_LIST_OFFSETS 1

/**
 * Behind each instruction its word.
 */
#define UNSHADE_LIST_WORDS 2

/**
 * Without what the control words of Maxwell say.
 */
#define UNSHADE_LIST_NO_CONTROL 4

/**
 * What an offset is where there is none.
 */
#define UNSHADE_NO_OFFSET UINT64_MAX

/**
 * What a call came to.
 */
enum unshade_status
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * It did what it was asked for.
     */
    UNSHADE_STATUS_OK = 0,
    /**
     * An argument is wrong: a null pointer, an index too large, a number that means nothing, a text that is no UTF-8.
     */
    UNSHADE_STATUS_ARGUMENT = 1,
    /**
     * The bytes are none of the known formats.
     */
    UNSHADE_STATUS_UNKNOWN_FORMAT = 2,
    /**
     * The bytes end too early or contradict themselves.
     */
    UNSHADE_STATUS_DAMAGED = 3,
    /**
     * A known format, version or machine that this version does not take.
     */
    UNSHADE_STATUS_UNSUPPORTED = 4,
    /**
     * A count, a size, a depth or the work goes past a limit.
     */
    UNSHADE_STATUS_LIMIT = 5,
    /**
     * Nothing in the file has the name that was asked for.
     */
    UNSHADE_STATUS_UNKNOWN_NAME = 6,
    /**
     * The program cannot be said in the language that was asked for.
     */
    UNSHADE_STATUS_NOT_DECOMPILED = 7,
    /**
     * The JSON that was given is not what it should be.
     */
    UNSHADE_STATUS_INPUTS = 8,
    /**
     * A mistake in the library. The call had no effect, what was open stays usable.
     */
    UNSHADE_STATUS_INTERNAL = 9,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum unshade_status unshade_status;
#else
typedef uint32_t unshade_status;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * How bad a finding is.
 */
enum unshade_severity
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * Worth knowing, nothing is wrong.
     */
    UNSHADE_SEVERITY_NOTE = 0,
    /**
     * Legal, but probably not what was meant, or known to upset some loader.
     */
    UNSHADE_SEVERITY_WARNING = 1,
    /**
     * A loader or the hardware will reject or misread it.
     */
    UNSHADE_SEVERITY_ERROR = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum unshade_severity unshade_severity;
#else
typedef uint32_t unshade_severity;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * What an offset counts.
 */
enum unshade_place
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * Nothing: it is about the whole file, or an argument.
     */
    UNSHADE_PLACE_NONE = 0,
    /**
     * Bytes from the start of the file; of one in an archive, from the start of that file.
     */
    UNSHADE_PLACE_BYTES = 1,
    /**
     * Bytes of a text that was given.
     */
    UNSHADE_PLACE_TEXT = 2,
    /**
     * Words of 32 bits from the start of the code.
     */
    UNSHADE_PLACE_WORDS = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum unshade_place unshade_place;
#else
typedef uint32_t unshade_place;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * Which step of the pipeline a program is for.
 */
enum unshade_kind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * Not said; nothing that is open has it.
     */
    UNSHADE_KIND_UNKNOWN = 0,
    /**
     * Runs once for each vertex.
     */
    UNSHADE_KIND_VERTEX = 1,
    /**
     * Tessellation control (hull).
     */
    UNSHADE_KIND_TESS_CONTROL = 2,
    /**
     * Tessellation evaluation (domain).
     */
    UNSHADE_KIND_TESS_EVAL = 3,
    /**
     * Runs once for each primitive and emits vertices.
     */
    UNSHADE_KIND_GEOMETRY = 4,
    /**
     * Runs once for each pixel.
     */
    UNSHADE_KIND_FRAGMENT = 5,
    /**
     * Compute.
     */
    UNSHADE_KIND_COMPUTE = 6,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum unshade_kind unshade_kind;
#else
typedef uint32_t unshade_kind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * An instruction set.
 */
enum unshade_isa
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * One that this interface has no number for.
     */
    UNSHADE_ISA_UNKNOWN = 0,
    /**
     * Nintendo 3DS shader units.
     */
    UNSHADE_ISA_PICA200 = 1,
    /**
     * Vertex processor of Mali-200 and Mali-400.
     */
    UNSHADE_ISA_MALI_GP = 2,
    /**
     * Pixel processor of Mali-200 and Mali-400.
     */
    UNSHADE_ISA_MALI_PP = 3,
    /**
     * The Wii U's GPU7.
     */
    UNSHADE_ISA_LATTE = 4,
    /**
     * The Switch's GPU.
     */
    UNSHADE_ISA_MAXWELL = 5,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum unshade_isa unshade_isa;
#else
typedef uint32_t unshade_isa;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * A language to decompile to.
 */
enum unshade_target
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * GLSL 4.50.
     */
    UNSHADE_TARGET_GLSL450 = 0,
    /**
     * GLSL 3.30.
     */
    UNSHADE_TARGET_GLSL330 = 1,
    /**
     * GLSL ES 3.00.
     */
    UNSHADE_TARGET_GLSL_ES300 = 2,
    /**
     * GLSL ES 1.00.
     */
    UNSHADE_TARGET_GLSL_ES100 = 3,
    /**
     * WebGPU's language.
     */
    UNSHADE_TARGET_WGSL = 4,
    /**
     * Direct3D's language.
     */
    UNSHADE_TARGET_HLSL = 5,
    /**
     * Metal's language.
     */
    UNSHADE_TARGET_MSL = 6,
    /**
     * SPIR-V, a binary.
     */
    UNSHADE_TARGET_SPIRV = 7,
    /**
     * The library's intermediate representation as text.
     */
    UNSHADE_TARGET_IR = 8,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum unshade_target unshade_target;
#else
typedef uint32_t unshade_target;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * Bytes that were made for the caller: a text, or the words of a SPIR-V binary.
 */
typedef struct unshade_buffer unshade_buffer;

/**
 * Why a call failed.
 */
typedef struct unshade_error unshade_error;

/**
 * Programs that are open, with what they came from. Nothing about it changes until it is closed, so any number of threads
 * may use it at once.
 */
typedef struct unshade_file unshade_file;

/**
 * The findings of a check, most severe first, then by place.
 */
typedef struct unshade_findings unshade_findings;

/**
 * How a file is opened. Everything that is zero is left to the library; a null pointer in place of the structure leaves
 * all of it.
 */
typedef struct unshade_open_options {
    /**
     * Size of this structure as the caller knows it, in bytes: `sizeof(unshade_open_options)`.
     */
    size_t size;
    /**
     * What is wanted of the file, in the words that stand behind its name on the command line:
     * `:Layout/x.szs:shader.sharcfb#toon/3`, `#1`. Null: all of it.
     */
    const char *place;
    /**
     * Who numbers resources: `gx2`, `mesa`, `cemu` (Wii U), `nvn`, `uam` (Switch). Null: what the file says.
     */
    const char *profile;
    /**
     * What surrounds programs of the Wii U beside what their file says, as a JSON object (docs/state.md). Null: nothing.
     */
    const char *state;
    /**
     * A zstd dictionary or an archive with some, for what was compressed with them. Null: none.
     */
    const uint8_t *dictionary;
    /**
     * How many bytes that are.
     */
    size_t dictionary_size;
} unshade_open_options;

/**
 * What is known of bare code. Everything that is zero is left to the library; a null pointer in place of the structure
 * leaves all of it.
 */
typedef struct unshade_code_options {
    /**
     * Size of this structure as the caller knows it, in bytes: `sizeof(unshade_code_options)`.
     */
    size_t size;
    /**
     * `UNSHADE_CODE_...`, or'ed together.
     */
    uint32_t flags;
    /**
     * What the program is for, an `unshade_kind`. 0: what its header or its code shows.
     */
    uint32_t kind;
    /**
     * Where it starts, in words of 32 bits from the start of the code.
     */
    uint32_t entry;
    /**
     * Must be 0.
     */
    uint32_t reserved;
    /**
     * PICA200: operand descriptors (`OPDESC`), which the instructions index. Null: none.
     */
    const uint32_t *descriptors;
    /**
     * How many there are.
     */
    size_t descriptor_count;
    /**
     * Who numbers resources: `gx2`, `mesa`, `cemu` (Wii U), `nvn`, `uam` (Switch). Null: the library's choice.
     */
    const char *profile;
    /**
     * Wii U: the registers and resources around the program, as a JSON object (docs/state.md). Null: nothing.
     */
    const char *state;
} unshade_code_options;

/**
 * Text in UTF-8 that belongs to the object it was asked of, and lives as long as that.
 */
typedef struct unshade_text {
    /**
     * The bytes, with a zero byte behind them. Never a null pointer. Names in files may hold zero bytes too; `len` counts
     * them.
     */
    const char *data;
    /**
     * How many bytes there are, without the zero byte behind them.
     */
    size_t len;
} unshade_text;

/**
 * What one program is. The caller sets `size`; texts live as long as the file is open.
 */
typedef struct unshade_stage_info {
    /**
     * Size of this structure as the caller knows it, in bytes: `sizeof(unshade_stage_info)`.
     */
    size_t size;
    /**
     * Which step of the pipeline it is for, an `unshade_kind`.
     */
    uint32_t kind;
    /**
     * Its instruction set, an `unshade_isa`.
     */
    uint32_t isa;
    /**
     * Hash of everything that decides what it computes: code, entry, constants that its file sets. That of `unshade ls`.
     */
    uint64_t hash;
    /**
     * Where its code starts, in bytes from the start of its container.
     */
    uint64_t code_offset;
    /**
     * Size of its code in bytes. Programs of one file may share code.
     */
    uint64_t code_bytes;
    /**
     * Instructions in that code.
     */
    uint64_t instructions;
    /**
     * What stands behind the file on the command line to name it: `#0`, `:x.szs:shader.sharcfb#toon/3/pixel`.
     */
    struct unshade_text item;
    /**
     * Name of the entry point. Empty where the file has none.
     */
    struct unshade_text name;
} unshade_stage_info;

/**
 * Something that was found, with its place: one finding of a check, or what stopped a call.
 *
 * The caller sets `size`. Texts live as long as the object that was asked.
 */
typedef struct unshade_finding {
    /**
     * Size of this structure as the caller knows it, in bytes: `sizeof(unshade_finding)`.
     */
    size_t size;
    /**
     * How bad it is, an `unshade_severity`.
     */
    uint32_t severity;
    /**
     * What `offset` counts, an `unshade_place`.
     */
    uint32_t place;
    /**
     * Where it starts; `UNSHADE_NO_OFFSET` where it is about no place.
     */
    uint64_t offset;
    /**
     * Where it ends; as `offset` where it is about a point.
     */
    uint64_t end;
    /**
     * Stable name of the kind of finding: `shbin.dvle.magic`.
     */
    struct unshade_text code;
    /**
     * Path of the field: `dvle[0].constants`, with the name of the file inside of an archive in front. May be empty.
     */
    struct unshade_text path;
    /**
     * What was expected and what was found.
     */
    struct unshade_text message;
    /**
     * Further sentences, one a line. May be empty.
     */
    struct unshade_text notes;
} unshade_finding;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * Version of the interface that the library has: `UNSHADE_ABI_VERSION` of the header that it was built with.
 */
uint32_t unshade_abi_version(void);

/**
 * Version of the library, as in `0.1.0`. Lives for ever.
 */
const char *unshade_version(void);

/**
 * Opens the `len` bytes of a file: a container, an archive or a compressed file around such, or a file in which they lie.
 * The bytes are copied and may go when this returns. That there are no programs in it is no error; `unshade_check` says
 * what else there is, and which files in an archive are damaged.
 *
 * `options` may be null. `*file` gets the file, which `unshade_close` frees, or null. `error` may be null, as everywhere;
 * `*error` gets why it failed, which `unshade_error_free` frees, or null where it did not.
 *
 * # Safety
 *
 * `bytes` points to `len` bytes, `options` to a structure of its `size` or nothing, its pointers to what it says.
 */
unshade_status unshade_open(const uint8_t *bytes,
                            size_t len,
                            const struct unshade_open_options *options,
                            struct unshade_file **file,
                            struct unshade_error **error);

/**
 * Opens bare code of an instruction set (an `unshade_isa`): `len` bytes, the least significant byte of each word first.
 * What is open then has one program. Otherwise as `unshade_open`.
 *
 * # Safety
 *
 * As `unshade_open`.
 */
unshade_status unshade_open_code(uint32_t isa,
                                 const uint8_t *bytes,
                                 size_t len,
                                 const struct unshade_code_options *options,
                                 struct unshade_file **file,
                                 struct unshade_error **error);

/**
 * Closes a file, and frees all that was told of it by `unshade_stage_get`. What it gave away (buffers, findings, errors)
 * stays. A null pointer is fine.
 */
void unshade_close(struct unshade_file *file);

/**
 * How many programs are open; 0 for a null pointer.
 */
size_t unshade_stage_count(const struct unshade_file *file);

/**
 * Tells what the program at an index is. The texts in `*info` live until the file is closed.
 *
 * # Safety
 *
 * `info` points to a structure of its `size`.
 */
unshade_status unshade_stage_get(const struct unshade_file *file,
                                 size_t index,
                                 struct unshade_stage_info *info,
                                 struct unshade_error **error);

/**
 * Checks the container and the code of all that is open. `*findings` gets the list, empty where nothing is wrong, which
 * `unshade_findings_free` frees.
 */
unshade_status unshade_check(const struct unshade_file *file,
                             struct unshade_findings **findings,
                             struct unshade_error **error);

/**
 * How many findings there are; 0 for a null pointer.
 */
size_t unshade_findings_count(const struct unshade_findings *findings);

/**
 * Tells a finding. The texts in `*finding` live until the list is freed.
 *
 * # Safety
 *
 * `finding` points to a structure of its `size`.
 */
unshade_status unshade_findings_get(const struct unshade_findings *findings,
                                    size_t index,
                                    struct unshade_finding *finding);

/**
 * Frees findings. A null pointer is fine.
 */
void unshade_findings_free(struct unshade_findings *findings);

/**
 * Lists the instructions of the program at an index, in the text that `unshade disasm` prints and `unshade asm` takes.
 * `flags` are `UNSHADE_LIST_...`, or'ed together. `*text` gets the listing, which `unshade_buffer_free` frees.
 */
unshade_status unshade_disassemble(const struct unshade_file *file,
                                   size_t index,
                                   uint32_t flags,
                                   struct unshade_buffer **text,
                                   struct unshade_error **error);

/**
 * Decompiles the program at an index. `target` is an `unshade_target`, `flags` are `UNSHADE_DECOMPILE_...`, or'ed together.
 * `*source` gets the text, or the bytes of a SPIR-V binary, which `unshade_buffer_free` frees.
 */
unshade_status unshade_decompile(const struct unshade_file *file,
                                 size_t index,
                                 uint32_t target,
                                 uint32_t flags,
                                 struct unshade_buffer **source,
                                 struct unshade_error **error);

/**
 * Runs the program at an index on the CPU. `inputs` is a JSON document `unshade-run-1` (docs/run-json.md), or only the
 * object behind its `in`; null: all inputs are 0. Each case may take `fuel` instructions, 0 stands for a million. `*outputs`
 * gets the document with the results, which `unshade_buffer_free` frees; a case that did not end says why in `unfinished`.
 *
 * # Safety
 *
 * `inputs` points to a text with a zero byte behind it, or nothing.
 */
unshade_status unshade_run(const struct unshade_file *file,
                           size_t index,
                           const char *inputs,
                           uint64_t fuel,
                           struct unshade_buffer **outputs,
                           struct unshade_error **error);

/**
 * The bytes of a buffer, with a zero byte behind them that `unshade_buffer_len` does not count. An empty text for a null
 * pointer.
 */
const char *unshade_buffer_data(const struct unshade_buffer *buffer);

/**
 * How many bytes a buffer has; 0 for a null pointer.
 */
size_t unshade_buffer_len(const struct unshade_buffer *buffer);

/**
 * Frees a buffer. A null pointer is fine.
 */
void unshade_buffer_free(struct unshade_buffer *buffer);

/**
 * Tells why a call failed. The texts in `*finding` live until the error is freed.
 *
 * # Safety
 *
 * `finding` points to a structure of its `size`.
 */
unshade_status unshade_error_get(const struct unshade_error *error, struct unshade_finding *finding);

/**
 * Frees an error. A null pointer is fine.
 */
void unshade_error_free(struct unshade_error *error);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* UNSHADE_H */
