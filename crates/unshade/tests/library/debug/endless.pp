; Adds for ever.
.isa mali-pp
again:
add.v1 $0, $0, $1 | br again
