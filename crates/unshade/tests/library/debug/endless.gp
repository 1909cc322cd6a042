; Runs for ever: 2 to the power of 0 is never 0.
.isa mali-gp
again:
   add0     add $0.x, a0.y -> $0.x
|| complex  exp2 a0.x
   pass     mov ^complex
|| branch   pass, again
