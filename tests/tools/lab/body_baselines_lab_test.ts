/**
 * Checks for every body and tick whether the body stream had to send the body, so that nothing is
 * missing and nothing is needless.
 */
import type { DragonCommand, DragonSimulation } from "../../../shared/games/dragons/declaration.ts";
import { dragonGame } from "../../../shared/games/dragons/game.ts";
import { assertEquals, assertGreater } from "@std/assert";
import { BodyList } from "../../../shared/body_list.ts";
import { bodyReaderOf } from "../../../shared/netcode/wire/body_codec.ts";
import { BodyModel } from "../../../shared/netcode/wire/body_model.ts";
import type { Tick } from "../../../shared/netcode/game.ts";
import { ServerMessageDecoder } from "../../../shared/netcode/wire/server_messages.ts";
import {
  type BodyBaselines,
  quantize,
  type QuantizedBody,
} from "../../../shared/netcode/wire/quantized_body.ts";
import { Lab } from "./lab.ts";
import { RandomDragonControls } from "./random_controls.ts";

const MATCH = 0;
const SILENCE_TICKS = 10;
const TOLERANCE_METRES = 1 / 64;
/** A whole message shorter than this had room for more, because bodies alone may take 160 bytes. */
const ROOMY_BYTES = 100;

const model = new BodyModel(dragonGame.bodies!, dragonGame.tickHz);

/** A predicted body's error in metres (SPEC 12.2). */
function errorOf(actual: QuantizedBody, predicted: QuantizedBody): number {
  const velocityError = Math.hypot(actual.vx - predicted.vx, actual.vy - predicted.vy) / 64 * 0.05;
  return distance(actual, predicted) + velocityError +
    Math.abs(actual.angle - predicted.angle) / 1024 * 2 * Math.PI * 0.4;
}

function distance(a: QuantizedBody, b: QuantizedBody): number {
  return Math.hypot(a.x - b.x, a.y - b.y) / 256;
}

/** One body in one tick: what the server sent, and what the rule demands. */
interface AuditCase {
  readonly isSent: boolean;
  /** Whether the server must send the body, however full the message is. */
  readonly isDue: boolean;
  readonly errorMetres: number;
  readonly priority: number;
  readonly isStationary: boolean;
}

/** Decodes one client's messages and checks the bodies in them, except its own. */
class BodyStreamAudit {
  readonly counts = {
    due: 0,
    wrong: 0,
    needless: 0,
    missing: 0,
    crowdedOut: 0,
    outOfTurn: 0,
    stationaryUnsent: 0,
    others: 0,
  };
  readonly #decoder = new ServerMessageDecoder<DragonCommand>(
    dragonGame.command,
    bodyReaderOf(model),
  );
  readonly #serverBodies = new Map<Tick, Map<number, QuantizedBody>>();
  #before: BodyBaselines | undefined;
  own = -1;

  readonly onDefinitive = (simulation: DragonSimulation) => {
    const list = new BodyList();
    const { tick } = simulation;
    dragonGame.bodies!.fill(simulation, list);
    const bodies = Array.from({ length: list.count }, (_, i) => list.at(i));
    this.#serverBodies.set(
      tick,
      new Map(bodies.map((body) => [body.entity, quantize(body, tick)])),
    );
  };

  readonly onArrival = (bytes: Uint8Array) => {
    const message = this.#decoder.decode(bytes);
    if (message.type !== "tick") return;
    const { tick, bodies } = message;
    const before = this.#before;
    const actual = this.#serverBodies.get(tick)!;
    const own = actual.get(this.own);
    this.#before = bodies;
    if (before === undefined || bodies === undefined || own === undefined) return;
    // A spawn or despawn is sent in its own tick.
    this.counts.others += new Set(actual.keys()).symmetricDifference(new Set(bodies.keys())).size;
    const cases: AuditCase[] = [];
    for (const [entity, sent] of before) {
      const now = actual.get(entity);
      if (now === undefined || entity === this.own || entity === MATCH) continue;
      cases.push(caseOf({ now, sent, own, tick, isSent: bodies.get(entity) !== sent }));
    }
    this.#check(cases, bytes.length);
  };

  #check(cases: readonly AuditCase[], bytes: number): void {
    const { counts } = this;
    const isWrong = ({ isDue, errorMetres }: AuditCase) => !isDue && errorMetres > TOLERANCE_METRES;
    const wrong = cases.filter(isWrong);
    const unsent = wrong.filter(({ isSent }) => !isSent);
    counts.due += cases.filter(({ isDue }) => isDue).length;
    counts.wrong += wrong.length;
    counts.needless += cases.filter((each) => each.isSent && !each.isDue && !isWrong(each)).length;
    counts.missing += cases.filter(({ isDue, isSent }) => isDue && !isSent).length;
    counts[bytes < ROOMY_BYTES ? "missing" : "crowdedOut"] += unsent.length;
    const most = Math.max(0, ...unsent.map(({ priority }) => priority));
    counts.outOfTurn += wrong.filter(({ isSent, priority }) => isSent && priority < most).length;
    counts.stationaryUnsent +=
      cases.filter(({ isStationary, isSent }) => isStationary && !isSent).length;
  }
}

function caseOf(
  { now, sent, own, tick, isSent }: {
    now: QuantizedBody;
    sent: QuantizedBody;
    own: QuantizedBody;
    tick: Tick;
    isSent: boolean;
  },
): AuditCase {
  const predicted = model.predict(sent, tick);
  const age = tick - sent.tick;
  const errorMetres = errorOf(now, predicted);
  const hasChangedFields = now.teleports !== predicted.teleports ||
    now.fieldBits.some((word, i) => word !== predicted.fieldBits[i]);
  return {
    isSent,
    isDue: hasChangedFields || age >= SILENCE_TICKS,
    errorMetres,
    priority: errorMetres * (1 + 8 / (8 + distance(now, own))) * age,
    isStationary: now.vx === 0 && now.vy === 0,
  };
}

for (
  const { players, npcs, seed } of [{ players: 8, npcs: 4, seed: 211 }, {
    players: 16,
    npcs: 16,
    seed: 212,
  }]
) {
  Deno.test(`Lab: a body is sent if a field changed, after half a second, or if its prediction is wrong, the worst first; otherwise never, ${players} players and ${npcs} NPCs (SPEC 12.2, 12.8, 12.9, 12.10) [seed ${seed}]`, () => {
    const audit = new BodyStreamAudit();
    const network = { oneWayMs: 50, jitterMs: 5 };
    const lab: Lab<DragonCommand, DragonSimulation> = new Lab({
      game: dragonGame,
      seed,
      npcs,
      onDefinitive: audit.onDefinitive,
    });
    const [first] = Array.from({ length: players }, (_, n) => {
      const commandSource = new RandomDragonControls(10 * seed + n);
      return lab.join(`p${n}`, {
        commandSource,
        network,
        ...(n === 0 ? { startOnBodyStream: true, onArrival: audit.onArrival } : {}),
      });
    });
    lab.run(5);
    audit.own = lab.serverSimulation!.world.player(first!.session.seat)!.id;
    lab.run(5);
    const { counts } = audit;
    assertEquals([first!.session.phase, first!.session.isOnBodyStream], ["playing", true]);
    assertEquals([counts.needless, counts.missing, counts.outOfTurn, counts.others], [0, 0, 0, 0]);
    assertGreater(counts.due, 250);
    assertGreater(counts.wrong, 250);
    assertGreater(counts.stationaryUnsent, 250);
    if (npcs === 16) assertGreater(counts.crowdedOut, 50);
  });
}
