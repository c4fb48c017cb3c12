/** Attacks on places: seats, spectators' places and rooms without players. */
import { assert, assertEquals, assertGreater, assertLessOrEqual } from "@std/assert";
import type { Hello } from "../../../../shared/netcode/wire/messages.ts";
import { OPCODE } from "../../../support/sockets/raw_socket.ts";
import { commandOf, type Stranger } from "../../../support/sockets/stranger.ts";
import { randomBytes } from "../../../support/sockets/violations.ts";
import { type Attack, countsOf, many, until, wait } from "../attack.ts";
import { WIDE_DOOR } from "./sockets.ts";
import type { Target } from "../target.ts";

/**
 * Joins from one address at once.
 * @returns those that got in, and everyone's codes, 0 for a welcome
 */
async function joinAll(
  target: Target,
  hellos: readonly Partial<Hello>[],
  address = target.newAddress(),
) {
  const strangers = await many(hellos.length, (i) => target.join(address, hellos[i]));
  const codes = strangers.map(({ closeInfo }) => closeInfo?.code ?? 0);
  return { inside: strangers.filter(({ closeInfo }) => closeInfo === undefined), codes };
}

/** A room's seats as operators see them: connected players, and reserved seats. */
async function seatsOf(
  target: Target,
  code: string,
): Promise<{ players: number; reserved: number }> {
  const { rooms } = await (await target.server.ask("api/ops/rooms")).json();
  const room = rooms.find(({ room }: { room: string }) => room === code);
  const players =
    room?.clients.filter(({ seat }: { seat?: number }) => seat !== undefined).length ?? 0;
  return { players, reserved: room?.reservedSeats ?? 0 };
}

/** Takes the twelve seats beside the honest players. */
async function takeTwelve(target: Target): Promise<Stranger[]> {
  // A seat that a player has left is free some ticks later, when every client knows.
  await wait(1_500);
  const { inside } = await joinAll(target, Array.from({ length: 12 }, () => ({ room: "BOTS" })));
  assertEquals(inside.length, 12, "seats taken");
  return inside;
}

/** Takes a seat in the honest players' room from another address. */
async function takeSeat(target: Target): Promise<string> {
  const { inside: [stranger], codes } = await joinAll(target, [{ room: "BOTS" }]);
  assertEquals(codes, [0]);
  await stranger!.play(30);
  assertEquals(stranger!.closeInfo, undefined);
  await stranger!.leave();
  return "somebody takes a seat, plays and leaves";
}

const seatsNeverPlayed: Attack = {
  name: "seats_never_played",
  threat: "W9",
  honest: takeSeat,
  async commit(target) {
    const inside = await takeTwelve(target);
    await until(
      "seats given away",
      () => inside.every(({ closeInfo }) => closeInfo !== undefined),
      { seconds: 14 },
    );
    const codes = countsOf(inside.map(({ closeInfo }) => closeInfo!.code));
    assertEquals(codes, "12 × 4013");
    await takeSeat(target);
    return `12 seats without a command: ${codes} after 10 s, and others sit there`;
  },
};

const cutSeats: Attack = {
  name: "cut_seats",
  threat: "20",
  isQuick: true,
  async honest(target) {
    const address = target.newAddress();
    const stranger = await target.join(address, { room: "CUTS" });
    await stranger.play(40);
    stranger.cut();
    const back = await target.join(address, { room: "CUTS", resume: stranger.welcome!.resume });
    assertEquals(back.welcome!.seat, stranger.welcome!.seat);
    return "a player of 2 s is cut and gets the seat back";
  },
  async commit(target) {
    const inside = await takeTwelve(target);
    for (const stranger of inside) stranger.send(commandOf(stranger));
    await wait(200);
    for (const stranger of inside) stranger.cut();
    await until("seats free", async () => {
      const { players, reserved } = await seatsOf(target, "BOTS");
      return players === 4 && reserved === 0;
    }, { seconds: 4 });
    return "12 seats with one command each, cut: all free within 4 s";
  },
};

