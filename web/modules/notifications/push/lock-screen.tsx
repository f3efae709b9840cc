import './push.css';
import { LogoMark } from '../../../ui/logo.tsx';

const DISCREET = { title: 'Stagedoor', body: 'Something new for you' };

export function LockScreen({ content = DISCREET }: { content?: typeof DISCREET | undefined }) {
  const { title, body } = content;
  return (
    <div className="lock-screen" role="img" aria-label={`Lock screen preview: ${title}. ${body}`}>
      <p className="lock-screen__time num">21:42</p>
      <div className="lock-screen__push">
        <span className="lock-screen__mark">
          <LogoMark size={22} />
        </span>
        <span className="min-w-0">
          <b className="one-line">{title}</b>
          <span className="one-line">{body}</span>
        </span>
        <span className="num text-muted">now</span>
      </div>
    </div>
  );
}
