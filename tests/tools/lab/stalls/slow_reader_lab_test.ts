/**
 * A client that stands still and reads nothing: what it costs the server, how it affects the
 * others, and how it returns, in virtual time.
 */
import { assert, assertEquals, assertGreater, assertLess, assertLessOrEqual } from "@std/assert";
import { deflateRawSync } from "node:zlib";
import { SKIP_BYTES } from "../../../../server/match/clients/send_backlog.ts";
import { dragonGame } from "../../../../shared/games/dragons/game.ts";
import { Lab } from "../lab.ts";
import { RandomDragonControls } from "../random_controls.ts";
import { StalledLink } from "../links/stalled_link.ts";

/**
 * How many bytes Linux buffers for a connection: 4 MiB to send (tcp_wmem) and the peer's receive
 * buffer.
 */
const LINUX_BYTES = 6 << 20;
/** 10 Mbit/s, delivered in steps of 5 ms. */
const NETWORK_BYTES_PER_MS = 1250;
const STEP_MS = 5;
const BACK_MS_MAX = 500;
/**
 * Most bytes for the slow client: the limit for skipping, a state with six dragons, and 1.6 s of
 * ticks in flight.
 */
const SENT_BYTES_MAX = SKIP_BYTES + 40_000;

/**
 * The dragons without their body stream. Their states then travel whole, more than a kilobyte a
 * tick; with it a tick has forty bytes, which fill no buffer in ten seconds.
 */
const { bodies: _, ...WHOLE_STATES } = dragonGame;

interface Stall {
  readonly stream: "commands" | "state";
  readonly rttMs: number;
  readonly seconds: number;
  /** How many bytes both ends' operating systems buffer. */
  readonly kernelBytes: number;
  readonly isSpectator?: boolean;
}

/** One of three clients reads nothing for a while. */
function stallReader({ stream, rttMs, seconds, kernelBytes, isSpectator = false }: Stall) {
  const lab = new Lab({
    game: WHOLE_STATES,
    seed: 7,
    npcs: 4,
    stream,
    deflate: (bytes) => deflateRawSync(bytes),
  });
  const network = { oneWayMs: rttMs / 2, jitterMs: 3 };
  for (const seed of [1, 2]) {
    lab.join(`p${seed}`, { network, commandSource: new RandomDragonControls(seed) });
  }
  const others = lab.players.slice();
  let stalledLink!: StalledLink;
  const admit = lab.rooms.admit.bind(lab.rooms);
  lab.rooms.admit = (link) => admit(stalledLink = new StalledLink(link, { kernelBytes }));
  const slow = lab.join("slow", {
    network,
    commandSource: new RandomDragonControls(3),
    spectate: isSpectator,
  });
  const { session } = slow;
  lab.run(5);
  assertEquals([session.phase, session.isInSync], ["playing", true]);
  stalledLink.isStalled = true;
  slow.sleep = { untilMs: lab.nowMs + seconds * 1000, hearsMessages: false };
  let costMax = 0;
  let bufferedMax = 0;
  lab.run(seconds, () => {
    costMax = Math.max(costMax, stalledLink.unreadBytes);
    bufferedMax = Math.max(bufferedMax, stalledLink.bufferedBytes);
  });
  const { match } = lab;
  const { skipped } = match!.stats;
  assertLess(session.definitiveTick, match!.tick - (seconds - 1) * 20, "it has read nothing");

  // The client reads its own system's buffer at once. For the rest, the window update must first
  // reach the server.
  const readAtMs = lab.nowMs + (kernelBytes === 0 ? 0 : rttMs / 2);
  if (kernelBytes === 0) lab.run(rttMs / 2000);
  const isBack = () =>
    session.isInSync && session.definitiveTick > match!.tick - rttMs / 100 - 3 &&
    session.head > session.definitiveTick - (isSpectator ? 5 : 0);
  while (!isBack() && lab.nowMs < readAtMs + 5000) {
    stalledLink.drain(NETWORK_BYTES_PER_MS * STEP_MS);
    stalledLink.isStalled = stalledLink.unreadBytes > 0;
    lab.run(STEP_MS / 1000);
  }

  const backMs = lab.nowMs - readAtMs;
  lab.run(5);
  assertEquals(
    [session.phase, session.stats.desyncs, session.isInSync],
    ["playing", 0, true],
    session.closeReason,
  );

  for (const { session } of others) {
    assertEquals([session.phase, session.stats.desyncs], ["playing", 0]);
    // Without gaps, because a gap would desync the client until a state comes. Nearly all ticks
    // have arrived.
    if (stream === "commands") assertEquals(session.stats.statesAdopted, 1);
    assertLess(match!.tick - session.stats.ticks, 25);
  }

  return { backMs, costMax, bufferedMax, skipped };
}

for (const stream of ["commands", "state"] as const) {
  Deno.test(`Lab: a client that reads nothing for ten seconds of ${stream} plays again within half a second and costs little (SPEC 4.4) [seed 7]`, () => {
    for (const rttMs of [0, 300]) {
      // Every system buffers a kilobyte of commands. For states the test also uses a peer without
      // any buffer.
      for (const kernelBytes of stream === "state" ? [0, LINUX_BYTES] : [LINUX_BYTES]) {
        const { backMs, costMax, skipped } = stallReader({
          stream,
          rttMs,
          seconds: 10,
          kernelBytes,
        });
        // A client that finds nothing to read when it wakes has to ask first.
        const askMs = kernelBytes === 0 ? rttMs : 0;
        assertLessOrEqual(backMs, BACK_MS_MAX + askMs, `${rttMs} ms`);
        assertLessOrEqual(costMax, SENT_BYTES_MAX);
        assertGreater(costMax, 500);
        assertEquals(skipped > 50, stream === "state");
      }
    }
  });
}

Deno.test("Lab: a client that reads nothing for twenty-five seconds plays again; its clock never stopped (SPEC 4.4) [seed 7]", () => {
  for (const stream of ["commands", "state"] as const) {
    const { backMs } = stallReader({ stream, rttMs: 100, seconds: 25, kernelBytes: LINUX_BYTES });
    assertLessOrEqual(backMs, BACK_MS_MAX);
  }
});

Deno.test("Lab: a spectator that reads nothing is skipped when the server buffers too much for it (SPEC 4.4, 7.6) [seed 7]", () => {
  const { backMs, bufferedMax, skipped } = stallReader({
    stream: "state",
    rttMs: 100,
    seconds: 10,
    kernelBytes: 100_000,
    isSpectator: true,
  });
  assert(skipped > 20);
  assertGreater(bufferedMax, SKIP_BYTES);
  assertLessOrEqual(bufferedMax, SENT_BYTES_MAX);
  assertLessOrEqual(backMs, BACK_MS_MAX);
});
