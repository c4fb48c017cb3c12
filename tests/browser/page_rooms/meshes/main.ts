/** Two pages' meshes in one page, connected with each other, which beat as rooms do. */
import type { MeshEvents } from "../../../../client/page_rooms/mesh.ts";
import { RtcMesh } from "../../../../client/page_rooms/rtc_mesh.ts";

/** As often as rooms beat, ms. */
const BEAT_MS = 250;

export interface Meshes {
  readonly first: RtcMesh;
  readonly second: RtcMesh;
  /** What the first one has heard of, in this order. */
  readonly happened: string[];
  /** Messages that came to the first one. */
  heard: number;
}

function newMesh(digit: string, events: Partial<MeshEvents>): RtcMesh {
  return new RtcMesh({
    self: digit.repeat(32),
    rules: { game: "test", rules: "", protocol: 1 },
    offer: { iceServers: [], relayOnly: false },
    events: () => ({
      onConnected() {},
      onLost() {},
      onHeard() {},
      onMessage() {},
      onLink() {},
      ...events,
    }),
  });
}

const happened: string[] = [];
const first = newMesh("a", {
  onConnected: () => happened.push("connected"),
  onLost: () => happened.push("lost"),
  onMessage: () => meshes.heard++,
});
const second = newMesh("b", {});
const meshes: Meshes = { first, second, happened, heard: 0 };
Object.assign(globalThis, { meshes });

const answer = await first.take(await second.introduce());
await second.take(answer!);
setInterval(() => {
  first.send(second.self, { type: "leave", term: 1 });
  second.send(first.self, { type: "leave", term: 1 });
}, BEAT_MS);
