/** Faults that strangers cause: they come in crowds, they lie, and they attack. */
import type { Simulation } from "../../../../shared/netcode/game.ts";
import { Random } from "../../../../shared/random.ts";
import type { Connection } from "../clients/connection.ts";
import { Puppet } from "../clients/puppet.ts";
import { type Fault, type PlayerSetup, setupOf } from "../schedule.ts";
import { Broken } from "../witness.ts";
import type { HuntedWorld } from "../hunted_world.ts";
import { connectionOf, type FaultKind } from "./fault.ts";

/** How many clients a storm has; fewer for dragons, because each client simulates the game. */
const STORM_CLIENTS_MAX = 12;
const STORM_DRAGONS_MAX = 4;
const FLOOD_MESSAGES = 250;
const RANDOM_BYTES_MAX = 60;
/** Time between two of a puppet's messages, ms. */
const PUPPET_EVERY_MS = 50;
/** How soon a stranger with a worthless token is checked, ms. */
const THIEF_MS = 1_000;

/** Lets guests join now who leave after a while, half of them without a word. */
function join<Command, Sim extends Simulation<Command>>(
  world: HuntedWorld<Command, Sim>,
  { ms, draw }: Fault,
  { count, room, spectate = false }: { count: number; room?: string; spectate?: boolean },
): void {
  const random = new Random(draw);
  const lines: readonly PlayerSetup[] = setupOf(random.bits(), world.game).players;

  for (let i = 0; i < count && world.isUp; i++) {
    const line = lines[i % lines.length]!;
    const seed = random.bits();
    const guest: Connection<Command, Sim> = world.connect({
      name: `guest ${i}`,
      line,
      seed,
      spectate,
      ...(room !== undefined && { room }),
    });
    const leaves = random.chance(0.5);
    world.later(random.below(ms) + 1, () => {
      if (!guest.isLive) return;
      if (leaves) guest.session.close();
      else guest.player.serverEnd.close(1006, "lost");
    });
  }
}

const joinStorm: FaultKind = {
  weight: 0.5,
  begin(world, fault) {
    const most = world.game === "dragons" ? STORM_DRAGONS_MAX : STORM_CLIENTS_MAX;
    join(world, fault, { count: 2 + fault.draw % (most - 1) });
  },
};

const spectators: FaultKind = {
  weight: 0.5,
  begin(world, fault) {
    join(world, fault, { count: 1 + fault.draw % 2, spectate: true });
  },
};

const ROOM_LETTERS = 26;
const FIRST_LETTER = 65;

/** Another room is opened, and soon empty. */
const roomChurn: FaultKind = {
  weight: 0.5,
  begin(world, fault) {
    const letter = String.fromCharCode(FIRST_LETTER + fault.draw % ROOM_LETTERS);
    join(world, fault, { count: 1 + fault.draw % 2, room: `ROM${letter}` });
  },
};

/** Lets a puppet act until the fault is over. */
function puppeteer<Command, Sim extends Simulation<Command>>(
  world: HuntedWorld<Command, Sim>,
  { ms, draw }: Fault,
  act: (puppet: Puppet<Command, Sim>, random: Random) => void,
): void {
  if (!world.isUp) return;
  const random = new Random(draw);
  const puppet = new Puppet(world, { ordered: random.chance(0.5) });
  world.strangers.push(puppet);
  const endMs = world.lab.nowMs + ms;
  const go = () => {
    if (!puppet.isOpen || !world.strangers.includes(puppet)) return;
    if (world.lab.nowMs >= endMs) return puppet.close(random.chance(0.5) ? 1000 : 1006);
    act(puppet, random);
    world.later(PUPPET_EVERY_MS, go);
  };
  go();
}

const hostileBytes: FaultKind = {
  weight: 0.5,
  begin(world, fault) {
    const calmUntilMs = world.lab.nowMs + fault.ms / 2;
    puppeteer(world, fault, (puppet, random) => {
      if (world.lab.nowMs < calmUntilMs) {
        return puppet.command(world.tick + 3, {
          received: world.tick,
          leadMs: 100,
          command: world.parts.anyCommand(random),
        });
      }
      puppet.sendBytes(
        Uint8Array.from({ length: 1 + random.below(RANDOM_BYTES_MAX) }, () => random.bits()),
      );
    });
  },
};

const hostileTicks: FaultKind = {
  weight: 0.5,
  begin(world, fault) {
    puppeteer(world, fault, (puppet, random) => {
      const wrong = [
        0,
        1,
        world.tick + 64,
        world.tick + 65,
        world.tick + 10_000,
        2 ** 30,
      ][random.below(6)]!;
      puppet.command(wrong, {
        received: world.tick,
        leadMs: 100,
        command: world.parts.anyCommand(random),
      });
    });
  },
};

const flood: FaultKind = {
  weight: 0.5,
  begin(world, fault) {
    puppeteer(world, { ...fault, ms: Math.min(fault.ms, 400) }, (puppet, random) => {
      for (let i = 0; i < FLOOD_MESSAGES; i++) {
        const tick = world.tick + random.below(70);
        puppet.command(tick, {
          received: world.tick,
          leadMs: 100,
          command: world.parts.anyCommand(random),
        });
      }
    });
  },
};

/** A player plays, but lies about what they have and when they sent it. */
const lyingClient: FaultKind = {
  weight: 1,
  begin(world, fault) {
    const lie = fault.draw % 4;
    const isTooNew = fault.draw % 40 === 3;
    puppeteer(world, fault, (puppet, random) => {
      const { tick } = world;
      const received = lie === 0 ? 0 : lie === 1 ? Math.max(0, tick - 100) : tick;
      const leadMs = lie === 2 ? 4_095 : lie === 3 ? 0 : 150;
      const ahead = lie === 2 ? 63 : 1 + random.below(6);
      const claims = {
        received: isTooNew ? tick + 1_000 : received,
        leadMs,
        command: world.parts.anyCommand(random),
      };
      puppet.command(tick + ahead, claims);
    });
  },
};

/** A stranger shows a token that has been replaced. */
const stolenToken: FaultKind = {
  weight: 1,
  begin(world, fault) {
    const victim = world.residents[fault.who]!;
    const connection = connectionOf(world, fault);
    const resume = victim.oldTokens.at(-1);
    // An old token counts until the new connection's first command has come.
    if (connection === undefined || resume === undefined || !connection.hasPlayed) return;
    const thief = new Puppet(world, { ordered: true, resume });
    const { witness } = connection;
    world.strangers.push(thief);
    world.later(THIEF_MS, () => {
      const seat = connection.session.seat;
      if (
        thief.seat === seat && connection.witness === witness && world.strangers.includes(thief)
      ) {
        throw new Broken("an old token is worth nothing", `seat ${seat} was stolen`);
      }
      thief.close(1000);
    });
  },
};

export const STRANGER_FAULTS = {
  "join storm": joinStorm,
  "spectators": spectators,
  "room churn": roomChurn,
  "hostile client: bytes": hostileBytes,
  "hostile client: ticks": hostileTicks,
  "hostile client: flood": flood,
  "lying client": lyingClient,
  "stolen old token": stolenToken,
} as const;
