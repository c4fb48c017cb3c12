/** `deno task dev`: what a change does to the server. `tests/browser/dev_test.ts` looks at pages. */
import { assert, assertEquals, assertGreaterOrEqual, assertMatch } from "@std/assert";
import { pathToFileURL } from "node:url";
import { buildPage } from "../../client/build/build.ts";
import { gamePage } from "../../client/build/game_page.ts";
import type { SourceProblem } from "../../shared/source_problem.ts";
import { HonestBot } from "../support/honest_bot.ts";
import { DevTask } from "../support/servers/dev_task.ts";

/** Readings of the problems of a server that has just begun to listen. */
const READINGS_MAX = 1_000;

async function healthAt(url: string): Promise<{ ticks: number }> {
  return await (await fetch(`${url}healthz`)).json();
}

async function pageAt(url: string): Promise<string> {
  return await (await fetch(url)).text();
}

// What stands in one test below shares the task, because a copy of the project, its build and its
// first start take longer than most of what is looked at.

/** A change restarts the server; one that does not build is reported and changes nothing. */
async function seeChanges(task: DevTask): Promise<void> {
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
}

/** A server that fails at its start is reported, and the next change starts it again. */
async function seeFailedStart(task: DevTask): Promise<void> {
  await task.edit("server/main.ts", (text) => `throw new Error("planted");\n${text}`);
  await task.waitFor("planted");
  await task.waitFor("dev: the server ended with code 1");
  await task.edit("server/main.ts", (text) => text.replace(/^throw.*\n/, ""));
  await task.waitFor("Wyvern listens on ");
}

/** A rule that throws stands on open pages with its line until it is mended. */
async function seeThrownError(task: DevTask): Promise<void> {
  const rules = "shared/games/dragons/control.ts";
  const step = "  input: DragonInput,\n): void {\n";
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
}

/**
 * A rule that does not end is named with its line, on open pages too, and its mend starts a new
 * server.
 */
async function seeEndlessRule(task: DevTask): Promise<void> {
  const rules = "shared/games/dragons/control.ts";
  const step = "  input: DragonInput,\n): void {\n";
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
}

Deno.test("dev: a change restarts the server; what does not build, start, throws or does not end is reported and mended; SIGTERM leaves nothing behind (SPEC 13.49, 17.19)", async () => {
  await using task = await DevTask.open();
  await task.waitFor("Wyvern listens on ");
  await seeChanges(task);
  await seeFailedStart(task);
  await seeThrownError(task);
  await seeEndlessRule(task);
  await task.assertEndsAt("SIGTERM");
});

Deno.test("build: a page that is served does not watch for its next build", async () => {
  const folder = await Deno.makeTempDir({ prefix: "wyvern_" });
  try {
    const files = await buildPage(await gamePage("puck"), pathToFileURL(`${folder}/puck/`));
    assertEquals(files.filter(({ name }) => name.startsWith("reload")), []);
    assert(!/src="[^"]*reload/.test(new TextDecoder().decode(files.at(-1)!.bytes)));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
