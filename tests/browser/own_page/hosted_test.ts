/** Rooms that a page of one's own hosts (`wyvern/rooms`), in a real browser. */
import { assertEquals, assertLess, assertMatch } from "@std/assert";
import type { Page } from "playwright-core";
import { game } from "../../../shared/game_kit/templates/top/game.ts";
import { replayedLog } from "../../../shared/netcode/match_log/replayed_log.ts";
import { browserTest } from "../chromium.ts";
import { Firefox } from "../firefox.ts";
import type { HostedPage } from "./hosted/main.ts";
import { OtherSite } from "./site.ts";
import { yardServerFor } from "./yard_server.ts";

const HOSTED = new URL("./hosted/", import.meta.url);

/** Drives until all pages were corrected, and agree with the host. */
async function driveAndAgree(guests: readonly Page[]): Promise<void> {
  for (const [i, page] of guests.entries()) {
    await page.evaluate(
      `setInterval(() => {
        const turn = Math.floor(performance.now() / 300) % 2 === 0 ? 1 : -1;
        hosted.match.setInput({ dx: turn, dy: ${i === 0 ? "turn" : "-turn"} });
        hosted.match.frame();
      }, 16)`,
    );
  }
  for (const page of guests) {
    await reach(page, ({ stats }) => stats.rollbacks > 3 && stats.ticks > 100);
    assertEquals(
      await read(page, ({ stats, isHost }) => [stats.desyncs, stats.isInSync, isHost]),
      [0, true, false],
    );
  }
}

/** Lets the host go, and waits until the others play on in their seats. @returns which one hosts */
async function areHostsAfter(
  hostGoes: () => Promise<void>,
  guests: readonly Page[],
): Promise<readonly boolean[]> {
  const seats = await Promise.all(guests.map((page) => read(page, ({ seat }) => seat)));
  const ticks = await read(guests[0]!, ({ stats }) => stats.ticks);
  await hostGoes();
  for (const page of guests) {
    await page.waitForFunction(
      (ticks) => {
        const { match } = (globalThis as unknown as { hosted: HostedPage }).hosted;
        return match!.status.phase === "playing" && match!.stats.ticks > ticks + 60 &&
          match!.stats.reconnects === 1;
      },
      ticks,
    );
  }
  assertEquals(await Promise.all(guests.map((page) => read(page, ({ seat }) => seat))), seats);
  const areHosts = await Promise.all(guests.map((page) => read(page, ({ isHost }) => isHost)));
  assertEquals(areHosts.filter(Boolean).length, 1);
  return areHosts;
}

/** Waits until something is so of the page's match. */
async function reach(
  page: Page,
  isReached: (match: NonNullable<HostedPage["match"]>) => boolean,
): Promise<void> {
  await page.waitForFunction(
    `globalThis.hosted?.match !== undefined && (${isReached})(globalThis.hosted.match)`,
  );
}

function read<Result>(
  page: Page,
  select: (match: NonNullable<HostedPage["match"]>) => Result,
): Promise<Awaited<Result>> {
  return page.evaluate(`(${select})(globalThis.hosted.match)`) as Promise<Awaited<Result>>;
}

browserTest(
  "own page: pages of another site play in a room that one of them hosts, and go on when that one has gone (SPEC 23.13)",
  async (browser) => {
    await using site = await OtherSite.of(HOSTED);
    await using server = await yardServerFor(site, "--signalling");
    const opened = async (name: string, room = "") => {
      const page = await (await browser.newContext()).newPage();
      await page.goto(`${site.origin}/?server=${server.url}&name=${name}#${room}`);
      return page;
    };

    // Nobody hosts a room that nobody has opened
    const nowhere = await opened("Nobody", "NONE");
    await nowhere.waitForFunction("globalThis.hosted.error !== ''");
    assertEquals(
      await nowhere.evaluate("globalThis.hosted.error"),
      "No page hosts this room any more.",
    );

    const host = await opened("Ash");
    await reach(host, ({ isHost, stats }) => isHost && stats.ticks > 20);
    const room = await read(host, ({ room }) => room);
    assertMatch(room, /^[A-Z]{4}$/);
    const guests = [await opened("Birch", room), await opened("Cedar", room)];
    for (const page of [host, ...guests]) {
      await reach(page, ({ players }) => players.filter(({ npc }) => !npc).length === 3);
    }

    await driveAndAgree(guests);

    // The host closes its page, and one of the others goes on
    const areHosts = await areHostsAfter(() => host.close(), guests);

    // Its log replays to the same states
    const log = await read(
      guests[areHosts.indexOf(true)]!,
      async (match) => Array.from((await match.log())!),
    );
    const { error, fault } = replayedLog(new Uint8Array(log), { gameOf: () => game });
    assertEquals([error, fault], [undefined, undefined]);
  },
  { connectsPages: true },
);

