/**
 * Refuses loops whose order depends on history. A Map lists its keys as they were added; after a
 * rollback the additions may have come in another order. A Map that lives only within one function
 * is filled anew each time, so it is free.
 */
import type { Node, Rule } from "./lint_types.ts";
import { hasRules, isGame } from "./places.ts";
import { classAround, functionAround, isSame, type Variable, Variables } from "./variables.ts";
import { writesIn } from "./writes.ts";

const COLLECTION = /^(Readonly)?(Map|Set)$/;
const ITERATORS = new Set(["forEach", "keys", "values", "entries"]);
const OBJECT_LISTS = new Set(["keys", "values", "entries"]);

const IN_HINT = "Use for (const name of NAMES) with a constant array of the names";
const MAP_HINT =
  "Use an array by seat or id and go through it by index, world.all(name), or sort the keys first";

/** `wyvern/ordered-iteration`. */
export const orderedIteration: Rule = {
  create(context) {
    if (!isGame(context.filename)) return {};
    const file = new IterationsOf();
    const { variables, writes } = file;
    const iterated: { target: Node; node: Node; isObject: boolean }[] = [];
    const see = (target: Node, node: Node, isObject = false) =>
      void iterated.push({ target, node, isObject });
    return {
      ...variables.visitor(),
      ...writes.visitor,
      PropertyDefinition: (node: Node) => file.properties.push(node),
      // The kit walks declarations, and their order does not change.
      ForInStatement: (node: Node) =>
        hasRules(context.filename) &&
        context.report({
          node,
          message: "for…in lists an object's keys as they were added",
          hint: IN_HINT,
        }),
      ForOfStatement: (node: Node) => see(node.right, node.right),
      SpreadElement: (node: Node) => isSorted(node.parent) || see(node.argument, node),
      CallExpression(node: Node) {
        writes.visitor.CallExpression!(node);
        const { callee } = node;
        if (callee.type !== "MemberExpression" || callee.computed || isSorted(node)) return;
        const [first] = node.arguments;
        const owner = callee.object.name;
        const method = callee.property.name;
        if (owner === "Object" && OBJECT_LISTS.has(method)) see(first, node, true);
        else if (owner === "Array" && method === "from" && first) see(first, node);
        else if (ITERATORS.has(method) && !isWithinSorted(node)) see(callee.object, node);
      },
      "Program:exit"() {
        for (const { target, node, isObject } of iterated) {
          const what = isObject ? file.changingObject(target) : file.lastingCollection(target);
          if (what === undefined) continue;
          const message =
            `The order of ${what} depends on what was added when, which a rollback changes`;
          context.report({ node, message, hint: MAP_HINT });
        }
      },
    };
  },
};

/** The declarations and writes of a file, and what follows for the order of its collections. */
class IterationsOf {
  readonly variables = new Variables();
  readonly writes = writesIn();
  /** The properties of all classes. */
  readonly properties: Node[] = [];

  /**
   * The text of a Map or Set that outlives the function that iterates it; undefined for anything
   * else.
   */
  lastingCollection(target: Node): string | undefined {
    if (target?.type === "MemberExpression" && target.object.type === "ThisExpression") {
      const property = this.#propertyOf(target);
      if (
        property === undefined ||
        !isCollection(property.typeAnnotation?.typeAnnotation, property.value)
      ) {
        return undefined;
      }
      return `this.${
        target.property.type === "PrivateIdentifier" ? "#" : ""
      }${target.property.name}`;
    }
    if (target?.type !== "Identifier") return undefined;
    const variable = this.variables.resolve(target);
    if (variable === undefined || !isCollection(variable.type, variable.init)) return undefined;
    return this.#isFixed(variable, target) ? undefined : variable.name;
  }

  /**
   * The text of an object outside of the function to which a function adds keys; undefined for
   * anything else.
   */
  changingObject(target: Node): string | undefined {
    const variable = target?.type === "Identifier" ? this.variables.resolve(target) : undefined;
    const isThis = target?.type === "MemberExpression" && target.object.type === "ThisExpression";
    if (isThis) {
      return this.#writesTo(target).some(isComputed) ? `this.${target.property.name}` : undefined;
    }
    if (variable === undefined || this.#isFixed(variable, target)) return undefined;
    return this.#writesOf(variable).some(isComputed) ? variable.name : undefined;
  }

  /** Made anew by the same function, or a constant that no function changes. */
  #isFixed(variable: Variable, target: Node): boolean {
    if (variable.kind === "parameter") return false;
    if (variable.owner !== undefined) return isSame(variable.owner, functionAround(target));
    return variable.kind === "const" &&
      !this.#writesOf(variable).some(({ node }) => functionAround(node) !== undefined);
  }

  #writesOf(variable: Variable) {
    return this.writes.found.filter(({ root }) =>
      root.type === "Identifier" && this.variables.resolve(root) === variable
    );
  }

  #writesTo({ property }: Node) {
    return this.writes.found.filter(({ root, member }) =>
      root.type === "ThisExpression" && innermost(member).property.name === property.name
    );
  }

  #propertyOf(target: Node): Node | undefined {
    const { property } = target;
    return this.properties.find(({ key, parent }) =>
      key.name === property.name && key.type === property.type &&
      isSame(parent.parent, classAround(target))
    );
  }
}

/** The member expression next to the root: `this.x` in `this.x[1].y`. */
function innermost(member: Node): Node {
  return member.object.type === "MemberExpression" ? innermost(member.object) : member;
}

/** Whether the write adds or removes a key that is computed: `o[key] = 1`, `delete o[key]`. */
function isComputed({ node }: { node: Node }): boolean {
  const target = node.left ?? node.argument;
  return target?.type === "MemberExpression" && target.computed;
}

function isCollection(type: Node | undefined, init: Node | undefined): boolean {
  const made = init?.type === "NewExpression" ? init.callee.name : undefined;
  return COLLECTION.test(type?.typeName?.name ?? made ?? "");
}

/** Whether `.sort()` or `.toSorted()` is called on this expression. */
function isSorted(node: Node): boolean {
  const { parent } = node;
  return parent?.type === "MemberExpression" && /^(sort|toSorted)$/.test(parent.property.name) &&
    isSame(parent.object, node);
}

/**
 * Whether the expression is the only element of an array, or an argument of `Array.from`, that is
 * sorted at once.
 */
function isWithinSorted(node: Node): boolean {
  const { parent } = node;
  if (parent?.type === "SpreadElement") return isSorted(parent.parent);
  return parent?.type === "CallExpression" && isSorted(parent);
}
