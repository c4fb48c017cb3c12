/**
 * Makes controls that worsen the page's own network: a choice between profiles, and a slider for
 * each condition.
 */
import {
  networkModelOf,
  PROFILE_NAMES,
  type ProfileName,
} from "../../shared/netcode/simulated_network/network_profiles.ts";
import {
  JITTER_MS_MAX,
  LOSS_PERCENT_MAX,
  type NetworkConditions,
  RTT_MS_MAX,
} from "../net/network_conditions.ts";
import { make, setText } from "../ui/dom.ts";

type ConditionKey = "rttMs" | "jitterMs" | "lossPercent";

interface SliderOptions {
  readonly id: string;
  readonly text: string;
  readonly max: number;
  readonly step: number;
  readonly unit: string;
}

const SLIDERS: Readonly<Record<ConditionKey, SliderOptions>> = {
  rttMs: { id: "line-rtt", text: "Add round trip", max: RTT_MS_MAX, step: 10, unit: "ms" },
  jitterMs: { id: "line-jitter", text: "Add jitter", max: JITTER_MS_MAX, step: 1, unit: "ms" },
  lossPercent: { id: "line-loss", text: "Lose", max: LOSS_PERCENT_MAX, step: 0.5, unit: "%" },
};

/** Makes the controls. @param conditions the object to write into */
export function networkControls(conditions: NetworkConditions): HTMLElement[] {
  const sliders = (Object.keys(SLIDERS) as ConditionKey[]).map((key) =>
    slider(SLIDERS[key], conditions, key)
  );
  const choice = make("select", { id: "line-profile" });
  // A profile sets more conditions than the sliders show, which stay while a player moves a slider.
  choice.append(new Option("as it is", ""), ...PROFILE_NAMES.map((name) => new Option(name, name)));
  choice.addEventListener("change", () => {
    applyProfile(conditions, choice.value as ProfileName | "");
    for (const { show } of sliders) show();
    choice.blur();
  });
  const label = make("label", { className: "slider", htmlFor: choice.id }, "A line like", choice);
  return [label, ...sliders.map(({ label }) => label)];
}

function applyProfile(conditions: NetworkConditions, name: ProfileName | ""): void {
  const { oneWayMs, jitterMs, loss = 0, ...more } = name === ""
    ? { oneWayMs: 0, jitterMs: 0 }
    : networkModelOf(name);
  Object.assign(conditions, { rttMs: 2 * oneWayMs, jitterMs, lossPercent: 100 * loss, more });
}

function slider(
  { id, text, max, step, unit }: SliderOptions,
  ...[conditions, key]: [NetworkConditions, ConditionKey]
): { label: HTMLElement; show: () => void } {
  const input = make("input", {
    type: "range",
    id,
    min: "0",
    max: String(max),
    step: String(step),
  });

  const value = make("output", {});
  const show = () => {
    input.value = String(conditions[key]);
    setText(value, `${conditions[key]} ${unit}`);
  };

  input.addEventListener("input", () => {
    conditions[key] = Number(input.value);
    show();
  });

  // Give the keyboard back to the game.
  input.addEventListener("change", () => input.blur());

  show();
  return { label: make("label", { className: "slider", htmlFor: id }, text, input, value), show };
}
