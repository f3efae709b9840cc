/** What the switches room tells: every process reads anew, and kept pages say it. */
declare module '../../kernel/events.ts' {
  interface EventMap {
    /** Something was stopped, or goes on. */
    'switch.changed': { name: string };
  }
}

export {};
