declare module '../../../platform/events/event-types.ts' {
  interface EventMap {
    /** Handlers must read the current state, because it may have changed since. */
    'follow.changed': { fanId: string; creatorId: string; username: string; isFollowed: boolean };
  }
}

export {};
