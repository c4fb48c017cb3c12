/** The page of the testbed: one scene at a time, chosen in the address, with its controls. */
import { SCENES } from "../scenes.ts";
import { Devices } from "./devices.ts";
import { StagePainter } from "./paint_stage.ts";
import { Player, type TestbedPage } from "./player.ts";
import { fitCanvas, toPixels, type View, viewOf } from "./view.ts";

/** How far the button goes back. */
const ROLLBACK_TICKS = 20;

function find<Kind extends HTMLElement>(id: string): Kind {
  return document.getElementById(id) as Kind;
}

const canvas = find<HTMLCanvasElement>("stage");
const context = canvas.getContext("2d", { alpha: false })!;
const notice = find("notice");
const pauseButton = find<HTMLButtonElement>("pause");

let player: Player;
let painter: StagePainter;
let view: View;
let showsJoints = true;
let frames = 0;
let lastMs = performance.now();
let noticeUntilMs = 0;
let rollback: TestbedPage["rollback"];

const devices = new Devices(canvas, find("pad"), () => view);

function open(): void {
  const name = location.hash.slice(1);
  const scene = SCENES.find((each) => each.name === name) ?? SCENES[0]!;
  const showsContacts = player?.showsContacts ?? false;
  player = new Player(scene, () => devices.take());
  player.showsContacts = showsContacts;
  painter = new StagePainter(scene);
  rollback = undefined;
  say("");
  find("title").textContent = document.title = scene.title;
  document.title = `${scene.title} · Wyvern's physics`;
  find("hint").textContent = scene.hint;
  canvas.ariaLabel = `${scene.title}: ${scene.hint}`;
  devices.showPad(matchMedia("(pointer: coarse)").matches ? scene.keys ?? 0 : 0);

  for (const link of document.querySelectorAll<HTMLAnchorElement>("#scenes a")) {
    const isHere = link.hash === `#${scene.name}`;
    if (isHere) {
      link.ariaCurrent = "page";
      link.scrollIntoView({ block: "nearest", inline: "nearest" });
    } else link.removeAttribute("aria-current");
  }

  setPaused(false);
}

/** @param kind a class of the notice: "equal" or "wrong" */
function say(text: string, kind = "", seconds = 4): void {
  notice.textContent = text;
  notice.className = kind;
  noticeUntilMs = performance.now() + 1000 * seconds;
}

function setPaused(isPaused: boolean): void {
  player.isPaused = isPaused;
  pauseButton.ariaPressed = String(isPaused);
  pauseButton.querySelector("span")!.textContent = isPaused ? "Go on" : "Pause";
}

function rollBack(): void {
  rollback = player.rollBack(ROLLBACK_TICKS);
  const { ticks, before, after, ms } = rollback;
  const isEqual = before === after;
  const text = isEqual
    ? `all bits are equal, hash ${hex(after)}`
    : `${hex(before)} became ${hex(after)}`;
  say(
    `${ticks} ticks back and forward again in ${ms.toFixed(1)} ms: ${text}`,
    isEqual ? "equal" : "wrong",
  );
}

function hex(hash: number): string {
  return hash.toString(16).padStart(8, "0");
}

function toggle(id: string, set: (on: boolean) => void): void {
  const button = find<HTMLButtonElement>(id);
  const on = button.ariaPressed !== "true";
  button.ariaPressed = String(on);
  set(on);
}

const ACTS: Readonly<Record<string, { readonly code: string; act(): void }>> = {
  pause: { code: "KeyP", act: () => setPaused(!player.isPaused) },
  step: {
    code: "KeyN",
    act: () => {
      setPaused(true);
      player.step();
    },
  },
  restart: { code: "KeyR", act: () => player.restart() },
  "roll-back": { code: "KeyB", act: rollBack },
  contacts: { code: "KeyC", act: () => toggle("contacts", (on) => player.showsContacts = on) },
  joints: { code: "KeyJ", act: () => toggle("joints", (on) => showsJoints = on) },
};

function listen(): void {
  for (const [id, { act }] of Object.entries(ACTS)) {
    find(id).addEventListener("click", ({ detail }) => {
      act();
      // After a click of the mouse, Space belongs to the scene again. A person at the keyboard
      // keeps the focus.
      if (detail > 0) canvas.focus({ preventScroll: true });
    });
  }

  const rewind = find("rewind");
  rewind.addEventListener("pointerdown", () => player.isRewinding = true);
  addEventListener("pointerup", () => player.isRewinding = false);
  addEventListener("blur", () => player.isRewinding = false);
  addEventListener("keydown", ({ code, repeat, ctrlKey, metaKey, altKey }) => {
    if (repeat || ctrlKey || metaKey || altKey) return;
    if (code === "KeyZ") player.isRewinding = true;
    Object.values(ACTS).find((each) => each.code === code)?.act();
  });
  addEventListener("keyup", ({ code }) => {
    if (code === "KeyZ") player.isRewinding = false;
  });
  addEventListener("hashchange", open);
}

/** The line of figures below the stage. */
function showFigures(): void {
  const { run, run: { stage }, tickMs } = player;
  const bodies = stage.entities();
  const figures = {
    tick: `${run.ticks}`,
    bodies: `${bodies.length} (${bodies.filter(({ awake }) => awake).length} awake)`,
    contacts: `${stage.contactCount}`,
    joints: `${stage.joints.count}`,
    "ms a tick": tickMs.toFixed(2),
    hash: hex(run.hash),
  };
  const list = find("figures");

  if (list.childElementCount === 0) {
    for (const name of Object.keys(figures)) {
      const group = document.createElement("div");
      const term = document.createElement("dt");
      term.textContent = name;
      group.append(term, document.createElement("dd"));
      list.append(group);
    }
  }

  Object.values(figures).forEach((text, i) =>
    list.children[i]!.lastElementChild!.textContent = text
  );
}

function drawFrame(nowMs: number): void {
  fitCanvas(canvas);
  player.pass(Math.max(0, nowMs - lastMs) / 1000);
  lastMs = nowMs;
  const { shown, fraction } = player.frame();
  view = viewOf(canvas, shown, player.scene.view.height);
  painter.draw(context, shown, view, { joints: showsJoints, fraction });
  showFigures();
  if (player.error !== undefined) say(`The scene has stopped. ${player.error}`, "wrong");
  else if (player.isRewinding) say(`Rewinding: ${player.run.ticksBack} ticks are left`);
  else if (nowMs > noticeUntilMs) say("");
  frames++;
  requestAnimationFrame(drawFrame);
}

find("scenes").append(...SCENES.map(({ name, title }) => {
  const item = document.createElement("li");
  const link = document.createElement("a");
  link.href = `#${name}`;
  link.textContent = title;
  item.append(link);
  return item;
}));
listen();
open();
fitCanvas(canvas);
view = viewOf(canvas, player!.scene.view, player!.scene.view.height);
const page: TestbedPage = {
  get player() {
    return player;
  },
  get rollback() {
    return rollback;
  },
  get frames() {
    return frames;
  },
  toWindow(x, y) {
    const [px, py] = toPixels(view, x, y);
    const { left, top } = canvas.getBoundingClientRect();
    return { x: left + px / view.density, y: top + py / view.density };
  },
};
globalThis.testbed = page;
requestAnimationFrame(drawFrame);
