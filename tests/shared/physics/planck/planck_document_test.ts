/** PLANCK.md against planck's API and the stage's own. */
import { assertEquals, assertGreater } from "@std/assert";
import * as planck from "planck";
import { archetype, jointDef } from "../../../../shared/physics/core/types.ts";
import { JOINT_FORMS } from "../../../../shared/physics/joints/joint_forms.ts";
import { Stage } from "../../../../shared/physics/stage/stage.ts";
import { FEATURES } from "../scenes/features.ts";
import { allMembers, declarationsIn, isPrivate } from "./declarations.ts";

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
  const text = await Deno.readTextFile(new URL("PLANCK.md", ROOT));
  const tables = new Map<string, Row[]>();
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
  const names = [
    ...Object.getOwnPropertyNames(value.prototype ?? {}),
    ...Object.getOwnPropertyNames(value),
  ];
  return names.filter((name) =>
    !isPrivate(name) && !["length", "name", "prototype"].includes(name)
  );
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

  const declared = declarationsIn(
    await Deno.readTextFile(new URL("node_modules/planck/dist/planck.d.ts", ROOT)),
  );

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

const ARCHETYPE = archetype({
  name: "crate",
  body: { fixtures: [{ shape: { circle: 0.5 } }] },
  fields: {},
});
const PIN = jointDef({ name: "pin", type: "revolute", fields: {} });

/**
 * A stage with every feature, and one of each object whose members are names of the middle column.
 */
function objectsOfStage(): Readonly<Record<string, object>> {
  const rest = { gravity: 10, tickHz: 20, substeps: 2, ground: [], fields: {} };
  const stage = new Stage({ ...rest, features: FEATURES, archetypes: [ARCHETYPE], joints: [PIN] });
  const entity = stage.spawn(ARCHETYPE, { x: 0, y: 0 });
  const { joints, queries, properties } = stage;
  return {
    stage,
    entity,
    joint: joints.add(PIN, stage.ground, entity, { x: 0, y: 0 }),
    joints,
    queries,
    properties,
  };
}

/**
 * The names of all options of declarations, of a touch's members, and of these declarations
 * themselves.
 */
async function declaredNames(): Promise<ReadonlySet<string>> {
  const files = ["core/types", "core/joint_types"].map((file) => `shared/physics/${file}.ts`);
  const texts = files.map((file) => Deno.readTextFile(new URL(file, ROOT)));
  const touches = declarationsIn(
    await Deno.readTextFile(new URL("shared/physics/events/touches.ts", ROOT)),
  );
  const options = (await Promise.all(texts)).flatMap((text) => [...declarationsIn(text)]);
  const ofDeclarations = options.filter(([name]) =>
    name !== "StageError" && name !== "StagedEntity"
  );
  const members = ofDeclarations.flatMap(([, { members }]) => members);
  return new Set([
    ...members,
    ...allMembers(touches, "Touch"),
    "Touch",
    "Stage",
    ...JOINT_FORMS.map(({ type }) => type),
  ]);
}

const isMember = (name: string, object: object) => name in object && !(name in Object.prototype);

Deno.test("PLANCK.md: each name of the stage's is a member or an option, and every row has words (SPEC 9.59)", async () => {
  const objects = objectsOfStage();
  const declared = await declaredNames();
  const wrong: string[] = [];
  const rows = [...(await readTables()).values()].flat();
  let resolved = 0;

  for (const { theirs, ours, how } of rows) {
    if (how.split(" ").length < (ours.length > 0 ? 2 : 6)) {
      wrong.push(`${theirs.join(" ")}: too few words`);
    }
    // "of `stage.joints`" holds for the whole middle cell.
    const owner = /^of `stage\.(\w+)`/.exec(how)?.[1];
    for (const name of owner === undefined ? [] : ours) {
      if (!isMember(name, objects[owner!]!)) wrong.push(`${name} of stage.${owner}`);
    }
    for (const name of [...ours, ...codesIn(how).filter((code) => /^\w+$/.test(code))]) {
      resolved++;
      if (!declared.has(name) && !Object.values(objects).some((object) => isMember(name, object))) {
        wrong.push(name);
      }
    }
  }

  assertEquals(wrong, []);
  assertGreater(resolved, 150);
});
