declare module '../../../platform/events/event-types.ts' {
  interface EventMap {
    /** The post is a draft again. `message` is the reason for the creator. */
    'draft.failed': { creatorId: string; draftId: string; message: string };
  }
}

export {};
