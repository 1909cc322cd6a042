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
        if !((_e10 < count)) {
            break;
        }
        let _e13 = sum;
        if (_e13 >= 100f) {
            break;
        }
        let _e16 = sum;
        let _e17 = i;
        sum = (_e16 + f32(_e17));
        continuing {
            let _e20 = i;
            i = (_e20 + 1i);
        }
    }
    j = 8i;
    loop {
        let _e25 = j;
        if !((_e25 > 0i)) {
            break;
        }
        let _e28 = sum;
        if (_e28 >= 50f) {
            continue;
        }
        let _e31 = sum;
        sum = (_e31 + 0.5f);
        continuing {
            let _e34 = j;
            j = (_e34 + -2i);
        }
    }
    let _e37 = sum;
    if (_e37 >= 10f) {
        let _e40 = sum;
        sum = (_e40 + 1f);
    } else {
        let _e43 = sum;
        if (_e43 >= 5f) {
            let _e46 = sum;
            sum = (_e46 + 2f);
        } else {
            let _e49 = sum;
            if !((_e49 >= 1f)) {
                let _e52 = sum;
                sum = (_e52 + 3f);
            }
        }
    }
    loop {
        let _e55 = sum;
        if !((_e55 < 7f)) {
            break;
        }
        let _e59 = sum;
        sum = (_e59 * 2f);
        let _e61 = sum;
        sum = (_e61 + 1f);
    }
    loop {
        let _e63 = sum;
        sum = (_e63 * 0.5f);
        continuing {
            let _e65 = sum;
            break if !((_e65 >= 3f));
        }
    }
    loop {
        let _e68 = sum;
        sum = (_e68 + 1f);
        let _e70 = sum;
        if (_e70 >= 4f) {
            break;
        }
    }
    switch count {
        case 0: {
            let _e73 = sum;
            sum = (_e73 + 1f);
        }
        case 1, -1: {
            let half = sum;
            let _e76 = sum;
            sum = (_e76 + half);
        }
        case 5: {
            let _e78 = sum;
            if (_e78 >= 9f) {
                break;
            }
            let _e81 = sum;
            sum = (_e81 + 5f);
        }
        case 9: {
            let _e83 = position;
            let _e84 = color;
            return VertexOutput(_e83, _e84);
        }
        default: {
            let _e86 = sum;
            sum = -(_e86);
        }
    }
    if true {
    }
    let _e89 = sum;
    if !(((_e89 >= 0f) || false)) {
        let _e94 = sum;
        sum = (_e94 + 6f);
    }
    let _e97 = sum;
    if (_e97 >= 0f) {
        let _e99 = sum;
        sum = (_e99 + 6f);
    }
    let _e101 = sum;
    color = vec4(_e101);
    position = a;
    let _e103 = position;
    let _e104 = color;
    return VertexOutput(_e103, _e104);
}
