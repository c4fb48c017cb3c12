/** Writes one connection's messages from the server, each from its meaning. */
import { SEATS, type Tick } from "../../../../shared/netcode/game.ts";
import { type Advice, NO_ADVICE } from "../../../../shared/netcode/wire/advice_codec.ts";
import {
  AnnouncementBaselines,
  codeEarlyAnnouncements,
} from "../../../../shared/netcode/wire/announcement_codec.ts";
import { codeBodies } from "../../../../shared/netcode/wire/body_codec.ts";
import {
  type BodyBaselines,
  NO_BASELINES,
} from "../../../../shared/netcode/wire/quantized_body.ts";
import { CodeWriter } from "../../../../shared/netcode/wire/range_coder.ts";
import {
  codeMessageType,
  encodeNotice,
  encodeOffer,
  encodePong,
  encodeWelcome,
} from "../../../../shared/netcode/wire/server_messages.ts";
import {
  codeResume,
  codeState,
  codeTick,
  codeTicks,
} from "../../../../shared/netcode/wire/tick_codec.ts";
import type { CommandValues, VectorGame } from "../games/vector_game.ts";
import { type BodiesMeaning, deltaOf } from "./sent_bodies.ts";
import {
  adviceOf,
  announcementsOf,
  arrivalsOf,
  derivedBaselines,
  type EarlyMeaning,
  type ResumeMeaning,
  type ServerMeaning,
  type StateMeaning,
  tickDeltaOf,
  type TickMeaning,
  type TicksMeaning,
} from "./server_message.ts";

export class ServerWriter {
  readonly #game: VectorGame;
  readonly #coder = new CodeWriter();
  readonly #announced = new AnnouncementBaselines<CommandValues>();
  readonly #bodiesByTick = new Map<Tick, BodyBaselines>();
  #newestBodies: BodyBaselines = NO_BASELINES;
  #hadBodies = false;
  #tick: Tick = -1;
  #lastAdvice: Advice = NO_ADVICE;

  constructor(game: VectorGame) {
    this.#game = game;
  }

  /** The bodies that the client knows after the messages so far. */
  get bodies(): BodyBaselines {
    return this.#newestBodies;
  }

  /** @returns the bytes, a copy @throws TypeError for bodies that a reader has left unread */
  write(message: ServerMeaning): Uint8Array {
    const coder = this.#coder;
    switch (message.type) {
      case "welcome": {
        const { seat, resumed, token: resume, npcs, seed, choices, ordered } = message;
        const welcome = {
          seat: seat ?? undefined,
          isResumed: resumed === 1,
          resume,
          npcs,
          seed,
          choices,
          isOrdered: ordered === 1,
        };
        return encodeWelcome({ type: "welcome", ...welcome }, coder).slice();
      }
      case "pong":
        return encodePong(
          { type: "pong", id: message.id, serverTicks: message.clock / 1024 },
          coder,
        ).slice();
      case "early":
        return this.#writeEarly(message);
      case "notice":
        return encodeNotice(message, coder).slice();
      case "offer": {
        const { port, token, hash } = message;
        return encodeOffer({ port, token, ...hash !== null && { certificateHash: hash } }, coder)
          .slice();
      }
      case "resume":
        return this.#writeResume(message);
      case "tick":
        return this.#writeTick(message);
      case "state":
        return this.#writeState(message);
      case "ticks":
        return this.#writeTicks(message);
    }
  }

