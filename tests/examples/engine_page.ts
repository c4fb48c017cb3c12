/**
 * An example's page in Chromium. Each wait has a deadline of its own, and an error says what did not
 * come, what the page shows, and what it wrote on its console.
 *
 * Chromium draws in software here, so that on a busy machine a frame may take a second. The test
 * reads the frames that the page draws: a frame that it took itself would cost the page its events.
 */
import { assertEquals, assertNotEquals } from "@std/assert";
import type { Browser, Page } from "playwright-core";
import { shoot } from "../browser/shots.ts";

/** A small page, for the same reason. */
const SIZE = { width: 400, height: 260 };
/** The words over the picture, which change by themselves. */
const WITHOUT_WORDS = "#scores, #status, #help, #network { visibility: hidden }";
/** Lines of the page's console that an error shows. */
const CONSOLE_LINES_MAX = 20;

/** How long a page may take to load, to start its engine and to join, ms; 3 s on a quiet machine. */
const JOIN_MS_MAX = 150_000;
/** How long any later step may take, ms; a second or two on a quiet machine. */
const STEP_MS_MAX = 90_000;
/** How often the test asks the page, ms. */
const POLL_MS = 50;

/** A key is down for so many ticks, a second. */
const HOLD_TICKS = 20;
/** With each side key goes one that jumps or rows up, because a crate or a rock may be in the way. */
const SIDE_KEYS = { right: "ArrowRight", left: "ArrowLeft" } as const;
const UP_KEY = "ArrowUp";
/** Metres that count as a move. */
const MOVED = 0.5;
/** The test draws things so many metres beside their places. */
const BESIDE = 2;
/** Pictures until two are equal: sparks fly on for half a second. */
const PICTURES_MAX = 40;

/** What the test reads of a thing. */
interface Thing {
  readonly id: number;
  readonly seat: number;
  readonly own: boolean;
  readonly npc: boolean;
  readonly x: number;
  readonly y: number;
}

/** What the test reads of a frame. */
interface Frame {
  readonly things: readonly Thing[];
}

/** What the page leaves for the console, and what the test adds. */
interface PageWithMatch {
  match?: {
    readonly room: string;
    readonly stats: MatchCounts;
    frame: () => Frame;
  };
  /** The frame that the page drew last. */
  drawn?: Frame;
  /** While it is there, the page draws it in place of the match's. */
  held?: Frame | undefined;
}

/** What the page has counted. */
export interface MatchCounts {
  readonly ticks: number;
  readonly rollbacks: number;
  readonly desyncs: number;
}

export class EnginePage {
  readonly #tab: Page;
  readonly #name: string;
  /** What the page wrote on its console, the newest lines. */
  readonly #console: string[] = [];
  /** Faults of the page: errors that nothing caught, and those that it wrote on its console. */
  readonly faults: string[] = [];

  private constructor(tab: Page, name: string) {
    this.#tab = tab;
    this.#name = name;
    tab.on("pageerror", (error) => this.faults.push(String(error)));
    tab.on("console", (message) => {
      this.#console.push(`${message.type()}: ${message.text()}`);
      this.#console.splice(0, this.#console.length - CONSOLE_LINES_MAX);
      if (message.type() === "error") this.faults.push(message.text());
    });
  }

