#version 100
// example.shbin #0, for PICA200

precision mediump float;

struct Lights {
    vec3 color;
    vec3 direction;
};
uniform Lights lights[2];
struct Fog {
    vec4 color;
};
struct Scene {
    Fog fog;
    float exposure;
    float weights[3];
};
uniform Scene scene;
uniform mat3 u_normal;
uniform highp mat4 u_view;

varying vec3 v_normal;

void main() {
    vec3 n = normalize((u_view * vec4(u_normal * v_normal, 0.0)).xyz);
    vec3 sum = lights[0].color * max(dot(n, lights[0].direction), 0.0)
        + lights[1].color * max(dot(n, lights[1].direction), 0.0);
    sum *= scene.exposure * scene.weights[2];
    sum += (vec4(n, 0.0) * u_view).xyz + ((u_view * vec4(n.xy, 0.0, 0.0)).xyz + u_normal[1]);
    gl_FragColor = vec4(sum, 1.0) + scene.fog.color;
}
