// Both boards around the VexRiscv Linux core, in one program: compiling what Verilator makes of
// the core takes most of a minute, and it is the same for both.

int main(int count, char **arguments) {
    const bool named = count > 1;
    if (named && strcmp(arguments[1], "program") == 0) return programs::run(count - 1, arguments + 1);
    if (named && strcmp(arguments[1], "system") == 0) return systems::run(count - 1, arguments + 1);
    fprintf(stderr, "usage: %s program|system ...\n", arguments[0]);
    return BAD_INPUT;
}
