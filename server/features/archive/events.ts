declare module '../../kernel/events.ts' {
  interface EventMap {
    'dataExport.ready': { userId: string; exportId: string };
  }
}

export {};
