/**
 * Attacks by what a match contains: its log, or its record on the servers, makes the game throw,
 * hang or take seconds.
 */
import { dragonGame } from "../../../../shared/games/dragons/game.ts";
import { assert, assertEquals, assertLessOrEqual, assertMatch } from "@std/assert";
import { encodeLogMessage } from "../../../../server/match_log/nats/log_message.ts";
import { RecordStore, subjectOf } from "../../../../server/match_log/nats/record_store.ts";
import { FrameReader } from "../../../../shared/netcode/match_log/frames.ts";
import { CloseCode } from "../../../../shared/netcode/wire/messages.ts";
import { type Trap, trapLog } from "../../../support/trials/trap_game.ts";
import { type Attack, until } from "../attack.ts";
import type { LiveServer } from "../live_server.ts";
import type { Target } from "../target.ts";

const TOKEN = "1".repeat(32);
/** How often each node is asked whether it lives while a record goes from node to node, ms. */
const ASK_EVERY_MS = 100;
/** A later answer is too late for a machine that restarts what does not answer, ms. */
const HEALTH_MS_MAX = 1_000;

/** @returns the fields of an event's lines in a server's log */
async function linesOf(server: LiveServer, event: string): Promise<string[]> {
  return (await server.log()).split("\n").filter((line) => line.includes(` ${event} `));
}

/** A player returns to a match that goes on as one joins any room. */
async function honestReturn(target: Target): Promise<string> {
  const stranger = await target.join(target.newAddress(), { room: "GOOD" });
  assert(stranger.welcome !== undefined, stranger.closeInfo?.reason);
  await stranger.leave();
  const [line] = await linesOf(target.server, "match_resumed");
  assertMatch(line ?? "", /room=GOOD tick=50 /);
  return "a match beside it goes on at its tick 50";
}

/** @returns how the server has dealt with a match that cannot go on */
async function setAsideAt(target: Target, room: string): Promise<string> {
  await until(
    `${room} is set aside`,
    async () => (await linesOf(target.server, "match_set_aside")).length > 0,
    {
      seconds: 20,
    },
  );
  const [line] = await linesOf(target.server, "match_set_aside");
  assertMatch(line!, new RegExp(`id=\\S+-${room}-\\S+ room=${room} game=${dragonGame.id} error=`));
  assertEquals((await target.figures()).of("wyvern_matches_set_aside"), 1);

  const returning = await target.join(target.newAddress(), { room, resume: TOKEN });
  assertEquals(returning.closeInfo?.code, CloseCode.roomFailed);
  const fresh = await target.join(target.newAddress(), { room });
  assert(fresh.welcome !== undefined, fresh.closeInfo?.reason);
  return `set aside (${
    line!.match(/error="([^"]*)"/)![1]
  }); a player who comes back reads: ${returning.closeInfo?.reason}`;
}

function logAttack(name: string, traps: Readonly<Record<string, Trap>>, room: string): Attack {
  return {
    name,
    threat: "25",
    server: { traps: { GOOD: "none", ...traps } },
    honest: honestReturn,
    commit: (target) => setAsideAt(target, room),
  };
}

const poisonRecord: Attack = {
  name: "poison_record",
  threat: "25",
  server: { isCluster: true, traps: {} },
  async honest(target) {
    const { ms, closeCode } = await target.players.newcomer(target.server.url);
    assertEquals(closeCode, 0);
    return `somebody new plays at a node after ${Math.round(ms)} ms`;
  },
  async commit(target) {
    const { nodes } = target.cluster;
    const room = "BOMB";
    const id = `20261127T000000-${room}-0000000a`;
    await plant(target, { room, id });
    const allLines = async (event: string) =>
      (await Promise.all(nodes.map((node) => linesOf(node, event)))).flat().filter((line) =>
        line.includes(room)
      );
    let slowestMs = 0;
    await until("the match is set aside", async () => {
      slowestMs = Math.max(slowestMs, ...await Promise.all(nodes.map(healthMs)));
      await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS));
      return (await allLines("match_set_aside")).length > 0;
    }, { seconds: 60 });
    const failed = await allLines("match_trial_failed");
    const [line] = await allLines("match_set_aside");
    assertMatch(
      line!,
      new RegExp(`id=${id} room=${room} game=${dragonGame.id} error="tick 60 takes longer than`),
    );
    assertLessOrEqual(failed.length + 1, 2, "take-overs");
    assertEquals(await allLines("match_taken"), []);
    assertLessOrEqual(slowestMs, HEALTH_MS_MAX);
    return `set aside after ${failed.length + 1} take-overs; the slowest /healthz took ${
      Math.round(slowestMs)
    } ms`;
  },
};

/** Writes a match that hangs to the log servers, as a node that is gone would have left it. */
async function plant(target: Target, { room, id }: { room: string; id: string }): Promise<void> {
  const log = trapLog("hangs", { room, game: dragonGame });
  const frames = new FrameReader(log);
  frames.next();
  const headerBytes = frames.offset;
  const line = await target.cluster.openLine();

  try {
    const store = new RecordStore(line);
    const subject = subjectOf(dragonGame.id, room);
    const begin = { id, header: log.subarray(0, headerBytes), stateOffset: 0 };
    const node = "d".repeat(16);
    const head = {
      kind: "records",
      epoch: 1,
      node,
      nonce: 1n,
      stateAt: 0,
      previous: 0,
      begin,
    } as const;
    const bytes = encodeLogMessage({ ...head, records: log.subarray(headerBytes) });
    const outcome = await store.appendOnce({ subject, bytes, expected: 0 });
    assert(typeof outcome === "object", `${outcome}`);
  } finally {
    await line.close();
  }
}

/** @returns how long a node took to say that it is well, ms @throws Error if it does not */
async function healthMs(node: LiveServer): Promise<number> {
  const beganMs = performance.now();
  const answer = await fetch(`${node.url}healthz`, { signal: AbortSignal.timeout(20_000) });
  const text = await answer.text();
  assert(answer.ok, text);
  return performance.now() - beganMs;
}

export const LOG_ATTACKS: readonly Attack[] = [
  { ...logAttack("throwing_log", { TRAP: "throws" }, "TRAP"), isQuick: true },
  logAttack("slow_state", { SLOW: "slow" }, "SLOW"),
  poisonRecord,
];
