/**
 * The body stream in workload W, with eight body-stream clients in the lab. It measures bytes per
 * second, and the mean distances between the clients' bodies and the definitive ones. A viewer
 * without a simulation decodes the first client's messages, too, and extrapolates the bodies.
 */
import type { DragonCommand } from "../../../../shared/games/dragons/declaration.ts";
import { bodyReaderOf } from "../../../../shared/netcode/wire/body_codec.ts";
import { BodyModel } from "../../../../shared/netcode/wire/body_model.ts";
import {
  POSITION_UNITS_PER_METRE,
  type QuantizedBody,
} from "../../../../shared/netcode/wire/quantized_body.ts";
import type { Tick } from "../../../../shared/netcode/game.ts";
import { PoseList } from "../../../../shared/netcode/pose_list.ts";
import { networkModelOf } from "../../../../shared/netcode/simulated_network/network_profiles.ts";
import { ServerMessageDecoder } from "../../../../shared/netcode/wire/server_messages.ts";
import { Snapshot } from "../../../../shared/snapshot.ts";
import { Lab } from "../../lab/lab.ts";
import { HumanLikeControls, wireGame, type WireSimulation } from "./wire_game.ts";
import { framed } from "./wire_alternatives.ts";

const WARM_UP_SECONDS = 15;
/** Half a second: a body stream sends every body at least this often (SPEC 12). */
const SILENCE_TICKS_MAX = 10;

type Positions = Iterable<{ entity: number; x: number; y: number }>;

/** Collects distances between drawn and definitive positions, in metres. */
class DistanceErrors {
  #sum = 0;
  #count = 0;

  /** @throws Error if the drawn entities are not exactly the definitive ones */
  add(drawn: Positions, actual: PoseList): void {
    let count = 0;
    for (const { entity, x, y } of drawn) {
      const actualPose = actual.find(entity);
      if (actualPose === undefined) throw new Error(`entity ${entity} is drawn but does not exist`);
      this.#sum += Math.hypot(actualPose.x - x, actualPose.y - y);
      count++;
    }
    if (count !== actual.count) throw new Error(`${count} of ${actual.count} are drawn`);
    this.#count += count;
  }

  /**
   * As `add`, but only for entities on both sides, because a prediction may contain too many
   * entities or too few.
   */
  addCommon(drawn: Positions, actual: PoseList): void {
    for (const { entity, x, y } of drawn) {
      const actualPose = actual.find(entity);
      if (actualPose === undefined) continue;
      this.#sum += Math.hypot(actualPose.x - x, actualPose.y - y);
      this.#count++;
    }
  }

  get mean(): number {
    return Number((this.#sum / this.#count).toFixed(5));
  }
}

/** One body as a client decodes it. x and y are in metres. */
interface ViewedBody {
  readonly entity: number;
  readonly body: QuantizedBody;
  readonly x: number;
  readonly y: number;
}

/** A client that decodes the body stream and simulates nothing. */
class StreamViewer {
  readonly #model = new BodyModel(wireGame.bodies!, wireGame.tickHz);
  readonly #decoder = new ServerMessageDecoder<DragonCommand>(
    wireGame.command,
    bodyReaderOf(this.#model),
  );
  readonly bodiesByTick = new Map<Tick, ViewedBody[]>();

  readonly receive = (bytes: Uint8Array) => {
    const message = this.#decoder.decode(bytes);
    if (message.type !== "tick" || message.bodies === undefined) return;
    const { tick, bodies } = message;
    this.bodiesByTick.set(
      tick,
      [...bodies].filter(([entity]) => entity > 0).map(([entity, body]) => {
        const { x, y } = this.#model.predict(body, tick);
        return { entity, body, x: x / POSITION_UNITS_PER_METRE, y: y / POSITION_UNITS_PER_METRE };
      }),
    );
  };
}

function* positionsOf(poses: PoseList): Positions {
  for (let i = 0; i < poses.count; i++) yield poses.at(i);
}

/**
 * @throws Error if the tick lacks the own body, or if another body was last sent more than half a
 *   second ago
 */
function checkBodies(
  bodies: readonly ViewedBody[],
  { tick, own }: { tick: Tick; own: number },
): void {
  if (bodies.length === 0) throw new Error(`no bodies in tick ${tick}`);
  for (const { entity, body } of bodies) {
    if (entity === own && body.tick !== tick) {
      throw new Error(`the own body is missing in tick ${tick}`);
    }
    if (tick - body.tick > SILENCE_TICKS_MAX) {
      throw new Error(`entity ${entity} has not been sent for ${tick - body.tick} ticks`);
    }
  }
}

/**
 * @returns part of what `--json` prints: bytes per second and client, and errors in metres
 * @throws Error as `checkBodies`
 */
export function measureStream(
  { seconds, players, npcs }: { seconds: number; players: number; npcs: number },
): Record<string, number> {
  const definitivePoses = new Map<Tick, PoseList>();
  const onDefinitive = (simulation: WireSimulation) => {
    const poses = new PoseList();
    simulation.poses(poses);
    definitivePoses.set(simulation.tick, poses);
  };
  const lab = new Lab({ game: wireGame, seed: 6, npcs, onDefinitive });
  const viewer = new StreamViewer();
  let bytesDown = 0;
  const clients = Array.from({ length: players }, (_, i) =>
    lab.join(`rider ${i + 1}`, {
      network: networkModelOf("cable"),
      commandSource: new HumanLikeControls(i + 1),
      startOnBodyStream: true,
      onArrival: (bytes) => {
        bytesDown += framed(bytes.length);
        if (i === 0) viewer.receive(bytes);
      },
    }));
  lab.run(WARM_UP_SECONDS);
  bytesDown = 0;
  const replica = wireGame.start({ npcs: 0 }, 0);
  const state = new Snapshot();
  const replicaPoses = new PoseList();
  const rebased = new DistanceErrors();
  const drawn = new DistanceErrors();
  const predicted = new DistanceErrors();
  const heads = new Map<Tick, PoseList>();
  const first = lab.match!.tick + 1;
  lab.run(seconds, () => {
    for (const { session } of clients) {
      if (!session.isOnBodyStream) throw new Error("a client is not on the body stream");
      session.copyState(session.definitiveTick, state);
      replica.load(state);
      replica.poses(replicaPoses);
      rebased.add(positionsOf(replicaPoses), definitivePoses.get(session.definitiveTick)!);
    }
    const { head, poses } = clients[0]!.session;
    const copy = new PoseList();
    copy.copyFrom(poses.head);
    heads.set(head, copy);
  });
  const bytesPerSecond = bytesDown / seconds / players;
  for (const [tick, poses] of heads) {
    if (definitivePoses.has(tick)) {
      predicted.addCommon(positionsOf(poses), definitivePoses.get(tick)!);
    }
  }

  const { definitiveTick: last, seat } = clients[0]!.session;

  for (let tick = first; tick <= last; tick++) {
    const poses = definitivePoses.get(tick)!;
    const bodies = viewer.bodiesByTick.get(tick) ?? [];
    checkBodies(bodies, { tick, own: poses.findBySeat(seat)!.entity });
    drawn.add(bodies, poses);
  }

  return {
    stateStreamBytesPerSecond: Number(bytesPerSecond.toFixed(1)),
    stateStreamErrorM: drawn.mean,
    stateStreamRebasedErrorM: rebased.mean,
    stateStreamPredictedErrorM: predicted.mean,
  };
}
