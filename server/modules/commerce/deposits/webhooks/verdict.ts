import type { WebhookState } from './store.ts';

export type Verdict = { state: WebhookState; reason?: string; depositId?: string };

export const UNKNOWN_SALE: Verdict = { state: 'waiting', reason: 'its sale has not been received yet' };

const toVerdict = (state: 'quarantined' | 'ignored', reason: string, depositId: string | undefined): Verdict => ({
  state,
  reason,
  ...(depositId !== undefined && { depositId }),
});
export const toQuarantined = (reason: string, depositId?: string) => toVerdict('quarantined', reason, depositId);
export const toIgnored = (reason: string, depositId?: string) => toVerdict('ignored', reason, depositId);
