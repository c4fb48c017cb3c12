/** What a session does about a connection that is dead at each of its stages, in virtual time. */
import { assert, assertEquals, assertGreater, assertLessOrEqual } from "@std/assert";
import {
  LINK_MS_MAX,
  type LinkStage,
  PAUSED_MS,
  WAKE_MS,
} from "../../../client/session/link_watch.ts";
import { Attempts } from "../../../client/net/retry_delay.ts";
import { Session, type SessionOptions } from "../../../client/session/session.ts";
import type { Link, MessageHandler } from "../../../shared/netcode/link.ts";
import type { LocalLink } from "../../../shared/netcode/simulated_network/local_link.ts";
import { ServerMessageDecoder } from "../../../shared/netcode/wire/server_messages.ts";
import { Snapshot } from "../../../shared/snapshot.ts";
import {
  type CounterCommand,
  counterGame,
  type CounterSimulation,
} from "../../tools/lab/counter_game.ts";
import { Lab, type Player } from "../../tools/lab/lab.ts";
import { RandomCounterControls } from "../../tools/lab/random_controls.ts";

const CUT = 1006;
const STEP_SECONDS = 0.1;
const NETWORK = { oneWayMs: 40, jitterMs: 5 };

/** An intermediary on a line: it swallows what a test says, and tells neither end. */
class SwallowingLink implements Link {
  readonly #inner: LocalLink;
  swallowsUp = false;
  /** @returns whether a message of this type is swallowed */
  swallowsDown: (type: string) => boolean = () => false;
  /** What has not arrived as a whole; undefined if the line is fast. */
  held: (() => void)[] | undefined;
  stage: "address" | "open" | undefined;
  /** Codes of closes that the client asked for; the intermediary swallows them, too. */
  readonly closes: number[] = [];

  constructor(inner: LocalLink) {
    this.#inner = inner;
  }

  get ordered(): boolean {
    return this.#inner.ordered;
  }

  get bufferedBytes(): number {
    return this.stage === undefined ? 0 : 1;
  }

  send(message: Uint8Array): void {
    if (!this.swallowsUp) this.#inner.send(message);
  }

  sendReliably(message: Uint8Array): void {
    if (!this.swallowsUp) this.#inner.sendReliably(message);
  }

  onMessage(handler: MessageHandler): void {
    const decoder = new ServerMessageDecoder(counterGame.command);
    this.#inner.onMessage((message, reliably) => {
      const { type } = decoder.decode(message.slice());
      if (this.swallowsDown(type)) return;
      if (this.held === undefined || type === "welcome") handler(message, reliably);
      else this.held.push(() => handler(message, reliably));
    });
  }

  onClose(handler: (code: number, reason: string) => void): void {
    this.#inner.onClose((code, reason) => this.swallowsDown("close") || handler(code, reason));
  }

  close(code: number): void {
    this.closes.push(code);
  }
}

/** The counter game with a state of 200 kB more. */
const LARGE_WORDS = 50_000;
const largeGame: typeof counterGame = {
  ...counterGame,
  start(options, seed) {
    const simulation = counterGame.start(options, seed);
    const own = new Snapshot();
    const { save, load } = simulation;
    simulation.save = (into) => {
      save.call(simulation, into);
      into.reserve(into.length + LARGE_WORDS);
      into.words.fill(7, into.length, into.length + LARGE_WORDS);
      into.length += LARGE_WORDS;
    };
    simulation.load = (from) => {
      own.copyFrom(from);
      own.length -= LARGE_WORDS;
      load.call(simulation, own);
    };
    return simulation;
  },
};

class World {
  readonly lab: Lab<CounterCommand, CounterSimulation>;

  constructor(game = counterGame) {
    this.lab = new Lab<CounterCommand, CounterSimulation>({ game, seed: 1, npcs: 1 });
  }

  link!: SwallowingLink;

