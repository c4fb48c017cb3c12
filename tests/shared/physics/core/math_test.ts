import { assert, assertEquals } from "@std/assert";
import { atan2, cos, cosSinInto, sin } from "../../../../shared/physics/core/math.ts";
import { nativeMath } from "../planck/math_patch.ts";
import { planck } from "../planck/portable_planck.ts";
import { Random } from "../../../../shared/random.ts";

/** The bound that math.ts gives. */
const ERROR_MAX = 4.5e-16;

/** Angles of all magnitudes and both signs, and those around the joints of the polynomials. */
function angles(): number[] {
  const random = new Random(1);
  const joints = Array.from({ length: 1300 }, (_, i) => (i - 650) * Math.PI / 4);
  const near = joints.flatMap((angle) => [angle, angle + 1e-9, angle - 1e-9]);
  const spread = Array.from(
    { length: 50_000 },
    () => (random.fraction() * 2 - 1) * 1024 * random.fraction() ** 4,
  );
  return [0, -0, 1e-300, ...near.filter((angle) => Math.abs(angle) <= 1024), ...spread];
}

Deno.test("sin, cos: differ from the engine's own by at most 4.5e-16 up to 1,024 rad", () => {
  for (const angle of angles()) {
    assert(
      Math.abs(sin(angle) - nativeMath.sin(angle)) <= ERROR_MAX,
      `sin(${angle}) = ${sin(angle)}`,
    );
    assert(
      Math.abs(cos(angle) - nativeMath.cos(angle)) <= ERROR_MAX,
      `cos(${angle}) = ${cos(angle)}`,
    );
  }
});

Deno.test("cosSinInto: has the bits of cos and sin", () => {
  const numbers = new Float64Array(3);
  for (const angle of angles()) {
    numbers[0] = angle;
    cosSinInto(numbers, 0, 1);
    assertEquals([numbers[1], numbers[2]], [cos(angle), sin(angle)]);
  }
});

Deno.test("atan2: differs from the engine's own by at most 4.5e-16 in every direction", () => {
  const random = new Random(2);
  for (let i = 0; i < 50_000; i++) {
    const y = random.fraction() * 2 - 1;
    const x = (random.fraction() * 2 - 1) * 10 ** (random.below(9) - 4);
    assert(
      Math.abs(atan2(y, x) - nativeMath.atan2(y, x)) <= ERROR_MAX,
      `atan2(${y}, ${x}) = ${atan2(y, x)}`,
    );
  }
});

Deno.test("sin, atan2: treat signed zeros as Math does", () => {
  assertEquals(sin(-0), -0);
  for (const y of [0, -0, 1, -1]) {
    for (const x of [0, -0, 1, -1]) {
      assertEquals(atan2(y, x), nativeMath.atan2(y, x), `atan2(${y}, ${x})`);
    }
  }
});

Deno.test("portable_planck.ts: planck uses the portable functions, and Math has the engine's own again", () => {
  for (const name of ["sin", "cos", "atan2"] as const) {
    assertEquals(Math[name], nativeMath[name]);
    assert(Math[name].toString().includes("[native code]"));
  }
  const random = new Random(3);
  let differing = 0;
  for (let i = 0; i < 10_000; i++) {
    const angle = random.fraction() * 100;
    const { s, c } = new planck.Rot(angle);
    assertEquals([s, c], [sin(angle), cos(angle)]);
    if (Math.sin(angle) !== sin(angle)) differing++;
  }
  assert(differing > 0, "this engine's own sine equals ours everywhere: the test shows nothing");
});
