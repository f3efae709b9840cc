/** Every room, ground first. */
import type { Server } from '../kernel/bind.ts';
import { register as accounts } from './accounts/index.ts';
import { register as broadcasts } from './broadcasts/index.ts';
import { register as chat } from './chat/index.ts';
import { register as development } from './development/index.ts';
import { register as drafts } from './drafts/index.ts';
import { register as feed } from './feed/index.ts';
import { register as follows } from './follows/index.ts';
import { register as ledger } from './ledger/index.ts';
import { register as media } from './media/index.ts';
import { register as posts } from './posts/index.ts';
import { register as presence } from './presence/index.ts';
import { register as profiles } from './profiles/index.ts';
import { register as wallet } from './wallet/index.ts';

type Register = (server: Server) => Promise<void> | void;

export const FEATURES: readonly Register[] = [
  ledger,
  accounts,
  presence,
  media,
  posts,
  drafts,
  follows,
  feed,
  profiles,
  wallet,
  chat,
  broadcasts,
  development,
];
