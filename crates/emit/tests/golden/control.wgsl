// example.shbin #0, for PICA200

struct VertexOutput {
    @builtin(position) position: vec4<f32>,
    @location(1) color: vec4<f32>,
}

@vertex
fn main(@location(0) a: vec4<f32>, @location(1) b: vec4<f32>) -> VertexOutput {
    var position: vec4<f32>;
    var color: vec4<f32>;

    var sum = 0f;
    let count = i32(a.x);
    for (var i = 0i; i < count; i = i + 1i) {
        if (sum >= 100f) {
            break;
        }
        sum = sum + f32(i);
    }
    for (var j = 8i; j > 0i; j = j + -2i) {
        if (sum >= 50f) {
            continue;
        }
        sum = sum + 0.5f;
    }
    if (sum >= 10f) {
        sum = sum + 1f;
    } else {
        if (sum >= 5f) {
            sum = sum + 2f;
        } else {
            if !((sum >= 1f)) {
                sum = sum + 3f;
            }
        }
    }
    while (sum < 7f) {
        sum = sum * 2f;
        sum = sum + 1f;
    }
    loop {
        sum = sum * 0.5f;
        continuing {
            break if !((sum >= 3f));
        }
    }
    loop {
        sum = sum + 1f;
        if (sum >= 4f) {
            break;
        }
    }
    switch count {
        case 0: {
            sum = sum + 1f;
        }
        case 1, -1: {
            let half = sum;
            sum = sum + half;
        }
        case 5: {
            if (sum >= 9f) {
                break;
            }
            sum = sum + 5f;
        }
        case 9: {
            return VertexOutput(position, color);
        }
        default: {
            sum = -(sum);
        }
    }
    if true {
    }
    if !(((sum >= 0f) || false)) {
        sum = sum + 6f;
    }
    if (sum >= 0f) {
        sum = sum + 6f;
    }
    color = vec4(sum);
    position = a;
    return VertexOutput(position, color);
}
