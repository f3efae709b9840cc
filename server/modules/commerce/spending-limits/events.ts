declare module '../../../platform/events/event-types.ts' {
  interface EventMap {
    /** A fan started a break from spending, or made it longer. Until then nothing can be charged. */
    'spending.paused': { fanId: string; until: string };
  }
}

export {};
