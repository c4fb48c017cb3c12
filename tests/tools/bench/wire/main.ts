/**
 * `bench wire`: how many bytes workload W (DESIGN 11) sends in the lab, with the real rooms, match
 * and sessions over simulated networks. All byte figures include the WebSocket frame headers unless
 * their docstring excludes them.
 */
import type { DragonCommand } from "../../../../shared/games/dragons/declaration.ts";
import { deflateRawSync } from "node:zlib";
import { type FlagValues, present, wholeNumber } from "../../../../shared/flags.ts";
import { CodeWriter } from "../../../../shared/netcode/wire/range_coder.ts";
import { networkModelOf } from "../../../../shared/netcode/simulated_network/network_profiles.ts";
import type { Link } from "../../../../shared/netcode/link.ts";
import type { CommandMessage, TickMessage } from "../../../../shared/netcode/wire/messages.ts";
import {
  codeMessageType,
  ServerMessageDecoder,
} from "../../../../shared/netcode/wire/server_messages.ts";
import { type Advice, NO_ADVICE } from "../../../../shared/netcode/wire/advice_codec.ts";
import { AnnouncementBaselines } from "../../../../shared/netcode/wire/announcement_codec.ts";
import {
  codeState,
  codeTick,
  codeTickDelta,
  codeTickEnd,
} from "../../../../shared/netcode/wire/tick_codec.ts";
import {
  ClientMessageDecoder,
  ClientMessageEncoder,
  codeClientMessage,
} from "../../../../shared/netcode/wire/client_messages.ts";
import { Lab } from "../../lab/lab.ts";
import { medianOf } from "../median.ts";
import {
  HumanLikeControls,
  NPCS,
  PLAYERS,
  PROJECTILES,
  wireGame,
  type WireSimulation,
} from "./wire_game.ts";
import { measureHeapGrowth } from "./wire_heap.ts";
import { measureJoins } from "./wire_join.ts";
import { Meter } from "./wire_meter.ts";
import { AlternativeEncodings, framed } from "./wire_alternatives.ts";
import { measureStream } from "./wire_stream.ts";
import { measureWorst } from "./wire_worst.ts";

export const FLAGS = {
  seconds: {
    schema: wholeNumber(600, 5).default(60),
    about: "virtual seconds that are measured [60]",
    allowed: "a whole number 5 to 600",
  },
  json: { schema: present(), about: "one JSON object as the last line", allowed: "", switch: true },
} as const;

const WARM_UP_SECONDS = 15;
/** RFC 6455 §5.3: a client masks its frames with a key of four bytes. */
const MASK_BYTES = 4;
const ROUNDS = 31;

type CapturedMessage = { readonly direction: "up" | "down"; readonly bytes: Uint8Array };

/** Records every message on one of the server's links. */
class LinkCapture {
  readonly messages: CapturedMessage[] = [];

  wrap(link: Link): Link {
    const down = (bytes: Uint8Array) =>
      this.messages.push({ direction: "down", bytes: bytes.slice() });
    return {
      ordered: link.ordered,
      send: (bytes) => (down(bytes), link.send(bytes)),
      sendReliably: (bytes) => (down(bytes), link.sendReliably(bytes)),
      onMessage: (handler) =>
        link.onMessage((bytes, reliably) => {
          this.messages.push({ direction: "up", bytes: bytes.slice() });
          handler(bytes, reliably);
        }),
      onClose: (handler) => link.onClose(handler),
      close: (code, reason) => link.close(code, reason),
      get bufferedBytes() {
        return link.bufferedBytes;
      },
    };
  }

  bytesOf(direction: CapturedMessage["direction"], from = 0): number {
    let sum = 0;
    for (const { direction: way, bytes } of this.messages.slice(from)) {
      if (way === direction) sum += framed(bytes.length) + (direction === "up" ? MASK_BYTES : 0);
    }
    return sum;
  }
}

/** @returns the object that `--json` prints */
export async function measureWire(
  flags: FlagValues<typeof FLAGS>,
): Promise<Record<string, unknown>> {
  return {
    ...measureBytes(flags),
    worstDecode: measureWorst(),
    heapGrowthBytesPerTick: await measureHeapGrowth(),
  };
}

