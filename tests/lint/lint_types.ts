/**
 * The types of a plugin for `deno lint`. Deno declares them only among its unstable types, which
 * would be declared for every file of the project.
 */

/** A node of the syntax tree. Its members depend on its type, which a selector has chosen. */
// deno-lint-ignore no-explicit-any
export type Node = any;

/**
 * Called with each node of the types that are its keys. A key with `:exit` is called after the
 * node's children.
 */
export type Visitor = Record<string, (node: Node) => void>;

export interface RuleContext {
  readonly filename: string;
  readonly sourceCode: { getText(node: Node): string };
  report(fault: { readonly node: Node; readonly message: string; readonly hint: string }): void;
}

/** One rule: it makes a visitor for each file. */
export interface Rule {
  create(context: RuleContext): Visitor;
}

export interface Plugin {
  readonly name: string;
  readonly rules: Readonly<Record<string, Rule>>;
}
