declare module '../../../platform/events/event-types.ts' {
  interface EventMap {
    'team.joined': { creatorId: string; memberId: string };
  }
}

export {};
