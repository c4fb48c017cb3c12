/**
 * The lab's page: runs the engine at the speed of the clock, shows it, and passes on what the
 * visitor does.
 *
 * While people play, the page shows the past: a second ago at most, when the server had not yet run
 * the tick that a client predicts. So it can draw beside each body where it really is. While the
 * visitor plays, the page shows the present, and the truth only once time is frozen.
 */
import type { Clock } from "../../../shared/netcode/link.ts";
import { KitInput } from "../../game_kit/kit_controls.ts";
import { defaultBindings } from "../../input/key_bindings.ts";
import { Keyboard } from "../../input/keyboard.ts";
import { findElement, make, setHidden, setText } from "../../ui/dom.ts";
import { NetworkStrip } from "../draw/network_strip.ts";
import { FRAME_MS, LabRun } from "../engine/lab_run.ts";
import { HISTORY_MS } from "../engine/history.ts";
import type { LabAction, LabSettings, TimedAction } from "../engine/settings.ts";
import { TECHNIQUES } from "../engine/techniques.ts";
import { sceneOf, SCENES } from "../scenes/scenes.ts";
import { ACTIONS_MAX, DROP_MS, PAUSE_MS, readAddress, writeAddress } from "./address.ts";
import { GUIDE, type GuideStep } from "./guide.ts";
import { SideView } from "./side_view.ts";

/** Clients need so long to join and to find their leads; the page skips that time, ms. */
const SKIPPED_MS = 3500;
/** The most time that a frame spends on the engine, ms, in play and while it skips time. */
const STEP_MS_MAX = 11;
const SKIP_MS_MAX = 24;
/** A longer gap between two frames is a page that was hidden. */
const GAP_MS_MAX = 100;
/** The page shows the past by a lead and this much more, ms, so that the truth is known. */
const TRUTH_MS = 110;
/** After a freeze the engine goes on unseen until the truth of that moment is known, ms. */
const FROZEN_MS = 900;
/** How fast the shown time may drift towards where it should be. */
const DRIFT = 0.1;
/** How long the named difference stays, ms. */
const DIFFERENCE_MS = 9000;
const FIGURES_EVERY_MS = 250;
const SCRUB_STEPS = 1000;

export class LabPage {
  readonly #clock: Clock;
  readonly #sides: readonly [SideView, SideView];
  readonly #network: NetworkStrip;
  /** The run; replaced when its settings change. */
  run: LabRun;
  #settings: LabSettings;
  #frameMs: number;
  #owedMs = 0;
  /** The moment that is shown, on the run's clock, ms. */
  shownMs = 0;
  /** How far behind the run the shown moment is, ms. */
  #lagMs = 0;
  #isFrozen = false;
  #frozenEndMs = 0;
  #visitorPlays = false;
  #step: GuideStep | undefined;
  #figuresMs = 0;
  /** Virtual per real time, smoothed. */
  #speed = 1;

  /** @param address the address's hash */
  constructor(address: string, clock: Clock) {
    this.#clock = clock;
    this.#frameMs = clock.now();
    const { settings, actions } = readAddress(address);
    this.#settings = settings;
    const sideOf = (side: 0 | 1) =>
      new SideView(findElement(document, `[data-side="${side}"]`), {
        side,
        onTechnique: (technique) => {
          const { sides: [left, right] } = this.#settings;
          this.#leaveGuide();
          this.restart({ sides: side === 0 ? [technique, right] : [left, technique] });
        },
      });
    this.#sides = [sideOf(0), sideOf(1)];
    this.#network = new NetworkStrip(findElement(document, "#network"));
    this.#buildControls();
    this.run = this.#begin(actions);
  }

  /** Begins another run. The seed stays, so the same people play the same match. */
  restart(changed: Partial<LabSettings>, actions: readonly TimedAction[] = []): void {
    this.#settings = { ...this.#settings, ...this.run.network, ...changed };
    this.run = this.#begin(actions);
  }

