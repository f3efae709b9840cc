declare module '../../kernel/events.ts' {
  interface EventMap {
    'theme.published': { creatorId: string };
  }
}

export {};
