import { becomeMember, changeSwitches, type MockHandler, showMock } from '../gateway/testing/mockHandler';

/** What the panel of mock mode asks for: not calls of the product. */
const panel: Record<`${'GET' | 'POST'} /mock/${string}`, MockHandler> = {
  'GET /mock/state': showMock,
  'POST /mock/switches': changeSwitches,
  'POST /mock/member': becomeMember,
};

export default panel;
