/** End-to-end tests load this file too, so it has few imports. */
import { agreement } from './agreement.ts';

/**
 * `$1` is the creator's id, `$2` is {@link AGREEMENT_VERSION}. The profile is not changed, and no drawn signature is
 * stored.
 */
export const MAKE_ELIGIBLE_SQL = `insert into verifications (creator_id, status, agreement_version, signed_at, submitted_at, decided_at)
  values ($1, 'verified', $2, now(), now(), now()) on conflict do nothing`;
export const AGREEMENT_VERSION = agreement.version;
