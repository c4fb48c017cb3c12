/**
 * A page in Chromium plays on a cluster of three machines while a process, and then a whole machine,
 * is killed under it.
 */
import type { Browser, Page } from "playwright-core";
import { Servers } from "../../../client/net/servers.ts";
import { launchChromium } from "../../browser/chromium.ts";
import "../../browser/pages/page_globals.ts";
import { builtPage } from "../../support/built_page.ts";
import { ReturningBot } from "../../support/returning_bot.ts";
import { newestServer } from "../../support/nats/server_program.ts";
import { ClusterMachine, OPS_TOKEN } from "./cluster_machine.ts";
import { MachineNetwork } from "./machine_network.ts";

/** The exit code after Ctrl-C. */
const EXIT_INTERRUPTED = 130;
const MACHINES = 3;
const WORKERS = 2;
const ROOM = "MESH";
/** How many ticks the page proves before the next kill, and after the last one. */
const PLAYED_TICKS = 60;
/** How long one wait may take, ms. */
const WAIT_MS_MAX = 60_000;
/**
 * A player is back within this time, ms. The end of a process is heard at once (SPEC 17.4). A
 * machine without power says nothing, so the page has to notice the silence (SPEC 8.50).
 */
const BACK_MS_MAX = { process: 1_500, machine: 10_000 } as const;
/** Others in the room, on lines of 160 ms, whom the page has to guess. */
const BOTS = 3;
const LINE = { oneWayMs: 80, jitterMs: 5 };

/** What became of one kill. */
export interface MachineKill {
  readonly killed: "process" | "machine";
  /** From the kill to a tick that the killed one did not send, ms. */
  readonly playingAgainMs: number;
  /** The page's newest definitive tick before the kill, and the first of the next connection. */
  readonly tickBefore: number;
  readonly tickAfter: number;
  readonly seatKept: boolean;
  readonly desyncs: number;
}

export interface MachinesReport {
  readonly machines: number;
  readonly processes: number;
  readonly kills: readonly MachineKill[];
  /** Corrections of the page in all connections: without any, nothing would be proven. */
  readonly rollbacks: number;
  readonly botDesyncs: number;
  readonly errors: readonly string[];
  readonly brokenLines: readonly string[];
}

/** @param options.shots the folder for pictures; undefined for none */
export async function runMachines(
  { shots, log }: { readonly shots: string | undefined; readonly log: (line: string) => void },
): Promise<MachinesReport> {
  const natsServer = await newestServer();
  if (natsServer === undefined) throw new Error("no nats-server that fences can be had here");
  await builtPage();
  const network = await MachineNetwork.open(MACHINES);
  const folder = await Deno.makeTempDir({ prefix: "wyvern-machines-" });
  let browser: Browser | undefined;
  let closed: Promise<void> | undefined;
  const closeAll = async () => {
    await browser?.close();
    await network[Symbol.asyncDispose]();
    await Deno.remove(folder, { recursive: true });
  };
  // Closes once. Every later caller waits for the same promise.
  const close = () => closed ??= closeAll();
  Deno.addSignalListener("SIGINT", () => close().finally(() => Deno.exit(EXIT_INTERRUPTED)));
  try {
    browser = await launchChromium({ handleSIGINT: false });
    const options = { workers: WORKERS, machines: network.machines, natsServer, folder };
    const machines = network.machines.map((each) => new ClusterMachine(each, options));
    log(`${MACHINES} machines: starting the log`);
    for (const machine of machines) await machine.startLog();
    log("starting the servers");
    await Promise.all(machines.map((machine) => machine.startServer()));
    return await new PlayedCluster(machines, { browser, shots, log }).run();
  } finally {
    await close();
  }
}

interface Surroundings {
  readonly browser: Browser;
  readonly shots: string | undefined;
  readonly log: (line: string) => void;
}

class PlayedCluster {
  readonly #machines: readonly ClusterMachine[];
  readonly #surroundings: Surroundings;
  readonly #kills: MachineKill[] = [];
  readonly #errors: string[] = [];
  /** Where the page's newest socket leads. */
  #socket: URL | undefined;
  #bots: readonly ReturningBot[] = [];
  #rollbacks = 0;
  #shots = 0;

  constructor(machines: readonly ClusterMachine[], surroundings: Surroundings) {
    this.#machines = machines;
    this.#surroundings = surroundings;
  }

