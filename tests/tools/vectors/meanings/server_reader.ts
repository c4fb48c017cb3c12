/**
 * Reads one connection's messages from the server. The client's decoder reads every message. A
 * second reading, with the same functions of the codec, finds the parts that the decoder does not
 * return. These are the uncoded bytes, the base of a datagram's bodies, and the announced commands
 * that a state replaces.
 */
import { SEATS, type Tick } from "../../../../shared/netcode/game.ts";
import { AnnouncementBaselines } from "../../../../shared/netcode/wire/announcement_codec.ts";
import { type BodyReader, bodyReaderOf } from "../../../../shared/netcode/wire/body_codec.ts";
import type { TickMessage, TicksMessage } from "../../../../shared/netcode/wire/messages.ts";
import {
  type BodyBaselines,
  NO_BASELINES,
} from "../../../../shared/netcode/wire/quantized_body.ts";
import { CodeReader } from "../../../../shared/netcode/wire/range_coder.ts";
import {
  codeMessageType,
  ServerMessageDecoder,
} from "../../../../shared/netcode/wire/server_messages.ts";
import { NO_ADVICE } from "../../../../shared/netcode/wire/advice_codec.ts";
import {
  codeResume,
  codeState,
  codeTicks,
  EMPTY_STATE,
} from "../../../../shared/netcode/wire/tick_codec.ts";
import type { CommandValues, VectorGame } from "../games/vector_game.ts";
import { type BodiesMeaning, meaningOfBodies } from "./sent_bodies.ts";
import {
  adviceMeaningOf,
  arrivalsMeaningOf,
  deltaMeaningOf,
  derivedBaselines,
  type ReplacedRow,
  type ResumeMeaning,
  rowsOf,
  type ServerMeaning,
  type StateMeaning,
  type TickMeaning,
  type TicksMeaning,
} from "./server_message.ts";

export class ServerReader {
  readonly #game: VectorGame;
  readonly #bodyReader: BodyReader;
  readonly #decoder: ServerMessageDecoder<CommandValues>;
  readonly #announced = new AnnouncementBaselines<CommandValues>();
  readonly #bodiesByTick = new Map<Tick, BodyBaselines>();
  #newestBodies: BodyBaselines = NO_BASELINES;

  constructor(game: VectorGame) {
    this.#game = game;
    this.#bodyReader = bodyReaderOf(game.model);
    this.#decoder = new ServerMessageDecoder(game.codec, this.#bodyReader);
  }

  /** The bodies that the client knows now. */
  get bodies(): BodyBaselines {
    return this.#newestBodies;
  }

  /** @throws WireError for bytes that are no server's message */
  read(bytes: Uint8Array): ServerMeaning {
    const message = this.#decoder.decode(bytes);
    switch (message.type) {
      case "welcome": {
        const { seat = null, isResumed, resume, npcs, seed, choices, isOrdered } = message;
        return {
          type: "welcome",
          seat,
          resumed: isResumed ? 1 : 0,
          token: resume,
          npcs,
          seed,
          choices,
          ordered: isOrdered ? 1 : 0,
        };
      }
      case "pong":
        return { type: "pong", id: message.id, clock: message.serverTicks * 1024 };
      case "ticks":
        return this.#meaningOfTicks(message, bytes);
      case "early":
        return { type: "early", announcements: rowsOf(message.announcements) };
      case "notice":
        return { type: "notice", text: message.text };
      case "offer": {
        const { port, token, certificateHash: hash = null } = message;
        return { type: "offer", port, token, hash };
      }
      case "resume":
        return this.#meaningOfResume(bytes);
      case "tick":
        return message.state === undefined
          ? this.#meaningOfTick(message)
          : this.#meaningOfState(message, bytes);
    }
  }

