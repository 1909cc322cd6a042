//! Random vertex programs in GLSL: valid by construction, of everything that the compiler takes.

/// Reproducible chance.
pub struct Chance(u64);

impl Chance {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x1234_5678_9ABC_DEF1)
    }

    pub fn below(&mut self, count: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 33) % count.max(1) as u64) as usize
    }

    pub fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    fn of<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len())]
    }
}

/// A variable that the program is fed with: name, type, elements.
pub struct Given {
    pub name: String,
    pub ty: String,
    pub count: usize,
    pub is_attribute: bool,
}

/// A program and what it is fed with.
pub struct Random {
    pub text: String,
    pub given: Vec<Given>,
}

struct Write<'c> {
    chance: &'c mut Chance,
    text: String,
    indent: usize,
    /// Variables that can be read, by type: `float`, `vec2`, `vec3`, `vec4`, `int`, `bool`, `mat3`, `mat4`.
    readable: Vec<(String, &'static str)>,
    writable: Vec<(String, &'static str)>,
    functions: Vec<(String, &'static str, Vec<&'static str>)>,
    next: usize,
    /// Operations that may still be written.
    budget: usize,
    loops: usize,
    in_loop: bool,
}

const VECTORS: [&str; 4] = ["float", "vec2", "vec3", "vec4"];

/// A program by its number.
pub fn program(seed: u64) -> Random {
    let mut chance = Chance::new(seed);
    for _ in 0..8 {
        chance.below(2);
    }
    let mut given = Vec::new();
    let mut give = |name: &str, ty: &str, count: usize, is_attribute: bool| {
        given.push(Given { name: name.to_owned(), ty: ty.to_owned(), count, is_attribute });
    };
    give("aPos", "vec4", 1, true);
    give("aNormal", "vec3", 1, true);
    give("aUv", "vec2", 1, true);
    give("uMatrix", "mat4", 1, false);
    give("uTurn", "mat3", 1, false);
    give("uColor", "vec4", 1, false);
    give("uTable", "vec4", 6, false);
    give("uScale", "float", 1, false);
    give("uFlag", "bool", 1, false);
    give("uOther", "bool", 1, false);
    give("uCount", "int", 1, false);
    let mut text = String::from("#version 450\n");
    for variable in &given {
        let storage = if variable.is_attribute { "in" } else { "uniform" };
        let size = if variable.count > 1 { format!("[{}]", variable.count) } else { String::new() };
        text.push_str(&format!("{storage} {} {}{size};\n", variable.ty, variable.name));
    }
    text.push_str("out vec4 color;\nout vec2 texcoord0;\n");
    text.push_str("vec4 gState = vec4(0.25, 0.5, 0.75, 1.0);\n");
    text.push_str("const vec3 TABLE[4] = vec3[4](vec3(0.5, -1.0, 0.25), vec3(1.5), vec3(-0.75, 2.0, 1.0), vec3(0.125, 0.0, -2.0));\n");
    let budget = 6 + chance.below(40);
    let mut write = Write {
        chance: &mut chance,
        text,
        indent: 0,
        readable: Vec::new(),
        writable: Vec::new(),
        functions: Vec::new(),
        next: 0,
        budget,
        loops: 0,
        in_loop: false,
    };
    let globals: Vec<(String, &'static str)> = [
        ("aPos", "vec4"),
        ("aNormal", "vec3"),
        ("aUv", "vec2"),
        ("uMatrix", "mat4"),
        ("uTurn", "mat3"),
        ("uColor", "vec4"),
        ("uScale", "float"),
        ("uFlag", "bool"),
        ("uOther", "bool"),
        ("gState", "vec4"),
    ]
    .into_iter()
    .map(|(name, ty)| (name.to_owned(), ty))
    .collect();
    for _ in 0..write.chance.below(3) {
        write.function(&globals);
    }
    write.readable = globals;
    write.line("void main() {");
    write.indent = 1;
    for ty in ["vec4", "vec3", "float"] {
        write.declare(ty);
    }
    // Functions that are called more than once.
    for index in 0..write.functions.len() {
        if write.chance.one_in(2) {
            let (name, ty, parameters) = write.functions[index].clone();
            for _ in 0..2 + write.chance.below(2) {
                let arguments: Vec<String> =
                    parameters.iter().map(|parameter| write.expression(parameter, 1)).collect();
                let result = write.name();
                write.line(&format!("{ty} {result} = {name}({});", arguments.join(", ")));
                write.readable.push((result.clone(), ty));
                write.writable.push((result, ty));
            }
        }
    }
    // Some programs have more values at once than the machine has registers, in the order of the source.
    let many = if seed % 8 == 7 { 14 + write.chance.below(20) } else { 0 };
    let crowd: Vec<String> = (0..many).map(|_| write.crowded()).collect();
    for _ in 0..2 + write.chance.below(6) {
        write.statement(3);
    }
    if many > 0 {
        write.use_crowd(&crowd);
    }
    let (position, mut color, uv) =
        (write.expression("vec4", 3), write.expression("vec4", 3), write.expression("vec2", 2));
    if many > 0 {
        let last = write.readable[write.readable.len() - 2..].iter().map(|(name, _)| name.clone());
        color = last.fold(color, |sum, name| format!("{sum} + {name}"));
    }
    write.line(&format!("gl_Position = {position};"));
    write.line(&format!("color = {color};"));
    write.line(&format!("texcoord0 = {uv};"));
    write.indent = 0;
    write.line("}");
    let text = write.text;
    Random { text, given }
}

impl Write<'_> {
    fn line(&mut self, text: &str) {
        for _ in 0..self.indent {
            self.text.push_str("    ");
        }
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn name(&mut self) -> String {
        self.next += 1;
        format!("t{}", self.next)
    }

    fn declare(&mut self, ty: &'static str) {
        let value = self.expression(ty, 3);
        let name = self.name();
        self.line(&format!("{ty} {name} = {value};"));
        self.readable.push((name.clone(), ty));
        self.writable.push((name, ty));
    }

    /// A value out of what the program is fed with, cheap to compute again.
    fn crowded(&mut self) -> String {
        let row = self.chance.below(6);
        let operand = self.chance.of(&["aPos", "aNormal.xyzz", "aUv.xyxy", "uColor", "vec4(uScale)"]);
        let operator = self.chance.of(&["*", "+", "-"]);
        let more = self.chance.of(&["", " * aPos.yzwx", " + uColor.wzyx", " - aNormal.zyxx", " * 0.5"]);
        let name = self.name();
        self.line(&format!("vec4 {name} = uTable[{row}] {operator} {operand}{more};"));
        name
    }

    /// Reads all of these, some of them twice and some in a condition.
    fn use_crowd(&mut self, crowd: &[String]) {
        let (first, second) = (self.name(), self.name());
        self.line(&format!("vec4 {first} = vec4(0.25), {second} = vec4(0.5);"));
        let condition = self.truth(1);
        let inside = self.chance.one_in(2);
        if inside {
            self.line(&format!("if ({condition}) {{"));
        }
        for name in crowd {
            let swizzle = self.chance.of(&["", ".yzwx", ".xxyy", ".w"]);
            let operator = self.chance.of(&["+=", "-="]);
            self.line(&format!("{first} {operator} {name}{swizzle} * 0.125;"));
        }
        if inside {
            self.line("}");
        }
        for name in crowd.iter().rev().filter(|name| name.len() % 2 == 0 || !inside) {
            self.line(&format!("{second} = max({second} * 0.5, {name});"));
        }
        for name in [first, second] {
            self.readable.push((name.clone(), "vec4"));
            self.writable.push((name, "vec4"));
        }
    }

    fn function(&mut self, globals: &[(String, &'static str)]) {
        let ty = VECTORS[self.chance.below(4)];
        let name = format!("f{}", self.functions.len());
        let parameters: Vec<&'static str> =
            (0..1 + self.chance.below(2)).map(|_| VECTORS[self.chance.below(4)]).collect();
        let (readable, writable) = (std::mem::take(&mut self.readable), std::mem::take(&mut self.writable));
        self.readable = globals.to_vec();
        let mut list = Vec::new();
        for parameter in &parameters {
            let argument = self.name();
            list.push(format!("{parameter} {argument}"));
            self.readable.push((argument, parameter));
        }
        self.line(&format!("{ty} {name}({}) {{", list.join(", ")));
        self.indent = 1;
        self.declare(ty);
        if self.chance.one_in(3) {
            self.writable.push(("gState".to_owned(), "vec4"));
        }
        for _ in 0..self.chance.below(3) {
            if self.chance.one_in(3) {
                let (condition, early) = (self.truth(2), self.expression(ty, 2));
                self.line(&format!("if ({condition}) {{ return {early}; }}"));
            }
            self.statement(2);
        }
        let value = self.expression(ty, 3);
        self.line(&format!("return {value};"));
        self.indent = 0;
        self.line("}");
        (self.readable, self.writable) = (readable, writable);
        self.functions.push((name, ty, parameters));
    }

    fn block(&mut self, depth: usize) {
        let (readable, writable) = (self.readable.len(), self.writable.len());
        self.indent += 1;
        for _ in 0..1 + self.chance.below(3) {
            self.statement(depth);
        }
        self.indent -= 1;
        self.readable.truncate(readable);
        self.writable.truncate(writable);
    }

    fn statement(&mut self, depth: usize) {
        let Some(left) = self.budget.checked_sub(1) else { return };
        self.budget = left;
        let Some(depth) = depth.checked_sub(1) else { return self.assign() };
        match self.chance.below(12) {
            0 | 1 => {
                let ty = VECTORS[self.chance.below(4)];
                self.declare(ty);
            }
            2 | 3 => {
                let condition = self.truth(2);
                self.line(&format!("if ({condition}) {{"));
                self.block(depth);
                if self.chance.one_in(2) {
                    self.line("} else {");
                    self.block(depth);
                }
                self.line("}");
            }
            4 | 5 if self.loops < 2 => {
                self.loops += 1;
                let counter = self.name();
                let around = std::mem::replace(&mut self.in_loop, true);
                let end = match self.chance.below(4) {
                    0 => "uCount".to_owned(),
                    1 => format!("{}", 7 + self.chance.below(10)),
                    _ => format!("{}", 1 + self.chance.below(5)),
                };
                self.line(&format!("for (int {counter} = 0; {counter} < {end}; {counter}++) {{"));
                let known = self.readable.len();
                self.readable.push((counter, "int"));
                self.block(depth);
                if self.chance.one_in(4) {
                    let condition = self.truth(2);
                    let word = self.chance.of(&["break", "continue"]);
                    self.indent += 1;
                    self.line(&format!("if ({condition}) {{ {word}; }}"));
                    self.indent -= 1;
                    self.block(depth);
                }
                self.line("}");
                self.readable.truncate(known);
                self.in_loop = around;
                self.loops -= 1;
            }
            7 => {
                let index = self.expression("float", 1);
                let name = self.name();
                self.line(&format!("int {name} = int(clamp({index}, 0.0, 3.75));"));
                let value = self.expression("vec3", 1);
                let target = self.name();
                self.line(&format!("vec3 {target} = TABLE[{name}] + uTable[{name} + 1].xyz * {value};"));
                self.readable.push((target.clone(), "vec3"));
                self.writable.push((target, "vec3"));
            }
            8 => {
                let value = self.expression("float", 2);
                let target = self.pick_writable("float");
                let Some(target) = target else { return self.assign() };
                self.line(&format!("switch (int(floor({value}))) {{"));
                self.indent += 1;
                for number in 0..2 {
                    let value = self.expression("float", 2);
                    self.line(&format!("case {number}: {target} = {value}; break;"));
                }
                let value = self.expression("float", 2);
                self.line(&format!("default: {target} += {value}; break;"));
                self.indent -= 1;
                self.line("}");
            }
            _ => self.assign(),
        }
    }

    fn pick_writable(&mut self, ty: &str) -> Option<String> {
        let names: Vec<String> =
            self.writable.iter().filter(|(_, of)| *of == ty).map(|(name, _)| name.clone()).collect();
        (!names.is_empty()).then(|| names[self.chance.below(names.len())].clone())
    }

    fn assign(&mut self) {
        let Some((name, ty)) = self.writable.get(self.chance.below(self.writable.len())).cloned() else {
            return;
        };
        let width = width(ty);
        let operator = self.chance.of(&["=", "=", "+=", "-=", "*="]);
        if width > 1 && self.chance.one_in(3) {
            let letters = ["x", "y", "z", "w"];
            let first = self.chance.below(width);
            let second = (first + 1 + self.chance.below(width - 1)) % width;
            if self.chance.one_in(2) {
                let value = self.expression("vec2", 2);
                self.line(&format!("{name}.{}{} {operator} {value};", letters[first], letters[second]));
            } else {
                let value = self.expression("float", 2);
                self.line(&format!("{name}.{} {operator} {value};", letters[first]));
            }
            return;
        }
        let value = self.expression(ty, 3);
        self.line(&format!("{name} {operator} {value};"));
    }

    fn truth(&mut self, depth: usize) -> String {
        let Some(depth) = depth.checked_sub(1) else {
            return self.chance.of(&["uFlag", "uOther", "!uFlag", "true"]).to_owned();
        };
        match self.chance.below(8) {
            0 => self.chance.of(&["uFlag", "!uOther"]).to_owned(),
            1 => format!("({} && {})", self.truth(depth), self.truth(depth)),
            2 => format!("({} || {})", self.truth(depth), self.truth(depth)),
            3 => format!("!({})", self.truth(depth)),
            4 => {
                let relation = self.chance.of(&["lessThan", "greaterThanEqual", "notEqual"]);
                let all = self.chance.of(&["all", "any"]);
                let (a, b) = (self.expression("vec3", depth), self.expression("vec3", depth));
                format!("{all}({relation}({a}, {b}))")
            }
            _ => {
                let relation = self.chance.of(&["<", "<=", ">", ">="]);
                format!(
                    "({} {relation} {})",
                    self.expression("float", depth),
                    self.expression("float", depth)
                )
            }
        }
    }

    fn constant(&mut self) -> String {
        let numbers = ["0.0", "1.0", "-1.0", "0.5", "2.0", "0.25", "-0.75", "3.0", "0.1", "1.7"];
        self.chance.of(&numbers).to_owned()
    }

    fn leaf(&mut self, ty: &str) -> String {
        let names: Vec<String> =
            self.readable.iter().filter(|(_, of)| *of == ty).map(|(name, _)| name.clone()).collect();
        if !names.is_empty() && !self.chance.one_in(4) {
            return names[self.chance.below(names.len())].clone();
        }
        let width = width(ty);
        // Some components of a longer vector.
        let longer: Vec<(String, usize)> = self
            .readable
            .iter()
            .filter(|(_, of)| of.starts_with("vec") && self::width(of) >= 2)
            .map(|(name, of)| (name.clone(), self::width(of)))
            .collect();
        if !longer.is_empty() && self.chance.one_in(2) {
            let (name, of) = longer[self.chance.below(longer.len())].clone();
            let letters: String = (0..width).map(|_| ["x", "y", "z", "w"][self.chance.below(of)]).collect();
            return format!("{name}.{letters}");
        }
        if ty == "float" && self.chance.one_in(4) {
            let index = self.index();
            return format!("uTable[{index}].{}", self.chance.of(&["x", "w"]));
        }
        let numbers: Vec<String> = (0..width).map(|_| self.constant()).collect();
        if width == 1 { numbers[0].clone() } else { format!("{ty}({})", numbers.join(", ")) }
    }

    /// An index into the table of six.
    fn index(&mut self) -> String {
        let counters: Vec<String> =
            self.readable.iter().filter(|(_, of)| *of == "int").map(|(name, _)| name.clone()).collect();
        match counters.last() {
            Some(name) if self.chance.one_in(2) => format!("{name} % 5"),
            Some(name) => format!("min({name}, 5)"),
            None => self.chance.below(6).to_string(),
        }
    }

    fn expression(&mut self, ty: &str, depth: usize) -> String {
        let Some(depth) = depth.checked_sub(1) else { return self.leaf(ty) };
        if self.budget == 0 {
            return self.leaf(ty);
        }
        let width = width(ty);
        let a = |write: &mut Self| write.expression(ty, depth);
        match self.chance.below(24) {
            0..=4 => {
                let operator = self.chance.of(&["+", "-", "*"]);
                format!("({} {operator} {})", a(self), a(self))
            }
            5 => format!("({} * {})", a(self), self.expression("float", depth)),
            6 => format!("-({})", a(self)),
            7 => {
                let fun = self.chance.of(&["min", "max"]);
                format!("{fun}({}, {})", a(self), a(self))
            }
            8 => {
                let (low, high) =
                    (self.chance.of(&["-1.0", "0.0", "-0.5"]), self.chance.of(&["1.0", "0.5", "2.0"]));
                format!("clamp({}, {low}, {high})", a(self))
            }
            9 => format!("mix({}, {}, {})", a(self), a(self), self.expression("float", depth)),
            10 => {
                let fun = self.chance.of(&["abs", "fract", "floor", "sign", "ceil", "sin", "cos"]);
                format!("{fun}({})", a(self))
            }
            11 => format!("({} / (abs({}) + 1.0))", a(self), a(self)),
            12 => {
                let fun = self.chance.of(&["exp2", "sqrt", "inversesqrt", "log2"]);
                format!("{fun}(abs({}) * 0.25 + 0.5)", a(self))
            }
            13 if width == 1 => {
                let vector = VECTORS[1 + self.chance.below(3)];
                format!("dot({}, {})", self.expression(vector, depth), self.expression(vector, depth))
            }
            14 if width == 1 => {
                let vector = VECTORS[1 + self.chance.below(3)];
                format!("length({})", self.expression(vector, depth))
            }
            15 if width == 3 => {
                let fun = self.chance.of(&["cross", "reflect"]);
                format!("{fun}({}, {})", a(self), a(self))
            }
            16 if width == 3 => format!("(uTurn * {})", a(self)),
            17 if width == 4 => format!("(uMatrix * {})", a(self)),
            18 if width == 4 => format!("vec4({}, {})", self.expression("vec3", depth), self.constant()),
            19 if width == 3 => {
                format!("vec3({}, {})", self.expression("vec2", depth), self.expression("float", depth))
            }
            20 => format!("({} ? {} : {})", self.truth(depth), a(self), a(self)),
            21 => format!("step({}, {})", a(self), a(self)),
            22 if width > 1 => format!("{ty}({})", self.expression("float", depth)),
            23 => {
                let fitting: Vec<usize> =
                    (0..self.functions.len()).filter(|at| self.functions[*at].1 == ty).collect();
                if fitting.is_empty() {
                    return self.leaf(ty);
                }
                let (name, _, parameters) = self.functions[fitting[self.chance.below(fitting.len())]].clone();
                let arguments: Vec<String> =
                    parameters.iter().map(|parameter| self.expression(parameter, depth)).collect();
                format!("{name}({})", arguments.join(", "))
            }
            _ => self.leaf(ty),
        }
    }
}

fn width(ty: &str) -> usize {
    match ty {
        "vec2" => 2,
        "vec3" | "mat3" => 3,
        "vec4" | "mat4" => 4,
        _ => 1,
    }
}
