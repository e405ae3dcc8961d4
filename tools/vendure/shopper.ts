import { ToolError } from "../processes/processes.ts";
import { ask, type Data } from "./graphql.ts";
import type { NewCustomer } from "./shop.ts";

/** The customer on their phone: the same Shop API, a session of their own, the same one cart. */
export interface Shopper {
  /** What lies in the cart, as `SKU × quantity`. */
  cart(): Promise<readonly string[]>;
  put(slug: string, quantity: number): Promise<void>;
  /** Orders what they want, whatever lay in the cart. @returns the order's code. */
  buy(slug: string, quantity: number): Promise<string>;
  emptyCart(): Promise<void>;
}

interface Cart {
  readonly code: string;
  readonly state: string;
  readonly lines: readonly { readonly quantity: number; readonly productVariant: { readonly sku: string } }[];
}

export async function shopperAt(origin: string, customer: NewCustomer): Promise<Shopper> {
  const url = `${origin}/shop-api`;
  const { email: username, password } = customer;
  const login =
    "mutation($username: String!, $password: String!) { login(username: $username, password: $password) { __typename } }";
  const { token } = await ask(url, login, { username, password });
  if (token === undefined) throw new ToolError("Vendure did not let its customer in.");
  const asks = async (query: string, variables: Data = {}) => (await ask(url, query, variables, token)).data;
  /** What is answered in a union has to be an order. */
  const changes = async (member: string, query: string, variables: Data = {}) => {
    const outcome = (await asks(query, variables))[member] as { readonly __typename?: string; readonly code?: string };
    if (outcome.__typename !== "Order") throw new ToolError(`${member}: ${JSON.stringify(outcome)}`);
    return outcome.code ?? "";
  };
  const look = async () =>
    (await asks("{ activeOrder { code state lines { quantity productVariant { sku } } } }"))[
      "activeOrder"
    ] as Cart | null;
  const move = (state: string) =>
    changes(
      "transitionOrderToState",
      "mutation($state: String!) { transitionOrderToState(state: $state) { __typename } }",
      {
        state,
      },
    );
  const emptyCart = async () => {
    const cart = await look();
    if (cart === null) return;
    if (cart.state !== "AddingItems") await move("AddingItems");
    if (cart.lines.length > 0) await changes("removeAllOrderLines", "mutation { removeAllOrderLines { __typename } }");
  };
  const put = async (slug: string, quantity: number) => {
    const found = await asks("query($slug: String!) { product(slug: $slug) { variants { id } } }", { slug });
    const product = found["product"] as { readonly variants: readonly { readonly id: string }[] };
    const add =
      "mutation($id: ID!, $quantity: Int!) { addItemToOrder(productVariantId: $id, quantity: $quantity) { __typename } }";
    await changes("addItemToOrder", add, { id: product.variants[0]?.id, quantity });
  };
  return {
    emptyCart,
    put,
    async cart() {
      return ((await look())?.lines ?? []).map(({ quantity, productVariant: { sku } }) => `${sku} × ${quantity}`);
    },
    async buy(slug, quantity) {
      await emptyCart();
      await put(slug, quantity);
      const { fullName, streetLine1, city, postalCode } = {
        fullName: `${customer.firstName} ${customer.lastName}`,
        streetLine1: customer.street,
        city: customer.city,
        postalCode: customer.postalCode,
      };
      const address = { fullName, streetLine1, city, postalCode, countryCode: "DE" };
      const to = "mutation($address: CreateAddressInput!) { setOrderShippingAddress(input: $address) { __typename } }";
      await changes("setOrderShippingAddress", to, { address });
      const ways = (await asks("{ eligibleShippingMethods { id } }"))["eligibleShippingMethods"] as readonly {
        id: string;
      }[];
      const by = "mutation($id: [ID!]!) { setOrderShippingMethod(shippingMethodId: $id) { __typename } }";
      await changes("setOrderShippingMethod", by, { id: [ways[0]?.id] });
      await move("ArrangingPayment");
      const pay = `mutation { addPaymentToOrder(input: { method: "card-on-file", metadata: {} }) { __typename ... on Order { code } } }`;
      return changes("addPaymentToOrder", pay);
    },
  };
}
