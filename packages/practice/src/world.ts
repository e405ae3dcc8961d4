import { bankBoard } from "./board/bank.ts";
import { clinicBoard } from "./board/clinic.ts";
import { insurerBoard } from "./board/insurer.ts";
import { answerBoard } from "./board/page.ts";
import { shopBoard } from "./board/shop.ts";
import { subscriptionsBoard } from "./board/subscriptions.ts";
import { utilityBoard } from "./board/utility.ts";
import { listen } from "./http/listen.ts";
import { type PracticeInsurer, startPracticeInsurer } from "./insurer/start.ts";
import { randomToken, systemRandom } from "./site/random.ts";
import {
  type PracticeBank,
  type PracticeClinic,
  type PracticeShop,
  type PracticeUtility,
  startPracticeBank,
  startPracticeClinic,
  startPracticeShop,
  startPracticeUtility,
} from "./start.ts";
import { type PracticeSubscriptions, startPracticeSubscriptions } from "./subscriptions/start.ts";

export interface PracticeWorldOptions {
  /** Port of the switchboard; the sites follow on the next ones. Free ports when absent. */
  readonly port?: number;
}

export interface PracticeWorld {
  /** The switchboard's address. */
  readonly board: string;
  readonly shop: PracticeShop;
  readonly bank: PracticeBank;
  readonly utility: PracticeUtility;
  readonly clinic: PracticeClinic;
  readonly insurer: PracticeInsurer;
  readonly subscriptions: PracticeSubscriptions;
  readonly close: () => Promise<void>;
}

/** Opens every site of the practice world, and the switchboard that lists them. */
export async function startPracticeWorld(options: PracticeWorldOptions = {}): Promise<PracticeWorld> {
  const at = (offset: number) => (options.port === undefined ? {} : { port: options.port + offset });
  const closers: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(closers.map((each) => each()));
  };
  try {
    const shop = await startPracticeShop(at(1));
    closers.push(shop.close);
    const bank = await startPracticeBank(at(2));
    closers.push(bank.close);
    const utility = await startPracticeUtility(at(3));
    closers.push(utility.close);
    const clinic = await startPracticeClinic(at(5));
    closers.push(clinic.close);
    // The claims company's port stands apart from the sites'.
    const insurer = await startPracticeInsurer({
      ...at(4),
      ...(options.port === undefined ? {} : { claimsPort: options.port + 14 }),
    });
    closers.push(insurer.close);
    const subscriptions = await startPracticeSubscriptions(at(6));
    closers.push(subscriptions.close);
    const board = {
      sites: [
        shopBoard(shop),
        bankBoard(bank),
        utilityBoard(utility),
        clinicBoard(clinic),
        insurerBoard(insurer),
        subscriptionsBoard(subscriptions),
      ],
      token: randomToken(systemRandom),
    };
    const server = await listen(options.port ?? 0, (request) => answerBoard(board, server.origin, request));
    closers.push(server.close);
    return { board: server.origin, shop, bank, utility, clinic, insurer, subscriptions, close };
  } catch (error) {
    await close();
    throw error;
  }
}