  #begin(actions: readonly TimedAction[]): LabRun {
    const run = new LabRun(sceneOf(this.#settings.scene), this.#settings, actions);
    this.#owedMs = 0;
    this.shownMs = run.nowMs;
    this.#visitorPlays = false;
    this.#setFrozen(false);
    for (const side of this.#sides) side.begin(run);
    this.#showSettings(run);
    this.#writeAddress(run);
    return run;
  }

  /** Advances the run to now and draws it. Call it with every frame. */
  frame(): void {
    const nowMs = this.#clock.now();
    const elapsedMs = Math.min(GAP_MS_MAX, nowMs - this.#frameMs);
    this.#frameMs = nowMs;
    this.#advance(elapsedMs);
    this.#moveShown(elapsedMs);
    this.#paint();
    if (nowMs - this.#figuresMs < FIGURES_EVERY_MS) return;
    this.#figuresMs = nowMs;
    for (const side of this.#sides) side.showFigures();
    this.#showDifference();
    this.#showMoment();
  }

  /** Whether the run's beginning, which is not shown at its speed, has a whole frame left. */
  get #isSkipping(): boolean {
    return SKIPPED_MS - this.run.nowMs >= FRAME_MS;
  }

  /** Steps the engine, but never for longer than a frame has time. */
  #advance(elapsedMs: number): void {
    const { run } = this;
    const beganMs = this.#clock.now();
    const isSkipping = this.#isSkipping;
    if (this.#isFrozen && run.nowMs >= this.#frozenEndMs + FROZEN_MS) return;
    this.#owedMs = isSkipping ? SKIPPED_MS - run.nowMs : this.#owedMs + elapsedMs;
    const msMax = isSkipping ? SKIP_MS_MAX : STEP_MS_MAX;
    let steppedMs = 0;
    while (this.#owedMs >= FRAME_MS && this.#clock.now() - beganMs < msMax) {
      run.step();
      this.#owedMs -= FRAME_MS;
      steppedMs += FRAME_MS;
    }
    // A slow machine plays in slow motion instead of falling behind for ever.
    if (!isSkipping) this.#owedMs = Math.min(this.#owedMs, 2 * FRAME_MS);
    if (elapsedMs > 0) this.#speed += 0.05 * (steppedMs / elapsedMs - this.#speed);
  }

  /** Does what the visitor asks for, and remembers it in the address. */
  act(action: LabAction): void {
    if (this.run.actions.length >= ACTIONS_MAX) return this.restart({});
    this.run.act(action);
    this.#writeAddress(this.run);
  }

  /** Lets the shown time follow the run's, at a distance that changes slowly. */
  #moveShown(elapsedMs: number): void {
    if (this.#isFrozen) return;
    const { run } = this;
    const lagMs = this.#visitorPlays ? 0 : run.players[0]!.session.leadMs + TRUTH_MS;
    const missingMs = lagMs - this.#lagMs;
    const driftMs = this.#isSkipping ? Math.abs(missingMs) : DRIFT * elapsedMs;
    this.#lagMs += Math.max(-driftMs, Math.min(driftMs, missingMs));
    this.shownMs = run.nowMs + Math.min(FRAME_MS, this.#owedMs) - this.#lagMs;
  }

  #paint(): void {
    const { run, shownMs } = this;
    const frame = run.history.frameAt(shownMs);
    if (frame === undefined) return;
    for (const side of this.#sides) side.paint(frame, shownMs);
    this.#network.paint({
      frame,
      history: run.history,
      seats: run.players.map(({ seat }) => seat),
      names: run.players.map(({ isVisitors }, i) => isVisitors ? "you" : `player ${i + 1}`),
      oneWayMs: run.network.roundTripMs / 2,
      atMs: shownMs,
    });
  }

  #setFrozen(isFrozen: boolean): void {
    this.#isFrozen = isFrozen;
    this.#frozenEndMs = this.shownMs;
    const button = findElement(document, "#freeze");
    button.setAttribute("aria-pressed", String(isFrozen));
    setText(button, isFrozen ? "Go on" : "Freeze");
    findElement<HTMLInputElement>(document, "#scrub").value = String(SCRUB_STEPS);
  }

  /** Looks back. @param share 0 for the oldest moment that is known, 1 for the frozen one */
  #scrub(share: number): void {
    if (!this.#isFrozen) this.#setFrozen(true);
    const oldestMs = this.#oldestMs;
    this.shownMs = oldestMs + share * (this.#frozenEndMs - oldestMs);
    this.#showMoment();
  }

  /** Moves the frozen picture. @param ticks back or on */
  #nudge(ticks: number): void {
    if (!this.#isFrozen) this.#setFrozen(true);
    const movedMs = this.shownMs + ticks * 1000 / this.run.scene.game.tickHz;
    this.shownMs = Math.max(this.#oldestMs, Math.min(this.#frozenEndMs, movedMs));
    const share = (this.shownMs - this.#oldestMs) / (this.#frozenEndMs - this.#oldestMs || 1);
    const scrub = findElement<HTMLInputElement>(document, "#scrub");
    scrub.value = String(Math.round(SCRUB_STEPS * share));
    this.#showMoment();
  }

  get #oldestMs(): number {
    const { nowMs, history: { frames } } = this.run;
    return Math.max(frames[0]?.atMs ?? nowMs, nowMs - HISTORY_MS);
  }

  #buildControls(): void {
    const choose = <Value extends string>(
      id: string,
      choices: readonly (readonly [Value, string])[],
      onChoice: (value: Value) => void,
    ) => {
      const group = findElement(document, id);
      for (const [value, label] of choices) {
        const button = make("button", { type: "button", textContent: label });
        button.dataset["value"] = value;
        button.addEventListener("click", () => onChoice(value));
        group.append(button);
      }
    };
    const onClick = (id: string, act: () => void) =>
      findElement(document, id).addEventListener("click", act);

    choose("#scenes", SCENES.map(({ name, title }) => [name, title]), (scene) => {
      const { players } = sceneOf(scene);
      this.restart({ scene, players, shown: Math.min(players, this.#settings.shown) });
    });
    choose("#links", [["tcp", "TCP"], ["datagrams", "Datagrams"]], (link) => {
      this.restart({ ordered: link === "tcp" });
    });
    choose("#canvases", [["1", "1 screen"], ["2", "2"], ["3", "3"], ["4", "4"]], (shown) => {
      this.restart({
        shown: Number(shown),
        players: Math.max(sceneOf(this.#settings.scene).players, Number(shown)),
      });
    });

    for (const id of ["rtt", "jitter", "loss"] as const) {
      const input = findElement<HTMLInputElement>(document, `#${id}`);
      input.addEventListener("input", () => this.#showSliders());
      input.addEventListener("change", () => {
        const valueOf = (name: string) =>
          Number(findElement<HTMLInputElement>(document, `#${name}`).value);
        this.act({
          type: "network",
          roundTripMs: valueOf("rtt"),
          jitterMs: valueOf("jitter"),
          lossPercent: valueOf("loss"),
        });
      });
    }

    onClick("#drop", () => this.#live(() => this.act({ type: "drop", ms: DROP_MS })));
    onClick("#pause", () => this.#live(() => this.act({ type: "pause", ms: PAUSE_MS })));
    onClick("#break", () => this.#live(() => this.act({ type: "break" })));
    onClick("#reseed", () => this.restart({ seed: this.#settings.seed + 1 }));
    onClick("#play", () => this.#play(!this.#visitorPlays));
    onClick("#freeze", () => this.#setFrozen(!this.#isFrozen));
    onClick("#back", () => this.#nudge(-1));
    onClick("#forth", () => this.#nudge(1));
    const scrub = findElement<HTMLInputElement>(document, "#scrub");
    scrub.addEventListener("input", () => this.#scrub(Number(scrub.value) / SCRUB_STEPS));

    const steps = findElement(document, "#steps");
    GUIDE.forEach((step, i) => {
      const item = make("li", {});
      const button = make("button", { type: "button", title: step.title });
      button.textContent = String(i + 1);
      button.setAttribute("aria-label", `Step ${i + 1}: ${step.title}`);
      button.addEventListener("click", () => this.#guideTo(step));
      item.append(button);
      steps.append(item);
    });
    this.#showStep();
  }

  /** What happens to the run can only be seen while it goes on. */
  #live(act: () => void): void {
    this.#setFrozen(false);
    act();
  }

  #guideTo(step: GuideStep): void {
    this.#step = step;
    this.#showStep();
    this.restart(step.settings, step.actions);
  }

  #leaveGuide(): void {
    this.#step = undefined;
    this.#showStep();
  }

  #showStep(): void {
    const steps = findElement(document, "#steps").querySelectorAll("button");
    GUIDE.forEach((step, i) => {
      if (step === this.#step) steps[i]!.setAttribute("aria-current", "step");
      else steps[i]!.removeAttribute("aria-current");
    });
    const welcome = "Five steps, a sentence each. Or choose a technique for each side, make the " +
      "connection worse, and watch who is where.";
    setText(findElement(document, "#sentence"), this.#step?.sentence ?? welcome);
  }

  #play(isPlaying: boolean): void {
    this.#visitorPlays = isPlaying;
    const { game } = this.run.scene;
    const keys = findElement(document, "#keys");
    findElement(document, "#play").setAttribute("aria-pressed", String(isPlaying));
    setHidden(keys, !isPlaying);
    if (!isPlaying) return this.run.control(undefined);

    const input = new KitInput(game);
    const bindings = defaultBindings(input.actions);
    const keyboard = new Keyboard(globalThis, input.actions, bindings);
    this.run.control(input.controls(() => keyboard));
    setText(
      keys,
      `${input.helpText(bindings)}. You are the ringed one on both sides. Freeze to see ` +
        "where everybody really was.",
    );
    this.#setFrozen(false);
    (document.activeElement as HTMLElement | null)?.blur();
  }

  #showSettings({ network: { roundTripMs, jitterMs, lossPercent } }: LabRun): void {
    const { scene, ordered, shown } = this.#settings;
    const press = (id: string, value: string) => {
      for (const button of findElement(document, id).querySelectorAll("button")) {
        button.setAttribute("aria-pressed", String(button.dataset["value"] === value));
      }
    };
    press("#scenes", sceneOf(scene).name);
    press("#links", ordered ? "tcp" : "datagrams");
    press("#canvases", String(shown));
    for (const [id, value] of [["rtt", roundTripMs], ["jitter", jitterMs], ["loss", lossPercent]]) {
      findElement<HTMLInputElement>(document, `#${id}`).value = String(value);
    }
    setHidden(findElement(document, "#difference"), true);
    setHidden(findElement(document, "#keys"), true);
    findElement(document, "#play").setAttribute("aria-pressed", "false");
    this.#showSliders();
  }

  #showSliders(): void {
    for (const [id, unit] of [["rtt", "ms"], ["jitter", "ms"], ["loss", "%"]] as const) {
      const { value } = findElement<HTMLInputElement>(document, `#${id}`);
      setText(findElement(document, `#${id}-shown`), `${value} ${unit}`);
    }
  }

  /** Says which number differed, and when the hashes agreed again. */
  #showDifference(): void {
    const line = findElement(document, "#difference");
    const { difference, doneActions, history: { verdicts } } = this.run;
    const hasBroken = doneActions.some(({ action }) => action.type === "break");
    const isBlind = this.#settings.sides.every((name) => TECHNIQUES[name].how.kind !== "session");
    if (hasBroken && isBlind) {
      setText(line, "A bit is wrong now, and neither side can know: no hash is compared.");
      return setHidden(line, false);
    }
    const isShown = difference !== undefined && this.shownMs >= difference.atMs &&
      this.shownMs < difference.atMs + DIFFERENCE_MS;
    setHidden(line, !isShown);
    if (!isShown) return;
    const { side, player, tick, field, here, server, atMs } = difference;
    const healed = verdicts.find((each) =>
      each.side === side && each.player === player && each.atMs > atMs &&
      each.atMs <= this.shownMs && each.verdict === "proven"
    );
    const end = healed === undefined
      ? "The server's state is on its way."
      : `${((healed.atMs - atMs) / 1000).toFixed(1)} s later the server's state had come, and ` +
        "all hashes agree again.";
    setText(line, `Tick ${tick}, ${field}: ${here} here, ${server} on the server. ${end}`);
  }

  #showMoment(): void {
    const { tickHz } = this.run.scene.game;
    const seconds = this.shownMs / 1000;
    const isJoining = this.#isSkipping;
    setText(
      findElement(document, "#moment"),
      isJoining ? "players join …" : `${seconds.toFixed(2)} s · ${tickHz} ticks/s`,
    );
    const isSlow = !this.#isFrozen && !isJoining && this.#speed < 0.9;
    setText(
      findElement(document, "#speed"),
      isSlow ? `This machine shows it at ${this.#speed.toFixed(1)} × its speed.` : "",
    );
  }

  #writeAddress({ actions }: LabRun): void {
    const address = writeAddress({ settings: this.#settings, actions });
    findElement<HTMLAnchorElement>(document, "#address").href = address;
    history.replaceState(null, "", address);
  }
}
