/**
 * The part of a tick that all clients share, and that the match's log has, too. It is encoded once;
 * each message and each record continues a copy of it.
 */
import type { Codec, Tick } from "./game.ts";
import { AnnouncementBaselines } from "./wire/announcement_codec.ts";
import { CodeWriter } from "./wire/range_coder.ts";
import { codeMessageType } from "./wire/server_messages.ts";
import { codeTickDelta, type TickDelta } from "./wire/tick_codec.ts";

/** The start of one match's newest tick. */
export class TickStart<Command> {
  /** The baselines of the next tick. */
  readonly announced = new AnnouncementBaselines<Command>();
  /** The encoded start. Messages and records continue a copy of it. */
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
