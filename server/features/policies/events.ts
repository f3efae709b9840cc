/** What the policies room tells: kept pages react to it. */
declare module '../../kernel/events.ts' {
  interface EventMap {
    /** Who runs the house, or what it asks and keeps, is said otherwise from now on. */
    'house.changed': Record<string, never>;
    /** A new version of a text is in force, and these people are told: what it is called, and what is different, in a sentence. */
    'policy.changed': { userIds: string[]; policy: string; version: string; title: string; changes: string };
  }
}

export {};
