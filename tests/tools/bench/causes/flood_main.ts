/**
 * Floods a server, in a process of its own: every two seconds spectators join a room, and each
 * sends far more messages at once than the server permits. It prints a line per flood, the number
 * of spectators that the server closed for it, and ends when its parent ends it.
 *
 *     deno run --allow-net tests/tools/bench/causes/flood_main.ts PORT ROOM
 */
import { dragonGame } from "../../../../shared/games/dragons/game.ts";
import { CloseCode } from "../../../../shared/netcode/wire/messages.ts";
import { ClientMessageEncoder } from "../../../../shared/netcode/wire/client_messages.ts";
import { OPCODE } from "../../../support/sockets/raw_socket.ts";
import { Stranger } from "../../../support/sockets/stranger.ts";

/** How many spectators flood at once: as many as a room admits. */
export const FLOODERS = 32;
/** How many messages each spectator sends: three times as many as the server takes at once. */
const MESSAGES = 1000;
const EVERY_MS = 2000;

/** A thousand pings as they travel: frames of at most 125 bytes with a mask of zeros. */
function pings(): Uint8Array {
  const encoder = new ClientMessageEncoder(dragonGame.command, { ordered: true });
  const bytes: number[] = [];
  for (let id = 0; id < MESSAGES; id++) {
    const message = encoder.encode({ type: "ping", id: id & 255 });
    bytes.push(0x80 | OPCODE.binary, 0x80 | message.length, 0, 0, 0, 0, ...message);
  }
  return new Uint8Array(bytes);
}

/** @returns how many of the spectators the server closed for flooding */
async function flood(
  port: number,
  { room, bytes }: { room: string; bytes: Uint8Array },
): Promise<number> {
  const join = () => Stranger.join(port, { room, spectate: true });
  const strangers = await Promise.all(Array.from({ length: FLOODERS }, join));
  for (const stranger of strangers) stranger.write(bytes);
  const ends = await Promise.all(strangers.map((stranger) => stranger.ended()));
  for (const stranger of strangers) stranger.cut();
  return ends.filter(({ code }) => code === CloseCode.flood).length;
}

if (import.meta.main) {
  const [port, room = ""] = Deno.args;
  const bytes = pings();
  for (;;) {
    console.log(await flood(Number(port), { room, bytes }));
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
  }
}
