/** What the profiles room tells: kept pages react to it. */
declare module '../../kernel/events.ts' {
  interface EventMap {
    /** A person changed what others see of them: name, pictures, or a creator's profile. */
    'profile.changed': { creatorId: string; username: string };
  }
}

export {};
