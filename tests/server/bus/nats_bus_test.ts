/**
 * What a node makes of proofs over time, on clocks of the test. `forged_messages_test.ts` has each
 * kind of message on real servers.
 */
import { assert, assertEquals, assertLessOrEqual, assertThrows } from "@std/assert";
import { NatsBus } from "../../../server/bus/nats_bus.ts";
import type { NatsMessage } from "../../../server/match_log/nats/nats_client.ts";
import {
  KEYS_OF_MESSAGES,
  MessageProofs,
  PROOF_HEADER,
} from "../../../server/messages/message_proof.ts";
import type { LogFields } from "../../../server/ground/log.ts";
import { LentKeys, ServerSecret } from "../../../server/ground/server_secret.ts";

const OWN = "0".repeat(16);
const OTHER = "1".repeat(16);
const THIRD = "2".repeat(16);
const RIGHT = ServerSecret.ofText("the nodes' secret");
const WRONG = ServerSecret.ofText("another one");
/** The header of the digest (SPEC 17.206). */
const SECRET_HEADER = "Wyvern-Secret";
const TEXT = new TextEncoder().encode("{}");

/** One node's line, to which messages come as the test says. */
class HeardLine {
  nowMs = 1_000_000;
  /** How much the machine's clock has been set, ms. */
  setMs = 0;
  readonly believed: string[] = [];
  readonly logged: LogFields[] = [];
  readonly bus: NatsBus;
  #onMessage: (message: NatsMessage) => void = () => {};
  readonly #others = new Map<string, MessageProofs>();

