#version 460
// Four doubles that one way after the other changes stay doubles.
// lacks: unpackDouble2x32
// lacks: packDouble2x32
layout(location = 0) in vec4 position;
layout(location = 1) in vec4 limit;
layout(location = 0) out vec4 narrowed;

void main() {
    dvec4 sum = dvec4(position) * 0.5lf;
    for (int n = 0; n < 6; n++) {
        if (limit.x > float(n)) {
            sum = max(sum.ywxw, sum * double(position.y));
        } else if (limit.y > float(n)) {
            sum = dvec4(limit);
        }
    }
    gl_Position = position;
    narrowed = vec4(sum);
}
