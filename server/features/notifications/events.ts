declare module '../../kernel/events.ts' {
  interface EventMap {
    'notification.told': { userIds: string[] };
  }
}

export {};
