declare module '../../../platform/events/events.ts' {
  interface EventMap {
    'notification.created': { userIds: string[] };
  }
}

export {};
