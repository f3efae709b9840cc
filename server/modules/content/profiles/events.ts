declare module '../../../platform/events/event-types.ts' {
  interface EventMap {
    'profile.changed': { creatorId: string; username: string };
  }
}

export {};
