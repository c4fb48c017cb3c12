/** `deno task new` in a copy of the project: the game that it makes is played like any other. */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { copyProject } from "../support/project_copy.ts";
import { runTaskIn } from "../support/task.ts";

async function withCopy(test: (folder: string) => Promise<void>): Promise<void> {
  const folder = await copyProject();
  try {
    await test(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function run(folder: string, ...args: string[]): Promise<string> {
  const command = new Deno.Command(Deno.execPath(), { args, cwd: folder, env: { NO_COLOR: "1" } });
  const { code, stdout, stderr } = await command.output();
  const text = new TextDecoder();
  assertEquals(code, 0, text.decode(stderr) + text.decode(stdout));
  return text.decode(stdout);
}

/** What each template is asked for by, and its NPCs if two are wanted. */
const TEMPLATES: readonly (readonly [args: readonly string[], npcs: number])[] = [
  [[], 2],
  [["--template", "side"], 2],
  [["--template=top"], 2],
  [["--template", "duel"], 2],
];

for (const [args, npcs] of TEMPLATES) {
  Deno.test(`new ${args.join(" ")}: the copied game is formatted, compiles and runs, and one line registers it (SPEC 13.50)`, () =>
    withCopy((folder) => checkNewGame(folder, args, npcs)));
}

async function checkNewGame(folder: string, args: readonly string[], npcs: number): Promise<void> {
  const { code, stdout, stderr } = await runTaskIn(folder, "new", ["air_hockey", ...args]);
  assertEquals([code, stderr], [0, ""]);
  for (
    const step of [
      "1. deno task dev --games air_hockey",
      "2. ",
      "3. deno task prove game air_hockey",
    ]
  ) {
    assertStringIncludes(stdout, step);
  }

  const files = ["shared/games/air_hockey/game.ts", "client/games/air_hockey/view.ts"];
  const texts = await Promise.all(files.map((file) => Deno.readTextFile(`${folder}/${file}`)));
  const lineCount = texts.join("").split("\n").length - 1;
  assertStringIncludes(stdout, `air_hockey has ${lineCount} lines in `);
  const registry = await Deno.readTextFile(`${folder}/shared/games/registry.ts`);
  assertMatch(registry, /\n {2}air_hockey: \(\) => import\("\.\/air_hockey\/game\.ts"\),\n\};\n/);
  for (const text of texts) assertEquals(text.match(/template/gi), null);
  await run(folder, "fmt", "--check", ...files, "shared/games/registry.ts");
  await run(folder, "check", ...files);
  const script = `
      import { GAMES } from "./shared/games/registry.ts";
      const { game } = await GAMES.air_hockey();
      const simulation = game.start({ npcs: 2, choices: [] }, 7);
      for (let i = 0; i < 40; i++) {
        simulation.step(Array.from({ length: 32 }, (_, seat) => seat < 16 ? undefined : simulation.npcSeats.includes(seat) ? simulation.npcCommand(seat, []) : undefined));
      }
      console.log(game.id, simulation.tick, simulation.npcSeats.length);`;
  await Deno.writeTextFile(`${folder}/play.ts`, script);
  assertEquals(await run(folder, "run", "--no-check", "play.ts"), `air_hockey-1 40 ${npcs}\n`);
}

Deno.test("new: a name that no game can have, or that one has, costs one clear line and writes nothing (SPEC 13.50)", async () => {
  await withCopy(async (folder) => {
    const registry = await Deno.readTextFile(`${folder}/shared/games/registry.ts`);
    await Deno.mkdir(`${folder}/client/games/taken`);
    await Deno.writeTextFile(`${folder}/client/games/taken/view.ts`, "");

    for (
      const [name, message] of [
        ["Puck", /^new: "Puck" is no name for a game\n/],
        ["../x", /is no name/],
        ["a".repeat(17), /is no name/],
        ["api", /^new: \/api is a path of the server; choose another name\n$/],
        ["taken_by_none!", /is no name/],
        ["dragons", /^new: there is a game dragons already, in shared\/games\/dragons\n$/],
        ["taken", /^new: client\/games\/taken\/view\.ts is in the way/],
      ] as const
    ) {
      const { code, stdout, stderr } = await runTaskIn(folder, "new", [name]);
      assertEquals([code, stdout], [2, ""], name);
      assertMatch(stderr, message);
    }

    assertEquals(await Deno.readTextFile(`${folder}/shared/games/registry.ts`), registry);
    assertEquals(
      [...Deno.readDirSync(`${folder}/shared/games`)].some(({ name }) => name === "taken"),
      false,
    );
    for (
      const args of [[], ["hop", "skip"], ["hop", "--template"], ["hop", "--template", "tetris"]]
    ) {
      assertEquals((await runTaskIn(folder, "new", args)).code, 2, args.join(" "));
    }
    const { stderr } = await runTaskIn(folder, "new", ["hop", "--template", "tetris"]);
    assertEquals(stderr, 'new: there is no template "tetris"; there are blank, side, top, duel\n');
  });
});
