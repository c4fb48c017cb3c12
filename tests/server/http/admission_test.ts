import { assertEquals, assertLessOrEqual, assertThrows } from "@std/assert";
import { Gate, type Knock, KNOCKS_PER_ADDRESS } from "../../../server/http/admission.ts";
import { TokenBucket } from "../../../server/http/token_bucket.ts";

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

/** A gate with a clock that the test turns. */
function gateWithClock(knocksPerAddress = KNOCKS_PER_ADDRESS) {
  const clock = { nowMs: 5_000, now: () => clock.nowMs };
  return { gate: new Gate({ clock, knocksPerAddress }), clock };
}

Deno.test("TokenBucket: so many at once, then as fast as it fills, never more than it holds", () => {
  const bucket = new TokenBucket({ burst: 3, perSecond: 2 }, 1_000);
  const takes = (nowMs: number) => [1, 2, 3, 4].map(() => bucket.take(nowMs)).filter(Boolean).length;
  assertEquals(takes(1_000), 3);
  assertEquals(takes(1_499), 0);
  assertEquals(takes(1_500), 1);
  assertEquals(bucket.isFull(2_999), false);
  assertEquals(bucket.isFull(3_000), true);
  assertEquals(takes(60_000), 3);
});

Deno.test("Gate: an address that knocks too often is answered 429, others are not; time lets it in again", () => {
  const { gate, clock } = gateWithClock({ burst: 3, perSecond: 2 });
  const enter = (knock: Partial<Knock> = {}) => gate.enter({ ...KNOCK, ...knock });
  // A refused knock costs as much as one that is let in.
  assertEquals([enter({ path: "/" })?.status, enter()?.status, enter({ origin: "null" })?.status], [
    404,
    undefined,
    403,
  ]);
  assertEquals([enter()?.status, enter()?.cause, enter({ path: "/" })?.status], [429, "rate", 429]);
  assertEquals(enter({ address: "192.0.2.2" }), undefined);
  clock.nowMs += 499;
  assertEquals(enter()?.status, 429);
  clock.nowMs += 1;
  assertEquals([enter()?.status, enter()?.status], [undefined, 429]);
  assertEquals(gate.inside, 3);
});

Deno.test("Gate: by default 64 bots come in at once, and a hundred knocks a second do not go on", () => {
  const { gate, clock } = gateWithClock();
  let entered = 0;
  for (let ms = 0; ms < 10_000; ms += 10, clock.nowMs += 10) {
    if (gate.enter(KNOCK) !== undefined) continue;
    entered++;
    gate.leave(KNOCK.address);
  }
  assertEquals(entered, 100 + 10 * 20 - 1);
  const { gate: fresh } = gateWithClock();
  for (let i = 0; i < 64; i++) assertEquals(fresh.enter(KNOCK), undefined);
});

Deno.test("Gate: full buckets are forgotten, and never more than a few thousand addresses remembered", () => {
  const { gate, clock } = gateWithClock();
  const from = (n: number) => gate.enter({ ...KNOCK, path: "/", address: `10.${n >> 16}.${n >> 8 & 255}.${n & 255}` });
  for (let n = 0; n < 50; n++) from(n);
  assertEquals(gate.remembered, 50);
  clock.nowMs += 50; // one token at 20 a second
  from(50);
  assertEquals(gate.remembered, 1);
  for (let n = 0; n < 10_000; n++) from(n);
  assertLessOrEqual(gate.remembered, 4_096);
  assertEquals(from(9_999)?.status, 404, "the newest is still served");
});

Deno.test("Gate: an IPv6 network of one customer counts as one address, an IPv4 address as itself", () => {
  const { gate } = gateWithClock({ burst: 1, perSecond: 1 });
  const refused = (address: string) => gate.enter({ ...KNOCK, address })?.status === 429;
  assertEquals(refused("2001:db8:1:2::1"), false);
  assertEquals(refused("2001:db8:1:2:a:b:c:d"), true);
  assertEquals(refused("2001:db8:1:3::1"), false);
  assertEquals(refused("2001:db8::1"), false);
  assertEquals(refused("2001:db8:0:0:1::1"), true);
  assertEquals(refused("2001:db8::a:1:2:3:4"), false);
  assertEquals(refused("2001:db8:0:a::1"), true);
  assertEquals(refused("::1"), false);
  assertEquals(refused("::ffff:192.0.2.1"), false);
  assertEquals(refused("::ffff:192.0.2.2"), false);
  assertEquals(refused("fe80::1%eth0"), false);
  for (const address of ["2001:db8:1:2::1", "::1", "::ffff:192.0.2.1"]) gate.leave(address);
  assertEquals(gate.inside, 5);
});