  join(
    set: (link: SwallowingLink) => void = () => {},
    options: Pick<SessionOptions<CounterCommand>, "resume" | "patience"> = {},
  ): Player<CounterCommand, CounterSimulation> {
    const around = (end: LocalLink) => {
      const link = this.link = new SwallowingLink(end);
      set(link);
      return link;
    };
    const commandSource = new RandomCounterControls(7);
    return this.lab.join("player", { commandSource, network: NETWORK, around, ...options });
  }

  /** Lets time pass until the session has ended. @returns how long that took, ms */
  msUntilClosed({ session }: Player<CounterCommand>): number {
    const fromMs = this.lab.nowMs;
    while (session.phase !== "closed" && this.lab.nowMs < fromMs + 60_000) {
      this.lab.run(STEP_SECONDS);
    }
    return this.lab.nowMs - fromMs;
  }
}

/** A stage that lasts for its limit and no longer. */
function assertEnds(
  session: Session<CounterCommand>,
  ms: number,
  stage: LinkStage,
  limitMs: number,
): void {
  assertEquals({ phase: session.phase, code: session.closeCode, endedIn: session.endedIn }, {
    phase: "closed",
    code: CUT,
    endedIn: stage,
  });
  assert(ms >= limitMs - 200 && ms <= limitMs + 400, `${ms} ms in place of ${limitMs}`);
}

for (const stage of ["address", "open"] as const) {
  Deno.test(`Session: a connection that hangs at its ${stage} is given up, though no close event comes (SPEC 8.50) [seed 1]`, () => {
    const world = new World();
    const player = world.join((link) => {
      link.stage = stage;
      link.swallowsUp = true;
      link.swallowsDown = () => true;
    });
    assertEnds(player.session, world.msUntilClosed(player), stage, LINK_MS_MAX[stage]);
    assertEquals(world.link.closes.length, 1, "and the link may free what it holds");
  });
}

Deno.test("Session: a server that never welcomes is given up (SPEC 8.50) [seed 1]", () => {
  const world = new World();
  const player = world.join((link) => link.swallowsDown = () => true);
  assertEnds(player.session, world.msUntilClosed(player), "welcome", LINK_MS_MAX.welcome);
});

Deno.test("Session: a welcome without a state is given up (SPEC 8.50) [seed 1]", () => {
  const world = new World();
  const player = world.join((link) => link.swallowsDown = (type) => type !== "welcome");
  assertEnds(player.session, world.msUntilClosed(player), "state", LINK_MS_MAX.state);
});

Deno.test("Session: a client on a line that needs 20 s for a state is in with its third attempt (SPEC 8.64, 3.15) [seed 1]", () => {
  const world = new World(largeGame);
  const attempts = new Attempts();
  const { lab } = world;
  const endedAtMs: number[] = [];
  let session: Session<CounterCommand> | undefined;

  for (let i = 0; i < 3; i++) {
    attempts.begin(lab.nowMs);
    const beganMs = lab.nowMs;
    session = world.join((link) => link.held = [], { patience: attempts.patience }).session;
    while (session.phase === "joining") {
      lab.run(STEP_SECONDS);
      if (lab.nowMs < beganMs + 20_000) continue;
      world.link.held?.forEach((arrive) => arrive());
      world.link.held = undefined;
    }
    if (session.phase === "playing") break;
    endedAtMs.push(lab.nowMs - beganMs);
    attempts.ended(lab.nowMs, {
      closeCode: session.closeCode,
      random: 0.5,
      endedIn: session.endedIn,
    });
  }

  assertEquals([session!.phase, endedAtMs.length], ["playing", 2]);
  assert(
    endedAtMs[0]! < LINK_MS_MAX.state + 500 && endedAtMs[1]! < 2 * LINK_MS_MAX.state + 500,
    `${endedAtMs}`,
  );
});

const DIRECTIONS = {
  both: LINK_MS_MAX.tick,
  down: LINK_MS_MAX.tick,
  // Ticks go on to come, and only pongs are missing. The newest one came up to a second ago.
  up: LINK_MS_MAX.answer,
} as const;

