/**
 * The operators' page, as HTML that the server writes. It uses forms instead of scripts, so it
 * works in any browser and its policy forbids every script. All texts from strangers are escaped.
 */
import type { Bans } from "../bans/bans.ts";
import type { OperatedNode } from "./meant.ts";
import type { ClientDetails, RoomDetails } from "../match/client_details.ts";
import { NOTICE_BYTES_MAX } from "../../shared/netcode/wire/messages.ts";
import { escapeHtml } from "../ground/std_web.ts";

/** What the page shows. */
export interface OpsView {
  /** Empty for a single process. */
  readonly nodes: readonly OperatedNode[];
  readonly rooms: readonly RoomDetails[];
  readonly bans: ReturnType<Bans["list"]>;
  /** Names and values, in order. */
  readonly figures: readonly (readonly [string, string])[];
  /** What the last action did; empty if there was none. */
  readonly answer: string;
  /** The action's link, if it returned one. */
  readonly link?: string | undefined;
}

export const OPS_STYLE = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { margin: 2rem auto; max-width: 64rem; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; margin: 0 0 2rem; }
th, td { text-align: left; padding: .3rem .8rem .3rem 0; border-bottom: 1px solid #8884; }
td.number { text-align: right; font-variant-numeric: tabular-nums; }
form { display: inline; }
dl { display: grid; grid-template-columns: max-content auto; gap: .2rem 1rem; }
dd { margin: 0; font-variant-numeric: tabular-nums; }
[role=status] { padding: .5rem 1rem; border-left: 4px solid #27c; }
`;

/** The page that asks for the token. @param note why it is shown again; may be empty */
export function signInPage(note: string): string {
  return pageOf(`<h1>Wyvern, for operators</h1>${statusOf(note)}
<form method="post" action="/ops/session"><label>Token <input name="token" type="password" autofocus
autocomplete="current-password" required></label> <button>Sign in</button></form>`);
}

/** The page with rooms and players. */
export function opsPage({ nodes, rooms, bans, figures, answer, link }: OpsView): string {
  const figureList = figures.map(([name, value]) =>
    `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd>`
  );
  const roomList = rooms.length === 0 ? "<p>No room is open.</p>" : rooms.map(roomOf).join("");
  const banList = bans.length === 0
    ? "<p>Nobody is banned.</p>"
    : `<table>${bans.map(banOf).join("")}</table>`;

  return pageOf(`<h1>Wyvern, for operators</h1>${statusOf(answer, link)}
<p><a href="/ops">Refresh</a></p>
<dl>${figureList.join("")}</dl>
<form method="post" action="/ops/announce"><label>To all players <input name="text" maxlength="${NOTICE_BYTES_MAX}"
size="60" required></label> <button>Announce</button></form>
${nodes.length === 0 ? "" : nodesOf(nodes)}<h2>Rooms</h2>${roomList}
<h2>Bans</h2>${banList}`);
}

function nodesOf(nodes: readonly OperatedNode[]): string {
  const all = { all: "yes" };
  return `<h2>Nodes</h2>
<p>${actionOf("cordon", "Cordon all", all)} ${actionOf("uncordon", "Open all", all)}</p>
<table><thead><tr><th>Machine</th><th>Process</th><th>Takes players</th><th>Ticks take</th><th>Rooms</th><th>Clients</th><th></th></tr></thead>
<tbody>${nodes.map(nodeOf).join("")}</tbody></table>
`;
}

function nodeOf(
  { node, worker, machine, reason, load, rooms, clients }: OperatedNode,
): string {
  const meant = machine === undefined && worker !== undefined ? { worker } : { node };
  const takes = reason === "" ? "yes" : `no: ${escapeHtml(reason)}`;
  const actions = [
    reason === "cordoned"
      ? actionOf("uncordon", "Open", meant)
      : actionOf("cordon", "Cordon", meant),
    ...machine === undefined ? [] : [actionOf("handover", "Hand over", meant)],
  ];
  return `<tr><td>${escapeHtml(machine ?? "this one")}</td><td>${worker ?? ""}</td><td>${takes}</td>
<td class="number">${(100 * load).toFixed(1)} %</td><td class="number">${rooms}</td>
<td class="number">${clients}</td><td>${actions.join(" ")}</td></tr>`;
}

function roomOf(details: RoomDetails): string {
  const { worker, machine, game, room, isPrivate, tick, reservedSeats, clients } = details;
  const rows = clients.map((client) => clientOf(client, details));
  const ofMachine = machine === undefined ? "" : `${escapeHtml(machine)}. `;
  const ofProcess = ofMachine + (worker === undefined ? "" : `Match process ${worker}. `);
  const access = isPrivate ? "Private. " : "";
  return `<h3>${escapeHtml(game)} ${escapeHtml(room)} ${actionOf("watch", "Watch", { game, room })}
${actionOf("close", "Close room", { game, room })}</h3>
<p>${ofProcess}${access}Tick ${tick}, ${reservedSeats} seats reserved for lost players.</p>
<table><thead><tr><th>Name</th><th>Seat</th><th>Address</th><th>Transport</th><th>Link</th><th>Slack</th><th>Unsent</th><th></th></tr></thead>
<tbody>${rows.join("")}</tbody></table>`;
}

/** @param place where its room is */
function clientOf(client: ClientDetails, place: Pick<RoomDetails, "worker" | "node">): string {
  const { link, address, transport = "", seat, name, slackMs, unsentBytes } = client;

  const shownName = escapeHtml(name) || "—";
  const seated = seat === undefined ? "watches" : `seat ${seat}`;
  const way = `<td>${escapeHtml(address)}</td><td>${transport}</td>`;
  const slack = `${Math.round(slackMs)} ms`;
  const { worker, node } = place;
  const kick = actionOf("kick", "Kick", {
    link,
    ...node !== undefined ? { node } : worker !== undefined && { worker },
  });
  const ban = actionOf("ban", "Ban for an hour", { address });
  return `<tr><td>${shownName}</td><td>${seated}</td>
${way}<td class="number">${link}</td><td class="number">${slack}</td>
<td class="number">${unsentBytes} B</td><td>${kick}
${ban}</td></tr>`;
}

function banOf({ addressBlock, account, gameId, room, seconds }: OpsView["bans"][number]): string {
  const who = addressBlock === "" ? `player ${account.slice(0, 8)}` : addressBlock;
  const where = room === "" ? "everywhere" : `room ${room}`;
  const lift = actionOf("unban", "Lift", { address: addressBlock, account, game: gameId, room });
  return `<tr><td>${escapeHtml(who)}</td><td>${escapeHtml(where)}</td><td>${seconds} s</td>
<td>${lift}</td></tr>`;
}

function actionOf(
  name: string,
  label: string,
  values: Readonly<Record<string, string | number>>,
): string {
  const inputs = Object.entries(values).map(([key, value]) =>
    `<input type="hidden" name="${key}" value="${escapeHtml(String(value))}">`
  );
  const fields = `${inputs.join("")}<button>${label}</button>`;
  return `<form method="post" action="/ops/${name}">${fields}</form>`;
}

function statusOf(text: string, link?: string): string {
  if (text === "") return "";
  const anchor = link === undefined
    ? ""
    : ` <a href="${escapeHtml(link)}" target="_blank">Watch the room</a>`;
  return `<p role="status">${escapeHtml(text)}${anchor}</p>`;
}

function pageOf(body: string): string {
  return `<!DOCTYPE html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Wyvern, for operators</title><link rel="stylesheet" href="/ops.css"><body>${body}</body></html>
`;
}
