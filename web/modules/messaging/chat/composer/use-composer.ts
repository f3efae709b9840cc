/** The state of a message that is being composed: its text, files, price and what prevents sending it. */
import { CHAT_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import { useEffect } from 'react';
import { usePriceLimit } from '../../../../platform/price-limits.ts';
import { useUnsavedChanges } from '../../../../platform/unsaved.ts';
import { useChatContext } from '../chat-parts.ts';
import type { OutboxFile } from '../outbox/queue.ts';
import * as texts from '../texts.ts';
import { changeAttachments, clearFiles, getAttachments, registerSend, waitForFiles } from './attachments.ts';
import { useComposerFiles } from './composer-files.tsx';
import { toDraftKey, useDraft } from './drafts.ts';
import { groupFiles } from './prepare-files.ts';
import { parseMediaPrice } from './price.ts';
import type { VoiceRecording } from './use-recorder.ts';

export type ComposedMessage = {
  text: string;
  files: OutboxFile[];
  price: number;
  isViewOnce: boolean;
  voice?: VoiceRecording;
};

export type ComposerOptions = {
  thread: string;
  /** Returns false if the message cannot be sent. It then stays in the composer. */
  onSend: (composed: ComposedMessage) => boolean;
  onTyping: (isTyping: boolean) => void;
  /** A message request allows one text without files. */
  isTextOnly: boolean;
  canSetPrice: boolean;
};

const countCharacters = (text: string) => [...text.trim()].length;

export function useComposer({ thread, isTextOnly, canSetPrice, onSend, onTyping }: ComposerOptions) {
  const { viewerId } = useChatContext();
  const key = toDraftKey(viewerId, thread);
  const [text, setText, getText] = useDraft(key);
  useUnsavedChanges(text.trim() !== '', true);
  const attachments = useComposerFiles(key, isTextOnly);
  const { files, price, isViewOnce, voice, isWaiting } = attachments;
  const limit = usePriceLimit('chatMedia');
  /** Reads the current text and files, which may be newer than those of the last render. */
  const check = () => {
    const current = getAttachments(key);
    const length = countCharacters(getText());
    const typedPrice = parseMediaPrice(current.files.length > 0 && canSetPrice ? current.price : '', limit);
    const isMixed = typedPrice.usd > 0 && groupFiles(current.files).length > 1;
    const isEmpty = length === 0 && current.files.length === 0;
    const isTooLong = length > CHAT_LIMITS.textLength;
    return { length, isTooLong, isMixed, isEmpty, typedPrice, isValid: !isTooLong && !typedPrice.error && !isMixed };
  };
  const sendVoice = (recording: VoiceRecording): boolean => {
    const isAccepted = onSend({ text: '', files: [], price: 0, isViewOnce: false, voice: recording });
    changeAttachments(key, { voice: isAccepted ? undefined : recording });
    return isAccepted;
  };
  const send = (): boolean => {
    const { isEmpty, isValid, typedPrice } = check();
    const current = getAttachments(key);
    if (current.voice) return sendVoice(current.voice);
    if (isEmpty || !isValid || waitForFiles(key)) return false;
    const prepared = current.files.flatMap((file) => file.prepared ?? []);
    const isAccepted = onSend({
      text: getText().trim(),
      files: prepared,
      price: typedPrice.usd,
      isViewOnce: current.isViewOnce && prepared.length > 0,
    });
    if (!isAccepted) return false;
    setText('');
    clearFiles(key);
    onTyping(false);
    return true;
  };
  useEffect(() => registerSend(key, send));
  const { length, isTooLong, isMixed, isEmpty, typedPrice, isValid } = check();
  return {
    ...{ text, setText, attachments, files, voice, length, isTooLong, send, sendVoice },
    mixedFilesMessage: isMixed ? texts.sendDocumentsSeparately : undefined,
    isEmpty: isEmpty && !voice,
    canSend: voice ? !isWaiting : !isEmpty && isValid,
    isWaiting,
    stopWaiting: () => changeAttachments(key, { isWaiting: false }),
    keepVoice: (recording: VoiceRecording) => changeAttachments(key, { voice: recording }),
    discardVoice: () => changeAttachments(key, { voice: undefined }),
    price: typedPrice.usd,
    terms: {
      ...{ price, isViewOnce },
      onPrice: (typed: string) => changeAttachments(key, { price: typed }),
      onViewOnce: (isOn: boolean) => changeAttachments(key, { isViewOnce: isOn }),
    },
  };
}
