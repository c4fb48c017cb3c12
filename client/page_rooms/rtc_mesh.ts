/**
 * The connections of one page to the others of its room, by WebRTC. Descriptions travel as texts:
 * the first one through a server or by copy and paste (`Introduction`), all others through a page
 * that is connected to both.
 */
import type { IntroductionsOffer } from "../../shared/introductions.ts";
import type { ClientLink } from "../../shared/netcode/link.ts";
import { endedLink } from "./ended_link.ts";
import type { Mesh, MeshEvents } from "./mesh.ts";
import {
  type PageId,
  type PageMessage,
  PageMessageError,
  PAGES_MAX,
  readMessage,
  writtenMessage,
} from "./page_message.ts";
import { RtcConnection } from "./rtc_connection.ts";

/** How long a connection may take to open, ms. */
const OPEN_MS_MAX = 10_000;
/** How long two people may take to carry both texts, ms. */
const BY_HAND_MS_MAX = 600_000;
/** How long a page waits between two attempts to connect to another one, ms. */
const AGAIN_MS = 2000;
/** A connection by which something came within this time works: four beats of the other page. */
const WORKS_MS = 1000;

/** How a text between two pages travels. */
export interface Carriage {
  /** Whether people carry it; otherwise a server or another page does. */
  readonly isByHand: boolean;
}

const BY_ITSELF: Carriage = { isByHand: false };

/** What both pages of a connection must have alike. */
export interface RoomRules {
  readonly game: string;
  /** The fingerprint of the game's rules; empty without one. */
  readonly rules: string;
  readonly protocol: number;
}

/** One page introduces itself to another one. */
interface Introduction extends RoomRules {
  readonly kind: "offer" | "answer";
  readonly from: PageId;
  readonly sdp: string;
}

export interface RtcMeshOptions {
  readonly self: PageId;
  readonly rules: RoomRules;
  /** How the pages connect; no servers are needed in one network. */
  readonly offer: IntroductionsOffer;
  /** Who hears of what happens; read when something does. */
  readonly events: () => MeshEvents;
}

/** Why two pages cannot play together: a sentence for the player. */
class OtherRules extends Error {
  override readonly name = "OtherRules";
}

interface Known {
  readonly connection: RtcConnection;
  /** Whether this page made the offer, and waits for the answer. */
  isOffered: boolean;
  /** When something came by it last, ms on the browser's clock. */
  heardMs: number;
}

export class RtcMesh implements Mesh {
  readonly self: PageId;
  readonly #options: RtcMeshOptions;
  readonly #pages = new Set<PageId>();
  readonly #known = new Map<PageId, Known>();
  /** When this page last tried to connect to another one, ms on the browser's clock. */
  readonly #triedMs = new Map<PageId, number>();
  /** The connection to a page whose id its answer will tell. */
  #stranger: RtcConnection | undefined;

  constructor(options: RtcMeshOptions) {
    this.#options = options;
    this.self = options.self;
  }

  get pages(): ReadonlySet<PageId> {
    return this.#pages;
  }

  /** @returns an offer to a page that this one does not know yet; `take` gets its answer */
  async introduce(carriage = BY_ITSELF): Promise<string> {
    this.#stranger?.close();
    let page: PageId | undefined;
    const connection = this.#newConnection(() => page, carriage);
    this.#stranger = connection;
    this.#onAnswer = (from) => page = from;
    return this.#text("offer", await connection.offer());
  }

  /** Called with the id of the page that answers a stranger's offer. */
  #onAnswer: (from: PageId) => void = () => {};

  /**
   * Takes a text from another page.
   * @returns the answer to an offer; undefined to an answer
   * @throws OtherRules if the pages cannot play together, PageMessageError for any other text
   */
  async take(text: string, carriage = BY_ITSELF): Promise<string | undefined> {
    const { kind, from, sdp, ...theirs } = readIntroduction(text);
    const own = this.#options.rules;
    if (theirs.game !== own.game) {
      throw new OtherRules(`The other page plays ${theirs.game}, and this one ${own.game}.`);
    }
    const differ = theirs.rules !== "" && own.rules !== "" && theirs.rules !== own.rules;
    if (theirs.protocol !== own.protocol || differ) {
      throw new OtherRules("The two pages are of different versions. Please reload both.");
    }
    if (from === this.self) throw new PageMessageError("an introduction to oneself");
    return kind === "offer"
      ? await this.#answer(from, sdp, carriage)
      : await this.#takeAnswer(from, sdp);
  }

  send(to: PageId, message: PageMessage): void {
    this.#known.get(to)?.connection.send(writtenMessage(message));
  }

  openLink(to: PageId): ClientLink {
    return this.#known.get(to)?.connection.openLink() ?? endedLink();
  }

