/** The way past the door for people of tests that are about other things. It imports next to nothing: journeys load it too. */
import { agreement } from './agreement.ts';

/**
 * Opens the door of the creator of an id (`$1`) and nothing else: the profile says nothing of it, and no hand is kept. `$2` is
 * {@link AGREEMENT_VERSION}.
 */
export const OPEN_DOOR = `insert into verifications (creator_id, status, agreement_version, signed_at, submitted_at, decided_at)
  values ($1, 'verified', $2, now(), now(), now()) on conflict do nothing`;
export const AGREEMENT_VERSION = agreement.version;
