declare module '../../../platform/events/events.ts' {
  interface EventMap {
    'creator.online': { creatorId: string };
  }
}

export {};
