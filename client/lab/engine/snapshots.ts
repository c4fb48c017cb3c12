/**
 * Snapshots as most engines send them: in each tick the bodies' motion in whole units, and every
 * seat's newest command. The bytes are real: `codeBodies` is the body stream's own codec, which
 * predicts each body and codes the difference.
 *
 *     ordered link    against the snapshot before, which has certainly arrived
 *     datagrams       whole, because the one before may be lost
 */
import type { BodyList } from "../../../shared/body_list.ts";
import { type Commands, SEATS, type Tick } from "../../../shared/netcode/game.ts";
import { codeBodies } from "../../../shared/netcode/wire/body_codec.ts";
import { BodyModel } from "../../../shared/netcode/wire/body_model.ts";
import {
  type BodyBaselines,
  dequantize,
  NO_BASELINES,
  quantize,
  type QuantizedBody,
} from "../../../shared/netcode/wire/quantized_body.ts";
import { type Coder, CodeReader, CodeWriter } from "../../../shared/netcode/wire/range_coder.ts";
import type { LooseCommand, LooseGame } from "../../game_kit/loose_types.ts";

const TICK_BITS = 32;

/** Encodes one client's snapshots. */
export class SnapshotEncoder {
  readonly #codec: LooseGame["command"];
  readonly #model: BodyModel;
  readonly #ordered: boolean;
  readonly #writer = new CodeWriter();
  #baselines: BodyBaselines = NO_BASELINES;

  constructor({ command, bodies, tickHz }: LooseGame, { ordered }: { ordered: boolean }) {
    this.#codec = command;
    this.#model = new BodyModel(bodies!, tickHz);
    this.#ordered = ordered;
  }

  /** @returns the message, valid until the next call */
  encode(bodies: BodyList, commands: Commands<LooseCommand>): Uint8Array {
    const { tick, nextId } = bodies;
    const coder = this.#writer;
    const baselines = this.#ordered ? this.#baselines : NO_BASELINES;
    coder.reset();
    coder.bits(tick, TICK_BITS);
    const delta = this.#deltaOf(bodies, baselines);
    const model = this.#model;
    this.#baselines = codeBodies(delta, { tick, baselines, model, coder, nextId });
    codeCommands(commands, this.#codec, coder);
    return coder.finish();
  }

  /** What differs from a prediction of the baselines, and what they lack or have too much. */
  #deltaOf(bodies: BodyList, baselines: BodyBaselines): Map<number, QuantizedBody | undefined> {
    const delta = new Map<number, QuantizedBody | undefined>();
    for (const entity of baselines.keys()) {
      if (bodies.find(entity) === undefined) delta.set(entity, undefined);
    }
    for (let i = 0; i < bodies.count; i++) {
      const body = bodies.at(i);
      const now = quantize(body, bodies.tick);
      const baseline = baselines.get(body.entity);
      const expected = baseline && this.#model.predict(baseline, bodies.tick);
      if (expected === undefined || !isSame(expected, now)) delta.set(body.entity, now);
    }
    return new Map([...delta].sort(([a], [b]) => a - b));
  }
}

/** Decodes one client's snapshots, which must come in order on an ordered link. */
export class SnapshotDecoder {
  readonly #codec: LooseGame["command"];
  readonly #model: BodyModel;
  readonly #ordered: boolean;
  #baselines: BodyBaselines = NO_BASELINES;

  constructor({ command, bodies, tickHz }: LooseGame, { ordered }: { ordered: boolean }) {
    this.#codec = command;
    this.#model = new BodyModel(bodies!, tickHz);
    this.#ordered = ordered;
  }

  /**
   * @param into gets the bodies, as far as whole units tell them
   * @returns the newest commands by seat
   * @throws WireError
   */
  decode(bytes: Uint8Array, into: BodyList): Commands<LooseCommand> {
    const coder = new CodeReader(bytes);
    const tick: Tick = coder.bits(0, TICK_BITS);
    const baselines = this.#ordered ? this.#baselines : NO_BASELINES;
    const model = this.#model;
    const decoded = codeBodies(new Map(), { tick, baselines, model, coder });
    this.#baselines = decoded;
    into.reset(tick);
    into.nextId = decoded.nextId;
    for (const [entity, sent] of decoded) {
      const now = sent.tick === tick ? sent : model.predict(sent, tick);
      dequantize(into.add(entity, now.schemaIndex), now);
    }
    return codeCommands(NO_COMMANDS, this.#codec, coder);
  }
}

const NO_COMMANDS: Commands<LooseCommand> = new Array(SEATS).fill(undefined);

function codeCommands(
  commands: Commands<LooseCommand>,
  codec: LooseGame["command"],
  coder: Coder,
): Commands<LooseCommand> {
  return NO_COMMANDS.map((_, seat) => {
    const command = commands[seat];
    if (!coder.flag(command !== undefined)) return undefined;
    return codec.code(command ?? codec.neutral, codec.neutral, coder);
  });
}

function isSame(a: QuantizedBody, b: QuantizedBody): boolean {
  return a.schemaIndex === b.schemaIndex && a.x === b.x && a.y === b.y && a.angle === b.angle &&
    a.vx === b.vx && a.vy === b.vy && a.spin === b.spin && a.teleports === b.teleports &&
    a.fieldBits.every((bits, i) => bits === b.fieldBits[i]);
}
