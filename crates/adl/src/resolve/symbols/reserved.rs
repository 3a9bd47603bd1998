//! Names that C code cannot give to something else.
//!
//! The generated header includes a good part of the C library, so whatever that
//! declares is taken, besides the language's own words. Names that begin with
//! `fusee_` are the runtime's.

/// Keywords of C with GNU's, and macros of the headers that every component gets.
#[rustfmt::skip]
const WORDS: &[&str] = &[
    "NULL", "asm", "assert", "auto", "bool", "break", "case", "char", "const", "continue",
    "default", "do", "double", "else", "enum", "errno", "extern", "false", "float", "for",
    "goto", "if", "inline", "int", "long", "offsetof", "register", "restrict", "return",
    "short", "signed", "sizeof", "static", "static_assert", "struct", "switch", "true",
    "typedef", "typeof", "union", "unsigned", "void", "volatile", "while",
];

/// The names that the headers of every component declare.
#[rustfmt::skip]
const TAKEN: &[&str] = &[
    "FILE", "a64l", "abort", "abs", "aligned_alloc", "arc4random", "arc4random_buf",
    "arc4random_uniform", "asprintf", "at_quick_exit", "atexit", "atof", "atoff", "atoi",
    "atol", "atoll", "bcmp", "bcopy", "bool", "bsearch", "bzero", "calloc", "cfree", "clearerr",
    "dataport_unwrap_ptr", "dataport_wrap_ptr", "div", "drand48", "erand48", "exit",
    "explicit_bzero", "fclose", "fdevopen", "fdopen", "feof", "ferror", "fflush", "ffs", "ffsl",
    "ffsll", "fgetc", "fgetpos", "fgets", "fileno", "fls", "flsl", "flsll", "fmemopen", "fopen",
    "fprintf", "fputc", "fputs", "fread", "free", "freopen", "fscanf", "fseek", "fseeko",
    "fsetpos", "ftell", "ftello", "fwrite", "get_instance_affinity", "get_instance_name",
    "getc", "getchar", "getenv", "gets", "getsubopt", "imaxabs", "imaxdiv", "index",
    "initstate", "int16_t", "int32_t", "int64_t", "int8_t", "intptr_t", "itoa", "jrand48",
    "l64a", "labs", "lcong48", "ldiv", "llabs", "lldiv", "lrand48", "main", "malloc", "mblen",
    "mbstowcs", "mbtowc", "memccpy", "memchr", "memcmp", "memcpy", "memmove", "memset",
    "mkdtemp", "mkstemp", "mkstemps", "mktemp", "mrand48", "nrand48", "off_t", "on_exit",
    "perror", "posix_memalign", "post_init", "pre_init", "printf", "putc", "putchar", "putenv",
    "puts", "qsort", "qsort_r", "quick_exit", "rand", "rand_r", "random", "realloc",
    "reallocarray", "reallocf", "realpath", "remove", "rename", "rewind", "rindex", "rpmatch",
    "scanf", "seL4_Yield", "seed48", "setbuf", "setbuffer", "setenv", "setlinebuf", "setstate",
    "setvbuf", "size_t", "snprintf", "sprintf", "srand", "srand48", "srandom", "sscanf",
    "ssize_t", "stderr", "stdin", "stdout", "stpcpy", "stpncpy", "strcasecmp", "strcasecmp_l",
    "strcat", "strchr", "strcmp", "strcoll", "strcoll_l", "strcpy", "strcspn", "strdup",
    "strerror", "strerror_l", "strerror_r", "strfromd", "strfromf", "strfroml", "strlcat",
    "strlcpy", "strlen", "strlwr", "strncasecmp", "strncasecmp_l", "strncat", "strncmp",
    "strncpy", "strndup", "strnlen", "strnstr", "strpbrk", "strrchr", "strsep", "strsignal",
    "strspn", "strstr", "strtod", "strtof", "strtoimax", "strtoimax_l", "strtok", "strtok_r",
    "strtol", "strtold", "strtoll", "strtoul", "strtoull", "strtoumax", "strtoumax_l", "strupr",
    "strxfrm", "strxfrm_l", "system", "time_t", "timingsafe_bcmp", "timingsafe_memcmp",
    "tmpfile", "tmpnam", "uint16_t", "uint32_t", "uint64_t", "uint8_t", "uintptr_t", "ungetc",
    "unsetenv", "utoa", "va_list", "valloc", "vasprintf", "vfprintf", "vfscanf", "vprintf",
    "vscanf", "vsnprintf", "vsprintf", "vsscanf", "wchar_t", "wcstoimax", "wcstoimax_l",
    "wcstombs", "wcstoumax", "wcstoumax_l", "wctomb",
];

/// Local names of generated functions that have parameters.
#[rustfmt::skip]
const LOCALS: &[&str] = &[
    "a0_", "a1_", "a2_", "a3_", "a4_", "a5_", "error_", "further_", "message_", "o_", "r_",
    "result_",
    "w_", "words_",
];

/// Returns `true` if a name can stand for nothing in C.
pub(super) fn is_word(name: &str) -> bool {
    WORDS.binary_search(&name).is_ok()
}

/// Returns `true` if a function or variable cannot have this name.
pub(super) fn is_taken(name: &str) -> bool {
    TAKEN.binary_search(&name).is_ok() || name.starts_with("fusee_") || name.starts_with("__fusee_")
}

/// Returns `true` if a parameter cannot have this name, because generated code uses it beside
/// parameters.
pub(super) fn is_local(name: &str) -> bool {
    LOCALS.binary_search(&name).is_ok() || name.starts_with("fusee_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_in_order() {
        for list in [WORDS, TAKEN, LOCALS] {
            assert!(list.is_sorted());
        }
        assert!(is_word("register") && !is_word("pump"));
        assert!(is_taken("index") && is_taken("fusee_call") && !is_taken("pump_run"));
        assert!(is_local("r_") && !is_local("r"));
    }
}
