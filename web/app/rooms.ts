/** The features that stand in the navigation or listen on every page: the one list in which a new one is entered. */
import type { UserType } from '@stagedoor/contract/accounts.ts';
import { room as account } from '../features/account/room.ts';
import { room as calls } from '../features/calls/room.ts';
import { room as chat } from '../features/chat/room.tsx';
import { room as desk } from '../features/desk/room.ts';
import { room as earnings } from '../features/earnings/room.ts';
import { room as library } from '../features/library/room.ts';
import { room as notifications } from '../features/notifications/room.ts';
import { room as posts } from '../features/posts/room.ts';
import { room as profileEditor } from '../features/profile-editor/room.ts';
import { room as profiles } from '../features/profiles/room.ts';
import { room as publishing } from '../features/publishing/room.ts';
import { room as wallet } from '../features/wallet/room.ts';
import type { NavEntry, Room } from '../kernel/room.ts';

export const ROOMS: readonly Room[] = [
  account,
  calls,
  chat,
  desk,
  earnings,
  library,
  notifications,
  posts,
  profileEditor,
  profiles,
  publishing,
  wallet,
];

const navOf = (type: UserType): readonly NavEntry[] =>
  ROOMS.flatMap(({ nav }) => nav?.[type] ?? []).sort((a, b) => a.order - b.order);

/** The navigation of each role, in its order. */
export const NAV: Readonly<Record<UserType, readonly NavEntry[]>> = {
  customer: navOf('customer'),
  creator: navOf('creator'),
  operator: navOf('operator'),
};

/** What stands beside the figure of the shell: of one room, for each role. */
export const WIDGETS: NonNullable<Room['widget']> = Object.fromEntries(
  ROOMS.flatMap(({ widget }) => Object.entries(widget ?? {})),
);
