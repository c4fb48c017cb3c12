/**
 * Attacks by messages: broken ones, too many, and commands for ticks that are over or far ahead.
 */
import type { DragonCommand } from "../../../../shared/games/dragons/declaration.ts";
import { dragonGame } from "../../../../shared/games/dragons/game.ts";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { OPCODE } from "../../../support/sockets/raw_socket.ts";
import { commandOf, type Stranger } from "../../../support/sockets/stranger.ts";
import { FRAMES, HELLOS, MESSAGES, randomBytes } from "../../../support/sockets/violations.ts";
import { type Attack, countsOf, many, until } from "../attack.ts";
import type { Target } from "../target.ts";

const VIOLATIONS = [...FRAMES, ...HELLOS, ...MESSAGES];

async function honestPlayer(target: Target): Promise<string> {
  const stranger = await target.join(target.newAddress());
  assert(stranger.welcome !== undefined, stranger.closeInfo?.reason);
  stranger.send(commandOf(stranger));
  const { tick } = stranger;
  await stranger.until(() => stranger.tick >= tick + 5 || stranger.closeInfo !== undefined);
  assertEquals(stranger.closeInfo, undefined);
  await stranger.leave();
  return "a player of the same room plays";
}

const protocolViolations: Attack = {
  name: "protocol_violations",
  threat: "6",
  isQuick: true,
  honest: honestPlayer,
  async commit(target) {
    const codes: number[] = [];
    const address = target.newAddress();
    for (const { name, after, hello, commit, code, reason } of VIOLATIONS) {
      const stranger = after === "join"
        ? await target.join(address, hello)
        : await target.upgrade(address);
      assertEquals(stranger.closeInfo, undefined, name);
      commit(stranger);
      const closeInfo = await stranger.ended();
      assertEquals(closeInfo.code, code, name);
      assertMatch(closeInfo.reason, reason);
      codes.push(closeInfo.code);
    }
    return `${VIOLATIONS.length} violations: ${countsOf(codes)}`;
  },
};

const randomMessages: Attack = {
  name: "random_messages",
  threat: "11",
  honest: honestPlayer,
  async commit(target) {
    const codes: number[] = [];
    for (let wave = 0; wave < 2; wave++) {
      const address = target.newAddress();
      codes.push(
        ...await many(30, async (i) => {
          const seed = wave * 30 + i + 1;
          const stranger = wave === 0
            ? await target.upgrade(address)
            : await target.join(address, { room: "RAND" });
          if (stranger.closeInfo !== undefined) return stranger.closeInfo.code;
          for (let j = 0; j < 20; j++) {
            const bytes = randomBytes(1 + (seed * 37 + j * 11) % 900, seed * 100 + j);
            bytes[0] = bytes[0]! | 1; // else it could be a hello of another version, which has a code of its own
            stranger.frame(bytes);
          }
          return (await stranger.ended()).code;
        }),
      );
    }

    assert(codes.every((code) => [4000, 4004].includes(code)), countsOf(codes));
    return `random bytes for hellos and in play: ${countsOf(codes)}`;
  },
};

/** Whether a tick announces a seat's command for a tick. */
function isAnnounced({ ticks }: Stranger, { seat, tick }: { seat: number; tick: number }): boolean {
  return ticks.some(({ announcements }) =>
    announcements.some((each) => each.seat === seat && each.tick === tick)
  );
}

const oddTicks: Attack = {
  name: "odd_ticks",
  threat: "13",
  isQuick: true,
  honest: honestPlayer,
  async commit(target) {
    const stranger = await target.join(target.newAddress());
    const { welcome, tick: now } = stranger;
    const { seat } = welcome!;
    const wrong = [now - 1, now - 40, now - 1_000, 0, now + 65 + 20, now + 1_000, 1e6, 2 ** 31 - 1]
      .map((tick) => Math.max(0, tick));
    for (const tick of wrong) {
      for (let i = 0; i < 10; i++) stranger.send(commandOf(stranger, { tick }));
    }
    const command: DragonCommand = {
      ...dragonGame.command.neutral,
      dir: -1,
      flapHeld: 1,
      flaps: 3,
      fires: 3,
    };
    stranger.send(commandOf(stranger, { tick: now + 6 }));
    for (let i = 0; i < 50; i++) stranger.send(commandOf(stranger, { tick: now + 6, command }));
    await stranger.until(() => stranger.tick >= now + 12 || stranger.closeInfo !== undefined);
    assertEquals(stranger.closeInfo, undefined);
    const seatNumber = seat!;

    for (const tick of wrong) {
      assert(
        !isAnnounced(stranger, { seat: seatNumber, tick }),
        `the command for tick ${tick} was taken`,
      );
    }

    const taken = stranger.ticks.flatMap(({ announcements }) => announcements)
      .filter((each) => each.seat === seatNumber && each.tick === now + 6);
    assertEquals(
      taken.map(({ command }) => command.dir),
      [1],
      "the first command for a tick counts",
    );
    return `80 commands for ${wrong.length} wrong ticks: none taken; 50 changes of one command: the first counts`;
  },
};

