#version 450
// example.shbin #0, for PICA200

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
uniform mat4 u_view;

in vec3 v_normal;

layout(location = 0) out vec4 fragColor;

void main() {
    vec3 n = normalize(mat3(u_view) * (u_normal * v_normal));
    vec3 sum = lights[0].color * max(dot(n, lights[0].direction), 0.0)
        + lights[1].color * max(dot(n, lights[1].direction), 0.0);
    sum *= scene.exposure * scene.weights[2];
    sum += n * mat3(u_view) + ((u_view * vec4(n.xy, 0.0, 0.0)).xyz + u_normal[1]);
    fragColor = vec4(sum, 1.0) + scene.fog.color;
}
