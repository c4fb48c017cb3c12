/** The browser's way back and forward between lobby and match, and addresses where nothing is. */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import type { Page } from "playwright-core";
import { ServerProcess } from "../../support/servers/server_process.ts";
import { Stranger } from "../../support/sockets/stranger.ts";
import { seriousFindings } from "../axe.ts";
import { browserTest } from "../chromium.ts";
import { untilPlaying } from "../duel.ts";
import { shoot } from "../shots.ts";

const question = (page: Page) => page.locator("#question");
const answer = (page: Page, name: string) => question(page).getByRole("button", { name });

async function untilLobby(page: Page): Promise<void> {
  await page.waitForSelector("#lobby:not([hidden])");
  await page.waitForFunction(() => !document.querySelector<HTMLButtonElement>("#play")!.disabled);
}

browserTest(
  "page: the way back from a match asks first and leads into the lobby, from there it leaves; forward leads into the room again (SPEC 8.130)",
  async (browser) => {
    await using server = await ServerProcess.start("--npcs", "1", "--data", "off");
    const page = await browser.newPage();
    await page.goto(`${server.url}healthz`);
    await page.goto(`${server.url}play#BACK`);
    await page.click("#play");
    await untilPlaying(page);
    const seat = await page.evaluate(() => wyvern!.seat);

    // To stay is to be where one was, with the same match.
    await page.evaluate(() => history.back());
    await answer(page, "Stay").waitFor();
    assertEquals(await seriousFindings(page, { isMeasurable: false }), []);
    await shoot(page, "back_question.png");
    await answer(page, "Stay").click();
    await page.waitForFunction(() => history.state === "wyvern match");
    assertEquals(await question(page).isVisible(), false);
    assertEquals(await page.evaluate(() => wyvern!.seat), seat);
    await page.evaluate(() => history.back());
    await answer(page, "Stay").waitFor();
    await page.keyboard.press("Escape");
    await page.waitForFunction(() => history.state === "wyvern match");
    assertEquals(await page.isVisible("#lobby"), false);

    // Reloading keeps the seat, and the way back.
    await page.reload();
    await untilPlaying(page);
    await page.evaluate(() => history.back());
    await answer(page, "Leave the match").click();
    await untilLobby(page);
    assertEquals(new URL(page.url()).hash, "");
    assertEquals(await page.innerText("#play"), "Play now");

    await page.goForward();
    await untilPlaying(page);
    assertEquals(new URL(page.url()).hash, "#BACK");

    // The menu leads to the same lobby, and from there the way back leaves the page.
    await page.click("#open-menu");
    await page.click("#leave");
    await untilLobby(page);
    await page.waitForFunction(() => history.state === "wyvern lobby");
    assertEquals(new URL(page.url()).hash, "");
    await page.goBack();
    await page.waitForURL(/healthz$/);
  },
);

browserTest(
  "page: another room in the address bar asks, too, and a practice match has the same ways back and forward (SPEC 8.130)",
  async (browser) => {
    await using server = await ServerProcess.start("--npcs", "1", "--data", "off");
    const page = await browser.newPage();
    await page.goto(`${server.url}play#BACK`);
    await page.click("#play");
    await untilPlaying(page);
    await page.evaluate(() => location.hash = "#OTHR");
    await answer(page, "Stay").click();
    await page.waitForFunction(() => location.hash === "#BACK");
    await page.evaluate(() => location.hash = "#OTHR");
    await answer(page, "Leave the match").click();
    await untilLobby(page);
    assertEquals(await page.innerText("#play"), "Play in room OTHR");

    await page.click("#practise");
    await untilPlaying(page);
    await page.evaluate(() => history.back());
    await answer(page, "Leave the match").click();
    await untilLobby(page);

    // Forward leads into another practice match, and not into the room of the link.
    await page.evaluate(() => history.forward());
    await untilPlaying(page);
    assertEquals(await page.innerText("#room-code"), "Practice");
    await page.click("#open-menu");
    await page.click("#leave");
    await untilLobby(page);
  },
);

browserTest(
  "page: says whether anybody is in the room of a link, keeps a code that is not whole, and Join asks before it opens a room (SPEC 8.131)",
  async (browser) => {
    await using server = await ServerProcess.start("--npcs", "1", "--data", "off");
    const page = await browser.newPage();
    const untilInvited = (words: string) =>
      page.waitForFunction(
        (words) => document.querySelector("#invited")!.textContent!.includes(words),
        words,
      );
    await page.goto(`${server.url}play#NONE`);
    await untilInvited("Nobody is in room NONE. Play opens it");
    assertEquals(await page.innerText("#play"), "Play in room NONE");
    assertEquals(await seriousFindings(page), []);
    await shoot(page, "no_such_room.png");
    const player = await Stranger.join(server.port, { room: "NONE" });
    void player.playUntil(() => false);
    await untilInvited("Room NONE: 1 player");

    await page.goto(`${server.url}play#ABC`);
    await untilInvited("The code of this link is not whole.");
    assertEquals(await page.inputValue("#room"), "ABC");
    assertEquals(new URL(page.url()).hash, "#ABC");

    // A wrong letter: the first press says so, the second opens the room.
    await page.fill("#room", "NOME");
    await page.click("#go");
    await page.waitForFunction(() =>
      document.querySelector("#lobby-notice")!.textContent!.startsWith("Nobody is in room NOME.")
    );
    await page.click("#go");
    await untilPlaying(page);
    assertEquals(new URL(page.url()).hash, "#NOME");
    player.cut();
  },
);

browserTest(
  "server: an address where nothing is has a page that leads home, and a line for programs (SPEC 8.134)",
  async (browser) => {
    await using server = await ServerProcess.start("--games", "dragons,puck", "--data", "off");
    const plain = await fetch(`${server.url}nothing`);
    assertEquals([plain.status, await plain.text()], [404, "There is no such page.\n"]);

    const page = await browser.newPage();
    const errors: string[] = [];
    page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    const answered = await page.goto(`${server.url}nothing/%3Cscript%3E`);
    assertEquals(answered!.status(), 404);
    assertMatch(answered!.headers()["content-type"]!, /^text\/html/);
    assertEquals(await page.innerText("h1"), "There is no such page");
    assertEquals((await page.content()).includes("script"), false, "the address is not repeated");
    assertEquals(await seriousFindings(page, { isMeasurable: false }), []);
    await shoot(page, "nothing.png");
    await page.click("text=To the start");
    await page.waitForSelector("#games a");

    await page.goto(`${server.url}puck/nothing`);
    assertEquals(await page.locator("a").allInnerTexts(), ["To this game", "To all games"]);
    await page.click("text=To this game");
    await page.waitForSelector("#play");
    assertEquals(new URL(page.url()).pathname, "/puck/");
    assertEquals(errors.filter((text) => !text.includes("404")), [], "its style is allowed");
    assertStringIncludes(await (await fetch(`${server.url}puck/`)).text(), "manifest");
  },
);
