/** What the broadcasts room tells itself after a commit. */
declare module '../../kernel/events.ts' {
  interface EventMap {
    /** A broadcast was sent: it is in the inboxes of those who look from now on. */
    'broadcast.sent': { broadcastId: string; creatorId: string };
    /** A broadcast is to be taken back from all who have neither read nor bought it. */
    'broadcast.unsent': { broadcastId: string; creatorId: string };
  }
}

export {};
