#version 450
// example.shbin #0, for PICA200

layout(location = 0) in vec4 a;
layout(location = 1) in vec4 b;

layout(location = 1) out vec4 color;

void main() {
    vec4 blend = a
        + a * b.wwww
        + b * a.wwww
        + a * b.wwww
        + b * a.wwww
        + a * b.wwww
        + b * a.wwww
        + a * b.wwww
        + b * a.wwww
        + a * b.wwww;
    vec4 corners = vec4(
        max(a.x * 0.123456 + 1000.25, a.x * 0.123456 + 1000.25),
        max(b.x * 0.123456 + 1000.25, a.x * 0.123456 + 1000.25),
        max(a.x * 0.123456 + 1000.25, a.x * 0.123456 + 1000.25),
        max(b.x * 0.123456 + 1000.25, a.x * 0.123456 + 1000.25)
    );
    if (a.x * 0.123456 + 1000.25 < b.x * 0.123456 + 1000.25
        && a.x * 0.123456 + 1000.25 < 10.0
        && b.x * 0.123456 + 1000.25 < 10.0
        && a.x * 0.123456 + 1000.25 < 10.0
        && b.x * 0.123456 + 1000.25 < 10.0
        && a.x * 0.123456 + 1000.25 < 10.0) {
        blend = corners;
    }
    float picked = a.x * 0.123456 + 1000.25 < b.x * 0.123456 + 1000.25
        ? (b.x * 0.123456 + 1000.25 < 2.0 ? a.x * 0.123456 + 1000.25 : b.x * 0.123456 + 1000.25)
        : (b.x * 0.123456 + 1000.25) * (a.x * 0.123456 + 1000.25);
    float distance_ = sqrt((a.x * 0.123456 + 1000.25) * (a.x * 0.123456 + 1000.25)
        + (b.x * 0.123456 + 1000.25) * (b.x * 0.123456 + 1000.25)
        + (a.x * 0.123456 + 1000.25) * (b.x * 0.123456 + 1000.25));
    color = blend + vec4(picked, distance_, 0.0, 1.0);
    gl_Position = a;
}
