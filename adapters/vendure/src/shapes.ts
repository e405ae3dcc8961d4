import { currencyDigits, parseInstant } from "@countersign/plugin/site";
import { z } from "zod";

// What the Shop API answers, as far as it is used. Anything else is trouble, never a guess.

const minor = z.int();
const optionalText = z.string().nullish();

const addressShape = z.object({
  id: z.string().min(1),
  fullName: optionalText,
  company: optionalText,
  streetLine1: z.string(),
  streetLine2: optionalText,
  city: optionalText,
  province: optionalText,
  postalCode: optionalText,
  country: z.object({ code: z.string(), name: z.string() }),
});
export type Address = z.infer<typeof addressShape>;

export const orderShape = z.object({
  code: z.string().regex(/^[!-~]{1,64}$/),
  state: z.string(),
  active: z.boolean(),
  orderPlacedAt: z
    .string()
    .refine((text) => parseInstant(text).ok)
    .nullable(),
  currencyCode: z.string().refine((code) => currencyDigits(code).ok),
  totalWithTax: minor,
  lines: z.array(
    z.object({
      id: z.string(),
      quantity: z.int().min(0),
      unitPriceWithTax: minor,
      productVariant: z.object({ sku: z.string(), name: z.string(), product: z.object({ slug: z.string() }) }),
    }),
  ),
  shippingLines: z.array(
    z.object({
      discountedPriceWithTax: minor,
      shippingMethod: z.object({ id: z.string(), code: z.string().min(1), name: z.string() }),
    }),
  ),
  shippingAddress: z
    .object({
      fullName: optionalText,
      company: optionalText,
      streetLine1: optionalText,
      streetLine2: optionalText,
      city: optionalText,
      province: optionalText,
      postalCode: optionalText,
      countryCode: optionalText,
    })
    .nullable(),
  discounts: z.array(z.object({ description: z.string(), amountWithTax: minor })),
  surcharges: z.array(z.object({ id: z.string(), description: z.string(), priceWithTax: minor })),
  payments: z
    .array(
      z.object({
        state: z.string(),
        // A shop's way to pay decides what it keeps there and what it shows.
        metadata: z.unknown(),
      }),
    )
    .nullable(),
});
export type Order = z.infer<typeof orderShape>;

export const customerShape = z.object({
  activeCustomer: z
    .object({
      id: z.string().min(1),
      firstName: z.string(),
      lastName: z.string(),
      emailAddress: z.string(),
      addresses: z.array(addressShape).nullable(),
    })
    .nullable(),
});
export type Customer = NonNullable<z.infer<typeof customerShape>["activeCustomer"]>;

export const cartShape = z.object({
  activeCustomer: z.object({ id: z.string(), addresses: z.array(addressShape).nullable() }).nullable(),
  activeOrder: orderShape.nullable(),
  eligiblePaymentMethods: z.array(z.object({ code: z.string(), name: z.string(), isEligible: z.boolean() })),
});
export type Cart = z.infer<typeof cartShape>;

export const ordersShape = z.object({
  activeCustomer: z
    .object({
      id: z.string(),
      orders: z.object({ items: z.array(orderShape), totalItems: z.int().min(0).optional() }),
    })
    .nullable(),
});

export const itemShape = z.object({
  activeCustomer: z.object({ id: z.string() }).nullable(),
  product: z
    .object({
      slug: z.string(),
      description: z.string(),
      variants: z.array(
        z.object({
          id: z.string(),
          sku: z.string(),
          name: z.string().min(1),
          priceWithTax: minor.min(0),
          currencyCode: z.string().refine((code) => currencyDigits(code).ok),
          stockLevel: z.string(),
        }),
      ),
    })
    .nullable(),
});
export type Variant = NonNullable<z.infer<typeof itemShape>["product"]>["variants"][number];

export const shippingShape = z.object({
  eligibleShippingMethods: z.array(
    // Rounded only once it stands in an order: a price to choose by, never to show.
    z.object({ id: z.string(), code: z.string(), name: z.string(), priceWithTax: z.number() }),
  ),
});
