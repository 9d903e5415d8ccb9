import { useEffect } from 'react';
import { useText } from './useText';

/** Names a page that stands outside the frame in the browser's tab. */
export function useDocumentTitle(page: string): void {
  const text = useText();
  const title = `${page} · ${text('app.title')}`;
  useEffect(() => {
    document.title = title;
  }, [title]);
}
