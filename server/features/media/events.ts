/** What the media room tells, in the order of the outbox. */
declare module '../../kernel/events.ts' {
  interface EventMap {
    /** Processing of an upload ended, one way or the other. */
    'media.processed': { mediaId: string; ownerId: string };
    /** More formats of a medium exist now: views of it may be made anew. */
    'media.improved': { mediaId: string };
    /** How a creator's media are delivered was changed. */
    'media.settings': { ownerId: string };
    /** Open variants became public, or stopped being so. */
    'media.shown': { mediaIds: string[]; isPublic: boolean };
    /** What was uploaded is a copy of what is withheld, and is withheld as well. */
    'media.copyWithheld': { mediaId: string; ownerId: string };
  }
}

export {};
