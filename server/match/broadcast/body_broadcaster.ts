/**
 * Which bodies a client of the state stream is told of in a tick: his own, those whose words changed or that came or went, those he
 * has not heard of for half a second, and of the others, as far as the budget reaches, those that his picture shows wrong.
 *
 *     priority = importance × age      importance = error × nearness, the error of where it is and of where it is going
 *
 * The other end knows what was told, so it shows what `BodyModel.predict` says. A body whose prediction is near enough is not told.
 */
import { type Body, BodyList } from "../../../shared/body_list.ts";
import { BodyModel, type BodyNews, codeBodies, sameWords } from "../../../shared/netcode/wire/body_codec.ts";
import { CodeWriter } from "../../../shared/netcode/wire/range_coder.ts";
import type { Game, SeatId, Simulation, Tick } from "../../../shared/netcode/game.ts";
import { DATAGRAM_DOWN_BYTES_MAX } from "../../../shared/netcode/wire/messages.ts";
import { codeBodiesBase, codeHasBodies } from "../../../shared/netcode/wire/server_messages.ts";
import {
  ANGLES_PER_RADIAN,
  ARM_METRES,
  type BodyMemory,
  NOTHING_TOLD,
  PLACES_PER_METRE,
  SPEEDS_PER_METRE,
  type Told,
  toldOf,
} from "../../../shared/netcode/wire/quantized_body.ts";
import type { Client } from "../clients/client.ts";

/** What one tick's bodies may take; what must be told goes beyond it. With frames and news that is 3,400 bytes a second. */
const BODIES_BYTES_PER_TICK = 160;
/** Every body is told at least so often: half a second at 20 Hz. */
const SILENCE_TICKS_MAX = 10;
/** Nobody sees less, metres: a pixel and a half on a screen that shows 30 m. */
const TOLERANCE_METRES = 1 / 64;
/** A wrong velocity is a wrong place this much later, seconds. */
const SOON_SECONDS = 0.05;
/** At this distance from one's own body things are half as important as beside it, metres. */
const NEAR_METRES = 8;

/** Where not all fits that may be told, so much of it is tried next: a handful of tries finds what does. */
const FEWER = 0.7;

/** Whom, and behind what. */
interface Telling<Command> {
  readonly client: Client<Command>;
  readonly into: CodeWriter;
}

/** One of those that need not be told. */
interface Candidate {
  readonly entity: number;
  readonly told: Told;
  readonly priority: number;
}

/** What is told of bodies in one tick to one client. */
interface Choice {
  readonly must: Map<number, Told | undefined>;
  readonly may: Candidate[];
}

/** One match's bodies. */
export class BodyFeed<Command> {
  readonly model: BodyModel;
  readonly #fill: (out: BodyList) => void;
  readonly #list = new BodyList();
  #now: { body: Body; told: Told }[] = [];
  #tick: Tick = -1;
  /** Messages as they were, for another try. */
  readonly #begun = new CodeWriter();
  readonly #bare = new CodeWriter();

  /** Undefined for a game that declares no bodies. */
  static of<Command>(
    { bodies, tickHz }: Game<Command>,
    simulation: Simulation<Command>,
  ): BodyFeed<Command> | undefined {
    if (bodies === undefined) return undefined;
    return new BodyFeed(new BodyModel(bodies, tickHz), (out) => bodies.fill(simulation, out));
  }

  private constructor(model: BodyModel, fill: (out: BodyList) => void) {
    this.model = model;
    this.#fill = fill;
  }

