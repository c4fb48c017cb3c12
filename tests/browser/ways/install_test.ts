/** Whether Chromium would install each game's page, and with which icons. */
import { assert, assertEquals } from "@std/assert";
import { GAMES } from "../../../shared/games/registry.ts";
import { ServerProcess } from "../../support/servers/server_process.ts";
import { browserTest } from "../chromium.ts";
import { untilKept } from "../solo/kept.ts";

interface ManifestIcon {
  readonly src: string;
  readonly sizes: string;
  readonly type: string;
  readonly purpose?: string;
}

/** Width and height in a PNG's first chunk; undefined for another file. */
function pngSizeOf(bytes: Uint8Array): string | undefined {
  const isPng = [0x89, 0x50, 0x4e, 0x47].every((byte, i) => bytes[i] === byte);
  if (!isPng) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  return `${view.getUint32(16)}x${view.getUint32(20)}`;
}

browserTest(
  "page: Chromium can install each game, with PNG icons of 192 and 512 pixels and a maskable one (SPEC 8.136)",
  async (browser) => {
    await using server = await ServerProcess.start(
      "--games",
      Object.keys(GAMES).join(","),
      "--data",
      "off",
    );
    const context = await browser.newContext({ serviceWorkers: "allow" });
    for (const name of Object.keys(GAMES)) {
      const page = await context.newPage();
      await page.goto(`${server.url}${name}/`);
      await untilKept(page);
      const glass = await context.newCDPSession(page);
      const { installabilityErrors } = await glass.send("Page.getInstallabilityErrors");
      // The browsers of tests have private windows alone, which install nothing.
      const errors = installabilityErrors.filter(({ errorId }) => errorId !== "in-incognito");
      assertEquals(errors, [], name);

      const manifest = await (await fetch(`${server.url}${name}/manifest.webmanifest`)).json();
      const icons = manifest.icons as readonly ManifestIcon[];
      const png = icons.filter(({ type }) => type === "image/png");
      assertEquals(
        png.map(({ sizes, purpose }) => `${sizes} ${purpose}`),
        ["192x192 any", "512x512 any", "512x512 maskable"],
      );
      for (const { src, sizes } of png) {
        const answer = await fetch(new URL(src, `${server.url}${name}/`));
        const bytes = new Uint8Array(await answer.arrayBuffer());
        assertEquals([answer.headers.get("content-type"), pngSizeOf(bytes)], ["image/png", sizes]);
        assert(bytes.length < 30_000, `${name}/${src} has ${bytes.length} bytes`);
      }
      await page.close();
    }
  },
  { isWhole: true },
);
