import { Counter, Histogram, Registry } from 'prom-client';

/** Every figure the gateway tells Prometheus; no label carries a member's words or an unbounded value. */
export const metrics = new Registry();

export const loopRuns = new Counter({
  name: 'atelier_loop_runs_total',
  help: 'Runs of the background loops by outcome',
  labelNames: ['loop', 'outcome'] as const,
  registers: [metrics],
});

export const loopSeconds = new Histogram({
  name: 'atelier_loop_seconds',
  help: 'How long a run of a background loop takes',
  labelNames: ['loop'] as const,
  buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
  registers: [metrics],
});

export const lostConnections = new Counter({
  name: 'atelier_database_connections_lost_total',
  help: 'Idle database connections that broke',
  registers: [metrics],
});
