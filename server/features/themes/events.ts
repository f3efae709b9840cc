/** What the room of themes tells: kept pages react to it. */
declare module '../../kernel/events.ts' {
  interface EventMap {
    /** A creator's page is drawn otherwise from now on. */
    'theme.published': { creatorId: string };
  }
}

export {};
