/** Settings of subscriptions in the admin console. The price range is one of the price limits. */
import * as z from 'zod/mini';
import { SUBSCRIPTION_BOUNDS } from '../shared/limits.ts';
import { route } from '../shared/route.ts';
import { reason } from './processor-webhooks.ts';

const createIntegerSchema = (min: number, max: number, unit: string) => {
  const message = `Whole ${unit} from ${min} to ${max}`;
  return z.number().check(z.int(message), z.gte(min, message), z.lte(max, message));
};
const retryHours = createIntegerSchema(1, SUBSCRIPTION_BOUNDS.graceHours, 'hours');

/** Hours of attempts are counted from the end of the paid period. */
export const subscriptionSettings = z.object({
  trialDaysMax: createIntegerSchema(1, SUBSCRIPTION_BOUNDS.trialDays, 'days'),
  firstRetryHours: retryHours,
  secondRetryHours: retryHours,
  thirdRetryHours: retryHours,
  /** The last attempt, and the end of access. */
  graceHours: retryHours,
  refundHours: createIntegerSchema(0, SUBSCRIPTION_BOUNDS.refundHours, 'hours'),
});
export type SubscriptionSettings = z.infer<typeof subscriptionSettings>;
export type SubscriptionSettingName = keyof SubscriptionSettings;

type RetrySettings = Pick<
  SubscriptionSettings,
  'firstRetryHours' | 'secondRetryHours' | 'thirdRetryHours' | 'graceHours'
>;
/** Hours after the end of the paid period when a failed renewal is tried again. */
export function listRetryHours(settings: RetrySettings): [number, number, number, number] {
  return [settings.firstRetryHours, settings.secondRetryHours, settings.thirdRetryHours, settings.graceHours];
}

const RETRY_NAMES = ['firstRetryHours', 'secondRetryHours', 'thirdRetryHours', 'graceHours'] as const;
/** The first attempt that is not later than the one before it. */
export function findSubscriptionSettingsProblem(
  settings: SubscriptionSettings,
): { field: SubscriptionSettingName; message: string } | undefined {
  const hours = listRetryHours(settings);
  const index = hours.findIndex((each, position) => position > 0 && each <= (hours[position - 1] ?? 0));
  const field = RETRY_NAMES[index];
  return field && { field, message: `Must be later than the attempt after ${hours[index - 1]} hours.` };
}

export const getSubscriptionSettings = route({
  method: 'GET',
  path: '/admin/subscription-settings',
  summary: 'Retrieve the longest trial, the attempts to renew and the hours of a refund',
  auth: 'operator',
  rate: 'read',
  response: subscriptionSettings,
});
export const updateSubscriptionSettings = route({
  method: 'PUT',
  path: '/admin/subscription-settings',
  summary: 'Update the settings of subscriptions. Fails with CONFLICT if the values have changed',
  auth: 'operator',
  rate: 'write',
  body: z.object({ from: subscriptionSettings, to: subscriptionSettings, reason }),
  response: subscriptionSettings,
  errors: ['CONFLICT'],
});
