// Deno std's assertions from npm, where they ship without types: `assert.d.ts` gives the few that are used theirs.
// @ts-types="./assert.d.ts"
export * from "deno-std/assert/mod.js";
