/** A creator's chat (row E1). */
import { PATHS } from '@stagedoor/contract/addresses.ts';
import { type ClientLoaderFunctionArgs, type LoaderFunctionArgs, type MetaArgs, useLoaderData } from 'react-router';
import { pageMeta } from '../../kernel/meta.ts';
import type { PageHandle } from '../../kernel/page.ts';
import { inBrowser, onServer } from '../../kernel/page-data.ts';
import { loadRoom } from '../chat/chat-load.ts';
import { ChatRoom } from '../chat/chat-room.tsx';

export const handle: PageHandle = {
  width: 'bleed',
  flush: true,
  nav: PATHS.creatorChat,
  deepWith: 'with',
  deepBelow: PATHS.creatorChat,
};
export const meta = (args: MetaArgs) => pageMeta(args, { title: 'Chat' });

const load = loadRoom('creator');
export const loader = (args: LoaderFunctionArgs) => onServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => inBrowser(args, load);

export default function ChatPage() {
  const { now } = useLoaderData<typeof loader>();
  return <ChatRoom side="creator" rendered={now} />;
}
