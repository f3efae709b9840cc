/** What the presence room tells. */
declare module '../../kernel/events.ts' {
  interface EventMap {
    /** A creator was offline and is there now. */
    'creator.online': { creatorId: string };
  }
}

export {};
