import type { ClientLoaderFunctionArgs, LoaderFunctionArgs } from 'react-router';
import { inBrowser, onServer } from '../../kernel/page-data.ts';
import { loadThread } from '../chat/chat-load.ts';
import { NothingOpen } from '../chat/chat-room.tsx';

const load = loadThread('creator');
export const loader = (args: LoaderFunctionArgs) => onServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => inBrowser(args, load);

// The chat page itself shows the thread as soon as it is tapped. This component is shown after the thread is closed.
export default NothingOpen;
