declare module '../../kernel/events.ts' {
  interface EventMap {
    'team.joined': { creatorId: string; memberId: string };
  }
}

export {};
