/** The examples with engines play in Chromium, from the packed archive. */
import { assertEquals } from "@std/assert";
import { launchChromium } from "../browser/chromium.ts";
import { programTest } from "../support/programs.ts";
import { EnginePage } from "./engine_page.ts";
import { EngineProjects } from "./engine_projects.ts";

const ENGINES = ["pixi", "phaser", "three"] as const;
const ROOM = "WREN";
/** So many of the three bots must be seen to move; one may lie on its back at that moment. */
const RIVALS = 2;

let installed: Promise<EngineProjects> | undefined;

/** Installs the examples once for all tests of this file. */
function projectsOnce(): Promise<EngineProjects> {
  return installed ??= EngineProjects.install(ENGINES);
}

Deno.test.afterAll(async () => {
  const projects = await installed?.catch(() => undefined); // its test has said why
  await projects?.[Symbol.asyncDispose]();
});

for (const name of ENGINES) {
  programTest(
    `examples: ${name} plays a room with bots in Chromium, from the archive (SPEC 19.50)`,
    {
      programs: ["npm", "chromium"],
      run: async () => {
        const projects = await projectsOnce();
        await projects.withExample(name, (example) => play(name, example));
      },
    },
  );
}

/** Plays a room with bots in a page. */
async function play(
  name: string,
  example: Parameters<Parameters<EngineProjects["withExample"]>[1]>[0],
): Promise<void> {
  await using bots = await example.playBots(ROOM);
  const browser = await launchChromium();
  try {
    const page = await EnginePage.open(browser, { name, url: example.page, room: ROOM });
    await page.steer();
    await page.seeRivalsMove(RIVALS);
    await page.seeCorrections();
    await page.shoot();
    await page.comparePictures();

    const { room, stats } = await page.read();
    assertEquals([room, stats.desyncs, page.faults], [ROOM, 0, []]);
    assertEquals(bots.report, { playing: 3, desyncs: 0 });
  } finally {
    await browser.close();
  }
}
