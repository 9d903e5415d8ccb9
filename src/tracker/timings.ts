import { trackLimits } from '../../gateway/contract/trackLimits';
import type { Happening } from './outbox';

/** Records what the browser measured of this page's load, once it is over. Asked for only where performance tracking is on. */
export function measureLoad(record: (event: Omit<Happening, 'route'>) => void): void {
  const report = () => {
    const [load] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
    const paint = performance.getEntriesByName('first-contentful-paint')[0];
    const measured = [
      ['firstByte', load?.responseStart],
      ['firstPaint', paint?.startTime],
      ['domReady', load?.domContentLoadedEventEnd],
      ['loaded', load?.loadEventEnd],
    ] as const;
    for (const [timing, ms = 0] of measured) {
      if (ms > 0) record({ kind: 'timing', timing, durationMs: Math.min(Math.round(ms), trackLimits.timingMs) });
    }
  };
  // The load's own end is known only after its listeners have run.
  const later = () => setTimeout(report);
  if (document.readyState === 'complete') later();
  else window.addEventListener('load', later);
}
