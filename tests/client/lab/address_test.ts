/** The lab's address: what it says is what is run. */
import { assertEquals } from "@std/assert";
import {
  ACTIONS_MAX,
  type Address,
  readAddress,
  writeAddress,
} from "../../../client/lab/page/address.ts";

Deno.test("address: settings and actions survive it (SPEC 20.1)", () => {
  const address: Address = {
    settings: {
      scene: "puck",
      seed: 4_000_000_000,
      sides: ["own-body", "delayed"],
      roundTripMs: 320,
      jitterMs: 45,
      lossPercent: 7,
      ordered: false,
      players: 4,
      shown: 2,
    },
    actions: [
      { atMs: 3200, action: { type: "drop", ms: 500 } },
      { atMs: 5000, action: { type: "pause", ms: 400 } },
      { atMs: 6100, action: { type: "break" } },
      { atMs: 8000, action: { type: "network", roundTripMs: 100, jitterMs: 0, lossPercent: 20 } },
    ],
  };
  assertEquals(readAddress(writeAddress(address)), address);
});

Deno.test("address: what is missing, wrong or out of range gets a usual value or the nearest bound (SPEC 20.1)", () => {
  const usual = readAddress("");
  assertEquals(usual.settings.roundTripMs, 200);
  assertEquals(usual.actions, []);
  const wrong = "#scene=../x&left=__proto__&right=toString&rtt=-4&jitter=1e9&loss=99&link=smoke" +
    "&players=77&shown=9&seed=99999999999&acts=x,5d,3b,9999999b,1n999-99-99,2d9999";
  const { settings, actions } = readAddress(wrong);
  assertEquals(settings, {
    ...usual.settings,
    jitterMs: usual.settings.jitterMs,
    lossPercent: 20,
    players: 4,
    shown: 4,
  });
  assertEquals(actions, [
    { atMs: 3, action: { type: "break" } },
    { atMs: 3_600_000, action: { type: "break" } },
    { atMs: 1, action: { type: "network", roundTripMs: 500, jitterMs: 80, lossPercent: 20 } },
    { atMs: 2, action: { type: "drop", ms: 2000 } },
  ]);
});

Deno.test("address: no more actions than its bound are read or written (SPEC 20.1)", () => {
  const actions = Array.from({ length: 3 * ACTIONS_MAX }, (_, i) => `${i}b`);
  const read = readAddress(`#acts=${actions.join(",")}`);
  assertEquals(read.actions.length, ACTIONS_MAX);
  const long = { ...read, actions: [...read.actions, ...read.actions] };
  assertEquals(readAddress(writeAddress(long)).actions, read.actions);
});
