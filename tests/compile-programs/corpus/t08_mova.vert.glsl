#version 450
// t08: indices from an attribute and from a table entry; the table is longer than in the assembly so that index + 31 stays inside.
// range: idx 0 22 integer
// range: pal 0 31 integer
in vec4 idx;
uniform vec4 pal[64];
out vec4 position;
out vec4 color;

void main()
{
    vec4 r0 = pal[int(idx.x)];
    vec4 r2 = pal[int(idx.z) + 31] + r0;
    vec4 r4 = vec4(greaterThanEqual(r0, pal[int(idx.w) + 9]));
    int chosen = int(pal[int(idx.w) + 3].y);
    position = max(pal[chosen], r2);
    color = r4;
}
