declare module '../../../platform/events/events.ts' {
  interface EventMap {
    'dataExport.ready': { userId: string; exportId: string };
  }
}

export {};
