/**
 * A definitive tick as the bytes that each client needs. What is news to all is encoded once; so is the state, for those who
 * need it in the same tick. Each client then gets its own head before it.
 */
import { BitWriter } from "../../shared/netcode/bytes.ts";
import type { Codec, Tick } from "../../shared/netcode/game.ts";
import { type Announcement, type PresenceChange, type StateHandover } from "../../shared/netcode/protocol.ts";
import { encodeNews, encodeState, encodeTickHead } from "../../shared/netcode/protocol_down.ts";
import type { Member } from "./member.ts";

/** What one tick has to tell. */
export interface Telling<Command> {
  readonly tick: Tick;
  readonly hash: number;
  /** News since the tick before. */
  readonly presence: readonly PresenceChange[];
  readonly announcements: readonly Announcement<Command>[];
  /** S(tick) with everything known beyond it, for who needs it. Called at most once. */
  handover(): {
    state: StateHandover<Command>;
    presence: readonly PresenceChange[];
    announcements: readonly Announcement<Command>[];
  };
}

/** The encoder of one match's tick messages; its buffers are used again every tick. */
export class Feed<Command> {
  readonly #codec: Codec<Command>;
  readonly #news = new BitWriter();
  readonly #handover = new BitWriter();
  readonly #message = new BitWriter();
  #handoverTick: Tick = -1;

  constructor(codec: Codec<Command>) {
    this.#codec = codec;
  }

  /** Encodes what all will be told. */
  begin(telling: Telling<Command>): void {
    this.#news.reset();
    encodeNews(telling, this.#codec, this.#news);
    encodeState(undefined, this.#codec, this.#news);
  }

  /** Sends `telling` to one member, with the state where it needs it. @returns the bytes sent */
  send(telling: Telling<Command>, member: Member<Command>): number {
    const { tick, hash } = telling;
    const { slackMs, needsState } = member;
    const advised = member.advisor.advisedLeadMs;
    // On the wire 0 means that there is no advice yet.
    const advisedLeadMs = advised === undefined ? 0 : Math.max(1, advised);
    encodeTickHead({ tick, hash, slackMs, advisedLeadMs }, this.#message);
    this.#message.raw((needsState ? this.#encodedHandover(telling) : this.#news).bytes());
    if (needsState) member.stateTick = tick;
    member.needsState = false;
    const bytes = this.#message.bytes();
    member.link.send(bytes);
    return bytes.length;
  }

  #encodedHandover(telling: Telling<Command>): BitWriter {
    if (this.#handoverTick !== telling.tick) {
      this.#handoverTick = telling.tick;
      this.#handover.reset();
      const { state, presence, announcements } = telling.handover();
      encodeNews({ tick: telling.tick, presence, announcements }, this.#codec, this.#handover);
      encodeState(state, this.#codec, this.#handover);
    }
    return this.#handover;
  }
}
