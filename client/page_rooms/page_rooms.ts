/**
 * The page's side of rooms that pages host: it opens one or joins one, and gives the page a link to
 * the match wherever it is, on this page or another.
 */
import { builtRulesOf } from "../../shared/netcode/built_rules.ts";
import { type Game, playersOf } from "../../shared/netcode/game.ts";
import type { IntroductionsOffer } from "../../shared/introductions.ts";
import type { ClientLink, Clock } from "../../shared/netcode/link.ts";
import { PROTOCOL_VERSION } from "../../shared/netcode/wire/messages.ts";
import type { Session } from "../session/session.ts";
import { WorkerMatch } from "../solo/worker_match.ts";
import { endedLink } from "./ended_link.ts";
import {
  called,
  HostedRoom,
  type IntroducedRoom,
  IntroductionError,
  NO_SERVER,
  openRoom,
} from "./introducer.ts";
import { HandTextError, readHandText, writtenHandText } from "./hand_text.ts";
import type { PageId } from "./page_message.ts";
import { PageRoom } from "./page_room.ts";
import { RtcMesh } from "./rtc_mesh.ts";

export interface PageRoomsOptions {
  readonly game: Game<unknown>;
  readonly clock: Clock;
  /** http://… or https://…, without a path. */
  readonly origin: string;
  /** @returns a new worker that runs `runSoloWorker` with the page's game */
  readonly newWorker: () => Worker;
  /** The session of this page's newest connection; undefined without one. */
  readonly session: () => Session<unknown> | undefined;
  /** Called when another page hosts. */
  readonly onHost: () => void;
}

/** How this page opens a room, or joins one. */
export interface BegunRoom {
  /** The values of the game's options. */
  readonly choices: readonly number[];
  readonly offer: IntroductionsOffer;
}

/** The room that this page is in. */
interface OpenRoom {
  readonly room: PageRoom;
  readonly mesh: RtcMesh;
  /** What all pages of the room know, so that each can take the host's place at the server. */
  readonly claim: string;
  /** The room's code, four letters A–Z. */
  code: string;
  /** Undefined for a room into which people lead each other by hand. */
  readonly place: IntroducedRoom | undefined;
  hosted: HostedRoom | undefined;
  /** When this page last looked for it, or knew where it was, ms on the clock. */
  soughtMs: number;
}

/** How long a page waits before it looks for its room again, ms. */
const SOUGHT_MS = 4000;
/** How often a page asks for a room in which its player can play with anybody. */
const PLAY_TRIES = 3;

export class PageRooms {
  readonly #options: PageRoomsOptions;
  #open: OpenRoom | undefined;
  /** The newest session that had a state: when its host is gone, this page may go on from it. */
  #known: Session<unknown> | undefined;
  /** The newest match that this page has hosted. */
  #match: WorkerMatch | undefined;

  constructor(options: PageRoomsOptions) {
    this.#options = options;
  }

  /** The room that this page is in; undefined outside one. */
  get room(): PageRoom | undefined {
    return this.#open?.room;
  }

  /** The match that this page hosts; undefined if it hosts none. */
  get match(): WorkerMatch | undefined {
    return this.room?.isHost ? this.#match : undefined;
  }

  /**
   * Opens a new room, which this page hosts.
   * @param code four letters A–Z
   * @throws IntroductionError if the room is another page's, or the server does not answer
   */
  async host(code: string, begun: BegunRoom): Promise<void> {
    await this.#host(code, { ...begun, claim: randomHex(16) });
  }

  /**
   * Joins a room that is open to anybody, or opens one.
   * @param code of the room that this page opens if no other has a seat
   * @returns the code of the room that this page is in
   * @throws IntroductionError if the server does not answer, or no room that it names lets one in
   */
  async playNow(code: string, begun: BegunRoom): Promise<string> {
    const { game, origin } = this.#options;
    const claim = randomHex(16);
    const seats = playersOf(game).playNow - 1;
    let except = "";
    for (let tries = 1;; tries++) {
      const room = await openRoom({ origin, game: game.id, room: code }, { claim, seats, except });
      try {
        if (room === code) await this.#host(code, { ...begun, claim });
        else await this.join(room, begun);
        return room;
      } catch (error) {
        if (!(error instanceof IntroductionError) || tries === PLAY_TRIES) throw error;
        except = room;
      }
    }
  }

