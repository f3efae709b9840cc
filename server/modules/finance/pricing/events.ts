declare module '../../../platform/events/event-types.ts' {
  interface EventMap {
    'fees.changed': Record<string, never>;
  }
}

export {};
