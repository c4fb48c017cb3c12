/**
 * Attacks by WebSockets before play begins: storms of them, too many, and frames that none of them
 * needs.
 */
import { dragonGame } from "../../../../shared/games/dragons/game.ts";
import { Buffer } from "node:buffer";
import { assert, assertEquals, assertGreater, assertLessOrEqual } from "@std/assert";
import { ClientMessageEncoder } from "../../../../shared/netcode/wire/client_messages.ts";
import { OPCODE } from "../../../support/sockets/raw_socket.ts";
import { HELLO, type Stranger } from "../../../support/sockets/stranger.ts";
import { admittedMax, type Attack, countsOf, many, until, wait } from "../attack.ts";
import type { Target } from "../target.ts";

const connectStorm: Attack = {
  name: "connect_storm",
  threat: "9",
  isQuick: true,
  async honest(target) {
    const address = target.newAddress();
    const strangers = await many(64, () => target.upgrade(address));
    assertEquals(countsOf(strangers.map(({ status }) => status)), "64 × 101");
    return "64 sockets at once: 64 × 101";
  },
  async commit(target) {
    const address = target.newAddress();
    const beganMs = performance.now();
    const strangers: Stranger[] = [];
    for (let wave = 0; wave < 6; wave++) {
      strangers.push(...await many(100, () => target.upgrade(address)));
    }
    const statuses = strangers.map(({ status }) => status || 0);
    assertLessOrEqual(
      statuses.filter((status) => status === 101).length,
      admittedMax(beganMs),
      countsOf(statuses),
    );
    return `600 sockets of one address: ${countsOf(statuses)}`;
  },
};

const retryStorm: Attack = {
  name: "retry_storm",
  threat: "9",
  async honest(target) {
    const address = target.newAddress();
    for (let i = 0; i < 5; i++) (await target.upgrade(address)).cut();
    return "a client that is cut and comes back five times: 101";
  },
  async commit(target) {
    const address = target.newAddress();
    const beganMs = performance.now();
    const statuses: number[] = [];
    await many(40, async () => {
      for (let i = 0; i < 100; i++) {
        const stranger = await target.upgrade(address);
        statuses.push(stranger.status);
        stranger.cut();
      }
    });
    const admitted = statuses.filter((status) => status === 101).length;
    assertLessOrEqual(admitted, admittedMax(beganMs), countsOf(statuses));
    assertGreater(statuses.length, admitted);
    return `40 clients of one address that retry 100 times without a pause: ${countsOf(statuses)}`;
  },
};

/**
 * A server that admits sockets as fast as they come, so that they reach the next limit within a
 * second.
 */
export const WIDE_DOOR = {
  flags: ["--upgrades-per-address", "2000/2000", "--seats-per-address", "40"],
};

const socketsOfOneAddress: Attack = {
  name: "sockets_of_one_address",
  threat: "9",
  server: WIDE_DOOR,
  async honest(target) {
    const address = target.newAddress();
    const strangers = await many(200, () => target.upgrade(address));
    assertEquals(countsOf(strangers.map(({ status }) => status)), "200 × 101");
    return "200 sockets of one address: 101";
  },
  async commit(target) {
    const address = target.newAddress();
    const strangers = await many(310, () => target.upgrade(address));
    const counts = countsOf(strangers.map(({ status }) => status));
    assertEquals(counts, "256 × 101, 54 × 503");
    return `310 sockets of one address: ${counts}`;
  },
};

