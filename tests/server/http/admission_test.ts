import { assertEquals, assertLessOrEqual } from "@std/assert";
import {
  AdmissionControl,
  type AdmissionOptions,
  type Refusal,
  type SocketPlace,
  type UpgradeRequest,
} from "../../../server/http/admission.ts";
import { addressBlockOf } from "../../../server/addresses/client_address.ts";
import { SiteRules } from "../../../server/http/site_rules.ts";
import { DEFAULT_LIMITS, type Limits } from "../../../server/settings/limits.ts";
import { CloseCode } from "../../../shared/netcode/wire/messages.ts";
import { TokenBucket } from "../../../server/addresses/token_bucket.ts";

const REQUEST: UpgradeRequest = {
  path: "/socket",
  origin: undefined,
  host: "play.example:8080",
  addressBlock: "192.0.2.1",
};

/** A server on a public name, under no other. */
const SITE = new SiteRules({
  origins: [],
  hosts: ["play.example"],
  host: "192.0.2.9",
  isPublic: true,
});

/** An admission control with the places that it gave, by the blocks that got them. */
class TestedAdmission {
  readonly #admission: AdmissionControl;
  readonly #places: { readonly addressBlock: string; readonly place: SocketPlace }[] = [];

  constructor(limits: Partial<Limits>, options: Partial<AdmissionOptions>) {
    this.#admission = new AdmissionControl({ ...DEFAULT_LIMITS, ...limits }, {
      site: SITE,
      ...options,
    });
  }

  get openSockets(): number {
    return this.#admission.openSockets;
  }

  get trackedAddresses(): number {
    return this.#admission.trackedAddresses;
  }

  /** @returns the refusal, or undefined for a place */
  acquire(request: UpgradeRequest): Refusal | undefined {
    const place = this.#admission.acquire(request);
    if ("status" in place) return place;
    this.#places.push({ addressBlock: request.addressBlock, place });
    return undefined;
  }

  /**
   * The newest place, for a link of this number.
   * @returns the codes with which the server closes the link
   */
  holdNewest(id: number): number[] {
    const codes: number[] = [];
    this.#places.at(-1)!.place.hold({ close: (code) => void codes.push(code) }, id);
    return codes;
  }

  /** Gives the newest place of a block back. */
  release(addressBlock: string): void {
    const index = this.#places.findLastIndex((each) => each.addressBlock === addressBlock);
    const [{ place } = assertPlace()] = this.#places.splice(index, 1);
    place.release();
    place.release();
  }
}

function assertPlace(): never {
  throw new Error("the test has no such place");
}

function newAdmission(
  { clock, activeLinks, ...limits }: Partial<Limits> & Partial<AdmissionOptions> = {},
): TestedAdmission {
  return new TestedAdmission(limits, { ...clock && { clock }, activeLinks });
}

Deno.test("AdmissionControl: a page of this server and a bot without a page are admitted", () => {
  const admission = newAdmission();
  const origins = [
    undefined,
    "http://play.example:8080",
    "https://play.example:8080",
    "http://PLAY.example:8080",
  ];
  for (const origin of origins) assertEquals(admission.acquire({ ...REQUEST, origin }), undefined);
  assertEquals(
    admission.acquire({ ...REQUEST, origin: "https://play.example", host: "Play.Example" }),
    undefined,
  );
  assertEquals(admission.openSockets, 5);
});

