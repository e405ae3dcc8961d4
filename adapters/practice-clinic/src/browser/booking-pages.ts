import { type Attempt, gap, ok, SiteTrouble, wantsSignIn } from "@countersign/plugin/site";
import { type BrowserSession, type LastPage, type Page, pathOf } from "@countersign/route-browser";
import { type BookingOffer, type BookingWish, withinWindow } from "../shared/booking.ts";
import { NO_FREE_TIME, noSuchPractitioner, noSuchService, TAKEN } from "../shared/gaps.ts";
import { dayOf } from "../shared/local-time.ts";
import { readLongList } from "./long-list.ts";
import {
  CURRENCY,
  factOf,
  type Look,
  look,
  printedMinor,
  printedMoment,
  printedVisit,
  shown,
  visits,
} from "./page-text.ts";

const FORM = "/book";
const TIMES = "/book/times";
const CHECK = /^\/book\/drafts\/[\w-]{20,64}$/;
const COLUMNS = ["When", "With", "Where", "Choose"];
const TIME_LINK = /^\/book\/times\/[\w.-]{1,80}$/;
const NONE = "There is no free time then.";
const FACTS = 9;

/** What can be chosen on the form: the clinic's references, and the names by which its other pages know them. */
interface Choices {
  readonly services: ReadonlyMap<string, string>;
  readonly practitioners: ReadonlyMap<string, string>;
}

/** The time that was chosen, in the clinic's own words, so that the last page is known to be of that. */
export interface Chosen {
  readonly path: string;
  readonly serviceRef: string;
  readonly service: string;
  readonly practitionerRef: string;
  readonly practitioner: string;
  readonly startsMs: number;
  readonly endsMs: number;
}

type Check = LastPage<BookingOffer> & { readonly chosen: Chosen };

/** Which of the times in the window is gone on with: the first, or exactly the approved one. */
export type Pick = "first" | { readonly startsMs: number };

/** Goes to the page where a booking is checked. The page stays open; nothing is booked. */
export function toCheck(
  session: BrowserSession,
  wish: Omit<BookingWish, "currency">,
  pick: Pick,
  own: string,
): Promise<Attempt<Check>> {
  return visits.onPage(session, async () => {
    const page = await session.page(FORM);
    if (visits.isSignIn(page)) return wantsSignIn();
    visits.expectHeading((await look(page)).heading, "Book a visit");
    const choices = await choicesOf(page);
    const service = choices.services.get(wish.serviceRef);
    if (service === undefined) return gap(noSuchService([...choices.services.keys()]));
    const asked = wish.practitionerRef;
    if (asked !== undefined && !choices.practitioners.has(asked))
      return gap(noSuchPractitioner([...choices.practitioners.keys()]));
    await page.getByLabel("What for", { exact: true }).selectOption({ value: wish.serviceRef });
    await page.getByLabel("With", { exact: true }).selectOption({ value: asked ?? "" });
    await page.getByLabel("From", { exact: true }).fill(dayOf(wish.earliestMs));
    await page.getByLabel("Until", { exact: true }).fill(dayOf(wish.latestMs));
    const found = await visits.follow(page, () =>
      page.getByRole("button", { name: "Find free times", exact: true }).click(),
    );
    if (!found.ok) return found;
    if ((await look(page)).heading === "Book a visit")
      return gap("the clinic does not offer this with this practitioner");
    if (pathOf(page) !== TIMES) throw new SiteTrouble("the clinic did not show its free times");
    const time = await pickTime(page, wish, pick, choices);
    if (!time.ok) return time;
    await page.close();
    return fromTime(session, time.value.href, { ...time.value, serviceRef: wish.serviceRef, service }, own);
  });
}

async function choicesOf(page: Page): Promise<Choices> {
  const options = async (label: string): Promise<ReadonlyMap<string, string>> => {
    const all = await page
      .getByLabel(label, { exact: true })
      .locator("option")
      .evaluateAll((found) =>
        found.map((each): readonly [string, string] => [
          (each as HTMLOptionElement).value,
          (each.textContent ?? "").trim(),
        ]),
      );
    const named = all.filter(([value]) => value !== "");
    // Other pages know them by name alone: two of one name could not be told apart.
    if (named.length === 0 || new Set(named.map(([, name]) => name)).size !== named.length)
      throw new SiteTrouble("the clinic's form cannot be read");
    return new Map(named);
  };
  return { services: await options("What for"), practitioners: await options("With") };
}

interface Time {
  readonly href: string;
  readonly practitionerRef: string;
  readonly practitioner: string;
  readonly startsMs: number;
  readonly endsMs: number;
}

