/**
 * The chosen tier and period are in the address, so that visitors choose by links without script, and a fan returns from
 * the sign-up or a deposit to the same choice.
 */
import type { SubscriptionTier } from '@stagedoor/contract/content/subscription-tiers.ts';
import { findOption, type PeriodKey, toPeriodKey } from './billing.ts';

export const SUBSCRIBE_ID = 'subscribe';
const PARAMS = { tier: 'tier', period: 'period', open: 'subscribe', offer: 'offer', gift: 'gift' } as const;
/** The search parameters that change what visitors see. */
export const PLAN_PARAMS: readonly string[] = [PARAMS.tier, PARAMS.period];

/** The search parameters that are codes of offers. */
export const OFFER_PARAMS: readonly string[] = [PARAMS.offer];
const MAX_CODE_LENGTH = 40;

/** The code in the address, in the form in which codes are compared. It may be one that no offer has. */
export function readOfferCode(search: URLSearchParams): string | undefined {
  return search.get(PARAMS.offer)?.trim().toUpperCase().slice(0, MAX_CODE_LENGTH) || undefined;
}

export type PlanChoice = { tierId: string; period: PeriodKey | undefined };
/** A choice as an address has it, which may be incomplete or outdated. */
export type RequestedPlan = { [Key in keyof PlanChoice]: PlanChoice[Key] | undefined };

export function readPlanChoice(search: URLSearchParams): RequestedPlan {
  return {
    tierId: search.get(PARAMS.tier) ?? undefined,
    period: search.get(PARAMS.period) ?? undefined,
  };
}

/** Whether the address opens the dialog of the chosen tier. */
export const isDialogRequested = (search: URLSearchParams): boolean => search.get(PARAMS.open) === 'open';

function removeParam(search: URLSearchParams, name: string): URLSearchParams {
  const next = new URLSearchParams(search);
  next.delete(name);
  return next;
}
export const removeDialogRequest = (search: URLSearchParams) => removeParam(search, PARAMS.open);

const toQuery = ({ tierId, period }: PlanChoice, offerCode: string | undefined) =>
  new URLSearchParams({
    [PARAMS.tier]: tierId,
    ...(period !== undefined && { [PARAMS.period]: period }),
    ...(offerCode !== undefined && { [PARAMS.offer]: offerCode }),
  });

export function choosePlanHref(profilePath: string, choice: PlanChoice, offerCode?: string): string {
  return `${profilePath}?${toQuery(choice, offerCode)}#${SUBSCRIBE_ID}`;
}

/** The address that opens the dialog with this choice and discount. */
export function resumeSubscribeHref(profilePath: string, choice: PlanChoice, offerCode?: string): string {
  const query = toQuery(choice, offerCode);
  query.set(PARAMS.open, 'open');
  return `${profilePath}?${query}`;
}

/** The address that opens the dialog of a gift with this choice and recipient. */
export function resumeGiftHref(profilePath: string, choice: PlanChoice, username: string): string {
  const query = toQuery(choice, undefined);
  query.set(PARAMS.gift, username);
  return `${profilePath}?${query}`;
}

/** The username of the recipient, which may be empty, or undefined if the address opens no dialog of a gift. */
export const findGiftRequest = (search: URLSearchParams): string | undefined => search.get(PARAMS.gift) ?? undefined;

export const removeGiftRequest = (search: URLSearchParams) => removeParam(search, PARAMS.gift);

export const isFull = ({ slotsLeft }: Pick<SubscriptionTier, 'slotsLeft'>): boolean => slotsLeft === 0;

/**
 * The tier and period that are shown as chosen: those of the address, or else the lowest tier with a free slot. The period
 * is one that the tier offers.
 */
export function resolvePlanChoice(
  openTiers: readonly SubscriptionTier[],
  { tierId, period }: RequestedPlan,
): { tier: SubscriptionTier; period: PeriodKey | undefined } | undefined {
  const tier = openTiers.find(({ id }) => id === tierId) ?? openTiers.find((each) => !isFull(each)) ?? openTiers[0];
  if (!tier) return undefined;
  const option = findOption(tier, period);
  return { tier, period: option && toPeriodKey(option) };
}
