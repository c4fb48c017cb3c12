/**
 * One WebRTC connection to another page: how it comes about, its channel for messages between
 * pages, and the links to a match over it.
 *
 * A description names all addresses of its page at once, so a connection takes one text each way,
 * whether a server carries it, another page, or a player by copy and paste.
 */
import { type ClientLink, CUT, type HostLink } from "../../shared/netcode/link.ts";
import { endedLink } from "./ended_link.ts";
import { PAGE_MESSAGE_BYTES_MAX } from "./page_message.ts";
import {
  channelNames,
  GUEST_MESSAGE_BYTES_MAX,
  HOST_MESSAGE_BYTES_MAX,
  RtcLink,
} from "./rtc_link.ts";

/** How long a page looks for its own addresses, ms. Those that it has by then must do. */
const GATHER_MS_MAX = 2000;
/** The most links to a match over one connection: one that is being left, and the next one. */
const LINKS_MAX = 4;
/**
 * The most texts in a second. A page sends four beats, and in a full room passes on some dozens of
 * descriptions when a newcomer comes.
 */
const TEXTS_PER_SECOND_MAX = 200;
/** The most messages that come by the first channel of a link before the second one is there. */
const EARLY_MESSAGES_MAX = 16;
const DATAGRAMS: RTCDataChannelInit = { ordered: false, maxRetransmits: 0 };

export interface RtcConnectionEvents {
  onOpen(): void;
  /** Once, also if it never opened. */
  onEnd(): void;
  onText(text: string): void;
  onLink(link: HostLink): void;
  /** Something has arrived. */
  onHeard(): void;
}

/** A link of which one channel has come. */
interface HalfLink {
  readonly channel: RTCDataChannel;
  /** What came by it meanwhile. */
  readonly early: readonly unknown[];
  /** Call it when the other channel has come. */
  stop(): void;
}

function halfLinkOf(channel: RTCDataChannel): HalfLink {
  const early: unknown[] = [];
  const keep = ({ data }: MessageEvent) => {
    if (early.length < EARLY_MESSAGES_MAX) early.push(data);
    else channel.close();
  };
  channel.binaryType = "arraybuffer";
  channel.addEventListener("message", keep);
  return { channel, early, stop: () => channel.removeEventListener("message", keep) };
}

export interface RtcConnectionOptions {
  readonly configuration: RTCConfiguration;
  /**
   * Whether people carry the descriptions, so that the answer may come after the browser has given
   * up for the first time; it tries again when the other page does.
   */
  readonly isByHand: boolean;
}

export class RtcConnection {
  readonly #connection: RTCPeerConnection;
  readonly #events: RtcConnectionEvents;
  readonly #texts: RTCDataChannel;
  readonly #links = new Set<RtcLink>();
  /** By the link's number: a channel whose link's other channel has not come yet. */
  readonly #half = new Map<string, HalfLink>();
  #opened = 0;
  /** The texts of the last second, and when that began, ms. */
  #textsHeard = 0;
  #textsSinceMs = -Infinity;
  #wasOpen = false;
  #isEnded = false;

