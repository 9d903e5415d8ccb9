import { useLocation } from '@umijs/max';
import { Button } from 'antd';
import { Component, type ReactNode } from 'react';
import { EmptyState } from '@/components/EmptyState';
import { useText } from '@/hooks/useText';

/** Keeps a page that failed, or whose code did not arrive, from taking everything around it along. Another page starts anew. */
export function CrashBoundary({ children }: { children: ReactNode }) {
  const { pathname } = useLocation();
  return <Boundary key={pathname}>{children}</Boundary>;
}

class Boundary extends Component<{ children: ReactNode }, { error: Error | null }> {
  override state: { error: Error | null } = { error: null };

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override render() {
    return this.state.error ? <Crash error={this.state.error} /> : this.props.children;
  }
}

function Crash({ error }: { error: Error }) {
  const text = useText();
  const isMissing = error.name === 'ChunkLoadError' || /loading (?:css )?chunk/i.test(error.message);
  return (
    <div role="alert">
      <EmptyState
        drawing="lamp"
        words={text(isMissing ? 'error.chunk' : 'error.crash')}
        action={
          <Button type="primary" onClick={() => window.location.reload()}>
            {text('error.reload')}
          </Button>
        }
      />
    </div>
  );
}
