import { assertEquals } from "@std/assert";
import { findById, findByKey, lowerBound, removeById } from "../../shared/sorted_list.ts";

const itself = (value: number): number => value;

Deno.test("lowerBound: the first index that is not less, at every position of lists of every length", () => {
  for (let length = 0; length <= 9; length++) {
    const list = Array.from({ length }, (_, i) => 2 * i + 1);
    for (let key = 0; key <= 2 * length + 1; key++) {
      const expected = list.filter((value) => value < key).length;
      assertEquals(lowerBound(list, key, itself), expected, `${key} in ${list}`);
      assertEquals(
        findByKey(list, key, itself),
        list.includes(key) ? key : undefined,
        `${key} in ${list}`,
      );
    }
  }
});

Deno.test("findByKey: items from `end` on do not count", () => {
  const list = [3, 5, 9, 4, 1];
  assertEquals([lowerBound(list, 9, itself, 2), findByKey(list, 9, itself, 2)], [2, undefined]);
  assertEquals([findByKey(list, 9, itself, 3), findByKey([], 9, itself, 0)], [9, undefined]);
});

Deno.test("findById, removeById: by id, also beyond 31 bits", () => {
  const list = [1, 7, 0xffff_fffe].map((id) => ({ id }));
  assertEquals([findById(list, 7), findById(list, 8), findById(list, 0xffff_fffe)], [
    list[1],
    undefined,
    list[2],
  ]);
  removeById(list, 7);
  assertEquals(list.map(({ id }) => id), [1, 0xffff_fffe]);
});
