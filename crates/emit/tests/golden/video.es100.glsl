#version 100
// example.shbin #0, for PICA200

#extension GL_OES_EGL_image_external : require

precision mediump float;

uniform int u_count;
uniform bvec3 u_on;

uniform samplerExternalOES u_video;
uniform sampler2D u_planes[3];

varying vec2 v_uv;

void main() {
    gl_FragColor = vec4(0.0);
    vec4 sum = texture2D(u_planes[2], v_uv);
    for (int i = 0; i < u_count; i++) {
        sum *= float(i);
    }
    if (u_on.z) {
        gl_FragColor = sum + texture2D(u_video, v_uv);
    }
}
