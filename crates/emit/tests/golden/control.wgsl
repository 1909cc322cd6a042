// example.shbin #0, for PICA200

struct VertexOutput {
    @builtin(position) position: vec4<f32>,
    @location(1) color: vec4<f32>,
}

@vertex 
fn main(@location(0) a: vec4<f32>, @location(1) b: vec4<f32>) -> VertexOutput {
    var position: vec4<f32>;
    var color: vec4<f32>;
    var sum: f32;
    var i: i32;
    var j: i32;

    sum = 0f;
    let count = i32(a.x);
    i = 0i;
    loop {
        let _e10 = i;
        if (_e10 < count) {
        } else {
            break;
        }
        let _e12 = sum;
        if (_e12 >= 100f) {
            break;
        }
        let _e15 = sum;
        let _e16 = i;
        sum = (_e15 + f32(_e16));
        continuing {
            let _e19 = i;
            i = (_e19 + 1i);
        }
    }
    j = 8i;
    loop {
        let _e24 = j;
        if (_e24 > 0i) {
        } else {
            break;
        }
        let _e26 = sum;
        if (_e26 >= 50f) {
            continue;
        }
        let _e29 = sum;
        sum = (_e29 + 0.5f);
        continuing {
            let _e32 = j;
            j = (_e32 + -2i);
        }
    }
    let _e35 = sum;
    if (_e35 >= 10f) {
        let _e38 = sum;
        sum = (_e38 + 1f);
    } else {
        let _e41 = sum;
        if (_e41 >= 5f) {
            let _e44 = sum;
            sum = (_e44 + 2f);
        } else {
            let _e47 = sum;
            if (_e47 >= 1f) {
            } else {
                let _e49 = sum;
                sum = (_e49 + 3f);
            }
        }
    }
    loop {
        let _e52 = sum;
        if (_e52 < 7f) {
        } else {
            break;
        }
        let _e55 = sum;
        sum = (_e55 * 2f);
        let _e57 = sum;
        sum = (_e57 + 1f);
    }
    loop {
        let _e59 = sum;
        sum = (_e59 * 0.5f);
        continuing {
            let _e61 = sum;
            break if !((_e61 >= 3f));
        }
    }
    loop {
        let _e64 = sum;
        sum = (_e64 + 1f);
        let _e66 = sum;
        if (_e66 >= 4f) {
            break;
        }
    }
    switch count {
        case 0: {
            let _e69 = sum;
            sum = (_e69 + 1f);
        }
        case 1, -1: {
            let half = sum;
            let _e72 = sum;
            sum = (_e72 + half);
        }
        case 5: {
            let _e74 = sum;
            if (_e74 >= 9f) {
                break;
            }
            let _e77 = sum;
            sum = (_e77 + 5f);
        }
        case 9: {
            let _e79 = position;
            let _e80 = color;
            return VertexOutput(_e79, _e80);
        }
        default: {
            let _e82 = sum;
            sum = -(_e82);
        }
    }
    if true {
    }
    let _e85 = sum;
    if ((_e85 >= 0f) || false) {
    } else {
        let _e89 = sum;
        sum = (_e89 + 6f);
    }
    let _e92 = sum;
    if !((_e92 >= 0f)) {
    } else {
        let _e95 = sum;
        sum = (_e95 + 6f);
    }
    let _e97 = sum;
    color = vec4(_e97);
    position = a;
    let _e99 = position;
    let _e100 = color;
    return VertexOutput(_e99, _e100);
}