const seatsAfterViolations: Attack = {
  name: "seats_after_violations",
  threat: "20",
  honest: takeSeat,
  async commit(target) {
    const inside = await takeTwelve(target);
    await Promise.all(inside.map((stranger) => stranger.play(30)));
    const wrongs = [
      (stranger: Stranger) => stranger.frame(new Uint8Array(1), { masked: false }),
      (stranger: Stranger) => stranger.frame(new Uint8Array(2_000)),
      (stranger: Stranger) => stranger.frame(randomBytes(32, 77)),
      (stranger: Stranger) =>
        stranger.frame(new TextEncoder().encode("x"), { opcode: OPCODE.text }),
    ];
    for (const [i, stranger] of inside.entries()) wrongs[i % wrongs.length]!(stranger);
    await until("closed", () => inside.every(({ closeInfo }) => closeInfo !== undefined), {
      seconds: 5,
    });
    await until("seats free", async () => {
      const { players, reserved } = await seatsOf(target, "BOTS");
      return players === 4 && reserved === 0;
    }, { seconds: 1 });
    return `12 seats, played and lost by violations: ${
      countsOf(inside.map(({ closeInfo }) => closeInfo!.code))
    }; all free`;
  },
};

const seatsOfOneAddress: Attack = {
  name: "seats_of_one_address",
  threat: "W9",
  server: WIDE_DOOR,
  honest: takeSeat,
  async commit(target) {
    const rooms = ["SEAA", "SEAB", "SEAC", "SEAD"].flatMap((room) =>
      Array.from({ length: 15 }, () => ({ room }))
    );
    const { codes } = await joinAll(target, rooms);
    const counts = countsOf(codes);
    assertEquals(counts, "40 × 0, 20 × 4014");
    return `60 seats for one address, where 40 are allowed: ${counts}`;
  },
};

const spectatorsOfOneAddress: Attack = {
  name: "spectators_of_one_address",
  threat: "W6",
  async honest(target) {
    await target.openRooms("EYES");
    const { codes } = await joinAll(
      target,
      Array.from({ length: 20 }, () => ({ room: "EYES", spectate: true })),
    );
    assertEquals(countsOf(codes), "20 × 0");
    return "20 spectators of one address: welcome";
  },
  async commit(target) {
    await target.openRooms("EYEA", "EYEB", "EYEC", "EYED");
    const rooms = ["EYEA", "EYEB", "EYEC", "EYED"].flatMap((room) =>
      Array.from({ length: 22 }, () => ({ room, spectate: true }))
    );
    const { codes } = await joinAll(target, rooms);
    const counts = countsOf(codes);
    assertEquals(counts, "64 × 0, 24 × 4014");
    return `88 spectators of one address: ${counts}`;
  },
};

const fullRoom: Attack = {
  name: "full_room",
  threat: "W9",
  honest: takeSeat,
  async commit(target) {
    const players = await joinAll(target, Array.from({ length: 20 }, () => ({ room: "FULL" })));
    const first = await joinAll(
      target,
      Array.from({ length: 40 }, () => ({ room: "FULL", spectate: true })),
    );
    const playing = countsOf(players.codes);
    const watching = countsOf(first.codes);
    assertEquals([playing, watching], ["16 × 0, 4 × 4004", "32 × 0, 8 × 4004"]);
    // Another address gets half of the spectators' places, and no more.
    const others = await joinAll(
      target,
      Array.from({ length: 20 }, () => ({ room: "FULL", spectate: true })),
    );
    const sharing = countsOf(others.codes);
    const displaced = first.inside.filter(({ closeInfo }) => closeInfo?.code === 4016);
    assertEquals([sharing, displaced.length], ["16 × 0, 4 × 4004", 16]);
    return `20 players in a room: ${playing}; 40 spectators: ${watching}; 20 of another address: ${sharing}`;
  },
};

/** Room codes that begin with a letter pair. */
function codes(prefix: string, count: number): string[] {
  const letter = (n: number) => String.fromCharCode(65 + n);
  return Array.from(
    { length: count },
    (_, i) => prefix + letter(Math.floor(i / 26)) + letter(i % 26),
  );
}

