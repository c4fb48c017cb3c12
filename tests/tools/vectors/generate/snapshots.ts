/** Vectors of snapshots: states of a match of dragons, in each form of packing. */
import type {
  DragonCommand,
  DragonSimulation,
} from "../../../../shared/games/dragons/declaration.ts";
import { dragonGame } from "../../../../shared/games/dragons/game.ts";
import { SEATS } from "../../../../shared/netcode/game.ts";
import { hashOfSnapshot } from "../../../../shared/netcode/wire/range_coder.ts";
import { Snapshot } from "../../../../shared/snapshot.ts";
import type { SnapshotCase } from "../check/snapshots.ts";
import { dragons } from "../games/dragons.ts";
import { meaningOfSnapshot } from "../meanings/snapshot.ts";
import { deflateFixed, deflateRle, deflateStored } from "./deflate.ts";

const NPCS = 6;
const SEED = 1350;
/** The room's options: chests hang on joints, which no reader of the vectors needs. */
const WITHOUT_LOOT = [0, 0, 0, 1];
/** A match without fireballs and eggs by then has another seed's luck. */
const TICKS_MAX = 4000;

/** All cases of `snapshots.json`. */
export function snapshotCases(): SnapshotCase[] {
  const first = stateWhere(({ tick }) => tick === 3);
  const busy = stateWhere(isBusy);
  // As many blocks as a reader takes.
  const blocks = 16 + Math.floor(busy.length * 4 / 1024);
  return [
    snapshotCase("a fresh match, as it is", first),
    snapshotCase("a fresh match, in a block with dynamic codes", first, deflateRle),
    snapshotCase("fireballs, eggs and contacts, as they are", busy),
    snapshotCase("the same in a block with fixed codes", busy, deflateFixed),
    snapshotCase(
      "the same in stored blocks, as many as a reader takes",
      busy,
      (bytes) => deflateStored(bytes, blocks),
    ),
  ];
}

function isBusy({ world, tick }: DragonSimulation): boolean {
  return tick > 100 && world.all("fireball").length > 1 && world.all("egg").length > 1;
}

/** The first state of one match that a test accepts. @throws RangeError if there is none */
function stateWhere(accepts: (simulation: DragonSimulation) => boolean): Snapshot {
  const simulation = dragonGame.start({ npcs: NPCS, choices: WITHOUT_LOOT }, SEED);
  const state = new Snapshot();
  for (let tick = 0; tick < TICKS_MAX; tick++) {
    simulation.save(state);
    if (accepts(simulation) && !hasNegativeZero(state)) return state;
    const commands = new Array<DragonCommand | undefined>(SEATS).fill(undefined);
    for (const seat of simulation.npcSeats) commands[seat] = simulation.npcCommand(seat, []);
    simulation.step(commands);
  }
  throw new RangeError("no such state");
}

/** A meaning is JSON, whose writers make a 0 of −0. */
function hasNegativeZero({ words, length }: Snapshot): boolean {
  return words.subarray(0, length).some((word) => word >>> 0 === 0x8000_0000);
}

function snapshotCase(
  about: string,
  state: Snapshot,
  deflate?: (bytes: Uint8Array) => Uint8Array,
): SnapshotCase {
  const { schema } = dragons;
  const plain = state.bytes();
  const bytes = deflate?.(plain) ?? plain;
  return {
    about,
    game: schema.id,
    length: plain.length,
    deflated: deflate === undefined ? 0 : 1,
    bytes: bytes.toHex(),
    hash: hashOfSnapshot(state),
    ...meaningOfSnapshot(state, schema),
  };
}
