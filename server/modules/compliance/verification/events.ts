import type { VerificationStatus } from '@stagedoor/contract/compliance/verification.ts';

declare module '../../../platform/events/event-types.ts' {
  interface EventMap {
    'verification.changed': { creatorId: string; status: VerificationStatus; at: string };
  }
}
