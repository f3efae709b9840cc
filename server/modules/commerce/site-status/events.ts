declare module '../../../platform/events/event-types.ts' {
  interface EventMap {
    'killSwitch.changed': { name: string };
    'announcement.changed': { announcementId: string };
  }
}

export {};
