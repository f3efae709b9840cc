import type { VerificationStatus } from '@stagedoor/contract/verification.ts';

declare module '../../kernel/events.ts' {
  interface EventMap {
    'verification.changed': { creatorId: string; status: VerificationStatus; at: string };
  }
}
