declare module '../../../platform/events/events.ts' {
  interface EventMap {
    'goal.changed': { creatorId: string; goalId: string };
  }
}

export {};
