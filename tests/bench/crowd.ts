/**
 * Players who do not simulate: they fly with the hand of the golden run, and answer each tick with a command at a moment of their own.
 * To the server they are eight players in each room; beside it on one machine there is no room for hundreds of real ones.
 *
 *     deno run --allow-net tests/bench/crowd.ts URL ROOMS
 */
import { dragonGame } from "../../shared/dragons/game.ts";
import { PROTOCOL_VERSION, type UpMessage } from "../../shared/netcode/protocol.ts";
import { DownDecoder } from "../../shared/netcode/protocol_down.ts";
import { UpEncoder } from "../../shared/netcode/protocol_up.ts";
import { Random } from "../../shared/random.ts";
import type { DragonCommand } from "../../shared/dragons/command.ts";
import { ScriptedHand } from "../shared/dragons/rig.ts";

const PLAYERS = 8;
const TICK_MS = 1000 / dragonGame.tickHz;
/** Commands are for so many ticks after the newest one: a line of 100 ms. */
const AHEAD_TICKS = 4;
/** The server's gate lets 100 in at once and 20 a second: who was refused knocks again. */
const RETRY_MS = 500;

/** Opens one player's line. @returns when it has opened or was refused, and which */
function join(url: string, { room, seed }: { room: string; seed: number }): Promise<boolean> {
  const random = new Random(seed), hand = new ScriptedHand();
  const encoder = new UpEncoder(dragonGame.command, { ordered: true }), decoder = new DownDecoder(dragonGame.command);
  const socket = new WebSocket(`${url}socket`);
  socket.binaryType = "arraybuffer";
  const say = (message: UpMessage<DragonCommand>) => {
    const bytes = encoder.encode(message).slice();
    if (socket.readyState === WebSocket.OPEN) socket.send(bytes);
  };
  const phaseMs = random.below(TICK_MS);
  socket.onmessage = ({ data }) => {
    const message = decoder.decode(new Uint8Array(data as ArrayBuffer));
    if (message.kind !== "tick") return;
    const { tick: received } = message;
    const command = hand.next(random);
    setTimeout(() => {
      say({ kind: "command", tick: received + AHEAD_TICKS, command, leadMs: 150, received, outOfStep: false });
    }, phaseMs);
  };
  return new Promise((resolve) => {
    socket.onerror = () => resolve(false);
    socket.onclose = () => resolve(false);
    socket.onopen = () => {
      say({
        kind: "hello",
        protocolVersion: PROTOCOL_VERSION,
        gameId: dragonGame.id,
        room,
        name: `rider ${seed}`,
        watch: false,
        streams: "no",
        resume: undefined,
      });
      resolve(true);
    };
  });
}

/** Four letters for a number. */
function roomCode(n: number): string {
  return `CR${String.fromCharCode(65 + Math.floor(n / 26), 65 + n % 26)}`;
}

const [url, rooms] = Deno.args;
for (let player = 0; player < Number(rooms) * PLAYERS; player++) {
  const place = { room: roomCode(Math.floor(player / PLAYERS)), seed: player + 1 };
  while (!await join(url!.replace("http", "ws"), place)) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
}
