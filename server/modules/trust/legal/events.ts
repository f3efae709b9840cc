declare module '../../../platform/events/event-types.ts' {
  interface EventMap {
    'companyDetails.changed': Record<string, never>;
    'policy.changed': { userIds: string[]; policy: string; version: string; title: string; changes: string };
  }
}

export {};
