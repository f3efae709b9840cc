import type { ClientLoaderFunctionArgs, LoaderFunctionArgs } from 'react-router';
import { loadInBrowser, loadOnServer } from '../../platform/page-data.ts';
import { NoThreadOpen } from '../chat/chat-layout.tsx';
import { loadThread } from '../chat/chat-load.ts';

const load = loadThread('fan');
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);

// The chat page itself shows the thread as soon as it is tapped. This component is shown after the thread is closed.
export default NoThreadOpen;
