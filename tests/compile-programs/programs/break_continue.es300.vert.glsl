#version 300 es
// A loop over keyframes that skips unused ones and leaves at the first that lies ahead.
// range: inTime 0 4
precision highp float;
in vec3 inPosition;
in float inTime;
uniform mat4 mvp;
uniform vec4 keys[8];       // time, value, weight, used
out vec4 color;

void main()
{
    float value = 0.0;
    int seen = 0;
    for (int i = 0; i < 8; i++) {
        if (keys[i].w < 0.0003) {
            continue;
        }
        if (keys[i].x > inTime - 0.0003) {
            break;
        }
        value += keys[i].y * keys[i].z;
        seen++;
    }
    color = vec4(value * 0.25, float(seen) * 0.125, 0.0, 1.0);
    gl_Position = mvp * vec4(inPosition + vec3(0.0, value, 0.0), 1.0);
}
