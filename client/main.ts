/**
 * The page: lobby → match → picture, sixty times a second. The browser's clock, timers and address stand here and nowhere else.
 *
 * For looking at one's own line `?rtt=200&jitter=10` (ms) makes it worse, and `wyvern` in the console shows the session.
 */
import type { Clock, Link } from "../shared/netcode/link.ts";
import { ModelledLink } from "../shared/netcode/modelled_link.ts";
import { CloseCode, type ResumeToken } from "../shared/netcode/protocol.ts";
import { KeyboardControls } from "./controls.ts";
import { Hud } from "./hud.ts";
import { Keyboard } from "./keyboard.ts";
import { type Entry, Lobby } from "./lobby.ts";
import { PlayedMatch } from "./played_match.ts";
import type { Scene } from "./scene.ts";
import { rememberedSeat, rememberSeat } from "./seat_memory.ts";
import { openSocketLink } from "./socket.ts";
import { titleScene } from "./view/title_scene.ts";
import { View } from "./view/view.ts";

/** How soon to knock again at a server that is away, ms. */
const RETRY_MS = 1000;
/** Refusals that another try would only meet again, and what the player reads. */
const REFUSALS: Readonly<Record<number, string>> = {
  [CloseCode.version]: "This page and the server are of different versions. Please reload.",
  [CloseCode.game]: "This page and the server play different games. Please reload.",
  [CloseCode.roomCode]: "A room is four letters, A to Z.",
  [CloseCode.roomFull]: "This room is full. You can watch it, or choose another.",
  [CloseCode.replaced]: "You came in elsewhere: this page has let go of your seat.",
  [CloseCode.flood]: "The server closed the line: it got too many messages.",
  [CloseCode.protocol]: "The server did not understand this page. Please reload.",
};

const clock: Clock = { now: () => performance.now() };

/** A line as the address asks for it: `?rtt=200&jitter=10`. */
function openLink(): { link: Link; advance: (nowMs: number) => void; nextDueMs: () => number } {
  const query = new URLSearchParams(location.search);
  const number = (name: string) => Math.min(5000, Math.max(0, Number(query.get(name)) || 0));
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  const link = openSocketLink(`${scheme}//${location.host}/socket`);
  if (number("rtt") === 0 && number("jitter") === 0) return { link, advance: () => {}, nextDueMs: () => Infinity };
  const model = { oneWayMs: number("rtt") / 2, jitterMs: number("jitter") };
  const modelled = new ModelledLink(link, { model, seed: crypto.getRandomValues(new Uint32Array(1))[0]!, clock });
  return { link: modelled, advance: (nowMs) => modelled.advance(nowMs), nextDueMs: () => modelled.nextDueMs };
}

class Page {
  readonly #view = new View(document.querySelector<HTMLCanvasElement>("#arena")!);
  readonly #hud = new Hud(document);
  readonly #lobby = new Lobby(document);
  readonly #keyboard = new Keyboard(globalThis);
  #entry: Entry | undefined;
  #watch = false;
  /** What brings our seat back; undefined before we had one. */
  #resume: ResumeToken | undefined;
  #line: ReturnType<typeof openLink> | undefined;
  #match: PlayedMatch | undefined;
  /** The last picture, shown on while the server is away. */
  #scene: Scene | undefined;
  #retryAtMs = Infinity;

  constructor() {
    this.#lobby.onPlay((entry) => this.#enter(entry, { watch: false }));
    this.#lobby.onWatch((entry) => this.#enter(entry, { watch: true }));
    this.#drive();
    requestAnimationFrame(() => this.#draw());
  }

  get match(): PlayedMatch | undefined {
    return this.#match;
  }

  #enter(entry: Entry, { watch }: { watch: boolean }): void {
    this.#entry = entry;
    this.#watch = watch;
    this.#resume = watch ? undefined : rememberedSeat(entry.room);
    this.#join();
  }

  #join(): void {
    this.#retryAtMs = Infinity;
    this.#line = openLink();
    this.#match = new PlayedMatch({
      link: this.#line.link,
      clock,
      ...this.#entry!,
      watch: this.#watch,
      resume: this.#resume,
      controls: new KeyboardControls(this.#keyboard),
    });
  }

  /** Everything but drawing: also runs while the tab is hidden, if slower. */
  #advance(): void {
    const nowMs = clock.now();
    if (nowMs >= this.#retryAtMs) this.#join();
    this.#line?.advance(nowMs);
    this.#match?.session.advance();
    if (this.#match?.session.phase === "closed" && this.#retryAtMs === Infinity) this.#lose(this.#match);
  }

  #lose({ session }: PlayedMatch): void {
    this.#resume = session.resume ?? this.#resume;
    const refusal = REFUSALS[session.closeCode];
    if (refusal === undefined) {
      this.#retryAtMs = clock.now() + RETRY_MS;
      return;
    }
    this.#match = this.#scene = this.#resume = undefined;
    this.#hud.hide();
    this.#lobby.show(refusal);
  }

  #drive(): void {
    this.#advance();
    const dueMs = Math.min(this.#match?.session.nextDueMs ?? Infinity, this.#line?.nextDueMs() ?? Infinity);
    const waitMs = Math.min(PICTURE_MS, Math.max(1, dueMs - clock.now()));
    setTimeout(() => this.#drive(), waitMs);
  }

  #draw(): void {
    requestAnimationFrame(() => this.#draw());
    this.#advance();
    const nowMs = clock.now();
    const match = this.#match;
    const picture = match?.session.phase === "closed" ? undefined : match?.picture();
    if (picture !== undefined) {
      if (this.#scene === undefined) this.#arrive(match!);
      this.#scene = picture;
    }
    this.#view.draw(this.#scene ?? titleScene(nowMs), nowMs);
    if (match === undefined) return;
    if (this.#scene !== undefined) this.#hud.show({ ...match.hud(), ...this.#away() });
    else if (this.#retryAtMs < Infinity) this.#lobby.show("The server is away. Trying again…");
  }

  #arrive({ session }: PlayedMatch): void {
    this.#lobby.hide();
    if (session.resume !== undefined) rememberSeat(this.#entry!.room, session.resume);
  }

  #away(): { notice?: string } {
    return this.#retryAtMs < Infinity || this.#match?.session.phase === "joining"
      ? { notice: "The server is away. Trying again…" }
      : {};
  }
}

/** While no picture is asked for, time still passes this often, ms. */
const PICTURE_MS = 16;

/** For the console and for tests: the session of the match that this page plays. */
const page = new Page();
Object.defineProperty(globalThis, "wyvern", { get: () => page.match?.session });
