/** What publishing tells. */
declare module '../../kernel/events.ts' {
  interface EventMap {
    /** What was scheduled could not be published, and is a draft again. `words`: why, in a sentence. */
    'draft.failed': { creatorId: string; draftId: string; words: string };
  }
}

export {};
