/** What the archive tells. */
declare module '../../kernel/events.ts' {
  interface EventMap {
    /** Somebody's archive can be downloaded. */
    'archive.ready': { userId: string; archiveId: string };
  }
}

export {};
