/** What regions tell: every process holds in memory who is hidden where. */
declare module '../../kernel/events.ts' {
  interface EventMap {
    /** A creator is hidden in other places than before. */
    'regions.changed': { creatorId: string };
  }
}

export {};
