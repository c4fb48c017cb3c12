/**
 * Plays a person's recorded match again, on a client of the caller's choice, and records what its
 * page shows at 60 frames a second. Every client gets the same messages at the same times and gives
 * the same commands. The messages that it sends go nowhere, so a policy that would change the
 * messages themselves needs a match of its own.
 */
import type {
  DragonCommand,
  DragonSimulation,
} from "../../../../shared/games/dragons/declaration.ts";
import { dragonGame } from "../../../../shared/games/dragons/game.ts";
import type { KitFrame } from "../../../../client/game_kit/kit_frame.ts";
import { dragonView } from "../../../../client/games/dragons/view.ts";
import {
  MatchPresenter,
  type MatchPresenterOptions,
} from "../../../../client/presentation/match_presenter.ts";
import { SessionDatagrams } from "../../../../client/session/datagrams/session_datagrams.ts";
import type { DatagramSupport } from "../../../../client/session/session_options.ts";
import { Telemetry } from "../../../../client/presentation/telemetry.ts";
import { bodyStreamSupport } from "../../../../client/session/body_stream_client.ts";
import type { InputDelayChoice } from "../../../../client/session/input_delay.ts";
import type { CommandSource } from "../../../../client/session/session.ts";
import type { Codec, Tick } from "../../../../shared/netcode/game.ts";
import type { Link, MessageHandler } from "../../../../shared/netcode/link.ts";
import { ServerMessageDecoder } from "../../../../shared/netcode/wire/server_messages.ts";
import { FeelRecorder, type FeltMatch } from "../../bench/feel/recorder.ts";
import type { Recording } from "../../bench/feel/recording.ts";
import type { PersonRecording } from "./person_recording.ts";

type PageOptions = MatchPresenterOptions<DragonCommand>;

/** A client under test: the page's presenter, or something that behaves like it. */
export interface ReplayedClient extends FeltMatch {
  advance(): void;
  /** @returns undefined before the first state */
  composeFrame(): KitFrame | undefined;
}

/** Makes a client; the options connect it to its messages and commands. */
export type ClientPolicy = (options: PageOptions) => ReplayedClient;

export type PagePresenter = MatchPresenter<DragonCommand, DragonSimulation, KitFrame>;

/** This repository's client. @param view of the same game, but different from the page's */
export function pageClient(
  options: PageOptions,
  view: typeof dragonView = dragonView,
): PagePresenter {
  const bodyStream = bodyStreamSupport(dragonGame);
  const datagramSupport: DatagramSupport = (use) => use(SessionDatagrams);
  return new MatchPresenter(
    { game: dragonGame, view, bodyStream, datagramSupport },
    options,
  );
}

export type InputDelayTicks = Exclude<InputDelayChoice, "automatic">;

/** The same with an input delay. The recorded commands stay with their ticks. */
export function delayedClient(ticks: InputDelayTicks): ClientPolicy {
  return (options) => pageClient({ ...options, inputDelay: () => ticks });
}

const FRAME_MS = 1000 / 60;
/** As in the lab: a client must not be advanced twice at the same instant. */
const EPSILON_MS = 0.001;

/**
 * @param options.warmUpSeconds from the join to the first recorded frame, at least until the client
 * plays
 * @throws Error if the client does not play by then, or does not agree with the server
 */
export function replay(
  person: PersonRecording,
  { client = pageClient, ...times }: {
    client?: ClientPolicy;
    warmUpSeconds: number;
    seconds: number;
  },
): Recording {
  let recorder: FeelRecorder | undefined;
  replayFrames(person, {
    ...times,
    client,
    command: dragonGame.command,
    onFrame(client, scene) {
      recorder ??= new FeelRecorder(client);
      recorder.onFrame(scene);
    },
  });
  return recorder!.recording;
}

/** A client of any game that can be replayed. */
interface FramedClient<Frame> {
  readonly session: { readonly nextDueMs: number; readonly stats: { readonly desyncs: number } };
  advance(): void;
  /** @returns undefined before the first state */
  composeFrame(): Frame | undefined;
}

/**
 * As `replay`, of any game.
 * @param options.onFrame called with each frame that is counted
 * @throws Error if the client does not play after the warm-up, or does not agree with the server
 */
export function replayFrames<Command, Frame, Client extends FramedClient<Frame>>(
  person: PersonRecording<Command>,
  { client: policy, command, warmUpSeconds, seconds, onFrame }: {
    client: (options: MatchPresenterOptions<Command>) => Client & FramedClient<Frame>;
    command: Codec<Command>;
    warmUpSeconds: number;
    seconds: number;
    onFrame: (client: Client, frame: Frame) => void;
  },
): void {
  let nowMs = person.joinedMs;
  let arrived = 0;
  const clock = { now: () => nowMs };
  const link = new ReplayLink(person.ordered);
  const telemetry = new Telemetry(clock, () => new ServerMessageDecoder(command));
  const commandSource = new RecordedCommands(person.commands, command.neutral);
  const client = policy({ link, clock, telemetry, commandSource, room: "LABS", name: "" });
  const advanceTo = (untilMs: number) => {
    for (;;) {
      const arrivalMs = person.arrivals[arrived]?.atMs ?? Infinity;
      const dueMs = Math.min(arrivalMs, Math.max(client.session.nextDueMs, nowMs + EPSILON_MS));
      if (dueMs > untilMs) break;
      nowMs = Math.max(nowMs, dueMs);
      for (; (person.arrivals[arrived]?.atMs ?? Infinity) <= nowMs; arrived++) {
        link.deliver(person.arrivals[arrived]!.message);
      }
      client.advance();
    }
    nowMs = untilMs;
    client.advance();
  };
  let isShown = false;
  const warmUpFrames = Math.ceil(warmUpSeconds * 1000 / FRAME_MS);
  const frames = Math.floor(seconds * 1000 / FRAME_MS);

  for (let frame = 0; frame < warmUpFrames + frames; frame++) {
    advanceTo(person.joinedMs + frame * FRAME_MS);
    const scene = client.composeFrame();
    if (frame < warmUpFrames || scene === undefined) continue;
    isShown = true;
    onFrame(client, scene);
  }

  const { desyncs } = client.session.stats;
  if (!isShown || desyncs > 0) throw new Error(`a replay with ${desyncs} desyncs`);
}

/** The recorded commands. A tick without one repeats the previous command. */
class RecordedCommands<Command> implements CommandSource<Command> {
  readonly #commands: ReadonlyMap<Tick, Command>;
  #newest: Command;

  constructor(commands: ReadonlyMap<Tick, Command>, neutral: Command) {
    this.#commands = commands;
    this.#newest = neutral;
  }

  next(tick: Tick): Command {
    return this.#newest = this.#commands.get(tick) ?? this.#newest;
  }

  peek(): Command {
    return this.#newest;
  }
}

/** A link that delivers the recorded messages. */
class ReplayLink implements Link {
  readonly ordered: boolean;
  readonly bufferedBytes = 0;
  #onMessage: MessageHandler = () => {};
  #onClose: (code: number, reason: string) => void = () => {};

  constructor(ordered: boolean) {
    this.ordered = ordered;
  }

  deliver(message: Uint8Array): void {
    // Copied, because the receiver may change its message, and the next replay needs it again.
    this.#onMessage(message.slice(), this.ordered);
  }

  send(): void {}

  sendReliably(): void {}

  onMessage(handler: MessageHandler): void {
    this.#onMessage = handler;
  }

  onClose(handler: (code: number, reason: string) => void): void {
    this.#onClose = handler;
  }

  close(code: number, reason: string): void {
    this.#onClose(code, reason);
  }
}
