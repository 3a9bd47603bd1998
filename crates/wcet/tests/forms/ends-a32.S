@ From a pointer to an end pointer, as far as a byte of memory or an argument says. The pointer is
@ not known; the byte is tested before the end is computed, so the two must be seen to be one.
    .text

    .global ends_after
    .type ends_after, %function
ends_after:
    ldr r1, =from
    ldr r1, [r1]
    ldr r2, =length
    ldrb r2, [r2]
    ands r2, r2, #31
    beq 2f
    mov r0, #0
    add r2, r1, r2, lsl #2
1:  ldr r3, [r1]
    add r1, r1, #4
    add r0, r0, r3
    cmp r1, r2
    bne 1b
2:  bx lr
    .size ends_after, .-ends_after

    .global ends_post
    .type ends_post, %function
ends_post:
    ldr r1, =from
    ldr r1, [r1]
    ands r2, r0, #15
    beq 2f
    mov r0, #0
    add r2, r1, r2, lsl #2
1:  ldr r3, [r1], #4
    add r0, r0, r3
    cmp r1, r2
    bne 1b
2:  bx lr
    .size ends_post, .-ends_post

@ The pointer is moved by the load, before it.
    .global ends_before
    .type ends_before, %function
ends_before:
    ldr r1, =from
    ldr r1, [r1]
    ldr r2, =length
    ldrb r2, [r2]
    ands r2, r2, #31
    beq 2f
    sub r1, r1, #4
    mov r0, #0
    add r2, r1, r2, lsl #2
1:  ldr r3, [r1, #4]!
    cmp r1, r2
    add r0, r0, r3
    bne 1b
2:  bx lr
    .size ends_before, .-ends_before

@ The distance to the end is what the flags are of.
    .global ends_distance
    .type ends_distance, %function
ends_distance:
    ldr r1, =from
    ldr r1, [r1]
    ands r2, r0, #15
    beq 2f
    add r2, r1, r2
1:  ldrb r3, [r1], #1
    subs r3, r2, r1
    bne 1b
2:  bx lr
    .size ends_distance, .-ends_distance

    .global measure_all
measure_all:
    bx lr

    .data
    .balign 4
from: .word bytes
length: .byte 31
    .balign 4
bytes: .zero 256