const handshakeOffers: Attack = {
  name: "handshake_offers",
  threat: "6",
  isQuick: true,
  async honest(target) {
    const stranger = await target.join(target.newAddress(), { room: "OFFR" });
    assert(stranger.welcome !== undefined, stranger.closeInfo?.reason);
    return "a handshake without offers: welcome";
  },
  async commit(target) {
    const address = target.newAddress();
    const codes: number[] = [];

    for (
      const offer of [
        "permessage-deflate",
        "permessage-deflate; client_max_window_bits",
        "x-webkit-deflate-frame",
      ]
    ) {
      const stranger = await target.upgrade(address, {
        headers: [`Sec-WebSocket-Extensions: ${offer}`],
      });
      assertEquals(stranger.status, 101);
      assert(!/sec-websocket-extensions/i.test(stranger.http), stranger.http);
      // RSV1: "this frame is compressed", with a bomb behind it.
      stranger.write(
        new Uint8Array([0xc2, 0xff, 0, 0, 0, 0, 0, 0, 0, 50, 0, 0, 0, 0, ...new Uint8Array(50)]),
      );
      codes.push((await stranger.ended()).code);
    }

    assertEquals(countsOf(codes), "3 × 1002");
    return `3 offers to compress: none taken; compressed frames: ${countsOf(codes)}`;
  },
};

/** A hello as one frame. */
function helloFrame(room: string): Uint8Array {
  const hello = new ClientMessageEncoder(dragonGame.command, { ordered: true }).encode({
    ...HELLO,
    room,
  });
  return new Uint8Array([0x82, 0x80 | hello.length, 0, 0, 0, 0, ...hello]);
}

const tinyPieces: Attack = {
  name: "tiny_pieces",
  threat: "7",
  async honest(target) {
    const stranger = await target.upgrade(target.newAddress());
    for (const byte of helloFrame("TINY")) {
      stranger.write(new Uint8Array([byte]));
      await wait(2);
    }
    await stranger.until(() => stranger.welcome !== undefined || stranger.closeInfo !== undefined);
    assert(stranger.welcome !== undefined, stranger.closeInfo?.reason);
    return "a hello in pieces of a byte: welcome";
  },
  async commit(target) {
    const address = target.newAddress();
    const strangers = await many(40, () => target.upgrade(address));
    const empty = new Uint8Array([OPCODE.continuation, 0x80, 0, 0, 0, 0]);
    for (const stranger of strangers) {
      stranger.frame(new Uint8Array(), { opcode: OPCODE.binary, last: false });
      stranger.write(Buffer.alloc(5_000 * empty.length, empty));
    }
    await until("closed", () => strangers.every(({ closeInfo }) => closeInfo !== undefined), {
      seconds: 8,
    });
    const codes = countsOf(strangers.map(({ closeInfo }) => closeInfo!.code));
    assert(strangers.every(({ closeInfo }) => [1008, 1006].includes(closeInfo!.code)), codes);
    return `5,000 empty fragments on each of 40 sockets: ${codes}`;
  },
};

const socketFloodOfPaths: Attack = {
  name: "refused_upgrades",
  threat: "9",
  async honest(target) {
    assertEquals((await target.upgrade(target.newAddress(), { path: "/socket?x=1" })).status, 101);
    return "the right path: 101";
  },
  async commit(target) {
    const statuses: number[] = [];
    const beganMs = performance.now();
    const linesBefore = await refusalLines(target);
    const addresses = Array.from({ length: 20 }, () => target.newAddress());
    await many(20, async (i) => {
      for (let j = 0; j < 100; j++) {
        const stranger = await target.upgrade(addresses[i]!, {
          path: j % 2 === 0 ? "/" : "/socket/../socket",
        });
        statuses.push(stranger.status);
        stranger.cut();
      }
    });
    assert(statuses.every((status) => status === 404 || status === 429), countsOf(statuses));
    const lines = await refusalLines(target) - linesBefore;
    const linesMax = 21 + (performance.now() - beganMs) / 1000;
    assertLessOrEqual(lines, linesMax, "lines of the log");
    return `2,000 upgrades at other paths: ${countsOf(statuses)}; ${lines} lines in the log`;
  },
};

async function refusalLines({ server }: Target): Promise<number> {
  return (await server.log()).split(" refused ").length - 1;
}

export const SOCKET_ATTACKS: readonly Attack[] = [
  connectStorm,
  retryStorm,
  handshakeOffers,
  tinyPieces,
  socketFloodOfPaths,
  socketsOfOneAddress,
];
