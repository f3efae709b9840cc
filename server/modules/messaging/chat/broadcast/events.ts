import type { RemovedBroadcastMessage } from './store.ts';

declare module '../../../../platform/events/event-types.ts' {
  interface EventMap {
    /** A broadcast was sent. Recipients get it as a message when their inbox is read next. */
    'broadcast.sent': { broadcastId: string; creatorId: string };
    'broadcast.unsent': { broadcastId: string; creatorId: string };
    /** An operator took a broadcast down at `at`, or restored what was taken down then. */
    'broadcast.takedownChanged': { broadcastId: string; creatorId: string; at: string; isTakenDown: boolean };
    'broadcast.messagesRemoved': { broadcastId: string; creatorId: string; removed: RemovedBroadcastMessage[] };
  }
}
