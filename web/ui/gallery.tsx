import './gallery/gallery.css';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { ChatGallery } from './gallery/chat.tsx';
import { ControlGallery } from './gallery/controls.tsx';
import { FieldGallery } from './gallery/fields.tsx';
import { OverlayGallery } from './gallery/overlays.tsx';
import { PictureGallery } from './gallery/pictures.tsx';
import { StateGallery } from './gallery/states.tsx';
import * as texts from './texts.ts';
import { Toaster } from './toaster.tsx';

const themes = ['light', 'dark'] as const;

export function Gallery() {
  return (
    <main>
      <h1 className="sr-only">{texts.galleryOfPrimitives}</h1>
      <div className="gallery">
        {themes.map((theme) => (
          <section
            key={theme}
            className="gallery__side"
            data-theme={theme}
            aria-label={formatText(texts.allPrimitives, { theme })}
          >
            <ControlGallery theme={theme} />
            <FieldGallery theme={theme} />
            <PictureGallery theme={theme} />
            <ChatGallery theme={theme} />
            <StateGallery theme={theme} />
            <OverlayGallery theme={theme} />
          </section>
        ))}
      </div>
      <Toaster />
    </main>
  );
}
