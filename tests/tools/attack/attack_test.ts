/**
 * Tests the attack tool: its list agrees with SECURITY.md, an attack holds, and one without its
 * limit gets through.
 */
import { assert, assertEquals, assertGreaterOrEqual, assertMatch } from "@std/assert";
import { LIMIT_FLAGS } from "../../../server/settings/limits.ts";
import { NETWORK_FLAGS } from "../../../server/settings/network.ts";
import { OPERATION_FLAGS } from "../../../server/settings/operation.ts";
import { isProduct, readRepository } from "../../tidy/sources.ts";
import { natsTest } from "../../support/nats/with_nats.ts";
import { ATTACKS } from "./attacks.ts";
import { runAttacks } from "./run_attacks.ts";

const { documents, sources } = await readRepository();
const security = documents.find(({ path }) => path === "SECURITY.md")!.text;

/** The rows of the two tables of threats. */
const rows = [...security.matchAll(/^\| (W?\d+) +\|(.*)\|$/gm)].map(([, id, cells]) => {
  const [, , bound = "", shownBy = ""] = cells!.split("|");
  return { id: id!, bound, shownBy };
});

const namesIn = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(([, name]) => name!);

Deno.test("attack: at least 40 attacks, 20 of them quick, with a name of their own", () => {
  const names = ATTACKS.map(({ name }) => name);
  assertGreaterOrEqual(names.length, 40);
  assertGreaterOrEqual(ATTACKS.filter(({ isQuick }) => isQuick).length, 20);
  assertEquals(new Set(names).size, names.length);
  for (const name of names) assertMatch(name, /^[a-z]+(_[a-z0-9]+)*$/);
});

Deno.test("attack: SECURITY.md has a row for each threat, and each row an attack or a test", () => {
  const ids = rows.map(({ id }) => id);
  assertEquals(
    ids.toSorted(),
    [
      ...Array.from({ length: 35 }, (_, i) => String(i + 1)),
      ...Array.from({ length: 11 }, (_, i) => `W${i + 1}`),
    ].toSorted(),
  );
  for (const { id, shownBy } of rows) assertMatch(shownBy, /`\w+`|tests\/[\w/]+_test\.ts/, id);
});

Deno.test("attack: each attack stands in the row of its threat, and each name there is an attack", () => {
  const named = rows.flatMap(({ id, shownBy }) =>
    namesIn(shownBy, /`(\w+)`/g).map((name) => `${id} ${name}`)
  );
  assertEquals(named.toSorted(), ATTACKS.map(({ name, threat }) => `${threat} ${name}`).toSorted());
});

Deno.test("attack: each bound in SECURITY.md is a constant or a setting of the project", () => {
  const code = sources.filter(({ path }) => isProduct(path)).map(({ text }) => text).join("\n");
  const settings = Object.keys({ ...LIMIT_FLAGS, ...NETWORK_FLAGS, ...OPERATION_FLAGS });
  const constants = rows.flatMap(({ bound }) => namesIn(bound, /`([A-Z_]+)`/g));
  assertGreaterOrEqual(constants.length, 20);
  assertEquals(constants.filter((name) => !new RegExp(`const ${name}\\b`).test(code)), []);
  assertEquals(
    rows.flatMap(({ bound }) => namesIn(bound, /`--([\w-]+)`/g)).filter((name) =>
      !settings.includes(name)
    ),
    [],
  );
});

/** Few, because a test needs no p99. */
const TICKS = 20;

Deno.test("attack: one on a real server gets its answer, and gets through where the limit is out of reach", async () => {
  const attacks = ATTACKS.filter(({ name }) => name === "endless_connection");
  // Nothing here is about times, and a busy machine would have them measured once more.
  const options = { seed: 1, ticks: TICKS, isUntimed: true };
  const [held] = await runAttacks(attacks, { ...options, flags: [] });
  assertMatch(
    held!.detail,
    /honest: 50 requests .* attack: 300 requests on one connection: closed after 100/,
  );
  const { closes, desyncs, gaps } = held!.felt!;
  assertEquals({ closes, desyncs, gaps }, { closes: 0, desyncs: 0, gaps: 0 });
  const flags = ["--requests-per-connection", "1000000"];
  const [planted] = await runAttacks(attacks, { ...options, flags });
  assert(!planted!.passed);
  assertMatch(planted!.detail, /attack FAILED: .*answers on one connection/);
});

natsTest(
  "attack: forged_heartbeat on a real cluster is held, and gets through where nodes believe what nobody has signed (SPEC 17.186)",
  async () => {
    const attacks = ATTACKS.filter(({ name }) => name === "forged_heartbeat");
    const run = async (...flags: string[]) =>
      (await runAttacks(attacks, { seed: 1, ticks: TICKS, flags, isUntimed: true }))[0]!;
    const held = await run();
    assertMatch(
      held.detail,
      /honest: three nodes .* attack: \d+ messages in the names of 64 nodes/,
    );
    assertEquals(held.felt!.desyncs, 0);
    const planted = await run("--cluster-unsigned");
    assert(!planted.passed);
    assertMatch(planted.detail, /attack FAILED/);
  },
);
