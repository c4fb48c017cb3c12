/**
 * The real server at SIGTERM: who gets in, who reads what, which round ends, and what the next
 * process has.
 */
import {
  assert,
  assertEquals,
  assertGreater,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
import { pathToFileURL } from "node:url";
import { openNodeWebSocketLink } from "../../../client/net/node_websocket_link.ts";
import { Session } from "../../../client/session/session.ts";
import { CloseCode } from "../../../shared/netcode/wire/messages.ts";
import { SIGNALS_APART_MS } from "../../../server/ground/process.ts";
import { wait } from "../../../server/ground/ticker.ts";
import { GOING_AWAY, STOPPING, StopReason } from "../../../shared/netcode/wire/stop_reasons.ts";
import type { CounterCommand, CounterSimulation } from "../../tools/lab/counter_game.ts";
import { RandomCounterControls } from "../../tools/lab/random_controls.ts";
import { BETWEEN_TICKS, ROUND_TICKS, roundsGame } from "../../tools/lab/results/rounds_game.ts";
import { HonestBot } from "../../support/honest_bot.ts";
import { ServerProcess } from "../../support/servers/server_process.ts";
import { TemporaryData } from "../../support/logs/temporary_data.ts";

const SCRIPT = new URL("rounds_server.ts", import.meta.url);
const FRAME_MS = 16;
const clock = { now: () => performance.now() };
const isOver = (tick: number) => tick % (ROUND_TICKS + BETWEEN_TICKS) >= ROUND_TICKS;

/** A player of the game in rounds, whose session a timer advances. */
class Player implements Disposable {
  readonly session: Session<CounterCommand, CounterSimulation>;
  readonly notices = new Set<string>();
  readonly #timer: ReturnType<typeof setInterval>;
  readonly #waiting = new Set<() => void>();

  constructor(server: ServerProcess, name: string, resume?: string) {
    this.session = new Session({
      game: roundsGame,
      clock,
      room: "CROW",
      name,
      resume,
      commandSource: new RandomCounterControls(name.length),
      link: openNodeWebSocketLink(`${server.url.replace("http", "ws")}socket`),
    });
    this.#timer = setInterval(() => {
      this.session.advance();
      if (this.session.notice !== undefined) this.notices.add(this.session.notice.text);
      for (const check of this.#waiting) check();
    }, FRAME_MS);
  }

  until(
    condition: (session: Session<CounterCommand, CounterSimulation>) => boolean,
  ): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const check = () => {
      if (!condition(this.session)) return;
      this.#waiting.delete(check);
      resolve();
    };
    this.#waiting.add(check);
    return promise;
  }

  /** Waits until its counter is in the game. */
  untilPlaying(): Promise<void> {
    return this.until(({ phase, simulation, seat }) =>
      phase === "playing" && simulation!.isPresent(seat)
    );
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    if (this.session.phase !== "closed") this.session.close();
  }
}