  /** All that is there, for who knows of nothing: what the stream begins with. */
  open(tick: Tick, { client, into }: Telling<Command>): void {
    const { bodies } = client;
    client.hadBodies = true;
    this.#look(tick);
    const news = new Map(this.#now.map(({ body, told }) => [body.entity, told]));
    bodies!.learn(tick, codeBodies(news, { tick, memory: NOTHING_TOLD, model: this.model, coder: into }));
    bodies!.base = tick;
  }

  /** What an ordered link's tick ends with: told by the one before it. */
  tellTick(tick: Tick, { client, into }: Telling<Command>): void {
    const { bodies } = client, memory = bodies?.memoryFor(tick);
    codeHasBodies(memory !== undefined, client.hadBodies, into);
    client.hadBodies = memory !== undefined;
    if (bodies === undefined || memory === undefined) return;
    bodies.learn(tick, this.#tell({ tick, memory, seat: client.player?.seat }, { into, bytesMax: Infinity })!);
    bodies.base = tick;
  }

  /** What a datagram ends with: told by the newest tick of which the member says that it holds the bodies. */
  tellDatagram(tick: Tick, { client: { bodies, player }, into }: Telling<Command>): void {
    const memory = bodies?.memoryFor(tick);
    this.#bare.copyFrom(into);
    if (bodies !== undefined && memory !== undefined) {
      codeBodiesBase(bodies.base, { tick, coder: into });
      const told = this.#tell({ tick, memory, seat: player?.seat }, { into, bytesMax: DATAGRAM_DOWN_BYTES_MAX });
      if (told !== undefined) return bodies.learn(tick, told);
      into.copyFrom(this.#bare);
    }
    codeBodiesBase(undefined, { tick, coder: into });
  }

  /**
   * Tells as much as fits behind what the coder holds.
   * @param bytesMax of the whole message
   * @returns the memory as of `tick`; undefined where not even that fits which must be told
   */
  #tell(
    { tick, memory, seat }: { tick: Tick; memory: BodyMemory; seat: SeatId | undefined },
    { into, bytesMax }: { into: CodeWriter; bytesMax: number },
  ): BodyMemory | undefined {
    this.#look(tick);
    const { must, may } = this.#choose(tick, memory, seat);
    this.#begun.copyFrom(into);
    const budget = Math.min(bytesMax, into.bytesMax + BODIES_BYTES_PER_TICK);
    for (let count = may.length;; count = Math.floor(count * FEWER)) {
      const chosen = new Map(must);
      for (const { entity, told } of may.slice(0, count)) chosen.set(entity, told);
      const next = codeBodies(inOrder(chosen), { tick, memory, model: this.model, coder: into });
      if (into.bytesMax <= budget || (count === 0 && into.bytesMax <= bytesMax)) return next;
      if (count === 0) return undefined;
      into.copyFrom(this.#begun);
    }
  }

  #look(tick: Tick): void {
    if (this.#tick === tick) return;
    this.#tick = tick;
    this.#fill(this.#list);
    this.#now = Array.from({ length: this.#list.count }, (_, i) => {
      const body = this.#list.at(i);
      return { body, told: toldOf(body, tick) };
    });
  }

  /** What may be told comes with the most urgent first. */
  #choose(tick: Tick, memory: BodyMemory, seat: SeatId | undefined): Choice {
    const must = new Map<number, Told | undefined>(), may: Candidate[] = [];
    const own = seat === undefined ? undefined : this.#now.find(({ body }) => body.seat === seat);
    const here = new Set<number>();
    for (const each of this.#now) {
      const { body: { entity }, told } = each, before = memory.get(entity);
      here.add(entity);
      if (before === undefined || each === own) {
        must.set(entity, told);
        continue;
      }
      const age = tick - before.tick, predicted = this.model.predict(before, tick), error = errorOf(told, predicted);
      const isOther = before.jumps !== told.jumps || !sameWords(predicted.words, told.words);
      if (isOther) must.set(entity, told);
      else if (age >= SILENCE_TICKS_MAX) must.set(entity, error <= TOLERANCE_METRES ? predicted : told);
      else if (error > TOLERANCE_METRES) {
        may.push({ entity, told, priority: error * nearness(told, own?.told) * age });
      }
    }
    for (const entity of memory.keys()) if (!here.has(entity)) must.set(entity, undefined);
    may.sort((a, b) => b.priority - a.priority || a.entity - b.entity);
    return { must, may };
  }
}

function inOrder(news: Map<number, Told | undefined>): BodyNews {
  return new Map([...news].sort(([a], [b]) => a - b));
}

/** Metres. */
function errorOf(now: Told, shown: Told): number {
  const x = (now.x - shown.x) / PLACES_PER_METRE, y = (now.y - shown.y) / PLACES_PER_METRE;
  const vx = (now.vx - shown.vx) / SPEEDS_PER_METRE, vy = (now.vy - shown.vy) / SPEEDS_PER_METRE;
  const turn = (now.angle - shown.angle) / ANGLES_PER_RADIAN;
  const soon = SOON_SECONDS * Math.sqrt(vx * vx + vy * vy);
  return Math.sqrt(x * x + y * y) + soon + ARM_METRES * Math.abs(turn);
}

/** 1 for what is far away, 2 for what is here. */
function nearness(told: Told, own: Told | undefined): number {
  if (own === undefined) return 1;
  const dx = (told.x - own.x) / PLACES_PER_METRE, dy = (told.y - own.y) / PLACES_PER_METRE;
  return 1 + NEAR_METRES / (NEAR_METRES + Math.sqrt(dx * dx + dy * dy));
}
