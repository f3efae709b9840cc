declare module '../../kernel/events.ts' {
  interface EventMap {
    'switch.changed': { name: string };
    'announcement.changed': { announcementId: string };
  }
}

export {};
