/** Floods on real sockets, and the ticks that they would delay. */
import { assertEquals } from "@std/assert";
import { Links } from "../../../server/links/links.ts";
import { DEFAULT_LIMITS } from "../../../server/settings/limits.ts";
import { LinkServer } from "../../support/sockets/link_server.ts";
import { OPCODE, RawSocket } from "../../support/sockets/raw_socket.ts";

/** What a new link hurries: its handshake and its hello. */
const GREETING = 2;
/** Messages that a link may bring between two ticks. */
const FREE = 32;
/** The link is closed after 300, and what follows is read all the same. */
const FLOOD = 400;

Deno.test("Links: a new link, its hello, and messages beyond 32 between two ticks hurry the ticks, also pings, and those on a link that is closing (SPEC 2.16)", async () => {
  let ticks = 0;
  let hurried = 0;
  let handled = 0;
  const tickRunner = {
    get ticks() {
      return ticks;
    },
    hurry: () => void hurried++,
  };
  const until = Promise.withResolvers<void>();
  const ends: number[] = [];
  const links = new Links({
    ...DEFAULT_LIMITS,
    tickRunner,
    log() {},
    admit(link) {
      link.onMessage(() => void handled++);
      link.onClose((code) => {
        ends.push(code);
        until.resolve();
      });
    },
  });
  await using server = await LinkServer.open({ links });
  const { raw } = await RawSocket.upgrade(server.port);

  try {
    /** Sends a message and waits until it has been handled. */
    const send = async (count: number) => {
      const last = handled + count;
      for (let i = 0; i < count; i++) {
        await raw.frame(new Uint8Array([i & 255]), { opcode: OPCODE.binary });
      }
      while (handled < last) await new Promise((resolve) => setTimeout(resolve, 1));
    };
    await send(FREE);
    assertEquals(hurried, GREETING);
    await send(3);
    assertEquals(hurried, GREETING + 3);
    ticks++;
    await send(FREE);
    assertEquals(hurried, GREETING + 3, "a tick has run");
    await raw.frame(new Uint8Array(), { opcode: OPCODE.ping });
    await send(1);
    assertEquals(hurried, GREETING + 5, "a ping is a message");
    for (let i = 0; i < FLOOD; i++) await raw.frame(new Uint8Array([0]), { opcode: OPCODE.binary });
    await raw.frame(new Uint8Array([1000 >> 8, 1000 & 255]), { opcode: OPCODE.close });
    await until.promise;
    assertEquals(ends, [4006]);
    assertEquals(
      hurried,
      GREETING + 5 + FLOOD,
      "all of them, although the link was closed after some",
    );
  } finally {
    raw[Symbol.dispose]();
  }
});
