/** A program that plays in a project of one's own. Its argument is the server's address. */
import process from "node:process";
import { joinMatch } from "wyvern/session";

const url = process.argv[2]!;
// The project's game, as Node reads it
const { game } = await import(process.argv[3]!);
const match = await joinMatch({ server: url, game, name: "Node", network: { rttMs: 100 } });

// On a busy machine frames are rare
const endMs = performance.now() + 60_000;
let frames = 0;
let moved = 0;
let lastX: number | undefined;
while ((moved <= 20 || match.stats.rollbacks === 0) && performance.now() < endMs) {
  match.setInput({ dx: frames++ % 60 < 30 ? 1 : -1 } as never);
  const { own } = match.frame();
  if (own !== undefined && lastX !== undefined && own.x !== lastX) moved++;
  lastX = own?.x;
  await new Promise((resolve) => setTimeout(resolve, 16));
}
const { desyncs, rollbacks } = match.stats;
console.log(
  JSON.stringify({
    desyncs,
    rollbacks,
    moved,
    players: match.players.length,
    // Bun has Node's version, too
    version: process.versions.bun === undefined
      ? `Node ${process.version}`
      : `Bun ${process.versions.bun}`,
  }),
);
match.leave();