  async run(): Promise<MachinesReport> {
    const { browser, log } = this.#surroundings;
    const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
    page.setDefaultTimeout(WAIT_MS_MAX);
    page.on("pageerror", ({ message }) => this.#errors.push(message));
    page.on("websocket", (socket) => this.#socket = new URL(socket.url()));

    const { origin } = this.#machines[0]!;
    this.#bots = Array.from({ length: BOTS }, (_, i) => {
      const servers = new Servers(origin);
      return new ReturningBot(origin, {
        name: `Bot ${i}`,
        seed: i + 1,
        room: ROOM,
        servers,
        network: LINE,
      });
    });

    await page.goto(`${origin}/#${ROOM}`);
    await page.click("#play:not([disabled])");
    await this.#play(page);
    await this.#shoot(page, "playing");

    await this.#kill(page, "process");
    await this.#kill(page, "machine");
    log("the page plays on");
    for (const bot of this.#bots) bot.stop();
    return {
      machines: MACHINES,
      processes: MACHINES * WORKERS,
      kills: this.#kills,
      rollbacks: this.#rollbacks,
      botDesyncs: this.#bots.reduce((sum, { desyncs }) => sum + desyncs, 0),
      errors: this.#errors,
      brokenLines: this.#machines.flatMap(({ brokenLines }) => brokenLines),
    };
  }

  /** Flies to and fro until so many ticks of this connection are proven. */
  async #play(page: Page): Promise<void> {
    await page.waitForFunction(() =>
      globalThis.wyvern?.phase === "playing" && globalThis.wyvernScene?.own !== undefined
    );
    const before = await page.evaluate(() => wyvern!.stats.ticksProven);
    for (const key of ["ArrowRight", "ArrowLeft"]) {
      await page.keyboard.down(key);
      await page.keyboard.press("Space");
      await page.waitForFunction(
        (ticks) => wyvern!.stats.ticksProven > ticks,
        before + (key === "ArrowRight" ? PLAYED_TICKS / 2 : PLAYED_TICKS),
      );
      await page.keyboard.up(key);
    }
    this.#rollbacks += await page.evaluate(() => wyvern!.stats.rollbacks);
  }

  async #kill(page: Page, killed: MachineKill["killed"]): Promise<void> {
    const { log } = this.#surroundings;
    const { hostname, port } = this.#socket!;
    const owner = this.#machines.find((machine) => machine.isAt(hostname));
    if (owner === undefined) throw new Error(`the page plays at ${hostname}, which is no machine`);
    const { seat, tick: tickBefore } = await standOf(page);

    const beganMs = performance.now();
    if (killed === "process") {
      const number = owner.killProcess(Number(port));
      log(`killed process ${number} of machine ${owner.network.number}`);
    } else {
      await owner.fail();
      log(`killed machine ${owner.network.number}`);
    }
    await page.waitForFunction(
      (session) => globalThis.wyvern?.phase === "playing" && wyvern!.definitiveTick > session,
      tickBefore + 5, // more than was under way
    );
    const playingAgainMs = performance.now() - beganMs;

    const after = await standOf(page);
    const kill = {
      killed,
      playingAgainMs: Math.round(playingAgainMs),
      tickBefore,
      tickAfter: after.tick,
      seatKept: after.seat === seat,
      desyncs: after.desyncs,
    };
    this.#kills.push(kill);
    log(`back after ${kill.playingAgainMs} ms, at ${this.#socket!.host}`);
    await this.#play(page);
    await this.#shoot(page, `after_${killed}`);
  }

  /** The page, and the operators' page of a machine that lives. */
  async #shoot(page: Page, name: string): Promise<void> {
    const { browser, shots } = this.#surroundings;
    if (shots === undefined) return;
    await Deno.mkdir(shots, { recursive: true });
    const number = ++this.#shots;
    await Deno.writeFile(
      `${shots}/${number}_${name}.png`,
      new Uint8Array(await page.screenshot()),
    );

    const ops = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    await ops.goto(this.#machines.find(({ hasFailed }) => !hasFailed)!.opsUrl);
    await ops.fill("[name=token]", OPS_TOKEN);
    await ops.click("button");
    await ops.waitForSelector("table");
    await Deno.writeFile(
      `${shots}/${number}_${name}_operators.png`,
      new Uint8Array(await ops.screenshot({ fullPage: true })),
    );
    await ops.close();
  }
}

async function standOf(page: Page): Promise<{ seat: number; tick: number; desyncs: number }> {
  return await page.evaluate(() => ({
    seat: wyvern!.seat,
    tick: wyvern!.definitiveTick,
    desyncs: wyvern!.stats.desyncs,
  }));
}

/** @returns a sentence for each thing that is wrong */
export function faultsOf(
  { kills, rollbacks, botDesyncs, errors, brokenLines }: MachinesReport,
  { isTimed }: { readonly isTimed: boolean },
): string[] {
  return [
    ...kills.flatMap(({ killed, seatKept, desyncs, playingAgainMs }) => [
      ...seatKept ? [] : [`the seat was lost with a ${killed}`],
      ...desyncs > 0 ? [`${desyncs} desyncs after a ${killed}`] : [],
      ...isTimed && playingAgainMs > BACK_MS_MAX[killed]
        ? [`back ${playingAgainMs} ms after a ${killed}`]
        : [],
    ]),
    ...botDesyncs > 0 ? [`${botDesyncs} desyncs of bots`] : [],
    ...rollbacks === 0 ? ["the page was never corrected, so nothing was proven"] : [],
    ...errors.map((error) => `an error of the page: ${error}`),
    ...brokenLines,
  ];
}
