import { useState } from 'react';
import { type ColorScheme, parseColorScheme, setColorScheme } from '../../../platform/color-scheme.ts';
import { Button } from '../../../ui/button.tsx';
import { Segmented } from '../../../ui/choice.tsx';
import * as texts from './texts.ts';

const OPTIONS = [
  { value: 'light', label: texts.light },
  { value: 'dark', label: texts.dark },
  { value: 'system', label: texts.system },
] as const;

export function ThemeSwitch({ theme, action, next }: { theme: ColorScheme | undefined; action: string; next: string }) {
  const [chosen, setChosen] = useState(theme);
  const choose = (value: string) => {
    setColorScheme(parseColorScheme(value));
    setChosen(parseColorScheme(value));
  };
  return (
    <form className="form" method="post" action={action}>
      <Segmented name="theme" label={texts.theme} value={chosen ?? 'system'} onValueChange={choose} options={OPTIONS} />
      <input type="hidden" name="next" value={next} />
      <noscript>
        <Button type="submit">{texts.save}</Button>
      </noscript>
    </form>
  );
}
