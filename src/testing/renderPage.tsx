import { createPluginManager } from '@@/core/plugin';
import InitialState from '@@/plugin-initialState/Provider';
import { _LocaleContainer as Words } from '@@/plugin-locale/locale';
import { dataflowProvider as withModels } from '@@/plugin-model/runtime';
import { act, configure, render } from '@testing-library/react';
import { clearCache } from 'ahooks';
import { Modal, message } from 'antd';
import { actWrapper } from 'antd/lib/message';
import type { ReactElement } from 'react';
import { MemoryRouter, Route, Routes, useLocation } from 'react-router-dom';

// The words ask it which language is chosen, as they do in the browser.
createPluginManager();
// A whole page with antd takes its time on a busy machine.
configure({ asyncUtilTimeout: 10_000 });

// Messages draw themselves outside of what is rendered here.
actWrapper(act);

afterEach(() => {
  clearCache();
  act(() => {
    Modal.destroyAll();
    message.destroy();
  });
});

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
  const inside = (
    <Words>
      <InitialState>{routed}</InitialState>
    </Words>
  );
  return render(withModels(inside, {}));
}
