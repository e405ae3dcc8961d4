// Every document that is sent, word for word. The Shop API takes them all at one path, so the guard of commits tells them
// apart by their texts: what does not stand in HARMLESS leaves at the boundary alone (APR-5).

export const SHOP_API = "/shop-api";

const ORDER = `fragment O on Order {
  code state active orderPlacedAt currencyCode totalWithTax
  lines { id quantity unitPriceWithTax productVariant { sku name product { slug } } }
  shippingLines { discountedPriceWithTax shippingMethod { id code name } }
  shippingAddress { fullName company streetLine1 streetLine2 city province postalCode countryCode }
  discounts { description amountWithTax }
  surcharges { id description priceWithTax }
  payments { state metadata }
}`;

export const LOGIN = `mutation SignIn($username: String!, $password: String!) {
  login(username: $username, password: $password, rememberMe: true) { __typename }
}`;

export const CUSTOMER = `query Customer {
  activeCustomer {
    id firstName lastName emailAddress
    addresses { id fullName company streetLine1 streetLine2 city province postalCode country { code name } }
  }
}`;

export const CART = `query Cart {
  activeCustomer {
    id addresses { id fullName company streetLine1 streetLine2 city province postalCode country { code name } }
  }
  activeOrder { ...O }
  eligiblePaymentMethods { code name isEligible }
}
${ORDER}`;

/** Only orders of the customer who is signed in; the cart is among them. */
export const ORDER_BY_CODE = `query OrderByCode($code: String!) {
  activeCustomer { id orders(options: { take: 2, filter: { code: { eq: $code } } }) { items { ...O } } }
}
${ORDER}`;

export const ORDERS = `query Orders($take: Int!, $skip: Int!) {
  activeCustomer {
    id
    orders(options: { take: $take, skip: $skip, sort: { orderPlacedAt: DESC }, filter: { active: { eq: false } } }) {
      items { ...O } totalItems
    }
  }
}
${ORDER}`;

export const ITEM = `query Item($slug: String!) {
  activeCustomer { id }
  product(slug: $slug) { slug description variants { id sku name priceWithTax currencyCode stockLevel } }
}`;

export const ADD = `mutation Add($id: ID!, $quantity: Int!) {
  addItemToOrder(productVariantId: $id, quantity: $quantity) { __typename ... on ErrorResult { errorCode } }
}`;

export const TAKE_OUT = `mutation TakeOut($id: ID!) {
  removeOrderLine(orderLineId: $id) { __typename ... on ErrorResult { errorCode } }
}`;

export const LEAVE = `mutation Leave($id: ID!, $quantity: Int!) {
  adjustOrderLine(orderLineId: $id, quantity: $quantity) { __typename ... on ErrorResult { errorCode } }
}`;

export const ADDRESS = `mutation Address($address: CreateAddressInput!) {
  setOrderShippingAddress(input: $address) { __typename ... on ErrorResult { errorCode } }
}`;

export const SHIPPING = "query Shipping { eligibleShippingMethods { id code name priceWithTax } }";

export const SHIP_BY = `mutation ShipBy($id: ID!) {
  setOrderShippingMethod(shippingMethodId: [$id]) { __typename ... on ErrorResult { errorCode } }
}`;

/** To and fro between filling the cart and paying: nothing is ordered by it. The states are words of the document. */
export const TO_PAYMENT = `mutation ToPayment {
  transitionOrderToState(state: "ArrangingPayment") { __typename ... on ErrorResult { errorCode } }
}`;
export const TO_CART = `mutation ToCart {
  transitionOrderToState(state: "AddingItems") { __typename ... on ErrorResult { errorCode } }
}`;

/** The one that commits. */
export const PAY = `mutation Pay($input: PaymentInput!) {
  addPaymentToOrder(input: $input) { __typename ... on ErrorResult { errorCode } ...O }
}
${ORDER}`;

export const HARMLESS: readonly string[] = [
  LOGIN,
  CUSTOMER,
  CART,
  ORDER_BY_CODE,
  ORDERS,
  ITEM,
  ADD,
  TAKE_OUT,
  LEAVE,
  ADDRESS,
  SHIPPING,
  SHIP_BY,
  TO_PAYMENT,
  TO_CART,
];
