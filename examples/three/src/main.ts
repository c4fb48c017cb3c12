/** The page: joins a match, and for each frame sends what the player does and draws what is there. */
import { joinMatch } from "wyvern/session";
import { game } from "../games/tumble/game.ts";
import { Controls } from "./controls.ts";
import { colourOf, Hud } from "./hud.ts";
import { Yard } from "./yard.ts";

/** Where `wyvern serve` runs. */
const SERVER = import.meta.env["VITE_SERVER"] ?? "http://localhost:8080/";

const hud = new Hud();
const controls = new Controls();
const yard = await Yard.open(document.getElementById("picture")!);

try {
  // A link with #ABCD leads into that room; without one you play where most players are.
  const match = await joinMatch({
    server: SERVER,
    game,
    room: location.hash.slice(1) || undefined,
    onStatus: hud.showStatus,
  });
  history.replaceState(null, "", `#${match.room}`);
  Object.assign(globalThis, { match }); // for the browser's console

  requestAnimationFrame(function draw() {
    requestAnimationFrame(draw);
    match.setInput({ dx: controls.dx, jump: controls.isPressed });
    const frame = match.frame();
    yard.draw(frame);

    const players = frame.definitive.all("marble");
    const scores = players.map(({ seat, fields }) => ({ seat, score: fields.score }));
    const colours = new Map(frame.things.map((thing) => [thing.seat, colourOf(thing)]));
    hud.showMatch(match, scores, colours);
  });
} catch (error) {
  hud.showError(error);
}