  async #host(
    code: string,
    { choices, offer, claim }: BegunRoom & { readonly claim: string },
  ): Promise<void> {
    const opened = this.#enter(code, { offer, claim });
    const hosted = opened.hosted = hostedRoomOf(opened, opened.place!);
    const isHost = await hosted.opened;
    if (!isHost) {
      this.leave();
      throw new IntroductionError(isHost === undefined ? NO_SERVER : "Another page has this room.");
    }
    this.#begin(opened, choices);
  }

  /**
   * Opens a new room without any server, which this page hosts.
   * @param code four letters A–Z, for the players to read
   */
  hostByHand(code: string, { choices, offer }: BegunRoom): void {
    this.#begin(this.#enter(code, { offer, claim: randomHex(16), isByHand: true }), choices);
  }

  /**
   * Begins to join a room by hand. `takeAnswer` goes on.
   * @returns a text for a page in the room
   */
  async introduceByHand({ offer }: { offer: IntroductionsOffer }): Promise<string> {
    const { mesh } = this.#enter("", { offer, claim: "", isByHand: true });
    return await writtenHandText({ room: "", text: await mesh.introduce({ isByHand: true }) });
  }

  /**
   * Lets a page into this page's room by hand.
   * @param line that page's text
   * @returns the answer for it
   * @throws HandTextError, OtherRules or PageMessageError for a text that leads to no connection
   */
  async letIn(line: string): Promise<string> {
    const opened = this.#open;
    const { room, text } = await readHandText(line);
    if (opened === undefined) throw new HandTextError("This page is in no room any more.");
    if (room !== "") throw new HandTextError("This is an answer. It belongs into the other page.");
    const answer = await opened.mesh.take(text, { isByHand: true });
    if (answer === undefined) throw new HandTextError("The two pages are connecting already.");
    return await writtenHandText({ room: opened.code, text: answer });
  }

  /**
   * Joins the room by the answer to this page's text.
   * @returns the room's code
   * @throws as `letIn`
   */
  async takeAnswer(line: string): Promise<string> {
    const opened = this.#open;
    const { room, text } = await readHandText(line);
    if (opened === undefined) throw new HandTextError("This page waits for no answer any more.");
    if (room === "") {
      throw new HandTextError("This is a first text. It belongs into the page that plays.");
    }
    await opened.mesh.take(text);
    return opened.code = room;
  }

  /**
   * Joins a room that another page hosts.
   * @throws IntroductionError if nobody hosts it, or OtherRules if the pages do not fit together
   */
  async join(code: string, { offer }: { offer: IntroductionsOffer }): Promise<void> {
    const opened = this.#enter(code, { offer, claim: "" });
    try {
      await callHost(opened.place!, opened.mesh);
    } catch (error) {
      this.leave();
      throw error;
    }
  }

  /** Opens a link to the match, wherever it is. */
  openLink(): ClientLink {
    return this.room?.openLink() ?? endedLink();
  }

  leave(): void {
    const opened = this.#open;
    this.#open = this.#known = undefined;
    opened?.hosted?.close();
    opened?.room.close();
  }

  /** Does what is due. Call it even while the page is hidden. */
  advance(): void {
    const opened = this.#open;
    if (opened === undefined) return;
    const session = this.#options.session();
    if (session !== undefined && session.definitiveTick >= 0) this.#known = session;
    opened.room.advance();
    this.#keepPlace(opened);
    this.#findAgain(opened);
  }

  /** When `advance` must be called at the latest, ms on the clock. */
  get nextDueMs(): number {
    return this.room?.nextDueMs ?? Infinity;
  }

  #enter(
    code: string,
    { offer, claim, isByHand = false }: {
      offer: IntroductionsOffer;
      claim: string;
      isByHand?: boolean;
    },
  ): OpenRoom {
    this.leave();
    const { game, clock, origin, newWorker, onHost } = this.#options;
    let room: PageRoom | undefined = undefined;
    const self: PageId = randomHex(16);
    const mesh = new RtcMesh({
      self,
      rules: { game: game.id, rules: builtRulesOf(game.id) ?? "", protocol: PROTOCOL_VERSION },
      offer,
      events: () => room!,
    });
    room = new PageRoom({
      mesh,
      clock,
      begin: (begun) =>
        this.#match = new WorkerMatch({
          newWorker,
          begun: { ...begun, room: code },
          onTick: () => this.advance(),
        }),
      known: () => this.#known?.matchState(),
      tick: () => this.#known?.definitiveTick ?? -1,
      responseMs: () => {
        const session = this.#options.session();
        return session?.phase === "playing" ? session.leadMs + session.roundTripMs / 2 : 0;
      },
      onHost,
    });
    const place = isByHand ? undefined : { origin, game: game.id, room: code };
    const soughtMs = clock.now();
    return this.#open = { room, mesh, claim, code, place, hosted: undefined, soughtMs };
  }

  #begin({ room, claim }: OpenRoom, choices: readonly number[]): void {
    const seed = crypto.getRandomValues(new Uint32Array(1))[0]!;
    room.open({ npcs: playersOf(this.#options.game).npcs, seed, choices, claim });
  }

  /** Looks for the room anew if this page has lost everybody in it. */
  #findAgain(opened: OpenRoom): void {
    const { place, mesh, room } = opened;
    const nowMs = this.#options.clock.now();
    if (!room.isLost) opened.soughtMs = nowMs;
    else if (place !== undefined && nowMs - opened.soughtMs > SOUGHT_MS) {
      opened.soughtMs = nowMs;
      callHost(place, mesh).catch(() => {}); // there may be none
    }
  }

  /** Takes the host's place at the server when this page hosts, and leaves it when it does not. */
  #keepPlace(opened: OpenRoom): void {
    const { place, room } = opened;
    if (place === undefined) return;
    if (room.isHost) {
      opened.hosted ??= hostedRoomOf(opened, place);
      const { game, clock } = this.#options;
      opened.hosted.tellSeats(Math.max(0, playersOf(game).playNow - room.people), clock.now());
    } else if (opened.hosted !== undefined && room.host !== "") {
      opened.hosted.close();
      opened.hosted = undefined;
    }
  }
}

function hostedRoomOf({ mesh, room, claim }: OpenRoom, place: IntroducedRoom): HostedRoom {
  return new HostedRoom({
    room: place,
    claim: room.match?.claim ?? claim,
    onCall: (text) => mesh.take(text),
    // After a cut line both sides have a host. Once these are connected, the higher term counts.
    onOther: () => void callHost(place, mesh).catch(() => {}),
  });
}

/** Connects to the page that has the host's place at the server. @throws as `PageRooms.join` */
async function callHost(place: IntroducedRoom, mesh: RtcMesh): Promise<void> {
  await mesh.take(await called(place, await mesh.introduce()));
}

/** @param bytes of the browser's entropy, two digits each */
function randomHex(bytes: number): string {
  return crypto.getRandomValues(new Uint8Array(bytes)).reduce(
    (text, byte) => text + byte.toString(16).padStart(2, "0"),
    "",
  );
}
