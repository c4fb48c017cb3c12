import { assert, assertEquals } from "@std/assert";
import { HeldPlaces } from "../../../server/fairness/held_places.ts";
import { customersOf, holdersOf } from "../../../server/fairness/networks.ts";
import { Random } from "../../../shared/random.ts";

Deno.test("networks: the widest first; only IPv6 has networks that may be one customer (SPEC 14.44)", () => {
  assertEquals(holdersOf("2001:db8:1:abcd"), [
    "2001:db8:1/48",
    "2001:db8:1:ab00/56",
    "2001:db8:1:abcd",
  ]);
  assertEquals(holdersOf("2001:db8:1:7f"), ["2001:db8:1/48", "2001:db8:1:000/56", "2001:db8:1:7f"]);
  assertEquals(holdersOf("192.0.2.7"), ["192.0.2.0/24", "192.0.2.7"]);
  assertEquals(customersOf("192.0.2.7"), ["192.0.2.7"]);
  assertEquals(customersOf("2001:db8:1:abcd"), holdersOf("2001:db8:1:abcd"));
  assertEquals(holdersOf(""), [""]);
});

/**
 * A server of so many places. Newcomers come in if there is a place, or if somebody's can be taken.
 */
class FullServer {
  readonly held = new HeldPlaces<{ readonly block: string; readonly worth: number }>();
  readonly #size: number;

  constructor(size: number) {
    this.#size = size;
  }

  enter(block: string, { worth = 1, isIdle = false } = {}): boolean {
    if (this.held.size >= this.#size) {
      const place = this.held.placeFor({ addressBlock: block, isIdle }, (each) => each.worth);
      if (place === undefined) return false;
      assert(this.held.delete(place));
    }
    this.held.add({ block, worth }, block);
    return true;
  }

  countOf(block: string): number {
    return this.held.of(block).size;
  }
}

Deno.test("HeldPlaces: ten greedy addresses end with equal shares, and each newcomer comes in (SPEC 14.42) [seed 7]", () => {
  const server = new FullServer(100);
  const random = new Random(7);
  for (let i = 0; i < 100; i++) server.enter(`198.51.${i % 10}.1`);
  let admitted = 0;
  for (let i = 0; i < 50; i++) {
    if (server.enter(`203.0.${i}.1`)) admitted++;
    server.enter(`198.51.${random.below(10)}.1`);
  }
  assertEquals(admitted, 50);
  const shares = Array.from({ length: 10 }, (_, i) => server.countOf(`198.51.${i}.1`));
  assert(Math.max(...shares) - Math.min(...shares) <= 1, `${shares}`);
  assertEquals(shares.reduce((sum, each) => sum + each, 0), 50);
});

Deno.test("HeldPlaces: addresses of one /24, /56 or /48 count as one holder against others, and not among themselves (SPEC 14.42)", () => {
  for (
    const blockOf of [
      (i: number) => `192.0.2.${i}`,
      (i: number) => `2001:db8:1:${i.toString(16)}`,
      (i: number) => `2001:db8:1:${(i << 8).toString(16)}`,
    ]
  ) {
    const server = new FullServer(20);
    for (let i = 0; i < 19; i++) server.enter(blockOf(i));
    server.enter("198.51.100.1");
    assertEquals(server.enter("203.0.113.1"), true, "another network");
    assertEquals(server.countOf("198.51.100.1"), 1);
    assertEquals(server.enter(blockOf(30)), false, "a further address of the network");
    server.held.add({ block: blockOf(1), worth: 1 }, blockOf(1));
    assertEquals(
      server.enter(blockOf(30)),
      true,
      "within the network from an address that has two",
    );
  }
});

Deno.test("HeldPlaces: idle places go first, also from a smaller holder; a watcher takes none for a mere swap (SPEC 14.42)", () => {
  const server = new FullServer(6);
  for (let i = 0; i < 4; i++) server.enter("a");
  for (const worth of [0, 1]) server.enter("b", { worth });
  assertEquals(server.enter("c", { isIdle: true, worth: 0 }), true);
  assertEquals([server.countOf("a"), server.countOf("b")], [4, 1]);
  assertEquals(
    server.enter("d", { isIdle: true, worth: 0 }),
    true,
    "from the largest, because c has only one",
  );
  assertEquals([server.countOf("a"), server.countOf("c")], [3, 1]);
  assertEquals(server.enter("e"), true, "a player gets the place of a watcher who has one");
  assertEquals(server.countOf("c") + server.countOf("d"), 1);
});

Deno.test("HeldPlaces: places in other processes count for the newcomer (SPEC 17.8)", () => {
  const held = new HeldPlaces<string>();
  for (const place of ["a1", "a2", "a3"]) held.add(place, "192.0.2.1");
  const placeFor = (elsewhere: readonly number[]) =>
    held.placeFor({ addressBlock: "198.51.100.1", isIdle: false, elsewhere }, () => 1);
  assertEquals([placeFor([0, 0]), placeFor([1, 1]), placeFor([2, 2])], ["a1", "a1", undefined]);
});

Deno.test("HeldPlaces: what is added and deleted by chance leaves the counts of what is there (SPEC 14.42) [seed 11]", () => {
  const held = new HeldPlaces<number>();
  const blocks = new Map<number, string>();
  const random = new Random(11);

  for (let place = 0; place < 2_000; place++) {
    const block = `2001:db8:${random.below(3)}:${
      (random.below(4) << 8 | random.below(3)).toString(16)
    }`;
    held.add(place, block);
    blocks.set(place, block);
    const gone = random.below(place + 1);
    assertEquals(held.delete(gone), blocks.delete(gone));
  }

  assertEquals(held.size, blocks.size);
  for (const block of new Set(blocks.values())) {
    const countOf = (network: string) =>
      [...blocks.values()].filter((each) => holdersOf(each).includes(network)).length;
    assertEquals(held.countsOf(block), holdersOf(block).map(countOf));
  }
});
