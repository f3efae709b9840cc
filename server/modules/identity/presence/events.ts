declare module '../../../platform/events/event-types.ts' {
  interface EventMap {
    'creator.online': { creatorId: string };
  }
}

export {};
