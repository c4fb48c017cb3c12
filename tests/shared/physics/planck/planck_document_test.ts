/** PLANCK.md against planck's API and the stage's own. */
import { assert, assertEquals, assertGreater } from "@std/assert";
import * as planck from "planck";
import { declarationsIn, isPrivate } from "./declarations.ts";

const ROOT = new URL("../../../../", import.meta.url);

/** Members of every class that pools or solves; an author never calls them. */
const SOLVER_MEMBERS =
  /^(TYPE|recycle|initialize|evaluate|update|initConstraint|\w+VelocityConstraints?|\w+PositionConstraints?|\w+PositionConstraintTOI|warmStartConstraint|storeConstraintImpulses|shiftOrigin|computeAABB|computeMass|computeDistanceProxy|createProxies|destroyProxies|synchronize|validate|getChildCount|getRadius|getCenter|addType|create|destroy|set|rayCast)$/;

interface Row {
  readonly theirs: readonly string[];
  readonly ours: readonly string[];
  readonly how: string;
}

const codesIn = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);

/** The rows of each table, by the title above it. */
async function readTables(): Promise<ReadonlyMap<string, readonly Row[]>> {
  const text = await Deno.readTextFile(new URL("PLANCK.md", ROOT)), tables = new Map<string, Row[]>();
  for (const part of text.split(/^## /m).slice(1)) {
    const lines = part.split("\n").filter((line) => line.startsWith("| `"));
    const rows = lines.map((line) => {
      const [, theirs = "", ours = "", how = ""] = line.split("|");
      return { theirs: codesIn(theirs), ours: codesIn(ours), how: how.trim() };
    });
    tables.set(part.slice(0, part.indexOf("\n")), rows);
  }
  return tables;
}

function membersOf(value: unknown): string[] {
  if (typeof value !== "function") return [];
  const names = [...Object.getOwnPropertyNames(value.prototype ?? {}), ...Object.getOwnPropertyNames(value)];
  return names.filter((name) => !isPrivate(name) && !["length", "name", "prototype"].includes(name));
}

Deno.test("PLANCK.md: every public name of planck is in it, supported or with words (SPEC 9.59)", async () => {
  const tables = await readTables();
  const named = new Set([...tables.values()].flat().flatMap(({ theirs }) => theirs));
  const internals = new Set([...tables].at(-1)![1].flatMap(({ theirs }) => theirs));
  const missing: string[] = [];
  let compared = 0;
  for (const [name, value] of Object.entries(planck)) {
    if (name === "default") continue;
    if (!named.has(name)) missing.push(name);
    if (internals.has(name)) continue;
    for (const member of membersOf(value)) {
      compared++;
      if (!named.has(member) && !SOLVER_MEMBERS.test(member)) missing.push(`${name}.${member}`);
    }
  }
  const declared = declarationsIn(await Deno.readTextFile(new URL("node_modules/planck/dist/planck.d.ts", ROOT)));
  for (const [name, { members }] of declared) {
    if (!/(World|Body|Fixture|Joint)(Def|Opt)$/.test(name)) continue;
    for (const member of members) {
      compared++;
      if (!named.has(member)) missing.push(`${name}.${member}`);
    }
  }
  assertEquals(missing, []);
  assertGreater(compared, 400);
});

Deno.test("PLANCK.md: each name in the middle column is one of the stage's, and no row is empty (SPEC 9.59)", async () => {
  const files = ["stage/stage", "stage/entity", "stage/entity_controls", "stage/queries", "stage/properties"];
  files.push("joints/joints", "joints/joint", "events/touches", "core/types", "core/joint_types");
  const texts = await Promise.all(
    files.map((file) => Deno.readTextFile(new URL(`shared/physics/${file}.ts`, ROOT))),
  );
  const source = texts.join("\n");
  for (const row of [...(await readTables()).values()].flat()) {
    assert(row.ours.length > 0 || row.how.length > 10, `${row.theirs.join(" ")}: nothing is said`);
    for (const name of row.ours) {
      assert(new RegExp(`(^|[^\\w.])"?${name}"?[?!]?[:(<,;) ]|class ${name} |"${name}"`, "m").test(source), name);
    }
  }
});
