import { assert } from "@countersign/wire";
import { askGateway } from "../../packages/countersign/src/setup/admin-client.ts";
import { send } from "../../test/support/http.ts";
import { AsPage } from "./as-page.ts";
import { Device } from "./device.ts";
import type { Walk } from "./first-run.ts";

/** Programs that fetch links which people send each other, or which mail brings. */
const previewers = [
  "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
  "Slack-ImgProxy (+https://api.slack.com/robots)",
  "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
  "WhatsApp/2.23.20.0",
  "TelegramBot (like TwitterBot)",
  "Twitterbot/1.0",
  "Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)",
  "LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)",
  "Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5",
  "Mozilla/5.0 (compatible; Microsoft-SafeLinks)",
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) Barracuda Sentinel (EE)",
  "Mozilla/5.0 (compatible; Proofpoint URL Defense)",
  "Mimecast-URL-Protect/1.0",
  "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
  "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Applebot/0.1",
  "Mattermost-Bot/1.1",
  "Iframely/1.3.1 (+https://iframely.com/docs/about)",
  "Mozilla/5.0 (compatible; Embedly/0.2; +http://support.embed.ly/)",
  "redditbot/1.0 (+http://www.reddit.com/feedback)",
];

/** Twenty fetches of a decision's link and of a sign-in link: nothing is decided and nothing is spent (U38). */
export async function previews({ browser, demo, device }: Walk, taskId: string): Promise<void> {
  const asPage = await AsPage.of(device, demo.issuer);
  const href = await asPage.approvalOf(taskId);
  const link = await demo.countersign("link");
  const { pathname } = new URL(link);
  for (const agent of previewers) {
    for (const method of ["GET", "HEAD"]) {
      for (const path of [href, `/trusted/v1${href}`, pathname]) {
        const reply = await send(demo.issuer, method, path, { headers: { "user-agent": agent } });
        assert([200, 401].includes(reply.status), `${method} ${path} is answered ${reply.status}`);
        assert(reply.headers["set-cookie"] === undefined, "a preview is given no cookie");
        assert(!reply.text.includes("Trail"), "a preview is told no terms");
      }
    }
  }
  // Some previews run the page's scripts; none presses a button.
  const bot = await browser.newContext({ userAgent: previewers[13] ?? "" });
  const page = await bot.newPage();
  for (const each of [link, `${demo.issuer}${href}`]) {
    await page.goto(each);
    await page.getByRole("heading", { level: 1 }).waitFor();
  }
  await bot.close();
  const view = (await asPage.get(href)).json;
  assert(view["status"] === "pending", `the decision is ${String(view["status"])}`);
  const person = await Device.open(browser, "desktop", demo.issuer);
  try {
    await person.page.goto(link);
    await person.press(person.page.getByRole("button", { name: "Sign in here" }));
    await person.arrives("Make your passkey");
    person.isClean();
  } finally {
    await person.context.close();
  }
}

/** A decision's link that somebody else opens, signed in as themselves: as if it did not exist (U40). */
export async function forwarded({ browser, demo, device, album }: Walk, taskId: string): Promise<void> {
  const href = await (await AsPage.of(device, demo.issuer)).approvalOf(taskId);
  const added = await askGateway(demo.dataDir, { command: "person_add", name: "Somebody else" });
  assert(added.ok, "another account holder is added");
  const link = await demo.countersign("link", "--person", String(added.value["person_id"]));
  const other = await Device.open(browser, "desktop", demo.issuer);
  try {
    const { page } = other;
    await page.goto(link);
    await other.press(page.getByRole("button", { name: "Sign in here" }));
    await other.press(page.getByRole("button", { name: "Later" }));
    await other.arrives("Inbox");
    const unknown = "/approvals/act_unknownunknownunknownunknow";
    const texts: string[] = [];
    for (const path of [href, unknown]) {
      await page.goto(`${demo.issuer}${path}`);
      await other.arrives("Not found");
      await page.getByText("There is nothing here, or it is not yours.").waitFor();
      texts.push(await other.read());
    }
    await album.add(page, device.name, "a link of somebody else's");
    assert(texts[0] === texts[1], `the pages differ: ${texts.join(" and ")}`);
    const asPage = await AsPage.of(other, demo.issuer);
    const [foreign, missing] = [await asPage.get(href), await asPage.get(unknown)];
    const plain = ({ status, headers, text }: typeof foreign) =>
      JSON.stringify([status, { ...headers, date: "" }, text]);
    assert(foreign.status === 404 && plain(foreign) === plain(missing), "the answers differ");
  } finally {
    await other.context.close();
  }
}
