declare module '../../../platform/events/event-types.ts' {
  interface EventMap {
    'goal.changed': { creatorId: string; goalId: string };
  }
}

export {};
