/**
 * Names in TypeScript declarations: those of planck's `.d.ts`, and those of the stage's own
 * sources. The patterns rely on the layout of both: a member stands one level deeper than its
 * declaration.
 */

/** The names of one exported or local declaration. */
export interface Declaration {
  /** Names of members or options, ascending, each once. */
  readonly members: readonly string[];
  /** Names of other declarations whose members it has, too. */
  readonly bases: readonly string[];
}

const HEAD =
  /^(?:export )?(?:declare )?(?:abstract )?(class|interface|type|const|enum|function) ([\w$]+)(?:<.*?>)?(?: extends ([^{]+?))?(?: implements [^{]+?)?(?: [{=]|: |\()(.*)/;
const MEMBER =
  /^(?:static |readonly |abstract |override |get |set |async )*(\w+)(?:<.*?>)?\??[:(,]|^(\w+) = /;
const EVENT = /^o(?:n|ff)\(name: "([\w-]+)"/;
const OPTION = /(?:[{;] *|^ *)(?:\| \{ )?readonly (\w+)\??:/g;

/** Whether planck means a name for itself, by its spelling. */
export function isPrivate(name: string): boolean {
  return /^_|^m_|^constructor$/.test(name);
}

/** @returns the declarations of a file by name; several of one name are one */
export function declarationsIn(text: string): Map<string, Declaration> {
  const found = new Map<string, { members: Set<string>; bases: Set<string> }>();
  let open: { members: Set<string>; bases: Set<string> } | undefined;
  let kind = "";

  for (const line of text.split("\n")) {
    const head = HEAD.exec(line);
    if (head !== null) {
      kind = head[1]!;
      const name = head[2]!;
      open = found.get(name) ?? { members: new Set(), bases: new Set() };
      found.set(name, open);
      for (const base of (head[3] ?? "").split(/, ?/)) {
        if (base !== "") open.bases.add(base.replace(/<.*/, ""));
      }
      if (kind === "type") readType(head[4]!, open);
    } else if (/^\S/.test(line)) {
      if (/^[}\])]/.test(line)) open = undefined;
    } else if (open !== undefined) {
      if (kind === "type") readType(line, open);
      else readMember(line, open.members);
    }
  }

  return new Map(
    [...found].map((
      [name, { members, bases }],
    ) => [name, { members: [...members].sort(), bases: [...bases] }]),
  );
}

/**
 * A line of a class, an interface or an object. Lines deeper than one level are parts of a member.
 */
function readMember(line: string, members: Set<string>): void {
  const text = /^(?:\t| {2})(\S.*)/.exec(line)?.[1];
  if (text === undefined || text.startsWith("private ")) return;
  const event = EVENT.exec(text)?.[1];
  if (event !== undefined) members.add(event);
  const [, member, value] = MEMBER.exec(text) ?? [];
  const name = member ?? value;
  if (name !== undefined && !isPrivate(name)) members.add(name);
}

/** A line of a type: the options that it lists, and the types that it is made of. */
function readType(
  line: string,
  { members, bases }: { members: Set<string>; bases: Set<string> },
): void {
  if (/^\s*\/?\*/.test(line)) return;
  for (const [, name] of line.matchAll(OPTION)) members.add(name!);
  const plain = /^(?:\t| {2})(\w+)\??:/.exec(line)?.[1];
  if (plain !== undefined) members.add(plain);
  const base = /^\s*[&|]? ?([A-Z]\w+)(?:<.*>)?;?$/.exec(line)?.[1];
  if (base !== undefined) bases.add(base);
}

/** @returns the members of a declaration and of all its bases */
export function allMembers(
  declarations: ReadonlyMap<string, Declaration>,
  name: string,
): Set<string> {
  const { members = [], bases = [] } = declarations.get(name) ?? {};
  return new Set([...members, ...bases.flatMap((base) => [...allMembers(declarations, base)])]);
}
