/** Waits for `work` at most `ms` milliseconds. @throws Error if it takes longer */
export async function withTimeout<Value>(
  ms: number,
  label: string,
  work: Promise<Value>,
): Promise<Value> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new Error(`${label} did not answer within ${ms / 1000} s`)),
    ms,
  );
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
