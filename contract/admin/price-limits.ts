/** Price limits in the admin console (docs/money.md, rule 8). */
import * as z from 'zod/mini';
import { priceLimits } from '../commerce/price-limits.ts';
import { route } from '../shared/route.ts';
import { reason } from './processor-webhooks.ts';

export const getPriceLimits = route({
  method: 'GET',
  path: '/admin/price-limits',
  summary: 'Retrieve minimum and maximum prices',
  auth: 'operator',
  rate: 'read',
  response: priceLimits,
});
export const updatePriceLimits = route({
  method: 'PUT',
  path: '/admin/price-limits',
  summary: 'Update price limits. Fails with CONFLICT if the values have changed. Existing prices don’t change',
  auth: 'operator',
  rate: 'write',
  body: z.object({ from: priceLimits, to: priceLimits, reason }),
  response: priceLimits,
  errors: ['CONFLICT'],
});
