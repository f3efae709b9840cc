import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { type ClientLoaderFunctionArgs, type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { loadInBrowser, loadOnServer } from '../../platform/page-data.ts';
import { loadNewThread } from '../chat/chat-load.ts';
import { ChatStart } from '../chat/chat-panes.tsx';

const load = loadNewThread(PATHS.creatorChat);
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);

export default function CreatorChatIndex() {
  return <ChatStart withId={useLoaderData<typeof loader>().withId} />;
}
