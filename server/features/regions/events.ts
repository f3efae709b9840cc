declare module '../../kernel/events.ts' {
  interface EventMap {
    'geoBlocks.changed': { creatorId: string };
  }
}

export {};
