/** What teams tell. */
declare module '../../kernel/events.ts' {
  interface EventMap {
    /** Somebody accepted, and can act for a creator from now on. */
    'team.joined': { creatorId: string; memberId: string };
  }
}

export {};
