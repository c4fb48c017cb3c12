import { assertEquals } from "@std/assert";
import { SlowNotice } from "../../../../client/ui/match/slow_notice.ts";

Deno.test("SlowNotice: it says so in words once, for 8 s, and by its sign from then on (SPEC 8.92)", () => {
  const sign = { hidden: true, ariaLabel: "This device is slow" };
  const notice = new SlowNotice(sign);
  const at = (isTooSlow: boolean, nowMs: number) => [notice.update(isTooSlow, nowMs), sign.hidden];

  assertEquals(at(false, 0), ["", true]);
  assertEquals(at(true, 1000), ["This device is slow", true]);
  assertEquals(at(false, 3000), ["", true]);
  assertEquals(at(true, 8999), ["This device is slow", true]);
  assertEquals(at(true, 9000), ["", false], "the sign takes over");
  assertEquals(at(false, 20_000), ["", true]);
  assertEquals(at(true, 60_000), ["", false], "no words a second time");
});
