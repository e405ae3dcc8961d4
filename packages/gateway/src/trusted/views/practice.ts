/** A demonstration's practice site. What a switch or a counter is called stands in the console. */
export interface PracticeView {
  readonly shop_origin: string;
  readonly switches: readonly { readonly id: string; readonly on: boolean }[];
  readonly counters: Readonly<Record<string, number>>;
  /** What the practice person's authenticator and bank show now. */
  readonly sign_in_code: string;
  readonly bank_code?: string;
}
