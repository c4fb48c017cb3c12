import { assertAlmostEquals } from "@std/assert";
import { labelSizePx } from "../../../../client/presentation/picture/words.ts";

Deno.test("labelSizePx: a name is 0.36 m high, within bounds that grow with the page's letters (SPEC 13.205)", () => {
  // A scale in pixels a metre, and how high the page's letters are
  const sizes = [[35, 16], [10, 16], [200, 16], [200, 32], [10, 32]] as const;
  const expected = [12.6, 11.04, 15.04, 30.08, 22.08];
  sizes.forEach(([scale, letter], i) =>
    assertAlmostEquals(labelSizePx(scale, letter), expected[i]!, 1e-9)
  );
});
