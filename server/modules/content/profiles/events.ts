declare module '../../../platform/events/events.ts' {
  interface EventMap {
    'profile.changed': { creatorId: string; username: string };
  }
}

export {};
