declare module '../../../platform/events/events.ts' {
  interface EventMap {
    'team.joined': { creatorId: string; memberId: string };
  }
}

export {};
