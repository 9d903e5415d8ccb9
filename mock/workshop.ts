import type { WorkshopCalls } from '../gateway/contract/workshop';
import type { WorkshopFileCalls } from '../gateway/contract/workshopFile';
import type { WorkshopLifeCalls } from '../gateway/contract/workshopLife';
import { answerFromGateway, type MockHandler } from '../gateway/testing/mockHandler';

export default {
  'GET /gateway/workshop/cpuSpec': answerFromGateway,
  'POST /gateway/workshop/create': answerFromGateway,
  'POST /gateway/workshop/update': answerFromGateway,
  'POST /gateway/workshop/start': answerFromGateway,
  'POST /gateway/workshop/stop': answerFromGateway,
  'POST /gateway/workshop/delete': answerFromGateway,
  'GET /gateway/workshop/get': answerFromGateway,
  'GET /gateway/workshop/page': answerFromGateway,
  'GET /gateway/workshop/filterList': answerFromGateway,
  'GET /gateway/workshop/events': answerFromGateway,
  'POST /gateway/workshop/terminal': answerFromGateway,
  'GET /gateway/workshop/metricsStatistics': answerFromGateway,
  'POST /gateway/workshop/extend': answerFromGateway,
  'POST /gateway/workshop/stopAll': answerFromGateway,
  'GET /gateway/workshop/logs': answerFromGateway,
  'GET /gateway/workshop/logsDownload': answerFromGateway,
  'GET /gateway/workshop/files': answerFromGateway,
  'GET /gateway/workshop/file': answerFromGateway,
  'GET /gateway/workshop/download': answerFromGateway,
  'POST /gateway/workshop/saveFile': answerFromGateway,
  'POST /gateway/workshop/makeFolder': answerFromGateway,
  'POST /gateway/workshop/renameFile': answerFromGateway,
  'POST /gateway/workshop/deleteFiles': answerFromGateway,
  'POST /gateway/workshop/upload': answerFromGateway,
} satisfies Record<keyof WorkshopCalls | keyof WorkshopFileCalls | keyof WorkshopLifeCalls, MockHandler>;
