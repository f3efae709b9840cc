import type { CaptionTrack } from '@stagedoor/contract/content/pictures.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { useEffect, useState } from 'react';
import { localStore } from '../../../../platform/browser-storage.ts';
import * as texts from '../texts.ts';
import { showCaptions } from './commands.ts';
import { readPlayerSettings, savePlayerSettings } from './player-settings.ts';

export type CaptionsControl = {
  /** The visible language. Empty means none. */
  language: string;
  choose: (language: string) => void;
  /** Switches between off and the last language. Returns the text to announce. */
  toggle: () => string;
};

export function useCaptions(video: HTMLVideoElement | null, tracks: readonly CaptionTrack[]): CaptionsControl {
  const [language, setLanguage] = useState(() => {
    const { captions } = readPlayerSettings(localStore);
    return tracks.some((track) => track.language === captions) ? captions : '';
  });
  const [last, setLast] = useState(language || (tracks[0]?.language ?? ''));
  useEffect(() => {
    if (!video) return;
    const show = () => showCaptions(video, language);
    show();
    video.textTracks.addEventListener('addtrack', show);
    return () => video.textTracks.removeEventListener('addtrack', show);
  }, [video, language]);
  const choose = (next: string) => {
    setLanguage(next);
    if (next !== '') setLast(next);
    savePlayerSettings(localStore, { captions: next });
  };
  return {
    language,
    choose,
    toggle: () => {
      if (tracks.length === 0) return texts.noCaptions;
      const next = language === '' ? last : '';
      choose(next);
      return next === ''
        ? texts.captionsOff
        : formatText(texts.captionsLanguage, {
            language: tracks.find((track) => track.language === next)?.label ?? next,
          });
    },
  };
}
