import { assertEquals } from "@std/assert";
import { DevInput } from "../../server/dev/dev_input.ts";
import { linesOf } from "../../server/ground/lines.ts";
import { buildProblems, typeProblems } from "../../server/dev/problems.ts";

const PROJECT = new URL("../../", import.meta.url).href;

/** As Deno 2.9.6 prints two errors. */
const ROOT = new URL("../../", import.meta.url);

const CHECK_OUTPUT = `TS2322 [ERROR]: Type 'string' is not assignable to type 'number'.
export const a: number = "x";
             ^
    at ${PROJECT}client/a.ts:1:14

TS2345 [ERROR]: Argument of type '{ b: number; }' is not assignable to parameter of type 'B'.
  Types of property 'b' are incompatible.
    Type 'number' is not assignable to type 'string'.
f({ b: 1 });
  ~~~~~~~~
    at ${PROJECT}shared/b.ts:20:3

    The expected type comes from property 'b' which is declared here on type 'B'
      b: string;
      ^
        at ${PROJECT}shared/c.ts:3:3

Found 2 errors.

error: Type checking failed.
`;

Deno.test("typeProblems: each error once, with the place where it is and its first line", () => {
  assertEquals(typeProblems(CHECK_OUTPUT, ROOT), [
    {
      file: "client/a.ts",
      line: 1,
      column: 14,
      message: "Type 'string' is not assignable to type 'number'.",
    },
    {
      file: "shared/b.ts",
      line: 20,
      column: 3,
      message: "Argument of type '{ b: number; }' is not assignable to parameter of type 'B'.",
    },
  ]);
  assertEquals(typeProblems("", ROOT), []);
  assertEquals(typeProblems(CHECK_OUTPUT.repeat(50), ROOT).length, 20);
});

Deno.test("buildProblems: each error of esbuild with its place; columns count from 1", () => {
  const output =
    `Build failed with 1 error:\nclient/ui/hud.ts:300:6: ERROR: Expected identifier but found "="\n`;
  assertEquals(buildProblems(output), [
    {
      file: "client/ui/hud.ts",
      line: 300,
      column: 7,
      message: 'Expected identifier but found "="',
    },
  ]);
});

Deno.test("DevInput: each whole line is the newest answer once the pages have been read again, however it arrives", async () => {
  const input = Promise.withResolvers<ReadableStreamDefaultController<Uint8Array>>();
  const bytes = new ReadableStream<Uint8Array>({ start: input.resolve });
  const seen: string[] = [];
  const reloads: PromiseWithResolvers<void>[] = [0, 1, 2].map(() => Promise.withResolvers());
  const devInput = new DevInput(linesOf(bytes, 1_000), () => {
    seen.push(devInput.problems);
    reloads[seen.length - 1]!.resolve();
    return Promise.resolve();
  });
  const controller = await input.promise;
  for (const part of ['{"problems":[1]}\n{"prob', 'lems":[2]}\n', '{"problems":[3]}\n']) {
    controller.enqueue(new TextEncoder().encode(part));
  }
  await reloads[2]!.promise;
  assertEquals(seen, ['{"problems":[]}', '{"problems":[1]}', '{"problems":[2]}']);
  controller.close();
});
