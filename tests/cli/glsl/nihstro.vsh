// For another assembler.
.alias inpos v0
.alias outpos o0 as position
main:
    mov outpos, inpos
    nop
    end
