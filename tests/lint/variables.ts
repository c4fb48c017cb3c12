/**
 * The variables of one file: where each is declared, and which declaration a name means. For the
 * rules of the plugin.
 */

import type { Node, Visitor } from "./lint_types.ts";

/** The place at which a variable is declared. */
export interface Variable {
  readonly name: string;
  /** The node whose block has the variable: a function, a block, a loop, a class or the program. */
  readonly scope: Node;
  /** The nearest function around the declaration; undefined at the top level of the module. */
  readonly owner: Node | undefined;
  readonly kind: "let" | "const" | "parameter" | "other";
  /** Its first value; undefined if it has none, or gets it by destructuring. */
  readonly init: Node | undefined;
  /** Its declared type; undefined if there is none. */
  readonly type: Node | undefined;
  readonly node: Node;
}

const FUNCTIONS = new Set(["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"]);
const BLOCKS = new Set([
  "Program",
  "BlockStatement",
  "ForStatement",
  "ForOfStatement",
  "ForInStatement",
  "StaticBlock",
]);

/**
 * Nodes are the same if they have the same place and type: a plugin may get another object for a
 * node each time.
 */
export function isSame(a: Node, b: Node): boolean {
  return a === b ||
    (a?.type === b?.type && a?.range[0] === b?.range[0] && a?.range[1] === b?.range[1]);
}

/** The nearest function around a node; undefined at the top level of the module. */
export function functionAround(node: Node): Node | undefined {
  for (let at = node.parent; at; at = at.parent) {
    if (FUNCTIONS.has(at.type) || at.type === "StaticBlock") return at;
  }
  return undefined;
}

/** The nearest class around a node; undefined outside of classes. */
export function classAround(node: Node): Node | undefined {
  for (let at = node.parent; at; at = at.parent) {
    if (/^Class/.test(at.type) && at.type !== "ClassBody") return at;
  }
  return undefined;
}

/** Collects the declarations of a file, and resolves names once the file has been visited. */
export class Variables {
  readonly #byName = new Map<string, Variable[]>();

  /** Selectors for the visitor of a rule. */
  visitor(): Visitor {
    return {
      VariableDeclarator: (node) =>
        this.#declare(node.id, { declaration: node.parent, declarator: node }),
      FunctionDeclaration: (node) => {
        this.#add(node.id, {
          scope: blockAround(node),
          kind: "other",
          owner: functionAround(node),
        });
        this.#parameters(node);
      },
      FunctionExpression: (node) => this.#parameters(node),
      ArrowFunctionExpression: (node) => this.#parameters(node),
      ClassDeclaration: (node) =>
        this.#add(node.id, {
          scope: blockAround(node),
          kind: "other",
          owner: functionAround(node),
        }),
      ImportSpecifier: (node) =>
        this.#add(node.local, { scope: blockAround(node), kind: "other", owner: undefined }),
      ImportNamespaceSpecifier: (node) =>
        this.#add(node.local, { scope: blockAround(node), kind: "other", owner: undefined }),
    };
  }

  /** The variable that an identifier means; undefined for a global one. */
  resolve(identifier: Node): Variable | undefined {
    const named = this.#byName.get(identifier.name) ?? [];
    for (let at = identifier; at; at = at.parent) {
      const found = named.find(({ scope }) => isSame(scope, at));
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #declare(
    pattern: Node,
    { declaration, declarator }: { declaration: Node; declarator: Node },
  ): void {
    const kind = declaration.kind === "const" ? "const" : "let";
    const scope = declaration.kind === "var"
      ? functionAround(declarator) ?? programOf(declarator)
      : blockAround(declarator);
    const init = pattern.type === "Identifier" ? declarator.init ?? undefined : undefined;
    for (const name of namesIn(pattern)) {
      this.#add(name, { scope, kind, owner: functionAround(declarator), init });
    }
  }

  #parameters(node: Node): void {
    for (const parameter of node.params) {
      for (const name of namesIn(parameter)) {
        this.#add(name, { scope: node, kind: "parameter", owner: node });
      }
    }
  }

  #add(
    name: Node,
    { scope, kind, owner, init }: Pick<Variable, "scope" | "kind" | "owner"> & { init?: Node },
  ): void {
    if (!name) return; // a default export may have no name
    const type = name.typeAnnotation?.typeAnnotation;
    const variable = { name: name.name, scope, kind, owner, init, type, node: name };
    this.#byName.set(name.name, [...(this.#byName.get(name.name) ?? []), variable]);
  }
}

function blockAround(node: Node): Node {
  for (let at = node.parent; at; at = at.parent) {
    if (BLOCKS.has(at.type) || FUNCTIONS.has(at.type)) return at;
  }
  return programOf(node);
}

function programOf(node: Node): Node {
  let at = node;
  while (at.parent) at = at.parent;
  return at;
}

/** The identifiers that a pattern declares. */
function namesIn(pattern: Node): Node[] {
  switch (pattern?.type) {
    case "Identifier":
      return [pattern];
    case "ObjectPattern":
      return pattern.properties.flatMap((each: Node) =>
        namesIn(each.type === "Property" ? each.value : each)
      );
    case "ArrayPattern":
      return pattern.elements.flatMap(namesIn);
    case "AssignmentPattern":
      return namesIn(pattern.left);
    case "RestElement":
      return namesIn(pattern.argument);
    case "TSParameterProperty":
      return namesIn(pattern.parameter);
    default:
      return [];
  }
}
