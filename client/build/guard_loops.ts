/**
 * Makes an author's loops throw when they do not end: the page would hang otherwise, without a word.
 * In `deno task dev` the author reads the line soon. In a built page the match
 * ends, and the player reads why. Lines and columns stay nearly the same.
 *
 *     while (x)  →  while (loopTurn(), x)        for (a; b; c)  →  for (a; b; c, loopTurn())
 *
 * A `for … of` ends with its list, so it stays as it is.
 */
import { fileURLToPath } from "node:url";
import type { Plugin } from "esbuild";

const TURN = fileURLToPath(new URL("../ui/loop_turn.ts", import.meta.url));
/** The sources of games and of their views, also in a project of one's own; those of tests, too. */
const GAMES = /[\\/](games|tests)[\\/].*\.ts$/;
/** Comments, texts, regular expressions after what no division follows, names, numbers, the rest. */
const TOKEN =
  /\/\/.*|\/\*[^]*?\*\/|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`|[\w$#]+|\s+|\/(?![/*])(?:\\.|\[(?:\\.|[^\]\\])*\]|[^\\/[\n])+\/\w*|[^]/g;
/** What a division may follow. */
const VALUE = /^([\w$#]+|[)\]}"'`].*)$/;
const KEYWORD = /^(return|typeof|case|in|of|do|else|void|delete|throw|new|yield|await)$/;

/** An open bracket, or a template. */
interface Open {
  readonly mark: string;
  /** Whether it opens the head of a `for`. */
  readonly isFor: boolean;
  semicolons: number;
  /** Whether something follows the last semicolon. */
  hasMore: boolean;
}

export const guardLoops: Plugin = {
  name: "guard loops",
  setup(build) {
    build.onLoad({ filter: GAMES }, async ({ path }) => {
      const guarded = withLoopTurns(await Deno.readTextFile(path));
      if (guarded === undefined) return undefined;
      const from = JSON.stringify(TURN);
      return {
        contents: `import { loopTurn as wyvernLoopTurn } from ${from}; ${guarded}`,
        loader: "ts",
      };
    });
  },
};

/**
 * Adds the calls to a TypeScript source.
 * @returns undefined if it has no loop that needs one, or if its brackets do not match as read here,
 *   so that a source that this file misreads stays as it is
 */
export function withLoopTurns(source: string): string | undefined {
  const open: Open[] = [];
  let out = "";
  let loops = 0;
  let before = "";
  let beforeThat = "";
  TOKEN.lastIndex = 0;

  for (let match = TOKEN.exec(source); match !== null; match = TOKEN.exec(source)) {
    let [token] = match;

    // A template's text, up to its end or its next expression
    if (open.at(-1)?.mark === "`") {
      if (token[0] === "\\") token += source[++TOKEN.lastIndex - 1] ?? "";
      else if (token === "`") open.pop();
      else if (token[0] === "$" && source[match.index + 1] === "{") {
        token = "${";
        TOKEN.lastIndex = match.index + 2;
        open.push(opened("${", false));
      } else {
        token = token[0]!;
        TOKEN.lastIndex = match.index + 1;
      }
      out += token;
      if (token === "`") before = "`";
      continue;
    }

    // What looks like a regular expression after a value is a division.
    if (token.length > 1 && token[0] === "/" && !/^\/[/*]/.test(token)) {
      if (VALUE.test(before) && !KEYWORD.test(before)) {
        token = "/";
        TOKEN.lastIndex = match.index + 1;
      }
    }
    if (/^(\s|\/\/|\/\*)/.test(token)) {
      out += token;
      continue;
    }

    // A semicolon, and what follows it, in the head of a `for`
    const head = open.at(-1);
    if (head?.isFor && token === ";") {
      head.semicolons++;
      head.hasMore = false;
    } else if (head?.isFor && token !== ")") head.hasMore = true;

    if (token === "`") open.push(opened("`", false));
    else if (token === "(" || token === "[" || token === "{") {
      const isStatement = beforeThat !== ".";
      open.push(opened(token, token === "(" && before === "for" && isStatement));
      if (token === "(" && before === "while" && isStatement) {
        token = "(wyvernLoopTurn(), ";
        loops++;
      }
    } else if (token === ")" || token === "]" || token === "}") {
      const closed = open.pop();
      if (closed?.isFor && closed.semicolons === 2) {
        token = closed.hasMore ? ", wyvernLoopTurn())" : " wyvernLoopTurn())";
        loops++;
      }
    }
    out += token;
    beforeThat = before;
    before = token;
  }

  return loops === 0 || open.length > 0 ? undefined : out;
}

function opened(mark: string, isFor: boolean): Open {
  return { mark, isFor, semicolons: 0, hasMore: false };
}
