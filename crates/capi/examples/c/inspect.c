/* inspect FILE [INPUTS.json [PLACE]]
 *
 * Shows all that the C interface does with a file: lists its programs, checks it, and disassembles, decompiles and runs
 * each. FILE may be `pica200=CODE` (or another instruction set) for code without a container. PLACE is what stands behind
 * the file's name on Unshade's command line, as in `:Layout/x.szs:shader.sharcfb#toon`. The exit status is 1 where a call
 * failed, 2 where the file could not be read.
 */
#include "unshade.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Kinds and instruction sets by their numbers. */
static const char *const kinds[] = {"?", "vertex", "tess-control", "tess-eval", "geometry", "fragment", "compute"};
static const char *const isas[] = {"?", "pica200", "mali-gp", "mali-pp", "latte", "maxwell"};
static const char *const severities[] = {"note", "warning", "error"};

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

static int failures = 0;

static const char *name_of(const char *const *names, size_t count, uint32_t number) {
    return number < count ? names[number] : "?";
}

/* All bytes of a file with a zero byte behind them, or NULL. */
static char *read_file(const char *path, size_t *len) {
    FILE *file = fopen(path, "rb");
    char *bytes = NULL;
    long size;
    if (file == NULL) return NULL;
    if (fseek(file, 0, SEEK_END) == 0 && (size = ftell(file)) >= 0 && fseek(file, 0, SEEK_SET) == 0 &&
        (bytes = malloc((size_t)size + 1)) != NULL) {
        *len = fread(bytes, 1, (size_t)size, file);
        bytes[*len] = '\0';
    }
    fclose(file);
    return bytes;
}

/* A finding on one line: `error[shbin.dvle.magic] at 0x40 (dvle[0].magic): expected ..., found ...`. */
static void print_finding(const unshade_finding *found) {
    printf("%s[%s]", name_of(severities, COUNT(severities), found->severity), found->code.data);
    if (found->offset != UNSHADE_NO_OFFSET) printf(" at 0x%llx", (unsigned long long)found->offset);
    if (found->path.len > 0) printf(" (%s)", found->path.data);
    printf(": %s\n", found->message.data);
    if (found->notes.len > 0) printf("  %s\n", found->notes.data);
}

/* Says why a call failed. */
static void failed(const char *what, unshade_status status, unshade_error *error) {
    unshade_finding found = {0};
    found.size = sizeof(found);
    printf("%s: status %u, ", what, (unsigned)status);
    if (unshade_error_get(error, &found) == UNSHADE_STATUS_OK) {
        print_finding(&found);
    } else {
        printf("and no more is known\n");
    }
    unshade_error_free(error);
    failures++;
}

/* Prints what a call gave, or why it gave nothing. */
static void print_result(const char *what, unshade_status status, unshade_buffer *text, unshade_error *error) {
    if (status != UNSHADE_STATUS_OK) {
        failed(what, status, error);
        return;
    }
    printf("-- %s\n", what);
    fwrite(unshade_buffer_data(text), 1, unshade_buffer_len(text), stdout);
    unshade_buffer_free(text);
}

static void print_findings(const unshade_file *file) {
    unshade_findings *findings = NULL;
    unshade_error *error = NULL;
    unshade_status status = unshade_check(file, &findings, &error);
    size_t index;
    if (status != UNSHADE_STATUS_OK) {
        failed("check", status, error);
        return;
    }
    printf("-- check: %lu findings\n", (unsigned long)unshade_findings_count(findings));
    for (index = 0; index < unshade_findings_count(findings); index++) {
        unshade_finding found = {0};
        found.size = sizeof(found);
        if (unshade_findings_get(findings, index, &found) == UNSHADE_STATUS_OK) print_finding(&found);
    }
    unshade_findings_free(findings);
}

static void show(const unshade_file *file, size_t index, const char *inputs) {
    unshade_stage_info info = {0};
    unshade_buffer *text = NULL;
    unshade_error *error = NULL;
    unshade_status status;
    info.size = sizeof(info);
    status = unshade_stage_get(file, index, &info, &error);
    if (status != UNSHADE_STATUS_OK) {
        failed("stage", status, error);
        return;
    }
    printf("== %s %s %s, code at 0x%llx: %llu bytes, %llu instructions, hash %016llx, entry \"%s\"\n", info.item.data,
           name_of(kinds, COUNT(kinds), info.kind), name_of(isas, COUNT(isas), info.isa),
           (unsigned long long)info.code_offset, (unsigned long long)info.code_bytes,
           (unsigned long long)info.instructions, (unsigned long long)info.hash, info.name.data);

    status = unshade_disassemble(file, index, UNSHADE_LIST_OFFSETS, &text, &error);
    print_result("disassemble", status, text, error);

    status = unshade_decompile(file, index, UNSHADE_TARGET_GLSL450, 0, &text, &error);
    print_result("decompile", status, text, error);

    status = unshade_run(file, index, inputs, 0, &text, &error);
    print_result("run", status, text, error);
}

/* Opens a file, or with `ISA=` in front of its name bare code. */
static unshade_status open_bytes(const char *name, const char *bytes, size_t len, const char *place, unshade_file **file,
                                 unshade_error **error) {
    uint32_t isa;
    for (isa = 1; isa < COUNT(isas); isa++) {
        size_t front = strlen(isas[isa]);
        if (strncmp(name, isas[isa], front) == 0 && name[front] == '=') {
            return unshade_open_code(isa, (const uint8_t *)bytes, len, NULL, file, error);
        }
    }
    {
        unshade_open_options options = {0};
        options.size = sizeof(options);
        options.place = place;
        return unshade_open((const uint8_t *)bytes, len, &options, file, error);
    }
}

int main(int argc, char **argv) {
    const char *path;
    char *bytes, *inputs = NULL;
    size_t len = 0, inputs_len = 0, index;
    unshade_file *file = NULL;
    unshade_error *error = NULL;
    unshade_status status;
    if (argc < 2 || argc > 4) {
        fprintf(stderr, "usage: inspect FILE|ISA=CODE [INPUTS.json [PLACE]]\n");
        return 2;
    }
    if (unshade_abi_version() != UNSHADE_ABI_VERSION) {
        fprintf(stderr, "the header is of another version than the library\n");
        return 2;
    }
    path = strchr(argv[1], '=') != NULL ? strchr(argv[1], '=') + 1 : argv[1];
    bytes = read_file(path, &len);
    if (argc > 2) inputs = read_file(argv[2], &inputs_len);
    if (bytes == NULL || (argc > 2 && inputs == NULL)) {
        fprintf(stderr, "cannot read %s\n", bytes == NULL ? path : argv[2]);
        free(bytes);
        free(inputs);
        return 2;
    }

    status = open_bytes(argv[1], bytes, len, argc > 3 ? argv[3] : NULL, &file, &error);
    /* The library has its own copy. */
    free(bytes);
    if (status != UNSHADE_STATUS_OK) {
        failed("open", status, error);
    } else {
        printf("%lu programs\n", (unsigned long)unshade_stage_count(file));
        print_findings(file);
        for (index = 0; index < unshade_stage_count(file); index++) show(file, index, inputs);
    }
    unshade_close(file);
    free(inputs);
    return failures > 0 ? 1 : 0;
}
