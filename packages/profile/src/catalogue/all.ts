// Written by `npm run catalogue` from the files in operations/: add an operation there, never here.
import type { Operation } from "./model.ts";
import { accountAddressChange } from "./operations/account.address.change.ts";
import { accountContactChange } from "./operations/account.contact.change.ts";
import { bankingAccountsList } from "./operations/banking.accounts.list.ts";
import { bankingBalancesList } from "./operations/banking.balances.list.ts";
import { bankingPayeesList } from "./operations/banking.payees.list.ts";
import { bankingRewardsList } from "./operations/banking.rewards.list.ts";
import { bankingTransactionsList } from "./operations/banking.transactions.list.ts";
import { bankingTransferSubmit } from "./operations/banking.transfer.submit.ts";
import { healthcareAppointmentBook } from "./operations/healthcare.appointment.book.ts";
import { healthcareAppointmentsList } from "./operations/healthcare.appointments.list.ts";
import { healthcareBillsList } from "./operations/healthcare.bills.list.ts";
import { healthcareClaimsList } from "./operations/healthcare.claims.list.ts";
import { insuranceClaimSubmit } from "./operations/insurance.claim.submit.ts";
import { insuranceClaimsList } from "./operations/insurance.claims.list.ts";
import { insuranceCoverageList } from "./operations/insurance.coverage.list.ts";
import { retailDealWatch } from "./operations/retail.deal.watch.ts";
import { retailItemGet } from "./operations/retail.item.get.ts";
import { retailOrderCancel } from "./operations/retail.order.cancel.ts";
import { retailOrderSubmit } from "./operations/retail.order.submit.ts";
import { retailOrdersList } from "./operations/retail.orders.list.ts";
import { retailWishlistList } from "./operations/retail.wishlist.list.ts";
import { subscriptionCancel } from "./operations/subscription.cancel.ts";
import { subscriptionChargesList } from "./operations/subscription.charges.list.ts";
import { subscriptionPlanChange } from "./operations/subscription.plan.change.ts";
import { utilitiesAutopaySet } from "./operations/utilities.autopay.set.ts";
import { utilitiesBillPay } from "./operations/utilities.bill.pay.ts";
import { utilitiesBillsList } from "./operations/utilities.bills.list.ts";
import { utilitiesPlanChange } from "./operations/utilities.plan.change.ts";
import { utilitiesUsageList } from "./operations/utilities.usage.list.ts";

export const ALL: readonly Operation[] = [
  accountAddressChange,
  accountContactChange,
  bankingAccountsList,
  bankingBalancesList,
  bankingPayeesList,
  bankingRewardsList,
  bankingTransactionsList,
  bankingTransferSubmit,
  healthcareAppointmentBook,
  healthcareAppointmentsList,
  healthcareBillsList,
  healthcareClaimsList,
  insuranceClaimSubmit,
  insuranceClaimsList,
  insuranceCoverageList,
  retailDealWatch,
  retailItemGet,
  retailOrderCancel,
  retailOrderSubmit,
  retailOrdersList,
  retailWishlistList,
  subscriptionCancel,
  subscriptionChargesList,
  subscriptionPlanChange,
  utilitiesAutopaySet,
  utilitiesBillPay,
  utilitiesBillsList,
  utilitiesPlanChange,
  utilitiesUsageList,
];
