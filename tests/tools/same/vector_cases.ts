/**
 * Prints the vectors that a checkout's code makes, as one object: names of files with their cases.
 * It runs with the configuration of that checkout and imports nothing of this one.
 *
 *     deno run --allow-read --config CONFIG vector_cases.ts URL
 */
interface Generator {
  generateFiles(): readonly { readonly name: string; readonly cases: readonly unknown[] }[];
}

const { generateFiles }: Generator = await import(Deno.args[0]!);
const files = generateFiles().map(({ name, cases }) => [name, cases]);
console.log(JSON.stringify(Object.fromEntries(files)));
