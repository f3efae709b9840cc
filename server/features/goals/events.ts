/** What goals tell: kept pages react to it. */
declare module '../../kernel/events.ts' {
  interface EventMap {
    /** A goal began or was taken off its creator's profile. */
    'goal.changed': { creatorId: string; goalId: string };
  }
}

export {};
