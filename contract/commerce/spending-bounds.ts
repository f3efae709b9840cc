import * as z from 'zod/mini';
import { usd } from '../shared/money.ts';
import { LIMIT_PERIODS } from './limit-periods.ts';

/** What bounds spending in addition to the balance: the strictest limit, or a break. `left` is what it leaves, in USD. */
export const spendingBound = z.object({ kind: z.enum([...LIMIT_PERIODS, 'break']), left: usd });
export type SpendingBound = z.infer<typeof spendingBound>;
