declare module '../../../platform/events/event-types.ts' {
  interface EventMap {
    'notification.created': { userIds: string[] };
  }
}

export {};
