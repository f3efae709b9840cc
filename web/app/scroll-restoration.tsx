/** React Router's ScrollRestoration with another inline script, because the original throws if storage is forbidden. */
import { UNSAFE_useScrollRestoration as useScrollRestoration } from 'react-router';

const STORAGE_KEY = 'react-router-scroll-positions';

/** Scrolls before the app runs. */
const SCRIPT = `history.state?.key||history.replaceState({key:Math.random().toString(32).slice(2)},"");try{let y=JSON.parse(sessionStorage.getItem("${STORAGE_KEY}")??"{}")[history.state.key];typeof y==="number"&&scrollTo(0,y)}catch{}`;

export function ScrollRestoration({ nonce }: { nonce: string | undefined }) {
  useScrollRestoration({ storageKey: STORAGE_KEY });
  // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant
  return <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: SCRIPT }} />;
}
