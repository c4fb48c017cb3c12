/**
 * Real bots on a real machine of two match processes, whose hook starts and drains further machines.
 *
 *     24 bots → 48: seats are scarce for 10 s → a machine starts
 *     48 bots → 24: too many are free for 10 s → a machine drains, and hands its matches over
 *
 * The limit of a process's load is low, so that a few dozen bots fill a machine.
 */
import { fileURLToPath } from "node:url";
import { Servers } from "../../../client/net/servers.ts";
import { brokenLinesIn } from "../../support/cluster/node_output.ts";
import { NatsServers } from "../../support/nats/nats_servers.ts";
import { ReturningBot } from "../../support/returning_bot.ts";
import { ServerProcess } from "../../support/servers/server_process.ts";

const HOOK = fileURLToPath(new URL("../../../docs/deploy/scale_local.sh", import.meta.url));
const ROOM_BOTS = 8;
/** Rooms at first and at the end, and in between. */
const FEW_ROOMS = 3;
const MANY_ROOMS = 6;
/**
 * The load limit of a process, percent of a tick. Two processes offer nine tenths of twice that,
 * which is 43 seats at 800 players for a load of one.
 */
const TICK_LOAD = 3;
/** Below the first number a machine starts. Above the second one drains: two have 86 seats. */
const SCALE_SEATS = "4-45";
/** A round trip of 160 ms. */
const LINE = { oneWayMs: 80, jitterMs: 5 };
/** How long one wait may take, ms. The hook rests for a minute after each request. */
const WAIT_MS_MAX = 180_000;
const LOOK_EVERY_MS = 500;
/** Ticks that bots play on at the end: two seconds. */
const PLAYED_TICKS = 40;

/** One request to the hook. */
export interface Asked {
  readonly what: "start" | "drain";
  readonly freeSeats: number;
  readonly code: number;
  /** Since the bots had doubled, or had begun to leave, ms. */
  readonly afterMs: number;
}

export interface DemandReport {
  readonly bots: { readonly few: number; readonly many: number };
  readonly asked: readonly Asked[];
  /** Free seats with few bots, with many on two machines, and at the end, as `/metrics` says. */
  readonly freeSeats: readonly number[];
  /** Processes with the matches of bots while there were two machines. */
  readonly processesUsed: number;
  /** Bots whose match was handed over when the machine was drained, and how many kept their seat. */
  readonly handedOver: number;
  readonly seatsKept: number;
  /** The longest time that one of those had no new tick, ms. */
  readonly longestGapMs: number;
  readonly rollbacks: number;
  readonly desyncs: number;
  readonly brokenLines: readonly string[];
}

export async function runDemand(log: (line: string) => void): Promise<DemandReport> {
  await using servers = await NatsServers.start({ count: 1 });
  const folder = await Deno.makeTempDir({ prefix: "wyvern-demand-" });
  const scaleFolder = `${folder}/scale`;
  const env = {
    WYVERN_SECRET: "a secret of this run alone, long enough",
    WYVERN_DATA: `${folder}/own`,
    WYVERN_CLUSTER: servers.all[0]!.url,
    WYVERN_TICK_LOAD: String(TICK_LOAD),
    SCALE_FOLDER: scaleFolder,
    SCALE_COMMAND: `${Deno.execPath()} run -A --no-check server/main.ts`,
    SCALE_FIRST_PORT: String(20_000 + Math.floor(Math.random() * 20_000)),
  };
  const flags = ["--workers", "2", "--scale-hook", HOOK, "--scale-seats", SCALE_SEATS];

  try {
    await using server = await ServerProcess.startWith(env, ...flags);
    log("a machine of two processes");
    return await new Demand(server, { scaleFolder, log }).run();
  } finally {
    await endMachines(scaleFolder);
    await Deno.remove(folder, { recursive: true });
  }
}

class Demand {
  readonly #server: ServerProcess;
  readonly #scaleFolder: string;
  readonly #log: (line: string) => void;
  readonly #rooms: ReturningBot[][] = [];
  readonly #asked: Asked[] = [];
  #desyncs = 0;
  #rollbacks = 0;

  constructor(
    server: ServerProcess,
    { scaleFolder, log }: { scaleFolder: string; log: (line: string) => void },
  ) {
    this.#server = server;
    this.#scaleFolder = scaleFolder;
    this.#log = log;
  }

