#pragma once
uniform mat4 mvp;
vec4 transformed(vec3 p) { return mvp * vec4(p, 1.0); }
