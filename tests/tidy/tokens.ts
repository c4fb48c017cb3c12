/**
 * Splits source text into tokens: comments, strings, names. No measure depends on the grammar, so
 * no parser is needed.
 *
 * A slash opens a regular expression unless the token before it ends a value. This rule reads all
 * code correctly that `deno fmt` formats.
 */

export type TokenKind = "comment" | "string" | "regex" | "name" | "number" | "mark";

/** One token. Each literal part of a template is a string of its own; substitutions are code. */
export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  /** Offset in the file's text, in UTF-16 units. */
  readonly at: number;
  /** From 1. */
  readonly line: number;
}

const TOKEN =
  /(?<space>\s+)|(?<comment>\/\/[^\n]*|\/\*[^]*?\*\/)|(?<string>"(?:[^"\\\n]|\\[^])*"|'(?:[^'\\\n]|\\[^])*')|(?<name>#?[\p{L}_$][\p{L}\p{N}_$]*)|(?<number>\d[\w.]*)|(?<mark>[^])/uy;
const REGEX = /\/(?![/*])(?:[^\\/[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y;
/**
 * Matches from a backquote, or from the brace that closes a substitution, to the next substitution
 * or the end.
 */
const TEMPLATE_PART = /[`}](?:[^\\`$]|\\[^]|\$(?!\{))*(?:`|\$\{)/y;
/** A slash after one of these words opens a regular expression; after any other name it divides. */
const OPERATORS = new Set([
  "return",
  "typeof",
  "case",
  "in",
  "of",
  "delete",
  "void",
  "throw",
  "else",
  "yield",
  "await",
]);

const STYLE_TOKEN =
  /(?<comment>\/\*[^]*?\*\/)|(?<string>"[^"\n]*"|'[^'\n]*')|(?<name>[A-Za-z_][\w-]*)/g;

/** @returns the tokens of a TypeScript file in their order, without white space */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];

  /** For each open brace: whether it opened a template's substitution. */
  const braces: boolean[] = [];
  let at = 0;
  let line = 1;

  while (at < text.length) {
    const closesSubstitution = text[at] === "}" && braces.pop() === true;
    const [kind, found] = text[at] === "`" || closesSubstitution
      ? matchAt(TEMPLATE_PART, { text, at, kind: "string" })
      : endsValue(tokens) || text[at] !== "/"
      ? matchAt(TOKEN, { text, at })
      : matchAt(REGEX, { text, at, kind: "regex" });
    if (kind === "string" ? found.endsWith("${") : found === "{") braces.push(kind === "string");
    if (kind !== "space") tokens.push({ kind, text: found, at, line });
    line += newlinesIn(found);
    at += found.length;
  }

  return tokens;
}

/** @returns the comments, strings and names of a style sheet in their order */
export function styleTokensOf(text: string): Token[] {
  return [...text.matchAll(STYLE_TOKEN)].map(({ 0: found, index, groups }) => ({
    kind: kindIn(groups!),
    text: found,
    at: index,
    line: 1 + newlinesIn(text.slice(0, index)),
  }));
}

/**
 * @returns the text with its comments replaced by blanks, so that offsets and lines stay the same
 */
export function withoutComments(text: string, tokens: readonly Token[]): string {
  let code = "";
  let end = 0;
  for (const token of tokens) {
    if (token.kind !== "comment") continue;
    code += text.slice(end, token.at) + token.text.replace(/[^\n]/g, " ");
    end = token.at + token.text.length;
  }
  return code + text.slice(end);
}

interface MatchRequest {
  readonly text: string;
  readonly at: number;
  /** The token's kind; if absent, the name of the pattern's group. */
  readonly kind?: TokenKind;
}

/** @returns kind and text; a mark of one character if the pattern does not match */
function matchAt(
  pattern: RegExp,
  { text, at, kind }: MatchRequest,
): readonly [TokenKind | "space", string] {
  pattern.lastIndex = at;
  const match = pattern.exec(text);
  if (match === null) return pattern === TOKEN ? ["mark", text[at]!] : matchAt(TOKEN, { text, at });
  return [kind ?? (match.groups!.space === undefined ? kindIn(match.groups!) : "space"), match[0]];
}

function kindIn(groups: Readonly<Record<string, string | undefined>>): TokenKind {
  return Object.keys(groups).find((name) => groups[name] !== undefined) as TokenKind;
}

function endsValue(tokens: readonly Token[]): boolean {
  const before = tokens.findLast(({ kind }) => kind !== "comment");
  if (before === undefined) return false;
  if (before.kind === "name") return !OPERATORS.has(before.text);
  return before.kind !== "mark" || before.text === ")" || before.text === "]" ||
    before.text === "}";
}

function newlinesIn(text: string): number {
  return text.split("\n").length - 1;
}
