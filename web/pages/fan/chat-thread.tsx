/** One conversation of a fan, beside the inbox; on a phone alone. */
import type { ClientLoaderFunctionArgs, LoaderFunctionArgs } from 'react-router';
import type { PageHandle } from '../../kernel/page.ts';
import { inBrowser, onServer } from '../../kernel/page-data.ts';
import { loadThread } from '../chat/chat-load.ts';
import { OpenThread } from '../chat/chat-panes.tsx';

export const handle: PageHandle = { bare: true, tabless: true };

const load = loadThread('fan');
export const loader = (args: LoaderFunctionArgs) => onServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => inBrowser(args, load);

export default OpenThread;
