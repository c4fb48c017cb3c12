/**
 * What a node makes of proofs over time, on clocks of the test. `forged_messages_test.ts` has each
 * kind of message on real servers.
 */
import { assert, assertEquals, assertLessOrEqual } from "@std/assert";
import { SignedChannel } from "../../../server/cluster/signed_channel.ts";
import type { NatsMessage } from "../../../server/match_log/nats/nats_client.ts";
import { MessageProofs, PROOF_HEADER } from "../../../server/messages/message_proof.ts";
import type { LogFields } from "../../../server/log.ts";
import { ServerSecret } from "../../../server/server_secret.ts";

const OWN = "0".repeat(16);
const OTHER = "1".repeat(16);
const THIRD = "2".repeat(16);
const RIGHT = ServerSecret.ofText("the nodes' secret");
const WRONG = ServerSecret.ofText("another one");
/** The header of the digest (SPEC 18.106). */
const SECRET_HEADER = "Wyvern-Secret";
const TEXT = new TextEncoder().encode("{}");

/** One node's line, to which messages come as the test says. */
class HeardLine {
  nowMs = 1_000_000;
  /** How much the machine's clock has been set, ms. */
  setMs = 0;
  readonly believed: string[] = [];
  readonly logged: LogFields[] = [];
  readonly channel: SignedChannel;
  #onMessage: (message: NatsMessage) => void = () => {};
  readonly #others = new Map<string, MessageProofs>();

  constructor() {
    this.channel = new SignedChannel({
      client: {
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
    this.channel.subscribe(
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

Deno.test("SignedChannel: a message counts once, in its order, and clocks may differ by a minute (SPEC 18.86)", () => {
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
  assertEquals(test.channel.dropped, { unsigned: 0, secret: 0, forged: 0, stale: 1, replayed: 2 });

  // What a dead node has said stays heard as long as it is young enough.
  const advertised = Array.from({ length: 1_000 }, () => test.proofOf(OTHER));
  for (const proof of advertised) assert(test.hear(OTHER, proof));
  for (let ms = 0; ms < 180_000; ms += 1_000) {
    test.nowMs += 1_000;
    assert(test.hear(THIRD, test.proofOf(THIRD)));
    assertEquals(test.hear(OTHER, advertised.at(-1)!), false);
  }
});

Deno.test("SignedChannel: another digest, or a count that was heard, is reason enough without a look at the proof (SPEC 18.86, 18.106)", () => {
  const test = new HeardLine();
  const proof = test.proofOf(OTHER);
  const digest = new MessageProofs({ node: THIRD, secret: WRONG, wallClock: { now: () => 0 } })
    .prove({ context: "", text: TEXT }).headers[SECRET_HEADER]!;
  assertEquals(test.hear(OTHER, { ...proof, [SECRET_HEADER]: digest }), false);
  assertEquals(test.hear(OTHER, proof), true);
  const forged = proof[PROOF_HEADER]!.replace(/.{4}$/, "AAAA");
  assertEquals(test.hear(OTHER, { ...proof, [PROOF_HEADER]: forged }), false);
  assertEquals(test.channel.dropped, { unsigned: 0, secret: 1, forged: 0, stale: 0, replayed: 1 });
});

Deno.test("SignedChannel: a machine whose clock is set believes others as before, once the clock is right (SPEC 18.86)", () => {
  const test = new HeardLine();
  test.setMs = -3_600_000;
  assertEquals(test.hear(OTHER, test.proofOf(OTHER)), false);
  test.setMs = 0;
  assertEquals(test.hear(OTHER, test.proofOf(OTHER)), true);
});

Deno.test("SignedChannel: a node that believes nobody and hears somebody is in doubt, and a stranger makes no other one doubt (SPEC 18.88)", () => {
  const test = new HeardLine();
  const { channel } = test;
  assertEquals(channel.isInDoubt, false);
  test.hear(OTHER, {});
  assertEquals(channel.doubt, "its secret or version is not that of the other nodes");
  test.nowMs += 3_000;
  assertEquals(channel.isInDoubt, false, "nobody speaks any more");
  test.hear(OTHER, test.proofOf(OTHER, { secret: WRONG }));
  assertEquals(channel.doubt, "its secret is not that of the other nodes");
  assertEquals(test.logged.at(-1)!["why"], "unsigned", "a line in ten seconds");
  assertEquals(channel.dropped, { unsigned: 1, secret: 1, forged: 0, stale: 0, replayed: 0 });

  // Its own message proves nothing about others.
  test.hear(OWN, test.proofOf(OWN));
  assertEquals(channel.isInDoubt, true);
  test.hear(THIRD, test.proofOf(THIRD));
  assertEquals(channel.isInDoubt, false);
  test.nowMs += 60_000;
  for (let i = 0; i < 10; i++) test.hear(OTHER, {});
  assertEquals(channel.isInDoubt, false, "another node was believed once, so the secret is right");
});

Deno.test("SignedChannel: a node whose clock leaps is in doubt while it hears nobody at its own time (SPEC 18.88)", () => {
  const test = new HeardLine();
  const { channel } = test;
  const hear = () => test.hear(OTHER, test.proofOf(OTHER));
  assertEquals([hear(), channel.isInDoubt], [true, false]);
  test.setMs = 120_000;
  test.nowMs += 3_000;
  assertEquals([hear(), channel.doubt], [
    false,
    "its clock is 120 s ahead of those of the other nodes",
  ]);
  test.setMs = 0;
  test.nowMs += 200;
  assertEquals([hear(), channel.isInDoubt], [true, false]);

  // Old messages that are said again are no sign of another time: their sender is remembered.
  const old = test.proofOf(OTHER);
  assert(test.hear(OTHER, old));
  test.nowMs += 100_000;
  assertEquals([test.hear(OTHER, old), channel.isInDoubt], [false, false]);
});

Deno.test("SignedChannel: a flood of strangers' messages is a line in ten seconds, and senders are remembered up to a bound (SPEC 18.86)", () => {
  const test = new HeardLine();
  for (let i = 0; i < 30_000; i++) {
    test.nowMs++;
    test.hear(OTHER, { [PROOF_HEADER]: "1 evil" });
  }
  assertEquals([test.logged.length, test.channel.dropped.forged], [3, 30_000]);
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

Deno.test("SignedChannel: a node whose clock differs from most others knows it, and so do the others (SPEC 18.105)", () => {
  const test = new HeardLine();
  const { channel } = test;
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
    return channel.clocks;
  };
  const [fourth, fifth] = ["3".repeat(16), "4".repeat(16)];

  assertEquals(channel.clocks, { others: 0, apart: 0, aheadMs: 0, isWrong: false });
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
    channel.clocks,
    { others: 0, apart: 0, aheadMs: 0, isWrong: false },
    "nobody lives any more",
  );
});
