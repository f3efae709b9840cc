/** What the verification room tells: where a creator stands. */
import type { VerificationStatus } from '@stagedoor/contract/verification.ts';

declare module '../../kernel/events.ts' {
  interface EventMap {
    /** A creator's verification was submitted or decided, or they signed. */
    'verification.changed': { creatorId: string; status: VerificationStatus; at: string };
  }
}
