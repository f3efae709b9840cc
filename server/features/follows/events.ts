/** What the follows room tells: feeds, counts on kept pages. */
declare module '../../kernel/events.ts' {
  interface EventMap {
    /** A fan began or ceased to follow. What is so now may differ already: look before acting on it. */
    'follow.changed': { fanId: string; creatorId: string; username: string; isFollowed: boolean };
  }
}

export {};