async function pickTime(
  page: Page,
  wish: Omit<BookingWish, "currency">,
  pick: Pick,
  { practitioners }: Choices,
): Promise<Attempt<Time>> {
  const none = pick === "first" ? NO_FREE_TIME : TAKEN;
  visits.expectHeading((await look(page)).heading, "Free times");
  if ((await page.getByText(NONE, { exact: true }).count()) === 1) return gap(none);
  const refs = new Map([...practitioners].map(([ref, name]) => [name, ref]));
  const times = (await readLongList(page, "Free times", COLUMNS)).map(({ cells, href }): Time => {
    const [when = "", practitioner = "", , choose = ""] = cells;
    const practitionerRef = refs.get(practitioner);
    if (practitionerRef === undefined || choose !== "Choose" || !TIME_LINK.test(href))
      throw new SiteTrouble("the clinic shows a free time that cannot be read");
    return { href, practitionerRef, practitioner, ...printedVisit(when) };
  });
  const fits = withinWindow(times, { ...wish, currency: CURRENCY });
  const [time] = pick === "first" ? fits : fits.filter(({ startsMs }) => startsMs === pick.startsMs);
  return time === undefined ? gap(none) : ok(time);
}

async function fromTime(
  session: BrowserSession,
  href: string,
  time: Omit<Chosen, "path">,
  own: string,
): Promise<Attempt<Check>> {
  const page = await session.page(href);
  if (visits.isSignIn(page)) return wantsSignIn();
  const { heading } = await look(page);
  if (heading === "This time is taken") return gap(TAKEN);
  visits.expectHeading(heading, "Your visit");
  await page.getByLabel("Your own reference (optional)", { exact: true }).fill(own);
  const gone = await visits.follow(page, () => page.getByRole("button", { name: "Go on", exact: true }).click());
  if (!gone.ok) return gone;
  const path = pathOf(page);
  const seen = await look(page);
  if (seen.heading === "This time is taken") return gap(TAKEN);
  if (!CHECK.test(path)) throw new SiteTrouble("the clinic did not show the booking to check");
  const { serviceRef, service, practitionerRef, practitioner, startsMs, endsMs } = time;
  const chosen = { path, serviceRef, service, practitionerRef, practitioner, startsMs, endsMs };
  const offer = offerOf(seen, chosen);
  if (offer.own !== own) throw new SiteTrouble("the clinic did not keep the reference");
  const button = page.getByRole("button", { name: "Book this visit", exact: true });
  return ok({ page, chosen, offer, press: () => button.click() });
}

/** The same page again, as the clinic shows it now. */
export function againAtCheck(session: BrowserSession, chosen: Chosen): Promise<Attempt<BookingOffer>> {
  return visits.visit(session, chosen.path, async (page) => {
    const seen = await look(page);
    if (seen.heading === "This time is taken") return gap(TAKEN);
    if (seen.heading === "This booking has lapsed") return gap("the clinic's last screen has lapsed");
    if (pathOf(page) !== chosen.path) throw new SiteTrouble("the visit was booked meanwhile");
    return ok(offerOf(seen, chosen));
  });
}

/** What the page says will be booked. @throws SiteTrouble when it is not exactly as it should be, or of something else. */
export function offerOf(seen: Look, chosen: Chosen): BookingOffer & { readonly own: string } {
  visits.expectHeading(seen.heading, "Check your booking");
  // Rows that are not known (a deposit, a surcharge) are not skipped: the page is then unreadable.
  if (seen.facts.length !== FACTS) throw new SiteTrouble("the clinic's booking has other rows");
  const when = printedVisit(factOf(seen, "When"));
  if (
    factOf(seen, "What for") !== chosen.service ||
    factOf(seen, "With") !== chosen.practitioner ||
    when.startsMs !== chosen.startsMs ||
    when.endsMs !== chosen.endsMs
  )
    throw new SiteTrouble("the clinic shows another booking");
  const until = factOf(seen, "Free to call off until");
  return {
    serviceRef: chosen.serviceRef,
    service: chosen.service,
    practitionerRef: chosen.practitionerRef,
    practitioner: chosen.practitioner,
    place: shown(factOf(seen, "Where"), "place"),
    patient: shown(factOf(seen, "For"), "patient"),
    ...when,
    currency: CURRENCY,
    feeMinor: printedMinor(factOf(seen, "The visit costs you")),
    noShowMinor: printedMinor(factOf(seen, "Staying away costs you")),
    ...(until === "Not any more" ? {} : { freeUntilMs: printedMoment(until) }),
    own: factOf(seen, "Your own reference"),
  };
}
