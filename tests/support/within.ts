/** A deadline that says what was waited for. */

/**
 * Waits for a promise, but no longer than a deadline. What the promise stands for goes on.
 * @param options.what what is waited for, for the error
 * @throws Error that names it if it has not come after `ms`
 */
export async function within<T>(
  promise: Promise<T>,
  { what, ms }: { readonly what: string; readonly ms: number },
): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    late.reject(new Error(`${what}: not there within ${ms / 1000} s`));
  }, ms);
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
