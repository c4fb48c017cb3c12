/**
 * All that authors of games import, with the docstrings of the sources: `deno doc --json` reads
 * them.
 */
import { fileURLToPath } from "node:url";

const ROOT = new URL("../../", import.meta.url);

/** A section of the reference. */
export interface Part {
  readonly title: string;
  readonly module: string;
  /** The symbols of the section, exported or not; default: all that the module exports. */
  readonly names?: readonly string[];
}

export interface Member {
  readonly name: string;
  readonly doc: string;
}

/** One exported symbol. */
export interface KitSymbol {
  readonly name: string;
  readonly kind: "class" | "function" | "interface" | "typeAlias" | "variable";
  /** The docstring without its marks; empty if there is none. */
  readonly doc: string;
  /** The declaration as the source has it, without the body of a function. */
  readonly signature: string;
  /** The properties and methods of an interface. */
  readonly members: readonly Member[];
  /** Its file, from the project's folder on. */
  readonly path: string;
}

interface DocTag {
  readonly kind: string;
  readonly name?: string;
  readonly doc?: string;
}

interface Documented {
  readonly name: string;
  readonly jsDoc?: { readonly doc?: string; readonly tags?: readonly DocTag[] };
}

interface DocDeclaration extends Documented {
  readonly kind: KitSymbol["kind"];
  readonly location: { readonly filename: string; readonly byteIndex: number };
  readonly def: {
    readonly properties?: readonly Documented[];
    readonly methods?: readonly Documented[];
  };
}

interface DocJson {
  readonly nodes: Readonly<
    Record<
      string,
      { readonly symbols: readonly { name: string; declarations: readonly DocDeclaration[] }[] }
    >
  >;
}

/** @throws Error if `deno doc` fails, or if the module has no symbol with one of the names */
export async function symbolsOf({ module, names }: Part): Promise<KitSymbol[]> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["doc", "--json", ...names === undefined ? [] : ["--private"], module],
    cwd: fileURLToPath(ROOT),
    env: { NO_COLOR: "1" },
  }).output();
  if (!success) throw new Error(`deno doc ${module}: ${new TextDecoder().decode(stderr)}`);
  const { nodes } = JSON.parse(new TextDecoder().decode(stdout)) as DocJson;
  const found = Object.values(nodes).flatMap(({ symbols }) => symbols);
  const missing = names?.find((name) => found.every((symbol) => symbol.name !== name));
  if (missing !== undefined) throw new Error(`${module} exports no ${missing}`);
  const chosen = names === undefined ? found : found.filter(({ name }) => names.includes(name));
  return await Promise.all(
    chosen.map(async ({ name, declarations }) => await symbolOf(name, declarations[0]!)),
  );
}

async function symbolOf(name: string, declaration: DocDeclaration): Promise<KitSymbol> {
  const { kind, location: { filename, byteIndex }, def } = declaration;
  const bytes = await Deno.readFile(new URL(filename));
  const members = [...def.properties ?? [], ...def.methods ?? []];
  return {
    name,
    kind,
    doc: docOf(declaration),
    signature: signatureOf(kind, {
      name,
      source: new TextDecoder().decode(bytes.subarray(byteIndex)),
    }),
    members: kind === "interface"
      ? members.map((member) => ({ name: member.name, doc: docOf(member) }))
      : [],
    path: filename.slice(ROOT.href.length),
  };
}

/** A docstring with its tags as sentences. */
function docOf({ jsDoc }: Documented): string {
  const tags = (jsDoc?.tags ?? []).map(({ kind, name, doc = "" }) =>
    kind === "param"
      ? `\`${name}\`: ${doc}`
      : kind === "return"
      ? `Returns ${doc}`
      : `Throws ${doc}`
  );
  return [jsDoc?.doc ?? "", ...tags.map((tag) => `- ${tag.replaceAll("\n", " ")}`)].join("\n\n")
    .trim();
}

/** @param source the text from the declaration on. Its form is that of `deno fmt` */
function signatureOf(
  kind: KitSymbol["kind"],
  { name, source }: { name: string; source: string },
): string {
  switch (kind) {
    case "interface":
      return source.startsWith("export") && /^[^\n]*\{\}\n/.test(source)
        ? source.slice(0, source.indexOf("\n"))
        : source.slice(0, source.indexOf("\n}") + 2);
    case "class":
      return `${source.slice(0, source.indexOf(" {\n"))} {}`;
    case "typeAlias":
      return source.slice(0, endOfStatement(source));
    case "function":
      return functionSignature(source);
    case "variable":
      return `const ${name}: ${/^\w+: (\w+) =/.exec(source)?.[1] ?? "…"};`;
  }
}

/** The end of a type: the first semicolon outside of all brackets and comments. */
function endOfStatement(source: string): number {
  const code = source.replace(/\/\*[^]*?\*\/|"[^"\n]*"/g, (found) => " ".repeat(found.length));
  let depth = 0;
  for (let at = 0; at < code.length; at++) {
    if ("({[".includes(code[at]!)) depth++;
    if (")}]".includes(code[at]!)) depth--;
    if (code[at] === ";" && depth === 0) return at + 1;
  }
  throw new Error(`no end of ${source.slice(0, 40)}`);
}

/**
 * A function without its body, which opens at the first end of a line that is in one bracket only.
 */
function functionSignature(source: string): string {
  // An arrow function in a constant.
  if (!source.startsWith("export")) {
    return `function ${source.slice(0, source.indexOf(" =>")).replace(" = ", "")};`;
  }
  let depth = 0;
  for (let at = 0; at < source.length; at++) {
    if ("({[".includes(source[at]!)) depth++;
    if (")}]".includes(source[at]!)) depth--;
    if (depth === 1 && source.startsWith("{\n", at)) return `${source.slice(0, at).trimEnd()};`;
  }
  throw new Error(`no body of ${source.slice(0, 40)}`);
}
