/** What lies on the lock screen, as a picture of one: a choice about it shows it. */
import './push.css';
import { Mark } from '../../../ui/logo.tsx';

export function LockScreen({ isDiscreet, words }: { isDiscreet: boolean; words: { title: string; body: string } }) {
  const { title, body } = isDiscreet ? { title: 'Stagedoor', body: 'Something new for you' } : words;
  return (
    <div className="lock-screen" role="img" aria-label={`A lock screen that says: ${title}. ${body}`}>
      <p className="lock-screen__time num">21:42</p>
      <div className="lock-screen__push">
        <span className="lock-screen__mark">
          <Mark size={22} />
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
