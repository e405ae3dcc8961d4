import type { Item, Product } from "./model.ts";
import { PRODUCTS } from "./seed.ts";

/** What the control switches change about prices and titles, from now on. */
export interface CatalogueChanges {
  /** Added to the delivery price (never below zero), so that the total moves by exactly this. */
  readonly deliveryDeltaMinor: number;
  /** Added to unit prices, by product or variant SKU. */
  readonly unitDeltaMinor: ReadonlyMap<string, number>;
  /** Titles that replace the seeded ones, by product or variant SKU. */
  readonly titles: ReadonlyMap<string, string>;
}

/** The products as the shop shows them now. */
export function currentProducts(changes: CatalogueChanges): readonly Product[] {
  return PRODUCTS.map((product) => ({
    ...product,
    title: changes.titles.get(product.sku) ?? product.title,
    unitMinor: Math.max(0, product.unitMinor + (changes.unitDeltaMinor.get(product.sku) ?? 0)),
  }));
}

/** The sellable thing with this SKU; a product with variants is not one. */
export function findItem(changes: CatalogueChanges, sku: string): Item | undefined {
  for (const product of currentProducts(changes)) {
    if (product.sku === sku && product.variants.length === 0) {
      return { sku, title: product.title, unitMinor: product.unitMinor, stock: product.stock };
    }
    const variant = product.variants.find((candidate) => candidate.sku === sku);
    if (variant) {
      return {
        sku,
        title: changes.titles.get(sku) ?? `${product.title}, ${variant.name}`,
        unitMinor: Math.max(0, product.unitMinor + (changes.unitDeltaMinor.get(sku) ?? 0)),
        stock: product.stock,
      };
    }
  }
  return undefined;
}

/** The product that a SKU is of, its own or a variant's. */
export function productOf(changes: CatalogueChanges, sku: string): Product | undefined {
  return currentProducts(changes).find(
    (product) => product.sku === sku || product.variants.some((variant) => variant.sku === sku),
  );
}

/** A product by its own SKU. */
export function findProduct(changes: CatalogueChanges, sku: string): Product | undefined {
  return currentProducts(changes).find((product) => product.sku === sku);
}
