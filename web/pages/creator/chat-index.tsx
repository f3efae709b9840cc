import { PATHS } from '@stagedoor/contract/addresses.ts';
import { type ClientLoaderFunctionArgs, type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { inBrowser, onServer } from '../../kernel/page-data.ts';
import { loadBeginning } from '../chat/chat-load.ts';
import { Beginning } from '../chat/chat-panes.tsx';

const load = loadBeginning(PATHS.creatorChat);
export const loader = (args: LoaderFunctionArgs) => onServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => inBrowser(args, load);

export default function ChatIndex() {
  return <Beginning withId={useLoaderData<typeof loader>().withId} />;
}
