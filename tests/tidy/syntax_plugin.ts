/**
 * A plugin for `deno lint` that finds no faults: for each file it reports one diagnostic, whose
 * message is the file's figures as JSON. Deno thus lends its parser, and the project needs none of
 * its own. `syntax.ts` runs it.
 */
import type { Node, Plugin, RuleContext, Visitor } from "../lint/lint_types.ts";

/** Names such as `x` and `dy`. */
const SHORT_NAME_CHARS = 2;

/** First and last offset in the file's text, in UTF-16 units; the last one is exclusive. */
export type Range = readonly [begin: number, end: number];

/** What the syntax tree of one file says. All places are offsets in its text. */
export interface FileSyntax {
  /** Each function that has a block: its signature's begin, and the braces around its body. */
  readonly functions: readonly { readonly begin: number; readonly body: Range }[];
  readonly comments: readonly Range[];
  /** Literals that are spread into others: `...{ a, b }` or `...[a, b]`. */
  readonly literalSpreads: readonly number[];
  /**
   * Statements that declare several variables, and whether all of their names are short. The head
   * of a `for` is none.
   */
  readonly severalDeclared: readonly { readonly at: number; readonly isShort: boolean }[];
}

/** What Deno offers a rule beyond the types of the project's own rules. */
type SourceContext = RuleContext & {
  readonly sourceCode: { getAllComments(): readonly { readonly range: Range }[] };
};

function measureFile(context: RuleContext): Visitor {
  const functions: { begin: number; body: Range }[] = [];
  const literalSpreads: number[] = [];
  const severalDeclared: { at: number; isShort: boolean }[] = [];

  const addFunction = (node: Node) => {
    if (node.body?.type !== "BlockStatement") return;
    // A method's name and modifiers stand outside of its function.
    const whole = node.parent?.value === node ? node.parent : node;
    functions.push({ begin: whole.range[0], body: node.body.range });
  };

  return {
    FunctionDeclaration: addFunction,
    FunctionExpression: addFunction,
    ArrowFunctionExpression: addFunction,
    SpreadElement: ({ argument, range }) => {
      if (/^(Object|Array)Expression$/.test(argument.type)) literalSpreads.push(range[0]);
    },
    VariableDeclaration: ({ declarations, parent, range }) => {
      if (declarations.length === 1 || parent?.type === "ForStatement") return;
      const isShort = declarations.every(({ id }: Node) => id.name?.length <= SHORT_NAME_CHARS);
      severalDeclared.push({ at: range[0], isShort });
    },
    "Program:exit": (node) => {
      const comments = (context as SourceContext).sourceCode.getAllComments();
      const syntax: FileSyntax = {
        functions,
        comments: comments.map(({ range }) => range),
        literalSpreads,
        severalDeclared,
      };
      context.report({ node, message: JSON.stringify(syntax), hint: "" });
    },
  };
}

const plugin: Plugin = { name: "figures", rules: { file: { create: measureFile } } };

export default plugin;
