/** Pictures of a game: in the list of games, and in previews of links (SPEC 7.28). */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { gamePage } from "../../../client/build/game_page.ts";
import {
  listItemOf,
  type PageSource,
  PICTURE_NAMES,
  withCard,
} from "../../../client/build/page_source.ts";
import { loadStaticFiles, withCardAddress } from "../../../server/http/static_files.ts";
import { GAMES } from "../../../shared/games/registry.ts";

const PICTURES = { card: new URL("file:///card.jpg"), preview: new URL("file:///preview.webp") };
const MARKUP = `<head>\n    <link rel="icon" href="icon.svg">\n  </head>`;

async function pageWith(pictures: NonNullable<PageSource["pictures"]>): Promise<PageSource> {
  return { ...await gamePage("puck"), pictures };
}

Deno.test("listItemOf: moves, and stands still for visitors who want no motion; without pictures it has the icon (SPEC 7.28)", async () => {
  const both = listItemOf(await pageWith(PICTURES));
  assertMatch(
    both,
    /<source media="\(prefers-reduced-motion: reduce\)[^"]*" srcset="\/puck\/card\.jpg">/,
  );
  assertStringIncludes(both, `<img src="/puck/preview.webp" alt=""`);
  assert(!both.includes("icon.svg"));
  const neither = listItemOf(await pageWith({}));
  assert(!/webp|jpg|<picture/.test(neither));
  assertStringIncludes(neither, `src="/puck/icon.svg"`);
});

Deno.test("withCard: a preview of a link has the card, and a page without one says nothing (SPEC 7.28)", async () => {
  assertEquals(withCard(MARKUP, await pageWith({})), MARKUP);
  const page = withCard(MARKUP, await pageWith(PICTURES));
  assertStringIncludes(page, `<meta property="og:image" content="card.jpg">`);
  assertStringIncludes(page, `<link rel="icon"`);
  const elsewhere = withCard(MARKUP, await pageWith(PICTURES), "https://play.example.org/puck/");
  assertStringIncludes(elsewhere, `content="https://play.example.org/puck/card.jpg"`);
});

Deno.test("withCardAddress: a server that knows its origin gives the card's whole address, by each game's path (SPEC 7.28)", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const page = withCard(MARKUP, await pageWith(PICTURES));
    await Deno.writeTextFile(`${folder}/index.html`, page);
    await Deno.writeTextFile(`${folder}/replay.html`, MARKUP);
    const place = { base: "/puck/", pages: ["", "play"] };
    const plain = await loadStaticFiles(folder, place);
    const files = withCardAddress(plain, "https://play.example.org");
    const text = (path: string) => new TextDecoder().decode(files.get(path)!.body);
    for (const path of ["/puck/", "/puck/play"]) {
      assertStringIncludes(text(path), `content="https://play.example.org/puck/card.jpg"`);
    }
    assertEquals(files.get("/puck/replay"), plain.get("/puck/replay"));
    assert(files.get("/puck/")!.etag !== plain.get("/puck/")!.etag, "browsers ask again");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("pictures: every game of the registry has both, small enough for a phone (SPEC 7.28)", async () => {
  for (const name of Object.keys(GAMES)) {
    const { pictures = {} } = await gamePage(name);
    const bytes = async (picture: URL | undefined) => (await Deno.readFile(picture!)).length;
    assert(await bytes(pictures.preview) <= 120_000, `${name}: ${PICTURE_NAMES.preview}`);
    assert(await bytes(pictures.card) <= 150_000, `${name}: ${PICTURE_NAMES.card}`);
  }
});
