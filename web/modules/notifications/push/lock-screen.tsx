import './push.css';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { LogoMark } from '../../../ui/logo.tsx';
import * as texts from './texts.ts';

const DISCREET = { title: texts.stagedoor, body: texts.somethingNewForYou };

export function LockScreen({ content = DISCREET }: { content?: typeof DISCREET | undefined }) {
  const { title, body } = content;
  return (
    <div className="lock-screen" role="img" aria-label={formatText(texts.lockScreenPreview, { title, body })}>
      <p className="lock-screen__time num">21:42</p>
      <div className="lock-screen__push">
        <span className="lock-screen__mark">
          <LogoMark size={22} />
        </span>
        <span className="min-w-0">
          <b className="one-line">{title}</b>
          <span className="one-line">{body}</span>
        </span>
        <span className="num text-muted">{texts.now}</span>
      </div>
    </div>
  );
}
