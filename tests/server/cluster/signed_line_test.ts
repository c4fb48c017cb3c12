/** What a node makes of proofs over time, on clocks of the test. `tests/cluster` has each kind of message on real servers. */
import { assert, assertEquals, assertLessOrEqual } from "@std/assert";
import { SignedLine } from "../../../server/cluster/signed_line.ts";
import type { LineMessage } from "../../../server/match_log/nats/nats_line.ts";
import { MessageProofs, PROOF_HEADER } from "../../../server/messages/message_proof.ts";
import type { LogFields } from "../../../server/log.ts";
import { ServerSecret } from "../../../server/server_secret.ts";

const OWN = "0".repeat(16), OTHER = "1".repeat(16), THIRD = "2".repeat(16);
const RIGHT = ServerSecret.ofText("the nodes' secret"), WRONG = ServerSecret.ofText("another one");
const TEXT = new TextEncoder().encode("{}");

/** One node's line, to which messages come as the test says. */
class HeardLine {
  nowMs = 1_000_000;
  /** How much the machine's clock has been set, ms. */
  setMs = 0;
  readonly believed: string[] = [];
  readonly logged: LogFields[] = [];
  readonly line: SignedLine;
  #onMessage: (message: LineMessage) => void = () => {};
  readonly #others = new Map<string, MessageProofs>();

  constructor() {
    this.line = new SignedLine({
      line: {
        isConnected: true,
        publish() {},
        send() {},
        subscribe: (_subject, onMessage) => void (this.#onMessage = onMessage),
      },
      node: OWN,
      secret: RIGHT,
      takesUnsigned: false,
      clock: { now: () => this.nowMs },
      wallClock: { now: () => this.nowMs + this.setMs },
      log: (_event, fields = {}) => void this.logged.push(fields),
    });
    this.line.subscribe("beat.*", (bytes) => void this.believed.push(new TextDecoder().decode(bytes)));
  }

  /** The header of a message of another node. */
  proofOf(node: string, { secret = RIGHT, aheadMs = 0 } = {}): string {
    const wallClock = { now: () => this.nowMs + aheadMs };
    let proofs = this.#others.get(node);
    if (proofs === undefined) this.#others.set(node, proofs = new MessageProofs({ node, secret, wallClock }));
    return proofs.prove({ context: `beat.${node}`, text: TEXT }).header;
  }

  /** @returns whether the message was believed */
  hear(node: string, proof: string): boolean {
    const before = this.believed.length, header = (name: string) => name === PROOF_HEADER ? proof : "";
    this.#onMessage({ subject: `beat.${node}`, bytes: TEXT, header, respond() {} });
    return this.believed.length > before;
  }
}

Deno.test("SignedLine: a message counts once, in its order, and clocks may differ by a minute (SPEC 18.86)", () => {
  const test = new HeardLine(), first = test.proofOf(OTHER), second = test.proofOf(OTHER);
  assertEquals([second, second, first].map((proof) => test.hear(OTHER, proof)), [true, false, false]);
  assertEquals(test.hear(THIRD, test.proofOf(THIRD, { aheadMs: 60_000 })), true);
  const late = test.proofOf(OTHER);
  test.nowMs += 60_001;
  assertEquals(test.hear(OTHER, late), false);
  assertEquals(test.hear(OTHER, test.proofOf(OTHER)), true);
  assertEquals(test.line.dropped, { unsigned: 0, forged: 0, stale: 1, replayed: 2 });
  // What a dead node has said stays heard as long as it is young enough.
  const said = Array.from({ length: 1_000 }, () => test.proofOf(OTHER));
  for (const proof of said) assert(test.hear(OTHER, proof));
  for (let ms = 0; ms < 180_000; ms += 1_000) {
    test.nowMs += 1_000;
    assert(test.hear(THIRD, test.proofOf(THIRD)));
    assertEquals(test.hear(OTHER, said.at(-1)!), false);
  }
});

Deno.test("SignedLine: a machine whose clock is set believes others as before, once the clock is right (SPEC 18.86)", () => {
  const test = new HeardLine();
  test.setMs = -3_600_000;
  assertEquals(test.hear(OTHER, test.proofOf(OTHER)), false);
  test.setMs = 0;
  assertEquals(test.hear(OTHER, test.proofOf(OTHER)), true);
});

Deno.test("SignedLine: a node that believes nobody and hears somebody is in doubt, and a stranger makes no other one doubt (SPEC 18.88)", () => {
  const test = new HeardLine(), { line } = test;
  assertEquals(line.isInDoubt, false);
  test.hear(OTHER, "");
  assertEquals(line.isInDoubt, true);
  test.nowMs += 3_000;
  assertEquals(line.isInDoubt, false, "nobody speaks any more");
  test.hear(OTHER, test.proofOf(OTHER, { secret: WRONG }));
  assertEquals(line.isInDoubt, true);
  // Its own message proves nothing about others.
  test.hear(OWN, test.proofOf(OWN));
  assertEquals(line.isInDoubt, true);
  test.hear(THIRD, test.proofOf(THIRD));
  assertEquals(line.isInDoubt, false);
  test.nowMs += 60_000;
  for (let i = 0; i < 10; i++) test.hear(OTHER, "");
  assertEquals(line.isInDoubt, false, "another node was believed once, so the secret is right");
});

Deno.test("SignedLine: a node whose clock leaps is in doubt while it hears nobody at its own time (SPEC 18.88)", () => {
  const test = new HeardLine(), { line } = test, hear = () => test.hear(OTHER, test.proofOf(OTHER));
  assertEquals([hear(), line.isInDoubt], [true, false]);
  test.setMs = 120_000;
  test.nowMs += 3_000;
  assertEquals([hear(), line.isInDoubt], [false, true]);
  test.setMs = 0;
  test.nowMs += 200;
  assertEquals([hear(), line.isInDoubt], [true, false]);
  // Old messages that are said again are no sign of another time: their sender is remembered.
  const old = test.proofOf(OTHER);
  assert(test.hear(OTHER, old));
  test.nowMs += 100_000;
  assertEquals([test.hear(OTHER, old), line.isInDoubt], [false, false]);
});

Deno.test("SignedLine: a flood of strangers' messages is a line in ten seconds, and senders are remembered up to a bound (SPEC 18.86)", () => {
  const test = new HeardLine();
  for (let i = 0; i < 30_000; i++) {
    test.nowMs++;
    test.hear(OTHER, "1 evil");
  }
  assertEquals([test.logged.length, test.line.dropped.forged], [3, 30_000]);
  assertEquals(test.logged[2], {
    ...{ why: "forged", subject: `beat.${OTHER}`, from: "" },
    ...{ unsigned: 0, forged: 20_001, stale: 0, replayed: 0 },
  });
  test.hear("x".repeat(10_000), "");
  test.nowMs += 10_000;
  test.hear("x".repeat(10_000), "");
  assertLessOrEqual(String(test.logged.at(-1)!["subject"]).length, 64);

  // The newest 256 are known.
  const names = Array.from({ length: 300 }, (_, i) => i.toString(16).padStart(16, "a"));
  const proofs = names.map((name) => test.proofOf(name));
  for (const [i, name] of names.entries()) assert(test.hear(name, proofs[i]!));
  for (let i = 44; i < 300; i++) assertEquals(test.hear(names[i]!, proofs[i]!), false);
});