function measureBytes({ seconds }: FlagValues<typeof FLAGS>): Record<string, unknown> {
  const lab = new Lab({
    game: wireGame,
    seed: 6,
    npcs: NPCS,
    deflate: (bytes) => deflateRawSync(bytes),
  });
  const captures = captureLinks(lab);
  const controlsList = Array.from({ length: PLAYERS }, (_, i) => new HumanLikeControls(i + 1));
  controlsList.forEach((commandSource, i) =>
    lab.join(`rider ${i + 1}`, { network: networkModelOf("cable"), commandSource })
  );
  lab.run(WARM_UP_SECONDS);
  const from = captures.map(({ messages }) => messages.length);
  const alternatives = new AlternativeEncodings();
  lab.run(seconds, () => alternatives.addTick(lab.match!.tick, lab.serverSimulation!.bodies));
  assertPlayed(lab);
  const perSecond = (bytes: number) => Number((bytes / seconds).toFixed(1));
  const ofAll = (direction: CapturedMessage["direction"]) =>
    perSecond(
      captures.reduce((sum, capture, i) => sum + capture.bytesOf(direction, from[i]), 0) / PLAYERS,
    );
  const { parts, micros } = measureCodec(captures[0]!, from[0]!, perSecond);
  return {
    downBytesPerSecond: ofAll("down"),
    upBytesPerSecond: ofAll("up"),
    parts,
    ...measureStream({ seconds, players: PLAYERS, npcs: NPCS }),
    joinBytes: joinBytes(lab, captures),
    joins: measureJoins(lab),
    encodeDecodeMicros: micros,
    changesPerSecond: Number(
      (20 * controlsList.reduce((sum, { changes, ticks }) => sum + changes / ticks, 0) / PLAYERS)
        .toFixed(2),
    ),
    peers: {
      json: perSecond(alternatives.json),
      f32: perSecond(alternatives.f32),
      delta: perSecond(alternatives.delta),
    },
  };
}

/** @returns a list that receives one capture for each link opened later */
function captureLinks(lab: Lab<DragonCommand, WireSimulation>): LinkCapture[] {
  const captures: LinkCapture[] = [];
  const admit = lab.rooms.admit.bind(lab.rooms);
  lab.rooms.admit = (link) => {
    const capture = new LinkCapture();
    captures.push(capture);
    admit(capture.wrap(link));
  };
  return captures;
}

/**
 * @throws Error if a body of workload W is missing, or if a client is desynced or never rolled back
 */
function assertPlayed(lab: Lab<DragonCommand, WireSimulation>): void {
  const { bodies } = lab.serverSimulation!;
  if (bodies.length !== PLAYERS + NPCS + PROJECTILES) {
    throw new Error(`${bodies.length} bodies are no workload W`);
  }
  for (const { session } of lab.players) {
    if (!session.isInSync || session.stats.desyncs > 0) throw new Error("a client is desynced");
    if (session.stats.rollbacks === 0) throw new Error("a client never rolled back");
  }
}

/** How many bytes the message takes that brings the state to a client who joins the full arena. */
function joinBytes(
  lab: Lab<DragonCommand, WireSimulation>,
  captures: readonly LinkCapture[],
): number {
  lab.join("late", { network: networkModelOf("cable"), commandSource: new HumanLikeControls(99) });
  lab.run(1);
  return Math.max(
    ...captures.at(-1)!.messages.filter(({ direction }) => direction === "down").map(({ bytes }) =>
      framed(bytes.length)
    ),
  );
}

/**
 * Encodes one client's messages again to measure the bytes of each part, and the time.
 * @returns bytes per second, and µs per tick
 */
