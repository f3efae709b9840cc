declare module '../../../platform/events/event-types.ts' {
  interface EventMap {
    'theme.published': { creatorId: string };
  }
}

export {};