const messageFlood: Attack = {
  name: "message_flood",
  threat: "8",
  isQuick: true,
  async honest(target) {
    const stranger = await target.join(target.newAddress(), { room: "FLOO" });
    for (let i = 0; i < 220; i++) stranger.send({ type: "ping", id: i & 255 });
    const { tick } = stranger;
    await stranger.until(() => stranger.tick >= tick + 10 || stranger.closeInfo !== undefined);
    assertEquals(stranger.closeInfo, undefined);
    return "what a line brings at once after a pause of 10 s, 220 messages: the link stays";
  },
  async commit(target) {
    const address = target.newAddress();
    const strangers = await many(10, () => target.join(address, { room: "FLOO" }));
    for (const stranger of strangers) {
      for (let i = 0; i < 3_000; i++) {
        stranger.send(i % 2 === 0 ? { type: "ping", id: i & 255 } : commandOf(stranger));
      }
    }
    return await closesWith(strangers, [4006, 4014, 1006]);
  },
};

const pingFlood: Attack = {
  name: "ping_flood",
  threat: "8",
  isQuick: true,
  async honest(target) {
    const stranger = await target.join(target.newAddress(), { room: "PING" });
    for (let i = 0; i < 50; i++) stranger.frame(new Uint8Array(), { opcode: OPCODE.ping });
    const { tick } = stranger;
    await stranger.until(() => stranger.tick >= tick + 10 || stranger.closeInfo !== undefined);
    assertEquals(stranger.closeInfo, undefined);
    return "50 pings at once: the link stays";
  },
  async commit(target) {
    const address = target.newAddress();
    const strangers = await many(20, () => target.upgrade(address));
    for (const stranger of strangers) {
      const opcodes = [OPCODE.ping, OPCODE.pong];
      for (let i = 0; i < 3_000; i++) {
        stranger.frame(new Uint8Array(125), { opcode: opcodes[i % 2]! });
      }
    }
    return await closesWith(strangers, [4006, 4014, 1006]);
  },
};

/** Sixty spectators from one address. */
async function sixtySpectators(target: Target): Promise<Stranger[]> {
  const address = target.newAddress();
  await target.openRooms("MSGA", "MSGB");
  return await many(
    60,
    (i) => target.join(address, { room: i % 2 === 0 ? "MSGA" : "MSGB", spectate: true }),
  );
}

function sendPings(stranger: Stranger, count: number): void {
  for (let i = 0; i < count; i++) stranger.send({ type: "ping", id: i & 255 });
}

const messagesOfOneAddress: Attack = {
  name: "messages_of_one_address",
  threat: "W6",
  isQuick: true,
  async honest(target) {
    const strangers = await sixtySpectators(target);
    for (const stranger of strangers) sendPings(stranger, 60);
    const tick = strangers[0]!.tick + 5;
    await strangers[0]!.until(() =>
      strangers[0]!.tick >= tick || strangers[0]!.closeInfo !== undefined
    );
    assertEquals(
      countsOf(strangers.map(({ closeInfo }) => closeInfo?.code ?? "open")),
      "60 × open",
    );
    return "60 links with 60 messages each: all stay";
  },
  async commit(target) {
    const strangers = await sixtySpectators(target);
    for (const stranger of strangers) sendPings(stranger, 290);
    await until("closes", () => strangers.some(({ closeInfo }) => closeInfo?.code === 4014), {
      seconds: 5,
    });
    const codes = countsOf(strangers.map(({ closeInfo }) => closeInfo?.code ?? "open"));
    return `60 links with 290 messages each at once: ${codes}`;
  },
};

/**
 * Waits until all links are closed.
 * @returns the codes in words
 * @throws AssertionError if another code is among them
 */
async function closesWith(
  strangers: readonly Stranger[],
  allowed: readonly number[],
): Promise<string> {
  await until("closed", () => strangers.every(({ closeInfo }) => closeInfo !== undefined), {
    seconds: 10,
  });
  const codes = strangers.map(({ closeInfo }) => closeInfo!.code);
  assert(codes.every((code) => allowed.includes(code)), countsOf(codes));
  return `floods on ${strangers.length} links: ${countsOf(codes)}`;
}

export const PROTOCOL_ATTACKS: readonly Attack[] = [
  protocolViolations,
  randomMessages,
  oddTicks,
  messageFlood,
  pingFlood,
  messagesOfOneAddress,
];
