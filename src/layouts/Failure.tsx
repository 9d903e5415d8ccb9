import { Button } from 'antd';
import { EmptyState } from '@/components/EmptyState';
import { useText } from '@/hooks/useText';
import { hasJustReloaded, type LoadFailureType, loadFailureOf, reloadPage } from '@/utils/loadFailure';
import type { Word } from '@/utils/words';

const wordsOfType: Readonly<Record<LoadFailureType, Word>> = {
  timeout: 'error.chunk.timeout',
  missing: 'error.chunk.missing',
  error: 'error.chunk.error',
};

/** In place of a page that failed, or whose code did not arrive: what happened, and the reload that the member decides about. */
export function Failure({ error }: { error: unknown }) {
  const text = useText();
  const type = loadFailureOf(error);
  const again = hasJustReloaded() ? ` ${text('error.chunk.again')}` : '';
  return (
    <div role="alert" data-failure={type ?? 'crash'}>
      <EmptyState
        drawing="lamp"
        title={text(type ? 'error.chunk.title' : 'error.crash.title')}
        words={`${text(type ? wordsOfType[type] : 'error.crash')}${again}`}
        action={
          <Button type="primary" onClick={reloadPage}>
            {text('error.reload')}
          </Button>
        }
      />
    </div>
  );
}
