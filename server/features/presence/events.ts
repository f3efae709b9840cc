declare module '../../kernel/events.ts' {
  interface EventMap {
    'creator.online': { creatorId: string };
  }
}

export {};
