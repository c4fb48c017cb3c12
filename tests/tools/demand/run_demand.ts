/**
 * Real bots on machines that docs/deploy/scale_local.sh starts and stops, as `--scale-hook` asks it.
 *
 *     rooms fill  → seats are scarce for 10 s   → a machine starts, and who comes then plays there
 *     rooms empty → too many are free for 10 s  → a machine drains, and hands its matches over
 *
 * The limit of a process's load is low, so that some dozens of bots fill a machine; how many depends
 * on the machine that all this runs on. A process's first match takes several times as long until
 * the compiler is done, so the first rooms come slowly.
 */
import { fileURLToPath } from "node:url";
import { dragonGame } from "../../../shared/games/dragons/game.ts";
import { Servers } from "../../../client/net/servers.ts";
import { brokenLinesIn } from "../../support/cluster/node_output.ts";
import { TemporaryData } from "../../support/logs/temporary_data.ts";
import { NatsServers } from "../../support/nats/nats_servers.ts";
import { ReturningBot } from "../../support/returning_bot.ts";
import { within } from "../../support/within.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const HOOK = `${ROOT}docs/deploy/scale_local.sh`;
const ROOM_BOTS = 8;
/** Rooms at first, one after another until the compiler is done. */
const FIRST_ROOMS = 3;
const WARM_UP_MS = 20_000;
/** More rooms than a machine takes under this limit. */
const ROOMS_MAX = 24;
/** How long the bots may take until they are so many that a machine starts, ms. */
const GROW_MS_MAX = 240_000;
/** How long a number of bots is kept until one knows that nothing is asked, ms. */
const STEADY_MS = 13_000;
/**
 * The load limit of a process, percent of a tick. Two processes offer nine tenths of twice that,
 * which is 86 seats at 800 players for a load of one.
 */
const TICK_LOAD = 6;
/** Below the first number a machine starts. Above the second one drains. */
const SEATS_LOW = 8;
const SCALE_SEATS = `${SEATS_LOW}-45`;
/** A round trip of 160 ms. */
const LINE = { oneWayMs: 80, jitterMs: 5 };
/** How long one wait may take, ms. The hook rests for a minute after each request. */
const WAIT_MS_MAX = 100_000;
const LOOK_EVERY_MS = 250;
/** Ticks that bots play on at the end: two seconds. */
const PLAYED_TICKS = 40;

/** One request to the hook. */
export interface Asked {
  readonly what: "start" | "drain";
  readonly freeSeats: number;
  readonly code: number;
  /** Since the first bots came, or since bots began to leave, ms. */
  readonly afterMs: number;
}

export interface DemandReport {
  /** At first, when the second machine had players, and when one had drained. */
  readonly bots: readonly number[];
  readonly asked: readonly Asked[];
  /** The free seats at the same times, as `/metrics` says. */
  readonly freeSeats: readonly number[];
  /** Match processes that the most bots were on. */
  readonly processesUsed: number;
  /** Bots whose match was handed over when a machine drained, and how many of them kept their seat. */
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
  using data = await TemporaryData.make();
  await using machines = new Machines(`${data.folder}/scale`, servers.all[0]!.url);
  const demand = new Demand(machines, log);
  try {
    return await demand.run();
  } finally {
    demand.stop();
  }
}

/** The machines that the hook has started. Each has the same hook, because any may have to ask. */
class Machines implements AsyncDisposable {
  readonly #folder: string;
  readonly #env: Readonly<Record<string, string>>;