  #meaningOfTick(message: TickMessage<CommandValues>): TickMeaning {
    const { tick, announcements, pong, bodies } = message;
    for (const { seat, tick, command } of announcements) {
      this.#announced.update(seat, tick, command);
    }
    return {
      type: "tick",
      tick,
      ...deltaMeaningOf(message),
      ...adviceMeaningOf(message),
      pong: pong === undefined
        ? null
        : { id: pong.id, clock: (pong.serverTicks - tick) * 1024, held: pong.waitedTicks * 1024 },
      bodies: bodies === undefined ? null : this.#meaningOfBodies(bodies, tick, this.#newestBodies),
    };
  }

  #meaningOfState(message: TickMessage<CommandValues>, bytes: Uint8Array): StateMeaning {
    const { tick, bodies } = message;
    const coder = new CodeReader(bytes);
    const { codec } = this.#game;
    const codeBodies = (tick: Tick) => this.#bodyReader.read(NO_BASELINES, tick, coder);
    codeMessageType("state", coder);
    const { snapshot } = codeState<CommandValues>(EMPTY_STATE, {
      tick: 0,
      announced: this.#announced,
      codec,
      coder,
      codeBodies,
    });
    const delta = deltaMeaningOf(message);
    const seats = message.state!.seats.map(({ seat, name, ticksMissing, last }) =>
      [seat, name, ticksMissing, last ?? null] as const
    );
    return {
      type: "state",
      tick,
      ...delta,
      seats,
      replaced: this.#replacedIn({ tick, seats, announcements: delta.announcements }),
      ...adviceMeaningOf(message),
      snapshot: snapshot === undefined ? null : {
        length: snapshot.length,
        deflated: snapshot.isDeflated ? 1 : 0,
        bytes: coder.tail().toHex(),
      },
      bodies: bodies === undefined ? null : this.#meaningOfBodies(bodies, tick, NO_BASELINES),
    };
  }

  /** The seats whose newest announced command does not follow from the state. */
  #replacedIn(state: Parameters<typeof derivedBaselines>[0]): ReplacedRow[] {
    const derived = derivedBaselines(state);
    const { ticks, commands } = this.#announced;
    const { codec } = this.#game;
    const rows: ReplacedRow[] = [];
    for (let seat = 0; seat < SEATS; seat++) {
      const command = commands[seat];
      const other = derived.commands[seat];
      const isEqual = command !== undefined && other !== undefined && codec.same(command, other);
      if (ticks[seat] === derived.ticks[seat] && (isEqual || command === other)) continue;
      rows.push(command === undefined ? [seat, null, null] : [seat, ticks[seat]!, command]);
    }
    return rows;
  }

  #meaningOfResume(bytes: Uint8Array): ResumeMeaning {
    const coder = new CodeReader(bytes);
    const { codec } = this.#game;
    const announced = this.#announced;
    codeMessageType("resume", coder);
    const { tick, advice } = codeResume(NO_ADVICE, { tick: 0, announced, codec, coder });
    const rows = announced.commands.map((command, seat) => ({
      seat,
      tick: announced.ticks[seat]!,
      command,
    }));
    const newest = rows.flatMap(({ command, ...row }) =>
      command === undefined ? [] : [{ ...row, command }]
    );
    return { type: "resume", tick, newest: rowsOf(newest), ...adviceMeaningOf(advice) };
  }

  #meaningOfTicks(
    { ticks, arrivals }: TicksMessage<CommandValues>,
    bytes: Uint8Array,
  ): TicksMeaning {
    const { tick: newest, bodies } = ticks.at(-1)!;
    const base = this.#baseOf(bytes);
    return {
      type: "ticks",
      newest,
      ticks: ticks.map(deltaMeaningOf),
      ...adviceMeaningOf(ticks[0]!),
      arrivals: arrivalsMeaningOf(arrivals),
      base,
      bodies: base === null
        ? null
        : bodies === undefined
        ? "unread"
        : this.#meaningOfBodies(bodies, newest, this.#bodiesByTick.get(base)!),
    };
  }

  /** The base of a datagram's bodies; null if it has none. */
  #baseOf(bytes: Uint8Array): Tick | null {
    const coder = new CodeReader(bytes);
    const { codec } = this.#game;
    const announced = new AnnouncementBaselines<CommandValues>();
    let base: Tick | null = null;
    const code = (_tick: Tick, baseTick: Tick) => {
      base = baseTick;
      return undefined;
    };
    codeMessageType("ticks", coder);
    codeTicks<CommandValues>([], {
      tick: 0,
      announced,
      codec,
      coder,
      bodies: { baseTick: 0, code },
    });
    return base;
  }

  #meaningOfBodies(after: BodyBaselines, tick: Tick, before: BodyBaselines): BodiesMeaning {
    this.#newestBodies = after;
    this.#bodiesByTick.set(tick, after);
    return meaningOfBodies(after, { tick, before, model: this.#game.model });
  }
}
