/** Types of Deno std's assertions. Each throws an AssertionError if its assertion does not hold. */

/** Asserts that `condition` is truthy. */
export function assert(condition: unknown, message?: string): asserts condition;
/** Compares deeply. */
export function assertEquals<Value>(actual: Value, expected: Value, message?: string): void;
export function assertNotEquals<Value>(actual: Value, expected: Value, message?: string): void;
export function assertAlmostEquals(
  actual: number,
  expected: number,
  tolerance?: number,
  message?: string,
): void;
export function assertGreater(actual: number, low: number, message?: string): void;
export function assertGreaterOrEqual(actual: number, low: number, message?: string): void;
export function assertLess(actual: number, high: number, message?: string): void;
export function assertLessOrEqual(actual: number, high: number, message?: string): void;
export function assertStringIncludes(actual: string, expected: string, message?: string): void;
export function assertMatch(actual: string, expected: RegExp, message?: string): void;
// deno-lint-ignore no-explicit-any
type ErrorClass<E extends Error> = new (...args: any[]) => E;
export function assertThrows<E extends Error = Error>(
  action: () => unknown,
  errorClass?: ErrorClass<E>,
  messageIncludes?: string,
): E;
export function assertRejects<E extends Error = Error>(
  action: () => Promise<unknown>,
  errorClass?: ErrorClass<E>,
  messageIncludes?: string,
): Promise<E>;
