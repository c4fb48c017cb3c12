/** Runs `deno task dev` on a copy of the project, so that no file of the project is written to. */
import {
  assert,
  assertEquals,
  assertGreater,
  assertGreaterOrEqual,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
import { build } from "../../client/build/build.ts";
import { browserTest } from "../browser/chromium.ts";
import { untilPlaying } from "../browser/duel.ts";
import { HonestBot } from "../support/honest_bot.ts";
import type { SourceProblem } from "../../shared/source_problem.ts";
import { copyProject } from "../support/project_copy.ts";
import { within } from "../support/within.ts";

/** A restart with its build takes a tenth of it on a slow machine. */
const OUTPUT_PATIENCE_MS = 120_000;
/** Readings of the problems of a server that has just begun to listen. */
const READINGS_MAX = 1_000;

/**
 * The task, running in a copy of the project. With `await using` both are gone at the end of the
 * block.
 */
class DevTask implements AsyncDisposable {
  readonly folder: string;
  readonly url: string;
  readonly #task: Deno.ChildProcess;
  readonly #ended: Promise<unknown>;
  readonly #readers: ReadableStreamDefaultReader<string>[] = [];
  #output = "";
  #read = 0;
  #outputArrived = Promise.withResolvers<void>();

  private constructor(folder: string, port: number) {
    this.folder = folder;
    this.url = `http://127.0.0.1:${port}/`;
    this.#task = new Deno.Command(Deno.execPath(), {
      // On a machine that is busy with other tests, players are let in as well.
      args: ["task", "--quiet", "dev", "--port", String(port), "--tick-load", "100"],
      cwd: folder,
      env: { NO_COLOR: "1" },
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    this.#ended = Promise.all([this.#collect(this.#task.stdout), this.#collect(this.#task.stderr)]);
  }

  static async open(): Promise<DevTask> {
    return new DevTask(await copyProject(), freePort());
  }

  /**
   * Waits for this text in the output after the last match.
   * @throws Error with all output if the task ends before, or prints it in no `OUTPUT_PATIENCE_MS`
   */
  async waitFor(text: string): Promise<void> {
    try {
      await within(this.#untilPrinted(text), { what: "the text", ms: OUTPUT_PATIENCE_MS });
    } catch (error) {
      throw new Error(`it never printed "${text}":\n${this.#output}`, { cause: error });
    }
  }

  async #untilPrinted(text: string): Promise<void> {
    let hasEnded = false;
    for (;;) {
      const at = this.#output.indexOf(text, this.#read);
      if (at >= 0) {
        this.#read = at + text.length;
        return;
      }
      if (hasEnded) throw new Error("it has ended");
      hasEnded = await Promise.race([
        this.#outputArrived.promise.then(() => false),
        this.#ended.then(() => true),
      ]);
    }
  }

  /** How often the output has this text so far. */
  countOf(text: string): number {
    return this.#output.split(text).length - 1;
  }

  /** Rewrites a file as an editor does. */
  async edit(path: string, change: (text: string) => string): Promise<void> {
    const text = await Deno.readTextFile(`${this.folder}/${path}`);
    const changed = change(text);
    assert(changed !== text, `${path} is as before`);
    await Deno.writeTextFile(`${this.folder}/${path}`, changed);
  }

  /** Ends the task with a signal, as a terminal does. @returns its exit code */
  async stop(signal: Deno.Signal): Promise<number> {
    this.#task.kill(signal);
    return (await this.#task.status).code;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await this.stop("SIGTERM");
    } catch {
      // It has already ended.
    }
    // Cancelled, not read to the end: a process that was left behind would hold the stream open.
    for (const reader of this.#readers) await reader.cancel();
    await Deno.remove(this.folder, { recursive: true });
  }

  async #collect(output: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<void> {
    const reader = output.pipeThrough(new TextDecoderStream()).getReader();
    this.#readers.push(reader);
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      this.#output += value;
      this.#outputArrived.resolve();
      this.#outputArrived = Promise.withResolvers();
    }
  }
}

function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return (listener.addr as Deno.NetAddr).port;
}

async function healthAt(url: string): Promise<{ ticks: number }> {
  return await (await fetch(`${url}healthz`)).json();
}

async function pageAt(url: string): Promise<string> {
  return await (await fetch(url)).text();
}

Deno.test("dev: a change restarts the server; one that does not build is reported and changes nothing", async () => {
  await using task = await DevTask.open();
  await task.waitFor("Wyvern listens on ");
  const before = await pageAt(task.url);
  assertMatch(before, /src="reload-[0-9A-F]{8}\.js"/);

  await task.edit(
    "shared/games/dragons/tuning.ts",
    (text) => text.replace("GRAVITY = 14", "GRAVITY = 13"),
  );
  await task.waitFor("tuning.ts has changed");
  await task.waitFor("stopping signal=SIGTERM");
  await task.waitFor("Wyvern listens on ");
  const after = await pageAt(task.url);
  assert(after !== before, "the page is as before");

  const { ticks } = await healthAt(task.url);

  // Twice: when the second failure is reported, every effect of the first is over.
  for (let times = 0; times < 2; times++) {
    await task.edit("client/ui/match/hud.ts", (text) => `${text}\nconst = 1;\n`);
    await task.waitFor("the page does not build");
    await task.waitFor("hud.ts:");
  }

  assertGreaterOrEqual((await healthAt(task.url)).ticks, ticks);
  assertEquals(task.countOf("stopping signal"), 1);
  assertEquals(await pageAt(task.url), after);

  await task.edit("client/ui/match/hud.ts", (text) => text.replaceAll("\nconst = 1;\n", ""));
  await task.waitFor("dev: the pages are new; the server plays on");
  assertEquals(await pageAt(task.url), after);
  assertEquals(task.countOf("Wyvern listens on "), 2);
});