const allRooms: Attack = {
  name: "all_rooms",
  threat: "W5",
  isQuick: true,
  async honest(target) {
    const { codes } = await joinAll(target, ["HONA", "HONB", "HONC"].map((room) => ({ room })));
    assertEquals(codes, [0, 0, 0]);
    return "3 rooms of one address: welcome";
  },
  async commit(target) {
    const before = (await target.figures()).of("wyvern_rooms");
    const address = target.newAddress();
    const { codes: watching } = await joinAll(
      target,
      codes("AW", 40).map((room) => ({ room, spectate: true })),
      address,
    );
    assertEquals(countsOf(watching), "40 × 4017");
    const { codes: playing } = await joinAll(
      target,
      codes("AL", 50).map((room) => ({ room })),
      address,
    );
    const rooms = (await target.figures()).of("wyvern_rooms") - before;
    assertLessOrEqual(rooms, 21, "rooms");
    assertEquals(countsOf(playing), "30 × 4014, 20 × 0");
    return `rooms of one address: by 40 spectators ${countsOf(watching)}; by 50 players ${
      countsOf(playing)
    }`;
  },
};

const emptyRooms: Attack = {
  name: "empty_rooms",
  threat: "W5",
  async honest(target) {
    const stranger = await target.join(target.newAddress(), { room: "STAY" });
    await stranger.play(40);
    stranger.cut();
    await wait(300);
    assertEquals((await seatsOf(target, "STAY")).reserved, 1);
    return "the room of a player of 2 s who was cut waits for them";
  },
  async commit(target) {
    const address = target.newAddress();
    const before = (await target.figures()).of("wyvern_rooms");
    let opened = 0;

    for (let wave = 0; wave < 3; wave++) {
      const hellos = codes(`E${String.fromCharCode(65 + wave)}`, 20).map((room) => ({ room }));
      const { inside } = await joinAll(target, hellos, address);
      opened += inside.length;
      for (const stranger of inside) wave < 1 ? await stranger.leave() : stranger.cut();
      await until(
        "empty rooms removed",
        async () => (await target.figures()).of("wyvern_rooms") <= before + 2,
        {
          seconds: 2,
        },
      );
    }

    assertGreater(opened, 50, "rooms opened");
    return `${opened} rooms opened and left by one address: all removed at once`;
  },
};

/**
 * A server that counts as full when the ticks take a fifth of their time, so that few rooms fill
 * it.
 */
const SMALL_MACHINE = { flags: ["--tick-load", "20", "--upgrades-per-address", "2000/2000"] };

const fullMachine: Attack = {
  name: "full_machine",
  threat: "W6",
  server: SMALL_MACHINE,
  // Newcomers do not get in, which is the right answer. The players who are in play, and need their
  // memory.
  tolerates: ["newcomerMs", "rssGrowthMb"],
  async honest(target) {
    // A busy machine is full for some seconds at its start.
    await until("room for more", async () => (await target.figures()).of("wyvern_ready") === 1, {
      seconds: 30,
    });
    return await takeSeat(target);
  },
  async commit(target) {
    const refused: number[] = [];
    let rooms = 0;

    for (let address = 0; address < 6 && refused.length === 0; address++) {
      const from = target.newAddress();
      for (const room of codes(`L${String.fromCharCode(65 + address)}`, 12)) {
        const { inside, codes } = await joinAll(
          target,
          Array.from({ length: 16 }, () => ({ room })),
          from,
        );
        void Promise.all(inside.map((stranger) => stranger.play(2_000)));
        refused.push(...codes.filter((code) => code !== 0));
        rooms++;
        if (refused.length > 0) break;
        await wait(300);
      }
    }

    assert(refused.length > 0 && refused.every((code) => code === 4010), countsOf(refused));
    const load = (await target.figures()).of("wyvern_tick_load");
    await wait(2_000);
    return `${rooms} rooms of 16 players: then ${countsOf(refused)}, at a load of ${
      Math.round(load * 100)
    } %`;
  },
};

export const SEAT_ATTACKS: readonly Attack[] = [
  cutSeats,
  seatsAfterViolations,
  spectatorsOfOneAddress,
  fullRoom,
  allRooms,
  emptyRooms,
  seatsNeverPlayed,
  seatsOfOneAddress,
  fullMachine,
];
