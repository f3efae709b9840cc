/** A fan's chat (row E1). */
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { useEffect } from 'react';
import {
  type ClientLoaderFunctionArgs,
  type LoaderFunctionArgs,
  type MetaArgs,
  useLoaderData,
  useSearchParams,
} from 'react-router';
import { showToast } from '../../platform/feedback.ts';
import { createPageMeta } from '../../platform/meta.ts';
import type { PageHandle } from '../../platform/page.ts';
import { loadInBrowser, loadOnServer } from '../../platform/page-data.ts';
import { checkOpenedByShare } from '../../platform/shared-files.tsx';
import { SHARED_PARAM } from '../../workers/shared.ts';
import { ChatLayout } from '../chat/chat-layout.tsx';
import { loadChat } from '../chat/chat-load.ts';
import * as texts from './texts.ts';

export const handle: PageHandle = {
  width: 'bleed',
  flush: true,
  nav: PATHS.fanChat,
  detailParam: 'with',
  detailBelow: PATHS.fanChat,
};
export const meta = (args: MetaArgs) => createPageMeta(args, { title: texts.chat });

const load = loadChat('fan');
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);

export default function FanChatPage() {
  const { now } = useLoaderData<typeof loader>();
  const isShared = useSearchParams()[0].has(SHARED_PARAM);
  useEffect(() => {
    if (!isShared) return;
    checkOpenedByShare();
    void showToast(texts.shareToChatHint);
  }, [isShared]);
  return <ChatLayout side="fan" rendered={now} />;
}
