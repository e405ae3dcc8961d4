import type { Walk } from "./first-run.ts";

/** Pages by their names in the navigation, with what stands on each after a first purchase. */
const pages: readonly (readonly [name: string, title: string, text: string])[] = [
  ["Activity", "Activity", "Done"],
  ["Grants", "Grants", "In force"],
  ["Accounts", "Accounts", "Connected"],
  ["Receipts", "Receipts", "Done"],
  ["Agents", "Agents", "Accepted"],
  ["Authorities", "Authorities", "This gateway knows no outside authorities."],
  ["Your sign-in", "Your sign-in", "This browser"],
  ["Messages", "How we reach you", "Files"],
  ["Protocols", "Protocols", "Model Context Protocol"],
  ["Practice shop", "Practice shop", "What goes wrong with the next order"],
];

/** Every everyday page, as the person finds it after the first purchase; on the phone also what is behind "More". */
export async function everydayPages({ device, album }: Walk): Promise<void> {
  const { page } = device;
  for (const [name, title, text] of pages) {
    await device.goTo(name);
    await device.arrives(title);
    await page.getByRole("main").getByText(text).first().waitFor();
    await album.add(page, device.name, name);
  }
  await device.goTo("Grants");
  await device.press(
    page
      .getByRole("main")
      .getByRole("link", { name: /practice/i })
      .first(),
  );
  await device.arrives("Grant");
  await page.getByText("What it was used for").waitFor();
  await album.add(page, device.name, "a grant in use");
  if (device.name !== "phone") return;
  await device.press(page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "More" }));
  await device.arrives("More");
  await album.add(page, device.name, "more");
}
