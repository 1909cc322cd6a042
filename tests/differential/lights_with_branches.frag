#version 460
// A loop over structures with branches in its passes that the compiler wrote out; the first pass adds to nothing.
// has: for (int i = 0; i < 4; i++)
// has: items[4];
// lacks: floatBits
// hint: enabled 0 1
// hint: kind 0 2
layout(location = 0) in vec3 place;
layout(location = 1) in vec3 normal;
struct Light { int enabled; int kind; vec3 position; vec3 target; vec4 color; };
layout(std140, binding = 0) uniform U { vec4 tint; Light lights[4]; vec4 ambient; };
layout(location = 0) out vec4 o;

void main() {
    vec3 n = normalize(normal + vec3(0.0, 0.0, 3.0));
    vec3 diffuse = vec3(0.0);
    float shine = 0.0;
    for (int i = 0; i < 4; i++) {
        if (lights[i].enabled == 1) {
            vec3 light = vec3(0.25, 0.5, 0.75);
            if (lights[i].kind == 0) light = lights[i].target - lights[i].position;
            if (lights[i].kind == 1) light = lights[i].position - place;
            float cosine = max(dot(n, light), 0.0);
            diffuse += lights[i].color.rgb * cosine;
            float more = 0.0;
            if (cosine > 0.0) more = cosine * cosine + light.x;
            shine += more;
        }
    }
    o = vec4(diffuse + shine, 1.0) * tint + ambient;
}
