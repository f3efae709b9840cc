declare module '../../../platform/events/event-types.ts' {
  interface EventMap {
    'geoBlocks.changed': { creatorId: string };
  }
}

export {};
