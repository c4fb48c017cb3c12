/**
 * A whole page of one's own, without a library: cars in a yard on a plain canvas. Arrow keys drive;
 * a finger or the mouse drives to where it points. `?server=` names the server.
 */
import { joinMatch } from "wyvern/session";
import { game } from "../../shared/game_kit/templates/top/game.ts";

const canvas = document.querySelector("canvas")!;
const pen = canvas.getContext("2d")!;
const scores = document.querySelector("#scores")!;
const status = document.querySelector("#status")!;

// What the player holds
const keys = new Set<string>();
let finger: PointerEvent | undefined;
addEventListener("keydown", ({ code }) => keys.add(code));
addEventListener("keyup", ({ code }) => keys.delete(code));
addEventListener("pointerdown", (event) => finger = event);
addEventListener("pointermove", (event) => finger &&= event);
addEventListener("pointerup", () => finger = undefined);

// The address names the room, so it is an invitation, and a reload comes back to the seat
const match = await joinMatch({
  server: new URLSearchParams(location.search).get("server") ?? location.origin,
  game,
  room: location.hash.slice(1) || undefined,
  seatToken: sessionStorage.getItem("seat") ?? undefined,
  onStatus: ({ phase, text }) => status.textContent = phase === "playing" ? "" : text,
}).catch(({ message }) => void (status.textContent = message));
if (match !== undefined) history.replaceState(null, "", `#${match.room}`);

/** Rings that bumps and points leave behind: where, and since when, ms. */
const rings: { readonly x: number; readonly y: number; readonly atMs: number }[] = [];
const RING_MS = 400;

function draw(nowMs: number): void {
  if (match === undefined) return;
  requestAnimationFrame(draw);
  const { things, own, events, definitive } = match.frame();

  // Metres to pixels, with y upwards
  canvas.width = innerWidth;
  canvas.height = innerHeight;
  const scale = Math.min(canvas.width / 30, canvas.height / 18);
  pen.setTransform(scale, 0, 0, -scale, canvas.width / 2, canvas.height / 2);

  // Drive with the keys, or to where the finger is
  const isDown = (code: string) => Number(keys.has(code));
  let dx = isDown("ArrowRight") - isDown("ArrowLeft");
  let dy = isDown("ArrowUp") - isDown("ArrowDown");
  if (finger !== undefined && own !== undefined) {
    dx = Math.sign(Math.round((finger.clientX - canvas.width / 2) / scale - own.x));
    dy = Math.sign(Math.round((canvas.height / 2 - finger.clientY) / scale - own.y));
  }
  match.setInput({ dx, dy });

  // The yard, and what is in it
  pen.fillStyle = "#3d4a66";
  for (const { shape } of game.declaration.ground) {
    if (!("box" in shape)) continue;
    const { box: [halfWidth, halfHeight], x = 0, y = 0 } = shape;
    pen.fillRect(x - halfWidth, y - halfHeight, 2 * halfWidth, 2 * halfHeight);
  }
  for (const thing of things) {
    pen.save();
    pen.translate(thing.x, thing.y);
    pen.rotate(thing.angle);
    pen.fillStyle = thing.name === "ring" ? "#2b3650" : thing.colour;
    if (thing.name === "ring") fillCircle(2);
    else pen.fillRect(-0.8, -0.45, 1.6, 0.9);
    pen.fillStyle = "#1d2433";
    if (thing.name === "car") pen.fillRect(0.1, -0.35, 0.3, 0.7);
    pen.restore();
  }

  // What just happened
  for (const { x, y } of events) rings.push({ x, y, atMs: nowMs });
  while (rings.length > 0 && nowMs - rings[0]!.atMs > RING_MS) rings.shift();
  pen.lineWidth = 0.08;
  pen.strokeStyle = "#ffd166";
  for (const { x, y, atMs } of rings) {
    pen.beginPath();
    pen.arc(x, y, 0.5 + 2 * (nowMs - atMs) / RING_MS, 0, 2 * Math.PI);
    pen.stroke();
  }

  // Scores come from the definitive world, because none of them is taken back
  const lines = match.players.map(({ seat, name, own }) =>
    `${own ? "▸ " : "  "}${name}  ${definitive.player(seat)?.fields.score ?? 0}`
  );
  scores.textContent = lines.join("\n");
  if (match.seatToken !== undefined) sessionStorage.setItem("seat", match.seatToken);
}

function fillCircle(radius: number): void {
  pen.beginPath();
  pen.arc(0, 0, radius, 0, 2 * Math.PI);
  pen.fill();
}

requestAnimationFrame(draw);
// For the console, and for tests
Object.assign(globalThis, { match });
