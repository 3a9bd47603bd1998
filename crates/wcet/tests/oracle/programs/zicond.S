# Instructions that keep a number or give 0.
    .text
    czero.eqz a0, a1, a2
    czero.nez a0, a1, a2
    czero.eqz a0, a1, zero