  constructor(folder: string, cluster: string) {
    this.#folder = folder;
    Deno.mkdirSync(folder, { recursive: true });
    this.#env = {
      WYVERN_SECRET: "a secret of this run alone, long enough",
      WYVERN_CLUSTER: cluster,
      WYVERN_TICK_LOAD: String(TICK_LOAD),
      WYVERN_SCALE_HOOK: HOOK,
      WYVERN_SCALE_SEATS: SCALE_SEATS,
      SCALE_FOLDER: folder,
      SCALE_COMMAND: `${Deno.execPath()} run -A --no-check ${ROOT}server/main.ts`,
      SCALE_FIRST_PORT: String(20_000 + Math.floor(Math.random() * 20_000)),
    };
  }

  /** Starts the first one. */
  async startFirst(): Promise<void> {
    const command = new Deno.Command(HOOK, { args: ["start", "default", "0"], env: this.#env });
    const { code, stderr } = await command.output();
    if (code !== 0) throw new Error(new TextDecoder().decode(stderr));
  }

  /** The ports of those that run. The hook names a file for each by its port. */
  get ports(): string[] {
    const names = [...Deno.readDirSync(this.#folder)].map(({ name }) => name);
    return names.filter((name) => /^\d+$/.test(name)).sort();
  }

  /** What all have printed so far, those that have ended as well. */
  get output(): string {
    const names = [...Deno.readDirSync(this.#folder)].map(({ name }) => name);
    return names.filter((name) => name.startsWith("log-"))
      .map((name) => Deno.readTextFileSync(`${this.#folder}/${name}`)).join("\n");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const port of this.ports) {
      await new Deno.Command(HOOK, { args: ["drain", "default", "0", urlOf(port)], env: this.#env })
        .output();
    }
  }
}

class Demand {
  readonly #machines: Machines;
  readonly #log: (line: string) => void;
  readonly #bots: ReturningBot[] = [];
  /** Bots so far. */
  #begun = 0;
  #first = "";
  readonly #asked: Asked[] = [];
  readonly #counted: number[] = [];
  readonly #seats: number[] = [];
  #desyncs = 0;
  #rollbacks = 0;

  constructor(machines: Machines, log: (line: string) => void) {
    this.#machines = machines;
    this.#log = log;
  }

  stop(): void {
    for (const bot of this.#bots) bot.stop();
  }

  async run(): Promise<DemandReport> {
    // Few players, who have seats enough
    const machines = this.#machines;
    await machines.startFirst();
    this.#first = machines.ports[0]!;
    await until(() => isUp(this.#first), "the first machine takes players");
    const beganMs = performance.now();
    for (let rooms = 0; rooms < FIRST_ROOMS; rooms++) {
      await this.#fillRoom();
      await pause(WARM_UP_MS);
    }
    await this.#note();

    // More come until a machine starts, and who comes then plays there.
    const untilStartMs = performance.now() + GROW_MS_MAX;
    while (!this.#isAsked("start", beganMs) && this.#bots.length < ROOMS_MAX * ROOM_BOTS) {
      if (performance.now() > untilStartMs) throw new Error("the hook is not asked for a machine");
      if (await this.#freeSeats() >= SEATS_LOW) await this.#fillRoom();
      else await pause(LOOK_EVERY_MS);
    }
    const second = machines.ports.find((port) => port !== this.#first);
    if (second === undefined) throw new Error("no machine was started");
    await until(() => isUp(second), "the machine that was started takes players");
    for (let rooms = 0; rooms < FIRST_ROOMS; rooms++) await this.#fillRoom();
    const processesUsed = new Set(this.#bots.map(addressOf)).size;
    await this.#note();

    // Those leave who came first, until a machine drains.
    const leftMs = performance.now();
    while (!this.#isAsked("drain", leftMs) && this.#bots.length > ROOM_BOTS) {
      this.#emptyRoom();
      const untilMs = performance.now() + STEADY_MS;
      while (!this.#isAsked("drain", leftMs) && performance.now() < untilMs) {
        await pause(LOOK_EVERY_MS);
      }
    }
    const before = this.#bots.map(({ session }) => session);
    const drainedMs = performance.now();
    const [kept] = machines.ports;
    const drained = kept === this.#first ? second : this.#first;
    this.#first = kept!;
    await until(async () => !await isUp(drained), "the drained machine has ended");
    await within(Promise.all(this.#bots.map((bot) => bot.untilPlayed(PLAYED_TICKS))), {
      what: "all bots play on",
      ms: WAIT_MS_MAX,
    });
    const moved = this.#bots.filter(({ session }, i) => before[i] !== session);
    await this.#note();
    this.#log(`${moved.length} bots were handed over`);

    for (const bot of this.#bots) this.#count(bot);
    return {
      bots: this.#counted,
      asked: this.#asked,
      freeSeats: this.#seats,
      processesUsed,
      handedOver: moved.length,
      seatsKept: moved.filter(({ seats }) => new Set(seats).size === 1).length,
      longestGapMs: Math.round(Math.max(0, ...moved.map((bot) => bot.longestGapMs(drainedMs)))),
      rollbacks: this.#rollbacks,
      desyncs: this.#desyncs,
      brokenLines: brokenLinesIn(machines.output),
    };
  }

  /** Lets as many bots come by "Play now" as fill a room, and waits until they play. */
  async #fillRoom(): Promise<void> {
    const origin = urlOf(this.#first);
    const count = this.#bots.length + ROOM_BOTS;
    while (this.#bots.length < count) {
      const seed = ++this.#begun;
      let room: string | undefined;
      await until(async () => (room = await roomAt(origin)) !== undefined, "there is a place");
      const own = { name: `Bot ${seed}`, seed, room: room!, servers: new Servers(origin) };
      const bot = new ReturningBot(origin, { ...own, network: LINE });
      this.#bots.push(bot);
      await until(() => bot.isPlaying, `bot ${seed} plays`);
    }
  }

  /** Lets as many bots go as fill a room, those who came first. */
  #emptyRoom(): void {
    for (const bot of this.#bots.splice(0, ROOM_BOTS)) {
      this.#count(bot);
      bot.stop();
    }
  }

  #count(bot: ReturningBot): void {
    this.#desyncs += bot.desyncs + bot.session.stats.desyncs;
    this.#rollbacks += bot.session.stats.rollbacks;
  }

  /** Whether the hook was asked for this. The first time it is noted. */
  #isAsked(what: Asked["what"], sinceMs: number): boolean {
    const line = new RegExp(
      `scale_asked what=${what} region=default freeSeats=(\\d+) .*code=(\\d+)`,
    );
    const found = line.exec(this.#machines.output);
    if (found === null || this.#asked.some((each) => each.what === what)) return found !== null;
    const [, freeSeats, code] = found;
    const afterMs = Math.round(performance.now() - sinceMs);
    this.#asked.push({ what, freeSeats: Number(freeSeats), code: Number(code), afterMs });
    this.#log(`asked to ${what} a machine after ${afterMs} ms, with ${freeSeats} free seats`);
    return true;
  }

  async #note(): Promise<void> {
    this.#counted.push(this.#bots.length);
    this.#seats.push(await this.#freeSeats());
    this.#log(`${this.#counted.at(-1)} bots, ${this.#seats.at(-1)} free seats`);
  }

  async #freeSeats(): Promise<number> {
    const figures = await (await fetch(`${urlOf(this.#first)}/metrics`)).text();
    return Number(/^wyvern_cluster_free_seats\{[^}]*\} (\d+)$/m.exec(figures)?.[1] ?? NaN);
  }
}

function urlOf(port: string): string {
  return `http://127.0.0.1:${port}`;
}

/** Presses "Play now". @returns the room's code; undefined if it is asked to wait */
async function roomAt(origin: string): Promise<string | undefined> {
  const answer = await fetch(`${origin}/api/play`, {
    method: "POST",
    body: JSON.stringify({ game: dragonGame.id }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`no place, with status ${answer.status}: ${text}`);
  return (JSON.parse(text) as { room?: string }).room;
}

/** Where a bot's newest socket leads. */
function addressOf(bot: ReturningBot): string {
  return bot.connections.at(-1)?.socket?.url.host ?? "";
}

async function isUp(port: string): Promise<boolean> {
  const answer = await fetch(`${urlOf(port)}/readyz`).catch(() => undefined);
  await answer?.body?.cancel();
  return answer?.ok === true;
}

/** @throws Error if it takes too long */
async function until(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (const endMs = performance.now() + WAIT_MS_MAX; !await condition();) {
    if (performance.now() > endMs) throw new Error(`not after ${WAIT_MS_MAX} ms: ${what}`);
    await pause(LOOK_EVERY_MS);
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
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
