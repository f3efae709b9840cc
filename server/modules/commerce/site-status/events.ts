declare module '../../../platform/events/events.ts' {
  interface EventMap {
    'killSwitch.changed': { name: string };
    'announcement.changed': { announcementId: string };
  }
}

export {};