for (const [direction, limitMs] of Object.entries(DIRECTIONS)) {
  Deno.test(`Session: a playing connection of which ${direction} is swallowed is given up, and its seat comes back (SPEC 8.50, 3.4) [seed 1]`, () => {
    const world = new World();
    const player = world.join();
    world.lab.run(10);
    const { seat, resume } = player.session;
    assertEquals([player.session.phase, player.session.endedIn], ["playing", undefined]);
    if (direction !== "up") world.link.swallowsDown = () => true;
    if (direction !== "down") world.link.swallowsUp = true;
    const ms = world.msUntilClosed(player);
    assertLessOrEqual(ms, limitMs + 200);
    assertGreater(ms, limitMs - 1_500);
    assertEquals([player.session.closeCode, player.session.endedIn], [CUT, "tick"]);
    const back = world.join(undefined, { resume });
    world.lab.run(2);
    assertEquals([back.session.phase, back.session.seat, back.session.isResumed], [
      "playing",
      seat,
      true,
    ]);
  });
}

Deno.test("Session: a match that stands still is no dead link, because the server answers (SPEC 8.51) [seed 1]", () => {
  const world = new World();
  const player = world.join();
  world.lab.run(10);
  world.link.swallowsDown = (type) => type === "tick" || type === "early";
  const { ticks } = player.session.stats;
  world.lab.run(30);
  assertEquals([player.session.phase, player.session.stats.ticks - ticks <= 1], ["playing", true]);
  world.link.swallowsDown = () => true;
  assertEnds(player.session, world.msUntilClosed(player), "tick", LINK_MS_MAX.tick);
});

/** A page whose program is called when the test says. */
function asleep(
  player: Player<CounterCommand>,
  { lab }: World,
  ms: number,
  hearsMessages: boolean,
): void {
  player.sleep = { untilMs: lab.nowMs + ms, hearsMessages };
  lab.run(ms / 1000);
}

Deno.test("Session: sleep kills no healthy link, and a dead one ends soon after it (SPEC 8.52) [seed 1]", () => {
  const world = new World();
  const player = world.join();
  world.lab.run(10);
  // What has come meanwhile is read after the wake, and not before the first call.
  asleep(player, world, 20_000, false);
  world.lab.run(5);
  assertEquals(player.session.phase, "playing");

  world.link.swallowsDown = () => true;
  asleep(player, world, 20_000, false);
  assertEquals(player.session.phase, "playing", "time in which it slept proves nothing");
  assertLessOrEqual(world.msUntilClosed(player), LINK_MS_MAX.tick);
});

Deno.test("Session: once the browser is online again, or shows the page, a silent link has two seconds (SPEC 8.53) [seed 1]", () => {
  const world = new World();
  const player = world.join();
  world.lab.run(10);
  player.session.doubtLink();
  world.lab.run(10);
  assertEquals(player.session.phase, "playing", "a link that is alive shows it");
  world.link.swallowsDown = () => true;
  world.lab.run(0.1);
  player.session.doubtLink();
  assertLessOrEqual(world.msUntilClosed(player), WAKE_MS + 300);
});

Deno.test("Session: a hidden page, whose timers fire once a second, sees a dead link as soon (SPEC 8.50) [seed 1]", () => {
  const world = new World();
  const player = world.join();
  world.lab.run(10);
  for (let second = 0; second < 30; second++) asleep(player, world, 1_000, true);
  assertEquals(player.session.phase, "playing");
  world.link.swallowsDown = () => true;
  let seconds = 0;
  for (; player.session.phase === "playing" && seconds < 20; seconds++) {
    asleep(player, world, 1_000, true);
  }
  assertLessOrEqual(seconds, LINK_MS_MAX.tick / 1000 + 1);
  assertGreater(PAUSED_MS, 1_000, "such a page runs");
});

Deno.test("Session: a round trip of four seconds is slow, not dead (SPEC 8.50) [seed 1]", () => {
  const { lab } = new World();
  const commandSource = new RandomCounterControls(7);
  const player = lab.join("far", { commandSource, network: { oneWayMs: 2_000, jitterMs: 20 } });
  lab.run(60);
  assertEquals([player.session.phase, player.session.isInSync], ["playing", true]);
});