  #writeResume(message: ResumeMeaning): Uint8Array {
    const { tick, newest } = message;
    const coder = this.#coder;
    const advice = adviceOf(message);
    this.#announced.clear();
    for (const [seat, announced, command] of newest) this.#announced.set(seat, announced, command);
    coder.reset();
    codeMessageType("resume", coder);
    codeResume(advice, { tick, announced: this.#announced, codec: this.#game.codec, coder });
    this.#tick = tick;
    this.#lastAdvice = advice;
    return coder.finish().slice();
  }

  #writeEarly({ announcements }: EarlyMeaning): Uint8Array {
    const coder = this.#coder;
    const context = { announced: this.#announced, codec: this.#game.codec, coder };
    coder.reset();
    codeMessageType("early", coder);
    codeEarlyAnnouncements(announcementsOf(announcements), { ...context, tick: this.#tick + 1 });
    return coder.finish().slice();
  }

  #writeTick(message: TickMeaning): Uint8Array {
    const { tick, pong, bodies } = message;
    const coder = this.#coder;
    const advice = adviceOf(message);
    const piggybacked = pong === null
      ? undefined
      : { id: pong.id, serverTicks: tick + pong.clock / 1024, waitedTicks: pong.held / 1024 };
    coder.reset();
    codeMessageType("tick", coder);
    codeTick({ ...tickDeltaOf(message), ...advice, pong: piggybacked }, {
      tick,
      announced: this.#announced,
      codec: this.#game.codec,
      coder,
      lastAdvice: this.#lastAdvice,
      hadBodies: this.#hadBodies,
      codeBodies: bodies === null
        ? undefined
        : () => this.#codeBodies(bodies, tick, this.#newestBodies),
    });
    this.#tick = tick;
    this.#lastAdvice = advice;
    this.#hadBodies = bodies !== null;
    return coder.finish().slice();
  }

  #writeState(message: StateMeaning): Uint8Array {
    const { tick, snapshot, bodies } = message;
    const coder = this.#coder;
    const advice = adviceOf(message);
    const seats = message.seats.map(([seat, name, ticksMissing, last]) => ({
      seat,
      name,
      ticksMissing,
      last: last ?? undefined,
    }));
    this.#setAnnounced(message);
    coder.reset();
    codeMessageType("state", coder);
    codeState({
      joinDelta: { ...tickDeltaOf(message), seats },
      snapshot: snapshot === null
        ? undefined
        : { length: snapshot.length, isDeflated: snapshot.deflated === 1 },
      advice,
    }, {
      tick,
      announced: this.#announced,
      codec: this.#game.codec,
      coder,
      codeBodies: bodies === null ? undefined : () => this.#codeBodies(bodies, tick, NO_BASELINES),
    });
    this.#tick = tick;
    this.#lastAdvice = advice;
    if (bodies !== null) this.#hadBodies = true;
    return (snapshot === null
      ? coder.finish()
      : coder.finishWith(Uint8Array.fromHex(snapshot.bytes))).slice();
  }

  /** Sets the announced commands that the connection has after a state. */
  #setAnnounced(state: StateMeaning): void {
    const derived = derivedBaselines(state);
    for (let seat = 0; seat < SEATS; seat++) {
      this.#announced.set(seat, derived.ticks[seat]!, derived.commands[seat]);
    }
    for (const [seat, tick, command] of state.replaced) {
      this.#announced.set(seat, tick ?? -1, command ?? undefined);
    }
  }

  #writeTicks(message: TicksMeaning): Uint8Array {
    const { newest: tick, base, bodies } = message;
    const coder = this.#coder;
    const advice = adviceOf(message);
    if (bodies === "unread") throw new TypeError("bodies that were not read cannot be written");
    coder.reset();
    codeMessageType("ticks", coder);
    codeTicks(message.ticks.map((delta) => ({ ...tickDeltaOf(delta), ...advice })), {
      tick,
      announced: new AnnouncementBaselines<CommandValues>(),
      codec: this.#game.codec,
      coder,
      arrivals: arrivalsOf(message.arrivals),
      bodies: bodies === null ? undefined : {
        baseTick: base!,
        code: () => this.#codeBodies(bodies, tick, this.#bodiesByTick.get(base!)!),
      },
    });
    return coder.finish().slice();
  }

  #codeBodies({ sent, nextId }: BodiesMeaning, tick: Tick, before: BodyBaselines): BodyBaselines {
    const { model } = this.#game;
    const delta = deltaOf(sent, { tick, before, model });
    const after = codeBodies(delta, { tick, baselines: before, model, coder: this.#coder, nextId });
    this.#newestBodies = after;
    this.#bodiesByTick.set(tick, after);
    return after;
  }
}
