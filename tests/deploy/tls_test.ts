/** The server's own TLS, and pages behind nginx, with a certificate made for the test. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { connect as connectTls } from "node:tls";
import { browserTest, chromiumPath, launchChromium } from "../browser/chromium.ts";
import { browsersAreRequired } from "../browser/places.ts";
import "../browser/pages/page_globals.ts";
import { wait } from "../../server/ground/ticker.ts";
import { Certificate } from "../support/certificate.ts";
import { programTest } from "../support/programs.ts";
import { RawSocket } from "../support/sockets/raw_socket.ts";
import { ServerProcess } from "../support/servers/server_process.ts";
import { freePort, Nginx } from "./nginx.ts";
import { playIn } from "./tls_page.ts";
import type { Browser, Page } from "playwright-core";

/** The same by WebTransport. */
async function playByDatagrams(
  browser: Browser,
  url: string,
  server: ServerProcess,
): Promise<Page> {
  const page = await playIn(browser, `${url}?transport=webtransport`);
  const opened = await server.waitForOutput(/link_opened .*transport=(\w+)/);
  assertEquals(opened![1], "webtransport");
  assertEquals(await page.evaluate(() => wyvern!.stats.desyncs), 0);
  return page;
}

browserTest(
  "--tls-cert: page and socket play over TLS, and the port hears itself (SPEC 14.8, 14.41)",
  async (browser) => {
    await using certificate = await Certificate.make();
    await using server = await ServerProcess.start("--npcs", "0", ...certificate.flags);
    assert(server.url.startsWith("https://"));
    await playIn(browser, server.url);

    // By now the server has connected to itself.
    using client = Deno.createHttpClient({
      caCerts: [await Deno.readTextFile(certificate.certPath)],
    });
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
  const port = freePort();
  const origin = `https://127.0.0.1:${port}`;
  const env = { WYVERN_SECRET: "0".repeat(32) };
  const flags = ["--public", "--origin", origin, "--trust-proxy", "127.0.0.1"];
  await using server = await ServerProcess.startWith(env, ...flags);
  await using nginx = await Nginx.start(server.port, certificate, port);
  await playIn(browser, nginx.url);
});

/** Tries a session. @returns whether the page's policy forbids it */
function isForbidden(page: Page, url: string): Promise<boolean> {
  return page.evaluate(async (url) => {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    addEventListener(
      "securitypolicyviolation",
      ({ effectiveDirective }) => resolve(effectiveDirective === "connect-src"),
    );
    const session = new WebTransport(url);
    session.closed.catch(() => {});
    session.ready.then(() => resolve(false), () => setTimeout(() => resolve(false), 100));
    return await promise;
  }, url);
}

browserTest(
  "nginx: a page behind it plays by datagrams past it, and its policy names this port alone (SPEC 16.22, 16.23)",
  async (browser) => {
    await using certificate = await Certificate.make();
    const port = freePort();
    const origin = `https://127.0.0.1:${port}`;
    const udpPort = freePort();
    const env = { WYVERN_SECRET: "0".repeat(32) };
    const datagrams = ["--datagrams", "on", "--datagrams-port", `${udpPort}`];
    const flags = [
      "--public",
      "--origin",
      origin,
      "--trust-proxy",
      "127.0.0.1",
      "--datagrams-host",
      "127.0.0.1",
    ];
    await using server = await ServerProcess.startWith(env, ...flags, ...datagrams);
    await using nginx = await Nginx.start(server.port, certificate, port);
    const page = await playByDatagrams(browser, nginx.url, server);
    assert(!await isForbidden(page, `https://127.0.0.1:${udpPort}/socket`));
    for (const other of [`https://127.0.0.1:${udpPort + 1}/`, `https://localhost:${udpPort}/`]) {
      assert(await isForbidden(page, other), other);
    }
  },
);

Deno.test({
  name:
    "--tls-cert: a page plays by datagrams with the operator's certificate, and no hash (SPEC 16.9)",
  ignore: chromiumPath === undefined && !browsersAreRequired(),
  // playwright keeps its pipes and timers open until the process ends.
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    await using certificate = await Certificate.make();
    await using server = await ServerProcess.start(
      "--npcs",
      "0",
      "--datagrams",
      "on",
      ...certificate.flags,
    );
    const browser = await launchChromium({ trustedKey: await certificate.keyHash() });
    try {
      await playByDatagrams(browser, server.url, server);
    } finally {
      await browser.close();
    }

    const stranger = await launchChromium();

    try {
      const page = await (await stranger.newContext({ ignoreHTTPSErrors: true })).newPage();
      await page.goto(`${server.url}?transport=webtransport#SAFE`);
      await page.click("#play");
      await page.waitForFunction(() => document.body.innerText.includes("Trying again"));
    } finally {
      await stranger.close();
    }
  },
});

browserTest(
  "--workers: a page plays over each process's own TLS, and by a path behind nginx (SPEC 17.3)",
  async (browser) => {
    await using certificate = await Certificate.make();
    {
      await using server = await ServerProcess.start(
        "--npcs",
        "0",
        "--workers",
        "2",
        ...certificate.flags,
      );
      await playIn(browser, server.url);
    }
    const port = freePort();
    const origin = `https://127.0.0.1:${port}`;
    const env = { WYVERN_SECRET: "0".repeat(32) };
    const flags = ["--public", "--origin", origin, "--trust-proxy", "127.0.0.1"];
    await using server = await ServerProcess.startWith(
      env,
      ...flags,
      "--workers",
      "2",
      "--worker-url",
      "/match/*",
    );
    await using nginx = await Nginx.start(server.port, certificate, port);
    await playIn(browser, nginx.url);
  },
);

programTest("--tls-cert: connections that never begin TLS count, and end (SPEC 14.4, 14.41)", {
  programs: ["openssl"],
  async run() {
    await using certificate = await Certificate.make();
    await using server = await ServerProcess.start(
      ...certificate.flags,
      "--connections-per-address",
      "3",
    );
    const silent = await Promise.all(
      Array.from({ length: 3 }, () => RawSocket.connect(server.port)),
    );
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
    socket.once(
      "secureConnect",
      () => socket.write(`GET /play HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`),
    );
    socket.once("data", (bytes) => {
      resolve(String(bytes));
      socket.destroy();
    });
  });
}
