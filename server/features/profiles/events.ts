declare module '../../kernel/events.ts' {
  interface EventMap {
    'profile.changed': { creatorId: string; username: string };
  }
}

export {};
