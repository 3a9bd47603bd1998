/* Functions that are called alike again and again, and what they must not be
 * taken to do because they did it before.
 *
 * Each function iterates 40 times at last, which it is told by its argument of
 * 40; where the analysis does not see how it came by that, it takes it for 4.
 */
#if __riscv_xlen == 64
#define SAVE "sd "
#define LOAD "ld "
#else
#define SAVE "sw "
#define LOAD "lw "
#endif

#define HELPER(name, body) \
    asm(".text\n.balign 4\n.type " #name ", @function\n" #name ":\n" body "\nret\n.size " #name ", . - " #name)

/* Calls it thrice; `before` each, and `after` each. The loop is as long as a0 says. */
#define CALLER(name, before, called, after) \
    asm(".text\n.balign 4\n.globl " #name "\n.type " #name ", @function\n" #name ":\n" \
        "addi sp, sp, -128\n" SAVE "ra, 120(sp)\n" SAVE "s0, 112(sp)\n" SAVE "s1, 104(sp)\n" \
        "mv s1, a0\n" \
        before "\ncall " called "\n" after "\n" \
        before "\ncall " called "\n" after "\n" \
        before "\ncall " called "\n" after "\n" \
        "1: addi a0, a0, -1\nbgtz a0, 1b\n" \
        LOAD "ra, 120(sp)\n" LOAD "s0, 112(sp)\n" LOAD "s1, 104(sp)\n" \
        "addi sp, sp, 128\nret\n.size " #name ", . - " #name)

/* The address of 64(sp), where a 4 is, is among its arguments on the stack. */
HELPER(argument, LOAD "a0, 0(sp)");
CALLER(alone_argument, "li a5, 4\nsw a5, 64(sp)\naddi a5, sp, 64\n" SAVE "a5, 0(sp)", "argument",
       "sw s1, 0(a0)\nlw a0, 64(sp)");

/* The same in the last of the calls only: what was executed before was harmless. */
asm(".text\n.balign 4\n.globl alone_last_argument\n.type alone_last_argument, @function\n"
    "alone_last_argument:\naddi sp, sp, -128\n" SAVE "ra, 120(sp)\n" SAVE "s1, 104(sp)\nmv s1, a0\n"
    "li a5, 4\nsw a5, 64(sp)\naddi a5, sp, 80\n" SAVE "a5, 0(sp)\n"
    "call argument\nsw s1, 0(a0)\ncall argument\nsw s1, 0(a0)\ncall argument\nsw s1, 0(a0)\n"
    "addi a5, sp, 64\n" SAVE "a5, 0(sp)\ncall argument\nsw s1, 0(a0)\nlw a0, 64(sp)\n"
    "1: addi a0, a0, -1\nbgtz a0, 1b\n" LOAD "ra, 120(sp)\n" LOAD "s1, 104(sp)\n"
    "addi sp, sp, 128\nret\n.size alone_last_argument, . - alone_last_argument");

/* It stores above its frame. */
HELPER(put, "sw a0, 64(sp)");
CALLER(alone_put, "li a5, 4\nsw a5, 64(sp)\nmv a0, s1", "put", "lw a0, 64(sp)");

/* It stores where something was known below the caller's frame. */
HELPER(leave, "addi sp, sp, -16\nsw a0, 8(sp)\naddi sp, sp, 16");
CALLER(alone_leave, "li a5, 4\nsw a5, -8(sp)\nmv a0, s1", "leave", "lw a0, -8(sp)");

/* A function that it calls does. */
HELPER(around, "addi sp, sp, -16\n" SAVE "ra, 8(sp)\ncall leave\ncall leave\ncall leave\n"
       LOAD "ra, 8(sp)\naddi sp, sp, 16");
CALLER(alone_around, "li a5, 4\nsw a5, -24(sp)\nmv a0, s1", "around", "lw a0, -24(sp)");

/* It may have left the address that was there. */
HELPER(perhaps, "beqz a0, 2f\naddi sp, sp, -16\n" SAVE "zero, 8(sp)\naddi sp, sp, 16\n2:");
CALLER(alone_perhaps,
       "li a5, 4\nsw a5, 64(sp)\naddi a5, sp, 64\n" SAVE "a5, -8(sp)\naddi a0, s1, -40", "perhaps",
       LOAD "a5, -8(sp)\nsw s1, 0(a5)\nlw a0, 64(sp)");

/* It tells an address in the stack in other words, or one that its caller keeps: on a path on
 * which it was not called before.
 */
#define CALLER_ELSEWHERE(name, before, called, after) \
    CALLER(name, before "\nli a5, 40\nbeq s1, a5, 2f", called, \
           "call " called "\ncall " called "\nli a0, 1\nj 1f\n2: call " called "\n" after)
HELPER(hide, "xori a0, sp, 1");
CALLER_ELSEWHERE(alone_hide, "li a5, 4\nsw a5, 0(sp)", "hide",
                 "xori a0, a0, 1\nsw s1, 0(a0)\nlw a0, 0(sp)");
HELPER(hide_kept, "xori a0, s0, 1");
CALLER_ELSEWHERE(alone_hide_kept, "addi s0, sp, 64\nli a5, 4\nsw a5, 64(sp)", "hide_kept",
                 "xori a0, a0, 1\nsw s1, 0(a0)\nlw a0, 64(sp)");

/* It gives that one, or another one. */
HELPER(mix, "addi sp, sp, -16\n" SAVE "s0, 8(sp)\nbeqz a0, 2f\n" SAVE "sp, 8(sp)\n2:" LOAD "a0, 8(sp)\n"
       "addi sp, sp, 16");
CALLER(alone_mix, "addi s0, sp, -64\nli a5, 4\nsw a5, -64(sp)\naddi a0, s1, -40", "mix",
       "sw s1, 0(a0)\nlw a0, -64(sp)");

/* It gives that one back in other registers, or a part of it. */
HELPER(give_kept, "mv a0, s0");
CALLER(alone_give_kept, "addi s0, sp, 64\nli a5, 4\nsw a5, 64(sp)", "give_kept",
       "sw s1, 0(a0)\nlw a0, 64(sp)");
HELPER(save_kept, "addi sp, sp, -16\n" SAVE "s0, 8(sp)\n" LOAD "a0, 8(sp)\naddi sp, sp, 16");
CALLER(alone_save_kept, "addi s0, sp, 64\nli a5, 4\nsw a5, 64(sp)", "save_kept",
       "sw s1, 0(a0)\nlw a0, 64(sp)");

/* It compares that one: it is below its frame. */
HELPER(compare_kept, "sltu a0, s0, sp\nslli a0, a0, 5\naddi a0, a0, 8");
CALLER(alone_compare_kept, "addi s0, sp, -64", "compare_kept", "");
HELPER(branch_kept, "bltu s0, sp, 2f\nli a0, 4\nret\n2: li a0, 40");
CALLER(alone_branch_kept, "addi s0, sp, -64", "branch_kept", "");

/* It depends on numbers that are others each time. */
HELPER(twice, "slli a0, a0, 1");
CALLER(alone_numbers, "mv a0, s1\nli a5, 20\nbge a5, a0, 2f\nmv a0, a5\n2:", "twice", "");

/* The caller's numbers are what they were, and it has a bound. */
HELPER(nothing, "addi sp, sp, -16\n" SAVE "s0, 8(sp)\n" SAVE "s1, 0(sp)\nli s0, 3\nli s1, 3\n"
       LOAD "s0, 8(sp)\n" LOAD "s1, 0(sp)\naddi sp, sp, 16");
CALLER(stay_kept, "li s0, 40\nli s1, 5", "nothing", "mv a0, s0");
CALLER(stay_address, "addi s0, sp, 64\nli a5, 40\nsw a5, 0(s0)", "nothing", "lw a0, 0(s0)");
