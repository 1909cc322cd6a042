"""unshade_inspect.py LIBRARY FILE [INPUTS.json [PLACE]]: what inspect.c does, from Python by ctypes.

LIBRARY is the shared library: libunshade_capi.so, libunshade_capi.dylib or unshade_capi.dll.
"""
import ctypes
import sys
from ctypes import POINTER, Structure, byref, c_char_p, c_size_t, c_uint32, c_uint64, c_void_p, sizeof

OK = 0
ABI_VERSION = 1
NO_OFFSET = 2**64 - 1
LIST_OFFSETS = 1
GLSL_450 = 0
KINDS = ["?", "vertex", "tess-control", "tess-eval", "geometry", "fragment", "compute"]
ISAS = ["?", "pica200", "mali-gp", "mali-pp", "latte", "maxwell"]
SEVERITIES = ["note", "warning", "error"]


class Text(Structure):
    _fields_ = [("data", c_void_p), ("len", c_size_t)]

    def __str__(self):
        return ctypes.string_at(self.data, self.len).decode()


class Sized(Structure):
    """A structure that says how large the caller knows it."""

    def __init__(self):
        super().__init__(size=sizeof(self))


class OpenOptions(Sized):
    _fields_ = [
        ("size", c_size_t),
        ("place", c_char_p),
        ("profile", c_char_p),
        ("state", c_char_p),
        ("dictionary", c_char_p),
        ("dictionary_size", c_size_t),
    ]


class StageInfo(Sized):
    _fields_ = [
        ("size", c_size_t),
        ("kind", c_uint32),
        ("isa", c_uint32),
        ("hash", c_uint64),
        ("code_offset", c_uint64),
        ("code_bytes", c_uint64),
        ("instructions", c_uint64),
        ("item", Text),
        ("name", Text),
    ]


class Finding(Sized):
    _fields_ = [
        ("size", c_size_t),
        ("severity", c_uint32),
        ("place", c_uint32),
        ("offset", c_uint64),
        ("end", c_uint64),
        ("code", Text),
        ("path", Text),
        ("message", Text),
        ("notes", Text),
    ]

    def __str__(self):
        line = f"{SEVERITIES[self.severity]}[{self.code}]"
        if self.offset != NO_OFFSET:
            line += f" at {self.offset:#x}"
        if self.path.len > 0:
            line += f" ({self.path})"
        line += f": {self.message}"
        return f"{line}\n  {self.notes}" if self.notes.len > 0 else line


def load(path):
    """The library, with what its functions take and give; whatever is not named gives a status."""
    library = ctypes.CDLL(path)
    pointer = POINTER(c_void_p)
    functions = {
        "abi_version": (c_uint32, []),
        "open": (c_uint32, [c_char_p, c_size_t, POINTER(OpenOptions), pointer, pointer]),
        "open_code": (c_uint32, [c_uint32, c_char_p, c_size_t, c_void_p, pointer, pointer]),
        "close": (None, [c_void_p]),
        "stage_count": (c_size_t, [c_void_p]),
        "stage_get": (c_uint32, [c_void_p, c_size_t, POINTER(StageInfo), pointer]),
        "check": (c_uint32, [c_void_p, pointer, pointer]),
        "findings_count": (c_size_t, [c_void_p]),
        "findings_get": (c_uint32, [c_void_p, c_size_t, POINTER(Finding)]),
        "findings_free": (None, [c_void_p]),
        "disassemble": (c_uint32, [c_void_p, c_size_t, c_uint32, pointer, pointer]),
        "decompile": (c_uint32, [c_void_p, c_size_t, c_uint32, c_uint32, pointer, pointer]),
        "run": (c_uint32, [c_void_p, c_size_t, c_char_p, c_uint64, pointer, pointer]),
        "buffer_data": (c_void_p, [c_void_p]),
        "buffer_len": (c_size_t, [c_void_p]),
        "buffer_free": (None, [c_void_p]),
        "error_get": (c_uint32, [c_void_p, POINTER(Finding)]),
        "error_free": (None, [c_void_p]),
    }
    for name, (gives, takes) in functions.items():
        function = getattr(library, f"unshade_{name}")
        function.restype, function.argtypes = gives, takes
    return library


class Failed(Exception):
    """A call that failed: its status, and what was found."""


def call(library, name, *arguments):
    """Calls a function that ends with `out` and `error`; gives what it put into `out`."""
    out, error = c_void_p(), c_void_p()
    status = getattr(library, f"unshade_{name}")(*arguments, byref(out), byref(error))
    if status == OK:
        return out
    found = Finding()
    library.unshade_error_get(error, byref(found))
    text = f"status {status}, {found}"
    library.unshade_error_free(error)
    raise Failed(text)


def take(library, buffer):
    """The text of a buffer, which is freed."""
    data = ctypes.string_at(library.unshade_buffer_data(buffer), library.unshade_buffer_len(buffer))
    library.unshade_buffer_free(buffer)
    return data.decode()


def main(library_path, path, inputs_path=None, place=None):
    library = load(library_path)
    if library.unshade_abi_version() != ABI_VERSION:
        sys.exit("the library is of another version than this script")
    isa = path.split("=")[0] if "=" in path else None
    with open(path.split("=")[-1], "rb") as file:
        data = file.read()
    inputs = None
    if inputs_path is not None:
        with open(inputs_path, "rb") as file:
            inputs = file.read()
    failures = 0
    out = sys.stdout
    try:
        if isa in ISAS:
            opened = call(library, "open_code", ISAS.index(isa), data, len(data), None)
        else:
            options = OpenOptions()
            options.place = place.encode() if place is not None else None
            opened = call(library, "open", data, len(data), byref(options))
    except Failed as error:
        out.write(f"open: {error}\n")
        return 1

    count = library.unshade_stage_count(opened)
    out.write(f"{count} programs\n")
    findings = call(library, "check", opened)
    out.write(f"-- check: {library.unshade_findings_count(findings)} findings\n")
    for index in range(library.unshade_findings_count(findings)):
        found = Finding()
        library.unshade_findings_get(findings, index, byref(found))
        out.write(f"{found}\n")
    library.unshade_findings_free(findings)

    for index in range(count):
        info = StageInfo()
        library.unshade_stage_get(opened, index, byref(info), None)
        out.write(
            f"== {info.item} {KINDS[info.kind]} {ISAS[info.isa]}, code at {info.code_offset:#x}: {info.code_bytes} bytes, "
            f'{info.instructions} instructions, hash {info.hash:016x}, entry "{info.name}"\n'
        )
        for what, *arguments in [("disassemble", LIST_OFFSETS), ("decompile", GLSL_450, 0), ("run", inputs, 0)]:
            try:
                text = take(library, call(library, what, opened, index, *arguments))
                out.write(f"-- {what}\n{text}")
            except Failed as error:
                out.write(f"{what}: {error}\n")
                failures += 1
    library.unshade_close(opened)
    return 1 if failures else 0


if __name__ == "__main__":
    if not 3 <= len(sys.argv) <= 5:
        sys.exit(__doc__)
    sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    sys.exit(main(*sys.argv[1:]))
