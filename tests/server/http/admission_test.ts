import { assertEquals, assertLessOrEqual, assertThrows } from "@std/assert";
import { AdmissionControl, type UpgradeRequest } from "../../../server/http/admission.ts";
import { addressBlockOf } from "../../../server/http/client_address.ts";
import { SiteRules } from "../../../server/http/site_rules.ts";
import { DEFAULT_LIMITS, type Limits } from "../../../server/settings/limits.ts";
import type { Clock } from "../../../shared/netcode/link.ts";
import { TokenBucket } from "../../../server/http/token_bucket.ts";

const REQUEST: UpgradeRequest = {
  path: "/socket",
  origin: undefined,
  host: "play.example:8080",
  addressBlock: "192.0.2.1",
};

/** A server on a public name, under no other. */
const SITE = new SiteRules({ origins: [], hosts: ["play.example"], host: "192.0.2.9", isPublic: true });

function newAdmission({ clock, ...limits }: Partial<Limits> & { clock?: Clock } = {}): AdmissionControl {
  return new AdmissionControl({ ...DEFAULT_LIMITS, ...limits }, { site: SITE, ...clock && { clock } });
}

Deno.test("AdmissionControl: a page of this server and a bot without a page are admitted", () => {
  const admission = newAdmission();
  const origins = [undefined, "http://play.example:8080", "https://play.example:8080", "http://PLAY.example:8080"];
  for (const origin of origins) assertEquals(admission.acquire({ ...REQUEST, origin }), undefined);
  assertEquals(admission.acquire({ ...REQUEST, origin: "https://play.example", host: "Play.Example" }), undefined);
  assertEquals(admission.openSockets, 5);
});

Deno.test("AdmissionControl: a page of another site, another port or no site is refused and takes no place", () => {
  const admission = newAdmission();
  const origins = ["http://evil.example", "http://play.example", "http://play.example:8081", "null", "", "file://"];
  for (const origin of origins) assertEquals(admission.acquire({ ...REQUEST, origin })?.status, 403, origin);
  assertEquals(admission.acquire({ ...REQUEST, origin: "http://play.example:8080", host: undefined })?.status, 421);
  assertEquals(admission.openSockets, 0);
});

Deno.test("AdmissionControl: only the path /socket is admitted (SPEC 8.7)", () => {
  const admission = newAdmission();
  for (const path of ["/", "/socket/", "/Socket", "//socket", ""]) {
    assertEquals(admission.acquire({ ...REQUEST, path })?.status, 404, path);
  }
  assertEquals(admission.openSockets, 0);
});

Deno.test("AdmissionControl: each address has a limit of its own, and a release gives a place back", () => {
  const admission = newAdmission({ socketsPerAddress: 2 });
  const other = { ...REQUEST, addressBlock: "192.0.2.2" };
  assertEquals([admission.acquire(REQUEST), admission.acquire(REQUEST)], [undefined, undefined]);
  assertEquals(admission.acquire(REQUEST)?.status, 503);
  assertEquals(admission.acquire(other), undefined);
  admission.release(REQUEST.addressBlock);
  assertEquals(admission.acquire(REQUEST), undefined);
  assertEquals(admission.acquire(REQUEST)?.status, 503);
});

Deno.test("AdmissionControl: the server has a limit, and a release gives a place back", () => {
  const admission = newAdmission({ sockets: 3 });
  const from = (n: number) => ({ ...REQUEST, addressBlock: `192.0.2.${n}` });
  for (const n of [1, 2, 3]) assertEquals(admission.acquire(from(n)), undefined);
  assertEquals(admission.acquire(from(4))?.status, 503);
  admission.release(from(2).addressBlock);
  assertEquals(admission.acquire(from(4)), undefined);
  assertEquals(admission.openSockets, 3);
});

Deno.test("AdmissionControl: a release without an open socket is an error", () => {
  const admission = newAdmission();
  admission.acquire(REQUEST);
  admission.release(REQUEST.addressBlock);
  assertThrows(() => admission.release(REQUEST.addressBlock), RangeError);
});

