import './gallery/gallery.css';
import { Controls } from './gallery/controls.tsx';
import { Fields } from './gallery/fields.tsx';
import { Overlays } from './gallery/overlays.tsx';
import { Pictures } from './gallery/pictures.tsx';
import { States } from './gallery/states.tsx';
import { Talk } from './gallery/talk.tsx';
import { Toaster } from './toaster.tsx';

const themes = ['light', 'dark'] as const;

export function Gallery() {
  return (
    <main>
      <h1 className="sr-only">Gallery of primitives</h1>
      <div className="gallery">
        {themes.map((theme) => (
          <section key={theme} className="gallery__side" data-theme={theme} aria-label={`All primitives, ${theme}`}>
            <Controls theme={theme} />
            <Fields theme={theme} />
            <Pictures theme={theme} />
            <Talk theme={theme} />
            <States theme={theme} />
            <Overlays theme={theme} />
          </section>
        ))}
      </div>
      <Toaster />
    </main>
  );
}
