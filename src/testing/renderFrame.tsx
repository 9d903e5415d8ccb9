import { createPluginManager } from '@@/core/plugin';
import { _LocaleContainer as Words } from '@@/plugin-locale/locale';
import { render } from '@testing-library/react';
import type { ReactElement } from 'react';
import { MemoryRouter } from 'react-router-dom';

// The words ask it which language is chosen, as they do in the browser.
createPluginManager();

/** A piece of the frame with words and router alone: nothing is asked of the gateway, so it is there at once. */
export function renderFrame(piece: ReactElement, at = '/') {
  return render(
    <Words>
      <MemoryRouter initialEntries={[at]}>{piece}</MemoryRouter>
    </Words>,
  );
}
