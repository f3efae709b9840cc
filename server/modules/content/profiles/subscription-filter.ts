import type { listCreators } from '@stagedoor/contract/content/profiles.ts';
import { toCents } from '@stagedoor/contract/shared/money.ts';
import type { QueryOf } from '@stagedoor/contract/shared/route.ts';

type SubscriptionFilter = Pick<QueryOf<typeof listCreators>, 'price' | 'trial'>;

/** The highest price of a month that is searched for, or undefined for any. */
export function toMaxCents({ price }: SubscriptionFilter): number | undefined {
  return price === undefined ? undefined : toCents(Number(price));
}

export const hasSubscriptionFilter = ({ price, trial }: SubscriptionFilter): boolean =>
  price !== undefined || trial !== undefined;