  constructor(
    { configuration, isByHand }: RtcConnectionOptions,
    events: RtcConnectionEvents,
  ) {
    this.#events = events;
    const connection = this.#connection = new RTCPeerConnection(configuration);
    const texts = this.#texts = connection.createDataChannel("page", { negotiated: true, id: 0 });
    texts.addEventListener("open", () => {
      this.#wasOpen = true;
      events.onOpen();
    });
    texts.addEventListener("close", () => this.close());
    texts.addEventListener("message", ({ data }) => {
      if (typeof data !== "string" || data.length > PAGE_MESSAGE_BYTES_MAX) return this.close();
      if (!this.#mayHear()) return this.close();
      events.onHeard();
      events.onText(data);
    });
    connection.addEventListener("datachannel", ({ channel }) => this.#onChannel(channel));
    connection.addEventListener("connectionstatechange", () => {
      const { connectionState: state } = connection;
      const waits = isByHand && !this.#wasOpen;
      if (state === "closed" || state === "failed" && !waits) this.close();
    });
  }

  get isOpen(): boolean {
    return this.#texts.readyState === "open";
  }

  /** @returns the description for the other page, which answers it */
  async offer(): Promise<string> {
    await this.#connection.setLocalDescription(await this.#connection.createOffer());
    return await this.#gathered();
  }

  /**
   * @param offer the other page's description
   * @returns this page's
   * @throws Error for what is no description
   */
  async answer(offer: string): Promise<string> {
    await this.#connection.setRemoteDescription({ type: "offer", sdp: offer });
    await this.#connection.setLocalDescription(await this.#connection.createAnswer());
    return await this.#gathered();
  }

  /** Takes the answer to the own offer. @throws Error for what is no description */
  async take(answer: string): Promise<void> {
    await this.#connection.setRemoteDescription({ type: "answer", sdp: answer });
  }

  send(text: string): void {
    if (this.isOpen) this.#texts.send(text);
  }

  /** Opens a link to the match on the other page. */
  openLink(): ClientLink {
    if (!this.isOpen) return endedLink();
    const names = channelNames(this.#opened++);
    const channels = {
      reliable: this.#connection.createDataChannel(names.reliable),
      datagrams: this.#connection.createDataChannel(names.datagrams, DATAGRAMS),
    };
    return this.#newLink(channels, { bytesMax: HOST_MESSAGE_BYTES_MAX });
  }

  close(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    for (const link of [...this.#links]) link.end(CUT, "");
    this.#connection.close();
    this.#events.onEnd();
  }

  /** @returns false if the other page sends more texts than any honest one */
  #mayHear(): boolean {
    const nowMs = performance.now();
    if (nowMs - this.#textsSinceMs > 1000) [this.#textsSinceMs, this.#textsHeard] = [nowMs, 0];
    return ++this.#textsHeard <= TEXTS_PER_SECOND_MAX;
  }

  async #gathered(): Promise<string> {
    const connection = this.#connection;
    const gathered = Promise.withResolvers<void>();
    const timer = setTimeout(gathered.resolve, GATHER_MS_MAX);
    const look = () => connection.iceGatheringState === "complete" && gathered.resolve();
    connection.addEventListener("icegatheringstatechange", look);
    look();
    await gathered.promise;
    clearTimeout(timer);
    return connection.localDescription!.sdp;
  }

  /** The two channels of a link come one after the other, in any order. */
  #onChannel(channel: RTCDataChannel): void {
    const [, kind, number] = /^(match|ticks) (\d{1,6})$/.exec(channel.label) ?? [];
    if (number === undefined) return channel.close();
    const half = this.#half.get(number);
    if (half === undefined) {
      if (this.#half.size >= LINKS_MAX) return this.close();
      this.#half.set(number, halfLinkOf(channel));
      return;
    }
    this.#half.delete(number);
    half.stop();
    const { channel: other } = half;
    if (other.label === channel.label) return this.close();
    const channels = kind === "match"
      ? { reliable: channel, datagrams: other }
      : { reliable: other, datagrams: channel };
    const link = this.#newLink(channels, { bytesMax: GUEST_MESSAGE_BYTES_MAX });
    this.#events.onLink(link);
    for (const data of half.early) link.receive(other, data);
  }

  #newLink(
    channels: { reliable: RTCDataChannel; datagrams: RTCDataChannel },
    options: { bytesMax: number },
  ): RtcLink {
    const link = new RtcLink(channels, options);
    link.onHeard = () => this.#events.onHeard();
    this.#links.add(link);
    channels.reliable.addEventListener("close", () => void this.#links.delete(link));

    // A page that opens one link after another keeps the newest
    const [oldest] = this.#links;
    if (this.#links.size > LINKS_MAX) oldest!.close(1000, "too many links");
    return link;
  }
}
