// Deno std's assertions, from npm. That package has no types, so `assert.d.ts` declares the functions that the tests
// use.
// @ts-types="./assert.d.ts"
export * from "deno-std/assert/mod.js";