function measureCodec(capture: LinkCapture, from: number, perSecond: (bytes: number) => number) {
  const codec = wireGame.command;
  const decoder = new ServerMessageDecoder(codec);
  const upDecoder = new ClientMessageDecoder(codec, { ordered: true });
  const down = new Meter();
  const up = new Meter();
  const announced = new AnnouncementBaselines<DragonCommand>();
  let lastAdvice: Advice = NO_ADVICE;
  let lastCommand: CommandMessage<DragonCommand> | undefined;
  const frames = { down: 0, up: 0 };
  const bytes = { down: 0, up: 0 };
  const ticks: TickMessage<DragonCommand>[] = [];
  const commands: CommandMessage<DragonCommand>[] = [];
  const messages = { down: [] as Uint8Array[], up: [] as Uint8Array[] };
  capture.messages.forEach(({ direction, bytes: captured }, i) => {
    if (direction === "up" && i === 0) return; // the hello
    const message = direction === "up" ? upDecoder.decode(captured) : decoder.decode(captured);
    const isMeasured = i >= from;

    if (isMeasured) {
      frames[direction] += framed(captured.length) - captured.length +
        (direction === "up" ? MASK_BYTES : 0);
      bytes[direction] += captured.length;
      messages[direction].push(captured);
    }

    if (message.type === "command") {
      const before = lastCommand ?? { ...message, tick: 0, received: 0 };
      if (isMeasured) codeClientMessage(message, { last: before, codec, coder: up });
      lastCommand = message;
      commands.push(message);
    } else if (message.type === "tick") {
      const coder = isMeasured ? down : new Meter();
      codeMessageType("tick", coder);
      const context = { tick: message.tick, announced, codec, coder };
      codeTick(message, { ...context, lastAdvice, hadBodies: false, codeBodies: undefined });
      lastAdvice = message;
      if (isMeasured) ticks.push(message);
    } else if (isMeasured) addPing(direction === "up" ? up : down, captured);
  });
  const partsOf = (direction: CapturedMessage["direction"], meter: Meter) => ({
    frames: perSecond(frames[direction]),
    ...Object.fromEntries([...meter.bitsOf].map(([part, bits]) => [part, perSecond(bits / 8)])),
    rounding: perSecond(bytes[direction] - meter.total / 8),
  });
  return {
    parts: { down: partsOf("down", down), up: partsOf("up", up) },
    micros: Number(microsPerTick({ ticks, commands }).toFixed(2)),
  };
}

function addPing({ bitsOf }: Meter, { length }: Uint8Array): void {
  bitsOf.set("pings", (bitsOf.get("pings") ?? 0) + length * 8);
}

/** A message with an empty state. It resets a decoder's announcement baselines. */
function emptyState(tick: number): Uint8Array {
  const coder = new CodeWriter();
  const snapshot = { bytes: new Uint8Array(0), length: 0, isDeflated: false };
  const announced = new AnnouncementBaselines<DragonCommand>();
  coder.reset();
  codeMessageType("state", coder);
  codeState(
    {
      joinDelta: { hash: 0, presence: [], announcements: [], seats: [] },
      snapshot,
      advice: NO_ADVICE,
    },
    { tick, announced, codec: wireGame.command, coder, codeBodies: undefined },
  );
  return coder.finishWith(snapshot.bytes);
}

/**
 * Encodes and decodes both directions. Clients share the tick delta's encoding, so each is charged
 * `1 / PLAYERS` of it.
 * @returns µs per client and tick, the median over rounds
 */
function microsPerTick(
  { ticks, commands }: {
    ticks: readonly TickMessage<DragonCommand>[];
    commands: readonly CommandMessage<DragonCommand>[];
  },
): number {
  const codec = wireGame.command;
  const coder = new CodeWriter();
  const own = new CodeWriter();
  const count = Math.min(ticks.length, commands.length);
  const rounds = Array.from({ length: ROUNDS }, () => {
    const announced = new AnnouncementBaselines<DragonCommand>();
    const downMessages: Uint8Array[] = [];
    const upMessages: Uint8Array[] = [];
    const encoder = new ClientMessageEncoder(codec, { ordered: true });
    const decoder = new ClientMessageDecoder(codec, { ordered: true });
    const reader = new ServerMessageDecoder(codec);
    reader.decode(emptyState(ticks[0]!.tick - 1));
    let sharedMs = 0;
    let ownMs = -performance.now();
    let lastAdvice: Advice = NO_ADVICE;

    for (let i = 0; i < count; i++) {
      const message = ticks[i]!;
      const { tick } = message;
      const startMs = performance.now();
      coder.reset();
      codeMessageType("tick", coder);
      codeTickDelta(message, { tick, announced, codec, coder });
      sharedMs += performance.now() - startMs;
      own.copyFrom(coder);
      codeTickEnd(message, message.pong, {
        tick,
        coder: own,
        lastAdvice,
        hadBodies: false,
        codeBodies: undefined,
      });
      lastAdvice = message;
      downMessages.push(own.finish().slice());
    }

    for (const bytes of downMessages) reader.decode(bytes);
    for (let i = 0; i < count; i++) upMessages.push(encoder.encode(commands[i]!).slice());
    for (const bytes of upMessages) decoder.decode(bytes);
    ownMs += performance.now() - sharedMs;
    return (ownMs + sharedMs / PLAYERS) * 1000 / count;
  });
  return medianOf(rounds);
}
