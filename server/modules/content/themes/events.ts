declare module '../../../platform/events/events.ts' {
  interface EventMap {
    'theme.published': { creatorId: string };
  }
}

export {};
