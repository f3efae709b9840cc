declare module '../../../platform/events/event-types.ts' {
  interface EventMap {
    'media.processed': { mediaId: string; ownerId: string };
    /** New versions exist, so cached views may be rebuilt. */
    'media.updated': { mediaId: string };
    'media.settingsChanged': { ownerId: string };
    /** Open variants became public or private. */
    'media.visibilityChanged': { mediaIds: string[]; isPublic: boolean };
    /** An upload was taken down because it is a copy of taken-down media. */
    'media.copyTakenDown': { mediaId: string; ownerId: string };
  }
}

export {};
