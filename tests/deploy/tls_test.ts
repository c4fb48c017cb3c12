/** The server's own TLS, and pages behind nginx, with a certificate made for the test. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { connect as connectTls } from "node:tls";
import { browserTest } from "../browser/chromium.ts";
import { untilPlaying } from "../browser/duel.ts";
import "../browser/pages/page_globals.ts";
import { wait } from "../../server/ticker.ts";
import { Certificate } from "../support/certificate.ts";
import { programTest } from "../support/programs.ts";
import { RawSocket } from "../support/sockets/raw_socket.ts";
import { ServerProcess } from "../support/server_process.ts";
import { freePort, Nginx } from "./nginx.ts";
import type { Browser } from "playwright-core";

/** Plays in a page for some ticks. */
async function playIn(browser: Browser, url: string): Promise<void> {
  const context = await browser.newContext({ ignoreHTTPSErrors: true }), page = await context.newPage();
  await page.goto(`${url}#SAFE`);
  await page.fill("#name", "Wren");
  await page.click("#play");
  await untilPlaying(page);
  const tick = await page.evaluate(() => wyvern!.definitiveTick);
  await page.waitForFunction((tick) => wyvern!.isInSync && wyvern!.definitiveTick > tick + 20, tick);
  assert((await page.evaluate(() => location.protocol)) === "https:");
}

browserTest(
  "--tls-cert: page and socket play over TLS, and the port hears itself (SPEC 14.8, 14.41)",
  async (browser) => {
    await using certificate = await Certificate.make();
    await using server = await ServerProcess.start("--npcs", "0", ...certificate.flags);
    assert(server.url.startsWith("https://"));
    await playIn(browser, server.url);
    // By now the server has connected to itself.
    using client = Deno.createHttpClient({ caCerts: [await Deno.readTextFile(certificate.certPath)] });
    const healthOf = async () => {
      const options: RequestInit & { client: Deno.HttpClient } = { client };
      const response = await fetch(`${server.url}healthz`, options);
      return { status: response.status, ...await response.json() };
    };
    let health = await healthOf();
    while (health.uptimeSeconds < 5) {
      await wait(100);
      health = await healthOf();
    }
    assertEquals([health.status, health.accepts], [200, true]);
    assert(!server.stdout.includes("port_reopened"));
  },
);

browserTest("nginx: a page plays behind it (SPEC 14.6)", async (browser) => {
  await using certificate = await Certificate.make();
  const port = freePort(), origin = `https://127.0.0.1:${port}`;
  const env = { WYVERN_SECRET: "0".repeat(32) }, flags = ["--public", "--origin", origin, "--trust-proxy", "127.0.0.1"];
  await using server = await ServerProcess.startWith(env, ...flags);
  await using nginx = await Nginx.start(server.port, certificate, port);
  await playIn(browser, nginx.url);
});

browserTest(
  "--workers: a page plays over each process's own TLS, and by a path behind nginx (SPEC 17.3)",
  async (browser) => {
    await using certificate = await Certificate.make();
    {
      await using server = await ServerProcess.start("--npcs", "0", "--workers", "2", ...certificate.flags);
      await playIn(browser, server.url);
    }
    const port = freePort(), origin = `https://127.0.0.1:${port}`, env = { WYVERN_SECRET: "0".repeat(32) };
    const flags = ["--public", "--origin", origin, "--trust-proxy", "127.0.0.1"];
    await using server = await ServerProcess.startWith(env, ...flags, "--workers", "2", "--worker-url", "/match/*");
    await using nginx = await Nginx.start(server.port, certificate, port);
    await playIn(browser, nginx.url);
  },
);

programTest("--tls-cert: connections that never begin TLS count, and end (SPEC 14.4, 14.41)", {
  programs: ["openssl"],
  async run() {
    await using certificate = await Certificate.make();
    await using server = await ServerProcess.start(...certificate.flags, "--connections-per-address", "3");
    const silent = await Promise.all(Array.from({ length: 3 }, () => RawSocket.connect(server.port)));
    using beyond = await RawSocket.connect(server.port);
    assertEquals(await beyond.readToEnd(), new Uint8Array());
    for (const raw of silent) {
      await raw.readToEnd();
      raw[Symbol.dispose]();
    }
    assertStringIncludes(await answerOverTls(server.port), "HTTP/1.1 200");
  },
});

/** The beginning of the answer to a request for the page. */
function answerOverTls(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connectTls({ host: "127.0.0.1", port, rejectUnauthorized: false });
    socket.once("error", reject);
    socket.once("secureConnect", () => socket.write(`GET /play HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`));
    socket.once("data", (bytes) => {
      resolve(String(bytes));
      socket.destroy();
    });
  });
}
