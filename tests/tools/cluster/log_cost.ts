/**
 * Measures what a log on servers costs a node. Sixty matches append their ticks in the same
 * instant, twenty times a second, and a state every ten seconds. Only the log works: no match is
 * stepped, and no client plays.
 */
import { NatsClient } from "../../../server/match_log/nats/nats_client.ts";
import { ClusterLog } from "../../../server/match_log/nats/cluster_log.ts";
import { RecordStore, subjectOf } from "../../../server/match_log/nats/record_store.ts";
import { randomHex } from "../../../server/ground/server_secret.ts";
import { systemScheduler } from "../../../server/ground/ticker.ts";
import { FrameWriter } from "../../../shared/netcode/match_log/frames.ts";
import { RecordWriter } from "../../../shared/netcode/match_log/record_coder.ts";
import { TickStart } from "../../../shared/netcode/tick_start.ts";
import { quantileOf } from "../bench/median.ts";
import { NatsServers } from "../../support/nats/nats_servers.ts";
import { cpuUsage } from "node:process";
import { wait } from "./cluster_world.ts";

const MATCHES = 60;
const SECONDS = 10;
const TICK_HZ = 20;
/** How often a node releases late ticks, ms. */
const CHECK_MS = 20;
/** The payloads of a tick record for eight players, and of a deflated state, bytes. */
const TICK_BYTES = 40;
const STATE_BYTES = 5_000;

export async function logCost() {
  await using servers = await NatsServers.start();
  const client = await NatsClient.open(servers.all.map(({ url }) => url));
  const ms: number[] = [];
  let checks: ReturnType<typeof setInterval> | undefined;

  try {
    const store = new RecordStore(client);
    await store.makeStreams(servers.all.length);
    const logs = Array.from({ length: MATCHES }, (_, i) => newLog(i, { store, ms }));
    checks = setInterval(() => logs.forEach((log) => log.advance()), CHECK_MS);
    await wait(1_000);
    ms.length = 0;
    const idle = await cpuMicrosOf(() => Promise.resolve());
    const busy = await cpuMicrosOf(() => appendAll(logs));
    const ticks = MATCHES * SECONDS * TICK_HZ;
    const micros = Math.round((busy - idle) / ticks);
    const [appendMsP50, appendMsP99] = [0.5, 0.99].map((share) =>
      Number(quantileOf(ms, share).toFixed(1))
    );
    return {
      matches: MATCHES,
      appends: ms.length,
      appendMsP50,
      appendMsP99,
      cpuMicrosPerTick: micros,
    };
  } finally {
    clearInterval(checks);
    await client.close();
  }
}

/** @returns how much processor time this process took within the run's seconds, µs */
async function cpuMicrosOf(begin: () => Promise<void>): Promise<number> {
  const before = cpuUsage();
  await Promise.all([begin(), wait(SECONDS * 1000)]);
  const { user, system } = cpuUsage(before);
  return user + system;
}

async function appendAll(logs: readonly ClusterLog[]): Promise<void> {
  const frames = new FrameWriter();
  const fromMs = performance.now();
  const [tick, state] = [payloadOf("tick", TICK_BYTES), payloadOf("state", STATE_BYTES)];
  for (let k = 1; k <= SECONDS * TICK_HZ; k++) {
    await wait(Math.max(0, fromMs + k * 1000 / TICK_HZ - performance.now()));
    for (const [i, log] of logs.entries()) {
      log.append(frames.frame(tick));
      if ((k + i) % (10 * TICK_HZ) === 0) log.append(frames.frame(state));
    }
  }
}

/** Bytes that begin as a record of this type does. */
function payloadOf(type: "tick" | "state", length: number): Uint8Array {
  const codec = { neutral: 0, code: () => 0, same: () => true };
  const writer = new RecordWriter(codec, 1);
  const delta = { hash: 1, presence: [], announcements: [] };
  const start = new TickStart(codec);
  start.encode(1, delta);
  const snapshot = { bytes: new Uint8Array(length), length, isDeflated: false };
  const state = { tick: 1, ...delta, seats: [], players: [], snapshot };
  const frame = type === "tick"
    ? writer.tick({ tick: 1, hash: 1 }, start)
    : writer.state(state, start);
  const payload = new Uint8Array(Math.max(length, frame.length - 8));
  payload.set(frame.subarray(8));
  return payload;
}

function newLog(index: number, { store, ms }: { store: RecordStore; ms: number[] }): ClusterLog {
  const room = `COS${String.fromCharCode(65 + index)}`;
  const file = { epoch: 1, id: room, isOpen: true };
  let nonce = BigInt(`0x${randomHex(7)}`);
  const log = new ClusterLog({
    subject: subjectOf("cost", room),
    sequence: 0,
    stateAt: 0,
    sentMs: performance.now(),
    header: undefined,
    file: { ...file, append: () => undefined, end: () => {}, leave: () => {} },
    node: randomHex(8),
    appender: store,
    scheduler: systemScheduler,
    newNonce: () => ++nonce,
    onFenced: () => {},
    onEnded: () => {},
    onAcknowledged: (each) => void ms.push(each),
  });
  const frames = new FrameWriter();
  log.append(frames.frame(payloadOf("state", STATE_BYTES)));
  return log;
}
