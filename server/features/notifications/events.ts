/** What the notifications room tells. */
declare module '../../kernel/events.ts' {
  interface EventMap {
    /** There is something new in the lists of these people. */
    'notification.told': { userIds: string[] };
  }
}

export {};
