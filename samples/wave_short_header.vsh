// in the language of the nihstro assembler
.alias inpos v0
.alias incol v1
.alias pos o0 as position
.alias col o1 as color
.alias tex o2.xy as texcoord0
.alias mvp c0-c3
.alias wave c4
.alias half c20 as (0.5, 0.25, 1.0, 2.0)

main:
    mov r1, half
    mul r0, wave, inpos
    add r0, r0, r1
    dp4 pos.x, mvp[0], inpos
    dp4 pos.y, mvp[1], inpos
    dp4 pos.z, mvp[2], inpos
    dp4 pos.w, mvp[3], inpos
    mov tex.xy, r0.xy
    mov col, incol
    nop
    end

endmain:
