/**
 * Real browsers on the real UDP port. A page of this machine needs no certificate of an authority:
 * it knows the hash.
 */
import { assertEquals, assertNotEquals, assertStringIncludes } from "@std/assert";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { bundle } from "../../../client/build/build.ts";
import { newCertificate } from "../../../server/datagrams/certificate.ts";
import type { Link } from "../../../shared/netcode/link.ts";
import {
  type DatagramServer,
  openDatagramServer,
} from "../../support/datagrams/datagram_server.ts";
import { browserTest } from "../chromium.ts";
import { Firefox, firefoxPath } from "../firefox.ts";
import { browsersAreRequired } from "../places.ts";
import type { LinkReport } from "./link_page.ts";

/** As in the page, which cannot be imported here because it runs at once. */
const LENGTHS = [1, 60, 1_024];
const REASON = "room ABCD is full";

interface PageGlobals {
  openLink(url: string, hash: readonly number[], serverMs?: number): Promise<LinkReport>;
  echoAgain(index: number): Promise<LinkReport>;
  askForClose(url: string, hash: readonly number[]): Promise<LinkReport>;
  closeLink(): void;
}

/** An echo that closes a link at an empty message. */
function echoOrClose(link: Link): void {
  link.onMessage((message, reliably) => {
    if (message.length === 0) link.close(4004, REASON);
    else if (reliably) link.sendReliably(message);
    else link.send(message);
  });
}

const script = await bundle(fileURLToPath(new URL("link_page.ts", import.meta.url)));

/** Serves the page, with what it shall do by itself. */
function servePage(given?: unknown, onReport?: (report: LinkReport) => void) {
  const text = given === undefined ? "" : JSON.stringify(given);
  const page =
    `<!doctype html><title>links</title><script id="given" type="application/json">${text}</script>` +
    `<script type="module">${script}</script>`;
  return Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (request) => {
    if (request.method === "POST") onReport?.(await request.json());
    return new Response(page, { headers: { "Content-Type": "text/html" } });
  });
}

function withoutRepeats({ reliable, datagrams, end }: LinkReport) {
  return { reliable, datagrams: [...new Set(datagrams)], end };
}

const given = ({ address }: DatagramServer) => ({
  url: address.url,
  hash: [...address.certificateHash!],
});

/** Opens a link in a page, and checks its echoes. */
async function open(page: Page, server: DatagramServer): Promise<void> {
  const report = await page.evaluate(
    ({ url, hash }) => (globalThis as unknown as PageGlobals).openLink(url, hash),
    given(server),
  );
  assertEquals(withoutRepeats(report), { reliable: LENGTHS, datagrams: LENGTHS, end: undefined });
}

browserTest(
  "DatagramEndpoint: Chromium plays over it, and a page that is closed, reloaded or left is noticed at once (SPEC 16.2, 16.4, 16.6, 16.7)",
  async (browser) => {
    await using server = await openDatagramServer({ onLink: echoOrClose });
    const http = servePage();
    const url = `http://127.0.0.1:${http.addr.port}/`;

    // Tabs of one browser: a page of its own context would end its whole network.
    const context = await browser.newContext();
    const newPage = async () => {
      const page = await context.newPage();
      await page.goto(url);
      await page.waitForFunction(() => "openLink" in globalThis);
      return page;
    };

    try {
      const page = await newPage();
      const closed = await page.evaluate(
        ({ url, hash }) => (globalThis as unknown as PageGlobals).askForClose(url, hash),
        given(server),
      );
      assertEquals(withoutRepeats(closed), {
        reliable: LENGTHS,
        datagrams: LENGTHS,
        end: [4004, REASON],
      });
      assertEquals(await server.nextEnd(), "closed 4004 server");
      await open(page, server);
      await page.evaluate(() => (globalThis as unknown as PageGlobals).closeLink());
      assertEquals(await server.nextEnd(), "closed 1000 peer");
      // A cut connection would have the code 1006, and the server would learn it after five
      // seconds.
      await open(page, server);
      await page.reload();
      assertEquals(await server.nextEnd(), "closed 1001 peer");
      await page.waitForFunction(() => "openLink" in globalThis);
      await open(page, server);
      await page.goto("about:blank");
      assertEquals(await server.nextEnd(), "closed 1001 peer");
      const other = await newPage();
      await open(other, server);
      await other.close();
      assertEquals(await server.nextEnd(), "closed 1001 peer");
      assertEquals(
        server.requests.map(({ path, origin }) => `${path} ${origin}`),
        Array(5).fill(`/socket?ticket=abc ${url.slice(0, -1)}`),
      );
    } finally {
      await http.shutdown();
    }
  },
  { isWhole: true },
);

browserTest(
  "DatagramEndpoint: a browser that is killed says nothing, and its link ends by itself (SPEC 16.7)",
  async (browser) => {
    await using server = await openDatagramServer({ onLink: echoOrClose });
    const http = servePage();
    try {
      const page = await browser.newPage();
      await page.goto(`http://127.0.0.1:${http.addr.port}/`);
      await page.waitForFunction(() => "openLink" in globalThis);
      await open(page, server);
      const killer = await browser.newBrowserCDPSession();
      killer.send("Browser.crash").catch(() => {});
      assertEquals(await server.nextEnd(), "closed 1006 peer");
      assertEquals(server.admitted, 0);
    } finally {
      await http.shutdown();
    }
  },
  { isWhole: true },
);

/** Opens the page in a tab. */
async function openPage(browser: Browser, url: string): Promise<Page> {
  const page = await browser.newPage();
  await page.goto(url);
  await page.waitForFunction(() => "openLink" in globalThis);
  return page;
}

browserTest(
  "DatagramEndpoint.renew: Chromium's open session goes on, the next one has the new certificate (SPEC 16.26)",
  async (browser) => {
    await using server = await openDatagramServer({ onLink: echoOrClose });
    const http = servePage();
    const page = await openPage(browser, `http://127.0.0.1:${http.addr.port}/`);

    try {
      const old = given(server);
      await open(page, server);
      await server.endpoint.renew();
      assertNotEquals(given(server).hash, old.hash);
      const again = () => page.evaluate(() => (globalThis as unknown as PageGlobals).echoAgain(0));
      const whole = { reliable: LENGTHS, datagrams: LENGTHS, end: undefined };
      assertEquals(withoutRepeats(await again()), whole);
      await open(page, server);
      const refused = await page.evaluate(
        ({ url, hash }) => (globalThis as unknown as PageGlobals).openLink(url, hash),
        old,
      );
      assertEquals(refused.end![0], 1006);
      assertEquals(withoutRepeats(await again()), whole);
    } finally {
      await http.shutdown();
    }
  },
  { isWhole: true },
);

const DAY_MS = 86_400_000;

browserTest(
  "openWebTransportLink: with a clock that is wrong by a day Chromium refuses at once, and the link says why (SPEC 16.25)",
  async (browser) => {
    // For the page it is the same whether its own clock is behind, or the server's is ahead.
    const nowMs = Date.now();
    const serverMs = nowMs + DAY_MS;
    const certificate = await newCertificate(serverMs);
    await using server = await openDatagramServer({ certificate });
    const http = servePage();
    const page = await openPage(browser, `http://127.0.0.1:${http.addr.port}/`);
    const openAt = (serverMs: number) =>
      page.evaluate(
        ({ url, hash, serverMs }) =>
          (globalThis as unknown as PageGlobals).openLink(url, hash, serverMs),
        { ...given(server), serverMs },
      );

    try {
      assertEquals((await openAt(serverMs)).end, [
        1006,
        "the clock of this machine is wrong by 24 h",
      ]);
      const [code, reason] = (await openAt(nowMs)).end!;
      assertEquals(code, 1006);
      assertStringIncludes(reason, "Opening handshake failed");
      assertEquals(server.requests, []);
    } finally {
      await http.shutdown();
    }
  },
  { isWhole: true },
);

Deno.test({
  name:
    "DatagramEndpoint: Firefox plays over it, and both ends learn how the other has closed (SPEC 16.2, 16.4, 16.6)",
  ignore: firefoxPath === undefined && !browsersAreRequired(),
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    await using server = await openDatagramServer({ onLink: echoOrClose });
    const reported = Promise.withResolvers<LinkReport>();
    const http = servePage(given(server), reported.resolve);
    const firefox = await Firefox.open(`http://127.0.0.1:${http.addr.port}/`);
    try {
      assertEquals(withoutRepeats(await reported.promise), {
        reliable: LENGTHS,
        datagrams: LENGTHS,
        end: [4004, REASON],
      });
      assertEquals(await server.nextEnd(), "closed 4004 server");
      assertEquals(await server.nextEnd(), "closed 1000 peer");
    } finally {
      await firefox.close();
      await http.shutdown();
    }
  },
});
