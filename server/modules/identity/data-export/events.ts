declare module '../../../platform/events/event-types.ts' {
  interface EventMap {
    'dataExport.ready': { userId: string; exportId: string };
  }
}

export {};