  /** @param options.machineOf names the machine of each node; by default each is one */
  constructor({ machineOf }: { machineOf?: (node: string) => string } = {}) {
    this.bus = new NatsBus({
      client: {
        isConnected: true,
        publish() {},
        send() {},
        subscribe: (_subject, onMessage) => void (this.#onMessage = onMessage),
      },
      node: OWN,
      secret: RIGHT,
      takesUnsigned: false,
      ...machineOf && {
        machineOf,
        isOwnMachine: (node: string) => machineOf(node) === machineOf(OWN),
      },
      clock: { now: () => this.nowMs },
      wallClock: { now: () => this.nowMs + this.setMs },
      log: (_event, fields = {}) => void this.logged.push(fields),
    });
    this.bus.subscribe(
      "beat.*",
      (bytes) => void this.believed.push(new TextDecoder().decode(bytes)),
    );
  }

  /** The headers of a message of another node. */
  proofOf(node: string, { secret = RIGHT, aheadMs = 0 } = {}): Readonly<Record<string, string>> {
    const wallClock = { now: () => this.nowMs + aheadMs };
    let proofs = this.#others.get(node);
    if (proofs === undefined) {
      this.#others.set(node, proofs = new MessageProofs({ node, secret, wallClock }));
    }
    return proofs.prove({ context: `beat.${node}`, text: TEXT }).headers;
  }

  /** @returns whether the message was believed */
  hear(node: string, headers: Readonly<Record<string, string>>): boolean {
    const before = this.believed.length;
    const header = (name: string) => headers[name] ?? "";
    this.#onMessage({ subject: `beat.${node}`, bytes: TEXT, header, respond() {} });
    return this.believed.length > before;
  }
}

Deno.test("NatsBus: a message counts once, in its order, and clocks may differ by a minute (SPEC 17.186)", () => {
  const test = new HeardLine();
  const first = test.proofOf(OTHER);
  const second = test.proofOf(OTHER);
  assertEquals([second, second, first].map((proof) => test.hear(OTHER, proof)), [
    true,
    false,
    false,
  ]);
  assertEquals(test.hear(THIRD, test.proofOf(THIRD, { aheadMs: 60_000 })), true);
  const late = test.proofOf(OTHER);
  test.nowMs += 60_001;
  assertEquals(test.hear(OTHER, late), false);
  assertEquals(test.hear(OTHER, test.proofOf(OTHER)), true);
  assertEquals(test.bus.dropped, { unsigned: 0, secret: 0, forged: 0, stale: 1, replayed: 2 });

  // What a dead node has said stays heard as long as it is young enough.
  const advertised = Array.from({ length: 1_000 }, () => test.proofOf(OTHER));
  for (const proof of advertised) assert(test.hear(OTHER, proof));
  for (let ms = 0; ms < 180_000; ms += 1_000) {
    test.nowMs += 1_000;
    assert(test.hear(THIRD, test.proofOf(THIRD)));
    assertEquals(test.hear(OTHER, advertised.at(-1)!), false);
  }
});

Deno.test("NatsBus: another digest, or a count that was heard, is reason enough without a look at the proof (SPEC 17.186, 17.206)", () => {
  const test = new HeardLine();
  const proof = test.proofOf(OTHER);
  const digest = new MessageProofs({ node: THIRD, secret: WRONG, wallClock: { now: () => 0 } })
    .prove({ context: "", text: TEXT }).headers[SECRET_HEADER]!;
  assertEquals(test.hear(OTHER, { ...proof, [SECRET_HEADER]: digest }), false);
  assertEquals(test.hear(OTHER, proof), true);
  const forged = proof[PROOF_HEADER]!.replace(/.{4}$/, "AAAA");
  assertEquals(test.hear(OTHER, { ...proof, [PROOF_HEADER]: forged }), false);
  assertEquals(test.bus.dropped, { unsigned: 0, secret: 1, forged: 0, stale: 0, replayed: 1 });
});

Deno.test("NatsBus: a machine whose clock is set believes others as before, once the clock is right (SPEC 17.186)", () => {
  const test = new HeardLine();
  test.setMs = -3_600_000;
  assertEquals(test.hear(OTHER, test.proofOf(OTHER)), false);
  test.setMs = 0;
  assertEquals(test.hear(OTHER, test.proofOf(OTHER)), true);
});

Deno.test("NatsBus: a node that believes nobody and hears somebody is in doubt, and a stranger makes no other one doubt (SPEC 17.188)", () => {
  const test = new HeardLine();
  const { bus } = test;
  assertEquals(bus.isInDoubt, false);
  test.hear(OTHER, {});
  assertEquals(bus.doubt, "its secret or version is not that of the other nodes");
  test.nowMs += 3_000;
  assertEquals(bus.isInDoubt, false, "nobody speaks any more");
  test.hear(OTHER, test.proofOf(OTHER, { secret: WRONG }));
  assertEquals(bus.doubt, "its secret is not that of the other nodes");
  assertEquals(test.logged.at(-1)!["why"], "unsigned", "a line in ten seconds");
  assertEquals(bus.dropped, { unsigned: 1, secret: 1, forged: 0, stale: 0, replayed: 0 });

  // Its own message proves nothing about others.
  test.hear(OWN, test.proofOf(OWN));
  assertEquals(bus.isInDoubt, true);
  test.hear(THIRD, test.proofOf(THIRD));
  assertEquals(bus.isInDoubt, false);
  test.nowMs += 60_000;
  for (let i = 0; i < 10; i++) test.hear(OTHER, {});
  assertEquals(bus.isInDoubt, false, "another node was believed once, so the secret is right");
});

Deno.test("NatsBus: a node whose clock leaps is in doubt while it hears nobody at its own time (SPEC 17.188)", () => {
  const test = new HeardLine();
  const { bus } = test;
  const hear = () => test.hear(OTHER, test.proofOf(OTHER));
  assertEquals([hear(), bus.isInDoubt], [true, false]);
  test.setMs = 120_000;
  test.nowMs += 3_000;
  assertEquals([hear(), bus.doubt], [
    false,
    "its clock is 120 s ahead of those of the other nodes",
  ]);
  test.setMs = 0;
  test.nowMs += 200;
  assertEquals([hear(), bus.isInDoubt], [true, false]);

  // Old messages that are said again are no sign of another time: their sender is remembered.
  const old = test.proofOf(OTHER);
  assert(test.hear(OTHER, old));
  test.nowMs += 100_000;
  assertEquals([test.hear(OTHER, old), bus.isInDoubt], [false, false]);
});

Deno.test("NatsBus: a flood of strangers' messages is a line in ten seconds, and senders are remembered up to a bound (SPEC 17.186)", () => {
  const test = new HeardLine();
  for (let i = 0; i < 30_000; i++) {
    test.nowMs++;
    test.hear(OTHER, { [PROOF_HEADER]: "1 evil" });
  }
  assertEquals([test.logged.length, test.bus.dropped.forged], [3, 30_000]);
  assertEquals(test.logged[2], {
    why: "forged",
    subject: `beat.${OTHER}`,
    from: "",
    unsigned: 0,
    secret: 0,
    forged: 20_001,
    stale: 0,
    replayed: 0,
  });
  test.hear("x".repeat(10_000), {});
  test.nowMs += 10_000;
  test.hear("x".repeat(10_000), {});
  assertLessOrEqual(String(test.logged.at(-1)!["subject"]).length, 64);

  // The newest 256 are known.
  const names = Array.from({ length: 300 }, (_, i) => i.toString(16).padStart(16, "a"));
  const proofs = names.map((name) => test.proofOf(name));
  for (const [i, name] of names.entries()) assert(test.hear(name, proofs[i]!));
  for (let i = 44; i < 300; i++) assertEquals(test.hear(names[i]!, proofs[i]!), false);
});

Deno.test("NatsBus: a node whose clock differs from most others knows it, and so do the others (SPEC 17.205)", () => {
  const test = new HeardLine();
  const { bus } = test;
  const saidMs = new Map<string, number>();
  const proofs = new Map<string, MessageProofs>();
  const proofsOf = (node: string) => {
    const wallClock = { now: () => saidMs.get(node)! };
    if (!proofs.has(node)) proofs.set(node, new MessageProofs({ node, secret: RIGHT, wallClock }));
    return proofs.get(node)!;
  };

  /**
   * Messages of two seconds, after a silence.
   * @param waitsMs how long they wait on their way, in turn
   */
  const hear = (aheadMs: Readonly<Record<string, number>>, waitsMs: readonly number[] = [0]) => {
    test.nowMs += 10_000;
    for (let i = 0; i < 10; i++) {
      test.nowMs += 200;
      for (const [node, ms] of Object.entries(aheadMs)) {
        saidMs.set(node, test.nowMs + ms - waitsMs[i % waitsMs.length]!);
        assert(
          test.hear(node, proofsOf(node).prove({ context: `beat.${node}`, text: TEXT }).headers),
        );
      }
    }
    return bus.clocks;
  };
  const [fourth, fifth] = ["3".repeat(16), "4".repeat(16)];

  assertEquals(bus.clocks, { others: 0, apart: 0, aheadMs: 0, isWrong: false });
  assertEquals(hear({ [OTHER]: 40, [THIRD]: -40 }).apart, 0);

  // A server that stalls for seconds makes messages old, and no clock wrong.
  assertEquals(hear({ [OTHER]: 0, [THIRD]: 0 }, [9_000, 9_000, 9_000, 9_000, 20]).apart, 0);

  // One of three is ahead; here it is another one.
  assertEquals(hear({ [OTHER]: 0, [THIRD]: 10_000 }), {
    others: 2,
    apart: 1,
    aheadMs: 0,
    isWrong: false,
  });
  assertEquals(test.logged.at(-1), { apart: 1, others: 2, ownAheadSeconds: 0 });

  // And here it is this one, whether it was set before or meanwhile.
  assertEquals(hear({ [OTHER]: -10_000, [THIRD]: -10_000 }), {
    others: 2,
    apart: 2,
    aheadMs: 10_000,
    isWrong: true,
  });
  assertEquals(test.logged.at(-1)!["ownAheadSeconds"], 10);
  assertEquals(hear({ [OTHER]: 0, [THIRD]: 0 }).isWrong, false);

  // Nobody can say which of two is wrong, nor which half of four.
  assertEquals(hear({ [OTHER]: -10_000 }), {
    others: 1,
    apart: 1,
    aheadMs: 10_000,
    isWrong: false,
  });
  assertEquals(hear({ [OTHER]: -9_000, [THIRD]: 0, [fourth]: -9_000 }), {
    others: 3,
    apart: 2,
    aheadMs: 9_000,
    isWrong: false,
  });
  const most = { [OTHER]: -9_000, [THIRD]: 0, [fourth]: -9_000, [fifth]: -9_000 };
  assertEquals(hear(most), { others: 4, apart: 3, aheadMs: 9_000, isWrong: true });
  test.nowMs += 5_001;
  assertEquals(
    bus.clocks,
    { others: 0, apart: 0, aheadMs: 0, isWrong: false },
    "nobody lives any more",
  );
});

Deno.test("NatsBus: processes of one machine prove nothing about each other, and have one clock (SPEC 17.22)", () => {
  const sibling = `${OWN.slice(0, -1)}f`;
  const machineOf = (node: string) => node === OTHER || node === THIRD ? "that" : node.slice(0, 13);
  const test = new HeardLine({ machineOf });
  const { bus } = test;

  // It believes its sibling, which has the same wrong secret as itself, and yet doubts.
  assert(test.hear(sibling, test.proofOf(sibling)));
  test.hear(OTHER, test.proofOf(OTHER, { secret: WRONG }));
  assertEquals(bus.doubt, "its secret is not that of the other nodes");

  // Two processes of a machine whose clock is wrong have one voice against the one that is right.
  const fourth = "3".repeat(16);
  const nodes = { [THIRD]: 9_000, [fourth]: 0, [sibling]: 0 };
  for (let i = 0; i < 10; i++) {
    test.nowMs += 200;
    for (const [node, aheadMs] of Object.entries(nodes)) {
      test.hear(node, test.proofOf(node, { aheadMs }));
    }
  }
  assertEquals(bus.clocks, { others: 2, apart: 1, aheadMs: 0, isWrong: false });
  const odd = new HeardLine();
  assert(odd.hear(sibling, odd.proofOf(sibling)));
  odd.hear(OTHER, odd.proofOf(OTHER, { secret: WRONG }));
  assertEquals(odd.bus.isInDoubt, false, "by default each node is a machine of its own");
});

Deno.test("LentKeys: a process without the secret proves its messages, and makes no other key (SPEC 17.4)", () => {
  const keys = LentKeys.of(RIGHT, KEYS_OF_MESSAGES);
  const lent = new LentKeys(keys);
  const wallClock = { now: () => 0 };
  const message = { context: "beat.a", text: TEXT };
  const [whole, part] = [RIGHT, lent].map((secret) =>
    new MessageProofs({ node: OWN, secret, wallClock }).prove(message).headers
  );
  assertEquals(part, whole);
  assertThrows(() => lent.bytesFor("node"), Error, 'no key for "node" was lent');
});
