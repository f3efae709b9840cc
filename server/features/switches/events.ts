/** What the switches room tells: every process reads anew, kept pages say it, and open tabs ask. */
declare module '../../kernel/events.ts' {
  interface EventMap {
    /** Something was stopped, or goes on. */
    'switch.changed': { name: string };
    /** Something was announced, or ended before its time. */
    'announcement.changed': { announcementId: string };
  }
}

export {};
