import { startTracker } from './tracker';

// The program `/tracker/tracker.js`, loaded by the console (`src/utils/tracker.ts`).
if (window.atelierTracker) startTracker(window.atelierTracker);
