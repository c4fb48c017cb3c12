/**
 * One request to stop reaches the server several times, as terminals, services and `deno task` send
 * it.
 */
import { assertEquals, assertGreaterOrEqual, assertMatch } from "@std/assert";
import { fileURLToPath, pathToFileURL } from "node:url";
import { joinedSocketUrl } from "../../../client/net/join.ts";
import { openNodeWebSocketLink } from "../../../client/net/node_websocket_link.ts";
import { Session } from "../../../client/session/session.ts";
import { GOING_AWAY } from "../../../shared/netcode/wire/stop_reasons.ts";
import { RandomCounterControls } from "../../tools/lab/random_controls.ts";
import { BETWEEN_TICKS, ROUND_TICKS, roundsGame } from "../../tools/lab/results/rounds_game.ts";
import { programPath, programTest } from "../../support/programs.ts";
import { TASK_ENVIRONMENT } from "../../support/task.ts";

const SCRIPT = fileURLToPath(new URL("rounds_server.ts", import.meta.url));
const PROJECT = fileURLToPath(new URL("../../../", import.meta.url));
const FRAME_MS = 16;
const CTRL_C = "\x03";
/** Ticks of a round that are left, at least, when the request to stop comes: more than a second. */
const LEFT_TICKS = 25;

/** Who sends what. */
const REQUESTS = {
  "Ctrl+C in a terminal": { program: "script", isTask: true },
  "SIGTERM to the group": { program: "setsid", isTask: true },
  "SIGTERM to the task alone": { program: "setsid", isTask: true },
  "SIGTERM to the group of a service": { program: "setsid", isTask: false },
} as const;

/** A server in a session of processes of its own, or in a terminal of its own. */
class GroupServer implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #input: WritableStreamDefaultWriter<Uint8Array>;
  readonly #pages: string;
  readonly #ended: Promise<void>;
  stdout = "";
  #onOutput = () => {};

  static async start(
    program: "script" | "setsid",
    { isTask, flags }: { isTask: boolean; flags: string[] },
  ) {
    const pages = await Deno.makeTempDir({ prefix: "wyvern_" });
    await Deno.mkdir(`${pages}/counter`);
    await Deno.writeTextFile(`${pages}/counter/index.html`, "<!DOCTYPE html>");

    const run = [
      "run",
      "-A",
      SCRIPT,
      pathToFileURL(`${pages}/`).href,
      "--port",
      "0",
      "--npcs",
      "0",
      ...flags,
    ];
    const deno = Deno.execPath();
    const words = isTask
      ? [deno, "task", "--quiet", "--eval", [deno, ...run].join(" ")]
      : [deno, ...run];
    const quoted = words.map((word) => `'${word}'`).join(" ");
    const server = new GroupServer(program, {
      args: program === "script" ? ["-qefc", `exec ${quoted}`, "/dev/null"] : words,
      pages,
    });
    await server.until(/Wyvern listens on/);
    return server;
  }

  private constructor(program: string, { args, pages }: { args: string[]; pages: string }) {
    this.#pages = pages;
    this.#child = new Deno.Command(programPath(program)!, {
      args,
      cwd: PROJECT,
      env: TASK_ENVIRONMENT,
      stdin: "piped",
      stdout: "piped",
      stderr: "inherit",
    }).spawn();
    this.#input = this.#child.stdin.getWriter();
    this.#ended = this.#read();
  }

  get url(): string {
    return /Wyvern listens on (\S+)/.exec(this.stdout)![1]!;
  }

  async #read(): Promise<void> {
    for await (const text of this.#child.stdout.pipeThrough(new TextDecoderStream())) {
      this.stdout += text;
      this.#onOutput();
    }
    this.#onOutput = () => {};
  }

  async until(pattern: RegExp): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onOutput = () => pattern.test(this.stdout) && resolve();
    this.#onOutput();
    await Promise.race([promise, this.#ended]);
    assertMatch(this.stdout, pattern);
  }

  /** Asks the server to stop. */
  async ask(request: keyof typeof REQUESTS): Promise<void> {
    const { pid } = this.#child;
    if (request === "Ctrl+C in a terminal") {
      await this.#input.write(new TextEncoder().encode(CTRL_C));
    } else Deno.kill(request === "SIGTERM to the task alone" ? pid : -pid, "SIGTERM");
  }

  /** Waits until every process has ended that has its output open. @returns the exit code */
  async ended(): Promise<number> {
    await this.#ended;
    return (await this.#child.status).code;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      Deno.kill(-this.#child.pid, "SIGKILL");
    } catch {
      // It has ended, or it is a terminal, whose end ends all within.
      try {
        this.#child.kill("SIGKILL");
      } catch {
        // It has ended.
      }
    }
    await this.#input.close().catch(() => {});
    await this.#ended;
    await this.#child.status;
    await Deno.remove(this.#pages, { recursive: true });
  }
}

/** The tick within its round. */
function roundTick(tick: number): number {
  return tick % (ROUND_TICKS + BETWEEN_TICKS);
}

for (const [request, { program, isTask }] of Object.entries(REQUESTS)) {
  for (const flags of [[], ["--workers", "2"]]) {
    programTest(
      `serve ${flags.join(" ")}: ${request} lets the round end (SPEC 15.20, 15.50, 17.10)`,
      {
        programs: [program],
        run: async () => {
          await using server = await GroupServer.start(program, {
            isTask,
            flags: ["--grace", "30", ...flags],
          });
          const joinRequest = {
            gameId: roundsGame.id,
            room: "CROW",
            name: "Wren",
            spectate: false,
          };
          const session = new Session({
            game: roundsGame,
            clock: { now: () => performance.now() },
            room: "CROW",
            name: "Wren",
            commandSource: new RandomCounterControls(1),
            link: openNodeWebSocketLink(joinedSocketUrl(new URL(server.url).origin, joinRequest)),
          });

          // It plays until its link closes, and the request comes early in a round.
          const closed = Promise.withResolvers<void>();
          let askedAt: number | undefined;
          const timer = setInterval(() => {
            session.advance();
            const { phase, definitiveTick } = session;
            const isEarly = phase === "playing" && session.simulation!.isPresent(session.seat) &&
              roundTick(definitiveTick) > 1 && roundTick(definitiveTick) < ROUND_TICKS - LEFT_TICKS;
            if (askedAt === undefined && isEarly) {
              askedAt = definitiveTick;
              void server.ask(request as keyof typeof REQUESTS);
            }
            if (phase === "closed") closed.resolve();
          }, FRAME_MS);
          await closed.promise;
          clearInterval(timer);

          assertGreaterOrEqual(session.definitiveTick, askedAt! + LEFT_TICKS - 1, server.stdout);

          // The link may close before the session has read the last tick.
          assertEquals(session.closeCode, GOING_AWAY);
          assertGreaterOrEqual(roundTick(session.definitiveTick), ROUND_TICKS - 1);
          const code = await server.ended();
          assertMatch(server.stdout, /drained (worker=\d )?why="every round is over"/);
          assertEquals(server.stdout.match(/a second signal/g), null);
          assertEquals(code, 0);
        },
      },
    );
  }
}
