declare module '../../kernel/events.ts' {
  interface EventMap {
    'regions.changed': { creatorId: string };
  }
}

export {};
