/**
 * Runs `deno task build:elsewhere`: builds one game's page for another site than its server, such as
 * a portal or a static host. It needs no server there, only files.
 */
import { zipSync } from "fflate";
import * as z from "zod";
import { EXIT_UNUSABLE, parseFlags, present, usage, UsageError } from "../../shared/flags.ts";
import { GAMES } from "../../shared/games/registry.ts";
import { buildElsewhere } from "./build.ts";
import { gamePage } from "./game_page.ts";
import { checkStaticFolder, writeStaticFolder } from "./static_folder.ts";

/** In the page of every such build; a folder without it is somebody else's. */
const MARK = "data-server=";
/** A zip's members all have this time, so that equal pages make equal files. */
const ZIP_TIME = "2020-01-01T00:00:00";

const FLAGS = {
  game: {
    schema: z.string().refine((name) => Object.hasOwn(GAMES, name)),
    about: "which game's page to build",
    allowed: Object.keys(GAMES).join(" or "),
  },
  server: {
    schema: z.url({ protocol: /^https?$/ }).max(256).regex(/^[^?#"<>]*$/)
      .transform((text) => text.endsWith("/") ? text : `${text}/`),
    about: "the address of that page at its server",
    allowed: "https://HOST/, or https://HOST/NAME/ for a server with several games",
  },
  out: {
    schema: z.string().min(1),
    about: "the folder to write to, which is made",
    allowed: "a path; what an earlier build wrote there is replaced, and other files stay",
  },
  zip: {
    schema: present(),
    about: "also packs the folder's files into OUT.zip, for portals that take one",
    allowed: "",
    switch: true,
  },
} as const;

async function main(args: string[]): Promise<void> {
  const flags = parseFlags(args, FLAGS);
  if (flags === "help") return console.log(usage("deno task build:elsewhere", FLAGS));
  const { game, server, out, zip } = flags;
  await checkStaticFolder(out, MARK);

  const files = await buildElsewhere(await gamePage(game), server);
  await writeStaticFolder(out, files);
  console.log(`Built ${files.length} files into ${out}; its players' server is ${server}`);

  if (zip) {
    const members = Object.fromEntries(files.map(({ name, bytes }) => [name, bytes]));
    const packed = zipSync(members, { level: 9, mtime: ZIP_TIME });
    const path = `${out.replace(/\/+$/, "")}.zip`;
    await Deno.writeFile(path, packed);
    console.log(`Packed them into ${path}, ${(packed.length / 1000).toFixed(1)} kB`);
  }
}

if (import.meta.main) {
  try {
    await main(Deno.args);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    Deno.exitCode = error instanceof UsageError ? EXIT_UNUSABLE : 1;
  }
}
