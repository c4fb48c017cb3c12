/**
 * The part of a tick that all clients share, and the match's log too. It is encoded once; each
 * message and each record continues a copy.
 */
import type { Codec, Tick } from "./game.ts";
import { AnnouncementBaselines } from "./wire/announcement_codec.ts";
import { CodeWriter } from "./wire/range_coder.ts";
import { codeMessageType } from "./wire/server_messages.ts";
import { codeTickDelta, type TickDelta } from "./wire/tick_codec.ts";

/** How one match's newest tick starts on the wire. */
export class TickStart<Command> {
  /** The baselines for the next tick. */
  readonly announced = new AnnouncementBaselines<Command>();
  /** The encoded start. */
  readonly coder = new CodeWriter();
  readonly #codec: Codec<Command>;

  constructor(codec: Codec<Command>) {
    this.#codec = codec;
  }

  /** Encodes a tick. @param delta its announcements are sorted by seat, then by tick */
  encode(tick: Tick, delta: TickDelta<Command>): void {
    const { announced, coder } = this;
    coder.reset();
    codeMessageType("tick", coder);
    codeTickDelta(delta, { tick, announced, codec: this.#codec, coder });
  }
}
