import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';

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
  help: 'Database connections that broke',
  registers: [metrics],
});

export const requestSeconds = new Histogram({
  name: 'atelier_request_seconds',
  help: 'Answer times by route pattern and status',
  labelNames: ['method', 'route', 'status'] as const,
  buckets: [0.005, 0.02, 0.05, 0.1, 0.25, 1, 5],
  registers: [metrics],
});

export const auditEntries = new Counter({
  name: 'atelier_audit_entries_total',
  help: 'Rows for the audit table: written, lost (the log has them), or left out of a flood',
  labelNames: ['outcome'] as const,
  registers: [metrics],
});

export const paymentAlarms = new Counter({
  name: 'atelier_payment_alarms_total',
  help: 'Payment matters somebody must look at: notices refused, money of a wrong amount or that could not be applied, refunds the provider refused at last or is late with',
  labelNames: ['alarm'] as const,
  registers: [metrics],
});

collectDefaultMetrics({ register: metrics });