  async run(): Promise<DemandReport> {
    try {
      return await this.#run();
    } finally {
      for (const bot of this.#bots) bot.stop();
    }
  }

  async #run(): Promise<DemandReport> {
    // Few players, who have seats enough
    while (this.#rooms.length < FEW_ROOMS) await this.#fillRoom();
    const few = this.#bots.length;
    const freeSeats = [await this.#freeSeats()];
    this.#log(`${few} bots, ${freeSeats[0]} free seats`);

    // They double. Who finds no place asks again, as a page does, until the new machine has one.
    const beganMs = performance.now();
    const asked = this.#untilAsked("start", beganMs);
    while (this.#rooms.length < MANY_ROOMS) await this.#fillRoom();
    await asked;
    const many = this.#bots.length;
    const [file] = [...Deno.readDirSync(this.#scaleFolder)].filter(({ name }) => isPort(name));
    const machine = `http://127.0.0.1:${file!.name}`;
    await until(() => isUp(machine), "the machine that was started takes players");
    freeSeats.push(await this.#freeSeats());
    const processesUsed = new Set(this.#bots.map(addressOf)).size;
    this.#log(`${many} bots on ${processesUsed} processes, ${freeSeats[1]} free seats`);

    // Half of them leave. One room of each pair stays, so both machines keep some.
    const leftMs = performance.now();
    for (let i = 0; i < FEW_ROOMS; i++) this.#emptyRoom(i);
    const bots = this.#bots;
    const before = bots.map((bot) => ({ bot, session: bot.session, address: addressOf(bot) }));
    await this.#untilAsked("drain", leftMs);
    const drainedMs = performance.now();
    await until(async () => !await isUp(machine), "the drained machine has ended");
    await Promise.all(bots.map((bot) => bot.untilPlayed(PLAYED_TICKS)));
    const moved = before.filter(({ bot, session }) => bot.session !== session);
    freeSeats.push(await this.#freeSeats());
    this.#log(`${moved.length} bots were handed over, ${freeSeats[2]} free seats`);

    for (const bot of bots) this.#count(bot);
    return {
      bots: { few, many },
      asked: this.#asked,
      freeSeats,
      processesUsed,
      handedOver: moved.length,
      seatsKept: moved.filter(({ bot }) => new Set(bot.seats).size === 1).length,
      longestGapMs: Math.round(Math.max(0, ...moved.map(({ bot }) => bot.longestGapMs(drainedMs)))),
      rollbacks: this.#rollbacks,
      desyncs: this.#desyncs,
      brokenLines: brokenLinesIn(this.#server.stdout),
    };
  }

  get #bots(): ReturningBot[] {
    return this.#rooms.flat();
  }

  /** Fills one room more, and waits until all in it play. */
  async #fillRoom(): Promise<void> {
    const { origin } = new URL(this.#server.url);
    const number = this.#rooms.length;
    const room = `LOA${String.fromCharCode(65 + number)}`;
    const bots = Array.from({ length: ROOM_BOTS }, (_, i) => {
      const seed = number * ROOM_BOTS + i + 1;
      const servers = new Servers(origin);
      return new ReturningBot(origin, { name: `Bot ${i}`, seed, room, servers, network: LINE });
    });
    this.#rooms.push(bots);
    await until(() => bots.every((bot) => bot.isPlaying), `the bots of room ${room} play`);
  }

  #emptyRoom(index: number): void {
    for (const bot of this.#rooms.splice(index, 1).flat()) {
      this.#count(bot);
      bot.stop();
    }
  }

  #count(bot: ReturningBot): void {
    this.#desyncs += bot.desyncs + bot.session.stats.desyncs;
    this.#rollbacks += bot.session.stats.rollbacks;
  }

  async #untilAsked(what: Asked["what"], sinceMs: number): Promise<void> {
    const line = new RegExp(
      `scale_asked what=${what} region=default freeSeats=(\\d+) .*code=(\\d+)`,
    );
    const match = await this.#server.waitForOutput(line);
    if (match === undefined) throw new Error(`the server ended: ${this.#server.stdout}`);
    const afterMs = Math.round(performance.now() - sinceMs);
    this.#asked.push({ what, freeSeats: Number(match[1]), code: Number(match[2]), afterMs });
    this.#log(`asked to ${what} a machine after ${afterMs} ms, with ${match[1]} free seats`);
  }

  async #freeSeats(): Promise<number> {
    const figures = await (await fetch(`${this.#server.url}metrics`)).text();
    return Number(/^wyvern_cluster_free_seats\{[^}]*\} (\d+)$/m.exec(figures)?.[1] ?? NaN);
  }
}

/** Where a bot's newest socket leads. */
function addressOf(bot: ReturningBot): string {
  return bot.connections.at(-1)?.socket?.url.host ?? "";
}

/** The hook names a file for each machine by its port. */
function isPort(name: string): boolean {
  return /^\d+$/.test(name);
}

async function isUp(machine: string): Promise<boolean> {
  const answer = await fetch(`${machine}/readyz`).catch(() => undefined);
  await answer?.body?.cancel();
  return answer?.ok === true;
}

/** Ends the machines that the hook has started and not drained. */
async function endMachines(scaleFolder: string): Promise<void> {
  const files = await Array.fromAsync(Deno.readDir(scaleFolder)).catch(() => []);
  for (const { name } of files.filter(({ name }) => isPort(name))) {
    try {
      Deno.kill(Number(Deno.readTextFileSync(`${scaleFolder}/${name}`)), "SIGKILL");
    } catch {
      // It has ended.
    }
  }
}

/** @throws Error if it takes too long */
async function until(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (const endMs = performance.now() + WAIT_MS_MAX; !await condition();) {
    if (performance.now() > endMs) throw new Error(`not after ${WAIT_MS_MAX} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

/** @returns a sentence for each thing that is wrong */
export function faultsOf(
  { asked, processesUsed, handedOver, seatsKept, rollbacks, desyncs, brokenLines }: DemandReport,
): string[] {
  const what = asked.map((each) => each.what).join();
  return [
    ...what === "start,drain" ? [] : [`the hook was asked for ${what || "nothing"}`],
    ...asked.flatMap(({ what, code }) =>
      code === 0 ? [] : [`the hook's ${what} ended with ${code}`]
    ),
    ...processesUsed > 2 ? [] : ["the new machine got no match"],
    ...handedOver > 0 ? [] : ["no match was handed over"],
    ...seatsKept === handedOver ? [] : [`${handedOver - seatsKept} bots lost their seat`],
    ...rollbacks > 0 ? [] : ["no bot was ever corrected, so nothing was proven"],
    ...desyncs > 0 ? [`${desyncs} desyncs`] : [],
    ...brokenLines,
  ];
}