/** An admission control whose clock the test sets. */
function admissionWithClock(upgradesPerAddress = DEFAULT_LIMITS.upgradesPerAddress) {
  const clock = { nowMs: 5_000, now: () => clock.nowMs };
  return { admission: newAdmission({ clock, upgradesPerAddress }), clock };
}

Deno.test("TokenBucket: a burst at once, then tokens at its rate, never more than the burst", () => {
  const bucket = new TokenBucket({ burst: 3, perSecond: 2 }, 1_000);
  const takes = (nowMs: number) => [1, 2, 3, 4].map(() => bucket.take(nowMs)).filter(Boolean).length;
  assertEquals(takes(1_000), 3);
  assertEquals(takes(1_499), 0);
  assertEquals(takes(1_500), 1);
  assertEquals(bucket.isFull(2_999), false);
  assertEquals(bucket.isFull(3_000), true);
  assertEquals(takes(60_000), 3);
});

Deno.test("AdmissionControl: only an address with too many requests gets 429; later it is admitted again", () => {
  const { admission, clock } = admissionWithClock({ burst: 3, perSecond: 2 });
  const acquire = (request: Partial<UpgradeRequest> = {}) => admission.acquire({ ...REQUEST, ...request });
  // A refused request takes a token as an admitted one does.
  assertEquals([acquire({ path: "/" })?.status, acquire()?.status, acquire({ origin: "null" })?.status], [
    404,
    undefined,
    403,
  ]);
  assertEquals([acquire()?.status, acquire()?.cause, acquire({ path: "/" })?.status], [429, "rate", 429]);
  assertEquals(acquire({ addressBlock: "192.0.2.2" }), undefined);
  clock.nowMs += 499;
  assertEquals(acquire()?.status, 429);
  clock.nowMs += 1;
  assertEquals([acquire()?.status, acquire()?.status], [undefined, 429]);
  assertEquals(admission.openSockets, 3);
});

Deno.test("AdmissionControl: by default 64 bots are admitted at once, but not a hundred requests a second", () => {
  const { admission, clock } = admissionWithClock();
  let entered = 0;
  for (let ms = 0; ms < 10_000; ms += 10, clock.nowMs += 10) {
    if (admission.acquire(REQUEST) !== undefined) continue;
    entered++;
    admission.release(REQUEST.addressBlock);
  }
  assertEquals(entered, 100 + 10 * 40 - 1);
  const { admission: fresh } = admissionWithClock();
  for (let i = 0; i < 64; i++) assertEquals(fresh.acquire(REQUEST), undefined);
});

Deno.test("AdmissionControl: full buckets are dropped, and at most 4,096 buckets are kept", () => {
  const { admission, clock } = admissionWithClock();
  const from = (n: number) =>
    admission.acquire({ ...REQUEST, path: "/", addressBlock: `10.${n >> 16}.${n >> 8 & 255}.${n & 255}` });
  for (let n = 0; n < 50; n++) from(n);
  assertEquals(admission.trackedAddresses, 50);
  clock.nowMs += 25; // one token at 40 a second
  from(50);
  assertEquals(admission.trackedAddresses, 1);
  for (let n = 0; n < 10_000; n++) from(n);
  assertLessOrEqual(admission.trackedAddresses, 4_096);
  assertEquals(from(9_999)?.status, 404, "the newest is still served");
});

Deno.test("AdmissionControl: an IPv6 network of one customer counts as one address, an IPv4 address as itself", () => {
  const { admission } = admissionWithClock({ burst: 1, perSecond: 1 });
  const refused = (address: string) =>
    admission.acquire({ ...REQUEST, addressBlock: addressBlockOf(address) })?.status === 429;
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
  for (const address of ["2001:db8:1:2::1", "::1", "::ffff:192.0.2.1"]) admission.release(addressBlockOf(address));
  assertEquals(admission.openSockets, 5);
});
