# Keeps data away from code: what is fetched the wrong way behind the last return is no data.
    .text
    .balign 4
    .rept 16
    nop
    .endr