Deno.test("AdmissionControl: a page of another site, another port or no site is refused and takes no place", () => {
  const admission = newAdmission();
  const origins = [
    "http://evil.example",
    "http://play.example",
    "http://play.example:8081",
    "null",
    "",
    "file://",
  ];
  for (const origin of origins) {
    assertEquals(admission.acquire({ ...REQUEST, origin })?.status, 403, origin);
  }
  assertEquals(
    admission.acquire({ ...REQUEST, origin: "http://play.example:8080", host: undefined })?.status,
    421,
  );
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

Deno.test("AdmissionControl: in a full server the largest network loses a socket that nobody plays with (SPEC 14.42)", () => {
  const active = new Set([2]);
  const admission = newAdmission({ sockets: 6, activeLinks: () => active });
  const codes: number[][] = [];
  const enter = (addressBlock: string) =>
    admission.acquire({ ...REQUEST, addressBlock })?.status ?? 101;

  // Two /64 of one /48 hold four places, a third network two.
  for (
    const [id, block] of ["2001:db8:1:1", "2001:db8:1:1", "2001:db8:1:2", "2001:db8:1:2", "a", "a"]
      .entries()
  ) {
    assertEquals(enter(block), 101);
    codes.push(admission.holdNewest(id));
  }

  assertEquals(enter("192.0.2.1"), 101);
  assertEquals(codes.map((each) => each.length), [1, 0, 0, 0, 0, 0]);
  assertEquals(codes[0], [CloseCode.displaced]);
  assertEquals(enter("192.0.2.9"), 101, "another newcomer");
  assertEquals(
    codes.map((each) => each.length),
    [1, 0, 0, 1, 0, 0],
    "of the larger /64, and the idle one",
  );
  assertEquals(enter("2001:db8:1:7"), 503, "a third /64 of the network that holds as much");
  assertEquals(admission.openSockets, 6);
});

Deno.test("AdmissionControl: nobody is displaced for a network that holds as much, or for a swap (SPEC 14.42)", () => {
  const admission = newAdmission({ sockets: 2 });
  const codes = ["a", "b"].map((addressBlock, id) => {
    admission.acquire({ ...REQUEST, addressBlock });
    return admission.holdNewest(id);
  });
  assertEquals(admission.acquire({ ...REQUEST, addressBlock: "c" })?.status, 503);
  assertEquals(admission.acquire({ ...REQUEST, addressBlock: "a" })?.cause, "house_full");
  assertEquals(codes, [[], []]);
});

Deno.test("AdmissionControl: a /56 and a /48 have limits of new sockets, an IPv4 /24 has none (SPEC 14.44)", () => {
  const { admission } = admissionWithClock({ burst: 2, perSecond: 1 });
  const admittedOf = (blocks: readonly string[]) =>
    blocks.filter((addressBlock) => admission.acquire({ ...REQUEST, addressBlock }) === undefined)
      .length;
  const block = (site: number, net: number) => `2001:db8:${site.toString(16)}:${net.toString(16)}`;
  const of56 = Array.from({ length: 40 }, (_, i) => block(1, i));
  assertEquals(admittedOf(of56), 8);
  const of48 = Array.from({ length: 100 }, (_, i) => block(2, i << 8));
  assertEquals(admittedOf(of48), 32);
  assertEquals(admittedOf(Array.from({ length: 100 }, (_, i) => `192.0.2.${i}`)), 100);
});

/** An admission control whose clock the test sets. */
function admissionWithClock(upgradesPerAddress = DEFAULT_LIMITS.upgradesPerAddress) {
  const clock = { nowMs: 5_000, now: () => clock.nowMs };
  return { admission: newAdmission({ clock, upgradesPerAddress }), clock };
}

Deno.test("TokenBucket: a burst at once, then tokens at its rate, never more than the burst", () => {
  const bucket = new TokenBucket({ burst: 3, perSecond: 2 }, 1_000);
  const takes = (nowMs: number) =>
    [1, 2, 3, 4].map(() => bucket.take(nowMs)).filter(Boolean).length;
  assertEquals(takes(1_000), 3);
  assertEquals(takes(1_499), 0);
  assertEquals(takes(1_500), 1);
  assertEquals(bucket.isFull(2_999), false);
  assertEquals(bucket.isFull(3_000), true);
  assertEquals(takes(60_000), 3);
});

Deno.test("AdmissionControl: only an address with too many requests gets 429; later it is admitted again", () => {
  const { admission, clock } = admissionWithClock({ burst: 3, perSecond: 2 });
  const acquire = (request: Partial<UpgradeRequest> = {}) =>
    admission.acquire({ ...REQUEST, ...request });

  // A refused request takes a token as an admitted one does.
  assertEquals([
    acquire({ path: "/" })?.status,
    acquire()?.status,
    acquire({ origin: "null" })?.status,
  ], [
    404,
    undefined,
    403,
  ]);
  assertEquals([acquire()?.status, acquire()?.cause, acquire({ path: "/" })?.status], [
    429,
    "rate",
    429,
  ]);
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
    admission.acquire({
      ...REQUEST,
      path: "/",
      addressBlock: `10.${n >> 16}.${n >> 8 & 255}.${n & 255}`,
    });
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
  for (const address of ["2001:db8:1:2::1", "::1", "::ffff:192.0.2.1"]) {
    admission.release(addressBlockOf(address));
  }
  assertEquals(admission.openSockets, 5);
});