Deno.test("dev: a server that fails at its start is reported, and the next change starts it again", async () => {
  await using task = await DevTask.open();
  await task.waitFor("Wyvern listens on ");
  await task.edit("server/main.ts", (text) => `throw new Error("planted");\n${text}`);
  await task.waitFor("planted");
  await task.waitFor("dev: the server ended with code 1");
  await task.edit("server/main.ts", (text) => text.replace(/^throw.*\n/, ""));
  await task.waitFor("Wyvern listens on ");
});

Deno.test("dev: a rule that throws stands on open pages with its line until it is mended (SPEC 13.49)", async () => {
  await using task = await DevTask.open();
  await task.waitFor("Wyvern listens on ");
  const rules = "shared/games/dragons/control.ts";
  const step = "input: DragonInput): void {\n";
  const planted = '  if (world.tick > 10) throw new RangeError("no wings");\n';
  await task.edit(rules, (text) => text.replace(step, step + planted));
  const lines = (await Deno.readTextFile(`${task.folder}/${rules}`)).split("\n");
  const line = 1 + lines.findIndex((each) => each.includes("no wings"));
  await task.waitFor("Wyvern listens on ");

  const player = new HonestBot(task.url, { name: "Wren", seed: 1, room: "FALL" });
  await task.waitFor("room_failed");
  const { problems } = await (await fetch(`${task.url}dev`)).json();
  assertEquals(problems.map(({ column: _column, ...problem }: SourceProblem) => problem), [
    { file: rules, line, message: "a match ended: no wings" },
  ]);
  player.stop();

  await task.edit(rules, (text) => text.replace(planted, ""));
  await task.waitFor("Wyvern listens on ");
  assertEquals(await (await fetch(`${task.url}dev`)).json(), { problems: [] });
});

Deno.test("dev: a rule that does not end is named with its line, on open pages too, and its mend starts a new server (SPEC 17.19)", async () => {
  await using task = await DevTask.open();
  await task.waitFor("Wyvern listens on ");
  const rules = "shared/games/dragons/control.ts";
  const step = "input: DragonInput): void {\n";
  await task.edit(
    rules,
    (text) => text.replace(step, `${step}  while (world.tick > 10) Math.abs(world.tick);\n`),
  );
  const lines = (await Deno.readTextFile(`${task.folder}/${rules}`)).split("\n");
  const line = 1 + lines.findIndex((each) => each.includes("while (world.tick > 10)"));
  await task.waitFor("Wyvern listens on ");

  const villain = new HonestBot(task.url, { name: "Loop", seed: 1, room: "HANG" });
  await task.waitFor(`at=${rules}:${line}:`);
  villain.stop();
  await task.waitFor("Wyvern listens on ");

  // The server reads of it shortly after it listens.
  let problems: SourceProblem[] = [];
  for (let reading = 0; problems.length === 0 && reading < READINGS_MAX; reading++) {
    ({ problems } = await (await fetch(`${task.url}dev`)).json());
  }
  assertEquals([problems.length, problems[0]?.file, problems[0]?.line], [1, rules, line]);

  await task.edit(rules, (text) => text.replace(/ *while \(world.tick > 10\).*\n/, ""));
  await task.waitFor("Wyvern listens on ");
  const player = new HonestBot(task.url, { name: "Wren", seed: 2, room: "CALM" });
  await player.until(() => player.isPlaying && player.session.stats.ticks > 20);
  assertEquals(player.session.phase, "playing");
  player.stop();
});

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  Deno.test(`dev: ${signal} leaves no process behind and frees the port`, async () => {
    await using task = await DevTask.open();
    await task.waitFor("Wyvern listens on ");
    await task.stop(signal);
    Deno.listen({ hostname: "127.0.0.1", port: Number(new URL(task.url).port) }).close();
  });
}

Deno.test("build: a page that is served does not watch for its next build", async () => {
  for (const files of (await build()).values()) {
    assertEquals(files.filter(({ name }) => name.startsWith("reload")), []);
    assert(!/src="[^"]*reload/.test(new TextDecoder().decode(files.at(-1)!.bytes)));
  }
});

