import type { PracticeShop } from "@countersign/practice";
import { assert } from "@countersign/wire";

/** Signs in at the shop's forms as a person does; gives the session's cookie. */
export async function signInByForms(shop: PracticeShop): Promise<{ readonly name: string; readonly value: string }> {
  let cookie = "";
  const ask = async (path: string, fields?: Readonly<Record<string, string>>): Promise<string> => {
    const response = await fetch(`${shop.origin}${path}`, {
      redirect: "manual",
      headers: cookie === "" ? {} : { cookie },
      ...(fields === undefined ? {} : { method: "POST", body: new URLSearchParams(fields) }),
    });
    cookie = response.headers.get("set-cookie")?.split(";")[0] ?? cookie;
    return response.text();
  };
  const submit = async (path: string, fields: Readonly<Record<string, string>>) => {
    const csrf = /name="csrf" value="([^"]+)"/.exec(await ask(path))?.[1] ?? "";
    await ask(path, { csrf, ...fields });
  };
  await submit("/sign-in", { email: shop.user.email, password: shop.user.password });
  await submit("/sign-in/verify", { code: shop.currentCode() });
  const [name, value] = cookie.split("=");
  assert(name && value, "the shop sets a session cookie");
  return { name, value };
}
