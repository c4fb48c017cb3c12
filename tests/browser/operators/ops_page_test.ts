import { assert, assertEquals } from "@std/assert";
import { ServerProcess } from "../../support/servers/server_process.ts";
import { browserTest } from "../chromium.ts";
import { untilPlaying } from "../duel.ts";
import { shoot } from "../shots.ts";

browserTest(
  "operators' page: who signs in sees the players, announces, kicks one, bans the address and closes the room (SPEC 14.14, 14.15, 14.26)",
  async (browser) => {
    await using server = await ServerProcess.start("--ops-port", "0", "--npcs", "0");
    const [, opsUrl, token] =
      (await server.waitForOutput(/^Operators: (\S+); the token is (\w+)$/m))!;
    const [ops, wren, ash] = await Promise.all([1, 2, 3].map(() => browser.newPage()));
    await ops!.goto(opsUrl!);
    await ops!.fill("[name=token]", "not the token at all, and long enough");
    await ops!.click("button");
    assertEquals(await ops!.innerText("[role=status]"), "That is not the token.");
    await ops!.fill("[name=token]", token!);
    await ops!.click("button");
    assert((await ops!.innerText("body")).includes("No room is open."));

    for (const [page, name] of [[wren!, "<b>Wren"], [ash!, "Ash"]] as const) {
      await page.goto(`${server.url}#CROW`);
      await page.fill("#name", name);
      await page.click("#play");
      await untilPlaying(page);
    }

    await ops!.click("text=Refresh");
    const names = () =>
      ops!.locator("tr", { hasText: "Kick" }).locator("td:first-child").allInnerTexts();
    assertEquals(await names(), ["<b>Wren", "Ash"]);
    await shoot(ops!, "operators.png");
    const notice = (page: typeof wren, words: string) =>
      page!.waitForFunction(
        (words) => document.querySelector("#lobby-notice")!.textContent!.includes(words),
        words,
      );
    await ops!.fill("[name=text]", "We stop at <noon>.");
    await ops!.getByText("Announce").click();
    assertEquals(await ops!.innerText("[role=status]"), "announced to 2 clients");
    for (const page of [wren!, ash!]) {
      await page.waitForFunction(() => document.body.innerText.includes("We stop at <noon>."));
    }
    await shoot(wren!, "announced.png");
    await ops!.locator("tr", { hasText: "Wren" }).getByText("Kick").click();
    await notice(wren, "An operator has taken you out of this match.");

    // Her page answers the close first.
    while ((await names()).length > 1) await ops!.click("text=Refresh");
    assertEquals(await names(), ["Ash"]);
    await ops!.getByText("Close room").click();
    await notice(ash, "An operator has closed this room.");
    assert((await ops!.innerText("body")).includes("No room is open."));

    // Who was taken out cannot come back into the room, nor can others of the address, until that
    // is lifted
    await ash!.click("#play");
    await notice(ash, "An operator has taken you out of this match.");
    assert((await ops!.innerText("body")).includes("CROW"));
    await ops!.getByText("Lift").click();
    assert((await ops!.innerText("body")).includes("Nobody is banned."));
    await ash!.click("#play");
    await untilPlaying(ash!);
    await ops!.click("text=Refresh");
    await ops!.getByText("Ban for an hour").click();
    await notice(ash, "An operator has taken you out of this match.");
    assert((await ops!.innerText("body")).includes("127.0.0.1"));
    await ops!.getByText("Lift").click();
    assert((await ops!.innerText("body")).includes("Nobody is banned."));
    await ash!.click("#play");
    await untilPlaying(ash!);
  },
);
