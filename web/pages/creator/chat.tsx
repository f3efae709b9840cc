/** A creator's chat (row E1). */
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { type ClientLoaderFunctionArgs, type LoaderFunctionArgs, type MetaArgs, useLoaderData } from 'react-router';
import { createPageMeta } from '../../platform/meta.ts';
import type { PageHandle } from '../../platform/page.ts';
import { loadInBrowser, loadOnServer } from '../../platform/page-data.ts';
import { ChatLayout } from '../chat/chat-layout.tsx';
import { loadChat } from '../chat/chat-load.ts';
import * as texts from './texts.ts';

export const handle: PageHandle = {
  width: 'bleed',
  flush: true,
  nav: PATHS.creatorChat,
  detailParam: 'with',
  detailBelow: PATHS.creatorChat,
};
export const meta = (args: MetaArgs) => createPageMeta(args, { title: texts.chat });

const load = loadChat('creator');
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);

export default function CreatorChatPage() {
  const { now } = useLoaderData<typeof loader>();
  return <ChatLayout side="creator" rendered={now} />;
}
