/** Every module, generated from the folders by `node scripts/module-lists.mjs`; do not edit. */
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
import type { Room } from '../kernel/room.ts';

export const MODULES: readonly Room[] = [
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
