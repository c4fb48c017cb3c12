import { assertEquals, assertThrows } from "@std/assert";
import { Gate, type Knock } from "../../server/gate.ts";

const KNOCK: Knock = { path: "/socket", origin: undefined, host: "play.example:8080", address: "192.0.2.1" };

Deno.test("Gate: a page of this server and a bot without a page may come in", () => {
  const gate = new Gate();
  const origins = [undefined, "http://play.example:8080", "https://play.example:8080", "http://PLAY.example:8080"];
  for (const origin of origins) assertEquals(gate.enter({ ...KNOCK, origin }), undefined);
  assertEquals(gate.enter({ ...KNOCK, origin: "https://play.example", host: "Play.Example" }), undefined);
  assertEquals(gate.inside, 5);
});

Deno.test("Gate: a page of another site, another port or no site may not, and takes no place", () => {
  const gate = new Gate();
  const origins = ["http://evil.example", "http://play.example", "http://play.example:8081", "null", "", "file://"];
  for (const origin of origins) assertEquals(gate.enter({ ...KNOCK, origin })?.status, 403, origin);
  assertEquals(gate.enter({ ...KNOCK, origin: "http://play.example:8080", host: undefined })?.status, 403);
  assertEquals(gate.inside, 0);
});

Deno.test("Gate: only /socket leads in", () => {
  const gate = new Gate();
  for (const path of ["/", "/socket/", "/Socket", "//socket", ""]) {
    assertEquals(gate.enter({ ...KNOCK, path })?.status, 404, path);
  }
  assertEquals(gate.inside, 0);
});

Deno.test("Gate: one address has its bound, which others do not feel, and gets a place back when one leaves", () => {
  const gate = new Gate({ socketsPerAddressMax: 2 });
  const other = { ...KNOCK, address: "192.0.2.2" };
  assertEquals([gate.enter(KNOCK), gate.enter(KNOCK)], [undefined, undefined]);
  assertEquals(gate.enter(KNOCK)?.status, 503);
  assertEquals(gate.enter(other), undefined);
  gate.leave(KNOCK.address);
  assertEquals(gate.enter(KNOCK), undefined);
  assertEquals(gate.enter(KNOCK)?.status, 503);
});

Deno.test("Gate: the server has its bound, and gets a place back when one leaves", () => {
  const gate = new Gate({ socketsMax: 3 });
  const from = (n: number) => ({ ...KNOCK, address: `192.0.2.${n}` });
  for (const n of [1, 2, 3]) assertEquals(gate.enter(from(n)), undefined);
  assertEquals(gate.enter(from(4))?.status, 503);
  gate.leave(from(2).address);
  assertEquals(gate.enter(from(4)), undefined);
  assertEquals(gate.inside, 3);
});

Deno.test("Gate: nobody leaves who is not in", () => {
  const gate = new Gate();
  gate.enter(KNOCK);
  gate.leave(KNOCK.address);
  assertThrows(() => gate.leave(KNOCK.address), RangeError);
});