  /**
   * Opens a page, and waits until it plays in a room and its own thing is there.
   * @param options.name the example's, for screenshots
   * @throws Error that says what did not come
   */
  static async open(
    browser: Browser,
    { name, url, room }: { readonly name: string; readonly url: string; readonly room: string },
  ): Promise<EnginePage> {
    const page = new EnginePage(await browser.newPage({ viewport: SIZE }), name);
    await page.#join(`${url}#${room}`);
    await page.#tab.evaluate(() => {
      const page = globalThis as unknown as PageWithMatch;
      const match = page.match!;
      const { frame } = match;
      match.frame = () => page.drawn = page.held ?? frame();
    });
    // The server makes it some ticks after the match began. Until then the page says so.
    await page.#reach("the own thing, and no word over the picture", () => {
      const { drawn } = globalThis as unknown as PageWithMatch;
      const isQuiet = document.getElementById("status")!.textContent === "";
      return isQuiet && (drawn?.things.some(({ own }) => own) ?? false);
    });
    return page;
  }

  /**
   * Presses keys until the own thing has gone to both sides.
   * @throws Error if it has not after a while
   */
  async steer(): Promise<void> {
    const endMs = performance.now() + STEP_MS_MAX;
    const missing = new Set(Object.keys(SIDE_KEYS) as (keyof typeof SIDE_KEYS)[]);
    while (missing.size > 0) {
      for (const side of missing) {
        const before = (await this.#things()).find(({ own }) => own);
        await this.#hold([UP_KEY, SIDE_KEYS[side]]);
        const after = (await this.#things()).find(({ own }) => own);

        // It may be away for a moment, after a fall
        const way = (after?.x ?? NaN) - (before?.x ?? NaN);
        if (side === "right" ? way > MOVED : way < -MOVED) missing.delete(side);
      }
      if (performance.now() > endMs) throw await this.#failure(`keys that lead ${[...missing]}`);
    }
  }

  /** Waits until so many players' things, beside the own one, have moved. */
  async seeRivalsMove(count: number): Promise<void> {
    const before = await this.#things();
    await this.#reach(
      `${count} rivals that move`,
      ({ before, count, moved }) => {
        const { drawn } = globalThis as unknown as PageWithMatch;
        const rivals = drawn!.things.filter(({ own, npc, seat }) => !own && !npc && seat >= 0);
        return count <= rivals.filter(({ id, x, y }) => {
          const from = before.find((each) => each.id === id);
          return from !== undefined && Math.hypot(x - from.x, y - from.y) > moved;
        }).length;
      },
      { input: { before, count, moved: MOVED } },
    );
  }

  /** Waits until the page has mispredicted, and corrected it. */
  async seeCorrections(): Promise<void> {
    await this.#reach("a correction", () => {
      return (globalThis as unknown as PageWithMatch).match!.stats.rollbacks > 0;
    });
  }

  /**
   * Shows that the picture follows the poses: one frame, held, always looks the same, and otherwise
   * if its players' things are elsewhere.
   */
  async comparePictures(): Promise<void> {
    await this.#tab.addStyleTag({ content: WITHOUT_WORDS });
    await this.#holdFrame(0);
    const picture = await this.#stillPicture();
    await this.#holdFrame(BESIDE);
    assertNotEquals(await this.#stillPicture(), picture, "a picture that does not follow");
    await this.#holdFrame(-BESIDE);
    assertEquals(await this.#stillPicture(), picture, "a picture that keeps more than poses");
    await this.#tab.evaluate(() => (globalThis as unknown as PageWithMatch).held = undefined);
  }

  /** The room, and what the page has counted. */
  read(): Promise<{ readonly room: string; readonly stats: MatchCounts }> {
    return this.#tab.evaluate(() => {
      const { room, stats } = (globalThis as unknown as PageWithMatch).match!;
      return { room, stats };
    });
  }

  /** Takes a screenshot for people. */
  async shoot(): Promise<void> {
    await shoot(this.#tab, `example_${this.#name}.png`);
  }

  /** Loads the page, and again while the server refuses players because its machine is busy. */
  async #join(url: string): Promise<void> {
    const endMs = performance.now() + JOIN_MS_MAX;
    await this.#tab.goto(url, { timeout: JOIN_MS_MAX });
    for (;;) {
      await this.#reach("a match, nor a word why not", () => {
        const words = document.getElementById("status")!.textContent;
        return (globalThis as unknown as PageWithMatch).match !== undefined ||
          words.includes("try again");
      }, { ms: JOIN_MS_MAX });
      const isIn = await this.#tab.evaluate(() =>
        (globalThis as unknown as PageWithMatch).match !== undefined
      );
      if (isIn) return;
      if (performance.now() > endMs) throw await this.#failure("place in the room");
      // Chromium writes each refusal on the console.
      this.faults.length = 0;
      await this.#tab.reload({ timeout: JOIN_MS_MAX });
    }
  }

  /** Waits until something is so in the page. */
  async #reach<Input>(
    what: string,
    isReached: (input: Input) => boolean,
    { ms = STEP_MS_MAX, input }: { readonly ms?: number; readonly input?: Input } = {},
  ): Promise<void> {
    try {
      // deno-lint-ignore no-explicit-any -- playwright's types unpack handles in an input
      await this.#tab.waitForFunction(isReached as any, input, { timeout: ms, polling: POLL_MS });
    } catch (cause) {
      throw await this.#failure(`${what} within ${ms / 1000} s`, cause);
    }
  }

  /** Holds keys down for some ticks of the match. */
  async #hold(keys: readonly string[]): Promise<void> {
    const { stats } = await this.read();
    for (const key of keys) await this.#tab.keyboard.down(key);
    await this.#reach("ticks of the server", (until) => {
      return (globalThis as unknown as PageWithMatch).match!.stats.ticks >= until;
    }, { input: stats.ticks + HOLD_TICKS });
    for (const key of keys) await this.#tab.keyboard.up(key);
  }

  /** What the page has drawn last. */
  #things(): Promise<Thing[]> {
    return this.#tab.evaluate(() =>
      (globalThis as unknown as PageWithMatch).drawn!.things
        .map(({ id, seat, own, npc, x, y }) => ({ id, seat, own, npc, x, y }))
    );
  }

  /**
   * Holds the frame that the page drew last: at rest, without events, and with players' things
   * elsewhere.
   * @param right so many metres to the right
   */
  async #holdFrame(right: number): Promise<void> {
    await this.#tab.evaluate((right) => {
      const page = globalThis as unknown as PageWithMatch;
      const frame = page.drawn!;
      const things = frame.things.map((thing) => {
        // The match goes on with its things, so the page gets others that have all that is theirs.
        const values = {
          x: thing.x + (thing.seat < 0 ? 0 : right),
          y: thing.y,
          angle: (thing as Thing & { readonly angle: number }).angle,
          ...{ vx: 0, vy: 0, spin: 0, speed: 0, fields: { dizzy: 0 } },
        };
        const own = Object.entries(values).map(([name, value]) => [name, { value }] as const);
        return Object.create(thing, Object.fromEntries(own)) as Thing;
      });
      const followed = things.find(({ own }) => own);
      page.held = { ...frame, ...{ things, followed, events: [], definitiveEvents: [], gone: [] } };
    }, right);
    await this.#nextFrame();
  }

  /** Waits until the page has drawn what is there now. */
  async #nextFrame(): Promise<void> {
    await this.#tab.evaluate(async () => {
      for (let i = 0; i < 2; i++) await new Promise((resolve) => requestAnimationFrame(resolve));
    });
  }

  /** The picture as soon as nothing moves in it. @throws Error if it goes on and on */
  async #stillPicture(): Promise<Uint8Array> {
    let before: Uint8Array | undefined;
    for (let i = 0; i < PICTURES_MAX; i++) {
      const picture = new Uint8Array(await this.#tab.screenshot({ timeout: STEP_MS_MAX }));
      const isStill = before?.every((byte, at) => byte === picture[at]) ?? false;
      if (isStill && before?.length === picture.length) return picture;
      before = picture;
      await this.#nextFrame();
    }
    throw await this.#failure(`a still picture among ${PICTURES_MAX}`);
  }

  /** @returns an error that says what did not come, and what the page shows in its place */
  async #failure(what: string, cause?: unknown): Promise<Error> {
    const seen = await this.#tab.evaluate(() => ({
      words: document.getElementById("status")?.textContent,
      stats: (globalThis as unknown as PageWithMatch).match?.stats,
      things: (globalThis as unknown as PageWithMatch).drawn?.things.length,
    }));
    await shoot(this.#tab, `example_${this.#name}_failed.png`);
    const lines = [`${this.#name}: no ${what}`, JSON.stringify(seen), ...this.#console];
    return new Error(lines.join("\n  "), { cause });
  }
}
