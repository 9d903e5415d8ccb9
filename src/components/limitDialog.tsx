import { Modal } from 'antd';
import type { CallError } from '../utils/callError';

export function showLimitDialog(refusal: CallError): void {
  Modal.warning({ content: refusal.msg });
}
