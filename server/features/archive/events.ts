declare module '../../kernel/events.ts' {
  interface EventMap {
    'archive.ready': { userId: string; archiveId: string };
  }
}

export {};
