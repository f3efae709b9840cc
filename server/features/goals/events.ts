declare module '../../kernel/events.ts' {
  interface EventMap {
    'goal.changed': { creatorId: string; goalId: string };
  }
}

export {};
