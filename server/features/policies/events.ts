/** What the policies room tells: kept pages react to it. */
declare module '../../kernel/events.ts' {
  interface EventMap {
    /** Who runs the house, or what it asks and keeps, is said otherwise from now on. */
    'house.changed': Record<string, never>;
  }
}

export {};
