// From a pointer to an end pointer, as far as a byte of memory or an argument says. The pointer is
// not known; the byte is tested before the end is computed, so the two must be seen to be one.
    .text

    .global ends_after
    .type ends_after, %function
ends_after:
    adrp x4, from
    ldr x0, [x4, :lo12:from]
    adrp x4, length
    ldrb w1, [x4, :lo12:length]
    cbz w1, 2f
    add x3, x0, x1
1:  ldrb w2, [x0]
    add x0, x0, #1
    cmp x0, x3
    b.ne 1b
2:  ret
    .size ends_after, .-ends_after

    .global ends_post
    .type ends_post, %function
ends_post:
    adrp x4, from
    ldr x0, [x4, :lo12:from]
    adrp x4, length
    ldrb w1, [x4, :lo12:length]
    cbz w1, 2f
    sub w1, w1, #1
    add x3, x0, #2
    add x3, x3, x1
    add x1, x0, #1
    mov w0, #0
1:  ldrb w2, [x1], #1
    eor w0, w0, w2
    cmp x1, x3
    b.ne 1b
    ret
2:  mov w0, #0
    ret
    .size ends_post, .-ends_post

// The end is a count of words away, and the pointer is moved by the load, before it.
    .global ends_before
    .type ends_before, %function
ends_before:
    adrp x4, from
    ldr x5, [x4, :lo12:from]
    ands w1, w0, #15
    b.eq 2f
    sub x5, x5, #4
    add x3, x5, w1, uxtw #2
    mov w0, #0
1:  ldr w2, [x5, #4]!
    cmp x5, x3
    add w0, w0, w2
    b.ne 1b
2:  ret
    .size ends_before, .-ends_before

// The distance to the end is what the flags are of.
    .global ends_distance
    .type ends_distance, %function
ends_distance:
    adrp x4, from
    ldr x5, [x4, :lo12:from]
    and w1, w0, #15
    cbz w1, 2f
    add x3, x5, w1, uxtw
1:  ldrb w2, [x5], #1
    subs x6, x3, x5
    b.ne 1b
2:  ret
    .size ends_distance, .-ends_distance

    .global measure_all
measure_all:
    ret

    .data
    .balign 8
from: .quad bytes
length: .byte 255
    .balign 4
bytes: .zero 256