/** The folder with an empty page, for servers of this file. */
async function startServer(...flags: string[]): Promise<ServerProcess> {
  const folder = await Deno.makeTempDir({ prefix: "wyvern_" });
  try {
    await Deno.mkdir(`${folder}/counter`);
    await Deno.writeTextFile(`${folder}/counter/index.html`, "<!DOCTYPE html>");
    return await ServerProcess.startScript(
      SCRIPT,
      pathToFileURL(`${folder}/`).href,
      "--npcs",
      "0",
      ...flags,
    );
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function readinessOf(server: ServerProcess) {
  const answer = await fetch(`${server.url}readyz`);
  return { status: answer.status, ...(await answer.json() as { ready: boolean; reason: string }) };
}

function assertPortIsFree({ port }: ServerProcess): void {
  Deno.listen({ hostname: "127.0.0.1", port }).close();
}

Deno.test("serve: at SIGTERM nobody new comes in, the round ends, and the next process has the match (SPEC 15.20, 15.21, 15.22)", async () => {
  using data = await TemporaryData.make();
  let resume: string | undefined;
  let seat: number;
  let stoppedAt: number;
  {
    await using server = await startServer("--data", data.folder, "--grace", "30");
    using wren = new Player(server, "Wren");
    await wren.untilPlaying();
    await wren.until(({ definitiveTick }) =>
      !isOver(definitiveTick + 10) && !isOver(definitiveTick)
    );
    assertEquals(await readinessOf(server), { status: 200, ready: true, reason: "" });
    server.signal("SIGTERM");
    await server.waitForOutput(/stopping signal=SIGTERM/);
    assertEquals(await readinessOf(server), { status: 503, ready: false, reason: "stopping" });
    using late = new Player(server, "Late");
    await late.until(({ phase }) => phase === "closed");
    assertEquals([late.session.closeCode, late.session.closeReason], [CloseCode.busy, STOPPING]);

    const atSignal = wren.session.definitiveTick;
    await wren.until(({ phase }) => phase === "closed");
    const { closeCode, closeReason } = wren.session;
    assertEquals([closeCode, closeReason], [GOING_AWAY, StopReason.kept]);
    assertGreater(wren.session.definitiveTick, atSignal, "the round was played on");
    assertMatch(
      [...wren.notices][0]!,
      /^The server stops when this round is over, in \d+ s at most\. The match goes on/,
    );
    ({ resume, seat, definitiveTick: stoppedAt } = wren.session);
    const { code, stderr, stdout } = await server.ended();
    assertEquals([code, stderr], [0, ""]);
    assertMatch(stdout, /drained why="every round is over" seconds=\S+ kept=1 lost=0 cut=0/);
    assertPortIsFree(server);
  }
  await using server = await startServer("--data", data.folder);
  const resumedAt = Number(
    server.stdout.match(/match_resumed .*room=CROW tick=(\d+) players=1/)![1],
  );
  assertEquals(
    resumedAt % (ROUND_TICKS + BETWEEN_TICKS),
    ROUND_TICKS,
    "the first tick after the round",
  );
  assert(resumedAt >= stoppedAt);
  using wren = new Player(server, "Wren", resume);
  await wren.untilPlaying();
  assertEquals([wren.session.isResumed, wren.session.seat], [true, seat]);
  await wren.until(({ definitiveTick }) => definitiveTick > resumedAt + 5);
  assertEquals([...wren.notices], ["The server was restarted, and the match goes on."]);
});

Deno.test("serve: a second signal ends a drain at once; without a log the reason says that the match is over (SPEC 15.20, 15.22, 15.50)", async () => {
  // A round of dragons takes 90 s: nothing but the second signal ends this.
  await using server = await ServerProcess.start("--grace", "3600");
  const bot = new HonestBot(server.url, { name: "Wren", seed: 1 });

  try {
    await bot.until(() => bot.isPlaying);
    server.signal("SIGTERM");
    await bot.until(() => bot.session.notice !== undefined);
    assertStringIncludes(bot.session.notice!.text, "This match ends with it.");
    await wait(SIGNALS_APART_MS);
    server.signal("SIGTERM");
    await bot.until(() => false); // resolves when the link is closed
  } finally {
    bot.stop();
  }

  assertEquals([bot.session.closeCode, bot.session.closeReason], [GOING_AWAY, StopReason.over]);
  const { code, stdout } = await server.ended();
  assertEquals(code, 0);
  assertMatch(stdout, /drained why="a second signal" seconds=\S+ kept=0 lost=1 cut=1/);
  assertPortIsFree(server);
});

Deno.test("serve: a process that stops has written the result of the round that it let end (SPEC 15.23)", async () => {
  using data = await TemporaryData.make();
  {
    await using server = await startServer("--data", data.folder, "--grace", "30");
    using wren = new Player(server, "Wren");
    using rook = new Player(server, "Rook");
    await Promise.all([wren.untilPlaying(), rook.untilPlaying()]);
    await wren.until(({ definitiveTick }) =>
      definitiveTick % (ROUND_TICKS + BETWEEN_TICKS) < ROUND_TICKS / 2
    );
    server.signal("SIGTERM");
    await wren.until(({ phase }) => phase === "closed");
    await server.ended();
  }
  await using server = await startServer("--data", data.folder);
  const { results } = await (await fetch(`${server.url}api/results?game=counter`)).json();
  assert(results.length >= 1);
  const { scores, room, game, winners } = results[0];
  assertEquals([room, game], ["CROW", "counter"]);
  assertEquals(scores.map(({ name }: { name: string }) => name).sort(), ["Rook", "Wren"]);
  const [best, other] = scores.toSorted((a: { score: number }, b: { score: number }) =>
    b.score - a.score
  );
  assertEquals(winners, best.score > other.score ? [best.name] : []);
});
