// A Vendure shop with its catalogue, in memory, on 127.0.0.1: `node server.mjs PORT FOLDER`. It is copied beside the
// installed packages and run as a program of its own; nothing of the project imports it.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import vendure from "@vendure/core";
import { populate } from "@vendure/core/cli/index.js";
import bcrypt from "bcrypt";

const {
  bootstrap,
  DefaultLogger,
  LanguageCode,
  LogLevel,
  PaymentMethodHandler,
  RequestContext,
  SessionService,
  TransactionalConnection,
  User,
} = vendure;
const [port = "0", folder = "."] = process.argv.slice(2);
// Declined by its holder's bank at this total, so that a refusal can be brought about.
const declinedAtMinor = Number(process.env.DECLINED_AT_MINOR ?? -1);

/** Stands in for a card company, which would be somebody outside: it takes every payment at once. */
const cardStandIn = new PaymentMethodHandler({
  code: "card-company-stand-in",
  description: [{ languageCode: LanguageCode.en, value: "Stands in for a card company" }],
  args: {},
  createPayment: (_ctx, order, amount, _args, metadata) =>
    amount === declinedAtMinor
      ? { amount, state: "Declined", errorMessage: "declined", metadata: {} }
      : // As Vendure's own dummy handler: what came as public is shown with the payment.
        { amount, state: "Settled", transactionId: `card-${order.code}`, metadata: { public: metadata?.public ?? {} } },
  settlePayment: () => ({ success: true }),
});

const config = {
  apiOptions: {
    hostname: "127.0.0.1",
    port: Number(port),
    shopApiPath: "shop-api",
    adminApiPath: "admin-api",
    cors: false,
  },
  authOptions: {
    tokenMethod: ["bearer"],
    // As Vendure's own, but quick: the checks sign in a hundred times, with passwords that are nobody's.
    passwordHashingStrategy: {
      hash: (plaintext) => bcrypt.hash(plaintext, 4),
      check: (plaintext, hash) => bcrypt.compare(plaintext, hash),
    },
    superadminCredentials: { identifier: "merchant", password: process.env.MERCHANT_PASSWORD },
  },
  dbConnectionOptions: { type: "sqljs", synchronize: true, autoSave: false },
  paymentOptions: { paymentMethodHandlers: [cardStandIn] },
  importExportOptions: { importAssetsDir: folder },
  logger: new DefaultLogger({ level: LogLevel.Warn, timestamp: false }),
};

const firstData = {
  defaultLanguage: LanguageCode.en,
  defaultZone: "Europe",
  countries: [{ name: "Germany", code: "DE", zone: "Europe" }],
  taxRates: [{ name: "Standard Tax", percentage: 19 }],
  shippingMethods: [{ name: "Parcel", price: 490, taxRate: 19 }],
  paymentMethods: [{ name: "Card on file", handler: { code: cardStandIn.code, arguments: [] } }],
  collections: [],
};

const products = join(folder, "products.csv");
writeFileSync(
  products,
  `name,slug,description,assets,facets,optionGroups,optionValues,sku,price,taxCategory,stockOnHand,trackInventory,variantAssets,variantFacets
Trail Lamp 200,trail-lamp-200,"<p>A lamp for the trail: <b>200 lumen</b>, 18 hours.</p>",,,,,TL-200,40.00,standard,500,true,,
Enamel Mug,enamel-mug,"A mug that does not break.",,,,,EM-100,12.50,standard,500,true,,
Wool Blanket,wool-blanket,"The last one.",,,,,WB-001,89.00,standard,1,true,,
`,
);

const app = await populate(() => bootstrap(config), firstData, products);

// The shop ends every customer's session, as a merchant does after an incident. Vendure takes most other signals for its end.
process.on("SIGCONT", async () => {
  const users = await app.get(TransactionalConnection).rawConnection.getRepository(User).find();
  const customers = users.filter(({ identifier }) => identifier !== "merchant");
  for (const user of customers) await app.get(SessionService).deleteSessionsByUser(RequestContext.empty(), user);
  writeFileSync(join(folder, "sessions-ended"), "ended");
});
writeFileSync(join(folder, "ready"), "ready");
