import type { FastifyBaseLogger } from 'fastify';
import { paymentAlarms } from '../../metrics';

/** What somebody must look at: nothing else will put it right. */
interface Alarm {
  alarm: 'noticeRefused' | 'wrongMoney' | 'notApplied' | 'refundRefused' | 'refundLate';
  why: string;
  paymentId?: string;
  orderId?: string;
  refundId?: string;
}

export function raiseAlarm(log: FastifyBaseLogger, alarm: Alarm): void {
  paymentAlarms.inc({ alarm: alarm.alarm });
  log.error(alarm, 'payment alarm');
}
