import { assert, assertEquals, assertGreater, assertStringIncludes } from "@std/assert";
import { runTask } from "../../support/task.ts";
import { readRepository } from "../../tidy/sources.ts";
import { GROUPS } from "./commands.ts";
import { choose, usageOf } from "./main.ts";
import { RENAMED } from "./renamed.ts";

const repository = await readRepository();
const PATHS = new Set(repository.paths);
const TASKS: Readonly<Record<string, { readonly command: string }>> = JSON.parse(
  repository.documents.find(({ path }) => path === "deno.json")!.text,
).tasks;

/** The command lines in a text; one may go on in the next line of a comment. */
function namedIn(text: string): { task: string; name: string | undefined }[] {
  const flat = text.replace(/\n\s*(\*|\/\/|#|>)?\s*/g, " ");
  const named = flat.matchAll(
    /\bdeno task (?:--quiet )?([a-z][\w:-]*)(?: (--help\b|[a-z][\w-]*))?/g,
  );
  return [...named].map(([, task, name]) => ({ task: task!, name }));
}

/** Whether a command line that a text names runs something. */
function exists({ task, name }: ReturnType<typeof namedIn>[number]): boolean {
  if (!Object.hasOwn(TASKS, task) || Object.hasOwn(RENAMED, task)) return false;
  const group = GROUPS[task];
  if (group === undefined || name === "--help") return true;
  return name === undefined ? group.usual !== undefined : Object.hasOwn(group.commands, name);
}

Deno.test("tasks: every command line that a document or a source names is one of today", () => {
  assertEquals(namedIn("`deno task\n * soak log --flips 3`, deno task NAME"), [
    { task: "soak", name: "log" },
  ]);
  assert(!exists({ task: "soak:log", name: undefined }));
  assert(!exists({ task: "soak", name: "nothing" }));

  const texts = [...repository.documents, ...repository.sources].filter(({ path }) =>
    path !== "deno.json" && !path.startsWith("tests/tools/tasks/")
  );
  const named = texts.flatMap(({ path, text }) => namedIn(text).map((each) => ({ path, ...each })));
  assertGreater(named.length, 100);
  assertEquals(named.filter((each) => !exists(each)), []);
});

Deno.test("tasks: each command has its script, and each group its task", () => {
  for (const [task, { commands, usual }] of Object.entries(GROUPS)) {
    assertEquals(TASKS[task]?.command, `deno run --allow-run tests/tools/tasks/main.ts ${task}`);
    assert(usual === undefined || Object.hasOwn(commands, usual), task);
    const absent = Object.values(commands).filter(({ script }) => !PATHS.has(script));
    assertEquals(absent, [], task);
  }
});

Deno.test("tasks: each former name has a task that names one of today, and runs nothing else", async () => {
  const former = Object.entries(TASKS).filter(([, { command }]) => command.includes("renamed.ts"));
  assertEquals(former.map(([name]) => name).sort(), Object.keys(RENAMED).sort());
  for (const [name, { command }] of former) {
    assertEquals(command, `deno run tests/tools/tasks/renamed.ts ${name}`);
    assert(namedIn(`deno task ${RENAMED[name]}`).every(exists), name);
  }
  const { code, stdout, stderr } = await runTask("soak:log", "--flips", "3");
  assertEquals([code, stdout], [2, ""]);
  assertEquals(stderr, "deno task soak:log is now deno task soak log\n");
});

Deno.test("choose: a name, the usual command with its flags, the list, or what is wrong", () => {
  const { soak, lab } = GROUPS;
  const { cheats, match } = lab!.commands;
  assertEquals(choose("lab", lab!, ["cheats", "--duels", "3"]), {
    run: cheats!,
    args: ["--duels", "3"],
    isHelped: false,
  });
  assertEquals(choose("lab", lab!, []), { run: match!, args: [], isHelped: false });
  assertEquals(choose("lab", lab!, ["--json"]), { run: match!, args: ["--json"], isHelped: false });
  assertEquals(choose("lab", lab!, ["--help"]), { run: match!, args: ["--help"], isHelped: true });
  assertEquals(choose("soak", soak!, ["--help"]), { list: true });
  const names = "physics, snapshots, log, page, session, server";
  assertEquals(choose("soak", soak!, []), { problem: `soak needs one of ${names}, not nothing` });
  assertEquals(choose("soak", soak!, ["toString"]), {
    problem: `soak needs one of ${names}, not "toString"`,
  });
});

Deno.test("tasks: --help lists the commands of a task with their flags; a wrong name is one line and exit code 2", async () => {
  const listed = await runTask("soak", "--help");
  assertEquals([listed.code, listed.stdout], [0, `${usageOf("soak", GROUPS["soak"]!)}\n`]);
  assertStringIncludes(listed.stdout, "\n  log        flip 10,000 bits");
  const refused = await runTask("soak", "lag");
  assertEquals([refused.code, refused.stdout], [2, ""]);
  assertEquals(refused.stderr.split("\n").length, 2);
});
