/**
 * Real pages behind a proxy that answers in place of the server, as proxies do while a container is
 * replaced.
 */
import { assertEquals, assertStringIncludes } from "@std/assert";
import type { Browser, Page } from "playwright-core";
import { SERVER_MARK } from "../../../shared/netcode/link.ts";
import { answerOf, Intermediary, type Verdict } from "../../support/relay/intermediary.ts";
import { ServerProcess } from "../../support/servers/server_process.ts";
import { browserTest } from "../chromium.ts";
import { untilPlaying } from "../duel.ts";

const TEXT = { "Content-Type": "text/plain; charset=utf-8" };

/** What proxies and sign-in pages answer, and what the page says of it. */
const ANSWERS: readonly (readonly [answer: string, says: string])[] = [
  ...["404 Not Found", "405 Method Not Allowed", "403 Forbidden", "502 Bad Gateway"].map((status) =>
    [
      answerOf(status, `${status}\n`, TEXT),
      `answers in the server's place (${status.slice(0, 3)})`,
    ] as const
  ),
  [
    answerOf("200 OK", "<!DOCTYPE html><title>Hello</title>", { "Content-Type": "text/html" }),
    "(200)",
  ],
  [
    answerOf("404 Not Found", `{"code": 4001, "error": "gone"}`, {
      "Content-Type": "application/json",
    }),
    "(404)",
  ],
  [
    answerOf("200 OK", `{"ok": true}`, { "Content-Type": "application/json; charset=utf-8" }),
    "(200)",
  ],
  [
    answerOf("511 Network Authentication Required", "<html>Sign in</html>", {
      "Content-Type": "text/html",
    }),
    "(511)",
  ],
  [answerOf("302 Found", "", { Location: "/portal" }), "wants you to sign in first"],
];

async function play(browser: Browser, url: string): Promise<Page> {
  const page = await browser.newPage();
  await page.goto(url);
  await page.click("#play");
  await untilPlaying(page);
  return page;
}

const untilSaid = (page: Page, id: string, words: string) =>
  page.waitForFunction(([id, words]) => document.querySelector(id!)!.textContent.includes(words!), [
    id,
    words,
  ]);

browserTest(
  "page: whatever a proxy answers in place of the server, the page stays, says so, and is back (SPEC 8.56)",
  async (browser) => {
    await using server = await ServerProcess.start("--npcs", "1");
    await using relay = new Intermediary(server.port);
    const page = await play(browser, `${relay.url}play#PROX`);
    const loads: string[] = [];
    await page.waitForFunction(() => wyvern!.definitiveTick > 300);
    const seat = await page.evaluate(() => wyvern!.seat);
    page.on("load", (loaded) => loads.push(loaded.url()));
    for (const [answer, says] of ANSWERS) {
      relay.judge = (): Verdict => ({ answer });
      relay.closeOneSide("client");
      await untilSaid(page, "#notice", says);
      relay.judge = () => "pass";
      await untilPlaying(page);
      assertEquals(await page.evaluate(() => wyvern!.seat), seat, says);
    }
    assertEquals(loads, [], "it never left");
  },
);

browserTest(
  "page: leaves for a new version only when the server gives it (SPEC 8.56, 8.12)",
  async (browser) => {
    await using server = await ServerProcess.start("--npcs", "1");
    await using relay = new Intermediary(server.port);
    const page = await play(browser, `${relay.url}play#NEWV`);
    await page.waitForFunction(() => wyvern!.definitiveTick > 300);
    const seat = await page.evaluate(() => wyvern!.seat);
    const other = answerOf("404 Not Found", "no such path", { ...TEXT, [SERVER_MARK]: "1" });
    const proxys = answerOf("404 Not Found", "404 page not found", TEXT);
    let looks = 0;
    relay.judge = (line): Verdict => {
      if (/^POST/.test(line)) return { answer: other };
      if (/^GET \/play/.test(line)) looks++;
      return { answer: proxys };
    };
    relay.closeOneSide("client");
    await untilSaid(page, "#lobby-notice", "The page reloads as soon as it comes.");
    while (looks < 2) await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 100)));
    assertStringIncludes(await page.innerText("#lobby-notice"), "new version", "it is still there");

    const loaded = page.waitForEvent("load");
    relay.judge = () => "pass";
    await loaded;
    await untilPlaying(page);
    assertEquals(await page.evaluate(() => wyvern!.seat), seat);
  },
);

function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return (listener.addr as Deno.NetAddr).port;
}

const BLOCKED = answerOf("403 Forbidden", "no upgrades here");

browserTest(
  "page: where tickets come and sockets do not, it says so (SPEC 8.57)",
  async (browser) => {
    await using server = await ServerProcess.start("--npcs", "1", "--datagrams", "off");
    await using relay = new Intermediary(server.port);
    relay.judge = (line): Verdict => line.startsWith("upgrade") ? { answer: BLOCKED } : "pass";
    const page = await browser.newPage();
    await page.goto(`${relay.url}play#WALL`);
    await page.click("#play");
    await untilSaid(page, "#lobby-notice", "The server answers, but no WebSocket opens.");
    relay.judge = () => "pass";
    await untilPlaying(page);
  },
);

browserTest(
  "page: where sockets do not open and UDP is there, it plays by datagrams (SPEC 8.57)",
  async (browser) => {
    const port = freePort();
    await using relay = new Intermediary(port);
    // UDP does not come through the proxy, so the server has to know whose page it is.
    const origin = new URL(relay.url).origin;
    const flags = ["--port", String(port), "--origin", origin];
    await using _server = await ServerProcess.start("--npcs", "1", ...flags);
    relay.judge = (line): Verdict => line.startsWith("upgrade") ? { answer: BLOCKED } : "pass";
    const page = await play(browser, `${relay.url}play#WALL`);
    assertEquals(
      await page.evaluate(() => wyvern!.datagrams!.report),
      undefined,
      "a session of datagrams alone",
    );
  },
);

browserTest(
  "page: after a failed attempt a full server is full, and does not only not answer (SPEC 8.12, 8.58)",
  async (browser) => {
    await using server = await ServerProcess.start("--npcs", "0", "--rooms", "1");
    await using relay = new Intermediary(server.port);
    const first = await play(browser, `${server.url}play#FULL`);
    const page = await browser.newPage();
    await page.goto(`${relay.url}play#MORE`);
    relay.judge = (): Verdict => ({ answer: answerOf("502 Bad Gateway", "bad gateway", TEXT) });
    await page.click("#play");
    await untilSaid(page, "#lobby-notice", "answers in the server's place (502)");
    relay.judge = () => "pass";
    await untilSaid(page, "#lobby-notice", "The server is full at the moment.");
    await first.close();
  },
);
