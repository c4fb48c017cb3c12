/**
 * Finds the places that change an object: assignments to its members, and calls of methods that
 * change it.
 */
import type { Node, Visitor } from "./lint_types.ts";

/** The methods of arrays, typed arrays, maps and sets that change them. */
const CHANGING = new Set(
  "push pop shift unshift splice sort reverse fill copyWithin set add delete clear getOrInsert"
    .split(" "),
);

export interface Write {
  /** The expression whose object changes: `state` in `state.list[0].x = 1`; also `this`. */
  readonly root: Node;
  /**
   * The member of the root that changes, or that leads to the change; undefined if the root itself
   * is assigned.
   */
  readonly member: Node | undefined;
  /** The whole expression. */
  readonly node: Node;
}

/** Collects writes. @returns the selectors for a rule's visitor, and the list that they fill */
export function writesIn(): { visitor: Visitor; found: Write[] } {
  const found: Write[] = [];
  const add = (target: Node, node: Node) => {
    let root = target;
    let member: Node | undefined;
    while (
      root.type === "MemberExpression" || root.type === "TSNonNullExpression" ||
      root.type === "TSAsExpression"
    ) {
      if (root.type === "MemberExpression") member = root;
      root = root.object ?? root.expression;
    }
    if (root !== target) found.push({ root, member, node });
  };
  return {
    found,
    visitor: {
      AssignmentExpression: (node) => add(node.left, node),
      UpdateExpression: (node) => add(node.argument, node),
      UnaryExpression: (node) => node.operator === "delete" && add(node.argument, node),
      CallExpression: (node) => {
        const { callee } = node;
        if (callee.type === "MemberExpression" && CHANGING.has(callee.property.name)) {
          add(callee, node);
        }
      },
    },
  };
}
