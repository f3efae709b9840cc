declare module '../../kernel/events.ts' {
  interface EventMap {
    /** The post is a draft again. `words` is the reason, as a message. */
    'draft.failed': { creatorId: string; draftId: string; words: string };
  }
}

export {};
