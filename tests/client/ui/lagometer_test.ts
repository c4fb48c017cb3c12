import { assertEquals, assertThrows } from "@std/assert";
import { Lagometer } from "../../../client/ui/lagometer.ts";
import { rowsOf } from "../debug/rows.ts";

type Bar = readonly [colour: string, x: number, height: number];

/** A canvas that keeps its bars. */
function fakeCanvas() {
  const bars: Bar[] = [];
  let cleared = 0;
  const context = {
    fillStyle: "",
    clearRect: () => {
      cleared++;
      bars.length = 0;
    },
    fillRect: (x: number, _y: number, _width: number, height: number) =>
      bars.push([context.fillStyle, x, -height]),
  };
  const root = { querySelector: () => ({ width: 0, height: 0, getContext: () => context }) };
  return { root: root as unknown as ParentNode, bars, timesCleared: () => cleared };
}

Deno.test("Lagometer: an own late command is a full red bar, ticks that were stepped again are an amber one, a good tick none", () => {
  const { root, bars } = fakeCanvas();
  const lagometer = new Lagometer(root);
  // Of these hundred rows the last sixty show.
  lagometer.show(
    rowsOf((tick) =>
      tick === 50 ? { resimulatedTicks: 3 } : tick === 60 ? { late: 1, resimulatedTicks: 2 } : {}
    ),
  );
  assertEquals(bars.filter(([, , height]) => height > 0), [["#ffb347", 10, 3], ["#ff5f56", 20, 8]]);
});

Deno.test("Lagometer: draws once per tick, and needs its canvas", () => {
  const { root, timesCleared } = fakeCanvas();
  const lagometer = new Lagometer(root);
  const rows = rowsOf();
  for (let frame = 0; frame < 5; frame++) lagometer.show(rows);
  assertEquals(timesCleared(), 1);
  lagometer.show(rows.slice(0, -1));
  assertEquals(timesCleared(), 2);
  assertThrows(
    () => new Lagometer({ querySelector: () => null } as unknown as ParentNode),
    Error,
    "#lag",
  );
});