/** What the page of a browser without a driver reports. */
interface Report {
  readonly room?: string;
  readonly isHost?: boolean;
  readonly visibilityState?: DocumentVisibilityState;
  readonly error: string;
}

/** Takes the reports of a page, and waits for one of them. */
class Reports implements AsyncDisposable {
  readonly #awaited = new Map<(report: Report) => boolean, (report: Report) => void>();
  readonly #server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    async (request) => {
      const report: Report = JSON.parse(await request.text());
      for (const [isWanted, resolve] of this.#awaited) if (isWanted(report)) resolve(report);
      return new Response();
    },
  );

  get url(): string {
    return `http://127.0.0.1:${this.#server.addr.port}/`;
  }

  first(isWanted: (report: Report) => boolean): Promise<Report> {
    return new Promise((resolve) => this.#awaited.set(isWanted, resolve));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }
}

/** Beyond the ten seconds after which browsers fire a hidden page's timers less often. */
const HIDDEN_TICKS = 500;

browserTest(
  "own page: a room goes on as before while Firefox, which hosts it, shows another tab (SPEC 23.14)",
  async (browser) => {
    await using site = await OtherSite.of(HOSTED);
    await using server = await yardServerFor(site, "--signalling");
    await using reports = new Reports();
    const hosts = reports.first(({ isHost, error }) => isHost === true || error !== "");
    const hides = reports.first(({ visibilityState }) => visibilityState === "hidden");
    const address = `${site.origin}/?server=${server.url}&name`;
    const firefox = await Firefox.open(`${address}=Fox&hideAfter=200&report=${reports.url}`);
    try {
      const { room, error } = await hosts;
      assertEquals(error, "");
      const guest = await (await browser.newContext()).newPage();
      await guest.goto(`${address}=Birch#${room}`);
      await reach(guest, ({ stats }) => stats.ticks > 20);
      await hides;

      // A throttled host would lose its guest, which would then go on alone
      const before = await read(guest, ({ stats }) => ({ ...stats }));
      await guest.waitForFunction(
        (ticks) => {
          const { match } = (globalThis as unknown as { hosted: HostedPage }).hosted;
          return match!.stats.ticks > ticks;
        },
        before.ticks + HIDDEN_TICKS,
      );
      const after = await read(guest, ({ stats }) => ({ ...stats }));
      assertEquals(await read(guest, ({ isHost }) => isHost), false);
      assertEquals(after.desyncs, 0);
      assertLess(after.lateCommands - before.lateCommands, 0.2 * HIDDEN_TICKS);
    } finally {
      await firefox.close();
    }
  },
  { connectsPages: true, needsFirefox: true },
);

browserTest(
  "own page: Firefox hosts a room, pages in Chromium play in it, and one of them goes on when Firefox has ended (SPEC 23.4, 23.13)",
  async (browser) => {
    await using site = await OtherSite.of(HOSTED);
    await using server = await yardServerFor(site, "--signalling");
    await using reports = new Reports();
    const reported = reports.first(({ isHost, error }) => isHost === true || error !== "");
    const address = `${site.origin}/?server=${server.url}&name`;
    const firefox = await Firefox.open(`${address}=Fox&report=${reports.url}`);
    let isOpen = true;
    try {
      const { room, error } = await reported;
      assertEquals(error, "");
      const guests: Page[] = [];
      for (const name of ["Birch", "Cedar"]) {
        const page = await (await browser.newContext()).newPage();
        await page.goto(`${address}=${name}#${room}`);
        await reach(page, ({ players }) => players.some(({ npc }) => !npc));
        guests.push(page);
      }
      await driveAndAgree(guests);
      await areHostsAfter(async () => {
        isOpen = false;
        await firefox.close();
      }, guests);
    } finally {
      if (isOpen) await firefox.close();
    }
  },
  { connectsPages: true, needsFirefox: true },
);
