/** A fan's chat (row E1). */
import { PATHS } from '@stagedoor/contract/addresses.ts';
import { useEffect } from 'react';
import {
  type ClientLoaderFunctionArgs,
  type LoaderFunctionArgs,
  type MetaArgs,
  useLoaderData,
  useSearchParams,
} from 'react-router';
import { pageMeta } from '../../kernel/meta.ts';
import { showToast } from '../../kernel/outcome.ts';
import type { PageHandle } from '../../kernel/page.ts';
import { inBrowser, onServer } from '../../kernel/page-data.ts';
import { noteShare } from '../../kernel/shared-files.tsx';
import { SHARED_PARAM } from '../../workers/shared.ts';
import { loadRoom } from '../chat/chat-load.ts';
import { ChatRoom } from '../chat/chat-room.tsx';

export const handle: PageHandle = {
  width: 'bleed',
  flush: true,
  nav: PATHS.fanChat,
  deepWith: 'with',
  deepBelow: PATHS.fanChat,
};
export const meta = (args: MetaArgs) => pageMeta(args, { title: 'Chat' });

const load = loadRoom('fan');
export const loader = (args: LoaderFunctionArgs) => onServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => inBrowser(args, load);

export default function ChatPage() {
  const { now } = useLoaderData<typeof loader>();
  const isShared = useSearchParams()[0].has(SHARED_PARAM);
  useEffect(() => {
    if (!isShared) return;
    noteShare();
    void showToast('Select a chat to share to.');
  }, [isShared]);
  return <ChatRoom side="fan" rendered={now} />;
}
