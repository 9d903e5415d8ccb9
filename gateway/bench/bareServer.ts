import Fastify from 'fastify';
import { Pool } from 'pg';

/** The least that answers with a query's rows: one Fastify route, one query, a pool as large as the gateway's, sent as the driver sends it. */
async function main(): Promise<void> {
  const [url = '', text = '', parameters = '[]'] = process.argv.slice(2);
  const pool = new Pool({ connectionString: url, max: 20 });
  const values: unknown[] = JSON.parse(parameters);
  const app = Fastify();
  app.get('/rows', async (_request, reply) => {
    const { rows } = await pool.query(text, values);
    return reply
      .type('application/json')
      .send(JSON.stringify(rows, (_name, value) => (typeof value === 'bigint' ? Number(value) : value)));
  });
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  process.stdout.write(`bare on ${origin}\n`);
}

void main();
