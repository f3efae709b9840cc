declare module '../../../platform/events/event-types.ts' {
  interface EventMap {
    /** `after` is empty when all roles were removed. `byId` is absent for the admin CLI. */
    'operators.changed': {
      userId: string;
      byId: string | null;
      before: readonly string[];
      after: readonly string[];
      reason: string;
    };
  }
}

export {};