  connect(to: PageId, via: PageId): void {
    const nowMs = performance.now();
    if (to === this.self || this.#known.has(to) || this.#known.size >= PAGES_MAX) return;
    if (nowMs - (this.#triedMs.get(to) ?? -Infinity) < AGAIN_MS) return;
    this.#triedMs.set(to, nowMs);

    const connection = this.#newConnection(() => to, BY_ITSELF);
    this.#known.set(to, { connection, isOffered: true, heardMs: -Infinity });
    void connection.offer().then((sdp) => this.#relay(via, to, this.#text("offer", sdp)))
      .catch(() => connection.close());
  }

  drop(page: PageId): void {
    this.#known.get(page)?.connection.close();
  }

  async #answer(from: PageId, sdp: string, carriage: Carriage): Promise<string | undefined> {
    // A host that hears at the server of another one looks for it, also if the two are connected
    const before = this.#known.get(from);
    if (before !== undefined && performance.now() - before.heardMs < WORKS_MS) return undefined;

    // Both offer at once: that of the smaller id counts
    if (before?.isOffered && !before.connection.isOpen && this.self < from) return undefined;
    if (before === undefined && this.#known.size >= PAGES_MAX) {
      throw new PageMessageError("the room is full");
    }
    before?.connection.close();

    const connection = this.#newConnection(() => from, carriage);
    this.#known.set(from, { connection, isOffered: false, heardMs: -Infinity });
    try {
      return this.#text("answer", await connection.answer(sdp));
    } catch (error) {
      connection.close();
      throw new PageMessageError(`no description of a connection: ${error}`);
    }
  }

  async #takeAnswer(from: PageId, sdp: string): Promise<undefined> {
    let known = this.#known.get(from);
    if (this.#stranger !== undefined && known === undefined) {
      known = { connection: this.#stranger, isOffered: true, heardMs: -Infinity };
      this.#stranger = undefined;
      this.#onAnswer(from);
      this.#known.set(from, known);
    }
    if (!known?.isOffered) return;
    known.isOffered = false;
    try {
      await known.connection.take(sdp);
    } catch (error) {
      known.connection.close();
      throw new PageMessageError(`no description of a connection: ${error}`);
    }
  }

  /** @param page knows the other page's id once there is a connection */
  #newConnection(page: () => PageId | undefined, { isByHand }: Carriage): RtcConnection {
    const { offer: { iceServers, relayOnly }, events } = this.#options;
    const configuration: RTCConfiguration = {
      iceServers: [...iceServers],
      iceTransportPolicy: relayOnly ? "relay" : "all",
    };
    const isCurrent = (id: PageId) => this.#known.get(id)?.connection === connection;
    const whenKnown = (then: (id: PageId) => void) => {
      const id = page();
      if (id !== undefined && isCurrent(id)) then(id);
    };
    const timer = setTimeout(
      () => connection.isOpen || connection.close(),
      isByHand ? BY_HAND_MS_MAX : OPEN_MS_MAX,
    );
    const connection: RtcConnection = new RtcConnection({ configuration, isByHand }, {
      onOpen: () =>
        whenKnown((id) => {
          this.#pages.add(id);
          events().onConnected(id);
        }),
      onEnd: () => {
        clearTimeout(timer);
        if (this.#stranger === connection) this.#stranger = undefined;
        whenKnown((id) => {
          this.#known.delete(id);
          if (this.#pages.delete(id)) events().onLost(id);
        });
      },
      onText: (text) => whenKnown((id) => this.#onText(id, text)),
      onLink: (link) => whenKnown((id) => events().onLink(id, link)),
      onHeard: () =>
        whenKnown((id) => {
          this.#known.get(id)!.heardMs = performance.now();
          events().onHeard(id);
        }),
    });
    return connection;
  }

  #onText(from: PageId, text: string): void {
    let message: PageMessage;
    try {
      message = readMessage(text);
    } catch (error) {
      if (!(error instanceof PageMessageError)) throw error;
      return this.drop(from);
    }
    if (message.type !== "relay" || message.to !== this.self) {
      return this.#options.events().onMessage(from, message);
    }
    // An introduction by a page that is connected to both
    const { from: stranger } = message;
    void this.take(message.text).then(
      (answer) => answer !== undefined && this.#relay(from, stranger, answer),
      () => {}, // the two cannot play together, which the host has said already
    );
  }

  #relay(via: PageId, to: PageId, text: string): void {
    this.send(via, { type: "relay", from: this.self, to, text });
  }

  #text(kind: Introduction["kind"], sdp: string): string {
    const introduction: Introduction = { kind, from: this.self, sdp, ...this.#options.rules };
    return JSON.stringify(introduction);
  }
}

/** @throws PageMessageError for any other text */
function readIntroduction(text: string): Introduction {
  let value: Partial<Introduction> | null;
  try {
    value = JSON.parse(text);
  } catch {
    value = null;
  }
  const { kind, from, sdp, game, rules, protocol } = value ?? {};
  const isOne = (kind === "offer" || kind === "answer") && typeof from === "string" &&
    /^[0-9a-f]{32}$/.test(from) && typeof sdp === "string" && typeof game === "string" &&
    typeof rules === "string" && typeof protocol === "number";
  if (!isOne) throw new PageMessageError("a text that introduces no page");
  return { kind, from, sdp, game, rules, protocol };
}
