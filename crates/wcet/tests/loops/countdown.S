# A loop that is left one iteration after `s0` has come to the number that it is compared with; `s1`
# counts as well, and comes back through one of several branches.

    .text
    .globl measure_all, loop_countdown
measure_all:
    mv s2, ra
    la a0, loop_countdown
    call count
    mv ra, s2
    ret
loop_countdown:
    li s0, ROUNDS
    li s1, ROUNDS - 1
    li t4, 2
1:  mv t0, s0
    addi s0, s0, -1
    bltu t0, t4, 3f
    addi t1, s1, -1
    beqz t1, 2f
    li t2, 2
    beq s1, t2, 2f
    li t2, 3
    beq s1, t2, 2f
    addi zero, zero, 0
2:  mv s1, t1
    j 1b
3:  ret
