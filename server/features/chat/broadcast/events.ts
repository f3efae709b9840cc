/** What broadcasting tells the rest of chat after a commit. */
import type { Gone } from './store.ts';

declare module '../../../kernel/events.ts' {
  interface EventMap {
    /** A broadcast was sent: it is in the inboxes of those who look from now on. */
    'broadcast.sent': { broadcastId: string; creatorId: string };
    /** A broadcast is to be taken back from all who have neither read nor bought it. */
    'broadcast.unsent': { broadcastId: string; creatorId: string };
    /** An operator took it from everybody at that instant, or gives back what was taken then. */
    'broadcast.withheld': { broadcastId: string; creatorId: string; at: string; isWithheld: boolean };
    /** It was taken back from some. */
    'broadcast.takenBack': { broadcastId: string; creatorId: string; gone: Gone[] };
  }
}