browserTest(
  "dev: an open page reloads when one of its files changes, and only then",
  async (browser) => {
    await using task = await DevTask.open();
    await task.waitFor("Wyvern listens on ");
    const page = await browser.newPage();
    const loads: string[] = [];
    page.on("load", () => loads.push(page.url()));
    await page.goto(`${task.url}#MINE`);
    await task.edit("server/log.ts", (text) => `${text}\n// only the server's\n`);
    await task.waitFor("Wyvern listens on ");
    const reloadCheck = await page.waitForResponse((response) =>
      response.url() === task.url && response.ok()
    );
    await reloadCheck.finished();
    assertEquals(loads.length, 1);

    await task.edit(
      "client/index.html",
      (text) => text.replace("<h1>{{ heading }}</h1>", "<h1>Wyvern II</h1>"),
    );
    await page.waitForFunction(() => document.querySelector("h1")?.textContent === "Wyvern II");
    await task.edit("client/style.css", (text) => `${text}\nh1 { outline: 1px solid red; }\n`);
    await page.waitForFunction(() =>
      getComputedStyle(document.querySelector("h1")!).outlineStyle === "solid"
    );

    // A page has its style before its "load" event.
    await page.waitForLoadState("load");
    assertEquals(loads.length, 3);
    assertStringIncludes(page.url(), "#MINE");
  },
);

browserTest(
  "dev: a rule that no rollback can repeat is named in the log, the console and the overlay (SPEC 1.20, 4.16)",
  async (browser) => {
    await using task = await DevTask.open();
    await task.waitFor("Wyvern listens on ");
    await task.edit(
      "shared/games/dragons/game.ts",
      (text) =>
        text.replace(
          "      tickRecharge(dragon);\n",
          "      dragon.fields.score = Math.floor(Math.random() * 99);\n$&",
        ),
    );
    await task.waitFor("game.ts has changed");
    await task.waitFor("Wyvern listens on ");
    const page = await browser.newPage();
    const errors: string[] = [];
    page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    await page.goto(`${task.url}?debug#MINE`);
    await page.click("#play");
    await task.waitFor("contract_broken room=MINE");
    await task.waitFor("desync room=MINE");
    const rows = page.locator("#flight-rows li.fault");
    await rows.first().waitFor();
    const field = String.raw`tick \d+: entity \d+ dragon\.score is \d+`;
    await page.waitForFunction(() => {
      const { wyvernFaults = [] } = globalThis as { wyvernFaults?: { text: string }[] };
      return ["in the match", "on this page"].every((words) =>
        wyvernFaults.some(({ text }) => text.includes(words))
      );
    });
    assertMatch(
      errors.join("\n"),
      new RegExp(`Wyvern: ${field} in the match, but \\d+ after a rollback`),
    );
    assertMatch(
      errors.join("\n"),
      new RegExp(`Wyvern: ${field} on the server, but \\d+ on this page`),
    );
    assertMatch((await rows.allTextContents()).join("\n"), new RegExp(`contract${field}`));
  },
);

browserTest(
  "dev: a change of the view reloads the page, and the match lives on with the same seat",
  async (browser) => {
    await using task = await DevTask.open();
    await task.waitFor("Wyvern listens on ");
    const page = await browser.newPage();
    await page.goto(`${task.url}#MINE`);
    await page.click("#play");
    await untilPlaying(page);
    const match = () => page.evaluate(() => ({ seat: wyvern!.seat, tick: wyvern!.definitiveTick }));
    const before = await match();
    await page.evaluate(() => document.title = "the old page");
    await task.edit(
      "client/games/dragons/view.ts",
      (text) => text.replace('"flap when you are ready"', '"flap!"'),
    );
    await page.waitForFunction(() => document.title !== "the old page");
    await untilPlaying(page);
    const after = await match();
    assertEquals(after.seat, before.seat);
    assertGreater(after.tick, before.tick);
    assertEquals([task.countOf("Wyvern listens on "), task.countOf("stopping")], [1, 0]);
  },
);

browserTest(
  "dev: an error of types stands on the page with its file and line, until it is mended",
  async (browser) => {
    await using task = await DevTask.open();
    await task.waitFor("Wyvern listens on ");
    const page = await browser.newPage();
    const said: string[] = [];
    page.on("console", (message) => said.push(message.text()));
    await page.goto(task.url);
    await task.edit(
      "client/ui/dom.ts",
      (text) => `${text}\nexport const WRONG: number = "text";\n`,
    );
    const lines = (await Deno.readTextFile(`${task.folder}/client/ui/dom.ts`)).split("\n").length;
    const place = `client/ui/dom.ts:${
      lines - 1
    }:14 Type 'string' is not assignable to type 'number'.`;
    await page.waitForSelector("#source-problems");
    assertEquals(await page.innerText("#source-problems"), place);
    assert(said.includes(place), said.join("\n"));
    await task.edit("client/ui/dom.ts", (text) => text.replace(/\nexport const WRONG.*\n/, ""));
    await page.waitForSelector("#source-problems", { state: "detached" });

    await task.edit("client/ui/dom.ts", (text) => `${text}\nconst = 1;\n`);
    await page.waitForFunction(
      (line) => document.querySelector("#source-problems")?.textContent?.includes(line),
      `client/ui/dom.ts:${lines - 1}:7 Expected identifier but found "="`,
    );
  },
);
