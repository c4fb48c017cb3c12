/**
 * The text of `docs/reference.md`: every symbol that authors of games use, from the docstrings of
 * the sources.
 */
import { type KitSymbol, type Part, symbolsOf } from "./kit_symbols.ts";

export const REFERENCE = new URL("../../docs/reference.md", import.meta.url);

const RULES_KIT = "shared/game_kit/game_kit.ts";
const VIEW_KIT = "client/game_kit/client_kit.ts";

/** The modules that authors import. */
export const IMPORTED: readonly Part[] = [
  { title: "Rules: `shared/game_kit/game_kit.ts`", module: RULES_KIT },
  { title: "Views: `client/game_kit/client_kit.ts`", module: VIEW_KIT },
];

/** Types that no author imports, but whose members authors write. */
export const BEHIND: readonly Part[] = [
  {
    title: "Options of the parts of a command",
    module: "shared/game_kit/command/parts.ts",
    names: [
      "PartOptions",
      "AxisOptions",
      "AimOptions",
      "DialOptions",
      "PressOptions",
      "HoldOptions",
    ],
  },
  {
    title: "Things",
    module: "shared/game_kit/world/thing.ts",
    names: ["ThingBase", "FieldValue", "FirstFieldValues"],
  },
  {
    title: "Physics",
    module: "shared/physics/core/types.ts",
    names: ["StageDef", "BodyType", "MutableProperty", "Chain", "Path"],
  },
  {
    title: "Joints",
    module: "shared/physics/core/joint_types.ts",
    names: [
      "JointDef",
      "JointBase",
      "RevoluteDef",
      "PrismaticDef",
      "DistanceDef",
      "RopeDef",
      "WeldDef",
      "WheelDef",
      "MouseDef",
      "MotorDef",
      "FrictionDef",
      "PulleyDef",
      "GearDef",
      "JointLimits",
      "JointSpring",
    ],
  },
  {
    title: "Queries",
    module: "shared/physics/stage/queries.ts",
    names: ["QueryShape", "QueryFilter"],
  },
  {
    title: "Descriptions",
    module: "shared/physics/stage/describe.ts",
    names: [
      "EntityDescription",
      "BodyDescription",
      "ProjectileDescription",
      "FixtureDescription",
      "ContactDescription",
      "ContactPointDescription",
    ],
  },
  {
    title: "Descriptions of joints, and names in descriptions",
    module: "shared/physics/joints/describe_joint.ts",
    names: ["JointDescription", "EntityName"],
  },
  { title: "Properties", module: "shared/physics/stage/properties.ts", names: ["PropertyValues"] },
  { title: "Rounds", module: "client/presentation/view.ts", names: ["Round"] },
  { title: "Fields", module: "shared/body_list.ts", names: ["FieldType"] },
];

/**
 * Members whose values say which variant of a type it is. Their types are all that there is to say.
 */
const TAGS = new Set(["kind", "type", "feature"]);

/** @returns the whole file, formatted as `deno fmt` does */
export async function referenceText(): Promise<string> {
  const [imported, behind] = await Promise.all([
    sectionsOf(IMPORTED, true),
    sectionsOf(BEHIND, false),
  ]);
  return await formatted([
    "# Reference",
    "Every symbol of the game kit, with its docstring. `deno task chore docs` writes this page from the sources; do not edit it. " +
    "Pages with examples: [commands](commands.md), [archetypes and fields](archetypes_and_fields.md), [rules](rules.md), " +
    "[NPCs](npcs.md), [the view](view.md).",
    ...imported,
    "## Types behind them",
    "No author imports these types, but many write their members.",
    ...behind,
  ].join("\n\n"));
}

/**
 * @returns one line for each symbol and each member without a docstring. The members x and y, or a
 * and b, of one group share the docstring of the first.
 */
export function silentOnes(symbols: readonly KitSymbol[]): string[] {
  return symbols.flatMap(({ name, doc, members, path }) => [
    ...doc === "" ? [`${path}: ${name}`] : [],
    ...members.filter((_, i) => !isDocumented(members, i)).map((member) =>
      `${path}: ${name}.${member.name}`
    ),
  ]);
}

function isDocumented(members: KitSymbol["members"], i: number): boolean {
  const { name, doc } = members[i]!;
  if (doc !== "" || TAGS.has(name)) return true;
  const groupOf = (name: string) => name.replace(/[abxyABXY]/g, "");
  return i > 0 && groupOf(name) === groupOf(members[i - 1]!.name) && isDocumented(members, i - 1);
}

async function sectionsOf(parts: readonly Part[], isImported: boolean): Promise<string[]> {
  const texts: string[] = [];
  for (const part of parts) {
    const symbols = await symbolsOf(part);
    texts.push(`${isImported ? "##" : "###"} ${part.title}`);
    if (isImported) texts.push(`In the order of the alphabet: ${listOf(symbols)}.`);
    const mark = isImported ? "###" : "####";
    for (const symbol of symbols) texts.push(textOf(symbol, mark));
  }
  return texts;
}

/** All names, with links to those whose headings differ by more than capitals. */
function listOf(symbols: readonly KitSymbol[]): string {
  const anchors = symbols.map(({ name }) => name.toLowerCase());
  const isUnique = (anchor: string) => anchors.indexOf(anchor) === anchors.lastIndexOf(anchor);
  return symbols.map(({ name }) => [name, name.toLowerCase()] as const).sort(([, a], [, b]) =>
    a < b ? -1 : 1
  ).map((
    [name, anchor],
  ) => isUnique(anchor) ? `[\`${name}\`](#${anchor})` : `\`${name}\``).join(", ");
}

/** A block that is marked as ignored is code without its imports, so nobody compiles it. */
function textOf({ name, doc, signature, path }: KitSymbol, mark: string): string {
  return [`${mark} ${name}`, doc, "```ts ignore", signature, "```", `In \`${path}\`.`].join("\n\n")
    .replace("```ts ignore\n\n", "```ts ignore\n").replace("\n\n```\n", "\n```\n");
}

/** @returns the text of a page as `deno fmt` formats it */
export async function formatted(text: string, ending = "md"): Promise<string> {
  const process = new Deno.Command(Deno.execPath(), {
    args: ["fmt", "--line-width=100", `--ext=${ending}`, "-"],
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = process.stdin.getWriter();
  await writer.write(new TextEncoder().encode(text));
  await writer.close();
  const { success, stdout, stderr } = await process.output();
  if (!success) throw new Error(`deno fmt: ${new TextDecoder().decode(stderr)}`);
  return new TextDecoder().decode(stdout);
}
