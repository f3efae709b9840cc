declare module '../../../platform/events/events.ts' {
  interface EventMap {
    'companyDetails.changed': Record<string, never>;
    'policy.changed': { userIds: string[]; policy: string; version: string; title: string; changes: string };
  }
}

export {};
