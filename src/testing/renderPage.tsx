import { createPluginManager } from '@@/core/plugin';
import { dataflowProvider as withInitialState } from '@@/plugin-initialState/runtime';
import { i18nProvider } from '@@/plugin-locale/runtime';
import { dataflowProvider as withModels } from '@@/plugin-model/runtime';
import { configure, render } from '@testing-library/react';
import type { ReactElement } from 'react';
import { MemoryRouter, Route, Routes, useLocation } from 'react-router-dom';

// The words ask it which language is chosen, as they do in the browser.
createPluginManager();
// A whole page with antd takes its time on a busy machine.
configure({ asyncUtilTimeout: 10_000 });

interface PageOptions {
  /** Where the browser stands, with its query. */
  at?: string;
  /** The route the page is declared under, for its parameters. */
  route?: string;
}

function Place() {
  const { pathname, search } = useLocation();
  return <output data-testid="place">{`${pathname}${search}`}</output>;
}

/** A page as the console shows it, with its models, words and router; the gateway is what `answerCalls` makes of it. */
export function renderPage(page: ReactElement, { at = '/', route = '*' }: PageOptions = {}) {
  const routed = (
    <MemoryRouter initialEntries={[at]}>
      <Routes>
        <Route path={route} element={page} />
        <Route path="*" element={null} />
      </Routes>
      <Place />
    </MemoryRouter>
  );
  return render(withModels(i18nProvider(withInitialState(routed, {})), {}));
}
