declare module '../../../platform/events/events.ts' {
  interface EventMap {
    'geoBlocks.changed': { creatorId: string };
  }
}

export {};
