declare module '../../../platform/events/events.ts' {
  interface EventMap {
    /** The company details, fees or limits have changed. */
    'platformDetails.changed': Record<string, never>;
    'policy.changed': { userIds: string[]; policy: string; version: string; title: string; changes: string };
  }
}

export {};
