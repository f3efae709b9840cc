declare module '../../../platform/events/events.ts' {
  interface EventMap {
    'fees.changed': Record<string, never>;
  }
}

export {};
