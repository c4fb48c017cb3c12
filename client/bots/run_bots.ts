/** Lets bots play for a while and sums their figures. */
import { Random } from "../../shared/random.ts";
import type { SessionStats } from "../session/session_stats.ts";
import { BotClient, type BotOptions, clock, FRAME_MS } from "./bot_client.ts";

/** How long all bots may take to be in the game. */
const JOIN_TIMEOUT_MS = 15_000;
const PROGRESS_EVERY_MS = 1_000;
/** How long all connections may take to close. */
const LEAVE_TIMEOUT_MS = 2_000;

/** A run's figures. Its keys are the keys in `--json`. */
export interface Report {
  clients: number;
  seconds: number;
  /** Definitive ticks that a client received; the minimum over all clients. */
  ticks: number;
  commandsSent: number;
  commandsLate: number;
  rollbacks: number;
  resimulatedTicks: number;
  contacts: number;
  desyncs: number;
  ownCorrectionsOver5cm: number;
  npcForeknownShare: number;
  /** Per client, without WebSocket frame headers. */
  downBytesPerSecond: number;
  upBytesPerSecond: number;
  leadMsMean: number;
  /** How long commands waited on the server for their tick, on average; 0 for late ones. */
  queueWaitMsMean: number;
  /** How often a bot lost its connection and came back into a match. */
  returns: number;
  errors: number;
}

/** @throws Error if a bot cannot join */
export async function runBots(
  options: BotOptions,
  { clients: count, seconds, seed }: { clients: number; seconds: number; seed: number },
): Promise<{ report: Report; errors: string[] }> {
  const random = new Random(seed);
  const clients = Array.from(
    { length: count },
    (_, index) => new BotClient(options, index, random),
  );

  try {
    await waitUntilAllPlaying(clients, options);
    const startMs = clock.now();
    const before = clients.map(({ stats, contacts }) => ({ ...stats, contacts }));
    for (let second = 1; second <= seconds; second++) {
      await waitUntil(startMs + second * PROGRESS_EVERY_MS);
      progress(`${second}/${seconds} s`, clients);
    }
    const errors = clients.flatMap(({ error }) => error ?? []);
    return { report: reportOf(clients, { before, seconds }), errors };
  } finally {
    await leaveAll(clients);
  }
}

/**
 * Closes all sessions and waits for it, because the server would reserve a seat if its client only
 * vanished.
 */
async function leaveAll(clients: readonly BotClient[]): Promise<void> {
  for (const client of clients) client.stop();
  const endMs = clock.now() + LEAVE_TIMEOUT_MS;
  while (clock.now() < endMs && clients.some(({ isClosed }) => !isClosed)) {
    await waitUntil(clock.now() + FRAME_MS);
  }
}

/** @throws Error if a bot cannot join */
async function waitUntilAllPlaying(
  clients: readonly BotClient[],
  { url }: BotOptions,
): Promise<void> {
  const endMs = clock.now() + JOIN_TIMEOUT_MS;
  while (!clients.every((client) => client.isPlaying)) {
    const error = clients.find((client) => client.error !== undefined)?.error;
    if (error !== undefined) throw new Error(`cannot join ${url}: ${error}`);
    if (clock.now() > endMs) {
      const playing = clients.filter((client) => client.isPlaying).length;
      const reason = clients.map(({ lastEnd }) => lastEnd).find(Boolean) ?? "";
      throw new Error(`only ${playing} of ${clients.length} are in the game ${reason}`.trimEnd());
    }
    await waitUntil(clock.now() + FRAME_MS);
  }
}

function reportOf(
  clients: readonly BotClient[],
  { before, seconds }: {
    before: readonly (SessionStats & { contacts: number })[];
    seconds: number;
  },
): Report {
  // What each client counted since the measurement started
  const deltas = clients.map(({ stats, contacts }, i) => {
    const now = { ...stats, contacts };
    return Object.fromEntries(
      Object.entries(now).map(([key, value]) => [key, value - before[i]![key as keyof typeof now]]),
    ) as typeof now;
  });

  const sum = (key: keyof (typeof deltas)[number]) =>
    deltas.reduce((total, counts) => total + counts[key], 0);
  const rounded = (value: number, digits: number) => Number(value.toFixed(digits));

  return {
    clients: clients.length,
    seconds,
    ticks: Math.min(...deltas.map((counts) => counts.ticks)),
    commandsSent: sum("commandsSent"),
    commandsLate: sum("commandsLate"),
    rollbacks: sum("rollbacks"),
    resimulatedTicks: sum("resimulatedTicks"),
    contacts: sum("contacts"),
    desyncs: sum("desyncs"),
    ownCorrectionsOver5cm: sum("ownCorrectionsOver5cm"),
    npcForeknownShare: rounded(
      sum("npcCommands") === 0 ? 1 : sum("npcKnownInTime") / sum("npcCommands"),
      5,
    ),
    downBytesPerSecond: rounded(sum("bytesDown") / seconds / clients.length, 1),
    upBytesPerSecond: rounded(sum("bytesUp") / seconds / clients.length, 1),
    leadMsMean: rounded(sum("leadMsSum") / Math.max(1, sum("commandsSent")), 1),
    queueWaitMsMean: rounded(sum("waitMsSum") / Math.max(1, sum("waits")), 1),
    returns: clients.reduce((total, { returns }) => total + returns, 0),
    errors: clients.filter(({ error }) => error !== undefined).length,
  };
}

function progress(time: string, clients: readonly BotClient[]): void {
  const playing = clients.filter((client) => client.isPlaying).length;
  const rollbacks = clients.reduce((total, { stats }) => total + stats.rollbacks, 0);
  const desyncs = clients.reduce((total, { stats }) => total + stats.desyncs, 0);
  console.error(`${time}  ${playing} playing  ${rollbacks} rollbacks  ${desyncs} desyncs`);
}

function waitUntil(atMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, atMs - clock.now())));
}
