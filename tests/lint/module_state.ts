/** Refuses state in modules and classes: no snapshot holds it, so no rollback restores it. */
import type { Node, Rule } from "./lint_types.ts";
import { isGame, isPure } from "./places.ts";
import { functionAround, type Variable, Variables } from "./variables.ts";
import { writesIn } from "./writes.ts";

const INSTEAD =
  "Declare a field: of the match, or of a thing. Every snapshot has it, so a rollback restores it";

/** `wyvern/module-state`. */
export const moduleState: Rule = {
  create(context) {
    if (!isPure(context.filename)) return {};
    const variables = new Variables();
    const visitor = variables.visitor();
    const writes = writesIn();
    const report = (node: Node, message: string) =>
      context.report({ node, message, hint: INSTEAD });
    return {
      ...visitor,
      ...writes.visitor,
      VariableDeclaration(node) {
        if (node.kind === "const" || node.kind === "using" || functionAround(node) !== undefined) {
          return;
        }
        for (const { id } of node.declarations) {
          report(
            id,
            `The module variable ${context.sourceCode.getText(id)} is no part of the state`,
          );
        }
      },
      PropertyDefinition(node: Node) {
        if (node.static && !node.readonly) {
          report(node, `The static property ${nameOf(node.key)} is no part of the state`);
        }
      },
      "Program:exit"() {
        // The physics reuses objects that each function fills before it reads them: a tick
        // allocates next to nothing.
        if (!isGame(context.filename)) return;
        const reported = new Set<Variable>();
        for (const { root, node } of writes.found) {
          const variable = root.type === "Identifier" ? variables.resolve(root) : undefined;
          const isConstant = variable?.kind === "const" && variable.owner === undefined;
          // A module runs its top level once, and equally everywhere.
          if (!isConstant || functionAround(node) === undefined || reported.has(variable)) continue;
          reported.add(variable);
          report(
            node,
            `A function changes ${variable.name}, which belongs to the module and is no part of the state`,
          );
        }
      },
    };
  },
};

function nameOf(key: Node): string {
  return key.type === "PrivateIdentifier" ? `#${key.name}` : String(key.name ?? key.value);
}
