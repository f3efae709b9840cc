declare module '../../kernel/events.ts' {
  interface EventMap {
    'notification.created': { userIds: string[] };
  }
}

export {};
