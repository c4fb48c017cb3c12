/** What the build says of the files that a view imports, in a copy of the project. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { copyProject } from "../../support/project_copy.ts";

const VIEW = "client/games/haul/view.ts";

Deno.test("build: a view may use the page when it loads, and a wrong file is refused by name (SPEC 13.70, 13.75)", async () => {
  const folder = await copyProject();
  const view = await Deno.readTextFile(`${folder}/${VIEW}`);

  /** Builds with more in Haul's view. @returns the exit code, and what was printed */
  const buildWith = async (more: string) => {
    await Deno.writeTextFile(`${folder}/${VIEW}`, `${more}\n${view}`);
    const { code, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "client/build/build.ts", "--dev", "--games", "haul"],
      cwd: folder,
      env: { NO_COLOR: "1" },
    }).output();
    return { code, text: new TextDecoder().decode(stderr) };
  };

  try {
    const place = `${folder}/client/games/haul`;
    await Deno.writeFile(`${place}/big.png`, new Uint8Array(8_100_000));
    await Deno.writeFile(`${place}/none.ogg`, new Uint8Array());
    await Deno.writeFile(`${place}/my ship.png`, new Uint8Array(10));
    for (let i = 0; i < 129; i++) await Deno.writeFile(`${place}/n${i}.wav`, new Uint8Array([i]));
    const imports = Array.from({ length: 129 }, (_, i) => `import "./n${i}.wav";`);

    const refusals: readonly [more: string, sentence: string][] = [
      [
        `import ship from "./big.png"; ship;`,
        "client/games/haul/big.png has 8.1 MB; a file may have 8.0 MB",
      ],
      [`import hit from "./none.ogg"; hit;`, "client/games/haul/none.ogg is empty"],
      [
        `import ship from "./my ship.png"; ship;`,
        `client/games/haul/my ship.png: a file's name has letters, digits, "_", "-" and "." alone`,
      ],
      [`import ship from "./nowhere.png"; ship;`, `Could not resolve "./nowhere.png"`],
      [imports.join("\n"), "is one file more than the 128 that a game may import"],
      [
        `export const page = { pitch: "Race" };`,
        "client/games/haul/view.ts exports `page`: write client/games/haul/page_source.ts",
      ],
    ];
    for (const [more, sentence] of refusals) {
      const { code, text } = await buildWith(more);
      assertStringIncludes(text, sentence);
      assertEquals(code, 1, sentence);
    }

    const { code, text } = await buildWith(
      `new Image(); document.title = "Haul"; import n0 from "./n0.wav"; n0;`,
    );
    assertEquals([code, text], [0, ""]);
    const names = await Array.fromAsync(
      Deno.readDir(`${folder}/client/dist/haul`),
      ({ name }) => name,
    );
    assertEquals(names.filter((name) => /^n0-[0-9A-Z]{8}\.wav$/.test(name)).length, 1);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
