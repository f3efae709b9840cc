/** One conversation of a creator, beside the inbox; on a phone alone. */
import type { ClientLoaderFunctionArgs, LoaderFunctionArgs } from 'react-router';
import { inBrowser, onServer } from '../../kernel/page-data.ts';
import { loadThread } from '../chat/chat-load.ts';
import { NothingOpen } from '../chat/chat-room.tsx';

const load = loadThread('creator');
export const loader = (args: LoaderFunctionArgs) => onServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => inBrowser(args, load);

// The room shows the thread itself, from the tap on; this is beside the inbox once the thread is left.
export default NothingOpen;
