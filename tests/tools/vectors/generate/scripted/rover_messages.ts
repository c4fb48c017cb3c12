/**
 * A connection of the third game: a room with options, and seats whose commands have whole numbers
 * of a range.
 */
import { Random } from "../../../../../shared/random.ts";
import { rovers } from "../../games/rovers.ts";
import { type CommandValues, valuesOf } from "../../games/vector_game.ts";
import { ServerScript } from "./server_script.ts";

/** A command of which each field changes by chance: a little, or to any value. */
function nextCommand(before: CommandValues, random: Random): CommandValues {
  return rovers.schema.command!.map((field, i) => {
    const values = valuesOf(field);
    const step = values[values.indexOf(before[i]!) + (random.chance(0.5) ? 1 : -1)];
    if (random.chance(0.4)) return before[i]!;
    return random.chance(0.5) && step !== undefined ? step : values[random.below(values.length)]!;
  });
}

/** The tick message that a notice follows. */
const NOTICE_AT = 20;

/** The tick message after which some ticks go by a datagram path, which the server has offered. */
const LEFT_AT = 30;
const MISSED_TICKS = 3;

/**
 * A welcome, a state, and ticks in which four seats announce commands, with a notice between two of
 * them, and a gap that the reliable channel fills after a datagram path.
 */
export function roverMessages(): Uint8Array[] {
  const script = new ServerScript(rovers);
  const random = new Random(1311);
  const seats = [0, 1, 15, 20];
  script.push({
    type: "welcome",
    seat: 1,
    resumed: 1,
    token: "0a1b2c3d4e5f60710a1b2c3d4e5f6071",
    npcs: 1,
    seed: 24,
    choices: [2, 200],
    ordered: 0,
  });
  const commands = new Map(seats.map((seat) => [seat, nextCommand(rovers.codec.neutral, random)]));
  script.state(600, null, { seats: seats.map((seat) => [seat, "", 0, commands.get(seat)!]) });

  for (let i = 0; i < 40; i++) {
    for (const [seat, before] of commands) commands.set(seat, nextCommand(before, random));
    script.tick(null, {
      announcements: seats.map((seat) => [seat, script.nextTick, commands.get(seat)!]),
    });
    if (i === NOTICE_AT) script.push({ type: "notice", text: "The server stops at noon ☀" });
    if (i !== LEFT_AT) continue;
    script.push({
      type: "offer",
      port: 8080,
      token: "00ff00ffdeadbeef0123456789abcdef",
      hash: "0f1e2d3c".repeat(8),
    });
    script.push({ type: "offer", port: 65_535, token: "f".repeat(32), hash: null });
    for (const [seat, before] of commands) commands.set(seat, nextCommand(before, random));
    script.resume(
      MISSED_TICKS,
      seats.map((seat) => [seat, script.nextTick + MISSED_TICKS - 1, commands.get(seat)!]),
    );
  }

  return script.messages;
}
