/**
 * Pages of a server of --public: they come in with tickets, into rooms for all and into private
 * ones.
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Page } from "playwright-core";
import { SERVER_MARK } from "../../../shared/netcode/link.ts";
import { CloseCode, PROTOCOL_VERSION } from "../../../shared/netcode/wire/messages.ts";
import { PublicServer } from "../../support/servers/public_server.ts";
import { Stranger } from "../../support/sockets/stranger.ts";
import { seriousFindings } from "../axe.ts";
import { browserTest } from "../chromium.ts";
import { untilPlaying } from "../duel.ts";
import { shoot } from "../shots.ts";

const PRIVATE = "This room is private. Ask a player in it for its link.";

const untilSaid = (page: Page, selector: string, words: string) =>
  page.waitForFunction(
    ([selector, words]) => document.querySelector(selector!)?.textContent?.includes(words!),
    [
      selector,
      words,
    ],
  );

browserTest(
  "page: on a public server it plays with a ticket, also after a reload, another version and a failed request (SPEC 14.17, 14.20, 3.4)",
  async (browser) => {
    await using publicServer = await PublicServer.start();
    const { server, origin } = publicServer;
    assertEquals((await Stranger.upgrade(server.port)).status, 403);
    const page = await browser.newPage();
    const joins: string[] = [];
    page.on("request", (request) => {
      if (request.method() === "POST") joins.push(request.postData()!);
    });
    await page.goto(`${origin}/#OPEN`);
    await page.fill("#name", "Ada");
    await page.click("#play");
    await untilPlaying(page);
    const seat = await page.evaluate(() => wyvern!.seat);
    const token = await page.evaluate(() => wyvern!.resume);
    await page.waitForFunction(() => wyvern!.definitiveTick > 60);
    await page.reload();
    await untilPlaying(page);
    assertEquals(await page.evaluate(() => wyvern!.seat), seat);
    assertEquals(joins.map((join) => JSON.parse(join)).map(({ name, resume }) => [name, resume]), [
      ["Ada", undefined],
      ["Ada", token],
    ]);
    assertEquals(await page.evaluate(() => wyvern!.stats.desyncs), 0);

    // The answer to a page of another version: it reloads itself, once.
    let isOutdated = true;
    await page.route("**/join", (route) => {
      if (!isOutdated) return route.continue();
      isOutdated = false;
      const headers = { [SERVER_MARK]: String(PROTOCOL_VERSION) };
      return route.fulfill({
        status: 403,
        headers,
        json: { code: CloseCode.version, error: "another version" },
      });
    });
    await page.click("#open-menu");
    await page.click("#leave");
    await Promise.all([page.waitForEvent("load"), page.click("#create")]);

    // A request without an answer is made again.
    let isSilent = true;
    await page.unroute("**/join");
    await page.route("**/join", (route) => {
      if (!isSilent) return route.continue();
      isSilent = false;
      return route.abort("timedout");
    });
    await page.click("#create");
    await untilPlaying(page);
  },
);

browserTest(
  "page: a private room is opened by a button, and its link leads others in; without the key nobody enters (SPEC 14.23)",
  async (browser) => {
    await using publicServer = await PublicServer.start(["--ops-port", "0"]);
    const { server, origin } = publicServer;
    const context = await browser.newContext({
      permissions: ["clipboard-read", "clipboard-write"],
    });
    const host = await context.newPage();
    await host.goto(origin);
    await host.waitForFunction(() => document.querySelector("#server-ping")?.textContent !== "");
    await shoot(host, "lobby_private.png");
    assertEquals(await seriousFindings(host, { isMeasurable: false }), []);
    await host.click("#create-private");
    await untilPlaying(host);
    const { hash } = new URL(host.url());
    assertMatch(hash, /^#[A-Z]{4}\.[\w-]{22}$/);
    const room = hash.slice(1, 5);
    assertEquals(await (await fetch(`${origin}/api/rooms`)).json(), { rooms: [] });
    await host.click("#invite");
    const link = await host.evaluate(() => navigator.clipboard.readText());
    assertEquals(link, `${origin}/play${hash}`);

    const guest = await (await browser.newContext()).newPage();
    await guest.goto(link);
    assertEquals(await guest.innerText("#play"), `Play in room ${room}`);
    await guest.click("#play");
    await untilPlaying(guest);
    assertEquals(new URL(guest.url()).hash, hash);

    const stranger = await (await browser.newContext()).newPage();
    await stranger.goto(`${origin}/play#${room}`);
    await stranger.click("#play");
    await untilSaid(stranger, "#lobby-notice", PRIVATE);
    await shoot(stranger, "private.png");
    await stranger.goto(`${origin}/watch#${room}.${"A".repeat(22)}`);
    await untilSaid(stranger, "#lobby-notice", PRIVATE);
    await stranger.goto(`${origin}/watch${hash}`);
    await stranger.reload();
    await untilSaid(stranger, "#watching", "You are watching");

    // An operator needs no key, and gets no seat.
    const [, opsUrl, token] =
      (await server.waitForOutput(/^Operators: (\S+); the token is (\w+)$/m))!;
    const ops = await (await browser.newContext()).newPage();
    await ops.goto(opsUrl!);
    await ops.fill("[name=token]", token!);
    await ops.click("button");
    assert((await ops.innerText("body")).includes("Private. Tick"));
    await ops.getByRole("button", { name: "Watch" }).click();
    const [watching] = await Promise.all([
      ops.context().waitForEvent("page"),
      ops.getByRole("link", { name: "Watch the room" }).click(),
    ]);
    await untilSaid(watching, "#watching", "You are watching");
    assertEquals(new URL(watching.url()).hash, `#${room}`);
    await shoot(ops, "operators_watch.png");

    // The link was for one use.
    await watching.reload();
    await untilSaid(watching, "#lobby-notice", PRIVATE);
    for (const page of [host, guest]) {
      assertEquals(await page.evaluate(() => wyvern!.stats.desyncs), 0);
    }
  },
);

browserTest(
  "page: the code of a new room is drawn again while others have it (SPEC 7.24)",
  async (browser) => {
    await using publicServer = await PublicServer.start();
    const { origin } = publicServer;
    const stranger = await browser.newPage();
    await stranger.goto(`${origin}/play#AAAA`);
    await stranger.click("#play");
    await untilPlaying(stranger);

    const codes = new Set(["AAAA"]);

    for (const button of ["#create", "#create-private"]) {
      const page = await (await browser.newContext()).newPage();
      // The page's first draw is always AAAA.
      await page.addInitScript(() => {
        const draw = crypto.getRandomValues.bind(crypto);
        crypto.getRandomValues = (into) => into instanceof Uint32Array ? into.fill(0) : draw(into);
      });
      const joins: string[] = [];
      page.on("request", (request) => {
        if (request.method() === "POST") joins.push(new URL(request.url()).pathname);
      });
      await page.goto(origin);
      await page.click(button);
      await untilPlaying(page);

      const [, code] = /#([A-Z]{4})/.exec(page.url())!;
      assert(!codes.has(code!), `${button} leads to ${code}`);
      codes.add(code!);
      assertEquals([joins[0], joins.at(-1)], ["/api/rooms/AAAA/join", `/api/rooms/${code}/join`]);
    }

    assertEquals(await stranger.evaluate(() => wyvern!.names.size), 1);
  },
);
